/* test-checkpoint-read.c - tests how a folder of logs is read, or refused
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-sample.h"

#include <string.h>

static const guint8 other_id[SATIN_CHECKPOINT_ID_BYTES] = { 77 };

/* Writes the results [@first, @end) to a log. */
static void
write_log (SatinStorage *storage, const SatinCheckpointHead *head, guint64 number, guint first,
           guint end)
{
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, head, number);
  SatinCheckpointPlace place;
  for (guint i = first; i < end; i++)
    g_assert_true (sample_add (writer, i, &place, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
}

/* Changes the byte at @offset of a file; a negative @offset counts from the end. */
static void
damage (SatinStorage *storage, const char *name, gint64 offset)
{
  guint8 bytes[20000];
  gsize n = 0;
  g_assert_true (storage->ops.read (storage->handle, name, 0, bytes, sizeof bytes, &n, NULL));
  bytes[offset >= 0 ? (gsize)offset : n - (gsize)-offset] ^= 1;
  g_assert_true (storage->ops.remove (storage->handle, name, NULL));
  g_assert_true (storage->ops.append (storage->handle, name, 0, bytes, n, NULL));
}

/* ---- logs of other programs, builds and runs ---- */

static void
assert_refused (const SatinCheckpointHead *written, SatinErrorCode code, const char *message)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:read", NULL);
  g_autoptr (GError) error = NULL;
  write_log (storage, &sample_head, 1, 0, 3);
  write_log (storage, written, 2, 3, 5);
  g_assert_null (satin_checkpoint_read (storage, &sample_head, NULL, NULL, NULL, &error));
  g_assert_error (error, SATIN_ERROR, (gint)code);
  g_assert_cmpstr (error->message, ==, message);
  sample_remove_all (storage);
}

static void
test_other_program (void)
{
  SatinCheckpointHead head = sample_head;
  head.program = other_id;
  head.name = "fib";
  assert_refused (&head, SATIN_ERROR_PROGRAM,
                  "satin-0000000002-0000000007.log is of the program fib and this is queens: use "
                  "that one, or another folder");
}

static void
test_other_build (void)
{
  SatinCheckpointHead head = sample_head;
  head.program = other_id;
  assert_refused (&head, SATIN_ERROR_PROGRAM,
                  "satin-0000000002-0000000007.log is of another build of queens, with other tasks "
                  "than this queens: use that one, or another folder");
}

