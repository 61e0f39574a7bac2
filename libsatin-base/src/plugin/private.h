/* private.h - the pieces of the plugin host: search, reading, list
 *
 * installed.c knows where the installation is, search.c knows folders and file names, read.c opens
 * one file and checks it, plugin.c keeps what is open, use.c reads a plugin's operations and
 * parameters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/plugin.h>

/* A plugin that is open. */
struct _SatinPlugin
{
  char *path; /* (owned) */
  SatinPluginDesc desc;
};

/* Whether @text has at least one character, and only letters, digits and dashes. */
gboolean satin_plugin_is_name (const char *text);

/* Parses ".../KIND-NAME.so". @ret_name: (out) (transfer full). Returns: the kind; 0 when the file
 * has no such name */
SatinPluginKind satin_plugin_parse_path (const char *path, char **ret_name);

/* Returns: (transfer full): the folders that are searched, separated by colons */
char *satin_plugin_get_search_path (void);

/* Returns: (transfer full) (nullable): the path of the plugin's file, the first one in the search
 * path */
char *satin_plugin_find_file (SatinPluginKind kind, const char *name);

/* Returns: (transfer full) (element-type utf8): all files with the name of a plugin, in the order
 * of the search path; of several files with the same name only the first */
GPtrArray *satin_plugin_find_all_files (void);

/* Returns: (transfer full) (nullable): the prefix below which @library is in the folder
 * @library_folder; %NULL when @library is %NULL or is not in such a folder.
 * @library: (nullable): absolute path of a library, without symbolic links
 * @library_folder: the folder of libraries, relative to the prefix: "lib/x86_64-linux-gnu" */
char *satin_installed_find_prefix (const char *library, const char *library_folder);

/* Returns: (transfer full): @path, with @new_prefix in place of @old_prefix if @path is below
 * @old_prefix. @new_prefix: (nullable): with %NULL, @path stays as it is */
char *satin_installed_move (const char *path, const char *old_prefix, const char *new_prefix);

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
