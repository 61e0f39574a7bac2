/* script.c - makes the shell script of a job
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "script.h"

#include <string.h>

/* The placeholders in arguments, and the script's variables that replace them. */
static const struct
{
  const char *text;
  const char *variable;
} places[] = {
  { "{machine}", "\"$satin_machine\"" },
  { "{cluster}", "\"$SLURM_JOB_PARTITION\"" },
  { "{program}", "\"$satin_program\"" },
};

/* Returns: the first placeholder in @text, or %NULL. @ret_which: its index */
static const char *
find_place (const char *text, guint *ret_which)
{
  const char *first = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      const char *found = strstr (text, places[i].text);
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
add_argument (GString *script, const char *text)
{
  guint which = 0;
  const char *place;
  g_string_append_c (script, ' ');
  while ((place = find_place (text, &which)) != NULL)
    {
      add_quoted (script, text, (gsize)(place - text));
      g_string_append (script, places[which].variable);
      text = place + strlen (places[which].text);
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
  g_string_append (script, "exec");
  for (const char *const *argument = start->arguments; *argument != NULL; argument++)
    add_argument (script, *argument);
  g_string_append_c (script, '\n');
  return g_string_free (script, FALSE);
}

char *
script_machine_name (const char *id, const char *node)
{
  return g_strdup_printf ("job %s on %s", id, node);
}