/* The tasks are the same. Another build is refused only if it is for the same architecture. */
static void
test_rebuilt (void)
{
  SatinCheckpointHead written = sample_head, wanted = sample_head;
  g_autoptr (SatinStorage) storage = sample_open ("mem:read", NULL);
  g_autoptr (GError) error = NULL;
  written.build = "x86-64:0a";
  wanted.build = "x86-64:0b";
  write_log (storage, &written, 1, 0, 3);
  g_assert_null (satin_checkpoint_read (storage, &wanted, NULL, NULL, NULL, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_PROGRAM);
  g_assert_nonnull (
      strstr (error->message, "another build of queens (x86-64:0a, this is x86-64:0b)"));
  wanted.build = "arm64:0b";
  g_clear_error (&error);
  g_autoptr (SatinCheckpointIndex) index =
      satin_checkpoint_read (storage, &wanted, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 3);
  sample_remove_all (storage);
}

static void
test_other_arguments (void)
{
  SatinCheckpointHead head = sample_head;
  head.root = other_id;
  head.arguments = "13";
  assert_refused (&head, SATIN_ERROR_INVALID,
                  "satin-0000000002-0000000007.log is of queens with the arguments \"13\" and "
                  "these are \"12\": give those, or another folder");
}

static void
test_other_version (void)
{
  SatinCheckpointHead head = sample_head;
  head.version = 1;
  assert_refused (
      &head, SATIN_ERROR_PROTOCOL,
      "satin-0000000002-0000000007.log is of version 1 and this Satin reads 3 and 4: use "
      "the one that wrote it, or another folder");
}

/* The progress that was reported while a checkpoint was read. */
typedef struct
{
  guint n;
  guint64 n_bytes, n_total_bytes;
} Told;

static void
note_progress (guint64 n_bytes, guint64 n_total_bytes, gpointer user_data)
{
  Told *told = user_data;
  g_assert_cmpuint (n_bytes, >=, told->n_bytes);
  told->n++;
  told->n_bytes = n_bytes;
  told->n_total_bytes = n_total_bytes;
}

/* Reading one log may take longer than the time after which a storage counts as hung. So progress
 * is reported within a log, too. */
static void
test_progress_is_told_within_a_log (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:read", NULL);
  g_autoptr (GError) error = NULL;
  Told told = { 0 };
  write_log (storage, &sample_head, 1, 0, 100);
  g_autoptr (SatinCheckpointIndex) index =
      satin_checkpoint_read (storage, &sample_head, note_progress, &told, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (told.n, >=, 100);
  g_assert_cmpuint (told.n_bytes, ==, told.n_total_bytes);
  sample_remove_all (storage);
}

static void
test_other_run (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:read", NULL);
  SatinCheckpointHead head = sample_head;
  head.run = other_id;
  write_log (storage, &head, 1, 0, 3);
  write_log (storage, &sample_head, 2, 3, 5);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 5);
  g_assert_cmpuint (sample_find (index, 1)->node, ==, 0);
  g_assert_cmpuint (sample_find (index, 3)->node, ==, 4);
  sample_remove_all (storage);
}

static void
test_first_decides (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:read", NULL);
  g_autoptr (GError) error = NULL;
  SatinCheckpointHead head = sample_head;
  head.root = other_id;
  write_log (storage, &head, 1, 0, 3);
  g_autoptr (SatinCheckpointIndex) index =
      satin_checkpoint_read (storage, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 3);
  write_log (storage, &sample_head, 2, 0, 3);
  g_assert_null (satin_checkpoint_read (storage, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  sample_remove_all (storage);
}

/* ---- the folder ---- */

static void
test_empty (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:read", NULL);
  SatinCheckpointSummary summary;
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, &summary);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 0);
  g_assert_cmpuint (summary.n_logs, ==, 0);
  g_assert_cmpuint (summary.last_number, ==, 0);
}

static void
test_other_files (void)
{
  static const char *const names[] = { "log",
                                       "satin-0000000001-0000000007.log.part",
                                       "satin-000000001-0000000007.log",
                                       "satin-00000000x1-0000000007.log",
                                       "satin-0000000001-9999999999.log",
                                       "satin-9999999999-0000000007.log",
                                       "satin-9000000000-0000000007.log",
                                       "satin-0000000001_0000000007.log" };
  g_autoptr (SatinStorage) storage = sample_open ("mem:read", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_false (satin_checkpoint_log_name_is_valid (names[i]));
      g_assert_true (
          storage->ops.append (storage->handle, names[i], 0, (const guint8 *)"x", 1, NULL));
    }
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  g_assert_cmpuint (logs->len, ==, 0);
  sample_remove_all (storage);
}

static void
test_order (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:read", NULL);
  SatinCheckpointHead head = sample_head;
  write_log (storage, &sample_head, 10000, 0, 1);
  write_log (storage, &sample_head, 9, 0, 1);
  head.node = 6;
  write_log (storage, &head, 10000, 0, 1);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  g_assert_cmpuint (logs->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (logs, i);
      g_assert_cmpuint (log->number, ==, ((const guint64[]){ 9, 10000, 10000 })[i]);
      g_assert_cmpuint (log->node, ==, ((const SatinNodeId[]){ 7, 6, 7 })[i]);
    }
  sample_remove_all (storage);
}

static void
test_summary (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:read", NULL);
  SatinCheckpointSummary summary;
  Told told = { 0 };
  write_log (storage, &sample_head, 4, 0, 3);
  write_log (storage, &sample_head, 7, 3, 5);
  damage (storage, "satin-0000000007-0000000007.log", -1);
  g_autoptr (SatinCheckpointIndex) index =
      satin_checkpoint_read (storage, &sample_head, note_progress, &told, &summary, NULL);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 4);
  g_assert_cmpuint (told.n_bytes, ==, told.n_total_bytes);
  g_assert_cmpuint (summary.n_logs, ==, 2);
  g_assert_cmpuint (summary.last_number, ==, 7);
  g_assert_cmpuint (summary.n_damaged, ==, 1);
  g_assert_cmpuint (summary.n_damaged_bytes, >, sample_size (4));
  sample_remove_all (storage);
}

