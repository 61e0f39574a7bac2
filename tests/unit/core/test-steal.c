/* test-steal.c - stealing between nodes when all goes well
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-world.h"

static StealWorld *world;
static WorldNode *victim, *thief;

static void
set_up (void)
{
  world = steal_world_new (2);
  victim = steal_world_node (world, 1);
  thief = steal_world_node (world, 2);
}

static void
tear_down (void)
{
  steal_world_free (world);
}

/* Records messages of one kind: who sent them and when. */
static struct
{
  StealKind kind;
  guint n;
  SatinNodeId to[16];
  gint64 at_us[16];
} seen;

static FakeFate
watch (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  const guint8 *bytes = g_bytes_get_data (payload, NULL);
  if (bytes[0] == seen.kind && seen.n < G_N_ELEMENTS (seen.to))
    {
      seen.to[seen.n] = to;
      seen.at_us[seen.n] = satin_loop_now_us (world->loop);
      seen.n++;
    }
  return FAKE_ARRIVES;
}

static void
watch_for (StealKind kind)
{
  seen.kind = kind;
  seen.n = 0;
  fake_net_set_fate_func (world->net, watch, NULL);
}

/* ---- jobs and results ---- */

static void
test_one_job (void)
{
  guint job = steal_world_add_jobs (world, 1, 1);
  steal_world_start (world);
  /* There, run, back, and acknowledged. */
  steal_world_advance (world, 100 + 100 + 1000 + 100 + ACK_US + 100);
  g_assert_cmpuint (steal_world_job (world, job)->n_finished, ==, 1);
  g_assert_cmpuint (steal_world_job (world, job)->n_given, ==, 1);
  g_assert_cmpuint (steal_world_count_over (world, job), ==, 1);
  g_assert_cmpuint (steal_count_exported (victim->steal), ==, 0);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 0);
}

static void
test_exported_and_held (void)
{
  steal_world_add_jobs (world, 1, 3);
  steal_world_start (world);
  steal_world_advance (world, 300);
  g_assert_cmpuint (steal_count_exported (victim->steal), ==, 3);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 3);
  steal_world_finish (world);
}

static void
test_failure (void)
{
  guint job = steal_world_add_jobs (world, 1, 1);
  thief->is_failing = TRUE;
  steal_world_start (world);
  steal_world_finish (world);
  g_assert_cmpuint (steal_world_job (world, job)->n_failed, ==, 1);
  g_assert_cmpint (steal_world_job (world, job)->code, ==, SATIN_ERROR_LIMIT);
  g_assert_cmpstr (steal_world_job (world, job)->message, ==, "it fails");
}

static void
test_many_nodes (void)
{
  StealWorld *large = steal_world_new (WORLD_MAX_NODES);
  for (guint i = 0; i < WORLD_MAX_NODES; i += 2)
    {
      large->nodes[i].max_taken = 3;
      steal_world_add_jobs (large, i + 1, 200);
    }
  steal_world_start (large);
  steal_world_finish (large);
  steal_world_assert_once (large);
  steal_world_free (large);
}

static void
test_batch (void)
{
  steal_world_add_jobs (world, 1, 100);
  watch_for (STEAL_JOBS);
  steal_world_start (world);
  steal_world_advance (world, 200);
  g_assert_cmpuint (seen.n, ==, 1);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, MAX_BATCH);
  steal_world_finish (world);
  g_assert_cmpuint (seen.n, ==, (100 + MAX_BATCH - 1) / MAX_BATCH);
}

static void
test_results_together (void)
{
  steal_world_add_jobs (world, 1, 10);
  thief->run_us = 0;
  watch_for (STEAL_RESULTS);
  steal_world_start (world);
  steal_world_finish (world);
  g_assert_cmpuint (seen.n, ==, 1);
  steal_world_assert_once (world);
}

static void
test_acknowledgements_together (void)
{
  steal_world_add_jobs (world, 1, 10);
  watch_for (STEAL_ACK);
  steal_world_start (world);
  steal_world_finish (world);
  g_assert_cmpuint (seen.n, ==, 1);
}

