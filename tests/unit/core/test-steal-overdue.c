/* test-steal-overdue.c - tests how long messages take beyond the time that their way takes
 *
 * Nodes 1 and 2 are in one cluster, node 3 is in another. Node 2 asks node 1, unless a case says
 * otherwise.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-world.h"

#include <string.h>

#define SECOND_US ((gint64)1000000)
#define HOUR_US   (3600 * SECOND_US)
/* An answer may take this long without being overdue. */
#define FREE_US ((gint64)50000)

static StealWorld *world;
static WorldNode *thief;

static void
set_up (gpointer *fixture, gconstpointer user_data)
{
  world = steal_world_new (3);
  steal_world_advance (world, 1000);
  fake_net_set_cluster (world->net, 3, "there");
  thief = steal_world_node (world, 2);
  thief->victim = 1;
  thief->pause_us = HOUR_US; /* so there is only one request */
  steal_world_node (world, 3)->is_passive = TRUE;
}

static void
tear_down (gpointer *fixture, gconstpointer user_data)
{
  steal_world_free (world);
}

typedef struct
{
  const char *name;
  gint64 value;
} Wanted;

static void
compare (const char *name, gint64 value, gpointer user_data)
{
  Wanted *wanted = user_data;
  if (strcmp (name, wanted->name) == 0)
    wanted->value = value;
}

static gint64
get_figure (const char *name)
{
  Wanted wanted = { name, -1 };
  steal_figures (thief->steal, compare, &wanted);
  return wanted.value;
}

static void
assert_overdue (gint64 near_us, gint64 far_us)
{
  g_assert_cmpint (get_figure ("overdue-near-us"), ==, near_us);
  g_assert_cmpint (get_figure ("overdue-far-us"), ==, far_us);
}

/* Sets the time of one way; no node knows it. */
static void
slow_down (gint64 latency_us)
{
  fake_net_set_latency (world->net, latency_us);
  fake_net_show_latency (world->net, FALSE);
}

static FakeFate
lose (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  return FAKE_IS_LOST;
}

static void
test_healthy (gpointer *fixture, gconstpointer user_data)
{
  steal_world_node (world, 3)->is_passive = FALSE;
  thief->victim = 0;
  thief->pause_us = steal_world_node (world, 3)->pause_us = 1000;
  steal_world_add_jobs (world, 1, 500);
  steal_world_start (world);
  steal_world_finish (world);
  steal_world_advance (world, SECOND_US);
  assert_overdue (0, 0);
  g_assert_cmpint (get_figure ("comm-us"), >, 0);
}

/* A way that is known to be long does not make answers overdue. */
static void
test_known_way (gpointer *fixture, gconstpointer user_data)
{
  fake_net_set_latency (world->net, 300000);
  steal_hungry (thief->steal);
  steal_world_advance (world, SECOND_US);
  assert_overdue (0, 0);
}

static void
test_slow_answer (gpointer *fixture, gconstpointer user_data)
{
  slow_down (100000);
  steal_hungry (thief->steal);
  steal_world_advance (world, FREE_US);
  assert_overdue (0, 0);
  steal_world_advance (world, FREE_US);
  assert_overdue (FREE_US, 0); /* while the answer is awaited */
  steal_world_advance (world, SECOND_US);
  assert_overdue (200000 - FREE_US, 0);
}

static void
test_far_answer (gpointer *fixture, gconstpointer user_data)
{
  slow_down (100000);
  thief->victim = 3;
  thief->is_asking_far = TRUE;
  steal_hungry (thief->steal);
  steal_world_advance (world, SECOND_US);
  assert_overdue (0, 200000 - FREE_US);
}

/* The answer is overdue until the request is given up, and no longer. */
static void
test_no_answer (gpointer *fixture, gconstpointer user_data)
{
  fake_net_show_latency (world->net, FALSE);
  fake_net_set_fate_func (world->net, lose, NULL);
  steal_hungry (thief->steal);
  steal_world_advance (world, 10 * SECOND_US);
  assert_overdue (REQUEST_DEADLINE_US - FREE_US, 0);
}

