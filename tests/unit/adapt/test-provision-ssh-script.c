/* test-provision-ssh-script.c - tests the orders to the warden on a host, and its answers
 *
 * Scripts for a shell are given to a real shell.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "script.h"

#include <glib/gstdio.h>
#include <string.h>

/* ---- the first line to the warden ---- */

/* Returns: (transfer full): what the shell prints */
static char *
run_shell (const char *script, const char *first, const char *second, int *ret_status)
{
  const char *arguments[] = { "/bin/sh", "-c", script, "sh", first, second, NULL };
  char *output = NULL;
  g_assert_true (g_spawn_sync (NULL, (char **)arguments, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output,
                               NULL, ret_status, NULL));
  return output;
}

/* Returns: (transfer full): the script that the base64 text @line stands for */
static char *
decode (const char *line)
{
  gsize n_bytes;
  g_autofree guchar *bytes = g_base64_decode (line, &n_bytes);
  return g_strndup ((const char *)bytes, n_bytes);
}

static char *
begin (void)
{
  const char *const remains[] = { "/tmp/it's", "/tmp/b c", NULL };
  const ScriptPlace place = {
    .nonce = "n1",
    .parent = "/p q/$x",
    .limit_s = 7,
    .patience_s = 8,
    .size_bytes = G_GUINT64_CONSTANT (1) << 40,
    .digest = "d1",
    .remains = remains,
  };
  return script_begin (&place);
}

static void
test_the_beginning_is_one_line (void)
{
  g_autofree char *line = begin ();
  g_assert_cmpuint (strcspn (line, "\n"), ==, strlen (line) - 1);
}

static void
test_the_warden_gets_its_variables (void)
{
  g_autofree char *line = begin ();
  g_autofree char *script = decode (line);
  char *warden = strstr (script, warden_text);
  g_assert_nonnull (warden);
  *warden = '\0';
  g_autofree char *show = g_strconcat (script,
                                       "printf '<%s>' \"$nonce\" \"$parent\" \"$limit_s\" "
                                       "\"$patience_s\" \"$size\" \"$digest\" \"$@\"",
                                       NULL);
  int status;
  g_autofree char *output = run_shell (show, "old", "older", &status);
  g_assert_cmpstr (output, ==, "<n1></p q/$x><7><8><1099511627776><d1></tmp/it's></tmp/b c>");
}

static void
test_the_warden_is_a_script (void)
{
  const char *arguments[] = { "/bin/sh", "-n", "-c", warden_text, NULL };
  g_autofree char *complaint = NULL;
  int status;
  g_assert_true (g_spawn_sync (NULL, (char **)arguments, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL,
                               &complaint, &status, NULL));
  g_assert_cmpstr (complaint, ==, "");
  g_assert_cmpint (status, ==, 0);
}

/* ---- starting a command ---- */

/* Runs the script of a start order. @ret_said: (transfer full): what the script tells the warden.
 * Returns: (transfer full): what the command printed */
static char *
run_command (const ScriptCommand *command, char **ret_said)
{
  g_autofree char *folder = g_dir_make_tmp ("satin-script-XXXXXX", NULL);
  g_autofree char *at = g_build_filename (folder, "5", NULL);
  g_autofree char *errors = g_strconcat (at, ".err", NULL);
  g_autofree char *prints = g_build_filename (folder, "it's $prints", NULL);
  ScriptCommand whole = *command;
  whole.output = prints;
  g_autofree char *order = script_start (&whole);
  g_auto (GStrv) words = g_strsplit (order, " ", -1);
  g_autofree char *script = decode (words[3]);
  char *text = NULL;
  int status;
  *ret_said = run_shell (script, at, "0027", &status);
  g_assert_cmpint (status, ==, 0);
  g_assert_true (g_file_get_contents (prints, &text, NULL, NULL));
  g_unlink (prints);
  g_unlink (errors);
  g_rmdir (folder);
  return text;
}

