/* test-adapter-hostile.c - tests adapters that get messages which make no sense
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "adapter-world.h"

#include <string.h>

#define N_RANDOM 3000

static const AdaptFigures right = { .node = 3,
                                    .n_workers = 4,
                                    .idle = 100,
                                    .overdue_near = 50,
                                    .overdue_far = 50,
                                    .load = 900,
                                    .sample = 5,
                                    .sample_us = 1000 };

static AdapterWorld *
begin (void)
{
  AdapterWorld *world = adapter_world_new ("aabb", NULL);
  adapter_world_elect (world, 1, 1);
  adapter_world_pass (world, 3);
  return world;
}

static gboolean
is_same (const AdaptFigures *a, const AdaptFigures *b)
{
  g_autoptr (GBytes) bytes_a = satin_record_to_bytes (&AdaptFigures_record, a);
  g_autoptr (GBytes) bytes_b = satin_record_to_bytes (&AdaptFigures_record, b);
  return g_bytes_equal (bytes_a, bytes_b);
}

/* Node 4 reports figures of node 3 to the coordinator. Returns: whether the coordinator believes
 * them */
static gboolean
is_believed (AdapterWorld *world, const AdaptFigures *figures)
{
  const AdaptReport report = { .nodes = figures, .n_nodes = 1 };
  GHashTable *nodes = adapter_world_node (world, 1)->adapter->nodes;
  const AdaptNode *before = g_hash_table_lookup (nodes, GUINT_TO_POINTER (3));
  AdaptFigures old = before->figures;
  adapter_world_inject (world, 4, 1, ADAPT_FIGURES, &report);
  const AdaptNode *after = g_hash_table_lookup (nodes, GUINT_TO_POINTER (3));
  gboolean is_other = !is_same (&old, &after->figures);
  g_assert_true (!is_other || is_same (figures, &after->figures));
  g_assert_cmpuint (g_hash_table_size (nodes), ==, 4);
  return is_other;
}

static void
test_impossible_figures (void)
{
  AdapterWorld *world = begin ();
  AdaptFigures wrong[16];
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    wrong[i] = right;
  wrong[0].node = ((gint64)1 << 32) + 3;
  wrong[1].node = -3;
  wrong[2].n_workers = -1;
  wrong[3].n_workers = 0;
  wrong[4].n_workers = G_MAXINT32;
  wrong[5].idle = -1;
  wrong[6].idle = 1001;
  wrong[7].overdue_near = G_MININT32;
  wrong[8].overdue_near = G_MAXINT32;
  wrong[9].overdue_far = -1;
  wrong[10].overdue_far = 1001;
  wrong[11].load = -1;
  wrong[12].load = G_MAXINT32;
  wrong[13].sample_us = -1;
  wrong[14].sample_us = G_MININT64;
  wrong[15].node = SATIN_RUN_HOLDER;
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (is_believed (world, &wrong[i]));
  g_assert_true (is_believed (world, &right));
  adapter_world_free (world);
}

/* The coordinator ignores figures of nodes that are not in the run. */
static void
test_strangers (void)
{
  AdapterWorld *world = begin ();
  AdaptFigures figures[100];
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      figures[i] = right;
      figures[i].node = i + 5;
    }
  const AdaptReport report = { .nodes = figures, .n_nodes = G_N_ELEMENTS (figures) };
  adapter_world_inject (world, 4, 1, ADAPT_FIGURES, &report);
  g_assert_cmpuint (g_hash_table_size (adapter_world_node (world, 1)->adapter->nodes), ==, 4);
  adapter_world_pass (world, 1);
  g_assert_cmpuint (adapter_world_get_scripted (world, 1)->census.n_nodes, ==, 4);
  adapter_world_free (world);
}

/* A message with more figures than there can be nodes is dropped. Many smaller messages cannot fill
 * the memory. */