static void
test_many_acknowledgements_at_once (void)
{
  steal_world_add_jobs (world, 1, MAX_DUE + 1);
  thief->run_us = 0;
  watch_for (STEAL_ACK);
  steal_world_start (world);
  steal_world_finish (world);
  g_assert_cmpuint (seen.n, ==, 2);
}

static void
test_large_results_apart (void)
{
  guint first = steal_world_add_jobs (world, 1, 4);
  thief->run_us = 0;
  for (guint i = 0; i < 4; i++)
    steal_world_job (world, first + i)->size_bytes = RESULTS_MAX_BYTES * 3 / 4;
  watch_for (STEAL_RESULTS);
  steal_world_start (world);
  steal_world_finish (world);
  g_assert_cmpuint (seen.n, >, 1);
  steal_world_assert_once (world);
}

/* A small result must not push the largest possible one over the limit of a message. */
static void
test_largest_result (void)
{
  guint first = steal_world_add_jobs (world, 1, 2);
  thief->run_us = 0;
  steal_world_job (world, first)->size_bytes = RESULTS_MAX_BYTES - 100;
  steal_world_job (world, first + 1)->size_bytes = SATIN_MESSAGE_MAX_BYTES - 260;
  steal_world_start (world);
  steal_world_finish (world);
  steal_world_assert_once (world);
  g_assert_cmpuint (fake_net_largest_bytes (world->net), <=, SATIN_MESSAGE_MAX_BYTES);
}

/* ---- asking ---- */

static void
test_busy_node_asks_nobody (void)
{
  thief->n_workers = 0;
  steal_world_add_jobs (world, 1, 1);
  steal_world_start (world);
  steal_world_advance (world, 1000000);
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, 0);
}

static void
test_alone_asks_nobody (void)
{
  StealWorld *single = steal_world_new (1);
  single->nodes[0].n_workers = 1;
  steal_world_start (single);
  steal_world_advance (single, 1000000);
  g_assert_cmpuint (single->nodes[0].n_chosen, ==, 0);
  steal_world_free (single);
}

static void
test_one_request_at_a_time (void)
{
  watch_for (STEAL_REQUEST);
  for (guint i = 0; i < 10; i++)
    steal_hungry (thief->steal);
  g_assert_cmpuint (seen.n, ==, 1);
}

static void
test_near_and_far_at_once (void)
{
  StealWorld *three = steal_world_new (3);
  WorldNode *node = steal_world_node (three, 2);
  fake_net_set_cluster (three->net, 3, "there");
  node->victim = 1;
  steal_hungry (node->steal);
  g_assert_cmpuint (node->situation.near_asked, ==, 0);
  node->is_asking_far = TRUE;
  node->victim = 3;
  steal_hungry (node->steal);
  g_assert_cmpuint (node->situation.near_asked, ==, 1);
  g_assert_cmpuint (node->situation.far_asked, ==, 0);
  steal_hungry (node->steal);
  g_assert_cmpuint (node->situation.far_asked, ==, 3);
  g_assert_cmpuint (fake_net_count_sent (three->net), ==, 2);
  steal_world_free (three);
}

static void
test_policy_sees_the_peers (void)
{
  StealWorld *three = steal_world_new (3);
  WorldNode *node = steal_world_node (three, 2);
  fake_net_set_cluster (three->net, 3, "there");
  fake_net_set_latency (three->net, 777);
  node->n_workers = 5;
  steal_hungry (node->steal);
  g_assert_cmpuint (node->situation.n_idle, ==, 5);
  g_assert_cmpuint (node->situation.n_victims, ==, 2);
  g_assert_cmpuint (node->victims[0].id, ==, 1);
  g_assert_true (node->victims[0].is_near);
  g_assert_cmpuint (node->victims[1].id, ==, 3);
  g_assert_false (node->victims[1].is_near);
  g_assert_cmpint (node->victims[1].latency_us, ==, 777);
  steal_world_free (three);
}

static void
test_policy_sees_refusals (void)
{
  thief->pause_us = 10000;
  steal_world_start (world);
  steal_world_advance (world, 205);
  g_assert_cmpuint (thief->situation.near_history.n_refused, ==, 1);
  g_assert_cmpuint (thief->situation.far_history.n_refused, ==, 0);
  g_assert_cmpuint (thief->victims[0].n_refused, ==, 1);
  steal_world_advance (world, 10000);
  g_assert_cmpuint (thief->victims[0].n_refused, ==, 2);
}

