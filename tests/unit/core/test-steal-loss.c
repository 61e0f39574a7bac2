/* test-steal-loss.c - tests stealing over a network that loses, doubles and delays messages
 *
 * A lost message must cost only time. Every job ends once, at its owner, and at the end no job is
 * exported and no request is pending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-world.h"

/* The fate of messages, which count from 1 in the order of sending. */
typedef struct
{
  guint n_sent;
  guint lost;      /* the number of a message that is lost; 0: none */
  guint per_mille; /* how many of 1,000 messages are lost at random */
  gboolean is_doubling;
} Weather;

static FakeFate
decide (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  Weather *self = user_data;
  self->n_sent++;
  if (self->n_sent == self->lost)
    return FAKE_IS_LOST;
  if (self->per_mille > 0 && (guint)g_test_rand_int_range (0, 1000) < self->per_mille)
    return FAKE_IS_LOST;
  return self->is_doubling ? FAKE_ARRIVES_TWICE : FAKE_ARRIVES;
}

/* Runs five jobs, which are taken two at a time, and take long enough for queries. */
static void
run_scene (Weather *weather)
{
  StealWorld *world = steal_world_new (2);
  WorldNode *victim = steal_world_node (world, 1), *thief = steal_world_node (world, 2);
  victim->max_taken = 2;
  thief->run_us = 3000000;
  steal_world_add_jobs (world, 1, 5);
  fake_net_set_fate_func (world->net, decide, weather);
  steal_world_start (world);
  steal_world_finish (world);
  steal_world_assert_once (world);
  steal_world_free (world);
}

/* Loses the first message of one scene, the second message of the next scene, and so on. Stops when
 * a scene ends before the message that would be lost. */
static void
test_each_message_lost (void)
{
  guint n_scenes = 0;
  for (guint lost = 1;; lost++)
    {
      Weather weather = { .lost = lost };
      run_scene (&weather);
      n_scenes++;
      if (weather.n_sent < lost)
        break;
    }
  g_assert_cmpuint (n_scenes, >, 10);
}

/* What is known of the ways to other nodes may come from the node that is gone. */
static void
test_ways_are_forgotten (gconstpointer change)
{
  StealWorld *world = steal_world_new (3);
  steal_world_add_jobs (world, 1, 5);
  steal_world_start (world);
  g_assert_cmpuint (steal_world_node (world, 1)->n_forgotten, ==, 0);
  fake_net_remove (world->net, 3, (SatinPeerChange)GPOINTER_TO_INT (change));
  steal_world_finish (world);
  g_assert_cmpuint (steal_world_node (world, 1)->n_forgotten, ==, 1);
  steal_world_free (world);
}

static void
test_each_message_lost_while_all_are_doubled (void)
{
  for (guint lost = 1;; lost++)
    {
      Weather weather = { .lost = lost, .is_doubling = TRUE };
      run_scene (&weather);
      if (weather.n_sent < lost)
        break;
    }
}

static void
test_messages_doubled (void)
{
  Weather weather = { .is_doubling = TRUE };
  run_scene (&weather);
}

static void
test_many_lost (void)
{
  for (guint i = 0; i < 50; i++)
    {
      Weather weather = { .per_mille = 300 };
      run_scene (&weather);
    }
}

/* There are more nodes and more jobs. Messages are lost at random. In every other scene, the
 * messages that are not lost arrive twice. */
static void
test_many_nodes (void)
{
  for (guint i = 0; i < 10; i++)
    {
      Weather weather = { .per_mille = 200, .is_doubling = i % 2 };
      StealWorld *world = steal_world_new (WORLD_MAX_NODES);
      fake_net_set_fate_func (world->net, decide, &weather);
      for (guint id = 1; id <= WORLD_MAX_NODES; id += 3)
        {
          steal_world_node (world, id)->max_taken = 3;
          steal_world_node (world, id)->is_busy = TRUE;
          steal_world_add_jobs (world, id, 50);
        }
      steal_world_start (world);
      steal_world_finish (world);
      steal_world_assert_once (world);
      steal_world_free (world);
    }
}

