/* test-checkpoint-client-orders.c - tests which nodes' orders the coordinator of a checkpoint obeys
 *
 * Node 1 is the coordinator, node 2 the master.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coordinator-world.h"

static guint64
current_term (void)
{
  return satin_peers_get_view (world->client->peers)->term;
}

static void
test_order_of_another (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  checkpoint_world_say_number (world, SENDER, CHECKPOINT_MESSAGE_REMOVE, 0);
  checkpoint_world_say_number (world, SENDER, CHECKPOINT_MESSAGE_TIME, 7);
  checkpoint_world_say_number (world, SENDER, CHECKPOINT_MESSAGE_BE, 7);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, SENDER, CHECKPOINT_MESSAGE_REMOVED), ==, 0);
  g_assert_cmpuint (checkpoint_world_count (world, SENDER, CHECKPOINT_MESSAGE_TIMED), ==, 0);
  g_assert_cmpuint (checkpoint_world_count (world, SENDER, CHECKPOINT_MESSAGE_READY), ==, 0);
  g_assert_cmpint (store (2), ==, VERDICT_STORED);
  g_assert_cmpuint (checkpoint_world_count_stored (world), ==, 2);
  tear_down ();
}

static void
test_order_of_an_earlier_term (void)
{
  set_up ();
  fake_net_set_term (world->net, 5);
  fake_net_set_master (world->net, MASTER);
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_READY);
  checkpoint_world_say_order (world, MASTER, CHECKPOINT_MESSAGE_REMOVE, 0, current_term () - 1);
  checkpoint_world_say_order (world, MASTER, CHECKPOINT_MESSAGE_TIME, 7, current_term () - 1);
  checkpoint_world_say_order (world, MASTER, CHECKPOINT_MESSAGE_BE, 7, current_term () - 1);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_REMOVED), ==, 0);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_TIMED), ==, 0);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_READY), ==, 0);
  g_assert_cmpuint (checkpoint_world_count_stored (world), ==, 1);
  tear_down ();
}

/* A new master sends an order. Node 1 hears of the election only after that. */
static void
test_order_of_a_later_term (void)
{
  world = checkpoint_world_new (4, NULL, 0);
  fake_net_set_term (world->net, 5);
  fake_net_set_master (world->net, 4);
  checkpoint_world_say_order (world, MASTER, CHECKPOINT_MESSAGE_TIME, 7, current_term () + 1);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_TIMED), ==, 0);
  fake_net_set_term (world->net, (guint)current_term () + 1);
  fake_net_set_master (world->net, MASTER);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_TIMED), ==, 1);
  tear_down ();
}

static void
test_removes_nothing_of_another_run (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  world->run_id[0]++;
  checkpoint_world_say_number (world, MASTER, CHECKPOINT_MESSAGE_REMOVE, 0);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count_stored (world), ==, 1);
  tear_down ();
}

/* The coordinator of a later master has begun to write into the folder. */
static void
test_removes_nothing_of_a_later_term (void)
{
  CheckpointStateMessage state;
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  SatinCheckpointHead head;
  checkpoint_client_fill_head (world->client, inputs_get_named (world->client->inputs), &head);
  head.term++;
  head.node = 4;
  checkpoint_world_write_log (&head, 77);
  checkpoint_world_say_number (world, MASTER, CHECKPOINT_MESSAGE_REMOVE, 0);
  checkpoint_world_settle (world);
  g_assert_true (checkpoint_world_hear (world, MASTER, CHECKPOINT_MESSAGE_REMOVED,
                                        &CheckpointStateMessage_record, &state));
  g_assert_cmpint (state.code, ==, SATIN_ERROR_FENCED);
  satin_record_clear (&CheckpointStateMessage_record, &state);
  g_assert_cmpuint (checkpoint_world_count_stored (world), ==, 2);
  tear_down ();
}

/* The coordinator removes logs of earlier terms, but not logs that another run has begun. */
static void
test_removes_what_is_earlier (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  SatinCheckpointHead head;
  checkpoint_client_fill_head (world->client, inputs_get_named (world->client->inputs), &head);
  head.term--;
  head.node = 4;
  checkpoint_world_write_log (&head, 77);
  guint8 other[ID_BYTES] = { 99 };
  head.run = other;
  checkpoint_world_write_log (&head, 78);
  checkpoint_world_say_number (world, MASTER, CHECKPOINT_MESSAGE_REMOVE, 0);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count_stored (world), ==, 1);
  tear_down ();
}

/* A coordinator that continues under a new master writes logs of the new term. */
static void
test_new_term_is_written (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  fake_net_set_term (world->net, 9);
  fake_net_set_master (world->net, 4);
  checkpoint_world_settle (world);
  g_assert_cmpint (store (2), ==, VERDICT_STORED);
  g_assert_cmpint (checkpoint_world_highest_term (), ==, current_term ());
  tear_down ();
}

#define ADD(CLAIM, FUNC) g_test_add_func ("/ft/checkpoint-orders/" CLAIM, FUNC)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("one-that-is-not-the-master-orders-nothing", test_order_of_another);
  ADD ("a-master-of-an-earlier-term-orders-nothing", test_order_of_an_earlier_term);
  ADD ("what-a-coming-master-orders-waits", test_order_of_a_later_term);
  ADD ("removes-nothing-for-another-run", test_removes_nothing_of_another_run);
  ADD ("removes-nothing-where-a-later-term-writes", test_removes_nothing_of_a_later_term);
  ADD ("removes-earlier-terms-and-not-another-run-s", test_removes_what_is_earlier);
  ADD ("what-it-writes-is-of-the-new-term", test_new_term_is_written);
  return g_test_run ();
}
