/* checkpoint-sample.c - results that tests of checkpoints write, and recognize when they read
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-sample.h"

#include <string.h>

#define SIXTEEN(b) b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b

const guint8 sample_run[SATIN_CHECKPOINT_ID_BYTES] = { SIXTEEN (1) };
static const guint8 program[SATIN_CHECKPOINT_ID_BYTES] = { SIXTEEN (2) };
static const guint8 root[SATIN_CHECKPOINT_ID_BYTES] = { SIXTEEN (3) };

const SatinCheckpointHead sample_head = { .version = SATIN_CHECKPOINT_VERSION,
                                          .run = sample_run,
                                          .n_run = sizeof sample_run,
                                          .program = program,
                                          .n_program = sizeof program,
                                          .root = root,
                                          .n_root = sizeof root,
                                          .name = "queens",
                                          .arguments = "12",
                                          .term = 1,
                                          .node = 7,
                                          .made_us = 1700000000000000 };

void
sample_init (Sample *self, guint key, const guint32 *levels)
{
  memset (self->key, 0x5a, sizeof self->key);
  memcpy (self->key, &(guint32){ GUINT32_TO_LE (key) }, sizeof (guint32));
  self->path = g_byte_array_new ();
  for (; *levels != 0; levels++)
    satin_path_append (self->path, *levels);
  self->result = (SatinCheckpointResult){ .key = self->key,
                                          .n_key = sizeof self->key,
                                          .task = key % 2 == 0 ? "even" : "odd",
                                          .node = (gint32)(key % 5 + 1),
                                          .path = self->path->data,
                                          .n_path = self->path->len };
}

void
sample_clear (Sample *self)
{
  g_byte_array_unref (self->path);
}

GBytes *
sample_bytes (guint i, gsize n_bytes)
{
  guint8 *bytes = g_malloc (n_bytes);
  guint32 state = i * 2654435761u + 1;
  for (gsize at = 0; at < n_bytes; at++)
    {
      state = state * 1664525u + 1013904223u;
      bytes[at] = (guint8)(state >> 24);
    }
  return g_bytes_new_take (bytes, n_bytes);
}

gsize
sample_size (guint i)
{
  return i % 7 == 0 ? 0 : i % 7 == 3 ? 4000 + i * 10 : 20 + i;
}

SatinStorage *
sample_open (const char *uri, const char *params)
{
  g_autoptr (GError) error = NULL;
  SatinStorage *storage = satin_storage_open (uri, params, TRUE, &error);
  g_assert_no_error (error);
  return storage;
}

static void
remove_file (const char *name, guint64 size_bytes, gpointer user_data)
{
  SatinStorage *storage = user_data;
  g_assert_true (storage->ops.remove (storage->handle, name, NULL));
}

void
sample_remove_all (SatinStorage *storage)
{
  g_assert_true (storage->ops.list (storage->handle, remove_file, storage, NULL));
}

void
sample_forbid_append (SatinStorage *storage)
{
  storage->can &= ~(guint)SATIN_STORAGE_CAN_APPEND & ~(guint)SATIN_STORAGE_CAN_RANGE;
}

gboolean
sample_add_at (SatinCheckpointWriter *writer, guint i, const guint32 *levels, gsize n_bytes,
               SatinCheckpointPlace *ret_place, GError **error)
{
  Sample sample;
  g_autoptr (GBytes) bytes = sample_bytes (i, n_bytes);
  sample_init (&sample, i, levels);
  gboolean is_added = satin_checkpoint_writer_add (
      writer, &sample.result, g_bytes_get_data (bytes, NULL), n_bytes, ret_place, error);
  sample_clear (&sample);
  return is_added;
}

gboolean
sample_add_sized (SatinCheckpointWriter *writer, guint i, gsize n_bytes,
                  SatinCheckpointPlace *ret_place, GError **error)
{
  return sample_add_at (writer, i, (const guint32[]){ i + 1, 0 }, n_bytes, ret_place, error);
}

gboolean
sample_add (SatinCheckpointWriter *writer, guint i, SatinCheckpointPlace *ret_place, GError **error)
{
  return sample_add_sized (writer, i, sample_size (i), ret_place, error);
}

guint
sample_number (const SatinCheckpointEntry *entry)
{
  guint32 number;
  memcpy (&number, entry->key, sizeof number);
  return GUINT32_FROM_LE (number);
}

void
sample_assert_entry (SatinStorage *storage, const SatinCheckpointEntry *entry, gsize n_bytes)
{
  g_autoptr (GError) error = NULL;
  guint i = sample_number (entry);
  g_autoptr (GBytes) expected = sample_bytes (i, n_bytes);
  g_autoptr (GBytes) bytes = satin_checkpoint_read_result (storage, entry, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, expected));
  g_assert_cmpstr (entry->task, ==, i % 2 == 0 ? "even" : "odd");
}

const SatinCheckpointEntry *
sample_find_at (SatinCheckpointIndex *index, guint i, const guint32 *levels)
{
  Sample sample;
  sample_init (&sample, i, levels);
  const SatinCheckpointEntry *entry = satin_checkpoint_index_find_same (index, &sample.result);
  sample_clear (&sample);
  return entry;
}

const SatinCheckpointEntry *
sample_find (SatinCheckpointIndex *index, guint i)
{
  return sample_find_at (index, i, (const guint32[]){ i + 1, 0 });
}

SatinCheckpointIndex *
sample_read (SatinStorage *storage, SatinCheckpointSummary *ret_summary)
{
  g_autoptr (GError) error = NULL;
  SatinCheckpointIndex *index =
      satin_checkpoint_read (storage, &sample_head, NULL, NULL, ret_summary, &error);
  g_assert_no_error (error);
  return index;
}
