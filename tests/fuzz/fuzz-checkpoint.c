/* fuzz-checkpoint.c - fuzzes the reading and the compaction of a checkpoint's logs
 *
 * The first byte of an input says how the log is read. The rest is a log. For half of the inputs
 * the target first corrects all check sums, so that damage behind them is reached: wherever there
 * is a marker, the head and the result behind it get the sums that they need.
 *
 * A scan must end without an error, and must report each byte at most once and in order. A result
 * that a scan of all bytes has found must be readable. All results that count must survive a
 * compaction. A program with other tasks must be able to read the log after the results were
 * carried over, and may not find more results than those.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "log/private.h"
#include "log/crc32c.h"
#include "fuzz.h"

#include <string.h>

/* Bits of the first byte. */
#define MAKE_RIGHT  1u
#define NO_RANGE    2u
#define NO_APPEND   4u
#define WHOLE       8u  /* one scan reads all bytes, else it skips what it can */
#define READ        48u /* one of these bits: read the checkpoint; both: also compact it */
#define CONVERT     64u /* read the checkpoint for a program with other tasks */
#define OLD_NAME    "satin-0000000001-0000000001.log"
#define NEW_NUMBER  7u
#define N_NEW_FILES 8u

/* ---- a storage with one old log, and some new ones ---- */

typedef struct
{
  const guint8 *bytes; /* (borrowed): the old log */
  gsize n_bytes;
  gboolean is_removed;
  char *names[N_NEW_FILES];           /* (owned) (nullable) */
  GByteArray *new_files[N_NEW_FILES]; /* (owned) */
} Folder;

static GByteArray *
find_new (const Folder *self, const char *name)
{
  for (guint i = 0; i < N_NEW_FILES && self->names[i] != NULL; i++)
    if (strcmp (self->names[i], name) == 0)
      return self->new_files[i];
  return NULL;
}

static gboolean
folder_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes,
               gsize n_bytes, GError **error)
{
  Folder *self = storage;
  GByteArray *file = find_new (self, name);
  guint i = 0;
  if (file == NULL)
    {
      while (self->names[i] != NULL)
        i++;
      g_assert_cmpuint (i, <, N_NEW_FILES - 1);
      self->names[i] = g_strdup (name);
      file = self->new_files[i] = g_byte_array_new ();
    }
  g_assert_cmpuint (offset, ==, file->len);
  g_byte_array_append (file, bytes, (guint)n_bytes);
  return TRUE;
}

static gboolean
folder_sync (gpointer storage, const char *name, GError **error)
{
  return TRUE;
}

static gboolean
folder_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
             gsize *ret_n_bytes, GError **error)
{
  const Folder *self = storage;
  const GByteArray *file = find_new (self, name);
  const guint8 *bytes = file != NULL ? file->data : self->bytes;
  gsize n = file != NULL ? file->len : self->n_bytes;
  g_assert_true (file != NULL || strcmp (name, OLD_NAME) == 0);
  g_assert_cmpuint (n_bytes, >, 0);
  g_assert_cmpuint (n_bytes, <=, SATIN_STORAGE_BLOCK_MAX);
  *ret_n_bytes = offset < n ? MIN (n_bytes, n - offset) : 0;
  memcpy (buffer, bytes + MIN (offset, n), *ret_n_bytes);
  return TRUE;
}

static gboolean
folder_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  const Folder *self = storage;
  if (!self->is_removed)
    func (OLD_NAME, self->n_bytes, user_data);
  for (guint i = 0; self->names[i] != NULL; i++)
    func (self->names[i], self->new_files[i]->len, user_data);
  return TRUE;
}

static gboolean
folder_remove (gpointer storage, const char *name, GError **error)
{
  Folder *self = storage;
  self->is_removed |= strcmp (name, OLD_NAME) == 0;
  return TRUE;
}

static void
folder_init (Folder *self, SatinStorage *storage, guint can)
{
  memset (self, 0, sizeof *self);
  *storage = (SatinStorage){ { .struct_size = sizeof (SatinStorageOps),
                               .append = folder_append,
                               .sync = folder_sync,
                               .read = folder_read,
                               .list = folder_list,
                               .remove = folder_remove },
                             self,
                             can };
}

static void
folder_clear (Folder *self)
{
  for (guint i = 0; self->names[i] != NULL; i++)
    {
      g_free (self->names[i]);
      g_byte_array_unref (self->new_files[i]);
    }
}

/* ---- check sums ---- */

static void
put_sum (guint8 *bytes, guint32 sum)
{
  guint32 little = GUINT32_TO_LE (sum);
  memcpy (bytes, &little, sizeof little);
}

/* Corrects the sums of the record that begins at @bytes, as far as the record is there. Returns:
 * the number of its bytes; 0: no record begins there */
