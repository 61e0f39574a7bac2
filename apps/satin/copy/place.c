/* place.c - the source or the target of a copy: a storage, with one file or with all files in it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "place.h"

#include <string.h>

gboolean
copy_place_parse (CopyPlace *self, const char *uri, GError **error)
{
  const char *colon = strchr (uri, ':');
  const char *slash = strrchr (uri, '/');
  if (colon == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "\"%s\" is no URI: write file:/path, sftp://host/path or what satin inspect "
                   "storage lists",
                   uri);
      return FALSE;
    }
  if (slash == NULL || slash < colon || slash[1] == '\0')
    {
      self->folder = g_strdup (uri);
      return TRUE;
    }
  if (!satin_storage_name_is_valid (slash + 1))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "\"%s\" of %s names no file that a storage may have; a folder ends with a slash",
                   slash + 1, uri);
      return FALSE;
    }
  self->folder = g_strndup (uri, (gsize)(slash + 1 - uri));
  self->name = g_strdup (slash + 1);
  return TRUE;
}

gboolean
copy_place_open (CopyPlace *self, const char *params, gboolean may_make, GError **error)
{
  self->storage = satin_storage_open (self->folder, params, may_make, error);
  return self->storage != NULL;
}

void
copy_place_clear (CopyPlace *self)
{
  g_clear_pointer (&self->storage, satin_storage_close);
  g_clear_pointer (&self->folder, g_free);
  g_clear_pointer (&self->name, g_free);
}

void
copy_place_interrupt (CopyPlace *self)
{
  self->storage->ops.interrupt (self->storage->handle);
}

gboolean
copy_place_can (CopyPlace *self, SatinStorageCan can)
{
  return (self->storage->can & can) != 0;
}

static void
free_file (gpointer file)
{
  g_free (((CopyFile *)file)->name);
  g_free (file);
}

static void
add_file (const char *name, guint64 size_bytes, gpointer user_data)
{
  CopyFile *file = g_new0 (CopyFile, 1);
  file->name = g_strdup (name);
  file->size_bytes = size_bytes;
  g_ptr_array_add (user_data, file);
}

static int
compare_names (gconstpointer left, gconstpointer right)
{
  return strcmp ((*(CopyFile *const *)left)->name, (*(CopyFile *const *)right)->name);
}

GPtrArray *
copy_place_list (CopyPlace *self, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (free_file);
  if (!self->storage->ops.list (self->storage->handle, add_file, files, error))
    return NULL;
  g_ptr_array_sort (files, compare_names);
  return g_steal_pointer (&files);
}

const CopyFile *
copy_file_find (const GPtrArray *files, const char *name)
{
  for (guint i = 0; i < files->len; i++)
    if (g_str_equal (((const CopyFile *)g_ptr_array_index (files, i))->name, name))
      return g_ptr_array_index (files, i);
  return NULL;
}

void
copy_file_forget (GPtrArray *files, const char *name)
{
  const CopyFile *file = copy_file_find (files, name);
  if (file != NULL)
    g_ptr_array_remove (files, (gpointer)file);
}
