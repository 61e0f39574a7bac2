/* storage-common.c - checks of names, lengths and room, for storages outside this process
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage-common.h"

gboolean
storage_check_name (const char *name, GError **error)
{
  if (satin_storage_name_is_valid (name))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "\"%s\" cannot name a file: write 1 to %d letters, digits, dots, dashes and "
               "underlines, and no dot at the beginning",
               name, SATIN_STORAGE_NAME_MAX);
  return FALSE;
}

gboolean
storage_check_length (const char *where, const char *name, guint64 length, guint64 offset,
                      GError **error)
{
  if (length == offset)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s: %s is %" G_GUINT64_FORMAT " bytes long, not %" G_GUINT64_FORMAT
               "; does another writer use it?",
               where, name, length, offset);
  return FALSE;
}

static void
add_size (const char *name, guint64 size_bytes, gpointer user_data)
{
  *(guint64 *)user_data += size_bytes;
}

gboolean
storage_check_room (gpointer storage,
                    gboolean (*list) (gpointer storage, SatinStorageEntryFunc func,
                                      gpointer user_data, GError **error),
                    const char *where, guint64 capacity_bytes, gsize n_bytes, GError **error)
{
  guint64 used_bytes = 0;
  if (capacity_bytes == 0)
    return TRUE;
  if (!list (storage, add_size, &used_bytes, error))
    return FALSE;
  if (used_bytes <= capacity_bytes && n_bytes <= capacity_bytes - used_bytes)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "%s: there is no room for %" G_GSIZE_FORMAT
               " more bytes: capacity is %" G_GUINT64_FORMAT "; remove files or raise it",
               where, n_bytes, capacity_bytes);
  return FALSE;
}
