/* listing.c - parses the list of files that an FTP server sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "listing.h"

#include <string.h>

gboolean
listing_parse_facts (const char *line, guint64 *ret_size_bytes)
{
  const char *end = strchr (line, ' ');
  g_autofree char *facts = g_strndup (line, end != NULL ? (gsize)(end - line) : strlen (line));
  g_auto (GStrv) words = g_strsplit (facts, ";", -1);
  gboolean is_file = FALSE, has_size = FALSE;
  for (guint i = 0; words[i] != NULL; i++)
    if (g_ascii_strcasecmp (words[i], "type=file") == 0)
      is_file = TRUE;
    else if (g_ascii_strncasecmp (words[i], "size=", 5) == 0)
      has_size = g_ascii_string_to_unsigned (words[i] + 5, 10, 0, G_MAXINT64, ret_size_bytes, NULL);
  return is_file && has_size;
}

/* Returns: the name in @path. Some servers send a path instead of a name */
static const char *
last_part (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash != NULL ? slash + 1 : path;
}

void
listing_parse (const char *text, gsize n_bytes, SatinStorageEntryFunc func, gpointer user_data)
{
  g_autofree char *copy = g_strndup (text, n_bytes);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *space = strchr (g_strchomp (lines[i]), ' ');
      guint64 size_bytes = 0;
      if (space == NULL || !listing_parse_facts (lines[i], &size_bytes))
        continue;
      const char *name = last_part (space + 1);
      if (satin_storage_name_is_valid (name))
        func (name, size_bytes, user_data);
    }
}
