/* test-checkpoint-client-sender.c - tests how a node sends its finished results to the coordinator
 *
 * Node 2 is the master. Node 3 is the coordinator when a case begins.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-world.h"

#define MASTER      2
#define COORDINATOR 3
#define OTHER       4
#define SECOND      ((gint64)1000000)
#define WHO_US      ((gint64)500000)
#define AGAIN_US    ((gint64)20000000)
#define MIB         ((gsize)1 << 20)

static CheckpointWorld *world;

static void
set_up_unknown (void)
{
  world = checkpoint_world_new (4, NULL, 0);
  fake_net_set_master (world->net, MASTER);
}

static void
set_up (void)
{
  set_up_unknown ();
  checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_IS, COORDINATOR);
}

static void
tear_down (void)
{
  checkpoint_world_free (world);
}

/* Checks that node @to gets batch @number with @n_results results, and no other batch. */
static void
assert_sent (SatinNodeId to, gint64 number, gsize n_results)
{
  gsize n = 0;
  checkpoint_world_settle (world);
  g_assert_cmpint (checkpoint_world_hear_store (world, to, &n), ==, number);
  g_assert_cmpuint (n, ==, n_results);
  g_assert_cmpuint (checkpoint_world_count (world, to, CHECKPOINT_MESSAGE_STORE), ==, 0);
}

static void
assert_nothing_sent (SatinNodeId to)
{
  g_assert_cmpuint (checkpoint_world_count (world, to, CHECKPOINT_MESSAGE_STORE), ==, 0);
}

static gint64
waiting (void)
{
  return checkpoint_world_figure (world, "checkpoint.waiting-bytes");
}

/* ---- finding the coordinator ---- */

static void
test_asks_the_master (void)
{
  set_up_unknown ();
  checkpoint_world_finish (world, 1, 0);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_WHO), ==, 1);
  checkpoint_world_advance (world, 4 * WHO_US);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_WHO), ==, 4);
  checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_IS, COORDINATOR);
  assert_sent (COORDINATOR, 1, 1);
  checkpoint_world_advance (world, 4 * WHO_US);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_WHO), ==, 0);
  tear_down ();
}

static void
test_does_not_ask_for_nothing (void)
{
  set_up_unknown ();
  checkpoint_world_advance (world, 10 * SECOND);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_WHO), ==, 0);
  tear_down ();
}

static void
test_coordinator_that_is_gone (void)
{
  set_up_unknown ();
  fake_net_remove (world->net, COORDINATOR, SATIN_PEER_DIED);
  checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_IS, COORDINATOR);
  checkpoint_world_finish (world, 1, 0);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_WHO), ==, 1);
  tear_down ();
}

static void
lose_coordinator (SatinPeerChange change)
{
  set_up ();
  checkpoint_world_finish (world, 1, 0);
  assert_sent (COORDINATOR, 1, 1);
  fake_net_remove (world->net, COORDINATOR, change);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_WHO), ==, 1);
  checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_IS, OTHER);
  assert_sent (OTHER, 1, 1);
  tear_down ();
}

static void
test_coordinator_died (void)
{
  lose_coordinator (SATIN_PEER_DIED);
}

static void
test_coordinator_left (void)
{
  lose_coordinator (SATIN_PEER_LEFT);
}

static void
test_coordinator_leaves (void)
{
  set_up ();
  checkpoint_world_finish (world, 1, 0);
  assert_sent (COORDINATOR, 1, 1);
  fake_net_say_leaving (world->net, COORDINATOR);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_WHO), ==, 1);
  tear_down ();
}

/* ---- sending until it is stored ---- */

static void
test_said_again (void)
{
  set_up ();
  checkpoint_world_finish (world, 1, 0);
  assert_sent (COORDINATOR, 1, 1);
  checkpoint_world_advance (world, AGAIN_US - 2 * WORLD_SOON_US);
  assert_nothing_sent (COORDINATOR);
  checkpoint_world_advance (world, 2 * WORLD_SOON_US);
  assert_sent (COORDINATOR, 1, 1);
  tear_down ();
}

static void
test_stored (void)
{
  set_up ();
  checkpoint_world_finish (world, 1, 0);
  assert_sent (COORDINATOR, 1, 1);
  g_assert_cmpint (waiting (), >, 0);
  checkpoint_world_say_stored (world, COORDINATOR, 1, VERDICT_STORED);
  g_assert_cmpint (waiting (), ==, 0);
  checkpoint_world_advance (world, 2 * AGAIN_US);
  assert_nothing_sent (COORDINATOR);
  g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.stored"), ==, 1);
  tear_down ();
}

