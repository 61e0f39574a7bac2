/* test-policy-load.c - tests the policies that look at times and loads: acrs, cls and rp
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "policy-world.h"

#define N_DRAWS 100000

static const char *const no_params[] = { NULL };

static void
set_up (PolicyWorld **world, gconstpointer name)
{
  *world = policy_world_new (name, no_params);
}

static void
tear_down (PolicyWorld **world, gconstpointer name)
{
  policy_world_free (*world);
}

/* Checks that @n is @share of all draws, within a hundredth of all. */
static void
assert_share (guint n, gdouble share)
{
  g_assert_cmpfloat_with_epsilon ((gdouble)n / N_DRAWS, share, 0.01);
}

static void
draw_far (PolicyWorld *world, guint *ret_counts)
{
  for (guint i = 0; i < N_DRAWS; i++)
    {
      SatinStealChoice choice = policy_world_choose (world);
      g_assert_cmpuint (choice.far, !=, 0);
      ret_counts[choice.far]++;
    }
}

/* ---- acrs: node 1 is alone, 2 and 3 are in b, 4 and 5 in c ---- */

static void
test_acrs_knows_nothing (PolicyWorld **world, gconstpointer name)
{
  guint counts[POLICY_MAX_NODES] = { 0 };
  policy_world_draw (*world, "abbcc", 1);
  draw_far (*world, counts);
  for (SatinNodeId id = 2; id <= 5; id++)
    assert_share (counts[id], 0.25);
}

/* In a large run, a policy is always shown the master, here node 2. */
static void
test_acrs_draws_no_extra (PolicyWorld **world, gconstpointer name)
{
  guint counts[POLICY_MAX_NODES] = { 0 };
  policy_world_draw (*world, "abbcc", 1);
  policy_world_victim (*world, 2)->is_extra = TRUE;
  draw_far (*world, counts);
  g_assert_cmpuint (counts[2], ==, 0);
}

static void
test_acrs_draws_the_only_one (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "ab", 1);
  policy_world_victim (*world, 2)->is_extra = TRUE;
  g_assert_cmpuint (policy_world_choose (*world).far, ==, 2);
}

/* c is three times as far as b, so it is asked a third as often. */
static void
test_acrs_weighs_latency (PolicyWorld **world, gconstpointer name)
{
  guint counts[POLICY_MAX_NODES] = { 0 };
  policy_world_draw (*world, "abbcc", 1);
  for (SatinNodeId id = 2; id <= 5; id++)
    policy_world_victim (*world, id)->latency_us = id < 4 ? 1000 : 3000;
  draw_far (*world, counts);
  assert_share (counts[2], 0.375);
  assert_share (counts[3], 0.375);
  assert_share (counts[4], 0.125);
  assert_share (counts[5], 0.125);
}

/* The latency of b is shorter, but its answers take longer, as if its link carried little. */
static void
test_acrs_prefers_measured_times (PolicyWorld **world, gconstpointer name)
{
  guint counts[POLICY_MAX_NODES] = { 0 };
  policy_world_draw (*world, "abbcc", 1);
  for (SatinNodeId id = 2; id <= 5; id++)
    {
      policy_world_victim (*world, id)->latency_us = id < 4 ? 1000 : 3000;
      policy_world_victim (*world, id)->answer_us = id < 4 ? 30000 : 10000;
    }
  draw_far (*world, counts);
  assert_share (counts[2] + counts[3], 0.25);
  assert_share (counts[4] + counts[5], 0.75);
}

/* A refusal by one node of a cluster counts for the cluster's other nodes, too. */
static void
test_acrs_weighs_success (PolicyWorld **world, gconstpointer name)
{
  guint counts[POLICY_MAX_NODES] = { 0 };
  policy_world_draw (*world, "abbcc", 1);
  policy_world_victim (*world, 2)->success = 0;
  draw_far (*world, counts);
  assert_share (counts[2], 1.0 / 6);
  assert_share (counts[3], 1.0 / 6);
}

static void
test_acrs_tries_again (PolicyWorld **world, gconstpointer name)
{
  guint counts[POLICY_MAX_NODES] = { 0 };
  policy_world_draw (*world, "abbcc", 1);
  policy_world_victim (*world, 2)->success = policy_world_victim (*world, 3)->success = 0;
  draw_far (*world, counts);
  assert_share (counts[2] + counts[3], 1.0 / 17);
}

/* Nothing is known of c, so it counts like b, the fastest. */
static void
test_acrs_tries_unknown (PolicyWorld **world, gconstpointer name)
{
  guint counts[POLICY_MAX_NODES] = { 0 };
  policy_world_draw (*world, "abbcc", 1);
  policy_world_victim (*world, 2)->answer_us = 5000;
  draw_far (*world, counts);
  assert_share (counts[4] + counts[5], 0.5);
}

