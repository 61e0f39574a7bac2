/* test-checkpoint-damage.c - tests that reading a damaged log finds all records without damage
 *
 * Each pattern of damage notes which bytes of the log it has touched. A reading must find all
 * records without touched bytes, and must accept no result that was not written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-sample.h"

#include <string.h>

/* Some seeds have a log of more than a mebibyte, which takes ASan long. */
#if defined __SANITIZE_ADDRESS__
#  define N_SEEDS 25u
#else
#  define N_SEEDS 100u
#endif
#define N_RESULTS 40u
/* Results with this number or a higher one are in other logs only. */
#define FOREIGN 1000u
/* Some logs have a result of this size, which is more than a reading reads at once. */
#define LARGE_BYTES 1100000u

/* The place of a record in the log. */
typedef struct
{
  guint64 begin, end;
} Extent;

typedef struct
{
  GByteArray *bytes; /* (owned): the whole log */
  guint64 head_end;
  Extent extents[N_RESULTS];
  gboolean is_touched[N_RESULTS];
  gboolean is_head_touched;
  gsize sizes[N_RESULTS];
  char *name;         /* (owned): the file name of the log */
  GByteArray *others; /* (owned) (nullable): the bytes of another log */
} Log;

static guint
random_below (guint64 n)
{
  return (guint)g_test_rand_int_range (0, (gint32)n);
}

/* ---- patterns ---- */

/* Notes that the bytes [@begin, @end) have changed. */
static void
touch (Log *log, guint64 begin, guint64 end)
{
  log->is_head_touched |= begin < log->head_end;
  for (guint i = 0; i < N_RESULTS; i++)
    log->is_touched[i] |= begin < log->extents[i].end && end > log->extents[i].begin;
}

/* Notes that bytes were inserted before the byte at @offset. */
static void
touch_between (Log *log, guint64 offset)
{
  log->is_head_touched |= offset < log->head_end;
  for (guint i = 0; i < N_RESULTS; i++)
    log->is_touched[i] |= offset > log->extents[i].begin && offset < log->extents[i].end;
}

static void
insert (Log *log, guint offset, const guint8 *bytes, guint n)
{
  g_autoptr (GByteArray) rest = g_byte_array_new ();
  g_byte_array_append (rest, log->bytes->data + offset, log->bytes->len - offset);
  g_byte_array_set_size (log->bytes, offset);
  g_byte_array_append (log->bytes, bytes, n);
  g_byte_array_append (log->bytes, rest->data, rest->len);
}

static void
flip_bits (Log *log)
{
  for (guint i = random_below (4) + 1; i > 0; i--)
    {
      guint at = random_below (log->bytes->len);
      log->bytes->data[at] ^= (guint8)(1u << random_below (8));
      touch (log, at, at + 1);
    }
}

static void
overwrite (Log *log)
{
  guint at = random_below (log->bytes->len);
  guint n = 1 + random_below (MIN (log->bytes->len - at, 3000));
  for (guint i = at; i < at + n; i++)
    log->bytes->data[i] = (guint8)random_below (256);
  touch (log, at, at + n);
}

static void
zero_blocks (Log *log)
{
  for (guint i = random_below (3) + 1; i > 0; i--)
    {
      guint at = random_below (log->bytes->len) / 512 * 512;
      guint n = MIN (512, log->bytes->len - at);
      memset (log->bytes->data + at, 0, n);
      touch (log, at, at + n);
    }
}

static void
cut_out (Log *log)
{
  guint at = random_below (log->bytes->len);
  guint n = 1 + random_below (MIN (log->bytes->len - at, 9000));
  g_byte_array_remove_range (log->bytes, at, n);
  touch (log, at, at + n);
}

static void
double_piece (Log *log)
{
  guint at = random_below (log->bytes->len);
  guint n = 1 + random_below (MIN (log->bytes->len - at, 9000));
  g_autofree guint8 *piece = g_memdup2 (log->bytes->data + at, n);
  insert (log, at + n, piece, n);
  touch_between (log, at + n);
}

static void
truncate_end (Log *log)
{
  guint at = random_below (log->bytes->len);
  touch (log, at, log->bytes->len);
  g_byte_array_set_size (log->bytes, at);
}

