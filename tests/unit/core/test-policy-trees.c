/* test-policy-trees.c - tests the policies that ask along fixed paths: mw and chs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "policy-world.h"

#include <string.h>

static const char *const pauses[] = { "wait=100us", "max-wait=1ms", NULL };

static void
set_up (PolicyWorld **world, gconstpointer name)
{
  *world = policy_world_new (name, pauses);
}

static void
tear_down (PolicyWorld **world, gconstpointer name)
{
  policy_world_free (*world);
}

/* Asks until the policy pauses; every node refuses. @ret_asked: the nodes in order, ended by 0 */
static void
ask_all (PolicyWorld *world, SatinNodeId *ret_asked)
{
  guint n = 0;
  for (;;)
    {
      SatinStealChoice choice = policy_world_choose (world);
      SatinNodeId asked = choice.near + choice.far;
      ret_asked[n] = asked;
      if (asked == 0)
        return;
      g_assert_cmpuint (n++, <, POLICY_MAX_NODES);
      g_assert_true (choice.near == 0 || choice.far == 0);
      SatinVictim *victim = policy_world_victim (world, asked);
      g_assert_cmpint (victim->is_near, ==, choice.near != 0);
      victim->n_refused++;
    }
}

static void
assert_asks (PolicyWorld *world, const char *layout, SatinNodeId own, const SatinNodeId *expected)
{
  SatinNodeId asked[POLICY_MAX_NODES + 1];
  policy_world_draw (world, layout, own);
  ask_all (world, asked);
  guint i = 0;
  for (; expected[i] != 0; i++)
    g_assert_cmpuint (asked[i], ==, expected[i]);
  g_assert_cmpuint (asked[i], ==, 0);
}

/* ---- mw ---- */

static void
test_mw_asks_the_master (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "aabb", 2);
  policy_world_victim (*world, 1)->is_master = TRUE;
  g_assert_cmpuint (policy_world_choose (*world).near, ==, 1);
  g_assert_cmpuint (policy_world_choose (*world).n_jobs, ==, 1);
  policy_world_draw (*world, "aabb", 1);
  policy_world_victim (*world, 4)->is_master = TRUE;
  SatinStealChoice choice = policy_world_choose (*world);
  g_assert_cmpuint (choice.near, ==, 0);
  g_assert_cmpuint (choice.far, ==, 4);
}

static void
test_mw_master_asks_nobody (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "aabb", 1);
  (*world)->situation.is_master = TRUE;
  SatinStealChoice choice = policy_world_choose (*world);
  g_assert_cmpuint (choice.near + choice.far, ==, 0);
}

static void
test_mw_asks_once_at_a_time (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "aabb", 2);
  policy_world_victim (*world, 1)->is_master = TRUE;
  (*world)->situation.near_asked = 1;
  g_assert_cmpuint (policy_world_choose (*world).near, ==, 0);
}

static void
test_mw_pauses (PolicyWorld **world, gconstpointer name)
{
  static const gint64 waits_us[] = { 0, 100, 200, 400, 800, 1000, 1000 };
  policy_world_draw (*world, "ab", 2);
  SatinVictim *master = policy_world_victim (*world, 1);
  master->is_master = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (waits_us); i++)
    {
      master->n_refused = i;
      SatinStealChoice choice = policy_world_choose (*world);
      g_assert_cmpint (choice.wait_us, ==, waits_us[i]);
      g_assert_cmpint (choice.far != 0, ==, waits_us[i] == 0);
    }
  (*world)->situation.far_history.since_us = 1000;
  g_assert_cmpuint (policy_world_choose (*world).far, ==, 1);
}

static void
test_mw_takes_offer (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "ab", 2);
  policy_world_add_offer (*world, 1);
  policy_world_victim (*world, 1)->is_master = TRUE;
  policy_world_victim (*world, 1)->n_refused = 5;
  g_assert_cmpuint (policy_world_choose (*world).far, ==, 1);
}

/* ---- chs ---- */

static void
test_chs_inner_node (PolicyWorld **world, gconstpointer name)
{
  assert_asks (*world, "aaaaabbbbc", 2, (const SatinNodeId[]){ 4, 5, 1, 0 });
  assert_asks (*world, "aaaaabbbbc", 7, (const SatinNodeId[]){ 9, 6, 0 });
}

static void
test_chs_leaf (PolicyWorld **world, gconstpointer name)
{
  assert_asks (*world, "aaaaabbbbc", 5, (const SatinNodeId[]){ 2, 0 });
  assert_asks (*world, "aaaaabbbbc", 8, (const SatinNodeId[]){ 6, 0 });
}

static void
test_chs_root (PolicyWorld **world, gconstpointer name)
{
  assert_asks (*world, "aaaaabbbbc", 1, (const SatinNodeId[]){ 2, 3, 6, 10, 0 });
  assert_asks (*world, "aaaaabbbbc", 6, (const SatinNodeId[]){ 7, 8, 1, 0 });
  assert_asks (*world, "aaaaabbbbc", 10, (const SatinNodeId[]){ 1, 0 });
}

/* The numbers of a cluster's nodes need not follow each other. */
static void
test_chs_mixed (PolicyWorld **world, gconstpointer name)
{
  assert_asks (*world, "abababa", 1, (const SatinNodeId[]){ 3, 5, 2, 0 });
  assert_asks (*world, "abababa", 3, (const SatinNodeId[]){ 7, 1, 0 });
  assert_asks (*world, "abababa", 2, (const SatinNodeId[]){ 4, 6, 1, 0 });
}

