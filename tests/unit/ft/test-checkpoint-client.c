/* test-checkpoint-client.c - tests the end of a run with a checkpoint, a stop, and bad messages
 *
 * Node 1 is the master, node 3 the coordinator.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-world.h"

#include <string.h>

#define COORDINATOR 3
#define SECOND      ((gint64)1000000)
#define MIB         ((gsize)1 << 20)

static CheckpointWorld *world;

static void
set_up (void)
{
  world = checkpoint_world_new (3, NULL, 0);
  fake_net_set_master (world->net, 2);
  checkpoint_world_say_who (world, 2, CHECKPOINT_MESSAGE_IS, COORDINATOR);
  fake_net_set_master (world->net, 1);
  checkpoint_world_settle (world);
}

static void
tear_down (void)
{
  checkpoint_world_free (world);
}

/* ---- the end of a run ---- */

static gint64
root_over_us (gboolean is_well)
{
  SatinRootPhase phase = is_well ? SATIN_ROOT_ENDED : SATIN_ROOT_FAILED;
  return world->recovery->ops->root_wait_us (world->recovery, phase, NULL);
}

static void
say_removed (int code)
{
  const CheckpointStateMessage state = { .is_done = TRUE, .code = code, .message = "no disk" };
  checkpoint_world_say (world, COORDINATOR, CHECKPOINT_MESSAGE_REMOVED,
                        &CheckpointStateMessage_record, &state);
}

static void
test_end_removes (void)
{
  set_up ();
  g_assert_cmpint (root_over_us (TRUE), >, 0);
  g_assert_cmpint (root_over_us (TRUE), >, 0);
  g_assert_cmpuint (checkpoint_world_count (world, COORDINATOR, CHECKPOINT_MESSAGE_REMOVE), ==, 1);
  say_removed (-1);
  g_assert_cmpint (root_over_us (TRUE), ==, 0);
  tear_down ();
}

static void
test_bad_end_keeps (void)
{
  set_up ();
  g_assert_cmpint (root_over_us (FALSE), ==, 0);
  g_assert_cmpuint (checkpoint_world_count (world, COORDINATOR, CHECKPOINT_MESSAGE_REMOVE), ==, 0);
  tear_down ();
}

static void
test_not_removed_in_time (void)
{
  set_up ();
  g_assert_cmpint (root_over_us (TRUE), >, 0);
  checkpoint_world_advance (world, 10 * SECOND);
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "*could not be removed in time*");
  g_assert_cmpint (root_over_us (TRUE), ==, 0);
  g_test_assert_expected_messages ();
  tear_down ();
}

static void
test_could_not_be_removed (void)
{
  set_up ();
  g_assert_cmpint (root_over_us (TRUE), >, 0);
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "*could not be removed: no disk*");
  say_removed (SATIN_ERROR_IO);
  g_test_assert_expected_messages ();
  g_assert_cmpint (root_over_us (TRUE), ==, 0);
  tear_down ();
}

/* Waits until the logs are removed, at most 9 s. Node 1, which is left with node 2, becomes the
 * coordinator. */
static void
assert_removed_soon (void)
{
  for (guint i = 0; i < 9 && root_over_us (TRUE) > 0; i++)
    checkpoint_world_advance (world, SECOND);
  g_assert_cmpint (root_over_us (TRUE), ==, 0);
  g_assert_true (world->client->is_removed);
}

static void
test_end_without_coordinator (void)
{
  set_up ();
  fake_net_remove (world->net, COORDINATOR, SATIN_PEER_DIED);
  g_assert_cmpint (root_over_us (TRUE), >, 0);
  assert_removed_soon ();
  tear_down ();
}

static void
test_coordinator_lost_while_it_removes (void)
{
  set_up ();
  g_assert_cmpint (root_over_us (TRUE), >, 0);
  fake_net_remove (world->net, COORDINATOR, SATIN_PEER_DIED);
  g_assert_cmpint (root_over_us (TRUE), >, 0);
  assert_removed_soon ();
  tear_down ();
}

