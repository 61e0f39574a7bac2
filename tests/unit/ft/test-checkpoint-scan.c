/* test-checkpoint-scan.c - tests what a scan reads of a log, and what it reports
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "log/private.h"
#include "checkpoint-sample.h"

#include <string.h>

#define MIB (1u << 20)

/* The reports of a scan, as text: "head ", "7 " for result 7, "covers ", "damage ". */
typedef struct
{
  GString *text; /* (owned) */
  guint64 n_damaged_bytes;
  gboolean is_wanted;
} Told;

static gboolean
on_head (const SatinCheckpointHead *head, gpointer user_data)
{
  Told *self = user_data;
  g_string_append (self->text, "head ");
  return self->is_wanted;
}

static void
on_result (const SatinCheckpointResult *result, const SatinCheckpointPlace *place,
           gpointer user_data)
{
  Told *self = user_data;
  g_string_append_printf (self->text, "%u ", result->key[0]);
}

static void
on_covers (const SatinCheckpointCovers *covers, gpointer user_data)
{
  Told *self = user_data;
  g_string_append (self->text, "covers ");
}

static void
on_damaged (guint64 offset, guint64 n_bytes, gpointer user_data)
{
  Told *self = user_data;
  g_string_append (self->text, "damage ");
  self->n_damaged_bytes += n_bytes;
}

static const SatinCheckpointScanFuncs funcs = {
  .head = on_head, .result = on_result, .covers = on_covers, .damaged = on_damaged
};