static void
draw_layout (char *ret_layout)
{
  guint n = g_test_rand_int_range (2, POLICY_MAX_NODES + 1);
  for (guint i = 0; i < n; i++)
    ret_layout[i] = 'a' + g_test_rand_int_range (0, 5);
  ret_layout[n] = '\0';
}

/* If node a asks node b, node b asks node a, too. The way from parent to parent ends at node 1. */
static void
test_chs_is_a_tree (PolicyWorld **world, gconstpointer name)
{
  for (guint round = 0; round < 200; round++)
    {
      char layout[POLICY_MAX_NODES + 1];
      draw_layout (layout);
      guint n = strlen (layout), n_ways = 0;
      gboolean asks[POLICY_MAX_NODES + 1][POLICY_MAX_NODES + 1] = { 0 };
      SatinNodeId asked[POLICY_MAX_NODES + 1][POLICY_MAX_NODES + 1];
      for (guint id = 1; id <= n; id++)
        {
          policy_world_draw (*world, layout, id);
          ask_all (*world, asked[id]);
          for (guint i = 0; asked[id][i] != 0; i++, n_ways++)
            asks[id][asked[id][i]] = TRUE;
          /* Each node asks at least its parent, which comes last. */
          g_assert_cmpuint (asked[id][0], !=, 0);
        }
      g_assert_cmpuint (n_ways, ==, 2 * (n - 1));
      for (guint a = 1; a <= n; a++)
        for (guint b = 1; b <= n; b++)
          g_assert_cmpint (asks[a][b], ==, asks[b][a]);
      for (guint id = 1; id <= n; id++)
        {
          guint n_steps = 0;
          for (guint at = id; at != 1; n_steps++)
            {
              g_assert_cmpuint (n_steps, <, n);
              guint i = 0;
              while (asked[at][i + 1] != 0)
                i++;
              at = asked[at][i];
            }
        }
    }
}

static void
test_chs_asks_one_at_a_time (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "aab", 1);
  (*world)->situation.near_asked = 2;
  g_assert_cmpuint (policy_world_choose (*world).far, ==, 0);
  (*world)->situation.near_asked = 0;
  (*world)->situation.far_asked = 3;
  g_assert_cmpuint (policy_world_choose (*world).near, ==, 0);
}

static void
test_chs_pauses (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "aab", 1);
  policy_world_victim (*world, 2)->n_refused = 2;
  policy_world_victim (*world, 3)->n_refused = 2;
  SatinStealChoice choice = policy_world_choose (*world);
  g_assert_cmpuint (choice.near + choice.far, ==, 0);
  g_assert_cmpint (choice.wait_us, ==, 200);
  (*world)->situation.near_history.since_us = (*world)->situation.far_history.since_us = 200;
  g_assert_cmpuint (policy_world_choose (*world).near, ==, 2);
}

static void
test_chs_takes_offer (PolicyWorld **world, gconstpointer name)
{
  policy_world_draw (*world, "aaab", 1);
  policy_world_add_offer (*world, 4);
  SatinStealChoice choice = policy_world_choose (*world);
  g_assert_cmpuint (choice.far, ==, 4);
  g_assert_cmpuint (choice.near, ==, 0);
}

static void
test_chs_arity (PolicyWorld **world, gconstpointer name)
{
  PolicyWorld *wide = policy_world_new ("chs", (const char *const[]){ "arity=3", NULL });
  assert_asks (wide, "aaaaab", 1, (const SatinNodeId[]){ 2, 3, 4, 6, 0 });
  assert_asks (wide, "aaaaab", 2, (const SatinNodeId[]){ 5, 1, 0 });
  policy_world_free (wide);
}

static void
test_chs_wrong_arity (PolicyWorld **world, gconstpointer name)
{
  policy_world_assert_refused ("chs", "arity=0", "arity");
  policy_world_assert_refused ("chs", "arity=65", "arity");
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
  add ("mw", "asks-the-master-only", test_mw_asks_the_master);
  add ("mw", "asks-nobody-as-the-master", test_mw_master_asks_nobody);
  add ("mw", "asks-once-at-a-time", test_mw_asks_once_at_a_time);
  add ("mw", "pauses-longer-after-each-refusal", test_mw_pauses);
  add ("mw", "takes-an-offer-at-once", test_mw_takes_offer);
  add ("chs", "asks-children-then-the-parent", test_chs_inner_node);
  add ("chs", "asks-the-parent-only-as-a-leaf", test_chs_leaf);
  add ("chs", "asks-other-clusters-as-a-root", test_chs_root);
  add ("chs", "sees-clusters-in-mixed-numbers", test_chs_mixed);
  add ("chs", "finds-the-same-tree-on-all-nodes", test_chs_is_a_tree);
  add ("chs", "asks-one-node-at-a-time", test_chs_asks_one_at_a_time);
  add ("chs", "pauses-after-all-refused", test_chs_pauses);
  add ("chs", "takes-an-offer-first", test_chs_takes_offer);
  add ("chs", "has-as-many-children-as-told", test_chs_arity);
  add ("chs", "refuses-a-wrong-arity", test_chs_wrong_arity);
  return g_test_run ();
}