/* ---- one kind of message lost, and what that costs ---- */

static StealKind lost_kind;
static guint n_to_lose;
static guint n_of_kind; /* that were sent */

static FakeFate
lose_kind (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  const guint8 *bytes = g_bytes_get_data (payload, NULL);
  n_of_kind += bytes[0] == lost_kind;
  if (bytes[0] != lost_kind || n_to_lose == 0)
    return FAKE_ARRIVES;
  n_to_lose--;
  return FAKE_IS_LOST;
}

static StealWorld *world;

/* Starts a world with one job. The network loses the first message of @kind. */
static void
start_and_lose (StealKind kind)
{
  world = steal_world_new (2);
  lost_kind = kind;
  n_to_lose = 1;
  n_of_kind = 0;
  fake_net_set_fate_func (world->net, lose_kind, NULL);
  steal_world_add_jobs (world, 1, 1);
  steal_world_start (world);
}

static void
end (void)
{
  steal_world_assert_once (world);
  steal_world_free (world);
}

static void
test_request_lost (void)
{
  start_and_lose (STEAL_REQUEST);
  steal_world_advance (world, REQUEST_DEADLINE_US + 8 * 100 - 1);
  g_assert_cmpuint (steal_world_job (world, 0)->n_taken, ==, 0);
  steal_world_advance (world, 10000);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 1);
  end ();
}

/* The thief asks again. The owner learns by its query that the thief does not have the job. */
static void
test_jobs_lost (void)
{
  start_and_lose (STEAL_JOBS);
  steal_world_advance (world, QUERY_US + 1000);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 0)->n_given, ==, 0);
  g_assert_cmpuint (steal_count_exported (world->nodes[0].steal), ==, 0);
  end ();
}

static void
test_results_lost (void)
{
  start_and_lose (STEAL_RESULTS);
  steal_world_advance (world, 200 + 1000 + RESEND_US + 200 + ACK_US);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 1);
  g_assert_cmpuint (steal_count_held (world->nodes[1].steal), ==, 0);
  end ();
}

static void
assert_sent_after (gint64 duration_us, guint n)
{
  steal_world_advance (world, duration_us);
  g_assert_cmpuint (n_of_kind, ==, n);
}

/* Results may be large and the link slow, so the time between two attempts grows. */
static void
test_results_lost_often (void)
{
  start_and_lose (STEAL_RESULTS);
  n_to_lose = G_MAXUINT;
  assert_sent_after (200 + 1000 + 100, 1);
  assert_sent_after (RESEND_US, 2);
  assert_sent_after (RESEND_US, 2);
  assert_sent_after (RESEND_US, 3);
  assert_sent_after (3 * RESEND_US, 3);
  assert_sent_after (RESEND_US, 4);
  fake_net_break_link (world->net, 1, 2);
  assert_sent_after (100, 5);
  n_to_lose = 0;
  assert_sent_after (RESEND_US, 6);
  end ();
}

/* A result that waits in the queue has not been lost. */
static void
test_results_queued (void)
{
  start_and_lose (STEAL_RESULTS);
  fake_net_set_queued (world->net, 1, 1);
  assert_sent_after (5 * RESEND_US, 1);
  fake_net_set_queued (world->net, 1, 0);
  assert_sent_after (RESEND_US, 2);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 1);
  steal_world_finish (world);
  end ();
}

static void
test_ack_lost (void)
{
  start_and_lose (STEAL_ACK);
  steal_world_advance (world, 10000 + ACK_US);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 1);
  g_assert_cmpuint (steal_count_held (world->nodes[1].steal), ==, 1);
  steal_world_advance (world, RESEND_US + ACK_US);
  g_assert_cmpuint (steal_count_held (world->nodes[1].steal), ==, 0);
  end ();
}

static void
test_nothing_lost (void)
{
  world = steal_world_new (2);
  lost_kind = STEAL_NOTHING;
  n_to_lose = 1;
  fake_net_set_fate_func (world->net, lose_kind, NULL);
  steal_world_start (world);
  steal_world_advance (world, 1000);
  steal_world_add_jobs (world, 1, 1);
  steal_world_advance (world, REQUEST_DEADLINE_US + 10000);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 1);
  end ();
}

