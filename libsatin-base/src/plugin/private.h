/* private.h - the pieces of the plugin host: search, reading, list
 *
 * search.c knows folders and file names, read.c opens one file
 * and checks it, plugin.c keeps what is open.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/plugin.h>

/* One open plugin. */
struct _SatinPlugin
{
  char *path; /* (owned) */
  SatinPluginDesc desc;
};

/* Letters, digits and dashes, at least one. */
gboolean satin_plugin_is_name (const char *text);

/* Reads ".../KIND-NAME.so". Returns: the kind and, in @ret_name, (transfer full) the name; 0 when
 * the file is not named like that */
SatinPluginKind satin_plugin_parse_path (const char *path, char **ret_name);

/* The folders looked in, with colons between; (transfer full). */
char *satin_plugin_get_search_path (void);

/* The first file of that name in the search path; (transfer full) (nullable). */
char *satin_plugin_find_file (const char *file_name);

/* All files named like plugins, by order of the search path; of those of the same name the first.
 * (transfer full) (element-type utf8). */
GPtrArray *satin_plugin_find_all_files (void);

/**
 * satin_plugin_read:
 * @path: absolute
 * @error: as for satin_plugin_load()
 *
 * Opens and checks one file. The file stays open for ever.
 *
 * Returns: (transfer full): free with satin_plugin_drop(), or %NULL with @error set
 */
SatinPlugin *satin_plugin_read (const char *path, GError **error);

/* Frees the memory; the file stays open. */
void satin_plugin_drop (SatinPlugin *self);