static void
test_damaged_head (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:read", NULL);
  SatinCheckpointSummary summary;
  write_log (storage, &sample_head, 1, 0, 3);
  write_log (storage, &sample_head, 2, 3, 5);
  damage (storage, "satin-0000000001-0000000007.log", 30);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, &summary);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 2);
  g_assert_cmpuint (summary.n_damaged, ==, 1);
  g_assert_cmpuint (summary.n_damaged_bytes, ==,
                    ((SatinCheckpointLog *)g_ptr_array_index (logs, 0))->size_bytes);
  sample_remove_all (storage);
}

static void
test_failure (void)
{
  for (guint n = 1; n <= 4; n++)
    {
      g_autofree char *params = g_strdup_printf ("fault.fail-call=%u", n);
      g_autoptr (SatinStorage) storage = sample_open ("mem:read", NULL);
      g_autoptr (SatinStorage) failing = sample_open ("fault+mem:read", params);
      g_autoptr (GError) error = NULL;
      write_log (storage, &sample_head, 1, 0, 3);
      write_log (storage, &sample_head, 2, 0, 3);
      g_autoptr (SatinCheckpointIndex) index =
          satin_checkpoint_read (failing, &sample_head, NULL, NULL, NULL, &error);
      g_assert_true ((index == NULL) == (n <= 3));
      g_assert_true ((error != NULL) == (n <= 3));
      sample_remove_all (storage);
    }
}

/* ---- results ---- */

static void
assert_unreadable (SatinStorage *storage, const SatinCheckpointEntry *entry, SatinErrorCode code)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (satin_checkpoint_read_result (storage, entry, &error));
  g_assert_error (error, SATIN_ERROR, (gint)code);
}

static void
test_damaged_result (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:read", NULL);
  write_log (storage, &sample_head, 1, 0, 5);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  const SatinCheckpointEntry *entry = sample_find (index, 3);
  damage (storage, entry->at.log->name, (gint64)entry->at.offset + 500);
  assert_unreadable (storage, entry, SATIN_ERROR_FORMAT);
  sample_assert_entry (storage, sample_find (index, 4), sample_size (4));
  sample_remove_all (storage);
}

static void
test_other_result (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:read", NULL);
  write_log (storage, &sample_head, 1, 0, 5);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  SatinCheckpointEntry entry = *sample_find (index, 3);
  entry.key[15] ^= 1;
  assert_unreadable (storage, &entry, SATIN_ERROR_FORMAT);
  sample_remove_all (storage);
}

static void
test_log_gone (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:read", NULL);
  write_log (storage, &sample_head, 1, 0, 5);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  sample_remove_all (storage);
  assert_unreadable (storage, sample_find (index, 3), SATIN_ERROR_NOT_FOUND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/checkpoint-read/" path, func)
  CLAIM ("another-program-is-refused", test_other_program);
  CLAIM ("another-build-is-refused", test_other_build);
  CLAIM ("another-build-of-the-same-tasks-is-refused", test_rebuilt);
  CLAIM ("other-arguments-are-refused", test_other_arguments);
  CLAIM ("another-version-is-refused", test_other_version);
  CLAIM ("progress-is-told-within-a-log", test_progress_is_told_within_a_log);
  CLAIM ("another-run-counts", test_other_run);
  CLAIM ("without-a-head-the-first-log-decides", test_first_decides);
  CLAIM ("empty-folder-is-an-empty-index", test_empty);
  CLAIM ("other-files-are-passed-over", test_other_files);
  CLAIM ("logs-are-in-order", test_order);
  CLAIM ("summary-says-what-is-there", test_summary);
  CLAIM ("log-without-head-is-all-damage", test_damaged_head);
  CLAIM ("failing-storage-is-an-error", test_failure);
  CLAIM ("damaged-result-is-refused", test_damaged_result);
  CLAIM ("another-result-is-refused", test_other_result);
  CLAIM ("result-of-a-removed-log-is-an-error", test_log_gone);
  return g_test_run ();
}
