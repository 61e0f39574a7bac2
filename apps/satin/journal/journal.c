/* journal.c - `satin journal`: lists the journals of runs, prints one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "folders.h"
#include "print.h"

#include <string.h>

static const char details[] =
    "satin run writes a journal of each run: which nodes it had, their states and figures second\n"
    "by second, what went wrong. Journals are kept in $XDG_STATE_HOME/satin/runs, or\n"
    "~/.local/state/satin/runs. The oldest are removed when there are more than 500, or\n"
    "when all have more than a gigabyte.\n"
    "\n"
    "  list         the runs that have a journal, with their arguments, the oldest first\n"
    "  cat [RUN]    the events of a run, one a line\n"
    "\n"
    "RUN is one of: a name that list prints; the beginning of one (2026-11-23); the beginning of\n"
    "its program part (fib); a file or folder; latest. If several names fit, the newest counts.\n"
    "Without RUN it is the latest run. A journal is an Avro object container file, which programs\n"
    "in many languages read.\n"
    "\n"
    "Examples:\n"
    "  satin journal list\n"
    "  satin journal cat\n"
    "  satin journal cat --json fib\n"
    "  satin journal cat --csv 2026-11-23T18-40-12-fib > fib.csv";

typedef struct
{
  gboolean is_json;
  gboolean is_csv;
} Options;

/* Returns: (transfer full): the program and its arguments, from the first event of a journal */
static char *
read_program (const char *path)
{
  SatinJournalEvent event;
  g_autoptr (SatinJournalReader) reader = satin_journal_reader_new (path, NULL);
  if (reader == NULL || !satin_journal_reader_next (reader, &event)
      || !g_str_equal (event.kind, SATIN_JOURNAL_RUN))
    return g_strdup ("(cannot be read)");
  return g_strdup (event.text);
}

static void
list (void)
{
  g_autofree char *base = journal_folders_base ();
  g_autoptr (GPtrArray) names = journal_folders_list ();
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *path = g_build_filename (base, name, JOURNAL_FILE, NULL);
      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        continue;
      g_autofree char *program = read_program (path);
      g_print ("%s  %s\n", name, program);
    }
}

/* Prints the events of a journal. Prints a damaged journal up to the damage, and then fails. */
static gboolean
cat (const char *run, JournalForm form, GError **error)
{
  g_autofree char *path = journal_find (run, error);
  g_autoptr (SatinJournalReader) reader =
      path != NULL ? satin_journal_reader_new (path, error) : NULL;
  if (reader == NULL)
    return FALSE;
  g_autoptr (GString) out = g_string_new (journal_print_head (form));
  SatinJournalEvent event;
  while (satin_journal_reader_next (reader, &event))
    {
      journal_print (&event, form, out);
      g_print ("%s", out->str);
      g_string_truncate (out, 0);
    }
  g_print ("%s", out->str);
  const char *damage = satin_journal_reader_get_damage (reader);
  if (damage != NULL)
    g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT, damage);
  return damage == NULL;
}

gboolean
command_journal (int argc, char **argv, int *ret_status, GError **error)
{
  Options options = { FALSE, FALSE };
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.is_json, "Print JSON, one object a line", NULL },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &options.is_csv, "Print CSV, one value a line", NULL },
    G_OPTION_ENTRY_NULL
  };
  const CommandSyntax syntax = {
    .name = "journal",
    .usage = "list|cat [RUN]",
    .summary = "Lists the journals of runs, and prints one.",
    .details = details,
    .options = entries,
    .n_words_min = 1,
    .n_words_max = 2,
  };
  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  if (options.is_json && options.is_csv)
    return command_refuse (error, "journal", "choose one of --json and --csv");
  if (g_str_equal (argv[1], "list") && (options.is_json || options.is_csv))
    return command_refuse (error, "journal", "%s is for cat: list prints a line for each run",
                           options.is_json ? "--json" : "--csv");
  *ret_status = 0;
  if (g_str_equal (argv[1], "list") && argc == 2)
    list ();
  else if (g_str_equal (argv[1], "cat"))
    return cat (argc > 2 ? argv[2] : NULL,
                options.is_json  ? JOURNAL_JSON
                : options.is_csv ? JOURNAL_CSV
                                 : JOURNAL_TEXT,
                error);
  else
    return command_refuse (error, "journal", "there is no \"%s\" for journals", argv[1]);
  return TRUE;
}
