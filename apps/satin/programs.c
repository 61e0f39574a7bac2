/* programs.c - finds the programs that `satin` runs by name
 *
 * A build tree has its applications in apps/NAME/NAME, an installation has them in one folder. So
 * the search covers each folder and the folders directly below it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "programs.h"

#include <string.h>
#include <unistd.h>

/* A shared object in a folder of applications is executable, but not a program: mine.so, or a link
 * to libsatin-core.so.0. */
static gboolean
is_shared_object (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return g_str_has_suffix (name, ".so") || strstr (name, ".so.") != NULL;
}

static gboolean
is_program (const char *path)
{
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) && access (path, X_OK) == 0
         && !is_shared_object (path);
}

static char **
list_folders (void)
{
  const char *path = g_getenv ("SATIN_APP_PATH");
  g_autofree char *installed = satin_installed_path (SATIN_APP_DIR);
  g_autofree char *all = g_strjoin (":", path != NULL ? path : "", installed, NULL);

  return g_strsplit (all, ":", -1);
}

static char *
find_in_folder (const char *folder, const char *name)
{
  g_autofree char *direct = g_build_filename (folder, name, NULL);
  g_autofree char *below = g_build_filename (folder, name, name, NULL);
  g_autoptr (GDir) dir = NULL;
  const char *entry;

  if (is_program (direct))
    return g_steal_pointer (&direct);
  if (is_program (below))
    return g_steal_pointer (&below);
  dir = g_dir_open (folder, 0, NULL);
  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, entry, name, NULL);
      if (is_program (path))
        return g_steal_pointer (&path);
    }
  return NULL;
}

static char *
check_path (const char *path, GError **error)
{
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                   "there is no program at %s; satin apps lists those that have a name", path);
      return NULL;
    }
  if (!is_program (path))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s is not an executable program; build it, or allow it with chmod +x", path);
      return NULL;
    }
  return g_strdup (path);
}

char *
program_find (const char *name, GError **error)
{
  g_auto (GStrv) folders = list_folders ();
  g_autofree char *looked = NULL;
  char *found;

  if (strchr (name, '/') != NULL)
    return check_path (name, error);
  for (char **folder = folders; *folder != NULL; folder++)
    if (**folder != '\0' && (found = find_in_folder (*folder, name)) != NULL)
      return found;
  found = g_find_program_in_path (name);
  if (found != NULL)
    return found;
  looked = g_strjoinv (", ", folders);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
               "there is no program \"%s\" in %s or in PATH; name its path (./%s), or put its "
               "folder into SATIN_APP_PATH; satin apps lists what there is",
               name, g_str_has_prefix (looked, ", ") ? looked + 2 : looked, name);
  return NULL;
}

/* Adds the programs in @folder and in @depth levels of folders below it. Leaves out `satin` itself,
 * and each program whose name is in @paths already. */
static void
add_folder (GHashTable *paths, const char *folder, guint depth)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *entry;

  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, entry, NULL);
      if (is_program (path) && !g_hash_table_contains (paths, entry)
          && !g_str_equal (entry, "satin"))
        g_hash_table_insert (paths, g_strdup (entry), g_strdup (path));
      else if (depth > 0 && g_file_test (path, G_FILE_TEST_IS_DIR))
        add_folder (paths, path, depth - 1);
    }
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const char *left = strrchr (*(const char *const *)a, '/');
  const char *right = strrchr (*(const char *const *)b, '/');

  return strcmp (left, right);
}

GPtrArray *
program_list (void)
{
  g_auto (GStrv) folders = list_folders ();
  g_autoptr (GHashTable) paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer path;

  for (char **folder = folders; *folder != NULL; folder++)
    if (**folder != '\0')
      add_folder (paths, *folder, 1);
  g_hash_table_iter_init (&iter, paths);
  while (g_hash_table_iter_next (&iter, NULL, &path))
    g_ptr_array_add (list, path);
  g_ptr_array_sort (list, compare_names);
  return list;
}
