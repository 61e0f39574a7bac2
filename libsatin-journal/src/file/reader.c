/* reader.c - reads a journal
 *
 * This code reads the framing (private.h) itself, so that it can check each length before it is
 * used, and can say at which byte the file is damaged. Avro C allocates whatever a length says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/base/bytes.h>
#include <satin/journal/reader.h>

#include <gio/gio.h>
#include <string.h>

struct _SatinJournalReader
{
  char *path;          /* (owned) */
  GBytes *file;        /* (owned) */
  const guint8 *bytes; /* (borrowed from @file) */
  gsize n_bytes;
  gsize at;        /* offset of the next block in @bytes */
  gsize end_at;    /* where the last block that was read ends */
  gboolean is_cut; /* the damage is that the last block is not whole */
  guint8 sync[JOURNAL_SYNC_BYTES];
  gboolean is_deflated;

  GByteArray *block; /* (owned): the events of the current block */
  guint64 n_events;  /* events of @block that were not read yet */
  gsize event_at;    /* offset of the next event in @block */
  GArray *values;    /* (owned) (element-type SatinJournalValue): of the current event */
  char *damage;      /* (owned) (nullable) */
};

static gboolean
end_at_damage (SatinJournalReader *self, gsize at, const char *what)
{
  if (self->damage == NULL)
    self->damage =
        g_strdup_printf ("%s is damaged at byte %" G_GSIZE_FORMAT ": %s", self->path, at, what);
  self->n_events = 0;
  self->at = self->n_bytes;
  return FALSE;
}

/* Reads a count: an Avro long that is 0 or more. Returns: FALSE when there is none at @at */
static gboolean
read_count (const SatinJournalReader *self, gsize *at, guint64 *ret_count)
{
  guint64 zigzag = 0;
  if (!satin_varint_read (self->bytes, self->n_bytes, at, &zigzag) || (zigzag & 1) != 0)
    return FALSE;
  *ret_count = zigzag >> 1;
  return TRUE;
}

/* Reads a length and that many bytes, without copying them. */
static gboolean
read_bytes (const SatinJournalReader *self, gsize *at, const guint8 **ret_bytes, gsize *ret_n_bytes)
{
  guint64 n_bytes = 0;
  if (!read_count (self, at, &n_bytes) || n_bytes > self->n_bytes - *at
      || n_bytes > JOURNAL_HEADER_MAX_BYTES)
    return FALSE;
  *ret_bytes = self->bytes + *at;
  *ret_n_bytes = (gsize)n_bytes;
  *at += (gsize)n_bytes;
  return TRUE;
}

static gboolean
is_text (const guint8 *bytes, gsize n_bytes, const char *text)
{
  return n_bytes == strlen (text) && memcmp (bytes, text, n_bytes) == 0;
}

/* Reads one entry of the metadata. Returns: FALSE when this reader cannot read a file with that
 * entry */
static gboolean
take_entry (SatinJournalReader *self, gsize *at, gboolean *has_schema)
{
  const guint8 *name, *data;
  gsize n_name, n_data;
  if (!read_bytes (self, at, &name, &n_name) || !read_bytes (self, at, &data, &n_data))
    return FALSE;
  if (is_text (name, n_name, "avro.codec"))
    {
      self->is_deflated = is_text (data, n_data, "deflate");
      return self->is_deflated || is_text (data, n_data, "null");
    }
  if (!is_text (name, n_name, "avro.schema"))
    return TRUE;
  g_autofree char *schema = journal_schema_text ();
  *has_schema = is_text (data, n_data, schema);
  return *has_schema;
}

