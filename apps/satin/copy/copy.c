/* copy.c - `satin copy`: copies files from one storage to another
 *
 * Reading and writing block. So one thread reads ahead and another one compares and writes, while
 * the main thread shows the progress.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "screen/background.h"
#include "command.h"
#include "progress.h"

#include <satin/base/atomic.h>
#include <string.h>

static const char details[] =
    "FROM and TO are URIs: file:/path, sftp://user@host/path and others; satin inspect storage\n"
    "lists them with their parameters. One that ends with a slash is a folder, any other a file.\n"
    "From a folder all files are copied, but not its subfolders.\n\n"
    "A file gets its name when it is complete and safe; until then it is NAME.satin-part. If a\n"
    "copy was stopped, the same command continues it. A file that is there already is left alone "
    "if it is\n"
    "the same; if it has other bytes, it is not replaced without --force.\n\n"
    "Examples:\n"
    "  satin copy file:/var/runs/ sftp://backup.example.org/runs/\n"
    "  satin copy sftp://ann@backup.example.org/runs/log file:/tmp/log-of-ann\n"
    "  satin copy --to key=/root/copy-key,known-hosts=/root/hosts file:/data/x sftp://host/~/x";

typedef struct
{
  char *from_params; /* (owned) (nullable) */
  char *to_params;   /* (owned) (nullable) */
  gboolean is_forced;
  gboolean is_quiet;
} CopyOptions;

static gboolean
work (gpointer user_data, GError **error)
{
  return copy_files (user_data, error);
}

static void
interrupt (gpointer user_data)
{
  Copy *copy = user_data;
  SATIN_STORE (&copy->is_stopped, TRUE);
  copy_place_interrupt (&copy->from);
  copy_place_interrupt (&copy->to);
}

static char *
describe (gpointer user_data, gint64 elapsed_us)
{
  return copy_progress_format (user_data, elapsed_us);
}

static gboolean
check_places (const Copy *copy, GError **error)
{
  const char *target = copy->to.name != NULL ? copy->to.name : copy->from.name;
  if (copy->from.name == NULL && copy->to.name != NULL)
    return command_refuse (error, "copy",
                           "a folder cannot be copied to the file %s%s: end it with "
                           "a slash",
                           copy->to.folder, copy->to.name);
  if (g_str_equal (copy->from.folder, copy->to.folder) && g_strcmp0 (copy->from.name, target) == 0)
    return command_refuse (error, "copy", "%s%s cannot be copied to itself", copy->from.folder,
                           copy->from.name != NULL ? copy->from.name : "");
  return TRUE;
}

static gboolean
run (Copy *copy, const CopyOptions *options, char **words, int *ret_status, GError **error)
{
  static const BackgroundFuncs funcs = { work, interrupt, describe };
  copy->is_forced = options->is_forced;
  if (!copy_place_parse (&copy->from, words[0], error)
      || !copy_place_parse (&copy->to, words[1], error) || !check_places (copy, error)
      || !copy_place_open (&copy->from, options->from_params, FALSE, error)
      || !copy_place_open (&copy->to, options->to_params, TRUE, error))
    return FALSE;
  gint64 began_us = g_get_monotonic_time ();
  if (!background_run (&funcs, copy, options->is_quiet, "the same command goes on where it was",
                       ret_status, error))
    return FALSE;
  g_autofree char *summary = copy_progress_summary (copy, g_get_monotonic_time () - began_us);
  if (*ret_status == 0 && !options->is_quiet)
    g_print ("%s\n", summary);
  return TRUE;
}

static gboolean
parse (CopyOptions *self, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = { { "force", 'f', 0, G_OPTION_ARG_NONE, &self->is_forced,
                                     "Replace files that have other bytes", NULL },
                                   { "from", 0, 0, G_OPTION_ARG_FILENAME, &self->from_params,
                                     "Parameters of FROM's storage", "KEY=VALUE,..." },
                                   { "to", 0, 0, G_OPTION_ARG_FILENAME, &self->to_params,
                                     "Parameters of TO's storage", "KEY=VALUE,..." },
                                   { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet,
                                     "Print nothing but errors", NULL },
                                   G_OPTION_ENTRY_NULL };
  const CommandSyntax syntax = {
    .name = "copy",
    .usage = "FROM TO",
    .summary = "Copies files from one storage to another.",
    .details = details,
    .options = entries,
    .n_words_min = 2,
    .n_words_max = 2,
  };
  return command_parse (&syntax, argc, argv, error);
}

gboolean
command_copy (int argc, char **argv, int *ret_status, GError **error)
{
  CopyOptions options = { 0 };
  Copy copy = { 0 };
  gboolean is_right =
      parse (&options, &argc, &argv, error) && run (&copy, &options, argv + 1, ret_status, error);
  copy_place_clear (&copy.from);
  copy_place_clear (&copy.to);
  g_free (options.from_params);
  g_free (options.to_params);
  return is_right;
}