static void
test_one_at_a_time (void)
{
  set_up ();
  checkpoint_world_finish (world, 1, 0);
  assert_sent (COORDINATOR, 1, 1);
  checkpoint_world_finish (world, 2, 0);
  checkpoint_world_finish (world, 3, 0);
  checkpoint_world_settle (world);
  assert_nothing_sent (COORDINATOR);
  checkpoint_world_say_stored (world, COORDINATOR, 1, VERDICT_STORED);
  assert_sent (COORDINATOR, 2, 2);
  tear_down ();
}

static void
test_batch_is_full (void)
{
  set_up ();
  for (gint32 n = 1; n <= 4; n++)
    checkpoint_world_finish (world, n, MIB / 2);
  assert_sent (COORDINATOR, 1, 2);
  checkpoint_world_say_stored (world, COORDINATOR, 1, VERDICT_STORED);
  assert_sent (COORDINATOR, 2, 2);
  tear_down ();
}

static void
test_answer_of_another (void)
{
  set_up ();
  checkpoint_world_finish (world, 1, 0);
  assert_sent (COORDINATOR, 1, 1);
  checkpoint_world_say_stored (world, OTHER, 1, VERDICT_STORED);
  g_assert_cmpint (waiting (), >, 0);
  tear_down ();
}

static void
test_late_answer (void)
{
  set_up ();
  checkpoint_world_finish (world, 1, 0);
  assert_sent (COORDINATOR, 1, 1);
  checkpoint_world_say_stored (world, COORDINATOR, 1, VERDICT_STORED);
  checkpoint_world_finish (world, 2, 0);
  assert_sent (COORDINATOR, 2, 1);
  checkpoint_world_say_stored (world, COORDINATOR, 1, VERDICT_STORED);
  g_assert_cmpint (waiting (), >, 0);
  tear_down ();
}

/* The first batch may have arrived before the link broke. So it is sent again as it was, without
 * result 2. */
static void
test_link_breaks (void)
{
  set_up ();
  checkpoint_world_finish (world, 1, 0);
  assert_sent (COORDINATOR, 1, 1);
  fake_net_break_link (world->net, 1, COORDINATOR);
  checkpoint_world_finish (world, 2, 0);
  assert_sent (COORDINATOR, 1, 1);
  checkpoint_world_say_stored (world, COORDINATOR, 1, VERDICT_STORED);
  assert_sent (COORDINATOR, 2, 1);
  tear_down ();
}

/* ---- other answers ---- */

static void
test_later (void)
{
  set_up ();
  checkpoint_world_finish (world, 1, 0);
  assert_sent (COORDINATOR, 1, 1);
  checkpoint_world_say_stored (world, COORDINATOR, 1, VERDICT_LATER);
  checkpoint_world_advance (world, SECOND - 2 * WORLD_SOON_US);
  assert_nothing_sent (COORDINATOR);
  checkpoint_world_advance (world, 2 * WORLD_SOON_US);
  assert_sent (COORDINATOR, 1, 1);
  tear_down ();
}

static void
test_not_me (void)
{
  set_up ();
  checkpoint_world_finish (world, 1, 0);
  assert_sent (COORDINATOR, 1, 1);
  checkpoint_world_say_stored (world, COORDINATOR, 1, VERDICT_NOT_ME);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_WHO), ==, 1);
  assert_nothing_sent (COORDINATOR);
  tear_down ();
}

static void
test_full (void)
{
  set_up ();
  checkpoint_world_finish (world, 1, 0);
  assert_sent (COORDINATOR, 1, 1);
  checkpoint_world_finish (world, 2, 0);
  checkpoint_world_say_stored (world, COORDINATOR, 1, VERDICT_FULL);
  g_assert_cmpint (waiting (), ==, 0);
  checkpoint_world_finish (world, 3, 0);
  checkpoint_world_advance (world, 2 * WORLD_EVERY_US);
  assert_nothing_sent (COORDINATOR);
  g_assert_cmpint (waiting (), ==, 0);
  g_assert_cmpuint (world->n_walks, <=, 1);
  tear_down ();
}