static void
test_acrs_takes_offers (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "abbcc", 1);
  policy_world_add_offer (*world, 5);
  for (guint i = 0; i < 1000; i++)
    g_assert_cmpuint (policy_world_choose (*world).far, ==, 5);
}

static void
test_acrs_asks_near (PolicyWorld **world, gconstpointer name)
{
  guint counts[POLICY_MAX_NODES] = { 0 };
  policy_world_draw (*world, "aaabb", 1);
  (*world)->situation.far_asked = 4;
  for (guint i = 0; i < N_DRAWS; i++)
    {
      SatinStealChoice choice = policy_world_choose (*world);
      g_assert_cmpuint (choice.far, ==, 0);
      counts[choice.near]++;
    }
  assert_share (counts[2], 0.5);
  assert_share (counts[3], 0.5);
}

static void
test_acrs_pauses (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "abbcc", 1);
  (*world)->situation.far_history.n_refused = 5;
  SatinStealChoice choice = policy_world_choose (*world);
  g_assert_cmpuint (choice.far, ==, 0);
  g_assert_cmpint (choice.wait_us, ==, 200);
}

/* ---- cls ---- */

static void
test_cls_members_ask_near (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "bbaaa", 4);
  for (guint i = 0; i < 1000; i++)
    {
      SatinStealChoice choice = policy_world_choose (*world);
      g_assert_true (choice.near == 3 || choice.near == 5);
      g_assert_cmpuint (choice.far, ==, 0);
    }
}

static void
test_cls_members_tell (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "bbaaa", 4);
  g_assert_cmpuint (policy_world_choose (*world).tell, ==, 3);
  SatinStealChoice choice = policy_world_balance (*world);
  g_assert_cmpuint (choice.tell, ==, 3);
  g_assert_cmpuint (choice.near + choice.far, ==, 0);
}

static void
test_cls_coordinator_asks_far (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "bbaaa", 3);
  SatinStealChoice choice = policy_world_choose (*world);
  g_assert_true (choice.near == 4 || choice.near == 5);
  g_assert_true (choice.far == 1 || choice.far == 2);
  g_assert_cmpuint (choice.tell, ==, 0);
}

/* The cluster has three nodes with a threshold of 1 each, so its threshold is 3. */
static void
test_cls_looks_at_load (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "bbaaa", 3);
  policy_world_victim (*world, 1)->n_queued = 100; /* of another cluster */
  policy_world_victim (*world, 4)->n_queued = 1;
  (*world)->situation.n_queued = 1;
  g_assert_cmpuint (policy_world_balance (*world).far, !=, 0);
  policy_world_victim (*world, 5)->n_queued = 1;
  g_assert_cmpuint (policy_world_balance (*world).far, ==, 0);
  g_assert_cmpuint (policy_world_choose (*world).far, ==, 0);
}

static void
test_cls_asks_while_busy (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "bbaaa", 3);
  (*world)->situation.n_idle = 0;
  SatinStealChoice choice = policy_world_balance (*world);
  g_assert_cmpuint (choice.far, !=, 0);
  g_assert_cmpuint (choice.near, ==, 0);
}

static void
test_cls_pauses (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "bbaaa", 3);
  (*world)->situation.far_history.n_refused = 2;
  SatinStealChoice choice = policy_world_balance (*world);
  g_assert_cmpuint (choice.far, ==, 0);
  g_assert_cmpint (choice.wait_us, ==, 100);
}

static void
test_cls_asks_one_far (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "bbaaa", 3);
  (*world)->situation.far_asked = 1;
  g_assert_cmpuint (policy_world_choose (*world).far, ==, 0);
}

static void
test_cls_wrong_threshold (PolicyWorld **world, gconstpointer name)
{
  policy_world_assert_refused ("cls", "threshold=0", "threshold");
}

/* ---- rp: the threshold is 4 ---- */

static void
test_rp_asks_nobody (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "aab", 1);
  (*world)->situation.n_queued = 100;
  SatinStealChoice choice = policy_world_choose (*world);
  g_assert_cmpuint (choice.near + choice.far + choice.push, ==, 0);
  choice = policy_world_balance (*world);
  g_assert_cmpuint (choice.near + choice.far, ==, 0);
}

static void
test_rp_pushes_above (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "aab", 1);
  (*world)->situation.n_queued = 4;
  g_assert_cmpuint (policy_world_balance (*world).push, ==, 0);
  (*world)->situation.n_queued = 5;
  g_assert_cmpuint (policy_world_balance (*world).push, !=, 0);
}