static void
assert_told_of (SatinStorage *storage, const SatinCheckpointLog *log, gboolean is_whole,
                const char *expected)
{
  Told told = { g_string_new (NULL), 0, TRUE };
  g_autoptr (GError) error = NULL;
  g_assert_true (satin_checkpoint_scan (storage, log, is_whole, &funcs, &told, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (told.text->str, ==, expected);
  g_string_free (told.text, TRUE);
}

static void
assert_told (SatinStorage *storage, gboolean is_whole, const char *expected)
{
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  g_assert_cmpuint (logs->len, ==, 1);
  assert_told_of (storage, g_ptr_array_index (logs, 0), is_whole, expected);
}

/* ---- logs ---- */

/* Writes results of these sizes, which end with 0, and then a record that covers another log.
 * @ret_places: (optional): the place of each result */
static void
write_log (SatinStorage *storage, const gsize *sizes, SatinCheckpointPlace *ret_places)
{
  static const SatinString name = "satin-0000000000-0000000001.log";
  SatinCheckpointCovers covers = { &name, 1 };
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, &sample_head, 1);
  SatinCheckpointPlace place;
  for (guint i = 0; sizes[i] != 0; i++)
    {
      g_assert_true (sample_add_sized (writer, i, sizes[i], &place, NULL));
      if (ret_places != NULL)
        ret_places[i] = place;
    }
  g_assert_true (checkpoint_writer_add_covers (writer, &covers, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
}

/* Removes @n_bytes from the log, or changes them if @is_changing. */
static void
damage (SatinStorage *storage, guint64 offset, guint n_bytes, gboolean is_changing)
{
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  const SatinCheckpointLog *log = g_ptr_array_index (logs, 0);
  g_autofree guint8 *bytes = g_malloc (log->size_bytes);
  gsize n = 0;
  g_assert_cmpuint (log->size_bytes, <=, SATIN_STORAGE_BLOCK_MAX);
  g_assert_true (
      storage->ops.read (storage->handle, log->name, 0, bytes, log->size_bytes, &n, NULL));
  for (guint i = 0; i < n_bytes && is_changing; i++)
    bytes[offset + i] ^= 0x55;
  if (!is_changing)
    {
      n -= n_bytes;
      memmove (bytes + offset, bytes + offset + n_bytes, n - offset);
    }
  g_assert_true (storage->ops.remove (storage->handle, log->name, NULL));
  g_assert_true (storage->ops.append (storage->handle, log->name, 0, bytes, n, NULL));
}

/* ---- how much a scan reads ---- */

static const SatinStorageOps *counted_ops;
static guint64 n_read_bytes;

static gboolean
count_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
            gsize *ret_n_bytes, GError **error)
{
  gboolean is_read = counted_ops->read (storage, name, offset, buffer, n_bytes, ret_n_bytes, error);
  n_read_bytes += is_read ? *ret_n_bytes : 0;
  return is_read;
}

/* Returns: how many bytes a scan reads */
static guint64
count_scan (SatinStorage *storage, gboolean is_whole)
{
  SatinStorageOps ops = storage->ops;
  Told told = { g_string_new (NULL), 0, TRUE };
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  counted_ops = &ops;
  n_read_bytes = 0;
  storage->ops.read = count_read;
  g_assert_true (
      satin_checkpoint_scan (storage, g_ptr_array_index (logs, 0), is_whole, &funcs, &told, NULL));
  storage->ops = ops;
  g_string_free (told.text, TRUE);
  return n_read_bytes;
}

static void
test_large_are_passed_over (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:scan", NULL);
  write_log (storage, (const gsize[]){ 4 * MIB, 10, 4 * MIB, 10, 4 * MIB, 10, 0 }, NULL);
  g_assert_cmpuint (count_scan (storage, FALSE), <, 3 * MIB);
  assert_told (storage, FALSE, "head 0 1 2 3 4 5 covers ");
  sample_remove_all (storage);
}

static void
test_whole_is_read_once (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:scan", NULL);
  write_log (storage, (const gsize[]){ 4 * MIB, 10, 2 * MIB, 500000, 70000, 10, 0 }, NULL);
  guint64 n_read = count_scan (storage, TRUE);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  g_assert_cmpuint (n_read, ==, ((SatinCheckpointLog *)g_ptr_array_index (logs, 0))->size_bytes);
  sample_remove_all (storage);
}

static void
test_damage_is_read_twice (void)
{
  SatinCheckpointPlace places[9];
  g_autoptr (SatinStorage) storage = sample_open ("mem:scan", NULL);
  write_log (storage, (const gsize[]){ 4 * MIB, 10, 2 * MIB, 500000, 70000, 10, 0 }, places);
  damage (storage, places[0].offset + 3 * MIB, 1, TRUE);
  damage (storage, places[2].offset + MIB, 1, TRUE);
  guint64 n_read = count_scan (storage, TRUE);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  guint64 n_log = ((SatinCheckpointLog *)g_ptr_array_index (logs, 0))->size_bytes;
  g_assert_cmpuint (n_read, <=, 2 * n_log + 2 * CHECKPOINT_READ_BYTES);
  sample_remove_all (storage);
}

/* ---- what a scan reports ---- */

static void
test_order (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:scan", NULL);
  SatinCheckpointPlace places[9];
  write_log (storage, (const gsize[]){ 10, 20, 30, 40, 0 }, places);
  assert_told (storage, TRUE, "head 0 1 2 3 covers ");
  damage (storage, places[1].offset + 30, 1, TRUE);
  assert_told (storage, TRUE, "head 0 damage 2 3 covers ");
  damage (storage, places[2].offset, 1, TRUE);
  assert_told (storage, TRUE, "head 0 damage 3 covers ");
  sample_remove_all (storage);
}

static void
test_not_wanted (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:scan", NULL);
  Told told = { g_string_new (NULL), 0, FALSE };
  write_log (storage, (const gsize[]){ 10, 20, 0 }, NULL);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  g_assert_true (
      satin_checkpoint_scan (storage, g_ptr_array_index (logs, 0), TRUE, &funcs, &told, NULL));
  g_assert_cmpstr (told.text->str, ==, "head ");
  g_string_free (told.text, TRUE);
  sample_remove_all (storage);
}

static void
test_damaged_large (void)
{
  SatinCheckpointPlace places[9];
  g_autoptr (SatinStorage) storage = sample_open ("mem:scan", NULL);
  write_log (storage, (const gsize[]){ 10, 2 * MIB, 20, 0 }, places);
  damage (storage, places[1].offset + MIB, 1, TRUE);
  assert_told (storage, FALSE, "head 0 1 2 covers ");
  assert_told (storage, TRUE, "head 0 damage 2 covers ");
  sample_remove_all (storage);
}

static void
test_piece_missing_in_large (void)
{
  SatinCheckpointPlace places[9];
  g_autoptr (SatinStorage) storage = sample_open ("mem:scan", NULL);
  write_log (storage, (const gsize[]){ 10, 2 * MIB, 20, 30, 40, 0 }, places);
  damage (storage, places[1].offset + MIB, 97, FALSE);
  assert_told (storage, FALSE, "head 0 damage 2 3 4 covers ");
  sample_remove_all (storage);
}

static void
test_end_missing (void)
{
  SatinCheckpointPlace places[9];
  g_autoptr (SatinStorage) storage = sample_open ("mem:scan", NULL);
  write_log (storage, (const gsize[]){ 10, 2 * MIB, 20, 0 }, places);
  guint64 end = places[1].offset + MIB;
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  guint64 n_log = ((SatinCheckpointLog *)g_ptr_array_index (logs, 0))->size_bytes;
  damage (storage, end, (guint)(n_log - end), FALSE);
  assert_told (storage, FALSE, "head 0 damage ");
  sample_remove_all (storage);
}

/* Each log has more than a mebibyte. ASan maps and unmaps the memory of such a block each time, so
 * there not each place is tried. */
#if defined __SANITIZE_ADDRESS__
#  define PLACE_STEP 7
#else
#  define PLACE_STEP 1
#endif

/* A scan reads a log in pieces. It finds a record no matter where a piece ends. */
static void
test_anywhere (void)
{
  for (guint n_before = MIB - 300; n_before < MIB + 20; n_before += PLACE_STEP)
    {
      SatinCheckpointPlace places[9];
      g_autoptr (SatinStorage) storage = sample_open ("mem:scan", NULL);
      write_log (storage, (const gsize[]){ n_before, 20, 0 }, places);
      damage (storage, places[0].offset, 1, TRUE);
      assert_told (storage, TRUE, "head damage 1 covers ");
      sample_remove_all (storage);
    }
}

static void
test_log_that_changes (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:scan", NULL);
  SatinCheckpointPlace places[9];
  write_log (storage, (const gsize[]){ 10, 20, 30, 0 }, places);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  SatinCheckpointLog *log = g_ptr_array_index (logs, 0);
  log->size_bytes = places[2].offset;
  assert_told_of (storage, log, TRUE, "head 0 1 ");
  log->size_bytes = MIB;
  assert_told_of (storage, log, TRUE, "head 0 1 2 covers ");
  sample_remove_all (storage);
}

static void
test_empty_log (void)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:scan", NULL);
  write_log (storage, (const gsize[]){ 10, 0 }, NULL);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  SatinCheckpointLog *log = g_ptr_array_index (logs, 0);
  log->size_bytes = 0;
  assert_told_of (storage, log, TRUE, "");
  log->size_bytes = 1;
  assert_told_of (storage, log, TRUE, "damage ");
  sample_remove_all (storage);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/checkpoint-scan/" path, func)
  CLAIM ("large-results-are-passed-over", test_large_are_passed_over);
  CLAIM ("whole-log-is-read-once", test_whole_is_read_once);
  CLAIM ("damaged-log-is-read-twice-at-most", test_damage_is_read_twice);
  CLAIM ("records-and-damage-are-told-of-in-order", test_order);
  CLAIM ("log-that-is-not-wanted-is-left", test_not_wanted);
  CLAIM ("damage-in-large-results-is-found-when-all-is-read", test_damaged_large);
  CLAIM ("records-behind-a-large-one-that-lacks-a-piece-are-found", test_piece_missing_in_large);
  CLAIM ("missing-end-is-damage", test_end_missing);
  CLAIM ("record-is-found-anywhere", test_anywhere);
  CLAIM ("log-may-be-longer-or-shorter-than-listed", test_log_that_changes);
  CLAIM ("empty-log-is-nothing", test_empty_log);
  return g_test_run ();
}
