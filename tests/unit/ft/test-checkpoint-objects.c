/* test-checkpoint-objects.c - tests shared objects in logs: writing, reading, compaction, damage
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-sample.h"

#include <string.h>

#define LOG_1 "satin-0000000001-0000000007.log"
#define LARGE ((gsize)3 << 20)

static SatinStorage *storage;

static void
set_up (void)
{
  storage = sample_open ("mem:objects", NULL);
}

static void
tear_down (void)
{
  sample_remove_all (storage);
  g_clear_pointer (&storage, satin_storage_close);
}

/* Adds a state of object @id. Its bytes are those of sample @i. */
static void
add (SatinCheckpointWriter *writer, gint64 id, gint64 version, guint i, gsize n_bytes)
{
  const SatinCheckpointObject object = { id, "satin_minimum", "tour", version };
  g_autoptr (GBytes) bytes = sample_bytes (i, n_bytes);
  SatinCheckpointPlace place;
  g_assert_true (satin_checkpoint_writer_add_object (
      writer, &object, g_bytes_get_data (bytes, NULL), n_bytes, &place, NULL));
}

/* Writes a log with a result, states 1 and 2 of object 5, object 6 of @n_bytes, and another
 * result. */
static void
write_log (const SatinCheckpointHead *head, guint64 number, gsize n_bytes)
{
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, head, number);
  SatinCheckpointPlace place;
  g_assert_true (sample_add (writer, 1, &place, NULL));
  add (writer, 5, 0, 1, 100);
  add (writer, 5, 0, 2, 100);
  add (writer, 6, 0, 3, n_bytes);
  g_assert_true (sample_add (writer, 2, &place, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
}

/* Checks that the state of object @id that counts has the bytes of sample @i. */
static void
assert_state (SatinCheckpointIndex *index, gint64 id, guint i, gsize n_bytes)
{
  g_autoptr (GError) error = NULL;
  const SatinCheckpointEntry *entry = satin_checkpoint_index_find_object (index, id);
  g_assert_nonnull (entry);
  g_assert_cmpstr (entry->object->type, ==, "satin_minimum");
  g_assert_cmpstr (entry->object->name, ==, "tour");
  g_autoptr (GBytes) expected = sample_bytes (i, n_bytes);
  g_autoptr (GBytes) bytes = satin_checkpoint_read_result (storage, entry, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, expected));
}

/* Changes the byte at @offset of the log; a negative @offset counts from the end. */
static void
damage (gint64 offset)
{
  g_autofree guint8 *bytes = g_malloc (2 * LARGE);
  gsize n = 0, n_all = 0;
  while (storage->ops.read (storage->handle, LOG_1, n_all, bytes + n_all, 1 << 20, &n, NULL)
         && n > 0)
    n_all += n;
  bytes[offset >= 0 ? (gsize)offset : n_all - (gsize)-offset] ^= 1;
  g_assert_true (storage->ops.remove (storage->handle, LOG_1, NULL));
  for (gsize at = 0; at < n_all; at += 1 << 20)
    g_assert_true (storage->ops.append (storage->handle, LOG_1, at, bytes + at,
                                        MIN (n_all - at, 1 << 20), NULL));
}

static void
compact (SatinCheckpointIndex *index)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  g_autoptr (SatinCheckpointCompaction) compaction =
      satin_checkpoint_compaction_new (storage, index, &sample_head, 10, logs);
  for (gboolean is_over = FALSE; !is_over;)
    g_assert_true (satin_checkpoint_compaction_step (compaction, &is_over, &error));
}

/* ---- test cases ---- */

static void
test_last_state_is_read (void)
{
  set_up ();
  write_log (&sample_head, 1, 0);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 2);
  g_assert_cmpuint (satin_checkpoint_index_count_objects (index), ==, 2);
  assert_state (index, 5, 2, 100);
  assert_state (index, 6, 3, 0);
  tear_down ();
}

static void
test_of_another_run (void)
{
  static const guint8 other_run[SATIN_CHECKPOINT_ID_BYTES] = { 77 };
  SatinCheckpointHead head = sample_head;
  set_up ();
  head.run = other_run;
  write_log (&head, 1, 30);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  assert_state (index, 5, 2, 100);
  tear_down ();
}