static void
test_rp_draws_no_extra (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "aab", 1);
  policy_world_victim (*world, 2)->is_extra = TRUE;
  (*world)->situation.n_queued = 5;
  for (guint i = 0; i < 1000; i++)
    g_assert_cmpuint (policy_world_balance (*world).push, ==, 3);
}

static void
test_rp_is_uniform (PolicyWorld **world, gconstpointer name)
{
  guint counts[POLICY_MAX_NODES] = { 0 };
  policy_world_draw (*world, "aabbc", 3);
  (*world)->situation.n_queued = 5;
  for (guint i = 0; i < N_DRAWS; i++)
    counts[policy_world_balance (*world).push]++;
  for (SatinNodeId id = 1; id <= 5; id++)
    assert_share (counts[id], id == 3 ? 0 : 0.25);
}

static void
test_rp_spares_full (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "aab", 1);
  (*world)->situation.n_queued = 100;
  policy_world_victim (*world, 2)->n_queued = 5;
  policy_world_victim (*world, 3)->n_queued = 4;
  for (guint i = 0; i < 1000; i++)
    g_assert_cmpuint (policy_world_balance (*world).push, ==, 3);
  policy_world_victim (*world, 3)->n_queued = 5;
  g_assert_cmpuint (policy_world_balance (*world).push, ==, 0);
}

static void
test_rp_forgets_old_loads (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "aab", 1);
  (*world)->situation.n_queued = 100;
  policy_world_victim (*world, 2)->n_queued = 5;
  policy_world_victim (*world, 3)->n_queued = 5;
  (*world)->situation.now_us = 1000000;
  policy_world_victim (*world, 2)->told_us = 1000000 - 1;
  for (guint i = 0; i < 1000; i++)
    g_assert_cmpuint (policy_world_balance (*world).push, ==, 3);
}

static void
test_rp_wrong_threshold (PolicyWorld **world, gconstpointer name)
{
  policy_world_assert_refused ("rp", "threshold=-1", "threshold");
}

static void
add (const char *policy, const char *claim, void (*func) (PolicyWorld **, gconstpointer))
{
  g_autofree char *path = g_strdup_printf ("/core/policy/%s/%s", policy, claim);
  g_test_add (path, PolicyWorld *, policy, set_up, func, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("acrs", "draws-all-alike-when-nothing-is-known", test_acrs_knows_nothing);
  add ("acrs", "asks-far-clusters-less", test_acrs_weighs_latency);
  add ("acrs", "prefers-what-was-measured", test_acrs_prefers_measured_times);
  add ("acrs", "asks-clusters-that-refuse-less", test_acrs_weighs_success);
  add ("acrs", "asks-clusters-that-refuse-again", test_acrs_tries_again);
  add ("acrs", "tries-an-unknown-cluster", test_acrs_tries_unknown);
  add ("acrs", "asks-who-has-offered", test_acrs_takes_offers);
  add ("acrs", "draws-near-nodes-alike", test_acrs_asks_near);
  add ("acrs", "pauses-after-all-refused", test_acrs_pauses);
  add ("cls", "asks-near-nodes-as-a-member", test_cls_members_ask_near);
  add ("cls", "tells-the-coordinator", test_cls_members_tell);
  add ("cls", "asks-afar-as-the-coordinator", test_cls_coordinator_asks_far);
  add ("cls", "asks-afar-only-when-the-load-is-low", test_cls_looks_at_load);
  add ("cls", "asks-afar-while-busy", test_cls_asks_while_busy);
  add ("cls", "pauses-after-all-refused", test_cls_pauses);
  add ("cls", "asks-one-far-node-at-a-time", test_cls_asks_one_far);
  add ("cls", "refuses-a-wrong-threshold", test_cls_wrong_threshold);
  add ("acrs", "draws-no-extra-victim", test_acrs_draws_no_extra);
  add ("acrs", "draws-an-extra-victim-that-is-the-only-one", test_acrs_draws_the_only_one);
  add ("rp", "draws-no-extra-victim", test_rp_draws_no_extra);
  add ("rp", "asks-nobody", test_rp_asks_nobody);
  add ("rp", "pushes-above-the-threshold-only", test_rp_pushes_above);
  add ("rp", "draws-all-nodes-alike", test_rp_is_uniform);
  add ("rp", "spares-nodes-above-the-threshold", test_rp_spares_full);
  add ("rp", "counts-on-fresh-loads-only", test_rp_forgets_old_loads);
  add ("rp", "refuses-a-wrong-threshold", test_rp_wrong_threshold);
  return g_test_run ();
}
