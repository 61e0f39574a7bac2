/* test-keeping-orders.c - whose orders the node that writes obeys
 *
 * Node 1 writes; node 2 is the master.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coordinator-world.h"

static guint64
current_term (void)
{
  return satin_peers_get_view (world->keeping->peers)->term;
}

static void
test_order_of_another (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  keeping_world_say_number (world, SENDER, KEEPING_REMOVE, 0);
  keeping_world_say_number (world, SENDER, KEEPING_TIME, 7);
  keeping_world_say_number (world, SENDER, KEEPING_BE, 7);
  keeping_world_settle (world);
  g_assert_cmpuint (keeping_world_count (world, SENDER, KEEPING_REMOVED), ==, 0);
  g_assert_cmpuint (keeping_world_count (world, SENDER, KEEPING_TIMED), ==, 0);
  g_assert_cmpuint (keeping_world_count (world, SENDER, KEEPING_READY), ==, 0);
  g_assert_cmpint (store (2), ==, VERDICT_STORED);
  g_assert_cmpuint (keeping_world_count_stored (world), ==, 2);
  tear_down ();
}

static void
test_order_of_an_earlier_term (void)
{
  set_up ();
  fake_net_set_term (world->net, 5);
  fake_net_set_master (world->net, MASTER);
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  keeping_world_count (world, MASTER, KEEPING_READY);
  keeping_world_say_order (world, MASTER, KEEPING_REMOVE, 0, current_term () - 1);
  keeping_world_say_order (world, MASTER, KEEPING_TIME, 7, current_term () - 1);
  keeping_world_say_order (world, MASTER, KEEPING_BE, 7, current_term () - 1);
  keeping_world_settle (world);
  g_assert_cmpuint (keeping_world_count (world, MASTER, KEEPING_REMOVED), ==, 0);
  g_assert_cmpuint (keeping_world_count (world, MASTER, KEEPING_TIMED), ==, 0);
  g_assert_cmpuint (keeping_world_count (world, MASTER, KEEPING_READY), ==, 0);
  g_assert_cmpuint (keeping_world_count_stored (world), ==, 1);
  tear_down ();
}

/* This node hears of its election a little later. */
static void
test_order_of_a_later_term (void)
{
  world = keeping_world_new (4, NULL, 0);
  fake_net_set_term (world->net, 5);
  fake_net_set_master (world->net, 4);
  keeping_world_say_order (world, MASTER, KEEPING_TIME, 7, current_term () + 1);
  keeping_world_settle (world);
  g_assert_cmpuint (keeping_world_count (world, MASTER, KEEPING_TIMED), ==, 0);
  fake_net_set_term (world->net, (guint)current_term () + 1);
  fake_net_set_master (world->net, MASTER);
  keeping_world_settle (world);
  g_assert_cmpuint (keeping_world_count (world, MASTER, KEEPING_TIMED), ==, 1);
  tear_down ();
}

static void
test_removes_nothing_of_another_run (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  world->run_id[0]++;
  keeping_world_say_number (world, MASTER, KEEPING_REMOVE, 0);
  keeping_world_settle (world);
  g_assert_cmpuint (keeping_world_count_stored (world), ==, 1);
  tear_down ();
}

/* A later master's coordinator has written there, beyond the cut. */
static void
test_removes_nothing_of_a_later_term (void)
{
  KeepingState state;
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  SatinCheckpointHead head;
  keeping_fill_head (world->keeping, inputs_get_named (world->keeping->inputs), &head);
  head.term++;
  head.node = 4;
  keeping_world_write_log (&head, 77);
  keeping_world_say_number (world, MASTER, KEEPING_REMOVE, 0);
  keeping_world_settle (world);
  g_assert_true (keeping_world_hear (world, MASTER, KEEPING_REMOVED, &KeepingState_record, &state));
  g_assert_cmpint (state.code, ==, SATIN_ERROR_FENCED);
  satin_record_clear (&KeepingState_record, &state);
  g_assert_cmpuint (keeping_world_count_stored (world), ==, 2);
  tear_down ();
}

/* Nor does it remove what another run began meanwhile. */
static void
test_removes_what_is_earlier (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  SatinCheckpointHead head;
  keeping_fill_head (world->keeping, inputs_get_named (world->keeping->inputs), &head);
  head.term--;
  head.node = 4;
  keeping_world_write_log (&head, 77);
  guint8 other[ID_BYTES] = { 99 };
  head.run = other;
  keeping_world_write_log (&head, 78);
  keeping_world_say_number (world, MASTER, KEEPING_REMOVE, 0);
  keeping_world_settle (world);
  g_assert_cmpuint (keeping_world_count_stored (world), ==, 1);
  tear_down ();
}

/* A coordinator that goes on under a new master writes as its. */
static void
test_new_term_is_written (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  fake_net_set_term (world->net, 9);
  fake_net_set_master (world->net, 4);
  keeping_world_settle (world);
  g_assert_cmpint (store (2), ==, VERDICT_STORED);
  g_assert_cmpint (keeping_world_highest_term (), ==, current_term ());
  tear_down ();
}

#define ADD(CLAIM, FUNC) g_test_add_func ("/ft/keeping-orders/" CLAIM, FUNC)

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
