/* test-steal-requests.c - tests requests that are pending at a busy node, and its offers to thieves
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-pair.h"

/* ---- pending requests ---- */

static void
test_idle_victim_refuses_at_once (void)
{
  steal_pair_watch_for (world->net, STEAL_NOTHING);
  steal_world_start (world);
  steal_world_advance (world, 150);
  g_assert_cmpuint (seen.n, ==, 1);
  g_assert_cmpint (seen.at_us[0], ==, 100);
}

static void
test_busy_victim_refuses_after_a_moment (void)
{
  victim->is_busy = TRUE;
  steal_pair_watch_for (world->net, STEAL_NOTHING);
  steal_world_start (world);
  steal_world_advance (world, 1300);
  g_assert_cmpuint (seen.n, ==, 1);
  g_assert_cmpint (seen.at_us[0], ==, 100 + HOLD_US);
}

static void
test_hold_grows (void)
{
  victim->is_busy = TRUE;
  thief->pause_us = 0;
  steal_pair_watch_for (world->net, STEAL_NOTHING);
  steal_world_start (world);
  steal_world_advance (world, 100000);
  for (guint i = 0; i < 10; i++)
    {
      gint64 before_us = i == 0 ? -100 : seen.at_us[i - 1];
      gint64 held_us = MIN (HOLD_US * (1 + i), HOLD_MAX_US);
      g_assert_cmpint (seen.at_us[i] - before_us, ==, 200 + held_us);
    }
}

static void
test_held_request_is_served (void)
{
  victim->is_busy = TRUE;
  steal_world_start (world);
  steal_world_advance (world, 200);
  g_assert_cmpuint (victim->n_wanted, ==, 1);
  steal_pair_watch_for (world->net, STEAL_JOBS);
  steal_world_add_jobs (world, 1, 1);
  steal_published (victim->steal);
  g_assert_cmpuint (seen.n, ==, 1);
  steal_world_finish (world);
  steal_world_assert_once (world);
}

static void
test_vain_publishing_wants_again (void)
{
  victim->is_busy = TRUE;
  steal_world_start (world);
  steal_world_advance (world, 200);
  steal_published (victim->steal);
  g_assert_cmpuint (victim->n_wanted, ==, 2);
}

static void
test_held_requests_are_served_in_order (void)
{
  StealWorld *four = steal_world_new (4);
  victim = steal_world_node (four, 1);
  victim->is_busy = TRUE;
  victim->max_taken = 1;
  for (SatinNodeId id = 4; id > 1; id--)
    {
      steal_world_node (four, id)->victim = 1;
      steal_hungry (steal_world_node (four, id)->steal);
    }
  steal_world_advance (four, 300);
  steal_world_add_jobs (four, 1, 3);
  steal_pair_watch_for (four->net, STEAL_JOBS);
  steal_published (victim->steal);
  g_assert_cmpuint (seen.n, ==, 3);
  g_assert_cmpuint (seen.to[0], ==, 4);
  g_assert_cmpuint (seen.to[1], ==, 3);
  g_assert_cmpuint (seen.to[2], ==, 2);
  steal_world_finish (four);
  steal_world_free (four);
}

/* A thief may ask to wait for any time, but the victim sets a limit. */
static void
test_hold_is_bounded (void)
{
  StealRequest request = { .request = 9, .hold_us = G_MAXINT64 };
  g_autoptr (GBytes) message = steal_message (STEAL_REQUEST, &StealRequest_record, &request);
  victim->is_busy = TRUE;
  steal_pair_watch_for (world->net, STEAL_NOTHING);
  fake_net_inject (world->net, 2, 1, message);
  steal_world_advance (world, HOLD_MAX_US);
  g_assert_cmpuint (seen.n, ==, 1);
}

/* ---- offers ---- */

/* The victim refuses the thief's first request. The thief asks again without a pause. */
static void
be_refused (void)
{
  thief->pause_us = 0;
  steal_world_start (world);
  steal_world_advance (world, 200);
  steal_pair_watch_for (world->net, STEAL_OFFER);
}

static void
test_refused_thief_hears_of_jobs (void)
{
  be_refused ();
  steal_world_add_jobs (world, 1, 1);
  steal_published (victim->steal);
  g_assert_cmpuint (seen.n, ==, 1);
  g_assert_cmpuint (seen.to[0], ==, thief->id);
  steal_world_finish (world);
  steal_world_assert_once (world);
}

static void
test_refused_thief_hears_once (void)
{
  be_refused ();
  steal_published (victim->steal);
  steal_published (victim->steal);
  g_assert_cmpuint (seen.n, ==, 1);
}

static void
test_refusing_wants_jobs (void)
{
  be_refused ();
  g_assert_cmpuint (victim->n_wanted, >=, 1);
}

static void
test_policy_sees_offer (void)
{
  be_refused ();
  thief->pause_us = G_MAXINT32;
  steal_published (victim->steal);
  g_assert_false (thief->victims[0].has_offered);
  steal_world_advance (world, 100);
  g_assert_true (thief->victims[0].has_offered);
}

/* Only the node that has offered jobs may have jobs now, so the refusals of other nodes still
 * count. */
static void
test_offer_ends_no_pause (void)
{
  be_refused ();
  thief->pause_us = G_MAXINT32;
  steal_published (victim->steal);
  steal_world_advance (world, 100);
  g_assert_cmpuint (thief->situation.near_history.n_refused, ==, 1);
}

/* Node 3 has refused a request of node 2. While another request of node 2 is pending at node 1,
 * node 3 gets jobs. */