static void
test_no_next_coordinator (void)
{
  set_up ();
  world->is_disk_slow = TRUE;
  fake_net_remove (world->net, COORDINATOR, SATIN_PEER_DIED);
  g_assert_cmpint (root_over_us (TRUE), >, 0);
  checkpoint_world_advance (world, 10 * SECOND);
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "*could not be removed in time*");
  g_assert_cmpint (root_over_us (TRUE), ==, 0);
  g_test_assert_expected_messages ();
  tear_down ();
}

static void
test_end_before_any_coordinator (void)
{
  world = checkpoint_world_new (3, NULL, 0);
  fake_net_set_term (world->net, 1);
  fake_net_set_master (world->net, 1);
  g_assert_cmpint (root_over_us (TRUE), ==, 0);
  tear_down ();
}

/* ---- a stop ---- */

static void
hear_stop (gint64 within_us)
{
  const SatinLeave leave = { within_us };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinLeave_record, &leave);
  world->events->signal (SATIN_SIGNAL_STOP, payload, world->events_data);
}

/* The core has reported all that its last walk found. */
static void
end_last_walk (void)
{
  world->recovery->ops->walked (world->recovery, TRUE);
  checkpoint_world_settle (world);
}

static void
say_stopped (SatinNodeId from, gboolean has_stored_all)
{
  checkpoint_world_say_number (world, from, CHECKPOINT_MESSAGE_STOPPED, has_stored_all);
}

static void
test_stop (void)
{
  g_autoptr (GError) stopped = g_error_new_literal (SATIN_ERROR, SATIN_ERROR_STOPPED, "");
  set_up ();
  hear_stop (20 * SECOND);
  g_assert_cmpuint (world->n_last_walks, ==, 1);
  end_last_walk ();
  say_stopped (2, TRUE);
  g_assert_cmpuint (world->n_ends, ==, 0);
  say_stopped (3, TRUE);
  g_assert_cmpuint (world->n_ends, ==, 1);
  g_assert_cmpint (world->status, ==, satin_error_exit_status (stopped));
  g_assert_null (strstr (world->message, "in time"));
  tear_down ();
}

/* The stop comes after the root job has ended, while the logs are being removed. */
static void
test_stop_of_what_is_over (void)
{
  set_up ();
  g_assert_cmpint (root_over_us (TRUE), >, 0);
  hear_stop (20 * SECOND);
  end_last_walk ();
  say_stopped (2, TRUE);
  say_stopped (3, TRUE);
  g_assert_cmpuint (world->n_ends, ==, 0);
  tear_down ();
}

static void
test_stop_waits_for_what_is_stored (void)
{
  set_up ();
  checkpoint_world_finish (world, 1, 0);
  checkpoint_world_settle (world);
  hear_stop (20 * SECOND);
  say_stopped (2, TRUE);
  say_stopped (3, TRUE);
  end_last_walk ();
  g_assert_cmpuint (world->n_ends, ==, 0);
  checkpoint_world_say_stored (
      world, COORDINATOR, checkpoint_world_hear_store (world, COORDINATOR, NULL), VERDICT_STORED);
  checkpoint_world_settle (world);
  g_assert_cmpuint (world->n_ends, ==, 1);
  tear_down ();
}

static void
test_stop_takes_all (void)
{
  set_up ();
  for (gint32 n = 1; n <= 3; n++)
    checkpoint_world_finish (world, n, 30 * MIB);
  hear_stop (20 * SECOND);
  g_assert_true (checkpoint_world_is_new (world, 9));
  checkpoint_world_finish (world, 9, 0);
  g_assert_true (checkpoint_world_is_new (world, 10));
  tear_down ();
}

static void
test_stop_not_all_stored (void)
{
  set_up ();
  hear_stop (20 * SECOND);
  end_last_walk ();
  say_stopped (2, TRUE);
  say_stopped (3, FALSE);
  g_assert_cmpuint (world->n_ends, ==, 0);
  tear_down ();
}

