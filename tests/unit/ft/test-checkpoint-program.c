/* test-checkpoint-program.c - tests what logs say of the program, and which builds may use them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-sample.h"

#include <satin/ft/checkpoint-program.h>
#include <string.h>

#define NAME      "satin-0000000001-0000000007.log"
#define STORED_US ((gint64)1700000001000000)

/* The tasks of two programs. Task "odd" takes one int in @one_task, and two ints in @two_tasks. It
 * gives a long. */
static const SatinFieldForm fields[] = { { "n", SATIN_FIELD_INT, FALSE, SATIN_FORM_PLAIN },
                                         { "m", SATIN_FIELD_INT, FALSE, SATIN_FORM_PLAIN } };
static const SatinFieldForm value[] = { { "value", SATIN_FIELD_LONG, FALSE, SATIN_FORM_PLAIN } };
static const SatinRecordForm types[] = { { "odd_args", fields, 1 },
                                         { "odd_result", value, 1 },
                                         { "odd_args", fields, 2 } };
static const SatinTaskForm one_task[] = { { "odd", 0, 1 } };
static const SatinTaskForm two_tasks[] = { { "even", 0, 1 }, { "odd", 2, 1 } };

static SatinTaskTable
make_table (const char *version, const SatinTaskForm *tasks, gsize n)
{
  return (SatinTaskTable){ version, types, G_N_ELEMENTS (types), tasks, n };
}

/* A job of task "odd" with argument @n, as child @n of the root job. */
static gboolean
add_job (SatinCheckpointWriter *writer, guint8 n)
{
  guint8 key[SATIN_CHECKPOINT_ID_BYTES];
  const guint8 argument[] = { (guint8)(2 * n) };
  const guint8 result[] = { (guint8)(4 * n) };
  SatinCheckpointPlace place;
  g_autoptr (GBytes) bytes = g_bytes_new_static (argument, 1);
  satin_record_digest_encoded (bytes, "odd", key);
  const SatinCheckpointStored stored = { .result = { .key = key,
                                                     .n_key = sizeof key,
                                                     .task = "odd",
                                                     .node = 3,
                                                     .path = &n,
                                                     .n_path = 1 },
                                         .stored_us = STORED_US + n,
                                         .arguments = argument,
                                         .n_arguments = 1 };
  return satin_checkpoint_writer_add_stored (writer, &stored, result, 1, &place, NULL);
}

/* Writes a log with the jobs 1 to 5. */
static void
write_log (SatinStorage *storage, const SatinCheckpointHead *head, const SatinTaskTable *table)
{
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, head, 1);
  if (table != NULL)
    satin_checkpoint_writer_set_tasks (writer, table);
  for (guint8 n = 1; n <= 5; n++)
    g_assert_true (add_job (writer, n));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
}

static void
assert_job (const SatinCheckpointEntry *entry, gpointer user_data)
{
  SatinCheckpointReader *reader = user_data;
  SatinCheckpointStored stored;
  g_autoptr (GBytes) result = satin_checkpoint_reader_read (reader, entry, &stored, NULL);
  g_assert_nonnull (result);
  guint8 n = *(const guint8 *)g_bytes_get_data (entry->place_in_tree, NULL);
  g_assert_true (satin_checkpoint_has_arguments (&stored));
  g_assert_cmpuint (stored.n_arguments, ==, 1);
  g_assert_cmpuint (stored.arguments[0], ==, 2 * n);
  g_assert_cmpint (stored.stored_us, ==, STORED_US + n);
  g_assert_cmpuint (*(const guint8 *)g_bytes_get_data (result, NULL), ==, 4 * n);
  satin_record_clear (&SatinCheckpointStored_record, &stored);
}

static void
assert_jobs (SatinStorage *storage)
{
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  g_autoptr (SatinCheckpointReader) reader = satin_checkpoint_reader_new (storage);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 5);
  satin_checkpoint_index_foreach (index, assert_job, reader);
}

static void
assert_table (SatinStorage *storage, const char *version, gsize n_tasks)
{
  SatinCheckpointHead head;
  SatinTaskTable table;
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  g_assert_true (
      satin_checkpoint_read_beginning (storage, g_ptr_array_index (logs, 0), &head, &table, NULL));
  g_assert_cmpstr (head.name, ==, "queens");
  g_assert_cmpstr (table.results_version != NULL ? table.results_version : "", ==, version);
  g_assert_cmpuint (table.n_tasks, ==, n_tasks);
  satin_record_clear (&SatinCheckpointHead_record, &head);
  satin_record_clear (&SatinTaskTable_record, &table);
}