/* What is refused after the job counts from 0 again. */
static void
test_job_clears_refusals (void)
{
  steal_world_start (world);
  steal_world_advance (world, 2500);
  g_assert_cmpuint (thief->victims[0].n_refused, >, 1);
  thief->pause_us = 1000000;
  steal_world_add_jobs (world, 1, 1);
  steal_world_finish (world);
  g_assert_cmpuint (thief->victims[0].n_refused, ==, 1);
  g_assert_cmpuint (thief->situation.near_history.n_refused, ==, 1);
}

static void
test_wait_is_kept (void)
{
  thief->pause_us = 7000;
  watch_for (STEAL_REQUEST);
  steal_world_start (world);
  steal_world_advance (world, 30000);
  g_assert_cmpuint (seen.n, ==, 5);
  for (guint i = 1; i < seen.n; i++)
    g_assert_cmpint (seen.at_us[i] - seen.at_us[i - 1], ==, 7000);
}

static void
test_newcomer_is_considered (void)
{
  guint n_chosen = thief->n_chosen;
  fake_net_break_link (world->net, 1, 2);
  g_assert_cmpuint (thief->n_chosen, >, n_chosen);
}

/* ---- requests that wait ---- */

static void
test_idle_victim_refuses_at_once (void)
{
  watch_for (STEAL_NOTHING);
  steal_world_start (world);
  steal_world_advance (world, 150);
  g_assert_cmpuint (seen.n, ==, 1);
  g_assert_cmpint (seen.at_us[0], ==, 100);
}

static void
test_busy_victim_refuses_after_a_moment (void)
{
  victim->is_busy = TRUE;
  watch_for (STEAL_NOTHING);
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
  watch_for (STEAL_NOTHING);
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
  watch_for (STEAL_JOBS);
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
  watch_for (STEAL_JOBS);
  fake_net_set_fate_func (four->net, watch, NULL);
  steal_published (victim->steal);
  g_assert_cmpuint (seen.n, ==, 3);
  g_assert_cmpuint (seen.to[0], ==, 4);
  g_assert_cmpuint (seen.to[1], ==, 3);
  g_assert_cmpuint (seen.to[2], ==, 2);
  steal_world_finish (four);
  steal_world_free (four);
}

/* A thief may ask for any time, in vain. */
static void
test_hold_is_bounded (void)
{
  StealRequest request = { .request = 9, .hold_us = G_MAXINT64 };
  g_autoptr (GBytes) message = steal_message (STEAL_REQUEST, &StealRequest_record, &request);
  victim->is_busy = TRUE;
  watch_for (STEAL_NOTHING);
  fake_net_inject (world->net, 2, 1, message);
  steal_world_advance (world, HOLD_MAX_US);
  g_assert_cmpuint (seen.n, ==, 1);
}

/* ---- offers ---- */

/* The thief waits for ever after its refusal, unless it hears of jobs. */
static void
be_refused (void)
{
  thief->pause_us = 0;
  steal_world_start (world);
  steal_world_advance (world, 200);
  watch_for (STEAL_OFFER);
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
  thief->pause_us = G_MAXINT32;
  be_refused ();
  steal_published (victim->steal);
  g_assert_false (thief->victims[0].has_offered);
  steal_world_advance (world, 100);
  g_assert_true (thief->victims[0].has_offered);
}

/* Who has offered may have jobs for this node, and the others have none for that. */
static void
test_offer_ends_no_pause (void)
{
  thief->pause_us = G_MAXINT32;
  be_refused ();
  steal_published (victim->steal);
  steal_world_advance (world, 100);
  g_assert_cmpuint (thief->situation.near_history.n_refused, ==, 1);
}

/* Node 2 is held by node 1 when node 3, which refused it, has jobs. */
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
  /* Offered, asked for, sent, run, sent back. */
  g_assert_cmpint (steal_world_job (three, job)->over_us, ==,
                   now_us + 100 + 100 + 100 + 1000 + 100);
  steal_world_free (three);
}

