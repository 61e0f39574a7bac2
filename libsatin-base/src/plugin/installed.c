/* installed.c - finds the files of this installation from the place of libsatin-base.so
 *
 * The dynamic linker says which file this code is in. Symbolic links are resolved, because a link
 * to the library may be anywhere: in /lib, which is a link to /usr/lib, or in a folder of plugins.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char *
satin_installed_find_prefix (const char *library, const char *library_folder)
{
  if (library == NULL)
    return NULL;
  g_autofree char *folder = g_path_get_dirname (library);
  g_autofree char *ending = g_strconcat ("/", library_folder, NULL);
  if (!g_str_has_suffix (folder, ending))
    return NULL;
  return g_strndup (folder, strlen (folder) - strlen (ending));
}

char *
satin_installed_move (const char *path, const char *old_prefix, const char *new_prefix)
{
  gsize n_old = strlen (old_prefix);
  if (new_prefix == NULL || strncmp (path, old_prefix, n_old) != 0 || path[n_old] != '/')
    return g_strdup (path);
  return g_strconcat (new_prefix, path + n_old, NULL);
}

static pthread_once_t prefix_once = PTHREAD_ONCE_INIT;
static char *prefix; /* (nullable): of this installation; lives as long as the process */

static void
find_prefix (void)
{
  Dl_info info = { 0 };
  char *library = dladdr (&prefix_once, &info) != 0 ? realpath (info.dli_fname, NULL) : NULL;
  prefix = satin_installed_find_prefix (library, SATIN_LIBRARY_FOLDER);
  free (library);
}

char *
satin_installed_path (const char *path)
{
  g_return_val_if_fail (path != NULL, NULL);

  pthread_once (&prefix_once, find_prefix);
  return satin_installed_move (path, SATIN_PREFIX, prefix);
}
