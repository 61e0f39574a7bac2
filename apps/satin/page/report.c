/* report.c - `satin report`: a run as one web page
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "document.h"
#include "history.h"
#include "journal/folders.h"
#include "names.h"

#include <satin/base/file.h>
#include <string.h>

/* About how many points a page may have. */
#define MAX_POINTS 120000

static const char details[] =
    "Writes one HTML file, which any browser shows without a server or a network: how far the run\n"
    "came, where the time of its processors went, each node over time, figures and events. RUN is "
    "a\n"
    "name that satin journal list prints, or a path; without RUN it is the latest run. A run that\n"
    "has not ended is shown up to now. With two runs, the page of the first one also has a table\n"
    "that compares both.\n"
    "\n"
    "Examples:\n"
    "  satin report                       the latest run, into report.html\n"
    "  satin report -o fib.html fib       the latest run of fib\n"
    "  satin report fib 2026-11-23        that run, compared with one of that day";

/* Appends the data of one run as JSON. */
static gboolean
add_run (const char *run, GString *data, GError **error)
{
  g_autofree char *path = journal_find (run, error);
  g_autoptr (PageHistory) history =
      path != NULL ? page_history_new (path, MAX_POINTS, error) : NULL;
  if (history == NULL)
    return FALSE;
  while (page_history_read (history, G_MAXUINT))
    ;
  const char *damage = page_history_get_damage (history);
  page_history_write (history, data);
  if (damage != NULL)
    {
      g_printerr ("satin: %s; the report ends there\n", damage);
      g_string_append (data, ",\"damage\":");
      page_names_write_string (damage, data);
    }
  g_string_append_c (data, '}');
  return TRUE;
}

/* @run: (nullable): %NULL for the latest run. @other: (nullable): the run to compare with */
static gboolean
write_report (const char *run, const char *other, const char *out, GError **error)
{
  g_autoptr (GString) data = g_string_new ("{\"run\":");
  if (!add_run (run, data, error))
    return FALSE;
  if (other != NULL)
    g_string_append (data, ",\"other\":");
  if (other != NULL && !add_run (other, data, error))
    return FALSE;
  g_string_append_c (data, '}');
  g_autofree char *page = document_make (data->str);
  return satin_output_file_write (out, "report", page, strlen (page), error);
}

gboolean
command_report (int argc, char **argv, int *ret_status, GError **error)
{
  g_autofree char *out = NULL;
  const GOptionEntry entries[] = { { "output", 'o', 0, G_OPTION_ARG_FILENAME, &out,
                                     "Write there (default: report.html)", "FILE" },
                                   G_OPTION_ENTRY_NULL };
  const CommandSyntax syntax = {
    .name = "report",
    .usage = "[RUN [OTHER-RUN]]",
    .summary = "Shows a run as a web page.",
    .details = details,
    .options = entries,
    .n_words_max = 2,
  };
  *ret_status = 0;
  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  if (!write_report (argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL,
                     out != NULL ? out : "report.html", error))
    return FALSE;
  g_print ("%s\n", out != NULL ? out : "report.html");
  return TRUE;
}