static void
test_stored (void)
{
  const SatinTaskTable table = make_table ("7", one_task, 1);
  g_autoptr (SatinStorage) storage = sample_open ("mem:program", NULL);
  write_log (storage, &sample_head, &table);
  assert_jobs (storage);
  assert_table (storage, "7", 1);
  sample_remove_all (storage);
}

static void
test_compacted (void)
{
  const SatinTaskTable table = make_table ("7", one_task, 1);
  g_autoptr (SatinStorage) storage = sample_open ("mem:program", NULL);
  write_log (storage, &sample_head, &table);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  g_autoptr (SatinCheckpointCompaction) compaction =
      satin_checkpoint_compaction_new (storage, index, &sample_head, 2, logs);
  satin_checkpoint_compaction_set_tasks (compaction, &table);
  for (gboolean is_over = FALSE; !is_over;)
    g_assert_true (satin_checkpoint_compaction_step (compaction, &is_over, NULL));
  assert_jobs (storage);
  assert_table (storage, "7", 1);
  sample_remove_all (storage);
}

static void
test_too_many_tasks (void)
{
  enum
  {
    N = 10000
  };
  g_autofree SatinTaskForm *many = g_new0 (SatinTaskForm, N);
  for (guint i = 0; i < N; i++)
    many[i] = (SatinTaskForm){ "a_long_name_of_a_task", 0, 1 };
  const SatinTaskTable table = make_table ("7", many, N);
  g_autoptr (SatinStorage) storage = sample_open ("mem:program", NULL);
  write_log (storage, &sample_head, &table);
  assert_jobs (storage);
  assert_table (storage, "7", 0);
  sample_remove_all (storage);
}

/* A damaged table of tasks counts as damage like any other. The results of its log still count. */
static void
test_damaged_table (void)
{
  const SatinTaskTable table = make_table ("7", one_task, 1);
  guint8 bytes[4000];
  gsize n = 0;
  SatinCheckpointSummary summary;
  g_autoptr (SatinStorage) storage = sample_open ("mem:program", NULL);
  write_log (storage, &sample_head, &table);
  g_assert_true (storage->ops.read (storage->handle, NAME, 0, bytes, sizeof bytes, &n, NULL));
  guint8 *tasks = memmem (bytes, n, "SatT", 4);
  tasks[30] ^= 1;
  g_assert_true (storage->ops.remove (storage->handle, NAME, NULL));
  g_assert_true (storage->ops.append (storage->handle, NAME, 0, bytes, n, NULL));
  assert_jobs (storage);
  assert_table (storage, "", 0);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, &summary);
  g_assert_cmpuint (summary.n_damaged, ==, 1);
  sample_remove_all (storage);
}

/* A log of version 3 with one result: the first one of the example that
 * docs/checkpoint-internals.md had at that version. */
static void
test_version_3 (void)
{
  static const guint8 log[] = {
    0x53, 0x61, 0x74, 0x48, 0x47, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x31, 0x4d, 0x31, 0x0e, 0x06, 0x20, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
    0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x20, 0x22, 0x22, 0x22, 0x22, 0x22, 0x22,
    0x22, 0x22, 0x22, 0x22, 0x22, 0x22, 0x22, 0x22, 0x22, 0x22, 0x20, 0x33, 0x33, 0x33, 0x33,
    0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x06, 0x66, 0x69,
    0x62, 0x04, 0x34, 0x30, 0x02, 0x04, 0x80, 0x80, 0x82, 0xe2, 0x88, 0xd2, 0xa3, 0x06, 0x00,
    0x00, 0x53, 0x61, 0x74, 0x52, 0x1b, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x1d, 0x34, 0xae, 0xb5, 0x20, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44,
    0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x06, 0x66, 0x69, 0x62, 0x04, 0x00, 0x06,
    0x01, 0x00, 0x01, 0xda, 0xd6, 0x03, 0x58, 0x26, 0xaf, 0x19,
  };
  SatinCheckpointSummary summary;
  SatinCheckpointStored stored;
  g_autoptr (SatinStorage) storage = sample_open ("mem:program", NULL);
  g_assert_true (storage->ops.append (storage->handle, "satin-0000000001-0000000002.log", 0, log,
                                      sizeof log, NULL));
  g_autoptr (SatinCheckpointIndex) index =
      satin_checkpoint_read (storage, NULL, NULL, NULL, &summary, NULL);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 1);
  g_assert_cmpuint (summary.n_damaged, ==, 0);
  g_autoptr (SatinCheckpointReader) reader = satin_checkpoint_reader_new (storage);
  g_autoptr (GBytes) result =
      satin_checkpoint_reader_read (reader, satin_checkpoint_index_find (index, 1), &stored, NULL);
  g_assert_cmpmem (g_bytes_get_data (result, NULL), g_bytes_get_size (result), "\xda\xd6\x03", 3);
  g_assert_cmpint (stored.stored_us, ==, 0);
  g_assert_false (satin_checkpoint_has_arguments (&stored));
  satin_record_clear (&SatinCheckpointStored_record, &stored);
  sample_remove_all (storage);
}