static void
test_offer_comes_before_held_request (void)
{
  StealWorld *three = steal_world_new (3);
  WorldNode *hungry = steal_world_node (three, 2);
  steal_world_node (three, 3)->n_workers = 0;
  steal_world_node (three, 1)->is_busy = TRUE;
  hungry->victim = 3;
  steal_world_start (three);
  steal_world_advance (three, 200);
  hungry->victim = 1;
  steal_world_advance (three, 5000);
  hungry->victim = 3;
  guint job = steal_world_add_jobs (three, 3, 1);
  gint64 now_us = satin_loop_now_us (three->loop);
  steal_published (steal_world_node (three, 3)->steal);
  steal_world_finish (three);
  /* The offer, the request, the job, its run, the result. */
  g_assert_cmpint (steal_world_job (three, job)->over_us, ==,
                   now_us + 100 + 100 + 100 + 1000 + 100);
  steal_world_free (three);
}

/* Nodes 1 and 3 are far from node 2. While node 2 waits for an answer of node 1, node 3 offers
 * jobs. */
static void
test_offer_comes_before_far_request (void)
{
  StealWorld *three = steal_world_new (3);
  WorldNode *node = steal_world_node (three, 2);
  fake_net_set_cluster (three->net, 2, "there");
  steal_world_node (three, 1)->n_workers = steal_world_node (three, 3)->n_workers = 0;
  node->is_asking_far = TRUE;
  node->pause_us = 300;
  node->victim = 3;
  steal_world_start (three);
  steal_world_advance (three, 200);
  fake_net_set_latency (three->net, 5000);
  node->victim = 1;
  steal_world_advance (three, 400);
  fake_net_set_latency (three->net, 100);
  node->victim = 3;
  guint job = steal_world_add_jobs (three, 3, 1);
  gint64 now_us = satin_loop_now_us (three->loop);
  steal_published (steal_world_node (three, 3)->steal);
  steal_world_finish (three);
  g_assert_cmpint (steal_world_job (three, job)->over_us, ==,
                   now_us + 100 + 100 + 100 + 1000 + 100);
  steal_world_free (three);
}

static void
test_offer_is_used_up (void)
{
  be_refused ();
  steal_published (victim->steal);
  steal_world_advance (world, 10000);
  g_assert_cmpuint (thief->n_chosen, >, 2);
  g_assert_false (thief->victims[0].has_offered);
}

static void
test_quiet_offers_nothing (void)
{
  be_refused ();
  steal_quiet (victim->steal);
  steal_published (victim->steal);
  g_assert_cmpuint (seen.n, ==, 0);
}

static void
test_lost_thief_gets_no_offer (void)
{
  be_refused ();
  fake_net_remove (world->net, thief->id, SATIN_PEER_DIED);
  steal_published (victim->steal);
  g_assert_cmpuint (seen.n, ==, 0);
}

/* No request of the thief had one of these numbers. */
static void
test_foreign_offer_is_ignored (void)
{
  const gint64 requests[] = { G_MININT64, -1, 0, 1000, G_MAXINT64 };
  steal_world_start (world);
  guint n_chosen = thief->n_chosen;
  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      StealAnswer answer = { .request = requests[i] };
      g_autoptr (GBytes) message = steal_message (STEAL_OFFER, &StealAnswer_record, &answer);
      fake_net_inject (world->net, 1, thief->id, message);
    }
  steal_world_advance (world, 50);
  g_assert_cmpuint (thief->n_chosen, ==, n_chosen);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  steal_pair_add ("steal-requests", "idle-victim-refuses-at-once",
                  test_idle_victim_refuses_at_once);
  steal_pair_add ("steal-requests", "busy-victim-refuses-after-1-ms",
                  test_busy_victim_refuses_after_a_moment);
  steal_pair_add ("steal-requests", "requests-are-held-longer-after-refusals", test_hold_grows);
  steal_pair_add ("steal-requests", "held-request-is-served-when-published",
                  test_held_request_is_served);
  steal_pair_add ("steal-requests", "vain-publishing-wants-again",
                  test_vain_publishing_wants_again);
  steal_pair_add ("steal-requests", "held-requests-are-served-in-order",
                  test_held_requests_are_served_in_order);
  steal_pair_add ("steal-requests", "request-is-held-5-ms-at-most", test_hold_is_bounded);
  steal_pair_add ("steal-requests", "refused-thief-hears-of-jobs",
                  test_refused_thief_hears_of_jobs);
  steal_pair_add ("steal-requests", "refused-thief-hears-once", test_refused_thief_hears_once);
  steal_pair_add ("steal-requests", "refusing-wants-jobs", test_refusing_wants_jobs);
  steal_pair_add ("steal-requests", "policy-sees-an-offer", test_policy_sees_offer);
  steal_pair_add ("steal-requests", "offer-ends-no-pause", test_offer_ends_no_pause);
  steal_pair_add ("steal-requests", "offer-comes-before-a-held-request",
                  test_offer_comes_before_held_request);
  steal_pair_add ("steal-requests", "offer-comes-before-a-far-request-on-its-way",
                  test_offer_comes_before_far_request);
  steal_pair_add ("steal-requests", "offer-is-used-up-by-asking", test_offer_is_used_up);
  steal_pair_add ("steal-requests", "quiet-offers-nothing", test_quiet_offers_nothing);
  steal_pair_add ("steal-requests", "lost-thief-gets-no-offer", test_lost_thief_gets_no_offer);
  steal_pair_add ("steal-requests", "offer-to-nothing-that-was-asked-is-ignored",
                  test_foreign_offer_is_ignored);
  return g_test_run ();
}
