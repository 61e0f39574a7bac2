/* test-losses.c - tests the report of what the loss of a node has cost
 *
 * Node 1 has exported two jobs to node 2, (10, 11) and (20, 21). Node 3 has jobs of node 2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ft-world.h"

/* Longer than any job runs here. */
#define LONG_US 1000000

static FtWorld *world;
static gpointer first, second; /* hints of the two jobs of node 1 */

/* The name of the figure that note_figure() looks for, and the value of that figure. */
static const char *wanted;
static gint64 found;

static void
begin (void)
{
  world = ft_world_new (3, SATIN_FT_ANCESTORS, G_MAXSIZE);
  ft_world_export (world, 1, 10, 11);
  ft_world_export (world, 1, 20, 21);
  fake_net_set_cluster (world->net, 2, "west");
}

static void
end (void)
{
  ft_world_free (world);
}

static void
tell (gpointer hints, SatinAgain what, gint64 value)
{
  ft_world_node (world, 1)->recovery->ops->tell (hints, what, value);
}

/* Node 2 had both jobs, the first one for @away_us. */
static void
lose_jobs (gint64 away_us)
{
  world->thief = 2;
  world->away_us = away_us;
  first = ft_world_lose (world, 1, 10, 11, NULL);
  world->away_us = LONG_US;
  second = ft_world_lose (world, 1, 20, 21, NULL);
}

/* Node 1 learns in one turn of the loop that it must run the jobs again, and that node 2 is
 * gone. */
static void
lose (SatinPeerChange change)
{
  fake_net_say_leaving (world->net, 2);
  lose_jobs (LONG_US);
  fake_net_remove (world->net, 2, change);
  ft_world_advance (world, 0);
}

static void
finish (gpointer hints)
{
  ft_world_unref (world, 1, hints);
  ft_world_advance (world, 0);
}

static void
assert_notes (const char *expected)
{
  g_assert_cmpstr (counting_loop_take_notes (world->loop), ==, expected);
}

static void
note_figure (const char *name, gint64 value, gpointer user_data)
{
  if (g_str_equal (name, wanted))
    found = value;
}

static gint64
figure (SatinNodeId id, const char *name)
{
  wanted = name;
  found = -1;
  satin_ft_figures (ft_world_node (world, id)->ft, note_figure, NULL);
  return found;
}

static void
test_said_at_the_end (void)
{
  begin ();
  lose (SATIN_PEER_DIED);
  ft_world_advance (world, 2500);
  tell (first, SATIN_AGAIN_QUEUED, 0);
  ft_world_advance (world, 1000);
  tell (second, SATIN_AGAIN_QUEUED, 0);
  tell (first, SATIN_AGAIN_RAN, 2000);
  tell (second, SATIN_AGAIN_RAN, 3100);
  finish (first);
  assert_notes ("");
  ft_world_advance (world, 96500);
  finish (second);
  assert_notes (
      "node 2 (cluster west) was lost: 2 jobs queued again in 3.5 ms and done in 100.0 ms, "
      "5.1 ms of work done again here\n");
  end ();
}

static void
test_left (void)
{
  begin ();
  lose (SATIN_PEER_LEFT);
  tell (first, SATIN_AGAIN_QUEUED, 0);
  tell (second, SATIN_AGAIN_QUEUED, 0);
  finish (first);
  finish (second);
  assert_notes (
      "node 2 (cluster west) left: 2 jobs queued again in 0.0 ms and done in 0.0 ms, 0.0 ms "
      "of work done again here\n");
  end ();
}

/* Node 2 gives its jobs back before it leaves. */
static void
test_not_before_it_is_gone (void)
{
  begin ();
  fake_net_say_leaving (world->net, 2);
  lose_jobs (LONG_US);
  finish (first);
  finish (second);
  assert_notes ("");
  fake_net_remove (world->net, 2, SATIN_PEER_LEFT);
  ft_world_advance (world, 0);
  g_assert_cmpint (figure (1, "ft.losses"), ==, 1);
  end ();
}

static void
test_found (void)
{
  begin ();
  lose (SATIN_PEER_DIED);
  const SatinHop hop = { .owner = 1, .index = 10, .generation = 11 };
  const SatinLineage lineage = { .is_rooted = FALSE, .hops = (SatinHop *)&hop, .n_hops = 1 };
  ft_world_orphan (world, 3, 7, &(WorldOrphan){ .lineage = &lineage, .path = "" });
  ft_world_advance (world, 1000);
  g_assert_cmpint (ft_world_look_self (world, 1, first).kind, ==, SATIN_LOOK_HELD);
  finish (first);
  finish (second);
  g_assert_cmpint (figure (1, "ft.found"), ==, 1);
  end ();
}

