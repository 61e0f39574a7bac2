/* test-checkpoint-convert.c - tests that results are carried over to a program with other tasks
 *
 * The program has a task "odd", whose argument n becomes a long and gets a neighbour m, and whose
 * result gets a second field. The task "gone" is gone in the new program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-sample.h"

#include <satin/ft/checkpoint-program.h>
#include <string.h>

#define N_JOBS  5
#define N_GONE  2
#define N_CALLS 60 /* more calls than a conversion makes */
#define N_LARGE 3
/* More than the writer collects in its buffer. */
#define LARGE_BYTES ((gsize)5 << 20)

/* clang-format off */
SATIN_RECORD (OldArgs, (int, n))
SATIN_RECORD (NewArgs, (long, n), (int, m))
SATIN_RECORD (BadArgs, (string, n))
SATIN_RECORD (OldResult, (long, value))
SATIN_RECORD (NewResult, (string, name), (double, value))
SATIN_RECORD (LargeResult, (bytes, data))
/* clang-format on */

/* A program's table of tasks, made of records. */
typedef struct
{
  GArray *forms; /* (owned) */
  SatinTaskForm tasks[2];
  SatinTaskTable table;
} Program;

static void
program_init (Program *self, const SatinRecord *arguments, const SatinRecord *result, gsize n_tasks)
{
  self->forms = satin_record_forms_new ();
  for (gsize i = 0; i < 2; i++)
    self->tasks[i] =
        (SatinTaskForm){ i == 0 ? "odd" : "gone", satin_record_forms_add (self->forms, arguments),
                         satin_record_forms_add (self->forms, result) };
  self->table = (SatinTaskTable){ "", (const SatinRecordForm *)self->forms->data, self->forms->len,
                                  self->tasks, n_tasks };
}

static void
program_clear (Program *self)
{
  g_array_unref (self->forms);
}

/* The HEAD of the program as it is now. */
static SatinCheckpointHead
new_head (void)
{
  static guint8 program[SATIN_CHECKPOINT_ID_BYTES] = { 77 };
  static guint8 run[SATIN_CHECKPOINT_ID_BYTES] = { 78 };
  SatinCheckpointHead head = sample_head;
  head.program = program;
  head.run = run;
  return head;
}

/* Adds the job @n of a task, as child @n of the root job. @result: encoded */
static void
add_job_with (SatinCheckpointWriter *writer, const char *task, gint32 n, GBytes *result)
{
  guint8 key[SATIN_CHECKPOINT_ID_BYTES];
  const guint8 path = (guint8)n;
  const OldArgs args = { n };
  SatinCheckpointPlace place;
  g_autoptr (GBytes) arguments = satin_record_to_bytes (&OldArgs_record, &args);
  satin_record_digest_encoded (arguments, task, key);
  SatinCheckpointStored stored = { .stored_us = 1000 + n };
  stored.result = (SatinCheckpointResult){
    .key = key, .n_key = sizeof key, .task = task, .node = 3, .path = &path, .n_path = 1
  };
  stored.arguments = g_bytes_get_data (arguments, &stored.n_arguments);
  g_assert_true (satin_checkpoint_writer_add_stored (
      writer, &stored, g_bytes_get_data (result, NULL), g_bytes_get_size (result), &place, NULL));
}

static void
add_job (SatinCheckpointWriter *writer, const char *task, gint32 n)
{
  const OldResult value = { 100 * n };
  g_autoptr (GBytes) result = satin_record_to_bytes (&OldResult_record, &value);
  add_job_with (writer, task, n, result);
}

/* Fills the storage with the logs of the old program. */
static void
write_old (SatinStorage *storage, gsize n_tasks)
{
  Program old;
  sample_remove_all (storage);
  program_init (&old, &OldArgs_record, &OldResult_record, n_tasks);
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, &sample_head, 1);
  satin_checkpoint_writer_set_tasks (writer, &old.table);
  for (gint32 n = 1; n <= N_JOBS + N_GONE; n++)
    add_job (writer, n <= N_JOBS ? "odd" : "gone", n);
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
  program_clear (&old);
}