static void
test_arguments_arrive_as_they_were (void)
{
  const char *const arguments[] = { "printf",         "<%s>", "",  "it's",
                                    "$HOME `x` \"\\", "a\nb", "*", NULL };
  const ScriptCommand command = { .number = 5, .arguments = arguments };
  g_autofree char *said = NULL;
  g_autofree char *output = run_command (&command, &said);
  g_assert_cmpstr (output, ==, "<><it's><$HOME `x` \"\\><a\nb><*>");
}

static void
test_variables_are_added (void)
{
  const char *const arguments[] = { "sh", "-c", "printf '%s|%s' \"$A\" \"${PATH:+there}\"", NULL };
  const char *const variables[] = { "A=it's $1 = 2\n", NULL };
  const ScriptCommand command = { .number = 5, .arguments = arguments, .variables = variables };
  g_autofree char *said = NULL;
  g_autofree char *output = run_command (&command, &said);
  g_assert_cmpstr (output, ==, "it's $1 = 2\n|there");
}

static void
test_the_command_has_the_pid_that_is_told (void)
{
  const char *const arguments[] = { "sh", "-c", "printf 'runs 5 %s\\n' $$", NULL };
  const ScriptCommand command = { .number = 5, .arguments = arguments };
  g_autofree char *said = NULL;
  g_autofree char *output = run_command (&command, &said);
  g_assert_cmpstr (output, ==, said);
}

static void
test_the_command_has_the_users_umask_and_a_mark (void)
{
  const char *const arguments[] = { "sh", "-c", "umask; echo ${SATIN_SSH_MACHINE##*/5}", NULL };
  const ScriptCommand command = { .number = 5, .arguments = arguments };
  g_autofree char *said = NULL;
  g_autofree char *output = run_command (&command, &said);
  g_assert_cmpstr (output, ==, "0027\n/\n");
}

static void
test_an_order_is_one_line_with_the_secret (void)
{
  const char *const arguments[] = { "a\nb", NULL };
  g_autoptr (GBytes) secret = g_bytes_new_static ("s\0e\n", 4);
  const ScriptCommand command = {
    .number = 5, .arguments = arguments, .output = "", .secret = secret
  };
  g_autofree char *order = script_start (&command);
  g_assert_true (g_str_has_prefix (order, "start 5 cwBlCg== "));
  g_assert_cmpuint (strcspn (order, "\n"), ==, strlen (order) - 1);
}

static void
test_no_secret_and_an_empty_one_are_the_same (void)
{
  const char *const arguments[] = { "true", NULL };
  g_autoptr (GBytes) empty = g_bytes_new_static ("", 0);
  const ScriptCommand without = { .number = 5, .arguments = arguments, .output = "" };
  const ScriptCommand with = { .number = 5, .arguments = arguments, .output = "", .secret = empty };
  g_autofree char *one = script_start (&without);
  g_autofree char *other = script_start (&with);
  g_assert_true (g_str_has_prefix (one, "start 5 - "));
  g_assert_cmpstr (one, ==, other);
}

/* ---- answers ---- */

static void
test_answers_are_read (void)
{
  const Answer runs = script_read ("runs 7 4711", "n1");
  const Answer ended = script_read ("ended 18446744073709551615 255 aXQncyAzIG8nY2xvY2sK", "n1");
  const Answer quiet = script_read ("ended 7 0 ", "n1");
  const Answer refused = script_read ("refused 7 the disk is full", "n1");
  g_assert_cmpint (runs.kind, ==, ANSWER_RUNS);
  g_assert_cmpuint (runs.number, ==, 7);
  g_assert_cmpuint (runs.value, ==, 4711);
  g_assert_cmpint (ended.kind, ==, ANSWER_ENDED);
  g_assert_cmpuint (ended.number, ==, G_MAXUINT64);
  g_assert_cmpuint (ended.value, ==, 255);
  g_autofree char *said = script_decode_said (ended.text);
  g_assert_cmpstr (said, ==, "it's 3 o'clock\n");
  g_assert_cmpstr (quiet.text, ==, "");
  g_assert_cmpint (refused.kind, ==, ANSWER_REFUSED);
  g_assert_cmpstr (refused.text, ==, "the disk is full");
  g_assert_cmpint (script_read ("alive", "n1").kind, ==, ANSWER_ALIVE);
  g_assert_cmpint (script_read ("gone", "n1").kind, ==, ANSWER_GONE);
  g_assert_cmpint (script_read ("ready", "n1").kind, ==, ANSWER_READY);
  g_assert_cmpstr (script_read ("failed no way", "n1").text, ==, "no way");
}

