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
    "not ended is shown as far as it is. With two runs, the page of the first also has a table "
    "that\n"
    "compares the two.\n"
    "\n"
    "Examples:\n"
    "  satin report                       the latest run, into report.html\n"
    "  satin report -o fib.html fib       the latest run of fib\n"
    "  satin report fib 2026-11-23        that run, compared with one of that day";

/* Returns: (transfer full): the data of one run */
static JsonNode *
read_run (const char *run, GError **error)
{
  g_autofree char *damage = NULL;
  g_autofree char *path = journal_find (run, error);
  JsonNode *root = path != NULL ? thin_journal (path, MAX_SUMMARIES, &damage, error) : NULL;
  if (damage != NULL)
    g_printerr ("satin: %s; the report ends there\n", damage);
  return root;
}

/* @run, @other: (nullable): %NULL for the latest run, and for no other */
static gboolean
write_report (const char *run, const char *other, const char *out, GError **error)
{
  g_autoptr (JsonNode) root = read_run (run, error);
  JsonNode *second = root != NULL && other != NULL ? read_run (other, error) : NULL;
  if (root == NULL || (other != NULL && second == NULL))
    return FALSE;
  if (second != NULL)
    json_object_set_member (json_node_get_object (root), "other", second);
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
    .usage = "[RUN [OTHER-RUN]]",
    .summary = "Shows a run as a web page.",
    .details = details,
    .options = entries,
    .n_words_max = 2,
    .may_mix = TRUE,
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