static void
exchange_records (Log *log)
{
  guint i = random_below (N_RESULTS - 1), j = i + 1 + random_below (N_RESULTS - 1 - i);
  const Extent *a = &log->extents[i], *b = &log->extents[j];
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  const guint8 *old = log->bytes->data;
  g_byte_array_append (bytes, old, (guint)a->begin);
  g_byte_array_append (bytes, old + b->begin, (guint)(b->end - b->begin));
  g_byte_array_append (bytes, old + a->end, (guint)(b->begin - a->end));
  g_byte_array_append (bytes, old + a->begin, (guint)(a->end - a->begin));
  g_byte_array_append (bytes, old + b->end, (guint)(log->bytes->len - b->end));
  g_byte_array_unref (log->bytes);
  log->bytes = g_steal_pointer (&bytes);
}

static void
insert_of_another (Log *log)
{
  guint at = random_below (log->bytes->len + 1);
  guint from = random_below (log->others->len);
  insert (log, at, log->others->data + from, 1 + random_below (log->others->len - from));
  touch_between (log, at);
}

/* ---- logs ---- */

static void
write_file (SatinStorage *storage, const char *name, const GByteArray *bytes)
{
  g_assert_true (storage->ops.remove (storage->handle, name, NULL));
  if (bytes->len > 0)
    g_assert_true (storage->ops.append (storage->handle, name, 0, bytes->data, bytes->len, NULL));
}

static GByteArray *
read_file (SatinStorage *storage, const SatinCheckpointLog *log)
{
  GByteArray *bytes = g_byte_array_new ();
  gsize n = 0;
  g_byte_array_set_size (bytes, (guint)log->size_bytes);
  g_assert_true (
      storage->ops.read (storage->handle, log->name, 0, bytes->data, bytes->len, &n, NULL));
  g_assert_cmpuint (n, ==, bytes->len);
  return bytes;
}