/* ---- which build may use the results ---- */

/* Writes a log by build "x86-64:0a" with the tasks @before. Checks whether @build with the tasks
 * @now may read it. @part: (nullable): a part of the message that refuses it; %NULL: the log is
 * accepted */
static void
assert_read (const SatinTaskTable *before, const char *build, const SatinTaskTable *now,
             const char *part)
{
  SatinCheckpointHead written = sample_head, wanted = sample_head;
  g_autoptr (SatinStorage) storage = sample_open ("mem:program", NULL);
  g_autoptr (GError) error = NULL;
  written.build = "x86-64:0a";
  wanted.build = build;
  write_log (storage, &written, before);
  g_autoptr (SatinCheckpointIndex) index =
      satin_checkpoint_read_for (storage, &wanted, now, NULL, NULL, NULL, &error);
  if (part == NULL)
    g_assert_no_error (error);
  else
    {
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_PROGRAM);
      g_assert_nonnull (strstr (error->message, part));
    }
  sample_remove_all (storage);
}

static void
test_versions (void)
{
  const SatinTaskTable none = make_table ("", one_task, 1), seven = make_table ("7", one_task, 1);
  const SatinTaskTable eight = make_table ("8", one_task, 1);
  const char *code = "no task has changed its arguments or result, but the code may have";
  assert_read (&none, "x86-64:0a", &none, NULL);
  assert_read (&none, "x86-64:0b", &none, code);
  assert_read (NULL, "x86-64:0b", &none, code);
  assert_read (NULL, "x86-64:0a", &seven, NULL);
  assert_read (&seven, "x86-64:0b", &none, code);
  assert_read (&none, "x86-64:0b", &seven, code);
  assert_read (&seven, "x86-64:0b", &seven, NULL);
  assert_read (&seven, "x86-64:0b", &eight, "results of version 7 of queens and this is version 8");
  assert_read (&seven, NULL, &eight, "results of version 7 of queens and this is version 8");
  assert_read (&seven, "arm64:0b", &eight, "results of version 7 of queens");
}

static void
test_other_tasks (void)
{
  static const guint8 other_id[SATIN_CHECKPOINT_ID_BYTES] = { 77 };
  const SatinTaskTable before = make_table ("", one_task, 1), now = make_table ("", two_tasks, 2);
  SatinCheckpointHead written = sample_head;
  g_autoptr (SatinStorage) storage = sample_open ("mem:program", NULL);
  g_autoptr (GError) error = NULL;
  written.program = other_id;
  write_log (storage, &written, &before);
  g_assert_null (satin_checkpoint_read_for (storage, &sample_head, &now, NULL, NULL, NULL, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_PROGRAM);
  g_assert_cmpstr (error->message, ==,
                   NAME " is of another build of queens, with other tasks than this queens: task "
                        "even is new; task odd: argument m is new: use that one, or another "
                        "folder, or carry results over with --checkpoint-convert");
  sample_remove_all (storage);
}

static void
test_compare (void)
{
  const SatinTaskTable one = make_table ("", one_task, 1), two = make_table ("", two_tasks, 2);
  const SatinTaskTable nothing = { 0 };
  static const SatinTaskForm wrong[] = { { "odd", 99, -1 } };
  const SatinTaskTable malformed = make_table ("", wrong, 1);
  g_autofree char *gone = satin_checkpoint_compare_tasks (&two, &one);
  g_assert_cmpstr (gone, ==, "task even is gone; task odd: argument m is gone");
  g_assert_null (satin_checkpoint_compare_tasks (&one, &one));
  g_assert_null (satin_checkpoint_compare_tasks (NULL, &one));
  g_assert_null (satin_checkpoint_compare_tasks (&nothing, &one));
  g_assert_null (satin_checkpoint_compare_tasks (&malformed, &one));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(CLAIM, TEST) g_test_add_func ("/ft/checkpoint-program/" CLAIM, TEST)
  ADD ("tasks-arguments-and-times-are-stored", test_stored);
  ADD ("a-compaction-keeps-them", test_compacted);
  ADD ("of-too-many-tasks-the-version-is-stored", test_too_many_tasks);
  ADD ("results-behind-a-damaged-table-count", test_damaged_table);
  ADD ("version-3-is-read", test_version_3);
  ADD ("the-same-version-of-results-is-accepted", test_versions);
  ADD ("other-tasks-are-named", test_other_tasks);
  ADD ("compare", test_compare);
  return g_test_run ();
}