static void
test_stop_deadline (void)
{
  set_up ();
  hear_stop (5 * SECOND);
  end_last_walk ();
  say_stopped (2, TRUE);
  checkpoint_world_advance (world, 4 * SECOND);
  g_assert_cmpuint (world->n_ends, ==, 0);
  checkpoint_world_advance (world, 2 * SECOND);
  g_assert_cmpuint (world->n_ends, ==, 1);
  g_assert_nonnull (strstr (world->message, "; 1 nodes could not store all in time"));
  tear_down ();
}

static void
test_stop_of_a_full_checkpoint (void)
{
  set_up ();
  checkpoint_world_finish (world, 1, 0);
  checkpoint_world_settle (world);
  hear_stop (20 * SECOND);
  say_stopped (2, TRUE);
  checkpoint_world_say_number (world, 3, CHECKPOINT_MESSAGE_STOPPED, STOPPED_FULL);
  end_last_walk ();
  checkpoint_world_say_stored (
      world, COORDINATOR, checkpoint_world_hear_store (world, COORDINATOR, NULL), VERDICT_FULL);
  checkpoint_world_settle (world);
  g_assert_cmpuint (world->n_ends, ==, 1);
  g_assert_nonnull (strstr (world->message, "what 2 nodes finished last is not in it"));
  tear_down ();
}

static void
test_stop_of_a_lost_folder (void)
{
  set_up ();
  checkpoint_world_finish (world, 1, 0);
  checkpoint_world_settle (world);
  hear_stop (20 * SECOND);
  say_stopped (2, TRUE);
  checkpoint_world_say_number (world, 3, CHECKPOINT_MESSAGE_STOPPED, STOPPED_LOST);
  end_last_walk ();
  checkpoint_world_say_stored (
      world, COORDINATOR, checkpoint_world_hear_store (world, COORDINATOR, NULL), VERDICT_LOST);
  checkpoint_world_settle (world);
  g_assert_cmpuint (world->n_ends, ==, 1);
  g_assert_nonnull (strstr (world->message, "; another run uses the folder now, and what 2 nodes"));
  g_assert_null (strstr (world->message, "full"));
  tear_down ();
}

static void
test_stop_of_who_is_lost (void)
{
  set_up ();
  hear_stop (20 * SECOND);
  end_last_walk ();
  say_stopped (3, TRUE);
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  g_assert_cmpuint (world->n_ends, ==, 1);
  tear_down ();
}

static void
test_stop_is_repeated (void)
{
  set_up ();
  hear_stop (20 * SECOND);
  end_last_walk ();
  guint n_before = world->n_signals;
  checkpoint_world_advance (world, 3 * SECOND);
  g_assert_cmpuint (world->n_signals, ==, n_before + 3);
  tear_down ();
}

static void
test_stop_once (void)
{
  set_up ();
  hear_stop (20 * SECOND);
  hear_stop (20 * SECOND);
  g_assert_cmpuint (world->n_last_walks, ==, 1);
  tear_down ();
}

static void
test_stop_missed (void)
{
  set_up ();
  say_stopped (2, TRUE);
  g_assert_cmpuint (world->n_last_walks, ==, 1);
  end_last_walk ();
  say_stopped (3, TRUE);
  g_assert_cmpuint (world->n_ends, ==, 1);
  tear_down ();
}

static void
test_stop_says_so (void)
{
  CheckpointNumberMessage stopped;
  set_up ();
  fake_net_set_master (world->net, 2);
  hear_stop (20 * SECOND);
  checkpoint_world_advance (world, SECOND + WORLD_SOON_US);
  g_assert_true (checkpoint_world_hear (world, 2, CHECKPOINT_MESSAGE_STOPPED,
                                        &CheckpointNumberMessage_record, &stopped));
  g_assert_cmpint (stopped.number, ==, 0);
  end_last_walk ();
  g_assert_true (checkpoint_world_hear (world, 2, CHECKPOINT_MESSAGE_STOPPED,
                                        &CheckpointNumberMessage_record, &stopped));
  g_assert_cmpint (stopped.number, ==, 1);
  g_assert_cmpuint (world->n_ends, ==, 0);
  tear_down ();
}

