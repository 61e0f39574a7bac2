/* test-steal-far.c - tests jobs for other clusters: the first jobs, and jobs that have come far
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-world.h"

#define LATENCY_US 100

/* Nodes 1 and 2 are in one cluster, nodes 3 and 4 in another, node 5 in a third. Only node 1 has
 * jobs. No node asks unless the test makes it. */
static StealWorld *world;
static WorldNode *owner;

static void
set_up (gpointer *fixture, gconstpointer user_data)
{
  world = steal_world_new (5);
  owner = steal_world_node (world, 1);
  steal_world_advance (world, 1000);
  fake_net_show_latency (world->net, TRUE);
  fake_net_set_cluster (world->net, 3, "there");
  fake_net_set_cluster (world->net, 4, "there");
  fake_net_set_cluster (world->net, 5, "yonder");
  for (SatinNodeId id = 1; id <= 5; id++)
    steal_world_node (world, id)->is_passive = TRUE;
}

static void
tear_down (gpointer *fixture, gconstpointer user_data)
{
  steal_world_free (world);
}

/* ---- the first jobs ---- */

/* Makes node 1 the master, and puts out @n jobs of node 1. */
static void
begin_run (guint n)
{
  owner->max_taken = 1;
  fake_net_set_master (world->net, 1);
  steal_world_add_jobs (world, 1, n);
  steal_published (owner->steal);
}

/* Returns: how many of the first @n jobs were sent to other nodes */
static guint
count_taken (guint n)
{
  guint n_taken = 0;
  for (guint i = 0; i < n; i++)
    n_taken += steal_world_job (world, i)->n_taken;
  return n_taken;
}

static void
test_first_jobs_go_to_each_cluster (gpointer *fixture, gconstpointer user_data)
{
  begin_run (4);
  steal_world_advance (world, LATENCY_US);
  g_assert_cmpuint (steal_count_held (steal_world_node (world, 3)->steal), ==, 1);
  g_assert_cmpuint (steal_count_held (steal_world_node (world, 5)->steal), ==, 1);
  g_assert_cmpuint (count_taken (4), ==, 2);
}

static void
test_first_jobs_go_once (gpointer *fixture, gconstpointer user_data)
{
  begin_run (4);
  steal_published (owner->steal);
  g_assert_cmpuint (count_taken (4), ==, 2);
}

static void
test_cluster_without_its_first_job_has_the_next (gpointer *fixture, gconstpointer user_data)
{
  begin_run (1);
  guint n_wanted = owner->n_wanted;
  g_assert_cmpuint (n_wanted, >, 0);
  steal_world_add_jobs (world, 1, 1);
  steal_published (owner->steal);
  steal_world_advance (world, LATENCY_US);
  g_assert_cmpuint (steal_count_held (steal_world_node (world, 5)->steal), ==, 1);
}

static void
test_first_jobs_are_the_masters (gpointer *fixture, gconstpointer user_data)
{
  fake_net_set_master (world->net, 2);
  steal_world_add_jobs (world, 1, 4);
  steal_published (owner->steal);
  g_assert_cmpuint (count_taken (4), ==, 0);
}

static void
test_feeding_ends_without_jobs (gpointer *fixture, gconstpointer user_data)
{
  begin_run (0);
  for (guint i = 0; i < 1000; i++)
    steal_published (owner->steal);
  steal_world_add_jobs (world, 1, 1);
  steal_published (owner->steal);
  g_assert_cmpuint (count_taken (1), ==, 0);
}

/* ---- jobs that have come far ---- */

/* Makes the jobs of node 1 children of a job that has changed clusters @n_far times. */
static void
give_job_from_far (guint n_far)
{
  guint32 number = steal_world_add_jobs (world, 3, 1);
  g_queue_clear (&steal_world_node (world, 3)->public);
  StealJob job = {
    .generation = 1, .task = WORLD_TASK, .args = (const guint8 *)&number, .n_args = sizeof number
  };
  StealOrigin origin = { .n_far = (gint32)n_far - 1 };
  StealJobsMessage message = { .jobs = &job, .n_jobs = 1, .origins = &origin, .n_origins = 1 };
  g_autoptr (GBytes) bytes = steal_message (STEAL_JOBS, &StealJobsMessage_record, &message);
  owner->run_us = 1000000;
  fake_net_inject (world->net, 3, 1, bytes);
  owner->under = 1;
}