static void
test_compacted (void)
{
  set_up ();
  write_log (&sample_head, 1, LARGE);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  compact (index);
  g_autoptr (SatinCheckpointIndex) again = sample_read (storage, NULL);
  g_assert_cmpuint (satin_checkpoint_index_count (again), ==, 2);
  g_assert_cmpuint (satin_checkpoint_index_count_objects (again), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      assert_state (i == 0 ? index : again, 5, 2, 100);
      assert_state (i == 0 ? index : again, 6, 3, LARGE);
    }
  g_assert_cmpuint (satin_checkpoint_index_bytes (again), ==, satin_checkpoint_index_bytes (index));
  tear_down ();
}

static void
test_compacted_without_append (void)
{
  set_up ();
  sample_forbid_append (storage);
  write_log (&sample_head, 1, 1000);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  compact (index);
  g_autoptr (SatinCheckpointIndex) again = sample_read (storage, NULL);
  assert_state (again, 5, 2, 100);
  assert_state (again, 6, 3, 1000);
  tear_down ();
}

/* Result 2 lies behind object 6, so the last byte of object 6 is the byte before it. */
static gint64
find_end_of_object_6 (SatinCheckpointIndex *index)
{
  const SatinCheckpointEntry *last = sample_find (index, 2);
  return (gint64)last->at.offset - 1;
}

static void
test_damaged (void)
{
  SatinCheckpointSummary summary;
  set_up ();
  write_log (&sample_head, 1, 50);
  g_autoptr (SatinCheckpointIndex) before = sample_read (storage, NULL);
  damage (find_end_of_object_6 (before));
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, &summary);
  g_assert_cmpuint (summary.n_damaged, ==, 1);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 2);
  g_assert_null (satin_checkpoint_index_find_object (index, 6));
  assert_state (index, 5, 2, 100);
  tear_down ();
}

static void
test_damaged_last_state (void)
{
  set_up ();
  write_log (&sample_head, 1, 50);
  g_autoptr (SatinCheckpointIndex) before = sample_read (storage, NULL);
  damage ((gint64)satin_checkpoint_index_find_object (before, 5)->at.offset + 21);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  assert_state (index, 5, 1, 100);
  tear_down ();
}

static void
test_damaged_large (void)
{
  g_autoptr (GError) error = NULL;
  set_up ();
  write_log (&sample_head, 1, LARGE);
  g_autoptr (SatinCheckpointIndex) before = sample_read (storage, NULL);
  damage (find_end_of_object_6 (before));
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  const SatinCheckpointEntry *entry = satin_checkpoint_index_find_object (index, 6);
  g_assert_nonnull (entry);
  g_assert_null (satin_checkpoint_read_result (storage, entry, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_cmpstr (strstr (error->message, "the object at"), !=, NULL);
  tear_down ();
}

static void
test_another_object_there (void)
{
  g_autoptr (GError) error = NULL;
  set_up ();
  write_log (&sample_head, 1, 100);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  SatinCheckpointEntry wrong = *satin_checkpoint_index_find_object (index, 5);
  wrong.at = satin_checkpoint_index_find_object (index, 6)->at;
  g_assert_null (satin_checkpoint_read_result (storage, &wrong, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/checkpoint-objects/" path, func)
  CLAIM ("the-last-state-is-read", test_last_state_is_read);
  CLAIM ("one-of-another-run-counts", test_of_another_run);
  CLAIM ("compaction-keeps-what-counts", test_compacted);
  CLAIM ("compaction-without-append-keeps-it-too", test_compacted_without_append);
  CLAIM ("a-damaged-one-is-left-out", test_damaged);
  CLAIM ("before-a-damaged-state-the-older-counts", test_damaged_last_state);
  CLAIM ("damage-of-a-large-one-is-found-when-it-is-read", test_damaged_large);
  CLAIM ("another-object-is-not-taken-for-it", test_another_object_there);
  return g_test_run ();
}