/* Node 2 has asked node 1, which is far, when node 3, far too, says that it has jobs. */
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

/* Nothing was asked with that number. */
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

/* ---- quiet ---- */

static void
test_quiet_asks_nobody (void)
{
  steal_quiet (thief->steal);
  steal_world_start (world);
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, 0);
}

static void
test_quiet_exports_nothing (void)
{
  steal_world_add_jobs (world, 1, 1);
  victim->is_busy = TRUE;
  steal_quiet (victim->steal);
  watch_for (STEAL_NOTHING);
  steal_world_start (world);
  steal_world_advance (world, 150);
  g_assert_cmpuint (seen.n, ==, 1);
  g_assert_cmpuint (steal_count_exported (victim->steal), ==, 0);
}

static void
test_quiet_finishes (void)
{
  steal_world_add_jobs (world, 1, 1);
  steal_world_start (world);
  steal_world_advance (world, 300);
  steal_quiet (victim->steal);
  steal_quiet (thief->steal);
  steal_world_finish (world);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 1);
}

/* ---- figures and the end ---- */

static void
keep_figure (const char *name, gint64 value, gpointer user_data)
{
  g_hash_table_insert (user_data, g_strdup (name), GSIZE_TO_POINTER ((gsize)value));
}

static gint64
figure (WorldNode *node, const char *name)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  steal_figures (node->steal, keep_figure, table);
  g_assert_true (g_hash_table_contains (table, name));
  return GPOINTER_TO_SIZE (g_hash_table_lookup (table, name));
}

static void
test_figures (void)
{
  steal_world_add_jobs (world, 1, 3);
  steal_quiet (victim->steal);
  steal_world_start (world);
  steal_world_advance (world, 500);
  world->nodes[0].steal->is_quiet = FALSE;
  steal_world_finish (world);
  g_assert_cmpint (figure (thief, "steals.remote-tried"), >=, 2);
  g_assert_cmpint (figure (thief, "steals.remote"), ==, 1);
  g_assert_cmpint (figure (victim, "steals.given"), ==, 3);
  g_assert_cmpint (figure (victim, "steals.results"), ==, 3);
  g_assert_cmpint (figure (victim, "steals.returned"), ==, 0);
  /* Two round trips at least. */
  g_assert_cmpint (figure (thief, "comm-us"), >=, 400);
}

/* By where the victim is, not by which of the two requests it was. */
static void
test_figures_near_and_far (void)
{
  steal_world_add_jobs (world, 1, 3);
  steal_world_start (world);
  steal_world_finish (world);
  g_assert_cmpint (figure (thief, "steals.near"), >=, 1);
  g_assert_cmpint (figure (thief, "steals.far"), ==, 0);
  gint64 n_near = figure (thief, "steals.near");
  fake_net_set_cluster (world->net, 1, "there");
  steal_world_add_jobs (world, 1, 3);
  steal_hungry (thief->steal);
  steal_world_finish (world);
  g_assert_cmpint (figure (thief, "steals.near"), ==, n_near);
  g_assert_cmpint (figure (thief, "steals.far"), >=, 1);
}

/* How many of others' jobs node 1 keeps when node @thief_id asks it; node 3 is far. */
static guint
count_kept_from (SatinNodeId thief_id)
{
  StealWorld *three = steal_world_new (3);
  WorldNode *node = steal_world_node (three, thief_id);
  fake_net_set_cluster (three->net, 3, "there");
  steal_world_add_jobs (three, 1, 1);
  node->victim = 1;
  steal_world_node (three, 1)->n_kept = G_MAXUINT;
  steal_hungry (node->steal);
  steal_world_finish (three);
  guint n_kept = steal_world_node (three, 1)->n_kept;
  steal_world_free (three);
  return n_kept;
}

static void
test_others_jobs_are_kept_from_far_thieves (void)
{
  g_assert_cmpuint (count_kept_from (2), ==, 0);
  g_assert_cmpuint (count_kept_from (3), ==, 1); /* for node 2 */
}

