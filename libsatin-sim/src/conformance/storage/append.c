/* append.c - rules: appending and reading
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage.h"

#include <string.h>

#define NAME STORAGE_PREFIX "file"

void
storage_rule_append_one_byte (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  if (storage_append (&storage, NAME, 1, 0, 1) && storage_sync (&storage, NAME))
    storage_expect_file (&storage, NAME, 1, 1);
  storage_end (&storage);
}

void
storage_rule_append_in_order (Case *c)
{
  static const gsize sizes[] = { 3, 2, 511, 4096, 4097, 70000, 1, 65536, 3 };
  guint64 length = 0;
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  for (guint i = 0; storage_needs (&storage, SATIN_STORAGE_CAN_APPEND) && i < G_N_ELEMENTS (sizes);
       i++)
    {
      if (!storage_append (&storage, NAME, 1, length, sizes[i]))
        break;
      length += sizes[i];
    }
  if (length > 0 && storage_sync (&storage, NAME))
    storage_expect_file (&storage, NAME, 1, length);
  storage_end (&storage);
}

void
storage_rule_append_by_turns (Case *c)
{
  static const gsize sizes[] = { 3, 4096, 1, 70000 };
  const char *other = STORAGE_PREFIX "other";
  guint64 length = 0;
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  for (guint i = 0; storage_needs (&storage, SATIN_STORAGE_CAN_APPEND) && i < G_N_ELEMENTS (sizes);
       i++)
    {
      if (!storage_append (&storage, NAME, 1, length, sizes[i])
          || !storage_append (&storage, other, 2, length, sizes[i]))
        break;
      length += sizes[i];
    }
  if (length > 0 && storage_sync (&storage, NAME) && storage_sync (&storage, other)
      && storage_reopen (&storage) && storage_expect_file (&storage, NAME, 1, length))
    storage_expect_file (&storage, other, 2, length);
  storage_end (&storage);
}

void
storage_rule_append_largest (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  if (storage_write (&storage, NAME, 1, SATIN_STORAGE_BLOCK_MAX))
    storage_expect_file (&storage, NAME, 1, SATIN_STORAGE_BLOCK_MAX);
  storage_end (&storage);
}

static void
expect_offset_refused (Storage *self, const char *name, guint64 offset)
{
  g_autofree guint8 *bytes = storage_pattern (9, offset, 10);
  g_autofree char *what = g_strdup_printf ("append at %" G_GUINT64_FORMAT " to %s", offset, name);
  g_autoptr (GError) error = NULL;
  gboolean is_done = self->ops.append (self->handle, name, offset, bytes, 10, &error);
  storage_expect_refused (self->c, is_done, &error, SATIN_ERROR_INVALID, what);
}

void
storage_rule_append_wrong_offset (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  if (storage_write (&storage, NAME, 1, 100))
    {
      expect_offset_refused (&storage, NAME, 0);
      expect_offset_refused (&storage, NAME, 99);
      expect_offset_refused (&storage, NAME, 101);
      expect_offset_refused (&storage, NAME, (guint64)1 << 40);
      expect_offset_refused (&storage, STORAGE_PREFIX "none", 1);
      storage_expect_file (&storage, NAME, 1, 100);
      storage_expect_absent (&storage, STORAGE_PREFIX "none");
    }
  storage_end (&storage);
}

/* Reads @n_bytes from @offset of the file, which is @length bytes long, and checks what was
 * read. */
static void
expect_range (Storage *self, guint64 length, guint64 offset, gsize n_bytes)
{
  gsize n_there = offset < length ? (gsize)MIN (n_bytes, length - offset) : 0, n_read = G_MAXSIZE;
  g_autofree guint8 *expected = storage_pattern (1, offset, n_there);
  g_autofree guint8 *buffer = g_malloc (n_bytes + 1);
  g_autoptr (GError) error = NULL;
  buffer[n_bytes] = 0xa5;
  gboolean is_done = self->ops.read (self->handle, NAME, offset, buffer, n_bytes, &n_read, &error);
  if (!storage_expect_done (self->c, is_done, &error, "read"))
    return;
  CASE_EXPECT (self->c,
               n_read == n_there && (n_there == 0 || memcmp (buffer, expected, n_there) == 0),
               "%" G_GSIZE_FORMAT " bytes from %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
               ": read %" G_GSIZE_FORMAT ", or others",
               n_bytes, offset, length, n_read);
  CASE_EXPECT (self->c, buffer[n_bytes] == 0xa5, "read writes behind the buffer");
}

void
storage_rule_read_ranges (Case *c)
{
  static const struct
  {
    guint64 offset;
    gsize n_bytes;
  } ranges[] = { { 0, 1 },     { 0, 100000 }, { 1, 99999 },     { 50000, 1 }, { 4095, 4098 },
                 { 99999, 1 }, { 65535, 2 },  { 12345, 54321 }, { 0, 4096 },  { 33333, 33333 } };
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  if (storage_write (&storage, NAME, 1, 100000))
    for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
      expect_range (&storage, 100000, ranges[i].offset, ranges[i].n_bytes);
  storage_end (&storage);
}

void
storage_rule_read_end (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  if (storage_write (&storage, NAME, 1, 5000))
    {
      expect_range (&storage, 5000, 0, 5001);
      expect_range (&storage, 5000, 4999, 4096);
      expect_range (&storage, 5000, 5000, 1);
      expect_range (&storage, 5000, 5000, 4096);
      expect_range (&storage, 5000, 100000, 10);
      expect_range (&storage, 5000, 0, SATIN_STORAGE_BLOCK_MAX);
    }
  storage_end (&storage);
}

void
storage_rule_read_missing (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  storage_expect_absent (&storage, NAME);
  storage_end (&storage);
}