/* Writes N_RESULTS results, beginning with number @first. */
static void
write_log (SatinStorage *storage, const SatinCheckpointHead *head, guint64 number, guint first,
           const gsize *sizes)
{
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (storage, head, number);
  SatinCheckpointPlace place;
  for (guint i = 0; i < N_RESULTS; i++)
    g_assert_true (sample_add_sized (writer, first + i, sizes[i], &place, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
}

/* Returns: another log with other results: either with the same name and of another run, or with
 * another name and of the same run */
static GByteArray *
make_others (SatinStorage *storage, const gsize *sizes)
{
  guint8 run[SATIN_CHECKPOINT_ID_BYTES] = { 99 };
  SatinCheckpointHead head = sample_head;
  gboolean is_other_run = random_below (2) == 0;
  if (is_other_run)
    head.run = run;
  write_log (storage, &head, is_other_run ? 1 : 3, FOREIGN, sizes);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  GByteArray *bytes = read_file (storage, g_ptr_array_index (logs, 0));
  sample_remove_all (storage);
  return bytes;
}

static void
compact (SatinStorage *storage)
{
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  g_autoptr (SatinCheckpointCompaction) compaction =
      satin_checkpoint_compaction_new (storage, index, &sample_head, 2, logs);
  for (gboolean is_over = FALSE; !is_over;)
    g_assert_true (satin_checkpoint_compaction_step (compaction, &is_over, NULL));
}

static void
log_init (Log *log, SatinStorage *storage, gboolean is_compacted, gboolean has_large,
          gboolean has_others)
{
  memset (log, 0, sizeof *log);
  for (guint i = 0; i < N_RESULTS; i++)
    log->sizes[i] = has_large && i == N_RESULTS / 2 ? LARGE_BYTES : sample_size (i);
  log->others = has_others ? make_others (storage, log->sizes) : NULL;
  write_log (storage, &sample_head, 1, 0, log->sizes);
  if (is_compacted)
    compact (storage);
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  g_assert_cmpuint (logs->len, ==, 1);
  log->bytes = read_file (storage, g_ptr_array_index (logs, 0));
  log->name = g_strdup (((SatinCheckpointLog *)g_ptr_array_index (logs, 0))->name);
  log->head_end = log->bytes->len;
  for (guint i = 0; i < N_RESULTS; i++)
    {
      const SatinCheckpointPlace *at = &sample_find (index, i)->at;
      guint64 n_sum = at->n_result > 0 ? 4 : 0;
      log->extents[i] = (Extent){ at->offset, at->offset + 20 + at->n_head + at->n_result + n_sum };
      log->head_end = MIN (log->head_end, at->offset);
    }
}

static void
log_clear (Log *log)
{
  g_byte_array_unref (log->bytes);
  g_clear_pointer (&log->others, g_byte_array_unref);
  g_free (log->name);
}

/* ---- checking what is found ---- */

typedef struct
{
  const Log *log;        /* (borrowed) */
  SatinStorage *storage; /* (borrowed) */
  gboolean is_found[N_RESULTS];
} Check;

static void
check_entry (const SatinCheckpointEntry *entry, gpointer user_data)
{
  const Check *self = user_data;
  guint i = sample_number (entry);
  g_autoptr (GError) error = NULL;
  g_assert_cmpuint (i, <, N_RESULTS);
  g_autoptr (GBytes) bytes = satin_checkpoint_read_result (self->storage, entry, &error);
  if (bytes == NULL)
    {
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
      g_assert_true (self->log->is_touched[i]);
    }
  else
    sample_assert_entry (self->storage, entry, self->log->sizes[i]);
}

/* Checks that a result which a scan of all bytes has found is right. */
static void
check_place (const SatinCheckpointResult *result, const SatinCheckpointPlace *place,
             gpointer user_data)
{
  Check *self = user_data;
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  const SatinCheckpointEntry *entry = satin_checkpoint_index_add (index, sample_run, result, place);
  guint i = sample_number (entry);
  g_assert_cmpuint (i, <, N_RESULTS);
  sample_assert_entry (self->storage, entry, self->log->sizes[i]);
  self->is_found[i] = TRUE;
}

/* A reading skips the bytes of a large result. If they are damaged, the reading may miss other
 * records, see satin_checkpoint_scan(). */
static gboolean
may_hide (const Log *log)
{
  return log->is_touched[N_RESULTS / 2] && log->sizes[N_RESULTS / 2] == LARGE_BYTES;
}

static void
assert_found (Log *log, SatinStorage *storage)
{
  static const SatinCheckpointScanFuncs funcs = { .result = check_place };
  Check check = { log, storage, { FALSE } };
  g_autoptr (SatinCheckpointIndex) index = sample_read (storage, NULL);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, NULL);
  satin_checkpoint_index_foreach (index, check_entry, &check);
  for (guint i = 0; i < logs->len; i++)
    g_assert_true (
        satin_checkpoint_scan (storage, g_ptr_array_index (logs, i), TRUE, &funcs, &check, NULL));
  for (guint i = 0; i < N_RESULTS; i++)
    if (!log->is_touched[i] && !log->is_head_touched)
      {
        g_assert_true (check.is_found[i]);
        g_assert_true (may_hide (log) || sample_find (index, i) != NULL);
      }
}

/* ---- test cases ---- */

typedef struct
{
  const char *path;
  void (*damage) (Log *log);
} Pattern;

static const Pattern patterns[] = {
  { "bit-flips", flip_bits },
  { "bytes-overwritten", overwrite },
  { "blocks-of-zeros", zero_blocks },
  { "a-piece-cut-out", cut_out },
  { "a-piece-doubled", double_piece },
  { "the-end-missing", truncate_end },
  { "two-records-exchanged", exchange_records },
  { "a-piece-of-another-log", insert_of_another },
};

static void
test_pattern (const Pattern *pattern, gboolean is_compacted)
{
  g_autoptr (SatinStorage) storage = sample_open ("mem:damage", NULL);
  for (guint seed = 0; seed < N_SEEDS; seed++)
    {
      Log log;
      log_init (&log, storage, is_compacted, seed % 25 == 0, pattern->damage == insert_of_another);
      pattern->damage (&log);
      write_file (storage, log.name, log.bytes);
      assert_found (&log, storage);
      sample_remove_all (storage);
      log_clear (&log);
    }
}

static void
test_written (gconstpointer pattern)
{
  test_pattern (pattern, FALSE);
}

static void
test_compacted (gconstpointer pattern)
{
  test_pattern (pattern, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autofree char *written = g_strconcat ("/ft/checkpoint-damage/rest-is-found-after/",
                                              patterns[i].path, "/written", NULL);
      g_autofree char *compacted = g_strconcat ("/ft/checkpoint-damage/rest-is-found-after/",
                                                patterns[i].path, "/compacted", NULL);
      g_test_add_data_func (written, &patterns[i], test_written);
      g_test_add_data_func (compacted, &patterns[i], test_compacted);
    }
  return g_test_run ();
}
