/* test-steal-shipping.c - tests which times of large jobs their owners get to know
 *
 * Node 2 steals from node 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-world.h"

#define LATENCY_US ((gint64)100)
#define RUN_US     ((gint64)5000)
#define SECOND_US  ((gint64)1000000)

static StealWorld *world;
static guint n_lost; /* messages with results; the first is lost */

static FakeFate
lose_first_result (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  const guint8 *bytes = g_bytes_get_data (payload, NULL);
  return *bytes == STEAL_RESULTS && n_lost++ == 0 ? FAKE_IS_LOST : FAKE_ARRIVES;
}

/* Returns: a job with a result of @size_bytes, which node 2 has run */
static const WorldJob *
run_job (gsize size_bytes)
{
  guint number = steal_world_add_jobs (world, 1, 1);
  steal_world_node (world, 2)->run_us = RUN_US;
  steal_world_job (world, number)->size_bytes = size_bytes;
  steal_world_start (world);
  steal_world_finish (world);
  steal_world_advance (world, 2 * SECOND_US);
  return steal_world_job (world, number);
}

static void
set_up (gpointer *fixture, gconstpointer user_data)
{
  world = steal_world_new (2);
  fake_net_set_latency (world->net, LATENCY_US);
  steal_world_advance (world, 1000);
}

static void
tear_down (gpointer *fixture, gconstpointer user_data)
{
  steal_world_free (world);
}

/* Four latencies do not count as time on the way: one there, one back, and two to open a link. */
static void
test_large (gpointer *fixture, gconstpointer user_data)
{
  const WorldJob *job = run_job (LARGE_BYTES);
  g_assert_cmpint (job->ran_us, ==, RUN_US);
  g_assert_cmpint (job->arrived_us, ==, job->over_us - RUN_US - 4 * LATENCY_US);
}

static void
test_small (gpointer *fixture, gconstpointer user_data)
{
  const WorldJob *job = run_job (LARGE_BYTES / 2);
  g_assert_cmpint (job->ran_us, ==, 0);
  g_assert_cmpint (job->arrived_us, ==, 0);
}

static void
test_again (gpointer *fixture, gconstpointer user_data)
{
  n_lost = 0;
  fake_net_set_fate_func (world->net, lose_first_result, NULL);
  const WorldJob *job = run_job (LARGE_BYTES);
  g_assert_cmpuint (n_lost, >, 1);
  g_assert_cmpint (job->ran_us, ==, RUN_US);
  g_assert_cmpint (job->arrived_us, ==, job->over_us - RUN_US - RESEND_US - 4 * LATENCY_US);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func)                                                                            \
  g_test_add ("/core/steal-shipping/" name, gpointer, NULL, set_up, func, tear_down)
  ADD ("a-large-job-tells-how-long-it-ran-and-was-there", test_large);
  ADD ("a-small-job-tells-nothing", test_small);
  ADD ("a-result-that-was-lost-is-no-cost", test_again);
  return g_test_run ();
}
