/* test-adapter-sample.c - tests by which job nodes measure their speed, and when
 *
 * Workers have real threads, so the tests wait until measurements have ended. The clock of the
 * adapters stands still meanwhile.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "adapter-world.h"

#include <sched.h>

#define SHARE 0.01

/* A sample as nodes send it. */
SATIN_RECORD (RawSample, (string, task), (bytes, args))

static SatinWorkers *workers[WORLD_MAX_NODES];

SATIN_TASK (count, (int), (int, depth))
{
  gint32 a = 0, b = 0;
  if (depth <= 0)
    return 1;
  SATIN_SPAWN (&a, count, depth - 1);
  SATIN_SPAWN (&b, count, depth - 1);
  SATIN_SYNC ();
  return a + b;
}

/* All nodes but @without have workers. */
static AdapterWorld *
begin (const char *clusters, double share, SatinNodeId without)
{
  const SatinAdapterOptions options = { .adaptation = "scripted",
                                        .period_us = WORLD_PERIOD_US,
                                        .benchmark_share = share };
  AdapterWorld *world = adapter_world_new (clusters, &options);
  for (SatinNodeId id = 1; id <= world->n_nodes; id++)
    {
      workers[id - 1] = id != without ? satin_workers_new (NULL, NULL) : NULL;
      adapter_world_start_node (world, id, &options, workers[id - 1]);
    }
  adapter_world_elect (world, 1, 1);
  adapter_world_pass (world, 2);
  return world;
}

static void
end (AdapterWorld *world)
{
  guint n_nodes = world->n_nodes;
  adapter_world_free (world);
  for (guint i = 0; i < n_nodes; i++)
    g_clear_pointer (&workers[i], satin_workers_free);
}

/* Waits until no node measures. */
static void
await (AdapterWorld *world)
{
  for (SatinNodeId id = 1; id <= world->n_nodes; id++)
    while (adapter_world_node (world, id)->adapter->measurement != NULL)
      {
        sched_yield ();
        adapter_world_advance (world, 0);
      }
}

/* Lets @n periods pass, in which measurements take no time. */
static void
pass (AdapterWorld *world, guint n)
{
  for (guint i = 0; i < 10 * n; i++)
    {
      adapter_world_advance (world, WORLD_PERIOD_US / 10);
      await (world);
    }
}

/* Node @from reports to node 1 that @from has run this job. */
static void
tell_sample (AdapterWorld *world, SatinNodeId from, const char *task, gint32 depth)
{
  g_autoptr (GBytes) args = satin_record_to_bytes (&count_args_record, &(count_args){ depth });
  RawSample raw = { .task = task };
  raw.args = g_bytes_get_data (args, &raw.n_args);
  g_autoptr (GBytes) bytes = satin_record_to_bytes (&RawSample_record, &raw);
  AdaptReport report = { 0 };
  report.sample = g_bytes_get_data (bytes, &report.n_sample);
  adapter_world_inject (world, from, 1, ADAPT_FIGURES, &report);
}

static void
test_spreads (void)
{
  AdapterWorld *world = begin ("aabb", 1, 4);
  for (SatinNodeId id = 1; id <= 4; id++)
    g_assert_true (adapter_world_node (world, id)->adapter->is_sample_wanted);
  tell_sample (world, 3, "count", 3);
  pass (world, 4);
  gint64 id = adapter_world_node (world, 1)->adapter->sample_id;
  g_assert_cmpint (id, !=, 0);
  for (SatinNodeId i = 1; i <= 3; i++)
    {
      const SatinAdapter *adapter = adapter_world_node (world, i)->adapter;
      g_assert_cmpint (adapter->measured_id, ==, id);
      g_assert_cmpint (adapter_world_get_figure (world, i, "adapt.benchmarks"), ==, 1);
      g_assert_cmpfloat (adapter_world_get_seen (world, 1, i)->speed, >, 0);
      g_assert_false (adapter->is_sample_wanted);
    }
  g_assert_cmpfloat (adapter_world_get_seen (world, 1, 4)->speed, ==, 0);
  end (world);
}

static FakeFate
find_sample (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  AdaptPlan plan;
  if (bytes[0] != ADAPT_PLAN)
    return FAKE_ARRIVES;
  g_assert_true (satin_record_decode (&AdaptPlan_record, bytes + 1, n_bytes - 1, &plan, NULL));
  *(guint *)user_data += plan.n_sample > 0;
  satin_record_clear (&AdaptPlan_record, &plan);
  return FAKE_ARRIVES;
}

/* A node that has the sample does not get it again. */
static void
test_sent_once (void)
{
  AdapterWorld *world = begin ("aabb", 1, 0);
  guint n = 0;
  fake_net_set_fate_func (world->net, find_sample, &n);
  tell_sample (world, 3, "count", 3);
  pass (world, 10);
  g_assert_cmpuint (n, >=, 3);
  g_assert_cmpuint (n, <=, 2 * 3);
  end (world);
}

