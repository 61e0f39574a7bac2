/* test-checkpoint-faults.c - tests faults of the storage: errors, a full disk, loss of power
 *
 * A run writes results, and compacts the checkpoint from time to time while it writes. Afterwards
 * each result that was synced can be read, or the result of its parent. No result is wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-sample.h"

#include <string.h>

#define N_RESULTS 50u
#define SYNC_EACH 5u
/* Results come in groups of this size. The last result of a group is the parent of the others. */
#define GROUP 6u
/* The run gives the storage up after so many errors in a row. */
#define N_TRIES 10

typedef struct
{
  SatinStorage *storage;                 /* (borrowed) */
  SatinCheckpointIndex *index;           /* (owned) */
  SatinCheckpointWriter *writer;         /* (owned) */
  SatinCheckpointCompaction *compaction; /* (owned) (nullable) */
  guint n_compactions;                   /* how many compactions have ended */
  guint first_pending;                   /* results from this number on are not synced */
  guint n_added;
  SatinCheckpointPlace places[N_RESULTS];
  gboolean is_safe[N_RESULTS];
} Run;

static gsize
size_of (guint i)
{
  return i % 4 == 0 ? 0 : 20 + i * 7;
}

static const guint32 *
levels_of (guint i, guint32 *levels)
{
  guint n = 0;
  levels[n++] = i / GROUP + 1;
  if (i % GROUP != GROUP - 1)
    levels[n++] = i % GROUP + 1;
  levels[n] = 0;
  return levels;
}

static const SatinCheckpointEntry *
find (SatinCheckpointIndex *index, guint i)
{
  guint32 levels[3];
  return sample_find_at (index, i, levels_of (i, levels));
}

/* ---- a run ---- */

static void
run_init (Run *self, SatinStorage *storage)
{
  memset (self, 0, sizeof *self);
  self->storage = storage;
  self->index = satin_checkpoint_index_new (sample_run);
  self->writer = satin_checkpoint_writer_new (storage, &sample_head, 1);
}

static void
run_clear (Run *self)
{
  satin_checkpoint_compaction_free (self->compaction);
  satin_checkpoint_writer_free (self->writer);
  satin_checkpoint_index_free (self->index);
}

static gboolean
add_results (Run *self, guint n, GError **error)
{
  guint32 levels[3];
  for (; self->n_added < n; self->n_added++)
    if (!sample_add_at (self->writer, self->n_added, levels_of (self->n_added, levels),
                        size_of (self->n_added), &self->places[self->n_added], error))
      return FALSE;
  return TRUE;
}

/* From now on the synced results count. */
static void
note_safe (Run *self)
{
  Sample sample;
  guint32 levels[3];
  for (; self->first_pending < self->n_added; self->first_pending++)
    {
      guint i = self->first_pending;
      sample_init (&sample, i, levels_of (i, levels));
      g_assert_nonnull (
          satin_checkpoint_index_add (self->index, sample_run, &sample.result, &self->places[i]));
      sample_clear (&sample);
      self->is_safe[i] = TRUE;
    }
}

/* Adds all results below @n, again after errors, and syncs them if @is_syncing. Returns: %FALSE
 * when the storage is given up */
static gboolean
write_results (Run *self, guint n, gboolean is_syncing)
{
  for (guint i = 0; i < N_TRIES; i++)
    {
      g_autoptr (GError) error = NULL;
      if (add_results (self, n, &error)
          && (!is_syncing || satin_checkpoint_writer_sync (self->writer, &error)))
        {
          if (is_syncing)
            note_safe (self);
          return TRUE;
        }
      g_assert_nonnull (error);
      self->n_added = self->first_pending;
    }
  return FALSE;
}

/* Called after a sync, when all results that were added are synced. */
static void
begin_compaction (Run *self)
{
  g_assert_true (satin_checkpoint_writer_begin_log (self->writer, 0, NULL));
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (self->storage, NULL);
  if (logs == NULL)
    return;
  self->compaction = satin_checkpoint_compaction_new (
      self->storage, self->index, &sample_head,
      satin_checkpoint_writer_get_next_number (self->writer), logs);
  g_assert_true (satin_checkpoint_writer_begin_log (
      self->writer, satin_checkpoint_compaction_get_end (self->compaction), NULL));
}

static void
step_compaction (Run *self)
{
  g_autoptr (GError) error = NULL;
  gboolean is_over = FALSE;
  if (self->compaction == NULL)
    return;
  gboolean is_done = satin_checkpoint_compaction_step (self->compaction, &is_over, &error);
  g_assert_true (is_done == (error == NULL));
  self->n_compactions += is_over ? 1 : 0;
  if (is_over || !is_done)
    g_clear_pointer (&self->compaction, satin_checkpoint_compaction_free);
}

/* Writes all results, unless the storage is given up. After every @compact_each syncs, a compaction
 * begins if none is running; 0: never. */
static void
run_all (Run *self, guint compact_each)
{
  for (guint i = 0; i < N_RESULTS; i++)
    {
      gboolean is_syncing = i % SYNC_EACH == SYNC_EACH - 1;
      if (!write_results (self, i + 1, is_syncing))
        return;
      step_compaction (self);
      if (is_syncing && compact_each != 0 && (i / SYNC_EACH) % compact_each == compact_each - 1
          && self->compaction == NULL)
        begin_compaction (self);
    }
  while (self->compaction != NULL)
    step_compaction (self);
}