/* A node that stays may give back a job that it cannot begin. */
static void
test_no_loss (void)
{
  begin ();
  lose_jobs (LONG_US);
  finish (first);
  finish (second);
  fake_net_remove (world->net, 2, SATIN_PEER_LEFT);
  ft_world_advance (world, 0);
  assert_notes ("");
  g_assert_cmpint (figure (1, "ft.losses"), ==, 0);
  end ();
}

static void
test_nothing_to_say (void)
{
  begin ();
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  ft_world_advance (world, 0);
  assert_notes ("");
  end ();
}

/* The lost owner of these orphans is node 9, see ft_world_orphan(). */
static void
test_orphans (void)
{
  static const SatinHop hop = { .owner = 1, .index = 10, .generation = 11 };
  static const SatinLineage lineage = { .hops = (SatinHop *)&hop, .n_hops = 1 };
  begin ();
  world->is_losing = TRUE;
  ft_world_orphan (world, 3, 1, &(WorldOrphan){ .lineage = &lineage, .path = "\1", .n_bytes = 50 });
  ft_world_orphan (world, 3, 2, &(WorldOrphan){ .lineage = &lineage, .path = "\2" });
  ft_world_say (world, 3, SATIN_ORPHAN_OVER, 2, 30);
  g_assert_cmpint (figure (3, "ft.orphan-bytes"), ==, 80);
  end ();
}

/* A leaving node hands its results to other nodes. The owner of such a result may have been lost
 * long ago. */
static void
test_long_ago (void)
{
  static const SatinLineage lineage = { .is_rooted = TRUE };
  begin ();
  ft_world_orphan (world, 3, 1, &(WorldOrphan){ .lineage = &lineage, .path = "\1", .n_bytes = 50 });
  ft_world_advance (world, 0);
  assert_notes ("");
  end ();
}

static void
test_kept (void)
{
  static const SatinLineage lineage = { .is_rooted = TRUE };
  begin ();
  fake_net_say_leaving (world->net, 2);
  ft_world_orphan (world, 3, 5,
                   &(WorldOrphan){ .lineage = &lineage, .path = "\1", .n_bytes = 40, .owner = 2 });
  ft_world_advance (world, 1000);
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  ft_world_advance (world, 0);
  assert_notes ("node 2 (cluster west) was lost: 1 orphan kept, 40 bytes of results\n");
  end ();
}

static void
test_time_of_all (void)
{
  begin ();
  lose (SATIN_PEER_DIED);
  tell (first, SATIN_AGAIN_RAN, 700);
  tell (first, SATIN_AGAIN_RAN, 50);
  tell (second, SATIN_AGAIN_RAN, 8);
  finish (first);
  finish (second);
  g_assert_cmpint (figure (1, "ft.again-us"), ==, 758);
  end ();
}

/* Node 2 had the job for 600 us. The remaining 100 us were done for the first time. */
static void
test_time_away (void)
{
  begin ();
  fake_net_say_leaving (world->net, 2);
  lose_jobs (600);
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  tell (first, SATIN_AGAIN_RAN, 700);
  finish (first);
  finish (second);
  g_assert_cmpint (figure (1, "ft.again-us"), ==, 600);
  end ();
}

/* The root job cannot have begun before this node existed, which is 5,000 us ago. */
static void
test_time_of_root (void)
{
  begin ();
  ft_world_advance (world, 5000);
  gpointer root =
      ft_world_node (world, 1)->recovery->ops->root (ft_world_node (world, 1)->recovery);
  tell (root, SATIN_AGAIN_RAN, 7000);
  finish (root);
  g_assert_cmpint (figure (1, "ft.again-us"), ==, 5000);
  end ();
}

#define CASE(name, test) g_test_add_func ("/ft/losses/" name, test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("are-said-when-the-last-job-is-done", test_said_at_the_end);
  CASE ("say-who-left", test_left);
  CASE ("are-not-said-before-the-node-is-gone", test_not_before_it_is_gone);
  CASE ("count-jobs-that-others-have", test_found);
  CASE ("are-not-of-nodes-that-stay", test_no_loss);
  CASE ("without-consequence-are-not-said", test_nothing_to_say);
  CASE ("count-results-of-orphans", test_orphans);
  CASE ("of-long-ago-are-not-said-again", test_long_ago);
  CASE ("say-what-is-kept", test_kept);
  CASE ("count-the-time-of-all-jobs-that-run-again", test_time_of_all);
  CASE ("count-no-more-time-than-the-other-had-it", test_time_away);
  CASE ("count-the-time-of-a-root-that-begins-anew", test_time_of_root);
  return g_test_run ();
}