static void
ask (SatinNodeId thief)
{
  StealRequest request = { .request = 1, .is_free = TRUE };
  g_autoptr (GBytes) bytes = steal_message (STEAL_REQUEST, &StealRequest_record, &request);
  fake_net_inject (world->net, thief, 1, bytes);
}

/* Returns: whether node @thief gets a new job of node 1 */
static gboolean
is_exported_to (SatinNodeId thief)
{
  guint n_exported = steal_count_exported (owner->steal);
  steal_world_add_jobs (world, 1, 1);
  ask (thief);
  return steal_count_exported (owner->steal) > n_exported;
}

static void
test_travelled_job_stays_where_near_nodes_ask (gpointer *fixture, gconstpointer user_data)
{
  give_job_from_far (2);
  ask (2);
  g_assert_false (is_exported_to (4));
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
}

static void
test_travelled_job_goes_where_it_is_near (gpointer *fixture, gconstpointer user_data)
{
  give_job_from_far (2);
  ask (2);
  g_assert_true (is_exported_to (2));
}

static void
test_travelled_job_goes_when_nobody_near_asks (gpointer *fixture, gconstpointer user_data)
{
  give_job_from_far (2);
  g_assert_true (is_exported_to (4));
}

static void
test_travelled_job_goes_a_while_after_near_ones_asked (gpointer *fixture, gconstpointer user_data)
{
  give_job_from_far (2);
  ask (2);
  steal_world_advance (world, 3 * LATENCY_US - 1);
  g_assert_false (is_exported_to (4));
  steal_world_advance (world, 1);
  g_assert_true (is_exported_to (4));
}

static void
test_job_that_came_from_near_goes_far (gpointer *fixture, gconstpointer user_data)
{
  give_job_from_far (1);
  ask (2);
  g_assert_true (is_exported_to (4));
}

/* Node 4 is refused at once, so that it can ask another node. */
static void
test_thief_of_travelled_jobs_is_refused_at_once (gpointer *fixture, gconstpointer user_data)
{
  WorldNode *thief = steal_world_node (world, 4);
  give_job_from_far (2);
  ask (2);
  owner->is_busy = TRUE;
  steal_world_add_jobs (world, 1, 1);
  thief->is_passive = FALSE;
  thief->victim = 1;
  steal_hungry (thief->steal);
  thief->is_passive = TRUE;
  steal_world_advance (world, 2 * LATENCY_US);
  g_assert_cmpuint (thief->situation.near_history.n_refused, ==, 1);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*func) (gpointer *fixture, gconstpointer user_data);
  } cases[] = {
    { "first-jobs-go-to-each-cluster", test_first_jobs_go_to_each_cluster },
    { "first-jobs-go-once", test_first_jobs_go_once },
    { "a-cluster-without-its-first-job-has-the-next",
      test_cluster_without_its_first_job_has_the_next },
    { "first-jobs-are-the-masters", test_first_jobs_are_the_masters },
    { "feeding-ends-without-jobs", test_feeding_ends_without_jobs },
    { "a-travelled-job-stays-where-near-nodes-ask", test_travelled_job_stays_where_near_nodes_ask },
    { "a-travelled-job-goes-where-it-is-near", test_travelled_job_goes_where_it_is_near },
    { "a-travelled-job-goes-when-nobody-near-asks", test_travelled_job_goes_when_nobody_near_asks },
    { "a-travelled-job-goes-a-while-after-near-ones-asked",
      test_travelled_job_goes_a_while_after_near_ones_asked },
    { "a-job-that-came-from-near-goes-far", test_job_that_came_from_near_goes_far },
    { "a-thief-of-travelled-jobs-is-refused-at-once",
      test_thief_of_travelled_jobs_is_refused_at_once },
  };
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/core/steal-far/", cases[i].name, NULL);
      g_test_add (path, gpointer, NULL, set_up, cases[i].func, tear_down);
    }
  return g_test_run ();
}