/* ---- checking what is left ---- */

static void
assert_right (const SatinCheckpointEntry *entry, gpointer user_data)
{
  guint32 levels[3];
  guint i = sample_number (entry);
  Sample sample;
  sample_init (&sample, i, levels_of (i, levels));
  g_assert_cmpmem (g_bytes_get_data (entry->place_in_tree, NULL),
                   g_bytes_get_size (entry->place_in_tree), sample.path->data, sample.path->len);
  sample_assert_entry (user_data, entry, size_of (i));
  sample_clear (&sample);
}

static void
assert_index (const Run *run, SatinStorage *storage, SatinCheckpointIndex *index)
{
  satin_checkpoint_index_foreach (index, assert_right, storage);
  for (guint i = 0; i < N_RESULTS; i++)
    if (run->is_safe[i] && find (index, i) == NULL)
      g_assert_nonnull (find (index, i / GROUP * GROUP + GROUP - 1));
}

/* Runs on a storage with the faults in @params, and checks what is there afterwards. @may_end: the
 * run may give the storage up; else all results must be written. Returns: whether all results were
 * written, and all compactions have ended */
static gboolean
run_with (const char *params, guint compact_each, gboolean may_append, gboolean may_end)
{
  Run run;
  g_autoptr (SatinStorage) storage = sample_open ("sim:faults", params);
  g_test_message ("%s", params);
  if (!may_append)
    sample_forbid_append (storage);
  run_init (&run, storage);
  run_all (&run, compact_each);
  g_autoptr (SatinStorage) after = sample_open ("sim:faults", NULL);
  if (!may_end)
    g_assert_cmpuint (run.first_pending, ==, N_RESULTS);
  if (!may_end || run.first_pending == N_RESULTS)
    assert_index (&run, after, run.index);
  g_autoptr (SatinCheckpointIndex) index = sample_read (after, NULL);
  assert_index (&run, after, index);
  gboolean is_done =
      run.first_pending == N_RESULTS
      && (compact_each == 0 || run.n_compactions == N_RESULTS / SYNC_EACH / compact_each);
  run_clear (&run);
  sample_remove_all (after);
  return is_done;
}

/* Runs with the fault @key at call 1, 2, ..., with each of four seeds. Stops with a seed when 20
 * runs in a row have written and compacted everything. */
static void
run_at_each_call (const char *key, guint compact_each, gboolean may_append)
{
  gboolean is_crashing = g_str_has_suffix (key, "crash-call");
  for (guint seed = 1; seed <= 4; seed++)
    for (guint n = 1, n_clean = 0; n_clean < 20; n++)
      {
        g_autofree char *params = g_strdup_printf ("%s=%u,seed=%u", key, n, seed);
        gboolean is_clean = run_with (params, compact_each, may_append, is_crashing);
        n_clean = is_clean ? n_clean + 1 : 0;
        g_assert_cmpuint (n, <, 1000);
      }
}

/* ---- test cases ---- */

/* @key: the fault, to which the number of the call is appended. @compact_each: see run_all().
 * @may_append: the storage can append to files. */
typedef struct
{
  const char *path;
  const char *key;
  guint compact_each;
  gboolean may_append;
} Case;

static const Case cases[] = {
  { "power-loss-while-writing-loses-nothing-synced", "crash-call", 0, TRUE },
  { "power-loss-while-compacting-loses-nothing-synced", "crash-call", 2, TRUE },
  { "power-loss-where-nothing-is-appended-loses-nothing-synced", "crash-call", 2, FALSE },
  { "power-loss-that-leaves-zeros-loses-nothing-synced", "holes=yes,crash-call", 2, TRUE },
  { "failure-while-writing-loses-nothing", "fail-call", 0, TRUE },
  { "failure-while-compacting-loses-nothing", "fail-call", 2, TRUE },
  { "failure-where-nothing-is-appended-loses-nothing", "fail-call", 2, FALSE },
};

static void
test_case (gconstpointer user_data)
{
  const Case *self = user_data;
  run_at_each_call (self->key, self->compact_each, self->may_append);
}

static void
test_full (void)
{
  for (guint capacity = 1; capacity < 30000; capacity += capacity < 12000 ? 61 : 977)
    for (guint compact_each = 0; compact_each <= 3; compact_each++)
      {
        g_autofree char *params = g_strdup_printf ("capacity=%u", capacity);
        run_with (params, compact_each, TRUE, TRUE);
      }
}

static void
test_many_failures (void)
{
  for (guint seed = 1; seed <= 1000; seed++)
    {
      g_autofree char *params = g_strdup_printf ("error-rate=0.%u,seed=%u", seed % 4, seed);
      run_with (params, 1 + seed % 3, seed % 2 == 0, TRUE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/ft/checkpoint-faults/", cases[i].path, NULL);
      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/ft/checkpoint-faults/full-disk-loses-nothing-synced", test_full);
  g_test_add_func ("/ft/checkpoint-faults/many-failures-lose-nothing-synced", test_many_failures);
  return g_test_run ();
}