static void
test_unknown_lost (void)
{
  start_and_lose (STEAL_JOBS);
  steal_world_advance (world, 1000);
  lost_kind = STEAL_UNKNOWN;
  n_to_lose = 1;
  steal_world_advance (world, QUERY_US);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 0);
  steal_world_advance (world, QUERY_US);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  end ();
}

/* ---- delay ---- */

/* The answer takes longer than the thief waits for it. */
static void
test_late_jobs (void)
{
  world = steal_world_new (2);
  steal_world_add_jobs (world, 1, 1);
  fake_net_show_latency (world->net, FALSE);
  fake_net_set_latency (world->net, 3000000);
  world->nodes[1].pause_us = G_MAXINT64 / 2;
  steal_world_start (world);
  steal_world_advance (world, 5999999);
  g_assert_cmpuint (world->nodes[1].situation.near_history.n_refused, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 0)->n_given, ==, 0);
  steal_world_advance (world, 3100000);
  g_assert_cmpuint (steal_world_job (world, 0)->n_given, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 1);
  steal_world_finish (world);
  end ();
}

static void
test_known_latency_is_waited_for (void)
{
  world = steal_world_new (2);
  steal_world_add_jobs (world, 1, 1);
  fake_net_set_latency (world->net, 3000000);
  steal_world_start (world);
  steal_world_advance (world, 6000001);
  g_assert_cmpuint (world->nodes[1].situation.near_history.n_refused, ==, 0);
  steal_world_finish (world);
  end ();
}

/* Such a latency may be measured while the network is cut. */
static void
test_absurd_latency_is_not_waited_for (void)
{
  world = steal_world_new (2);
  steal_world_add_jobs (world, 1, 1);
  fake_net_set_latency (world->net, 40000000);
  world->nodes[1].pause_us = G_MAXINT64 / 2;
  steal_world_start (world);
  steal_world_advance (world, REQUEST_DEADLINE_MAX_US + 1);
  g_assert_cmpuint (world->nodes[1].situation.near_history.n_refused, ==, 1);
  steal_world_finish (world);
  end ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/core/steal/" claim, func)
  ADD ("any-message-may-be-lost", test_each_message_lost);
  ADD ("all-messages-may-come-twice", test_messages_doubled);
  ADD ("any-message-may-be-lost-while-all-come-twice",
       test_each_message_lost_while_all_are_doubled);
  ADD ("three-in-ten-messages-may-be-lost", test_many_lost);
  g_test_add_data_func ("/core/steal/ways-are-forgotten-when-a-node-has-left",
                        GINT_TO_POINTER (SATIN_PEER_LEFT), test_ways_are_forgotten);
  g_test_add_data_func ("/core/steal/ways-are-forgotten-when-a-node-has-died",
                        GINT_TO_POINTER (SATIN_PEER_DIED), test_ways_are_forgotten);
  ADD ("many-nodes-run-each-job-once-in-bad-weather", test_many_nodes);
  ADD ("lost-request-is-repeated-after-its-deadline", test_request_lost);
  ADD ("lost-jobs-are-taken-back-after-a-query", test_jobs_lost);
  ADD ("lost-results-are-sent-again-after-a-second", test_results_lost);
  ADD ("results-are-sent-again-after-ever-longer-times-but-for-broken-links",
       test_results_lost_often);
  ADD ("results-that-wait-in-the-queue-are-not-sent-again", test_results_queued);
  ADD ("lost-ack-costs-a-second-result-only", test_ack_lost);
  ADD ("lost-refusal-costs-the-deadline", test_nothing_lost);
  ADD ("lost-unknown-is-asked-for-again", test_unknown_lost);
  ADD ("late-jobs-are-run", test_late_jobs);
  ADD ("known-latency-is-waited-for", test_known_latency_is_waited_for);
  ADD ("absurd-latency-is-not-waited-for", test_absurd_latency_is_not_waited_for);
  return g_test_run ();
}