static gsize
make_record_right (guint8 *bytes, gsize n_bytes, guint32 seed)
{
  CheckpointFrame frame;
  if (n_bytes < CHECKPOINT_FRAME_BYTES || !checkpoint_frame_parse (bytes, &frame)
      || frame.n_head > n_bytes - CHECKPOINT_FRAME_BYTES)
    return 0;
  guint8 *body = bytes + CHECKPOINT_FRAME_BYTES + frame.n_head;
  guint32 sum = crc32c (crc32c (seed, bytes, 16), bytes + CHECKPOINT_FRAME_BYTES, frame.n_head);
  put_sum (bytes + 16, sum);
  guint64 n_record = checkpoint_frame_bytes (frame.n_head, frame.n_body);
  if (frame.n_body > 0 && n_record <= n_bytes)
    put_sum (body + frame.n_body, crc32c (sum, body, frame.n_body));
  return n_record <= n_bytes ? (gsize)n_record : CHECKPOINT_FRAME_BYTES;
}

static void
make_right (guint8 *bytes, gsize n_bytes)
{
  char name[] = OLD_NAME;
  SatinCheckpointLog log = { .name = name };
  SatinCheckpointHead head;
  gsize at = make_record_right (bytes, n_bytes, 0);
  if (at <= CHECKPOINT_FRAME_BYTES
      || !checkpoint_decode_head (bytes + CHECKPOINT_FRAME_BYTES, at - CHECKPOINT_FRAME_BYTES,
                                  &head))
    return;
  checkpoint_log_set_seed (&log, &head);
  satin_record_clear (&SatinCheckpointHead_record, &head);
  while (at < n_bytes)
    at += MAX (make_record_right (bytes + at, n_bytes - at, log.seed), 1);
}

/* ---- what a scan reports ---- */

typedef struct
{
  SatinStorage *storage;
  guint64 offset; /* all bytes before this offset have been reported */
  guint8 run[SATIN_CHECKPOINT_ID_BYTES];
  gboolean is_whole;
  gboolean has_covers;
} Told;

static gboolean
on_head (const SatinCheckpointHead *head, gpointer user_data)
{
  Told *self = user_data;
  g_assert_cmpuint (self->offset, ==, 0);
  if (!checkpoint_version_is_known (head->version))
    return FALSE;
  memcpy (self->run, head->run, sizeof self->run);
  return TRUE;
}

/* Checks that a result can be read. A damaged result is allowed if the scan has skipped its
 * bytes. */
static void
assert_readable (const Told *self, const SatinCheckpointEntry *entry)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = satin_checkpoint_read_result (self->storage, entry, &error);
  if (bytes == NULL)
    g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_true (bytes != NULL || !self->is_whole);
}

static void
on_result (const SatinCheckpointResult *result, const SatinCheckpointPlace *place,
           gpointer user_data)
{
  Told *self = user_data;
  g_assert_cmpuint (place->offset, >=, self->offset);
  self->offset = place->offset + checkpoint_place_bytes (place);
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (self->run);
  const SatinCheckpointEntry *entry = satin_checkpoint_index_add (index, self->run, result, place);
  if (entry != NULL)
    assert_readable (self, entry);
}

static void
on_object (const SatinCheckpointObject *object, const SatinCheckpointPlace *place,
           gpointer user_data)
{
  Told *self = user_data;
  g_assert_cmpuint (place->offset, >=, self->offset);
  self->offset = place->offset + checkpoint_place_bytes (place);
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (self->run);
  assert_readable (self, satin_checkpoint_index_add_object (index, object, place));
}

static void
on_covers (const SatinCheckpointCovers *covers, gpointer user_data)
{
  ((Told *)user_data)->has_covers = TRUE;
}

static void
on_damaged (guint64 offset, guint64 n_bytes, gpointer user_data)
{
  Told *self = user_data;
  g_assert_cmpuint (n_bytes, >, 0);
  g_assert_cmpuint (offset, >=, self->offset);
  self->offset = offset + n_bytes;
}

static void
scan (SatinStorage *storage, const SatinCheckpointLog *log, gboolean is_whole)
{
  static const SatinCheckpointScanFuncs funcs = { .head = on_head,
                                                  .result = on_result,
                                                  .object = on_object,
                                                  .covers = on_covers,
                                                  .damaged = on_damaged };
  Told told = { .storage = storage, .is_whole = is_whole };
  g_assert_true (satin_checkpoint_scan (storage, log, is_whole, &funcs, &told, NULL));
  g_assert_cmpuint (told.offset, <=, log->size_bytes);
}

/* ---- the checkpoint as a whole ---- */