static void
test_too_many_figures (void)
{
  AdapterWorld *world = begin ();
  const SatinAdapter *first = adapter_world_node (world, 3)->adapter;
  g_autofree AdaptFigures *figures = g_new (AdaptFigures, ADAPT_MAX_NODES + 1);
  for (guint i = 0; i <= ADAPT_MAX_NODES; i++)
    figures[i] = right;
  AdaptReport report = { .nodes = figures, .n_nodes = ADAPT_MAX_NODES + 1 };
  adapter_world_inject (world, 4, 3, ADAPT_FIGURES, &report);
  g_assert_cmpuint (first->gathered->len, <, 10);
  report.n_nodes = 1000;
  for (guint i = 0; i < 100; i++)
    adapter_world_inject (world, 4, 3, ADAPT_FIGURES, &report);
  g_assert_cmpuint (first->gathered->len, ==, ADAPT_MAX_NODES);
  adapter_world_pass (world, 2);
  g_assert_cmpuint (first->gathered->len, <, 10);
  adapter_world_free (world);
}

static void
test_too_large (void)
{
  AdapterWorld *world = begin ();
  g_autofree guint8 *zeros = g_malloc0 (SATIN_MEMORY_MAX_BYTES + 1);
  const SatinAdapter *first = adapter_world_node (world, 3)->adapter;
  gint64 next_us = first->next_us;
  AdaptReport report = { .sample = zeros, .n_sample = SATIN_SAMPLE_MAX_BYTES + 1 };
  adapter_world_inject (world, 4, 3, ADAPT_FIGURES, &report);
  adapter_world_inject (world, 4, 1, ADAPT_FIGURES, &report);
  g_assert_null (first->found);
  g_assert_null (adapter_world_node (world, 1)->adapter->sample);
  AdaptPlan plan = { .term = 1, .number = 9, .next_us = 5, .sample = zeros };
  plan.n_sample = SATIN_SAMPLE_MAX_BYTES + 1;
  adapter_world_inject (world, 4, 3, ADAPT_PLAN, &plan);
  plan.n_sample = 0;
  plan.memory = zeros;
  plan.n_memory = SATIN_MEMORY_MAX_BYTES + 1;
  adapter_world_inject (world, 4, 3, ADAPT_PLAN, &plan);
  g_assert_cmpint (first->next_us, ==, next_us);
  g_assert_null (first->sample);
  adapter_world_free (world);
}

