/* test-checkpoint-client-folder.c - tests that a coordinator whose folder another run took changes
 * nothing there
 *
 * Node 1 is the coordinator, node 2 the master.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-sample.h"
#include "coordinator-world.h"

#include "checkpoint/coordinator.h"

#define OTHER_LEASE "satin-lease-00000000000000000000000000000099-0000000001-0000000001"

static void
remove_lease (const char *name, guint64 size_bytes, gpointer user_data)
{
  SatinStorage *disk = user_data;
  if (g_str_has_prefix (name, "satin-lease-"))
    g_assert_true (disk->ops.remove (disk->handle, name, NULL));
}

/* Another run takes the folder, as if this run had stood still. */
static void
take_folder (void)
{
  g_autoptr (SatinStorage) disk = sample_open (WORLD_URI, NULL);
  g_assert_true (disk->ops.list (disk->handle, remove_lease, disk, NULL));
  g_assert_true (disk->ops.append (disk->handle, OTHER_LEASE, 0, (const guint8 *)"other", 5, NULL));
  g_assert_true (disk->ops.sync (disk->handle, OTHER_LEASE, NULL));
}

static void
expect_loss (void)
{
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING,
                         "*other* uses it now; nothing more is stored in this run*");
}

static void
test_takes_nothing_more (void)
{
  set_up ();
  take_folder ();
  expect_loss ();
  checkpoint_world_advance (world, 2 * SECOND);
  g_test_assert_expected_messages ();
  g_assert_cmpint (store (1), ==, VERDICT_LOST);
  g_assert_cmpuint (checkpoint_world_count_stored (world), ==, 0);
  tear_down ();
}

/* Call 8 of the coordinator appends the result, and fails. The other run takes the folder before
 * the coordinator tries again, and just before it renews its lease. */
static void
test_waiting_is_not_written (void)
{
  set_up_with ("fail-call=8", 0);
  checkpoint_world_advance (world, SECOND / 2);
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "*results wait until it can be*");
  g_assert_cmpint (store (1), ==, -1);
  g_test_assert_expected_messages ();
  take_folder ();
  expect_loss ();
  checkpoint_world_advance (world, 3 * SECOND);
  g_test_assert_expected_messages ();
  g_assert_cmpint (checkpoint_world_hear_verdict (world, SENDER, 1), ==, VERDICT_LOST);
  g_assert_cmpuint (checkpoint_world_count_stored (world), ==, 0);
  tear_down ();
}

/* The coordinator hears of the loss while a write waits for its thread. */
static void
test_begun_is_not_written (void)
{
  g_autoptr (GError) error =
      g_error_new_literal (SATIN_ERROR, SATIN_ERROR_FENCED, "other uses it now");
  set_up ();
  world->is_disk_slow = TRUE;
  say_store (1);
  checkpoint_world_settle (world);
  expect_loss ();
  coordinator_folder_is_lost (world->client->writing, error);
  g_test_assert_expected_messages ();
  world->is_disk_slow = FALSE;
  checkpoint_world_settle (world);
  g_assert_cmpint (checkpoint_world_hear_verdict (world, SENDER, 1), ==, VERDICT_LOST);
  g_assert_cmpuint (checkpoint_world_count_stored (world), ==, 0);
  tear_down ();
}

static guint
count_logs (void)
{
  g_autoptr (SatinStorage) disk = sample_open (WORLD_URI, NULL);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (disk, NULL);
  return logs->len;
}

/* The logs are those of an earlier run, which are larger than the limit. */
static void
test_compaction_ends (void)
{
  g_autoptr (GError) error =
      g_error_new_literal (SATIN_ERROR, SATIN_ERROR_FENCED, "other uses it now");
  const guint8 earlier[ID_BYTES] = { 98 };
  SatinCheckpointHead head;
  world = checkpoint_world_new (4, NULL, 4000);
  checkpoint_client_fill_head (world->client, inputs_get_named (world->client->inputs), &head);
  head.run = earlier;
  for (guint64 number = 1; number <= 40; number++)
    checkpoint_world_write_log (&head, number);
  be ();
  g_assert_cmpuint (count_logs (), ==, 40);
  world->is_disk_slow = TRUE;
  say_store (1);
  while (!world->client->writing->is_compacting)
    {
      checkpoint_world_settle (world);
      g_assert_true (hand_threads_run ());
    }
  expect_loss ();
  coordinator_folder_is_lost (world->client->writing, error);
  g_test_assert_expected_messages ();
  world->is_disk_slow = FALSE;
  checkpoint_world_settle (world);
  g_assert_false (world->client->writing->is_compacting);
  g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.compactions"), ==, 0);
  g_assert_cmpuint (count_logs (), >=, 40);
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/checkpoint-folder/" path, func)
  CLAIM ("nothing-more-is-taken", test_takes_nothing_more);
  CLAIM ("waiting-results-are-not-written", test_waiting_is_not_written);
  CLAIM ("a-write-that-waits-for-its-thread-is-not-done", test_begun_is_not_written);
  CLAIM ("a-compaction-ends", test_compaction_ends);
  return g_test_run ();
}
