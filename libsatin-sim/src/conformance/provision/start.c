/* start.c - rules of provisioners: the arguments, variables, files and secret that a command gets
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fleet.h"
#include "provision.h"

#include <glib/gstdio.h>
#include <string.h>

#define SECRET   "secret-of-conformance\n0123456789abcdef\n"
#define VARIABLE "SATIN_CONFORMANCE_VARIABLE"

/* A script that reports its arguments, each in brackets, unchanged. */
#define BODY_ARGUMENTS                                                                             \
  "text=; for each; do text=\"$text[$each]\"; done; say arguments \"$text\"; " BODY_STAYS

/* Breaks the case when the first report with @verb does not have the text @expected. */
static void
expect_saying (Fleet *fleet, const char *verb, const char *expected)
{
  const char *text = fleet_hear (fleet, verb, NULL);
  if (text != NULL)
    CASE_EXPECT (fleet->c, strcmp (text, expected) == 0, "%s of the command: \"%s\", not \"%s\"",
                 verb, text, expected);
}

void
provision_runs_the_command (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL || !fleet_get (fleet, 3))
    return;
  for (guint i = 0; i < fleet->granted->len; i++)
    {
      const char *name = fleet_granted (fleet, i)->name;
      guint n_runs = fleet_n_heard (fleet, "runs", name);
      CASE_EXPECT (c, n_runs == 1, "%u commands say that they are %s", n_runs, name);
    }
}

void
provision_keeps_arguments (Case *c)
{
  const char *const arguments[] = { "",           "two words",        " ",           "it's",
                                    "\"quoted\"", "$HOME `id` $(id)", "back\\slash", "*",
                                    "a\nb",       "\xc3\xa4",         "-n",          "{}",
                                    "{other}",    "#;&|<>~!",         NULL };
  const FleetStart start = { .body = BODY_ARGUMENTS, .arguments = arguments };
  g_autoptr (Fleet) fleet = fleet_new_for (c, &start);
  g_autoptr (GString) expected = g_string_new (NULL);
  for (guint i = 0; arguments[i] != NULL; i++)
    g_string_append_printf (expected, "[%s]", arguments[i]);
  if (fleet != NULL && fleet_get (fleet, 1))
    expect_saying (fleet, "arguments", expected->str);
}

void
provision_puts_names_in (Case *c)
{
  const char *const arguments[] = { "{machine}", "--name={machine}@{cluster}!{machine}",
                                    "{cluster}", NULL };
  const FleetStart start = { .body = BODY_ARGUMENTS, .arguments = arguments };
  g_autoptr (Fleet) fleet = fleet_new_for (c, &start);
  if (fleet == NULL || !fleet_get (fleet, 1))
    return;
  const char *name = fleet_granted (fleet, 0)->name;
  const char *cluster = fleet_granted (fleet, 0)->cluster;
  g_autofree char *expected =
      g_strdup_printf ("[%s][--name=%s@%s!%s][%s]", name, name, cluster, name, cluster);
  expect_saying (fleet, "arguments", expected);
}

void
provision_adds_variables (Case *c)
{
  const char *const variables[] = { VARIABLE "=it's $1 = 2 words", NULL };
  const FleetStart start = {
    .body = "say variable \"$" VARIABLE "\"; say path \"${PATH:+there}\"; " BODY_STAYS,
    .variables = variables,
  };
  g_autoptr (Fleet) fleet = fleet_new_for (c, &start);
  if (fleet == NULL || !fleet_get (fleet, 1))
    return;
  expect_saying (fleet, "variable", "it's $1 = 2 words");
  expect_saying (fleet, "path", "there");
}

/* Checks that the machine can run the program. The program is a file in the case's folder on this
 * host, and may be in another folder on the machine. */
void
provision_brings_the_program (Case *c)
{
  const char *const arguments[] = { "{program}", "--at={program}", NULL };
  FleetStart start = {
    .body =
        "\"$1\" || exit 1; say program \"$($1)\"; [ \"--at=$1\" = \"$2\" ] && say at; " BODY_STAYS,
    .arguments = arguments,
  };
  g_autoptr (Fleet) fleet = fleet_new_empty (c);
  g_autoptr (GError) error = NULL;
  if (fleet == NULL)
    return;
  g_autofree char *program = g_build_filename (fleet->folder, "program", NULL);
  gboolean is_made = g_file_set_contents (program, "#!/bin/sh\necho brought along\n", -1, &error)
                     && g_chmod (program, 0700) == 0;
  if (!CASE_EXPECT (c, is_made, "cannot make %s", program))
    return;
  start.program = program;
  if (!CASE_EXPECT (c, fleet_open (fleet, fleet->loop, &start, &error), "open failed: %s",
                    error != NULL ? error->message : "without an error")
      || !fleet_get (fleet, 1))
    return;
  expect_saying (fleet, "program", "brought along");
  expect_saying (fleet, "at", "");
}

void
provision_copies_the_start (Case *c)
{
  const char *const arguments[] = { "kept", NULL };
  const FleetStart start = { .body = BODY_ARGUMENTS, .arguments = arguments, .is_wiped = TRUE };
  g_autoptr (Fleet) fleet = fleet_new_for (c, &start);
  if (fleet != NULL && fleet_get (fleet, 1))
    expect_saying (fleet, "arguments", "[kept]");
}

void
provision_hands_over_the_secret (Case *c)
{
  const FleetStart start = {
    .body = "say secret \"$(cat <&3; echo .)\"; " BODY_STAYS,
    .secret = SECRET,
  };
  g_autoptr (Fleet) fleet = fleet_new_for (c, &start);
  if (fleet != NULL && fleet_get (fleet, 2))
    for (guint i = 0; i < fleet->granted->len; i++)
      {
        const char *name = fleet_granted (fleet, i)->name;
        const char *text = fleet_hear (fleet, "secret", name);
        CASE_EXPECT (c, g_strcmp0 (text, SECRET ".") == 0,
                     "%s reads \"%s\" at descriptor 3, not the secret", name,
                     text != NULL ? text : "");
      }
}

/* Checks that the secret is not in the environment or the arguments of the command, where other
 * processes could see it. */
void
provision_hides_the_secret (Case *c)
{
  const FleetStart start = {
    .body = "say seen \"$(cat /proc/$$/environ /proc/$$/cmdline | tr '\\0' '\\n' | grep -c "
            "'secret-of-con[f]ormance')\"; " BODY_STAYS,
    .secret = SECRET,
  };
  g_autoptr (Fleet) fleet = fleet_new_for (c, &start);
  if (fleet != NULL && fleet_get (fleet, 1))
    expect_saying (fleet, "seen", "0");
}

void
provision_has_no_secret (Case *c)
{
  const FleetStart start = {
    .body = "if ( : <&3 ) 2>/dev/null; then say read \"$(timeout 2 cat <&3 | wc -c)\"; "
            "else say read closed; fi; " BODY_STAYS,
  };
  g_autoptr (Fleet) fleet = fleet_new_for (c, &start);
  if (fleet != NULL && fleet_get (fleet, 1))
    expect_saying (fleet, "read", "0");
}
