/* apps.c - `satin apps`: lists the applications that `satin run` finds by name
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "programs.h"

static const GOptionEntry options[] = { G_OPTION_ENTRY_NULL };

gboolean
command_apps (int argc, char **argv, int *ret_status, GError **error)
{
  g_autofree char *installed = satin_installed_path (SATIN_APP_DIR);
  g_autofree char *details = g_strdup_printf (
      "They lie in the folders of SATIN_APP_PATH (colon between them), in the folders right\n"
      "in those, and in %s.\n"
      "\n"
      "Example:\n"
      "  SATIN_APP_PATH=~/programs satin apps",
      installed);
  const CommandSyntax syntax = {
    .name = "apps",
    .summary = "Lists the applications that satin run and satin node find by name.",
    .details = details,
    .options = options,
  };
  g_autoptr (GPtrArray) programs = NULL;

  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  programs = program_list ();
  for (guint i = 0; i < programs->len; i++)
    {
      const char *path = g_ptr_array_index (programs, i);
      g_autofree char *name = g_path_get_basename (path);
      g_print ("%-16s %s\n", name, path);
    }
  if (programs->len == 0)
    g_printerr ("satin: no applications in SATIN_APP_PATH or %s; a program can still be started by "
                "its path\n",
                installed);
  *ret_status = 0;
  return TRUE;
}
