/* parts.c - the option --with: parts that a node loads
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "parts.h"
#include "command.h"

#include <string.h>

gboolean
parts_option_is (const char *text, const char *name)
{
  return g_str_has_prefix (text, name) && strchr (":", text[strlen (name)]) != NULL;
}

static gboolean
check (const char *part, const char *command, gboolean has_no_recovery, GError **error)
{
  if (satin_plugin_load_spec (SATIN_PLUGIN_PART, part, NULL, error) == NULL)
    return FALSE;
  if (has_no_recovery && parts_option_is (part, "ft"))
    return command_refuse (error, command, "choose one of --no-recovery and --with %s", part);
  return TRUE;
}

char **
parts_option_split (char **words, const char *command, gboolean has_no_recovery, GError **error)
{
  g_autoptr (GStrvBuilder) parts = g_strv_builder_new ();
  for (char **word = words; word != NULL && *word != NULL; word++)
    {
      g_auto (GStrv) names =
          strchr (*word, ':') != NULL ? satin_params_split (*word) : g_strsplit (*word, ",", -1);
      for (char **name = names; *name != NULL; name++)
        {
          if (!check (*name, command, has_no_recovery, error))
            return NULL;
          g_strv_builder_add (parts, *name);
        }
    }
  return g_strv_builder_end (parts);
}
