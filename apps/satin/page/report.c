/* report.c - `satin report`: a run as one web page
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "document.h"
#include "journal/folders.h"
#include "thin.h"

#include <string.h>

/* About how many summaries a page may have. */
#define MAX_SUMMARIES 40000

static const char details[] =
    "Writes one HTML file, which any browser shows without a server or a network: how far the run\n"
    "came, where the time of its processors went, each node over time, figures and events. RUN is\n"
    "what satin journal list prints, or a path; without RUN it is the latest run. A run that has\n"
    "not ended is shown as far as it is.\n"
    "\n"
    "Examples:\n"
    "  satin report                       the latest run, into report.html\n"
    "  satin report -o fib.html fib       the latest run of fib";

static gboolean
write_report (const char *path, const char *out, GError **error)
{
  g_autofree char *damage = NULL;
  g_autoptr (JsonNode) root = thin_journal (path, MAX_SUMMARIES, &damage, error);
  if (root == NULL)
    return FALSE;
  if (damage != NULL)
    g_printerr ("satin: %s; the report ends there\n", damage);
  g_autofree char *data = json_to_string (root, FALSE);
  g_autofree char *page = document_make (data);
  g_autoptr (GError) refused = NULL;
  if (g_file_set_contents (out, page, -1, &refused))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot write %s: %s", out, refused->message);
  return FALSE;
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
    .usage = "[RUN]",
    .summary = "Shows a run as a web page.",
    .details = details,
    .options = entries,
    .n_words_max = 1,
    .may_mix = TRUE,
  };
  *ret_status = 0;
  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  g_autofree char *path = journal_find (argc > 1 ? argv[1] : NULL, error);
  if (path == NULL || !write_report (path, out != NULL ? out : "report.html", error))
    return FALSE;
  g_print ("%s\n", out != NULL ? out : "report.html");
  return TRUE;
}