/* ---- messages ---- */

static void
test_unknown_kind (void)
{
  g_autoptr (GBytes) payload = g_bytes_new_static ("\x63", 1);
  set_up ();
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "*message of unknown kind 99 dropped*");
  fake_net_inject_on (world->net, SATIN_CHANNEL_CHECKPOINT, 2, 1, payload);
  g_test_assert_expected_messages ();
  tear_down ();
}

static void
test_cut_message (void)
{
  const guint8 store = CHECKPOINT_MESSAGE_STORE;
  g_autoptr (GBytes) payload = g_bytes_new (&store, 1);
  set_up ();
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "*checkpoint message dropped*");
  fake_net_inject_on (world->net, SATIN_CHANNEL_CHECKPOINT, 2, 1, payload);
  g_test_assert_expected_messages ();
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/checkpoint/the-end-waits-until-all-is-removed", test_end_removes);
  g_test_add_func ("/ft/checkpoint/a-bad-end-removes-nothing", test_bad_end_keeps);
  g_test_add_func ("/ft/checkpoint/the-end-does-not-wait-for-ever", test_not_removed_in_time);
  g_test_add_func ("/ft/checkpoint/what-cannot-be-removed-is-said", test_could_not_be_removed);
  g_test_add_func ("/ft/checkpoint/the-end-waits-for-the-next-coordinator",
                   test_end_without_coordinator);
  g_test_add_func ("/ft/checkpoint/the-next-coordinator-removes-what-is-left",
                   test_coordinator_lost_while_it_removes);
  g_test_add_func ("/ft/checkpoint/without-a-next-coordinator-the-end-says-so",
                   test_no_next_coordinator);
  g_test_add_func ("/ft/checkpoint/the-end-does-not-wait-when-there-was-no-coordinator",
                   test_end_before_any_coordinator);
  g_test_add_func ("/ft/checkpoint/a-stop-ends-the-run-when-all-have-stored", test_stop);
  g_test_add_func ("/ft/checkpoint/a-stop-comes-too-late-for-a-run-that-is-over",
                   test_stop_of_what_is_over);
  g_test_add_func ("/ft/checkpoint/a-stop-waits-for-what-is-not-stored",
                   test_stop_waits_for_what_is_stored);
  g_test_add_func ("/ft/checkpoint/the-last-walk-takes-all-also-above-64-mib", test_stop_takes_all);
  g_test_add_func ("/ft/checkpoint/who-has-not-stored-all-is-waited-for", test_stop_not_all_stored);
  g_test_add_func ("/ft/checkpoint/a-stop-has-a-deadline", test_stop_deadline);
  g_test_add_func ("/ft/checkpoint/a-stop-of-a-full-checkpoint-says-so",
                   test_stop_of_a_full_checkpoint);
  g_test_add_func ("/ft/checkpoint/a-stop-after-another-run-took-the-folder-says-so",
                   test_stop_of_a_lost_folder);
  g_test_add_func ("/ft/checkpoint/a-stop-does-not-wait-for-who-is-lost", test_stop_of_who_is_lost);
  g_test_add_func ("/ft/checkpoint/the-master-repeats-the-stop", test_stop_is_repeated);
  g_test_add_func ("/ft/checkpoint/a-stop-is-heard-once", test_stop_once);
  g_test_add_func ("/ft/checkpoint/a-master-that-missed-the-stop-hears-of-it", test_stop_missed);
  g_test_add_func ("/ft/checkpoint/others-say-when-they-have-stored-all", test_stop_says_so);
  g_test_add_func ("/ft/checkpoint/a-message-of-unknown-kind-is-dropped", test_unknown_kind);
  g_test_add_func ("/ft/checkpoint/a-message-that-is-cut-is-dropped", test_cut_message);
  return g_test_run ();
}