/* The coordinator drops a sample that it cannot read, and looks for another one. */
static void
test_damaged (void)
{
  AdapterWorld *world = begin ("aabb", 1, 0);
  tell_sample (world, 3, "no such task", 3);
  g_assert_nonnull (adapter_world_node (world, 1)->adapter->sample);
  pass (world, 2);
  g_assert_null (adapter_world_node (world, 1)->adapter->sample);
  g_assert_true (adapter_world_node (world, 1)->adapter->is_sample_wanted);
  g_assert_cmpint (adapter_world_get_figure (world, 1, "adapt.benchmarks"), ==, 0);
  tell_sample (world, 3, "count", 3);
  pass (world, 3);
  for (SatinNodeId i = 1; i <= 4; i++)
    g_assert_cmpfloat (adapter_world_get_seen (world, 1, i)->speed, >, 0);
  end (world);
}

/* Node 3 gets a plan with a sample that it cannot read. So its speed is unknown. */
static void
test_damaged_plan (void)
{
  AdapterWorld *world = begin ("aab", 1, 0);
  tell_sample (world, 3, "count", 3);
  pass (world, 3);
  const AdaptPlan plan = {
    .term = 1, .next_us = 1000, .sample_id = 5, .sample = (const guint8 *)"nonsense", .n_sample = 8
  };
  adapter_world_inject (world, 1, 3, ADAPT_PLAN, &plan);
  await (world);
  const SatinAdapter *adapter = adapter_world_node (world, 3)->adapter;
  g_assert_cmpint (adapter->measured_cpu_us, ==, 0);
  pass (world, 3);
  g_assert_cmpint (adapter->measured_id, ==, adapter_world_node (world, 1)->adapter->sample_id);
  g_assert_cmpfloat (adapter_world_get_seen (world, 1, 3)->speed, >, 0);
  end (world);
}

static void
test_never (void)
{
  AdapterWorld *world = begin ("aabb", 0, 0);
  g_assert_false (adapter_world_node (world, 1)->adapter->is_sample_wanted);
  tell_sample (world, 3, "count", 3);
  pass (world, 3);
  for (SatinNodeId i = 1; i <= 4; i++)
    g_assert_cmpint (adapter_world_get_figure (world, i, "adapt.benchmarks"), ==, 0);
  end (world);
}

/* A node measures again when its load has changed, but its measurements take at most %SHARE of the
 * time. */
static void
test_again (void)
{
  AdapterWorld *world = begin ("ab", SHARE, 2);
  SatinAdapter *adapter = adapter_world_node (world, 1)->adapter;
  tell_sample (world, 2, "count", 3);
  pass (world, 1);
  g_assert_cmpint (adapter->n_benchmarks, ==, 1);
  adapter->measured_at_us = satin_loop_now_us (world->loop);
  adapter->measured_cpu_us = 1000;
  adapter_world_advance (world, 50000);
  adapter->load = adapter->measured_load / 2;
  adapter_measure (adapter);
  g_assert_null (adapter->measurement);
  adapter_world_advance (world, 50000);
  adapter->load = adapter->measured_load / 1.1;
  adapter_measure (adapter);
  g_assert_null (adapter->measurement);
  adapter->load = adapter->measured_load / 2;
  adapter_measure (adapter);
  g_assert_nonnull (adapter->measurement);
  await (world);
  g_assert_cmpint (adapter->n_benchmarks, ==, 2);
  end (world);
}

static void
test_freed_meanwhile (void)
{
  AdapterWorld *world = begin ("ab", 1, 0);
  for (guint i = 0; i < 20; i++)
    {
      tell_sample (world, 2, "count", 10 + (gint32)i % 3);
      adapter_world_pass (world, 1);
      adapter_world_start_node (world, 1, NULL, workers[0]);
      adapter_world_elect (world, 1, i + 2);
    }
  end (world);
}

/* SATIN_BENCHMARK() stays in force for the rest of the process, so this case is the last one. */
static void
test_own (void)
{
  SATIN_BENCHMARK (count, 4);
  AdapterWorld *world = begin ("aabb", 1, 0);
  pass (world, 3);
  g_autoptr (GBytes) own = satin_workers_get_sample (workers[0]);
  for (SatinNodeId i = 1; i <= 4; i++)
    {
      const SatinAdapter *adapter = adapter_world_node (world, i)->adapter;
      g_assert_true (g_bytes_equal (adapter->sample, own));
      g_assert_cmpint (adapter_world_get_figure (world, i, "adapt.benchmarks"), ==, 1);
      g_assert_cmpint (adapter_world_get_figure (world, i, "adapt.benchmark-us"), >, 0);
      g_assert_false (adapter->is_sample_wanted);
    }
  end (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/adapt/sample/job-of-one-node-is-run-by-all", test_spreads);
  g_test_add_func ("/adapt/sample/is-sent-to-those-that-lack-it", test_sent_once);
  g_test_add_func ("/adapt/sample/damaged-one-is-dropped", test_damaged);
  g_test_add_func ("/adapt/sample/damaged-plan-leaves-a-speed-unknown", test_damaged_plan);
  g_test_add_func ("/adapt/sample/without-a-share-nothing-is-measured", test_never);
  g_test_add_func ("/adapt/sample/again-when-the-load-has-changed", test_again);
  g_test_add_func ("/adapt/sample/adapter-freed-while-it-measures", test_freed_meanwhile);
  g_test_add_func ("/adapt/sample/own-benchmark-comes-first", test_own);
  return g_test_run ();
}
