/* test-checkpoint-writer.c - what is written is read again
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-sample.h"

#define N_RESULTS 50u

/* Writes results, each few of them synced. */
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/checkpoint-writer/" path, func)
  CLAIM ("what-is-written-is-read-again", test_round_trip);
  CLAIM ("each-sync-is-a-log-where-nothing-is-appended", test_round_trip_without_append);
  return g_test_run ();
}
