/* copy-place.c - one end of a copy: a storage, and a file in it or all of them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "copy-place.h"

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

static gboolean
has_param (const SatinPluginDesc *desc, const char *key)
{
  for (const SatinParam *param = desc->params; param != NULL && param->key != NULL; param++)
    if (g_str_equal (param->key, key))
      return TRUE;
  return FALSE;
}

gboolean
copy_place_open (CopyPlace *self, const char *params, gboolean may_make, GError **error)
{
  static const SatinParam no_params[] = { { NULL, SATIN_PARAM_STRING, NULL, NULL } };
  const SatinPlugin *plugin = satin_plugin_load_for_uri (SATIN_PLUGIN_STORAGE, self->folder, error);
  if (plugin == NULL)
    return FALSE;
  const SatinPluginDesc *desc = satin_plugin_get_desc (plugin);
  gboolean is_making = may_make || !has_param (desc, "make");
  g_autofree char *text = g_strconcat (is_making ? "" : "make=no",
                                       !is_making && params != NULL ? "," : "", params, NULL);
  g_autoptr (SatinParams) parsed =
      satin_params_parse_text (desc->params != NULL ? desc->params : no_params, text, error);
  if (parsed == NULL)
    {
      g_prefix_error (error, "storage-%s: ", desc->name);
      return FALSE;
    }
  satin_plugin_copy_ops (plugin, &self->ops, sizeof self->ops);
  self->storage = self->ops.open (self->folder, parsed, error);
  return self->storage != NULL;
}

void
copy_place_clear (CopyPlace *self)
{
  if (self->storage != NULL)
    self->ops.close (g_steal_pointer (&self->storage));
  g_clear_pointer (&self->folder, g_free);
  g_clear_pointer (&self->name, g_free);
}

void
copy_place_interrupt (CopyPlace *self)
{
  self->ops.interrupt (self->storage);
}

gboolean
copy_place_can (CopyPlace *self, SatinStorageCan can)
{
  return (self->ops.can (self->storage) & can) != 0;
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
  if (!self->ops.list (self->storage, add_file, files, error))
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