static gboolean
read_header (SatinJournalReader *self)
{
  static const guint8 magic[4] = { 'O', 'b', 'j', 1 };
  gboolean has_schema = FALSE;
  gsize at = sizeof magic;
  if (self->n_bytes < sizeof magic || memcmp (self->bytes, magic, sizeof magic) != 0)
    return FALSE;
  for (guint64 n_entries = 1; n_entries > 0;)
    {
      if (!read_count (self, &at, &n_entries))
        return FALSE;
      for (guint64 i = 0; i < n_entries; i++)
        if (!take_entry (self, &at, &has_schema))
          return FALSE;
    }
  if (!has_schema || self->n_bytes - at < JOURNAL_SYNC_BYTES)
    return FALSE;
  memcpy (self->sync, self->bytes + at, JOURNAL_SYNC_BYTES);
  self->at = self->end_at = at + JOURNAL_SYNC_BYTES;
  return TRUE;
}

/* Returns: (transfer full): the bytes of the file */
static GBytes *
map_file (const char *path, GError **error)
{
  g_autoptr (GError) refused = NULL;
  if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "%s is not a file, so it is no journal",
                   path);
      return NULL;
    }
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, &refused);
  if (file == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s", refused->message);
      return NULL;
    }
  return g_mapped_file_get_bytes (file);
}

SatinJournalReader *
satin_journal_reader_new (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  g_autoptr (GBytes) bytes = map_file (path, error);
  return bytes != NULL ? satin_journal_reader_new_for_bytes (bytes, path, error) : NULL;
}

SatinJournalReader *
satin_journal_reader_new_for_bytes (GBytes *bytes, const char *name, GError **error)
{
  g_return_val_if_fail (bytes != NULL && name != NULL, NULL);
  g_autoptr (SatinJournalReader) self = g_new0 (SatinJournalReader, 1);
  self->path = g_strdup (name);
  self->file = g_bytes_ref (bytes);
  self->bytes = g_bytes_get_data (bytes, &self->n_bytes);
  self->block = g_byte_array_new ();
  self->values = g_array_new (FALSE, FALSE, sizeof (SatinJournalValue));
  if (read_header (self))
    return g_steal_pointer (&self);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "%s is not a journal, or another version of Satin wrote it", name);
  return NULL;
}

/* ---- blocks ---- */

/* Inflates @bytes into @block. Returns: FALSE when they are damaged, or when @block becomes larger
 * than JOURNAL_EVENTS_MAX_BYTES */
static gboolean
inflate_block (SatinJournalReader *self, const guint8 *bytes, gsize n_bytes)
{
  g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW);
  GConverterResult result = G_CONVERTER_CONVERTED;
  for (gsize n_out = 0; result != G_CONVERTER_FINISHED;)
    {
      gsize n_read = 0, n_written = 0;
      if (n_out > JOURNAL_EVENTS_MAX_BYTES)
        return FALSE;
      g_byte_array_set_size (self->block, (guint)(n_out + JOURNAL_BLOCK_BYTES));
      result = g_converter_convert (G_CONVERTER (zlib), bytes, n_bytes, self->block->data + n_out,
                                    JOURNAL_BLOCK_BYTES, G_CONVERTER_INPUT_AT_END, &n_read,
                                    &n_written, NULL);
      if (result == G_CONVERTER_ERROR)
        return FALSE;
      bytes += n_read;
      n_bytes -= n_read;
      n_out += n_written;
      g_byte_array_set_size (self->block, (guint)n_out);
    }
  return TRUE;
}

static gboolean
take_block (SatinJournalReader *self, const guint8 *bytes, gsize n_bytes)
{
  g_byte_array_set_size (self->block, 0);
  if (!self->is_deflated)
    g_byte_array_append (self->block, bytes, (guint)n_bytes);
  else if (!inflate_block (self, bytes, n_bytes))
    return FALSE;
  self->event_at = 0;
  return TRUE;
}

/* A block in the file. */
typedef struct
{
  guint64 n_events;
  gsize at; /* offset of its bytes */
  gsize n_bytes;
  gsize end_at;
} Block;

/* Finds the next block, and checks its frame but not its events. Returns: FALSE at the end of the
 * file, or when it is damaged here */
