/* test-checkpoint-writer.c - tests that what the writer of logs writes can be read again
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-sample.h"

#include <satin/ft/checkpoint-program.h>
#include <string.h>

#define N_RESULTS 50u

/* Writes results, and syncs after every seven of them. */
static void
write_results (SatinStorage *storage, guint n_results)
{
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, &sample_head, 1);
  g_autoptr (GError) error = NULL;
  SatinCheckpointPlace place;
  for (guint i = 0; i < n_results; i++)
    {
      g_assert_true (sample_add (writer, i, &place, &error));
      if (i % 7 == 6)
        g_assert_true (satin_checkpoint_writer_sync (writer, &error));
    }
  g_assert_true (satin_checkpoint_writer_sync (writer, &error));
}

static void
assert_results (SatinStorage *storage, guint n_results)
{
  SatinCheckpointSummary summary;
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, &summary);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, n_results);
  g_assert_cmpuint (summary.n_damaged, ==, 0);
  for (guint i = 0; i < n_results; i++)
    sample_assert_entry (storage, sample_find (index, i), sample_size (i));
}

static void
test_round_trip (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:writer", NULL);
  write_results (storage, N_RESULTS);
  assert_results (storage, N_RESULTS);
  sample_remove_all (storage);
}

static void
test_round_trip_without_append (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:writer", NULL);
  sample_forbid_append (storage);
  write_results (storage, N_RESULTS);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  g_assert_cmpuint (logs->len, ==, N_RESULTS / 7 + 1);
  assert_results (storage, N_RESULTS);
  sample_remove_all (storage);
}

static void
test_nothing_before_a_result (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("fault+mem:writer", "fault.fail-call=1");
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, &sample_head, 1);
  g_autoptr (GError) error = NULL;
  g_assert_true (satin_checkpoint_writer_sync (writer, &error));
  g_assert_true (satin_checkpoint_writer_begin_log (writer, 5, &error));
  g_assert_cmpuint (satin_checkpoint_writer_get_bytes (writer), ==, 0);
  g_assert_cmpuint (satin_checkpoint_writer_get_next_number (writer), ==, 5);
}

/* A scan would not find a log with a number above the highest possible one. So no such log is
 * written. */
