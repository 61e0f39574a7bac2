/* trace.c - `satin trace`: a journal as a trace for Perfetto, chrome://tracing or ViTE
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "folders.h"
#include "paje.h"
#include "perfetto.h"

#include <errno.h>

static const char details[] =
    "Writes a file that https://ui.perfetto.dev and chrome://tracing show: each cluster, each "
    "node\n"
    "with its states, how its time was spent, jobs a second, memory, what the user was told, and "
    "what\n"
    "nodes wrote on their standard error. Times are those of the hub, so the clocks of the nodes "
    "need\n"
    "not agree. Figures are known once a second, or less often in a large run. RUN is a name that\n"
    "satin journal list prints, or a path; without RUN it is the latest run. If a run was started\n"
    "with --with details, the trace also shows jobs and requests. For a simulated run,\n"
    "satin sim --trace writes each message and wait.\n"
    "\n"
    "Examples:\n"
    "  satin trace                       the latest run, into run.json\n"
    "  satin trace -o fib.json fib       the latest run of fib\n"
    "  satin trace --paje fib            states and figures for ViTE, into run.paje";

static gboolean
write_trace (const char *path, gboolean is_paje, const char *out, GError **error)
{
  g_autoptr (SatinJournalReader) reader = satin_journal_reader_new (path, error);
  FILE *file = reader != NULL ? fopen (out, "we") : NULL;
  if (file == NULL)
    {
      if (reader != NULL)
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot write %s: %s", out,
                     g_strerror (errno));
      return FALSE;
    }
  if (is_paje)
    paje_write (reader, file);
  else
    perfetto_write (reader, file);
  const char *damage = satin_journal_reader_get_damage (reader);
  if (damage != NULL)
    g_printerr ("satin: %s; the trace ends there\n", damage);
  gboolean is_written = !ferror (file);
  if (fclose (file) == 0 && is_written)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot write %s: %s", out, g_strerror (errno));
  return FALSE;
}

gboolean
command_trace (int argc, char **argv, int *ret_status, GError **error)
{
  g_autofree char *out = NULL;
  gboolean is_paje = FALSE;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &out,
      "Write there (default: run.json, with --paje run.paje)", "FILE" },
    { "paje", 0, 0, G_OPTION_ARG_NONE, &is_paje, "Write the Paje format, which ViTE shows", NULL },
    G_OPTION_ENTRY_NULL
  };
  const CommandSyntax syntax = {
    .name = "trace",
    .usage = "[RUN]",
    .summary = "Writes a run as a trace for Perfetto, chrome://tracing or ViTE.",
    .details = details,
    .options = entries,
    .n_words_max = 1,
  };
  *ret_status = 0;
  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  const char *target = out != NULL ? out : is_paje ? "run.paje" : "run.json";
  g_autofree char *path = journal_find (argc > 1 ? argv[1] : NULL, error);
  if (path == NULL || !write_trace (path, is_paje, target, error))
    return FALSE;
  g_print ("%s\n", target);
  return TRUE;
}
