/* script.c - makes the shell script of a job
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "script.h"

#include <satin/adapt/leases.h>

#include <string.h>

/* A placeholder in an argument, and the variable of the script that replaces it. */
typedef struct
{
  const char *text;
  const char *variable;
} Placeholder;

static const Placeholder places[] = {
  { "{machine}", "\"$satin_machine\"" },
  { "{cluster}", "\"$SLURM_JOB_PARTITION\"" },
  { "{program}", "\"$satin_program\"" },
  { NULL, NULL },
};

/* The same for the words in front of the command. */
static const Placeholder first_places[] = {
  { "{cluster}", "\"$SLURM_JOB_PARTITION\"" },
  { "{number}", "\"$satin_number\"" },
  { NULL, NULL },
};

/* Returns: the first placeholder in @text, or %NULL. @ret_which: its index */
static const char *
find_place (const char *text, const Placeholder *known, guint *ret_which)
{
  const char *first = NULL;
  for (guint i = 0; known[i].text != NULL; i++)
    {
      const char *found = strstr (text, known[i].text);
      if (found != NULL && (first == NULL || found < first))
        {
          first = found;
          *ret_which = i;
        }
    }
  return first;
}

static void
add_quoted (GString *script, const char *text, gsize n_bytes)
{
  g_autofree char *part = g_strndup (text, n_bytes);
  g_autofree char *quoted = g_shell_quote (part);
  g_string_append (script, quoted);
}

static void
add_argument (GString *script, const char *text, const Placeholder *known)
{
  guint which = 0;
  const char *place;
  g_string_append_c (script, ' ');
  while ((place = find_place (text, known, &which)) != NULL)
    {
      add_quoted (script, text, (gsize)(place - text));
      g_string_append (script, known[which].variable);
      text = place + strlen (known[which].text);
    }
  add_quoted (script, text, strlen (text));
}

static void
add_assignment (GString *script, const char *name, const char *value)
{
  g_autofree char *quoted = g_shell_quote (value);
  g_string_append_printf (script, "%s=%s\n", name, quoted);
}

static void
add_variables (GString *script, const char *const *variables)
{
  for (const char *const *variable = variables; variable != NULL && *variable != NULL; variable++)
    {
      g_string_append (script, "export ");
      add_quoted (script, *variable, strlen (*variable));
      g_string_append_c (script, '\n');
    }
}

static void
add_command (GString *script, const SatinStart *start)
{
  guint n_first;
  g_auto (GStrv) words = satin_start_template (start, &n_first);
  g_string_append (script, "exec");
  for (guint i = 0; words[i] != NULL; i++)
    add_argument (script, words[i], i < n_first ? first_places : places);
  g_string_append_c (script, '\n');
}

/* The jobs of a submission have one script. So it has the numbers of all their machines. */
static void
add_numbers (GString *script, const GArray *numbers)
{
  g_string_append (script, "set --");
  for (guint i = 0; i < numbers->len; i++)
    g_string_append_printf (script, " %" G_GUINT64_FORMAT, g_array_index (numbers, guint64, i));
  g_string_append (script, "\nshift \"${SLURM_ARRAY_TASK_ID:-0}\"\nsatin_number=$1\n");
}

char *
script_make (const SatinStart *start, const ScriptPlace *place)
{
  GString *script = g_string_new ("#!/bin/sh\n");
  add_assignment (script, "satin_folder", place->folder);
  g_string_append_printf (script, "satin_files=%u-${SLURM_ARRAY_TASK_ID:-0}\n", place->serial);
  g_string_append (script,
                   "satin_job=${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}"
                   "${SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}\n"
                   "satin_machine=\"job $satin_job on ${SLURMD_NODENAME:-$SLURM_JOB_NODELIST}\"\n");
  if (place->program != NULL)
    add_assignment (script, "satin_program", place->program);
  if (place->numbers != NULL)
    add_numbers (script, place->numbers);
  if (place->has_complaint)
    g_string_append (script, "exec 2>\"$satin_folder/complaint-$satin_files\" || exit 1\n");
  add_variables (script, start->variables);
  /* The script removes the secret's file. If Slurm starts the job again, the script fails here, so
   * no command runs twice with one secret. */
  if (start->secret != NULL)
    g_string_append (script, "exec 3<\"$satin_folder/secret-$satin_files\" || exit 1\n"
                             "rm -f \"$satin_folder/secret-$satin_files\"\n");
  else
    g_string_append (script, "exec 3</dev/null\n");
  add_command (script, start);
  return g_string_free (script, FALSE);
}

char *
script_machine_name (const char *id, const char *node)
{
  return g_strdup_printf ("job %s on %s", id, node);
}
