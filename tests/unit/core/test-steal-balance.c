/* test-steal-balance.c - tests what policies are shown of other nodes, pushed jobs, and loads
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-world.h"

static StealWorld *world;
static WorldNode *owner;  /* node 1, which has the jobs */
static WorldNode *helper; /* node 2 */

/* No node asks; node 1 may push jobs to node 2. */
static void
set_up (gpointer *fixture, gconstpointer user_data)
{
  world = steal_world_new_balancing (3);
  owner = steal_world_node (world, 1);
  helper = steal_world_node (world, 2);
  helper->is_passive = steal_world_node (world, 3)->is_passive = TRUE;
}

static void
tear_down (gpointer *fixture, gconstpointer user_data)
{
  steal_world_free (world);
}

/* Tells node 1's stealing that its workers have put jobs out. */
static void
publish (void)
{
  steal_published (owner->steal);
}

/* The messages of one kind that were sent, between any nodes. */
static struct
{
  StealKind kind;
  guint n;
  gint64 at_us[64];
  gboolean is_lost;
} seen;

static FakeFate
watch (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  const guint8 *bytes = g_bytes_get_data (payload, NULL);
  if (bytes[0] != seen.kind)
    return FAKE_ARRIVES;
  g_assert_cmpuint (seen.n, <, G_N_ELEMENTS (seen.at_us));
  seen.at_us[seen.n++] = satin_loop_now_us (world->loop);
  return seen.is_lost ? FAKE_IS_LOST : FAKE_ARRIVES;
}

static void
watch_for (StealKind kind)
{
  seen.kind = kind;
  seen.n = 0;
  seen.is_lost = FALSE;
  fake_net_set_fate_func (world->net, watch, NULL);
}

/* Returns: (nullable): node @id, as @node's policy was shown it last */
static const SatinVictim *
shown (const WorldNode *node, SatinNodeId id)
{
  for (guint i = 0; i < node->situation.n_victims; i++)
    if (node->victims[i].id == id)
      return &node->victims[i];
  return NULL;
}

/* ---- pushing ---- */

static void
test_pushed_jobs_come_back (gpointer *fixture, gconstpointer user_data)
{
  owner->push = 2;
  owner->n_push = 5;
  steal_world_add_jobs (world, 1, 5);
  publish ();
  steal_world_finish (world);
  steal_world_assert_once (world);
  for (guint i = 0; i < 5; i++)
    {
      g_assert_cmpuint (steal_world_job (world, i)->n_finished, ==, 1);
      g_assert_cmpuint (steal_world_job (world, i)->n_given, ==, 1);
    }
}

static void
test_pushes_as_many_as_told (gpointer *fixture, gconstpointer user_data)
{
  owner->push = 2;
  owner->n_push = 3;
  steal_world_add_jobs (world, 1, 5);
  publish ();
  g_assert_cmpuint (steal_count_exported (owner->steal), ==, 3);
}

static void
test_pushes_one_when_not_told (gpointer *fixture, gconstpointer user_data)
{
  owner->push = 2;
  steal_world_add_jobs (world, 1, 5);
  publish ();
  g_assert_cmpuint (steal_count_exported (owner->steal), ==, 1);
}

static void
test_pushes_nothing_to_strangers (gpointer *fixture, gconstpointer user_data)
{
  owner->push = 7;
  steal_world_add_jobs (world, 1, 5);
  publish ();
  g_assert_cmpuint (steal_count_exported (owner->steal), ==, 0);
}

static void
test_pushed_jobs_of_dead (gpointer *fixture, gconstpointer user_data)
{
  owner->push = 2;
  owner->n_push = 5;
  steal_world_add_jobs (world, 1, 5);
  publish ();
  steal_world_advance (world, 500);
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  steal_world_assert_once (world);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
}

