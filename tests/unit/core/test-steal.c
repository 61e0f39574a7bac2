/* test-steal.c - tests stealing between nodes when all goes well
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-pair.h"

/* ---- jobs and results ---- */

static void
test_one_job (void)
{
  guint job = steal_world_add_jobs (world, 1, 1);
  steal_world_start (world);
  /* The request, the job, its run, the result, and the acknowledgement. */
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
  steal_pair_watch_for (world->net, STEAL_JOBS);
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
  steal_pair_watch_for (world->net, STEAL_RESULTS);
  steal_world_start (world);
  steal_world_finish (world);
  g_assert_cmpuint (seen.n, ==, 1);
  steal_world_assert_once (world);
}

static void
test_acknowledgements_together (void)
{
  steal_world_add_jobs (world, 1, 10);
  steal_pair_watch_for (world->net, STEAL_ACK);
  steal_world_start (world);
  steal_world_finish (world);
  g_assert_cmpuint (seen.n, ==, 1);
}

static void
test_many_acknowledgements_at_once (void)
{
  steal_world_add_jobs (world, 1, MAX_DUE + 1);
  thief->run_us = 0;
  steal_pair_watch_for (world->net, STEAL_ACK);
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
  steal_pair_watch_for (world->net, STEAL_RESULTS);
  steal_world_start (world);
  steal_world_finish (world);
  g_assert_cmpuint (seen.n, >, 1);
  steal_world_assert_once (world);
}

/* A small result and the largest possible result must not share a message, which would be too
 * long. */
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
  steal_pair_watch_for (world->net, STEAL_REQUEST);
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

/* After the thief has got a job, its refusals count from 0 again. */
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
  steal_pair_watch_for (world->net, STEAL_REQUEST);
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
  steal_pair_watch_for (world->net, STEAL_NOTHING);
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
  /* At least two round trips. */
  g_assert_cmpint (figure (thief, "comm-us"), >=, 400);
}

/* The figure depends on where the victim is, not on whether the thief asked it as a near or as a
 * far node. */
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

/* Returns: how many imported jobs node 1 must keep when node @thief_id asks it; node 3 is far */
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
  g_assert_cmpuint (count_kept_from (3), ==, 1); /* one is kept for node 2 */
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
  /* The fixture frees everything, and checks that no timer is left. */
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  steal_pair_add ("steal", "job-is-exported-run-and-returned-once", test_one_job);
  steal_pair_add ("steal", "counts-what-is-exported-and-held", test_exported_and_held);
  steal_pair_add ("steal", "failure-comes-back", test_failure);
  steal_pair_add ("steal", "many-nodes-run-each-job-once", test_many_nodes);
  steal_pair_add ("steal", "jobs-travel-in-batches", test_batch);
  steal_pair_add ("steal", "results-of-one-turn-travel-together", test_results_together);
  steal_pair_add ("steal", "acknowledgements-travel-together", test_acknowledgements_together);
  steal_pair_add ("steal", "many-acknowledgements-do-not-wait", test_many_acknowledgements_at_once);
  steal_pair_add ("steal", "large-results-travel-apart", test_large_results_apart);
  steal_pair_add ("steal", "largest-result-fits-into-a-message", test_largest_result);
  steal_pair_add ("steal", "busy-node-asks-nobody", test_busy_node_asks_nobody);
  steal_pair_add ("steal", "node-alone-asks-nobody", test_alone_asks_nobody);
  steal_pair_add ("steal", "one-request-is-under-way-at-a-time", test_one_request_at_a_time);
  steal_pair_add ("steal", "near-and-far-request-are-under-way-at-once", test_near_and_far_at_once);
  steal_pair_add ("steal", "policy-sees-the-peers", test_policy_sees_the_peers);
  steal_pair_add ("steal", "policy-sees-refusals", test_policy_sees_refusals);
  steal_pair_add ("steal", "job-clears-refusals", test_job_clears_refusals);
  steal_pair_add ("steal", "wait-of-the-policy-is-kept", test_wait_is_kept);
  steal_pair_add ("steal", "change-of-the-peers-asks-the-policy", test_newcomer_is_considered);
  steal_pair_add ("steal", "quiet-thief-asks-nobody", test_quiet_asks_nobody);
  steal_pair_add ("steal", "quiet-victim-exports-nothing", test_quiet_exports_nothing);
  steal_pair_add ("steal", "quiet-nodes-finish-what-is-under-way", test_quiet_finishes);
  steal_pair_add ("steal", "figures-count", test_figures);
  steal_pair_add ("steal", "figures-near-and-far", test_figures_near_and_far);
  steal_pair_add ("steal", "others-jobs-are-kept-from-far-thieves",
                  test_others_jobs_are_kept_from_far_thieves);
  steal_pair_add ("steal", "free-leaves-no-timer", test_free_with_all_under_way);
  steal_pair_add ("steal", "free-puts-exported-jobs-back", test_free_puts_back);
  return g_test_run ();
}