static void
test_too_large (void)
{
  set_up ();
  checkpoint_world_finish (world, 1, SATIN_MESSAGE_MAX_BYTES);
  checkpoint_world_settle (world);
  assert_nothing_sent (COORDINATOR);
  g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.too-large"), ==, 1);
  g_assert_cmpint (waiting (), ==, 0);
  tear_down ();
}

static void
test_too_much_waits (void)
{
  set_up ();
  checkpoint_world_advance (world, WORLD_EVERY_US);
  g_assert_cmpuint (world->n_walks, ==, 1);
  for (gint32 n = 1; n <= 3; n++)
    checkpoint_world_finish (world, n, 30 * MIB);
  assert_sent (COORDINATOR, 1, 1);
  g_assert_false (checkpoint_world_is_new (world, 9));
  checkpoint_world_say_stored (world, COORDINATOR, 1, VERDICT_STORED);
  g_assert_true (checkpoint_world_is_new (world, 9));
  tear_down ();
}

/* ---- walks ---- */

static void
test_walks (void)
{
  set_up ();
  for (guint i = 1; i <= 4; i++)
    {
      checkpoint_world_advance (world, WORLD_EVERY_US);
      g_assert_cmpuint (world->n_walks, ==, i);
      world->recovery->ops->walked (world->recovery, FALSE);
    }
  tear_down ();
}

static void
test_one_walk_at_a_time (void)
{
  set_up ();
  checkpoint_world_advance (world, 5 * WORLD_EVERY_US);
  g_assert_cmpuint (world->n_walks, ==, 1);
  tear_down ();
}

static void
test_walk_does_not_end (void)
{
  set_up ();
  checkpoint_world_advance (world, 610 * SECOND + WORLD_EVERY_US);
  g_assert_cmpuint (world->n_walks, ==, 2);
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/checkpoint-sender/the-master-is-asked-until-it-knows",
                   test_asks_the_master);
  g_test_add_func ("/ft/checkpoint-sender/who-has-nothing-asks-nobody",
                   test_does_not_ask_for_nothing);
  g_test_add_func ("/ft/checkpoint-sender/a-coordinator-that-is-gone-is-none",
                   test_coordinator_that_is_gone);
  g_test_add_func ("/ft/checkpoint-sender/coordinator-died-so-the-next-one-gets-it",
                   test_coordinator_died);
  g_test_add_func ("/ft/checkpoint-sender/coordinator-left-so-the-next-one-gets-it",
                   test_coordinator_left);
  g_test_add_func ("/ft/checkpoint-sender/a-coordinator-that-leaves-gets-nothing-more",
                   test_coordinator_leaves);
  g_test_add_func ("/ft/checkpoint-sender/what-is-not-answered-is-said-again", test_said_again);
  g_test_add_func ("/ft/checkpoint-sender/a-batch-stays-until-it-is-stored", test_stored);
  g_test_add_func ("/ft/checkpoint-sender/one-batch-at-a-time", test_one_at_a_time);
  g_test_add_func ("/ft/checkpoint-sender/a-full-batch-takes-no-more", test_batch_is_full);
  g_test_add_func ("/ft/checkpoint-sender/answers-of-others-do-not-count", test_answer_of_another);
  g_test_add_func ("/ft/checkpoint-sender/an-answer-is-of-its-batch-only", test_late_answer);
  g_test_add_func ("/ft/checkpoint-sender/a-batch-that-was-sent-takes-no-more", test_link_breaks);
  g_test_add_func ("/ft/checkpoint-sender/what-is-put-off-is-said-a-second-later", test_later);
  g_test_add_func ("/ft/checkpoint-sender/who-is-not-it-is-not-asked-again", test_not_me);
  g_test_add_func ("/ft/checkpoint-sender/when-it-is-full-nothing-more-is-taken", test_full);
  g_test_add_func ("/ft/checkpoint-sender/a-result-too-large-is-counted", test_too_large);
  g_test_add_func ("/ft/checkpoint-sender/above-64-mib-what-is-new-is-found-later",
                   test_too_much_waits);
  g_test_add_func ("/ft/checkpoint-sender/walks-every-so-often", test_walks);
  g_test_add_func ("/ft/checkpoint-sender/one-walk-at-a-time", test_one_walk_at_a_time);
  g_test_add_func ("/ft/checkpoint-sender/a-walk-that-does-not-end-is-given-up",
                   test_walk_does_not_end);
  return g_test_run ();
}