/* The jobs are lost on their way, and a query finds that out. */
static void
test_lost_push (gpointer *fixture, gconstpointer user_data)
{
  watch_for (STEAL_JOBS);
  seen.is_lost = TRUE;
  owner->push = 2;
  owner->n_push = 5;
  steal_world_add_jobs (world, 1, 5);
  publish ();
  steal_world_finish (world);
  steal_world_assert_once (world);
  g_assert_cmpuint (seen.n, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
}

static FakeFate
lose_some (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  return g_test_rand_int_range (0, 10) < 3 ? FAKE_IS_LOST : FAKE_ARRIVES;
}

static void
test_push_in_bad_weather (gpointer *fixture, gconstpointer user_data)
{
  fake_net_set_fate_func (world->net, lose_some, NULL);
  owner->push = 2;
  owner->tell = 3;
  for (guint i = 0; i < 50; i++)
    {
      steal_world_add_jobs (world, 1, 1);
      publish ();
      steal_world_advance (world, BALANCE_US);
    }
  steal_world_finish (world);
  steal_world_assert_once (world);
}

static gint64 n_won, n_pushed;

static void
take_figure (const char *name, gint64 value, gpointer user_data)
{
  if (g_str_equal (name, "steals.remote"))
    n_won = value;
  if (g_str_equal (name, "steals.pushed"))
    n_pushed = value;
}

static void
test_push_is_no_steal (gpointer *fixture, gconstpointer user_data)
{
  owner->push = 2;
  steal_world_add_jobs (world, 1, 1);
  publish ();
  steal_world_finish (world);
  steal_figures (helper->steal, take_figure, NULL);
  g_assert_cmpint (n_won, ==, 0);
  steal_figures (owner->steal, take_figure, NULL);
  g_assert_cmpint (n_pushed, ==, 1);
}

/* ---- when balance is called ---- */

static void
test_balances_while_busy (gpointer *fixture, gconstpointer user_data)
{
  publish ();
  g_assert_cmpuint (owner->n_balanced, ==, 1);
  g_assert_cmpuint (owner->situation.n_idle, ==, 0);
}

static void
test_balances_not_too_often (gpointer *fixture, gconstpointer user_data)
{
  for (guint i = 0; i < 100; i++)
    {
      publish ();
      steal_world_advance (world, BALANCE_US / 10);
    }
  g_assert_cmpuint (owner->n_balanced, >=, 9);
  g_assert_cmpuint (owner->n_balanced, <=, 11);
}

/* A call that would come too soon comes later. */
static void
test_balances_late (gpointer *fixture, gconstpointer user_data)
{
  publish ();
  publish ();
  g_assert_cmpuint (owner->n_balanced, ==, 1);
  steal_world_advance (world, BALANCE_US);
  g_assert_cmpuint (owner->n_balanced, ==, 2);
}

static void
test_balances_after_its_wait (gpointer *fixture, gconstpointer user_data)
{
  owner->balance_wait_us = 5000;
  publish ();
  steal_world_advance (world, 4999);
  g_assert_cmpuint (owner->n_balanced, ==, 1);
  steal_world_advance (world, 1);
  g_assert_cmpuint (owner->n_balanced, ==, 2);
}

/* Each call of balance also asks the node's workers to put out more jobs. */
static void
test_balance_wants_jobs (gpointer *fixture, gconstpointer user_data)
{
  publish ();
  g_assert_cmpuint (owner->n_wanted, ==, 1);
  publish ();
  steal_world_advance (world, BALANCE_US);
  g_assert_cmpuint (owner->n_wanted, ==, 2);
}

static void
test_quiet_balances_no_more (gpointer *fixture, gconstpointer user_data)
{
  owner->push = 2;
  steal_world_add_jobs (world, 1, 1);
  steal_quiet (owner->steal);
  publish ();
  g_assert_cmpuint (owner->n_balanced, ==, 0);
}

/* ---- loads ---- */

static void
test_load_is_unknown_at_first (gpointer *fixture, gconstpointer user_data)
{
  steal_world_start (world);
  g_assert_cmpint (shown (helper, 1)->n_queued, ==, -1);
  g_assert_cmpint (shown (helper, 1)->answer_us, ==, 0);
  g_assert_cmpfloat (shown (helper, 1)->success, ==, 1);
}

static void
test_jobs_tell_load (gpointer *fixture, gconstpointer user_data)
{
  owner->max_taken = 2;
  owner->push = 2;
  owner->n_push = 2;
  steal_world_add_jobs (world, 1, 5);
  publish ();
  owner->push = 0;
  steal_world_advance (world, 150);
  steal_hungry (helper->steal);
  steal_published (helper->steal);
  g_assert_cmpint (shown (helper, 1)->n_queued, ==, 3);
}

static void
test_results_tell_load (gpointer *fixture, gconstpointer user_data)
{
  owner->push = 2;
  steal_world_add_jobs (world, 1, 1);
  steal_world_add_jobs (world, 2, 4);
  publish ();
  owner->push = 0;
  steal_world_advance (world, 10000);
  publish ();
  g_assert_cmpint (shown (owner, 2)->n_queued, ==, 4);
}

static void
test_requests_and_refusals_tell_load (gpointer *fixture, gconstpointer user_data)
{
  helper->is_passive = FALSE;
  helper->victim = 1;
  steal_world_start (world);
  steal_world_advance (world, 250);
  g_assert_cmpint (shown (helper, 1)->n_queued, ==, 0);
  publish ();
  steal_world_advance (world, BALANCE_US);
  g_assert_cmpint (shown (owner, 2)->n_queued, ==, 0);
}

static void
test_load_is_told (gpointer *fixture, gconstpointer user_data)
{
  owner->tell = 2;
  steal_world_add_jobs (world, 1, 5);
  publish ();
  steal_world_advance (world, 5000);
  g_assert_cmpint (shown (helper, 1)->n_queued, ==, 5);
  gint64 told_us = shown (helper, 1)->told_us;
  g_assert_cmpint (told_us, ==, helper->situation.now_us);
  g_assert_cmpuint (helper->n_balanced, ==, 1);
  steal_published (helper->steal);
  g_assert_cmpint (shown (helper, 1)->told_us, ==, told_us);
  g_assert_cmpint (helper->situation.now_us, ==, told_us + 4900);
}

/* Changes are told at most once in 10 ms. After the last change no message follows. */
static void
test_load_is_told_bounded (gpointer *fixture, gconstpointer user_data)
{
  owner->tell = 2;
  watch_for (STEAL_LOAD);
  for (guint i = 0; i < 100; i++)
    {
      steal_world_add_jobs (world, 1, 1);
      publish ();
      steal_world_advance (world, 1000);
    }
  g_assert_cmpuint (seen.n, >=, 9);
  g_assert_cmpuint (seen.n, <=, 11);
  for (guint i = 1; i < seen.n; i++)
    g_assert_cmpint (seen.at_us[i] - seen.at_us[i - 1], >=, TELL_US);
  g_queue_clear (&owner->public);
  guint n = seen.n;
  steal_world_advance (world, 1000000);
  g_assert_cmpuint (seen.n, ==, n + 1);
  steal_published (helper->steal);
  g_assert_cmpint (shown (helper, 1)->n_queued, ==, 0);
}

/* The last message said that there are no more jobs, and was lost. */
static void
test_load_is_told_after_break (gpointer *fixture, gconstpointer user_data)
{
  owner->tell = 2;
  steal_world_add_jobs (world, 1, 5);
  publish ();
  steal_world_advance (world, 5000);
  watch_for (STEAL_LOAD);
  seen.is_lost = TRUE;
  g_queue_clear (&owner->public);
  steal_world_advance (world, 1000000);
  g_assert_cmpint (shown (helper, 1)->n_queued, ==, 5);
  seen.is_lost = FALSE;
  fake_net_break_link (world->net, 1, 2);
  steal_world_advance (world, 1000);
  steal_published (helper->steal);
  g_assert_cmpint (shown (helper, 1)->n_queued, ==, 0);
}

static void
test_load_of_gone_is_forgotten (gpointer *fixture, gconstpointer user_data)
{
  owner->tell = 2;
  steal_world_add_jobs (world, 1, 5);
  publish ();
  watch_for (STEAL_LOAD);
  owner->tell = 0;
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  steal_world_add_jobs (world, 1, 5);
  steal_world_advance (world, 1000000);
  g_assert_cmpuint (seen.n, ==, 0);
}

/* ---- asking ---- */

/* The limit holds for a request that is answered at once, and for one that was pending. */
static void
test_asks_for_few (gpointer *fixture, gconstpointer user_data)
{
  helper->is_passive = FALSE;
  helper->victim = 1;
  helper->n_jobs = 2;
  steal_world_add_jobs (world, 1, 5);
  steal_world_start (world);
  steal_world_advance (world, 150);
  g_assert_cmpuint (steal_count_exported (owner->steal), ==, 2);
  g_queue_clear (&owner->public);
  owner->is_busy = TRUE;
  steal_world_advance (world, 2400);
  steal_world_add_jobs (world, 1, 5);
  publish ();
  g_assert_cmpuint (g_queue_get_length (&owner->public), ==, 3);
}

/* ---- success of victims ---- */

static void
test_success_falls_and_rises (gpointer *fixture, gconstpointer user_data)
{
  helper->is_passive = FALSE;
  helper->victim = 1;
  steal_world_start (world);
  steal_world_advance (world, 250);
  g_assert_cmpfloat (shown (helper, 1)->success, ==, 7.0 / 8);
  g_assert_cmpint (shown (helper, 1)->answer_us, ==, 0);
  steal_world_add_jobs (world, 1, 1);
  while (steal_world_job (world, 0)->n_given == 0)
    steal_world_advance (world, 100);
  steal_published (helper->steal);
  g_assert_cmpfloat (shown (helper, 1)->success, ==, 7.0 / 8 + 1.0 / 64);
  g_assert_cmpint (shown (helper, 1)->answer_us, ==, 200);
}

/* Nodes 2 and 3 are in another cluster than node 1. Each node sees the same numbers for the
 * clusters. */
static void
test_clusters_are_numbered (gpointer *fixture, gconstpointer user_data)
{
  fake_net_set_cluster (world->net, 2, "there");
  fake_net_set_cluster (world->net, 3, "there");
  steal_world_start (world);
  publish ();
  g_assert_cmpuint (owner->situation.self, ==, 1);
  g_assert_cmpuint (owner->situation.self_cluster, ==, 0);
  g_assert_cmpuint (owner->situation.n_clusters, ==, 2);
  g_assert_cmpuint (shown (owner, 2)->cluster, ==, 1);
  g_assert_cmpuint (shown (owner, 3)->cluster, ==, 1);
  g_assert_cmpuint (helper->situation.self_cluster, ==, 1);
  g_assert_cmpuint (shown (helper, 1)->cluster, ==, 0);
  g_assert_cmpuint (shown (helper, 3)->cluster, ==, 1);
  g_assert_true (shown (helper, 3)->is_near);
  g_assert_false (shown (helper, 1)->is_near);
}

static void
add (const char *claim, void (*func) (gpointer *, gconstpointer))
{
  g_autofree char *path = g_strdup_printf ("/core/steal/%s", claim);
  g_test_add (path, gpointer, NULL, set_up, func, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("pushed-jobs-run-once-and-come-back", test_pushed_jobs_come_back);
  add ("pushes-as-many-as-told", test_pushes_as_many_as_told);
  add ("pushes-one-when-not-told-how-many", test_pushes_one_when_not_told);
  add ("pushes-nothing-to-strangers", test_pushes_nothing_to_strangers);
  add ("pushed-jobs-of-a-dead-node-are-put-back", test_pushed_jobs_of_dead);
  add ("a-lost-push-costs-time-only", test_lost_push);
  add ("pushing-survives-lost-messages", test_push_in_bad_weather);
  add ("a-push-counts-as-no-steal", test_push_is_no_steal);
  add ("balances-while-busy", test_balances_while_busy);
  add ("balances-every-2-ms-at-most", test_balances_not_too_often);
  add ("balances-later-what-came-too-soon", test_balances_late);
  add ("balances-after-the-wait-it-wants", test_balances_after_its_wait);
  add ("balance-hears-of-later-jobs", test_balance_wants_jobs);
  add ("a-quiet-node-balances-no-more", test_quiet_balances_no_more);
  add ("a-load-is-unknown-at-first", test_load_is_unknown_at_first);
  add ("jobs-tell-the-load", test_jobs_tell_load);
  add ("results-tell-the-load", test_results_tell_load);
  add ("requests-and-refusals-tell-the-load", test_requests_and_refusals_tell_load);
  add ("a-load-is-told", test_load_is_told);
  add ("a-load-is-told-every-10-ms-at-most", test_load_is_told_bounded);
  add ("a-load-is-told-again-after-a-broken-link", test_load_is_told_after_break);
  add ("the-load-is-not-told-to-the-dead", test_load_of_gone_is_forgotten);
  add ("asks-for-no-more-jobs-than-wanted", test_asks_for_few);
  add ("success-falls-and-rises", test_success_falls_and_rises);
  add ("clusters-have-the-same-numbers-everywhere", test_clusters_are_numbered);
  return g_test_run ();
}
