/* files.c - writes files of a pattern, and checks files
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage.h"

#include <string.h>

gboolean
storage_expect_error (Case *c, const GError *error, const char *what)
{
  if (!CASE_EXPECT (c, error != NULL, "%s failed without an error", what))
    return FALSE;
  return CASE_EXPECT (c, error->domain == SATIN_ERROR, "%s failed with an error of domain %s: %s",
                      what, g_quark_to_string (error->domain), error->message);
}

gboolean
storage_expect_done (Case *c, gboolean is_done, GError **error, const char *what)
{
  g_autoptr (GError) taken = g_steal_pointer (error);
  if (!is_done)
    {
      if (storage_expect_error (c, taken, what))
        case_break (c, "%s failed: %s", what, taken->message);
      return FALSE;
    }
  return CASE_EXPECT (c, taken == NULL, "%s succeeded and set an error", what);
}

gboolean
storage_expect_refused (Case *c, gboolean is_done, GError **error, SatinErrorCode code,
                        const char *what)
{
  g_autoptr (GError) taken = g_steal_pointer (error);
  if (!CASE_EXPECT (c, !is_done, "%s was not refused", what)
      || !storage_expect_error (c, taken, what))
    return FALSE;
  return CASE_EXPECT (c, g_error_matches (taken, SATIN_ERROR, (int)code),
                      "%s was refused with error %d, not %d: %s", what, taken->code, (int)code,
                      taken->message);
}

guint8 *
storage_pattern (guint seed, guint64 offset, gsize n_bytes)
{
  guint8 *bytes = g_malloc (n_bytes);
  for (gsize i = 0; i < n_bytes; i++)
    {
      guint64 place = offset + i;
      bytes[i] = (guint8)(seed * 37 + place + (place >> 8) * 5 + (place >> 16) * 11);
    }
  return bytes;
}

gboolean
storage_append (Storage *self, const char *name, guint seed, guint64 offset, gsize n_bytes)
{
  g_autofree guint8 *bytes = storage_pattern (seed, offset, n_bytes);
  g_autoptr (GError) error = NULL;
  gboolean is_done = self->ops.append (self->handle, name, offset, bytes, n_bytes, &error);
  return storage_expect_done (self->c, is_done, &error, "append");
}

gboolean
storage_sync (Storage *self, const char *name)
{
  g_autoptr (GError) error = NULL;
  gboolean is_done = self->ops.sync (self->handle, name, &error);
  return storage_expect_done (self->c, is_done, &error, "sync");
}

gboolean
storage_write (Storage *self, const char *name, guint seed, gsize n_bytes)
{
  return storage_append (self, name, seed, 0, n_bytes) && storage_sync (self, name);
}

gboolean
storage_replace (Storage *self, const char *from, const char *to)
{
  g_autoptr (GError) error = NULL;
  gboolean is_done = self->ops.replace (self->handle, from, to, &error);
  return storage_expect_done (self->c, is_done, &error, "replace");
}

gboolean
storage_remove (Storage *self, const char *name)
{
  g_autoptr (GError) error = NULL;
  gboolean is_done = self->ops.remove (self->handle, name, &error);
  return storage_expect_done (self->c, is_done, &error, "remove");
}

/* A file name that is searched in a list, and what the list says of that file. */
typedef struct
{
  const char *name;
  guint n_found;
  guint64 size_bytes;
} Search;

static void
compare_name (const char *name, guint64 size_bytes, gpointer user_data)
{
  Search *search = user_data;
  if (strcmp (name, search->name) != 0)
    return;
  search->n_found++;
  search->size_bytes = size_bytes;
}

gint64
storage_length (Storage *self, const char *name)
{
  Search search = { .name = name };
  g_autoptr (GError) error = NULL;
  gboolean is_done = self->ops.list (self->handle, compare_name, &search, &error);
  if (!storage_expect_done (self->c, is_done, &error, "list"))
    return -1;
  CASE_EXPECT (self->c, search.n_found <= 1, "list tells %u times of %s", search.n_found, name);
  return search.n_found > 0 ? (gint64)search.size_bytes : -1;
}

/* Expects that one read gets @n_bytes from @offset, and that they are the bytes of the pattern
 * @seed. */
static gboolean
expect_block (Storage *self, const char *name, guint seed, guint64 offset, gsize n_bytes,
              guint8 *buffer)
{
  g_autofree guint8 *expected = storage_pattern (seed, offset, n_bytes);
  g_autoptr (GError) error = NULL;
  gsize n_read = G_MAXSIZE;
  gboolean is_done = self->ops.read (self->handle, name, offset, buffer, n_bytes, &n_read, &error);
  if (!storage_expect_done (self->c, is_done, &error, "read"))
    return FALSE;
  return CASE_EXPECT (self->c, n_read == n_bytes,
                      "%s: read %" G_GSIZE_FORMAT " bytes from %" G_GUINT64_FORMAT
                      " on, there are %" G_GSIZE_FORMAT,
                      name, n_read, offset, n_bytes)
         && CASE_EXPECT (self->c, memcmp (buffer, expected, n_bytes) == 0,
                         "%s: there are other bytes from %" G_GUINT64_FORMAT
                         " on than were appended there",
                         name, offset);
}

gboolean
storage_expect_bytes (Storage *self, const char *name, guint seed, guint64 n_bytes)
{
  g_autofree guint8 *buffer = g_malloc (SATIN_STORAGE_BLOCK_MAX);
  for (guint64 offset = 0; offset < n_bytes; offset += SATIN_STORAGE_BLOCK_MAX)
    if (!expect_block (self, name, seed, offset,
                       (gsize)MIN (SATIN_STORAGE_BLOCK_MAX, n_bytes - offset), buffer))
      return FALSE;
  return TRUE;
}

gboolean
storage_expect_file (Storage *self, const char *name, guint seed, guint64 n_bytes)
{
  gint64 length = storage_length (self, name);
  return CASE_EXPECT (self->c, length == (gint64)n_bytes,
                      "list says that %s is %" G_GINT64_FORMAT
                      " bytes long, appended were %" G_GUINT64_FORMAT,
                      name, length, n_bytes)
         && storage_expect_bytes (self, name, seed, n_bytes);
}

gboolean
storage_expect_absent (Storage *self, const char *name)
{
  guint8 byte;
  gsize n_read = 0;
  g_autoptr (GError) error = NULL;
  gboolean is_done = self->ops.read (self->handle, name, 0, &byte, 1, &n_read, &error);
  return CASE_EXPECT (self->c, storage_length (self, name) < 0, "list tells of %s", name)
         && storage_expect_refused (self->c, is_done, &error, SATIN_ERROR_NOT_FOUND,
                                    "read of a file that is not there");
}