static gboolean
convert_to (SatinStorage *storage, const SatinRecord *arguments, const SatinRecord *result,
            SatinCheckpointConversion *ret, GError **error)
{
  Program now;
  const SatinCheckpointHead head = new_head ();
  program_init (&now, arguments, result, 1);
  gboolean is_done = satin_checkpoint_convert (storage, &head, &now.table, NULL, NULL, ret, error);
  program_clear (&now);
  return is_done;
}

static gboolean
convert (SatinStorage *storage, const SatinRecord *arguments, SatinCheckpointConversion *ret,
         GError **error)
{
  return convert_to (storage, arguments, &NewResult_record, ret, error);
}

/* Checks a result as the new program would find it: by its place and its key. */
static void
assert_carried (const SatinCheckpointEntry *entry, gpointer user_data)
{
  guint8 key[SATIN_CHECKPOINT_ID_BYTES];
  gint32 n = *(const guint8 *)g_bytes_get_data (entry->place_in_tree, NULL);
  const NewArgs args = { n, 0 };
  NewResult value;
  SatinCheckpointStored stored;
  g_autoptr (SatinCheckpointReader) reader = satin_checkpoint_reader_new (user_data);
  g_autoptr (GBytes) result = satin_checkpoint_reader_read (reader, entry, &stored, NULL);
  g_assert_nonnull (result);
  satin_record_digest (&NewArgs_record, "odd", &args, key);
  g_assert_cmpstr (entry->task, ==, "odd");
  g_assert_cmpmem (entry->key, sizeof entry->key, key, sizeof key);
  g_assert_true (satin_checkpoint_has_arguments (&stored));
  g_assert_cmpint (stored.stored_us, ==, 1000 + n);
  g_assert_true (satin_record_decode (&NewResult_record, g_bytes_get_data (result, NULL),
                                      g_bytes_get_size (result), &value, NULL));
  g_assert_cmpstr (value.name, ==, "");
  g_assert_cmpfloat (value.value, ==, 100. * n);
  satin_record_clear (&NewResult_record, &value);
  satin_record_clear (&SatinCheckpointStored_record, &stored);
}

/* Checks that the new program finds all that could be carried over, and nothing else. */
static void
assert_all_carried (SatinStorage *storage)
{
  Program now;
  const SatinCheckpointHead head = new_head ();
  g_autoptr (GError) error = NULL;
  program_init (&now, &NewArgs_record, &NewResult_record, 1);
  g_autoptr (SatinCheckpointIndex) index =
      satin_checkpoint_read_for (storage, &head, &now.table, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, N_JOBS);
  satin_checkpoint_index_foreach (index, assert_carried, storage);
  program_clear (&now);
}

static void
test_carried (void)
{
  SatinCheckpointConversion conversion;
  g_autoptr (SatinStorage) storage = sample_open ("mem:convert", NULL);
  write_old (storage, 2);
  g_assert_true (convert (storage, &NewArgs_record, &conversion, NULL));
  g_assert_cmpuint (conversion.n_carried, ==, N_JOBS);
  g_assert_cmpuint (conversion.n_left, ==, N_GONE);
  g_assert_cmpstr (conversion.reason, ==, "task gone is gone");
  g_free (conversion.reason);
  assert_all_carried (storage);
  g_assert_true (convert (storage, &NewArgs_record, &conversion, NULL));
  g_assert_cmpuint (conversion.n_carried + conversion.n_left, ==, 0);
  g_assert_null (conversion.reason);
}

static void
test_kind (void)
{
  SatinCheckpointConversion conversion;
  g_autoptr (SatinStorage) storage = sample_open ("mem:convert", NULL);
  write_old (storage, 2);
  g_assert_true (convert (storage, &BadArgs_record, &conversion, NULL));
  g_assert_cmpuint (conversion.n_carried, ==, 0);
  g_assert_cmpuint (conversion.n_left, ==, N_JOBS + N_GONE);
  g_assert_cmpstr (conversion.reason, ==, "task odd: argument n is string and was int");
  g_free (conversion.reason);
}

static void
test_without_types (void)
{
  SatinCheckpointConversion conversion;
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinStorage) storage = sample_open ("mem:convert", NULL);
  write_old (storage, 0);
  g_assert_false (convert (storage, &NewArgs_record, &conversion, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_PROGRAM);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, N_JOBS + N_GONE);
}