static void
test_only_its_own_hello_counts (void)
{
  g_assert_cmpint (script_read ("hello n1", "n1").kind, ==, ANSWER_HELLO);
  g_assert_cmpint (script_read ("hello n12", "n1").kind, ==, ANSWER_NONE);
  g_assert_cmpint (script_read ("hello ", "n1").kind, ==, ANSWER_NONE);
}

/* The folder is removed later, so only names of the right kind are accepted. */
static void
test_only_a_folder_of_its_own_kind_counts (void)
{
  const Answer folder = script_read ("folder /tmp/a b/satin-ssh-x1", "n1");
  g_assert_cmpint (folder.kind, ==, ANSWER_FOLDER);
  g_assert_cmpstr (folder.text, ==, "/tmp/a b/satin-ssh-x1");
  g_assert_cmpint (script_read ("folder /home/ann", "n1").kind, ==, ANSWER_NONE);
  g_assert_cmpint (script_read ("folder /", "n1").kind, ==, ANSWER_NONE);
  g_assert_cmpint (script_read ("folder satin-ssh-x1", "n1").kind, ==, ANSWER_NONE);
  g_assert_cmpint (script_read ("folder /satin-ssh-x1/..", "n1").kind, ==, ANSWER_NONE);
}

static void
test_nonsense_is_no_answer (void)
{
  const char *const lines[] = {
    "",          "runs",       "runs 7",         "runs 7 0",          "runs 7 1", "runs 7 -5",
    "runs x 99", "ended 7",    "ended 7 256 ",   "ended -1 0 ",       "run 7 99", "refused",
    "runs 7 9x", "runs  7 99", "ended 7  0 ok ", "runs 7 2000000000", "Welcome",
  };
  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_test_message ("\"%s\"", lines[i]);
      g_assert_cmpint (script_read (lines[i], "n1").kind, ==, ANSWER_NONE);
    }
}

static void
test_a_shells_status_tells_signals (void)
{
  g_assert_cmpint (script_wait_status (0), ==, 0);
  g_assert_cmpint (script_wait_status (3), ==, 3 << 8);
  g_assert_cmpint (script_wait_status (128), ==, 128 << 8);
  g_assert_cmpint (script_wait_status (137), ==, 9);
  g_assert_cmpint (script_wait_status (255), ==, 255 << 8);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, test) g_test_add_func ("/adapt/ssh-script/" name, test)
  ADD ("the-beginning-is-one-line", test_the_beginning_is_one_line);
  ADD ("the-warden-gets-its-variables", test_the_warden_gets_its_variables);
  ADD ("the-warden-is-a-script", test_the_warden_is_a_script);
  ADD ("arguments-arrive-as-they-were", test_arguments_arrive_as_they_were);
  ADD ("variables-are-added", test_variables_are_added);
  ADD ("the-command-has-the-pid-that-is-told", test_the_command_has_the_pid_that_is_told);
  ADD ("the-command-has-the-users-umask-and-a-mark",
       test_the_command_has_the_users_umask_and_a_mark);
  ADD ("an-order-is-one-line-with-the-secret", test_an_order_is_one_line_with_the_secret);
  ADD ("no-secret-and-an-empty-one-are-the-same", test_no_secret_and_an_empty_one_are_the_same);
  ADD ("answers-are-read", test_answers_are_read);
  ADD ("only-its-own-hello-counts", test_only_its_own_hello_counts);
  ADD ("only-a-folder-of-its-own-kind-counts", test_only_a_folder_of_its_own_kind_counts);
  ADD ("nonsense-is-no-answer", test_nonsense_is_no_answer);
  ADD ("a-shells-status-tells-signals", test_a_shells_status_tells_signals);
  return g_test_run ();
}