static void
compact (SatinStorage *storage, SatinCheckpointIndex *index)
{
  static const guint8 id[SATIN_CHECKPOINT_ID_BYTES];
  SatinCheckpointHead head = { .version = SATIN_CHECKPOINT_VERSION,
                               .run = id,
                               .n_run = sizeof id,
                               .program = id,
                               .n_program = sizeof id,
                               .root = id,
                               .n_root = sizeof id };
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  g_autoptr (SatinCheckpointCompaction) compaction =
      satin_checkpoint_compaction_new (storage, index, &head, NEW_NUMBER, logs);
  for (gboolean is_over = FALSE; !is_over;)
    g_assert_true (satin_checkpoint_compaction_step (compaction, &is_over, NULL));
  guint n_left = satin_checkpoint_index_count (index);
  guint n_objects = satin_checkpoint_index_count_objects (index);
  g_autoptr (SatinCheckpointIndex) again =
      satin_checkpoint_read (storage, &head, NULL, NULL, NULL, NULL);
  g_assert_cmpuint (satin_checkpoint_index_count (again), ==, n_left);
  g_assert_cmpuint (satin_checkpoint_index_count_objects (again), ==, n_objects);
  g_assert_cmpuint (satin_checkpoint_compaction_get_n_damaged (compaction), ==, 0);
}

/* Makes records of the types in the log, and compares its tasks. */
static void
use_tasks (SatinStorage *storage, const SatinCheckpointLog *log)
{
  SatinCheckpointHead head;
  SatinTaskTable tasks;
  if (!satin_checkpoint_read_beginning (storage, log, &head, &tasks, NULL))
    return;
  g_free (satin_checkpoint_compare_tasks (&tasks, &tasks));
  g_autoptr (SatinRecordSet) types = satin_record_set_new (tasks.types, tasks.n_types, NULL);
  for (gsize i = 0; types != NULL && i < tasks.n_types; i++)
    g_free (satin_record_schema (satin_record_set_get (types, (gint32)i)));
  satin_record_clear (&SatinCheckpointHead_record, &head);
  satin_record_clear (&SatinTaskTable_record, &tasks);
}

static void
read_all (SatinStorage *storage, gboolean is_compacting)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinCheckpointIndex) index =
      satin_checkpoint_read (storage, NULL, NULL, NULL, NULL, &error);
  if (index == NULL)
    g_assert_error (error, SATIN_ERROR, SATIN_ERROR_PROTOCOL);
  else if (is_compacting)
    compact (storage, index);
}

/* Carries the results over to a program that has the same tasks with the types of others. */
static void
convert (SatinStorage *storage, const SatinCheckpointHead *before, const SatinTaskTable *old)
{
  guint8 program[SATIN_CHECKPOINT_ID_BYTES];
  SatinCheckpointHead head = *before;
  SatinTaskTable tasks = *old;
  SatinCheckpointConversion conversion = { 0 };
  g_autofree SatinTaskForm *forms =
      g_memdup2 (old->tasks, MAX (old->n_tasks, 1) * sizeof (SatinTaskForm));
  for (gsize i = 0; i < old->n_tasks; i++)
    {
      forms[i].arguments = old->tasks[(i + 1) % old->n_tasks].arguments;
      forms[i].result = old->tasks[i / 2].result;
    }
  tasks.tasks = forms;
  memcpy (program, before->program, sizeof program);
  program[0] ^= 1;
  head.program = program;
  head.version = SATIN_CHECKPOINT_VERSION;
  if (!satin_checkpoint_convert (storage, &head, &tasks, NULL, NULL, &conversion, NULL))
    return;
  g_autoptr (SatinCheckpointIndex) index =
      satin_checkpoint_read_for (storage, &head, &tasks, NULL, NULL, NULL, NULL);
  g_assert_nonnull (index);
  g_assert_cmpuint (satin_checkpoint_index_count (index), <=, conversion.n_carried);
  g_free (conversion.reason);
}

static void
convert_log (SatinStorage *storage, const SatinCheckpointLog *log)
{
  SatinCheckpointHead head;
  SatinTaskTable tasks;
  if (!satin_checkpoint_read_beginning (storage, log, &head, &tasks, NULL))
    return;
  convert (storage, &head, &tasks);
  satin_record_clear (&SatinCheckpointHead_record, &head);
  satin_record_clear (&SatinTaskTable_record, &tasks);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  if (n_bytes == 0)
    return 0;
  guint8 how = bytes[0];
  Folder folder;
  SatinStorage storage;
  folder_init (&folder, &storage,
               (how & NO_RANGE ? 0 : SATIN_STORAGE_CAN_RANGE)
                   | (how & NO_APPEND ? 0 : SATIN_STORAGE_CAN_APPEND));
  g_autofree guint8 *log_bytes = g_memdup2 (bytes + 1, n_bytes - 1);
  folder.bytes = log_bytes;
  folder.n_bytes = n_bytes - 1;
  if (how & MAKE_RIGHT && log_bytes != NULL)
    make_right (log_bytes, folder.n_bytes);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (&storage, NULL);
  scan (&storage, g_ptr_array_index (logs, 0), (how & WHOLE) != 0);
  if (how & READ)
    use_tasks (&storage, g_ptr_array_index (logs, 0));
  if (how & CONVERT)
    convert_log (&storage, g_ptr_array_index (logs, 0));
  else if (how & READ)
    read_all (&storage, (how & READ) == READ);
  folder_clear (&folder);
  return 0;
}