/* Fills the storage with a log of large results. */
static void
write_large (SatinStorage *storage)
{
  Program old;
  g_autofree guint8 *data = g_malloc0 (LARGE_BYTES);
  const LargeResult value = { data, LARGE_BYTES };
  g_autoptr (GBytes) result = satin_record_to_bytes (&LargeResult_record, &value);
  sample_remove_all (storage);
  program_init (&old, &OldArgs_record, &LargeResult_record, 1);
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, &sample_head, 1);
  satin_checkpoint_writer_set_tasks (writer, &old.table);
  for (gint32 n = 1; n <= N_LARGE; n++)
    add_job_with (writer, "odd", n, result);
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
  program_clear (&old);
}

static gboolean (*real_append) (gpointer handle, const char *name, guint64 offset,
                                const guint8 *bytes, gsize n_bytes, GError **error);
static SatinStorage *crowded; /* (nullable): has no room for the next append */

static gboolean
append_without_room (gpointer handle, const char *name, guint64 offset, const guint8 *bytes,
                     gsize n_bytes, GError **error)
{
  crowded->ops.append = real_append;
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "no space left");
  return FALSE;
}

/* Another program frees room after the first append. */
static void
test_no_room_for_a_while (void)
{
  SatinCheckpointConversion conversion;
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinStorage) storage = crowded = sample_open ("mem:convert", NULL);
  write_large (storage);
  real_append = storage->ops.append;
  storage->ops.append = append_without_room;
  g_assert_false (convert_to (storage, &NewArgs_record, &LargeResult_record, &conversion, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_assert_true (convert_to (storage, &NewArgs_record, &LargeResult_record, &conversion, NULL));
  g_assert_cmpuint (conversion.n_carried, ==, N_LARGE);
  g_assert_cmpuint (conversion.n_left, ==, 0);
}

/* Converts twice: first while @what happens in call @call of the storage, and then without it.
 * Nothing is lost. Returns: whether the first conversion has failed */
static gboolean
convert_twice (const char *what, guint call, gboolean can_append)
{
  SatinCheckpointConversion conversion;
  g_autofree char *params = g_strdup_printf ("%s=%u,seed=%u", what, call, call);
  g_autoptr (SatinStorage) whole = sample_open ("sim:convert", NULL);
  if (!can_append)
    sample_forbid_append (whole);
  write_old (whole, 2);
  g_autoptr (SatinStorage) bad = sample_open ("sim:convert", params);
  if (!can_append)
    sample_forbid_append (bad);
  gboolean has_failed = !convert (bad, &NewArgs_record, &conversion, NULL);
  if (!has_failed)
    g_free (conversion.reason);
  g_autoptr (SatinStorage) after = sample_open ("sim:convert", NULL);
  if (!can_append)
    sample_forbid_append (after);
  g_assert_true (convert (after, &NewArgs_record, &conversion, NULL));
  g_free (conversion.reason);
  assert_all_carried (after);
  return has_failed;
}

static void
try_all_calls (const char *what, gboolean can_append)
{
  guint n_failed = 0;
  for (guint call = 1; call <= N_CALLS; call++)
    n_failed += convert_twice (what, call, can_append) ? 1 : 0;
  g_assert_cmpuint (n_failed, >, 3);
}

static void
test_failures (void)
{
  try_all_calls ("fail-call", TRUE);
  try_all_calls ("fail-call", FALSE);
}

static void
test_power (void)
{
  try_all_calls ("crash-call", TRUE);
  try_all_calls ("crash-call", FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/checkpoint-convert/results-are-carried-over-once", test_carried);
  g_test_add_func ("/ft/checkpoint-convert/another-kind-is-left-out-with-its-reason", test_kind);
  g_test_add_func ("/ft/checkpoint-convert/logs-without-types-stay", test_without_types);
  g_test_add_func ("/ft/checkpoint-convert/without-room-the-old-logs-stay",
                   test_no_room_for_a_while);
  g_test_add_func ("/ft/checkpoint-convert/a-failing-call-loses-nothing", test_failures);
  g_test_add_func ("/ft/checkpoint-convert/a-loss-of-power-loses-nothing", test_power);
  return g_test_run ();
}
