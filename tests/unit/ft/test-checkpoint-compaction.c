/* test-checkpoint-compaction.c - tests that compaction removes only what does not count
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-sample.h"

#include <string.h>

#define N_RESULTS 30u
#define LARGE     ((gsize)20 << 20)

static const guint8 other_run[SATIN_CHECKPOINT_ID_BYTES] = { 77 };

/* A folder with a log, and the index of that log. */
typedef struct
{
  SatinStorage *storage;                 /* (owned) */
  SatinCheckpointIndex *index;           /* (owned) */
  SatinCheckpointCompaction *compaction; /* (owned) (nullable) */
  GPtrArray *logs;                       /* (owned): the logs that the compaction replaces */
} Folder;

static void
write_log (SatinStorage *storage, const SatinCheckpointHead *head, guint64 number, gsize n_large)
{
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, head, number);
  SatinCheckpointPlace place;
  for (guint i = 0; i < N_RESULTS; i++)
    g_assert_true (sample_add (writer, i, &place, NULL));
  if (n_large > 0)
    g_assert_true (sample_add_sized (writer, N_RESULTS, n_large, &place, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
}

/* Log 1 holds the results 0 to N_RESULTS - 1, and one of @n_large bytes unless that is 0. */
static void
folder_init (Folder *self, gsize n_large)
{
  self->storage = sample_open ("mem:compaction", NULL);
  write_log (self->storage, &sample_head, 1, n_large);
  self->index = sample_read (self->storage, NULL);
  self->compaction = NULL;
  self->logs = NULL;
}

static void
begin (Folder *self)
{
  self->logs = satin_checkpoint_list (self->storage, NULL);
  self->compaction =
      satin_checkpoint_compaction_new (self->storage, self->index, &sample_head, 10, self->logs);
}

/* Returns: how many steps the compaction took */
static guint
finish (Folder *self)
{
  g_autoptr (GError) error = NULL;
  gboolean is_over = FALSE;
  guint n_steps = 0;
  for (; !is_over; n_steps++)
    {
      g_assert_true (satin_checkpoint_compaction_step (self->compaction, &is_over, &error));
      g_assert_no_error (error);
    }
  return n_steps;
}

static void
folder_clear (Folder *self)
{
  sample_remove_all (self->storage);
  satin_checkpoint_compaction_free (self->compaction);
  satin_checkpoint_index_free (self->index);
  satin_storage_close (self->storage);
  g_clear_pointer (&self->logs, g_ptr_array_unref);
}

static void
assert_entry (const SatinCheckpointEntry *entry, gpointer user_data)
{
  guint i = sample_number (entry);
  sample_assert_entry (user_data, entry, i < N_RESULTS ? sample_size (i) : LARGE);
}

/* Checks that the index, and a new reading of the folder, have @n results, and that all are
 * right. */
static void
assert_results (Folder *self, guint n)
{
  SatinCheckpointSummary summary;
  g_autoptr (SatinCheckpointIndex) again = sample_read (self->storage, &summary);
  g_assert_cmpuint (summary.n_damaged, ==, 0);
  g_assert_cmpuint (satin_checkpoint_index_count (self->index), ==, n);
  g_assert_cmpuint (satin_checkpoint_index_count (again), ==, n);
  g_assert_cmpuint (satin_checkpoint_index_bytes (self->index), ==,
                    satin_checkpoint_index_bytes (again));
  satin_checkpoint_index_foreach (self->index, assert_entry, self->storage);
  satin_checkpoint_index_foreach (again, assert_entry, self->storage);
}

static GByteArray *
read_file (SatinStorage *storage, const char *name)
{
  GByteArray *bytes = g_byte_array_new ();
  gsize n = 0;
  g_byte_array_set_size (bytes, 1 << 20);
  for (guint offset = 0;; offset += n)
    {
      g_byte_array_set_size (bytes, offset + (1 << 20));
      g_assert_true (storage->ops.read (storage->handle, name, offset, bytes->data + offset,
                                        1 << 20, &n, NULL));
      if (n < 1 << 20)
        {
          g_byte_array_set_size (bytes, offset + (guint)n);
          return bytes;
        }
    }
}

static void
write_file (SatinStorage *storage, const char *name, const GByteArray *bytes)
{
  g_assert_true (storage->ops.remove (storage->handle, name, NULL));
  for (guint offset = 0; offset < bytes->len; offset += 1 << 20)
    g_assert_true (storage->ops.append (storage->handle, name, offset, bytes->data + offset,
                                        MIN (bytes->len - offset, 1 << 20), NULL));
}

/* Changes the byte at @offset. */
static void
damage (SatinStorage *storage, const char *name, guint64 offset)
{
  g_autoptr (GByteArray) bytes = read_file (storage, name);
  bytes->data[offset] ^= 1;
  write_file (storage, name, bytes);
}

/* ---- test cases ---- */

static void
test_smaller (void)
{
  Folder folder;
  folder_init (&folder, 0);
  for (guint i = 0; i < N_RESULTS; i += 2)
    satin_checkpoint_index_remove (folder.index, sample_find (folder.index, i)->number);
  begin (&folder);
  guint64 old_bytes = ((SatinCheckpointLog *)g_ptr_array_index (folder.logs, 0))->size_bytes;
  finish (&folder);
  assert_results (&folder, N_RESULTS / 2);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (folder.storage, NULL);
  g_assert_cmpuint (logs->len, ==, 1);
  g_assert_cmpuint (((SatinCheckpointLog *)g_ptr_array_index (logs, 0))->size_bytes, <,
                    old_bytes * 2 / 3);
  g_assert_cmpuint (((SatinCheckpointLog *)g_ptr_array_index (logs, 0))->number, ==, 10);
  folder_clear (&folder);
}

static void
test_no_logs (void)
{
  Folder folder;
  folder_init (&folder, 0);
  sample_remove_all (folder.storage);
  begin (&folder);
  g_assert_cmpuint (finish (&folder), ==, 1);
  folder_clear (&folder);
}

static void
test_covered (void)
{
  Folder folder;
  folder_init (&folder, 0);
  g_autoptr (GByteArray) old = read_file (folder.storage, "satin-0000000001-0000000007.log");
  old->data[old->len - 100] ^= 1;
  satin_checkpoint_index_remove (folder.index, sample_find (folder.index, 3)->number);
  begin (&folder);
  finish (&folder);
  write_file (folder.storage, "satin-0000000001-0000000007.log", old);
  assert_results (&folder, N_RESULTS - 1);
  folder_clear (&folder);
}

static void
test_other_run (void)
{
  Folder folder;
  SatinCheckpointHead head = sample_head;
  folder_init (&folder, 0);
  head.run = other_run;
  sample_remove_all (folder.storage);
  write_log (folder.storage, &head, 1, 0);
  satin_checkpoint_index_free (folder.index);
  folder.index = sample_read (folder.storage, NULL);
  begin (&folder);
  finish (&folder);
  assert_results (&folder, N_RESULTS);
  g_autoptr (SatinCheckpointIndex) again = sample_read (folder.storage, NULL);
  g_assert_cmpuint (sample_find (again, 3)->node, ==, 0);
  folder_clear (&folder);
}

static void
test_pieces (void)
{
  Folder folder;
  folder_init (&folder, LARGE);
  begin (&folder);
  g_assert_cmpuint (finish (&folder), >=, 2 * LARGE / (4 << 20));
  assert_results (&folder, N_RESULTS + 1);
  folder_clear (&folder);
}

static void
test_without_append (void)
{
  Folder folder;
  folder_init (&folder, 0);
  sample_forbid_append (folder.storage);
  begin (&folder);
  finish (&folder);
  assert_results (&folder, N_RESULTS);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (folder.storage, NULL);
  const SatinCheckpointLog *last = g_ptr_array_index (logs, logs->len - 1);
  g_assert_cmpuint (logs->len, ==, 2);
  g_assert_cmpuint (last->number, <, satin_checkpoint_compaction_get_end (folder.compaction));
  folder_clear (&folder);
}

static void
test_damaged (void)
{
  Folder folder;
  folder_init (&folder, LARGE);
  const SatinCheckpointPlace *small = &sample_find (folder.index, 3)->at;
  const SatinCheckpointPlace *large = &sample_find (folder.index, N_RESULTS)->at;
  damage (folder.storage, small->log->name, small->offset + 1000);
  damage (folder.storage, large->log->name, large->offset + LARGE / 2);
  begin (&folder);
  finish (&folder);
  g_assert_cmpuint (satin_checkpoint_compaction_get_n_damaged (folder.compaction), ==, 2);
  g_assert_null (sample_find (folder.index, 3));
  g_assert_null (sample_find (folder.index, N_RESULTS));
  satin_checkpoint_index_foreach (folder.index, assert_entry, folder.storage);
  g_assert_cmpuint (satin_checkpoint_index_count (folder.index), ==, N_RESULTS - 1);
  folder_clear (&folder);
}

static void
test_log_gone (void)
{
  Folder folder;
  folder_init (&folder, 0);
  begin (&folder);
  sample_remove_all (folder.storage);
  finish (&folder);
  g_assert_cmpuint (satin_checkpoint_compaction_get_n_damaged (folder.compaction), ==, N_RESULTS);
  assert_results (&folder, 0);
  folder_clear (&folder);
}

static void
test_changes_meanwhile (void)
{
  Folder folder;
  gboolean is_over;
  folder_init (&folder, LARGE);
  begin (&folder);
  guint64 end = satin_checkpoint_compaction_get_end (folder.compaction);
  g_assert_true (satin_checkpoint_compaction_step (folder.compaction, &is_over, NULL));
  g_autoptr (SatinCheckpointWriter) writer =
      satin_checkpoint_writer_new (folder.storage, &sample_head, end);
  SatinCheckpointPlace place;
  Sample sample;
  g_assert_true (sample_add (writer, 3, &place, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
  sample_init (&sample, 3, (const guint32[]){ 4, 0 });
  satin_checkpoint_index_add (folder.index, sample_run, &sample.result, &place);
  sample_clear (&sample);
  satin_checkpoint_index_remove (folder.index, sample_find (folder.index, N_RESULTS)->number);
  finish (&folder);
  g_assert_cmpuint (sample_find (folder.index, 3)->at.log->number, ==, end);
  g_assert_cmpuint (sample_find (folder.index, 4)->at.log->number, ==, 10);
  satin_checkpoint_index_foreach (folder.index, assert_entry, folder.storage);
  folder_clear (&folder);
}

static void
test_read_back (void)
{
  Folder folder;
  g_autoptr (GError) error = NULL;
  gboolean is_over;
  folder_init (&folder, 0);
  begin (&folder);
  g_assert_true (satin_checkpoint_compaction_step (folder.compaction, &is_over, NULL));
  damage (folder.storage, "satin-0000000010-0000000007.log", 1000);
  g_assert_false (satin_checkpoint_compaction_step (folder.compaction, &is_over, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (folder.storage, NULL);
  g_assert_cmpuint (logs->len, ==, 1);
  assert_results (&folder, N_RESULTS);
  g_assert_true (satin_checkpoint_compaction_step (folder.compaction, &is_over, NULL));
  g_assert_true (is_over);
  folder_clear (&folder);
}

static void
test_head_read_back (void)
{
  Folder folder;
  g_autoptr (GError) error = NULL;
  gboolean is_over;
  folder_init (&folder, 0);
  begin (&folder);
  g_assert_true (satin_checkpoint_compaction_step (folder.compaction, &is_over, NULL));
  damage (folder.storage, "satin-0000000010-0000000007.log", 30);
  g_assert_false (satin_checkpoint_compaction_step (folder.compaction, &is_over, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  folder_clear (&folder);
}

static void
test_progress (void)
{
  Folder folder;
  guint64 n_bytes, n_total_bytes;
  folder_init (&folder, 0);
  guint64 n_counted = satin_checkpoint_index_bytes (folder.index);
  begin (&folder);
  satin_checkpoint_compaction_get_progress (folder.compaction, &n_bytes, &n_total_bytes);
  g_assert_cmpuint (n_bytes, ==, 0);
  g_assert_cmpuint (n_total_bytes, ==, n_counted);
  finish (&folder);
  satin_checkpoint_compaction_get_progress (folder.compaction, &n_bytes, &n_total_bytes);
  g_assert_cmpuint (n_bytes, ==, n_counted);
  folder_clear (&folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/checkpoint-compaction/" path, func)
  CLAIM ("what-does-not-count-is-gone", test_smaller);
  CLAIM ("without-logs-it-is-over-at-once", test_no_logs);
  CLAIM ("covered-log-that-comes-back-does-not-count", test_covered);
  CLAIM ("of-another-run-hops-are-lost", test_other_run);
  CLAIM ("large-result-goes-in-pieces", test_pieces);
  CLAIM ("covers-is-in-the-last-log-where-nothing-is-appended", test_without_append);
  CLAIM ("damaged-result-is-dropped", test_damaged);
  CLAIM ("result-of-a-removed-log-is-dropped", test_log_gone);
  CLAIM ("what-changes-meanwhile-stays-so", test_changes_meanwhile);
  CLAIM ("copy-that-is-read-back-wrong-is-not-used", test_read_back);
  CLAIM ("head-that-is-read-back-wrong-is-not-used", test_head_read_back);
  CLAIM ("progress-reaches-the-total", test_progress);
  return g_test_run ();
}