static void
test_highest_number (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:writer", NULL);
  g_autoptr (SatinCheckpointWriter) writer =
      satin_checkpoint_writer_new (storage, &sample_head, 8999999999 + 1);
  const SatinCheckpointResult result = { (const guint8 *)"0123456789abcdef", 16, "fib", 2 };
  g_autoptr (GError) error = NULL;
  SatinCheckpointPlace place;
  g_assert_false (satin_checkpoint_writer_add (writer, &result, NULL, 0, &place, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
}

/* The log is the example of docs/checkpoint-internals.md. */
static void
test_documented (void)
{
  /* clang-format off */
  static const guint8 expected[] = {
    0x53, 0x61, 0x74, 0x48, 0x47, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0xcf, 0x2a, 0xac, 0x80, 0x08, 0x20, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
    0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x20, 0x22, 0x22, 0x22, 0x22, 0x22, 0x22, 0x22, 0x22, 0x22,
    0x22, 0x22, 0x22, 0x22, 0x22, 0x22, 0x22, 0x20, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33,
    0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x06, 0x66, 0x69, 0x62, 0x04, 0x34, 0x30, 0x02,
    0x04, 0x80, 0x80, 0x82, 0xe2, 0x88, 0xd2, 0xa3, 0x06, 0x00, 0x00, 0x53, 0x61, 0x74, 0x54, 0x32,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x8c, 0x7b, 0x33, 0x9a, 0x02,
    0x31, 0x04, 0x10, 0x66, 0x69, 0x62, 0x5f, 0x61, 0x72, 0x67, 0x73, 0x02, 0x02, 0x6e, 0x00, 0x00,
    0x01, 0x00, 0x14, 0x66, 0x69, 0x62, 0x5f, 0x72, 0x65, 0x73, 0x75, 0x6c, 0x74, 0x02, 0x0a, 0x76,
    0x61, 0x6c, 0x75, 0x65, 0x02, 0x00, 0x01, 0x00, 0x00, 0x02, 0x06, 0x66, 0x69, 0x62, 0x00, 0x02,
    0x00, 0x53, 0x61, 0x74, 0x52, 0x25, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0xa8, 0xb8, 0x09, 0x7c, 0x20, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44,
    0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x06, 0x66, 0x69, 0x62, 0x04, 0x00, 0x06, 0x01, 0x00, 0x01,
    0x80, 0x89, 0xfc, 0xe2, 0x88, 0xd2, 0xa3, 0x06, 0x02, 0x4a, 0xda, 0xd6, 0x03, 0xf8, 0x68, 0x2d,
    0x66, 0x53, 0x61, 0x74, 0x4f, 0x1d, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0xc1, 0x3b, 0x0b, 0x70, 0xe5, 0xd6, 0xe7, 0xc3, 0x85, 0xd5, 0xae, 0xa9, 0x3a, 0x1a, 0x73,
    0x61, 0x74, 0x69, 0x6e, 0x5f, 0x6d, 0x69, 0x6e, 0x69, 0x6d, 0x75, 0x6d, 0x08, 0x74, 0x6f, 0x75,
    0x72, 0x00, 0xa4, 0x13, 0x00, 0x22, 0x65, 0xcc, 0x06,
  };
  /* clang-format on */
  guint8 run[16], program[16], root[16], key[16], bytes[sizeof expected + 1];
  memset (run, 0x11, sizeof run);
  memset (program, 0x22, sizeof program);
  memset (root, 0x33, sizeof root);
  memset (key, 0x44, sizeof key);
  static const SatinFieldForm n[] = { { "n", SATIN_FIELD_INT, FALSE, SATIN_FORM_PLAIN } };
  static const SatinFieldForm value[] = { { "value", SATIN_FIELD_LONG, FALSE, SATIN_FORM_PLAIN } };
  static const SatinRecordForm types[] = { { "fib_args", n, 1 }, { "fib_result", value, 1 } };
  static const SatinTaskForm fib = { "fib", 0, 1 };
  static const SatinTaskTable tasks = { "1", types, 2, &fib, 1 };
  SatinCheckpointHead head = { 4,  run,   16,   program, 16, root,
                               16, "fib", "40", 1,       2,  1767225600000000 };
  SatinCheckpointStored result = { { key, 16, "fib", 2, NULL, 0, (const guint8 *)"\1\0\1", 3 },
                                   1767225601000000,
                                   (const guint8 *)"\x4a",
                                   1 };
  g_autoptr (SatinStorage) storage = sample_open ("mem:writer", NULL);
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, &head, 1);
  SatinCheckpointObject object = { -2101313317245875635, "satin_minimum", "tour", 0 };
  SatinCheckpointPlace place;
  gsize n_bytes = 0;
  satin_checkpoint_writer_set_tasks (writer, &tasks);
  g_assert_true (satin_checkpoint_writer_add_stored (
      writer, &result, (const guint8 *)"\xda\xd6\x03", 3, &place, NULL));
  g_assert_true (satin_checkpoint_writer_add_object (writer, &object, (const guint8 *)"\xa4\x13", 3,
                                                     &place, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
  g_assert_true (storage->ops.read (storage->handle, "satin-0000000001-0000000002.log", 0, bytes,
                                    sizeof bytes, &n_bytes, NULL));
  g_assert_cmpmem (bytes, n_bytes, expected, sizeof expected);
  g_assert_cmphex (place.log->seed, ==, 0xdc2d186d);
  sample_remove_all (storage);
}

/* ---- sizes ---- */

static void
write_and_read_sized (gsize n_bytes)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:writer", NULL);
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, &sample_head, 1);
  SatinCheckpointPlace place;
  g_assert_true (sample_add (writer, 1, &place, NULL));
  g_assert_true (sample_add_sized (writer, 2, n_bytes, &place, NULL));
  g_assert_true (sample_add (writer, 3, &place, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  sample_assert_entry (storage, sample_find (index, 1), sample_size (1));
  sample_assert_entry (storage, sample_find (index, 2), n_bytes);
  sample_assert_entry (storage, sample_find (index, 3), sample_size (3));
  sample_remove_all (storage);
}

static void
test_empty_result (void)
{
  write_and_read_sized (0);
}

static void
test_large_results (void)
{
  write_and_read_sized (((gsize)1 << 20) + 1);
  write_and_read_sized (SATIN_STORAGE_BLOCK_MAX - 1);
  write_and_read_sized (SATIN_STORAGE_BLOCK_MAX + 12345);
  write_and_read_sized (2 * SATIN_STORAGE_BLOCK_MAX + 1);
}

static void
test_too_large_where_nothing_is_appended (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:writer", NULL);
  g_autoptr (GError) error = NULL;
  SatinCheckpointPlace place;
  sample_forbid_append (storage);
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, &sample_head, 1);
  g_assert_true (sample_add (writer, 1, &place, NULL));
  g_assert_false (sample_add_sized (writer, 2, SATIN_STORAGE_BLOCK_MAX, &place, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 1);
  sample_remove_all (storage);
}

static void
test_full_log_where_nothing_is_appended (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:writer", NULL);
  SatinCheckpointPlace place;
  sample_forbid_append (storage);
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, &sample_head, 1);
  for (guint i = 0; i < 5; i++)
    g_assert_true (sample_add_sized (writer, i, SATIN_STORAGE_BLOCK_MAX * 2 / 5, &place, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  g_assert_cmpuint (logs->len, ==, 3);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  for (guint i = 0; i < 5; i++)
    sample_assert_entry (storage, sample_find (index, i), SATIN_STORAGE_BLOCK_MAX * 2 / 5);
  sample_remove_all (storage);
}

static void
test_bytes (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:writer", NULL);
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, &sample_head, 1);
  SatinCheckpointSummary summary;
  SatinCheckpointPlace place;
  for (guint i = 0; i < 9; i++)
    {
      g_assert_true (sample_add (writer, i, &place, NULL));
      if (i % 4 == 0)
        g_assert_true (satin_checkpoint_writer_begin_log (writer, 0, NULL));
    }
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, &summary);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 9);
  g_assert_cmpuint (satin_checkpoint_writer_get_bytes (writer), ==, summary.n_bytes);
  g_assert_cmpuint (summary.n_logs, ==, 3);
  sample_remove_all (storage);
}

/* ---- errors ---- */

static void
test_new_log_after_an_error (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("fault+mem:writer", "fault.fail-call=3");
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, &sample_head, 1);
  g_autoptr (GError) error = NULL;
  SatinCheckpointPlace place;
  g_assert_true (sample_add (writer, 1, &place, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
  g_assert_true (sample_add (writer, 2, &place, NULL));
  g_assert_false (satin_checkpoint_writer_sync (writer, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  g_assert_true (sample_add (writer, 2, &place, NULL));
  g_assert_cmpuint (place.log->number, ==, 2);
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  g_assert_cmpuint (sample_find (index, 1)->at.log->number, ==, 1);
  g_assert_cmpuint (sample_find (index, 2)->at.log->number, ==, 2);
  sample_remove_all (storage);
}

static void
test_interrupted (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:writer", NULL);
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, &sample_head, 1);
  g_autoptr (GError) error = NULL;
  SatinCheckpointPlace place;
  g_assert_true (sample_add (writer, 1, &place, NULL));
  storage->ops.interrupt (storage->handle);
  g_assert_false (satin_checkpoint_writer_sync (writer, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT);
  g_assert_true (sample_add (writer, 1, &place, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  sample_assert_entry (storage, sample_find (index, 1), sample_size (1));
  sample_remove_all (storage);
}

static void
test_log_that_is_there (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:writer", NULL);
  g_autoptr (GError) error = NULL;
  SatinCheckpointPlace place;
  write_results (storage, 3);
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, &sample_head, 1);
  g_assert_true (sample_add (writer, 4, &place, NULL));
  g_assert_false (satin_checkpoint_writer_sync (writer, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  assert_results (storage, 3);
  g_assert_true (sample_add (writer, 4, &place, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
  g_assert_cmpuint (place.log->number, ==, 2);
  sample_remove_all (storage);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/checkpoint-writer/" path, func)
  CLAIM ("no-log-has-a-number-above-the-highest", test_highest_number);
  CLAIM ("what-is-written-is-read-again", test_round_trip);
  CLAIM ("each-sync-is-a-log-where-nothing-is-appended", test_round_trip_without_append);
  CLAIM ("nothing-is-written-before-a-result", test_nothing_before_a_result);
  CLAIM ("bytes-are-as-documented", test_documented);
  CLAIM ("empty-result-is-a-result", test_empty_result);
  CLAIM ("large-results-are-read-again", test_large_results);
  CLAIM ("too-large-is-refused-where-nothing-is-appended",
         test_too_large_where_nothing_is_appended);
  CLAIM ("full-log-is-followed-by-another", test_full_log_where_nothing_is_appended);
  CLAIM ("bytes-are-those-of-the-logs", test_bytes);
  CLAIM ("after-an-error-comes-a-new-log", test_new_log_after_an_error);
  CLAIM ("interrupted-sync-can-be-made-again", test_interrupted);
  CLAIM ("log-that-is-there-is-left-alone", test_log_that_is_there);
  return g_test_run ();
}