static void
test_lost_node (gpointer *fixture, gconstpointer user_data)
{
  fake_net_set_fate_func (world->net, lose, NULL);
  steal_hungry (thief->steal);
  steal_world_advance (world, SECOND_US);
  gint64 overdue_us = get_figure ("overdue-near-us");
  g_assert_cmpint (overdue_us, >=, SECOND_US - 2 * FREE_US);
  fake_net_remove (world->net, 1, SATIN_PEER_DIED);
  steal_world_advance (world, 10 * SECOND_US);
  g_assert_cmpint (get_figure ("overdue-near-us"), <=, overdue_us + FREE_US);
}

/* A result is not acknowledged, and at the same time a request is not answered. */
static void
test_several_at_once (gpointer *fixture, gconstpointer user_data)
{
  fake_net_show_latency (world->net, FALSE);
  steal_world_add_jobs (world, 1, 1);
  steal_hungry (thief->steal);
  steal_world_advance (world, 500); /* the thief has the job */
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 1);
  fake_net_set_fate_func (world->net, lose, NULL);
  thief->n_workers = 2;
  thief->pause_us = 0;
  steal_hungry (thief->steal);
  steal_world_advance (world, SECOND_US);
  g_assert_cmpint (get_figure ("overdue-near-us"), <=, SECOND_US - FREE_US);
  g_assert_cmpint (get_figure ("overdue-near-us"), >=, SECOND_US - 2 * FREE_US);
  steal_world_advance (world, 4 * SECOND_US); /* one request is given up, another is sent */
  g_assert_cmpint (get_figure ("overdue-near-us"), <=, 5 * SECOND_US - FREE_US);
  g_assert_cmpint (get_figure ("overdue-near-us"), >=, 5 * SECOND_US - 4 * FREE_US);
  fake_net_set_fate_func (world->net, NULL, NULL);
  thief->is_passive = TRUE;
  steal_world_advance (world, 4 * SECOND_US);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 0);
  g_assert_cmpint (get_figure ("overdue-near-us"), <=, 8 * SECOND_US);
  g_assert_cmpint (get_figure ("overdue-far-us"), ==, 0);
}

/* The figure never falls, whichever answers are awaited. */
static void
test_grows (gpointer *fixture, gconstpointer user_data)
{
  gint64 last_us = 0;
  slow_down (40000);
  thief->pause_us = 0;
  steal_world_add_jobs (world, 1, 20);
  steal_hungry (thief->steal);
  for (guint i = 0; i < 500; i++)
    {
      steal_world_advance (world, 3000);
      gint64 overdue_us = get_figure ("overdue-near-us");
      g_assert_cmpint (overdue_us, >=, last_us);
      g_assert_cmpint (overdue_us, <=, i * 3000);
      last_us = overdue_us;
    }
  g_assert_cmpint (last_us, >, 0);
  steal_world_finish (world);
}

/* The node assumes that the object comes from the master's cluster. */
static void
test_object (gpointer *fixture, gconstpointer user_data)
{
  fake_net_show_latency (world->net, FALSE);
  fake_net_set_master (world->net, 1);
  gint64 since_us = satin_loop_now_us (world->loop);
  steal_world_advance (world, SECOND_US);
  steal_note_overdue_object (thief->steal, since_us);
  assert_overdue (SECOND_US - FREE_US, 0);
  steal_note_overdue_object (thief->steal, since_us); /* another job has waited as long */
  assert_overdue (SECOND_US - FREE_US, 0);
  fake_net_set_master (world->net, 3);
  steal_note_overdue_object (thief->steal, since_us);
  assert_overdue (SECOND_US - FREE_US, SECOND_US - FREE_US);
}

#define ADD(path, test) g_test_add (path, gpointer, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/core/steal-overdue/nothing-in-a-healthy-world", test_healthy);
  ADD ("/core/steal-overdue/way-that-is-known-is-no-fault", test_known_way);
  ADD ("/core/steal-overdue/slow-answer", test_slow_answer);
  ADD ("/core/steal-overdue/far-answer-counts-apart", test_far_answer);
  ADD ("/core/steal-overdue/no-answer-until-it-is-given-up", test_no_answer);
  ADD ("/core/steal-overdue/lost-node-is-awaited-no-more", test_lost_node);
  ADD ("/core/steal-overdue/several-at-once-count-once", test_several_at_once);
  ADD ("/core/steal-overdue/never-becomes-less", test_grows);
  ADD ("/core/steal-overdue/shared-object", test_object);
  return g_test_run ();
}