static void
test_free_with_all_under_way (void)
{
  victim->max_taken = 2;
  victim->is_busy = TRUE;
  steal_world_add_jobs (world, 1, 4);
  for (guint i = 0; i < 40; i++)
    {
      steal_world_start (world);
      steal_world_advance (world, i);
    }
  g_assert_cmpuint (steal_count_exported (victim->steal), >, 0);
  /* The fixture frees all and finds no timer. */
}

static void
test_free_puts_back (void)
{
  steal_world_add_jobs (world, 1, 4);
  steal_world_start (world);
  steal_world_advance (world, 300);
  steal_world_free_node (world, 1);
  steal_world_assert_once (world);
}

static void
add (const char *claim, GTestFunc func)
{
  g_autofree char *path = g_strdup_printf ("/core/steal/%s", claim);
  g_test_add_vtable (path, 0, func, (GTestFixtureFunc)set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("job-is-exported-run-and-returned-once", test_one_job);
  add ("counts-what-is-exported-and-held", test_exported_and_held);
  add ("failure-comes-back", test_failure);
  add ("many-nodes-run-each-job-once", test_many_nodes);
  add ("jobs-travel-in-batches", test_batch);
  add ("results-of-one-turn-travel-together", test_results_together);
  add ("acknowledgements-travel-together", test_acknowledgements_together);
  add ("many-acknowledgements-do-not-wait", test_many_acknowledgements_at_once);
  add ("large-results-travel-apart", test_large_results_apart);
  add ("largest-result-fits-into-a-message", test_largest_result);
  add ("busy-node-asks-nobody", test_busy_node_asks_nobody);
  add ("node-alone-asks-nobody", test_alone_asks_nobody);
  add ("one-request-is-under-way-at-a-time", test_one_request_at_a_time);
  add ("near-and-far-request-are-under-way-at-once", test_near_and_far_at_once);
  add ("policy-sees-the-peers", test_policy_sees_the_peers);
  add ("policy-sees-refusals", test_policy_sees_refusals);
  add ("job-clears-refusals", test_job_clears_refusals);
  add ("wait-of-the-policy-is-kept", test_wait_is_kept);
  add ("change-of-the-peers-asks-the-policy", test_newcomer_is_considered);
  add ("idle-victim-refuses-at-once", test_idle_victim_refuses_at_once);
  add ("busy-victim-refuses-after-1-ms", test_busy_victim_refuses_after_a_moment);
  add ("requests-are-held-longer-after-refusals", test_hold_grows);
  add ("held-request-is-served-when-published", test_held_request_is_served);
  add ("vain-publishing-wants-again", test_vain_publishing_wants_again);
  add ("held-requests-are-served-in-order", test_held_requests_are_served_in_order);
  add ("request-is-held-5-ms-at-most", test_hold_is_bounded);
  add ("refused-thief-hears-of-jobs", test_refused_thief_hears_of_jobs);
  add ("refused-thief-hears-once", test_refused_thief_hears_once);
  add ("refusing-wants-jobs", test_refusing_wants_jobs);
  add ("policy-sees-an-offer", test_policy_sees_offer);
  add ("offer-ends-no-pause", test_offer_ends_no_pause);
  add ("offer-comes-before-a-held-request", test_offer_comes_before_held_request);
  add ("offer-comes-before-a-far-request-on-its-way", test_offer_comes_before_far_request);
  add ("offer-is-used-up-by-asking", test_offer_is_used_up);
  add ("quiet-offers-nothing", test_quiet_offers_nothing);
  add ("lost-thief-gets-no-offer", test_lost_thief_gets_no_offer);
  add ("offer-to-nothing-that-was-asked-is-ignored", test_foreign_offer_is_ignored);
  add ("quiet-thief-asks-nobody", test_quiet_asks_nobody);
  add ("quiet-victim-exports-nothing", test_quiet_exports_nothing);
  add ("quiet-nodes-finish-what-is-under-way", test_quiet_finishes);
  add ("figures-count", test_figures);
  add ("figures-near-and-far", test_figures_near_and_far);
  add ("others-jobs-are-kept-from-far-thieves", test_others_jobs_are_kept_from_far_thieves);
  add ("free-leaves-no-timer", test_free_with_all_under_way);
  add ("free-puts-exported-jobs-back", test_free_puts_back);
  return g_test_run ();
}
