/* search.c - finds the files of plugins
 *
 * It searches the folders of SATIN_PLUGIN_PATH, then the folder of this installation. In each of
 * these folders it takes the files at the top, then the files up to two levels below, because a
 * build tree has a folder for each kind and in it a folder for each plugin. For one plugin it looks
 * there first.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>
#include <unistd.h>
#include <glib/gstdio.h>

#define SUFFIX ".so"
/* Levels below a folder of the search path. */
#define SEARCHED_LEVELS 2

static const char *const kind_names[SATIN_PLUGIN_N_KINDS] = {
  [SATIN_PLUGIN_TRANSPORT] = "transport", [SATIN_PLUGIN_REGISTRY] = "registry",
  [SATIN_PLUGIN_STORAGE] = "storage",     [SATIN_PLUGIN_POLICY] = "policy",
  [SATIN_PLUGIN_PROVISION] = "provision", [SATIN_PLUGIN_PART] = "part",
  [SATIN_PLUGIN_WORLD] = "world",         [SATIN_PLUGIN_ADAPTATION] = "adaptation",
  [SATIN_PLUGIN_FILTER] = "filter",       [SATIN_PLUGIN_LAUNCHER] = "launcher",
};

const char *
satin_plugin_kind_name (SatinPluginKind kind)
{
  g_return_val_if_fail (kind > 0 && kind < SATIN_PLUGIN_N_KINDS, NULL);

  return kind_names[kind];
}

gboolean
satin_plugin_is_name (const char *text)
{
  gsize i;

  for (i = 0; g_ascii_isalnum (text[i]) || text[i] == '-'; i++)
    ;
  return i > 0 && text[i] == '\0';
}

SatinPluginKind
satin_plugin_parse_path (const char *path, char **ret_name)
{
  g_autofree char *base = g_path_get_basename (path);

  if (!g_str_has_suffix (base, SUFFIX))
    return 0;
  base[strlen (base) - strlen (SUFFIX)] = '\0';
  for (SatinPluginKind kind = 1; kind < SATIN_PLUGIN_N_KINDS; kind++)
    {
      gsize n_kind = strlen (kind_names[kind]);

      if (strncmp (base, kind_names[kind], n_kind) == 0 && base[n_kind] == '-'
          && satin_plugin_is_name (base + n_kind + 1))
        {
          *ret_name = g_strdup (base + n_kind + 1);
          return kind;
        }
    }
  return 0;
}

char *
satin_plugin_get_search_path (void)
{
  const char *path = g_getenv ("SATIN_PLUGIN_PATH");
  g_autofree char *installed = satin_installed_path (SATIN_PLUGIN_DIR);

  if (path == NULL || *path == '\0')
    return g_steal_pointer (&installed);
  return g_strconcat (path, ":", installed, NULL);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* Lists a folder, sorted, so that nothing depends on the file system. The list is empty when the
 * folder cannot be read. */
static GPtrArray *
list_folder (const char *folder)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_names);
  return paths;
}

/* Adds the plugins of @folder to @files, then those of its subfolders, @n_levels deep. */
static void
collect (const char *folder, guint n_levels, GHashTable *seen, GPtrArray *files)
{
  g_autoptr (GPtrArray) paths = list_folder (folder);
  g_autoptr (GPtrArray) others = g_ptr_array_new ();

  for (guint i = 0; i < paths->len; i++)
    {
      g_autofree char *name = NULL;
      char *path = paths->pdata[i];

      if (satin_plugin_parse_path (path, &name) == 0)
        g_ptr_array_add (others, path);
      else if (g_hash_table_add (seen, g_path_get_basename (path)))
        g_ptr_array_add (files, g_strdup (path));
    }
  for (guint i = 0; n_levels > 0 && i < others->len; i++)
    collect (others->pdata[i], n_levels - 1, seen, files);
}

GPtrArray *
satin_plugin_find_all_files (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *search_path = satin_plugin_get_search_path ();
  g_auto (GStrv) folders = g_strsplit (search_path, ":", -1);
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; folders[i] != NULL; i++)
    if (*folders[i] != '\0')
      collect (folders[i], SEARCHED_LEVELS, seen, files);
  return files;
}

/* Returns: (transfer full) (nullable): the path of the file, if it is there */
static char *
path_if_there (const char *folder, const char *file_name)
{
  g_autofree char *path = g_build_filename (folder, file_name, NULL);

  return g_access (path, F_OK) == 0 ? g_steal_pointer (&path) : NULL;
}

/* Like collect(), for one file. Returns: (transfer full) (nullable): its path */
static char *
find_below (const char *folder, guint n_levels, const char *file_name)
{
  g_autoptr (GPtrArray) paths = list_folder (folder);
  char *found = NULL;

  for (guint i = 0; found == NULL && i < paths->len; i++)
    {
      found = path_if_there (paths->pdata[i], file_name);
      if (found == NULL && n_levels > 1)
        found = find_below (paths->pdata[i], n_levels - 1, file_name);
    }
  return found;
}

char *
satin_plugin_find_file (SatinPluginKind kind, const char *name)
{
  g_autofree char *file_name =
      g_strdup_printf ("%s-%s" SUFFIX, satin_plugin_kind_name (kind), name);
  g_autofree char *in_build =
      g_build_filename (satin_plugin_kind_name (kind), name, file_name, NULL);
  g_autofree char *search_path = satin_plugin_get_search_path ();
  g_auto (GStrv) folders = g_strsplit (search_path, ":", -1);
  char *found = NULL;

  for (guint i = 0; found == NULL && folders[i] != NULL; i++)
    if (*folders[i] != '\0' && (found = path_if_there (folders[i], file_name)) == NULL
        && (found = path_if_there (folders[i], in_build)) == NULL)
      found = find_below (folders[i], SEARCHED_LEVELS, file_name);
  return found;
}