static gboolean
find_block (SatinJournalReader *self, Block *ret_block)
{
  gsize begin = self->at, at = begin;
  guint64 n_events = 0, n_bytes = 0;
  if (begin == self->n_bytes)
    return FALSE;
  gboolean has_counts = read_count (self, &at, &n_events) && read_count (self, &at, &n_bytes);
  if (!has_counts && self->n_bytes - begin < 2 * SATIN_VARINT_MAX_BYTES)
    {
      self->is_cut = self->damage == NULL;
      return end_at_damage (self, begin, "its last block is not whole");
    }
  if (!has_counts || n_bytes > JOURNAL_BLOCK_MAX_BYTES)
    return end_at_damage (self, begin, "a block does not begin here");
  if (self->n_bytes - at < n_bytes + JOURNAL_SYNC_BYTES)
    {
      self->is_cut = self->damage == NULL;
      return end_at_damage (self, begin, "its last block is not whole");
    }
  gsize end = at + (gsize)n_bytes;
  if (memcmp (self->bytes + end, self->sync, JOURNAL_SYNC_BYTES) != 0)
    return end_at_damage (self, begin, "a block does not end where it should");
  *ret_block = (Block){ n_events, at, (gsize)n_bytes, end + JOURNAL_SYNC_BYTES };
  return TRUE;
}

/* Reads the next block into @block. Returns: FALSE at the end of the file, or when it is damaged
 * here */
static gboolean
read_block (SatinJournalReader *self)
{
  Block block;
  gsize begin = self->at;
  if (!find_block (self, &block))
    return FALSE;
  if (!take_block (self, self->bytes + block.at, block.n_bytes))
    return end_at_damage (self, begin, "a block cannot be inflated");
  self->n_events = block.n_events;
  self->at = self->end_at = block.end_at;
  return TRUE;
}

/* ---- events ---- */

gboolean
satin_journal_reader_next (SatinJournalReader *self, SatinJournalEvent *ret_event)
{
  g_return_val_if_fail (self != NULL && ret_event != NULL, FALSE);
  while (self->n_events == 0)
    if (!read_block (self))
      return FALSE;
  self->n_events--;
  if (!journal_decode (self->block->data, self->block->len, &self->event_at, self->values,
                       ret_event))
    return end_at_damage (self, self->at, "the block before holds an event that is not one");
  return TRUE;
}

guint64
satin_journal_reader_skip (SatinJournalReader *self, guint64 n_events)
{
  SatinJournalEvent event;
  guint64 n_skipped = 0;
  g_return_val_if_fail (self != NULL, 0);
  while (n_skipped < n_events)
    {
      Block block;
      if (self->n_events == 0 && find_block (self, &block)
          && block.n_events <= n_events - n_skipped)
        {
          self->at = self->end_at = block.end_at;
          n_skipped += block.n_events;
        }
      else if (satin_journal_reader_next (self, &event))
        n_skipped++;
      else
        break;
    }
  return n_skipped;
}

gboolean
satin_journal_reader_refresh (SatinJournalReader *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  GBytes *bytes = map_file (self->path, error);
  if (bytes == NULL)
    return FALSE;
  g_bytes_unref (self->file);
  self->file = bytes;
  self->bytes = g_bytes_get_data (bytes, &self->n_bytes);
  if (self->n_bytes < self->end_at)
    {
      self->at = self->n_bytes;
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "%s has become shorter while it was read", self->path);
      return FALSE;
    }
  if (self->is_cut)
    g_clear_pointer (&self->damage, g_free);
  self->is_cut = FALSE;
  self->at = self->damage != NULL ? self->n_bytes : self->end_at;
  return TRUE;
}

const char *
satin_journal_reader_get_damage (const SatinJournalReader *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->damage;
}

void
satin_journal_reader_free (SatinJournalReader *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->values);
  g_byte_array_unref (self->block);
  g_bytes_unref (self->file);
  g_free (self->damage);
  g_free (self->path);
  g_free (self);
}