/* ---- examples ---- */

static guint
random_below (guint n)
{
  return (guint)g_test_rand_int_range (0, (gint32)n);
}

static void
add_random_result (SatinCheckpointWriter *writer)
{
  static const guint8 body[300] = "a result";
  guint8 key[SATIN_CHECKPOINT_ID_BYTES] = { (guint8)random_below (3) };
  guint8 paths[4][2] = { { 1, 2 }, { 3, 1 }, { 0x81, 1 }, { 2, 2 } };
  SatinHop hop = { 1, 2, 3, paths[random_below (4)], random_below (3) };
  SatinLineage lineage = { random_below (8) != 0, &hop, random_below (2) };
  g_autoptr (GBytes) encoded = satin_record_to_bytes (&SatinLineage_record, &lineage);
  SatinCheckpointResult result = { .key = key,
                                   .n_key = sizeof key,
                                   .task = random_below (2) ? "task" : "tusk",
                                   .node = (gint32)random_below (5),
                                   .path = paths[random_below (4)],
                                   .n_path = random_below (3) };
  SatinCheckpointPlace place;
  if (random_below (2) == 0)
    result.lineage = g_bytes_get_data (encoded, &result.n_lineage);
  g_assert_true (satin_checkpoint_writer_add (
      writer, &result, body, random_below (2) * random_below (random_below (2) ? sizeof body : 2),
      &place, NULL));
}

static void
add_random_object (SatinCheckpointWriter *writer)
{
  static const guint8 body[300] = "a state";
  const SatinCheckpointObject object = { (gint64)random_below (3) - 1, "type", "name",
                                         random_below (3) };
  SatinCheckpointPlace place;
  g_assert_true (satin_checkpoint_writer_add_object (
      writer, &object, body, random_below (2) * random_below (sizeof body), &place, NULL));
}

/* Gives logs of the writer a table with up to two tasks. Its tasks may have types that do not
 * exist. */
static void
set_random_tasks (SatinCheckpointWriter *writer)
{
  const SatinFieldForm fields[] = { { "n", (gint32)random_below (9), random_below (2), -1 },
                                    { "n", (gint32)random_below (4), FALSE, -1 },
                                    { "m", (gint32)random_below (7), random_below (2), -1 } };
  const SatinRecordForm types[] = { { "args", fields, random_below (2) },
                                    { "result", fields + 1, random_below (3) } };
  const SatinTaskForm forms[] = { { "task", (gint32)random_below (3) - 1, 0 },
                                  { "tusk", (gint32)random_below (2), 1 } };
  const SatinTaskTable tasks = { random_below (2) != 0 ? "1" : "", types, random_below (3), forms,
                                 random_below (3) };
  satin_checkpoint_writer_set_tasks (writer, &tasks);
}

void
fuzz_example (GByteArray *out)
{
  guint8 ids[3][SATIN_CHECKPOINT_ID_BYTES] = { { (guint8)random_below (2) }, { 2 }, { 3 } };
  SatinCheckpointHead head = { .version = random_below (20) == 0 ? 1 : SATIN_CHECKPOINT_VERSION,
                               .run = ids[0],
                               .n_run = sizeof ids[0],
                               .program = ids[1],
                               .n_program = sizeof ids[1],
                               .root = ids[2],
                               .n_root = sizeof ids[2],
                               .name = "fuzz",
                               .node = 1 };
  guint8 how = (guint8)random_below (128);
  Folder folder;
  SatinStorage storage;
  folder_init (&folder, &storage, SATIN_STORAGE_CAN_APPEND | SATIN_STORAGE_CAN_RANGE);
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (&storage, &head, 1);
  if (random_below (4) != 0)
    set_random_tasks (writer);
  for (guint i = random_below (5) + 1; i > 0; i--)
    if (random_below (3) == 0)
      add_random_object (writer);
    else
      add_random_result (writer);
  static const SatinString name = "satin-0000000002-0000000001.log";
  SatinCheckpointCovers covers = { &name, random_below (2) };
  g_assert_true (checkpoint_writer_add_covers (writer, &covers, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
  g_byte_array_append (out, &how, 1);
  g_byte_array_append (out, folder.new_files[0]->data, folder.new_files[0]->len);
  folder_clear (&folder);
}