static void
test_impossible_plans (void)
{
  AdapterWorld *world = begin ();
  const SatinAdapter *first = adapter_world_node (world, 3)->adapter;
  gint64 next_us = first->next_us;
  const AdaptPlan plans[] = {
    { .term = 1, .next_us = -1 },         { .term = 1, .next_us = WORLD_PERIOD_US + 1 },
    { .term = 1, .next_us = G_MAXINT64 }, { .term = 1, .next_us = G_MININT64 },
    { .term = 2, .next_us = 1 }, /* of a master that was not elected */
    { .term = -1, .next_us = 1 },         { .term = G_MAXINT64, .next_us = 1 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    adapter_world_inject (world, 4, 3, ADAPT_PLAN, &plans[i]);
  g_assert_cmpint (first->next_us, ==, next_us);
  const AdaptPlan plan = { .term = 1, .next_us = 1 };
  adapter_world_inject (world, 4, 1, ADAPT_PLAN, &plan); /* the coordinator makes the plans
                                                            itself */
  g_assert_cmpint (adapter_world_node (world, 1)->adapter->next_us, >, next_us - 1000);
  adapter_world_free (world);
}

/* A new coordinator continues without a memory that it cannot read. */
static void
test_damaged_memory (void)
{
  AdapterWorld *world = begin ();
  adapter_world_elect (world, 2, 2);
  Scripted *scripted = adapter_world_get_scripted (world, 2);
  scripted->n_decided = 200;
  const AdaptReport report = { .term = 1, .memory = (const guint8 *)"long", .n_memory = 4 };
  g_clear_pointer (&adapter_world_node (world, 2)->adapter->memory, g_bytes_unref);
  adapter_world_node (world, 2)->adapter->memory_term = 0;
  g_test_expect_message ("satin-adapt", G_LOG_LEVEL_MESSAGE, "*a memory is one byte*");
  adapter_world_inject (world, 4, 2, ADAPT_FIGURES, &report);
  g_test_assert_expected_messages ();
  g_assert_cmpuint (scripted->n_decided, ==, 200);
  adapter_world_free (world);
}

static void
test_hostile_state (void)
{
  AdapterWorld *world = begin ();
  const FleetOffer offers[] = {
    { "b", G_MAXINT32, G_MAXDOUBLE }, { "b", G_MAXINT32, 1.0 / 0.0 }, { "b", G_MAXINT32, -1 },
    { "c", G_MININT32, 1 },           { "a", -1, 0.0 / 0.0 },         { "", 1, 5e-324 },
  };
  world->state = (FleetState){ .n_awaited = G_MININT32,
                               .n_least = G_MININT32,
                               .n_most = -1,
                               .offers = offers,
                               .n_offers = G_N_ELEMENTS (offers) };
  adapter_world_node (world, 1)->adapter->sample_id = 5;
  adapter_world_node (world, 3)->adapter->measured_id = 5;
  adapter_world_node (world, 3)->adapter->measured_cpu_us = 1000;
  adapter_world_pass (world, 2);
  const Scripted *scripted = adapter_world_get_scripted (world, 1);
  g_assert_cmpuint (scripted->census.n_awaited, ==, 0);
  g_assert_cmpuint (scripted->census.n_least, >=, 1);
  g_assert_cmpuint (scripted->census.n_most, >=, 1);
  for (guint i = 0; i < scripted->census.n_clusters; i++)
    {
      g_assert_cmpuint (scripted->clusters[i].n_offered, <=, 3 * SATIN_PROVISION_MAX);
      g_assert_cmpfloat (scripted->clusters[i].offered_speed, >=, 0);
      g_assert_cmpfloat (scripted->clusters[i].offered_speed, <=, 1e18);
    }
  adapter_world_free (world);
}

/* All these messages are cut off, and most of them have a wrong byte, too. */
static void
test_damaged_messages (void)
{
  AdapterWorld *world = begin ();
  const AdaptReport report = { .nodes = &right, .n_nodes = 1 };
  g_autoptr (GBytes) whole = satin_record_to_bytes (&AdaptReport_record, &report);
  for (guint i = 0; i < N_RANDOM; i++)
    {
      guint8 bytes[80] = { (guint8)g_test_rand_int_range (0, 4) };
      gsize n_whole = MIN (g_bytes_get_size (whole), sizeof bytes - 1);
      memcpy (bytes + 1, g_bytes_get_data (whole, NULL), n_whole);
      gsize n_bytes = (gsize)g_test_rand_int_range (0, (gint32)n_whole);
      bytes[g_test_rand_int_range (0, (gint32)n_bytes + 1)] = (guint8)g_test_rand_int ();
      g_autoptr (GBytes) payload = g_bytes_new (bytes, n_bytes);
      fake_net_inject_on (world->net, SATIN_CHANNEL_ADAPT, 4, i % 3 + 1, payload);
    }
  adapter_world_pass (world, 2);
  g_assert_false (adapter_world_get_seen (world, 1, 3)->is_new);
  adapter_world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/adapt/hostile/impossible-figures-change-nothing", test_impossible_figures);
  g_test_add_func ("/adapt/hostile/strangers-change-nothing", test_strangers);
  g_test_add_func ("/adapt/hostile/too-many-figures-are-dropped", test_too_many_figures);
  g_test_add_func ("/adapt/hostile/too-large-messages-change-nothing", test_too_large);
  g_test_add_func ("/adapt/hostile/impossible-plans-change-nothing", test_impossible_plans);
  g_test_add_func ("/adapt/hostile/damaged-memory-changes-nothing", test_damaged_memory);
  g_test_add_func ("/adapt/hostile/impossible-states-are-bounded", test_hostile_state);
  g_test_add_func ("/adapt/hostile/damaged-messages-change-nothing", test_damaged_messages);
  return g_test_run ();
}
