/* test-learning.c - tests the adaptation learning: its decisions, and what it learns from them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "grid.h"

static void
test_grows (Grid *self, gconstpointer name)
{
  self->n_machines[0] = self->n_machines[1] = 100;
  self->n_nodes[0] = 8;
  self->parallelism = 20;
  grid_step (self);
  g_assert_cmpuint (self->n_asked, ==, 8);
  grid_run (self, 10);
  g_assert_cmpuint (grid_count (self), >=, 20);
  g_assert_cmpuint (grid_count (self), <=, 40);
  g_assert_cmpuint (grid_run (self, 30), ==, 0);
}

static void
test_steady (Grid *self, gconstpointer name)
{
  self->n_machines[0] = self->n_machines[1] = 30;
  self->n_nodes[0] = 16;
  self->parallelism = 7;
  g_assert_cmpuint (grid_run (self, 50), ==, 0);
}

static void
test_ceiling (Grid *self, gconstpointer name)
{
  /* However many nodes there are, they do the work of ten. */
  self->n_machines[0] = 100;
  self->n_nodes[0] = 10;
  self->parallelism = 10;
  guint n_asked = 0;
  for (guint i = 0; i < 5; i++)
    {
      grid_step (self);
      n_asked += self->n_asked;
    }
  g_assert_cmpuint (n_asked, >, 0);
  g_assert_cmpuint (grid_run (self, 30), ==, 0);
}

static void
test_forgets (Grid *self, gconstpointer name)
{
  for (guint i = 0; i < 3; i++)
    self->n_machines[i] = self->n_nodes[i] = 12;
  self->parallelism = 24;
  self->far_overhead[2] = 0.4;
  grid_step (self);
  g_assert_cmpuint (self->n_nodes[2], ==, 0);
  self->far_overhead[2] = 0;
  grid_run (self, 5);
  g_assert_cmpuint (self->n_nodes[2], ==, 0);
  grid_run (self, 10);
  g_assert_cmpuint (self->n_nodes[2], ==, 1);
  grid_run (self, 30);
  g_assert_cmpuint (self->n_nodes[2], ==, 12);
}

static void
test_bars_longer (Grid *self, gconstpointer name)
{
  for (guint i = 0; i < 3; i++)
    self->n_machines[i] = self->n_nodes[i] = 12;
  self->parallelism = 24;
  self->far_overhead[2] = 0.4;
  guint steps[3] = { 0 }, n_times = 0;
  for (guint i = 1; i < 400 && n_times < G_N_ELEMENTS (steps); i++)
    {
      guint n_before = self->n_nodes[2];
      grid_step (self);
      if (n_before == 0 && self->n_nodes[2] > 0)
        steps[n_times++] = i;
    }
  g_assert_cmpuint (n_times, ==, G_N_ELEMENTS (steps));
  g_assert_cmpuint (steps[2] - steps[1], >=, (steps[1] - steps[0]) * 3 / 2);
}

static void
test_replaces (Grid *self, gconstpointer name)
{
  self->n_machines[0] = self->n_nodes[0] = 10;
  self->speeds[0] = 0.3;
  self->parallelism = 1.2;
  g_assert_cmpuint (grid_run (self, 10), ==, 0);
  self->n_machines[1] = 4;
  grid_step (self);
  g_assert_cmpuint (self->n_asked, ==, 4);
  g_assert_cmpuint (self->n_removed, ==, 0);
  grid_step (self);
  g_assert_cmpuint (self->n_nodes[1], ==, 4);
  g_assert_cmpuint (self->n_nodes[0], <=, 6);
  grid_run (self, 20);
  g_assert_cmpuint (grid_run (self, 20), ==, 0);
}

/* The run has as many nodes as it may have, and may not have fewer. So better machines cannot
 * come. */
static void
test_replaces_none_of_the_least (Grid *self, gconstpointer name)
{
  for (guint n = 2; n < 8; n++)
    {
      self->n_machines[0] = self->n_nodes[0] = self->n_least = self->n_most = n;
      self->speeds[0] = 0.5;
      self->parallelism = n;
      self->n_machines[1] = 20;
      for (guint i = 0; i < 3; i++)
        {
          grid_step (self);
          g_assert_cmpuint (self->n_removed, ==, 0);
        }
    }
}

/* Four better machines join ten slow nodes. The run may not have fewer than 12 nodes, so only two
 * slow nodes leave. */
static void
test_replaces_above_the_least (Grid *self, gconstpointer name)
{
  self->n_machines[0] = self->n_nodes[0] = 10;
  self->speeds[0] = 0.3;
  self->parallelism = 1.2;
  self->n_machines[1] = 4;
  grid_step (self);
  g_assert_cmpuint (self->n_asked, ==, 4);
  self->n_least = 12;
  grid_step (self);
  g_assert_cmpuint (self->n_removed, ==, 2);
  g_assert_cmpuint (grid_count (self), ==, 12);
}

static void
test_useless_removal (Grid *self, gconstpointer name)
{
  /* The nodes of cluster 1 spend a lot of time on messages, but without them less work is done. */
  self->n_machines[0] = self->n_nodes[0] = 4;
  self->n_machines[1] = self->n_nodes[1] = 12;
  self->far_overhead[1] = 0.3;
  grid_step (self);
  g_assert_cmpuint (self->n_nodes[1], ==, 0);
  grid_run (self, 24);
  g_assert_cmpuint (self->n_nodes[1], >=, 8);
  guint n_far = self->n_nodes[1];
  grid_run (self, 5);
  g_assert_cmpuint (self->n_nodes[1], >=, n_far);
}

/* The master's cluster waits even longer, but only because it is at the other end of the same
 * link. */
static void
test_far_end (Grid *self, gconstpointer name)
{
  self->n_nodes[0] = self->n_nodes[1] = 8;
  self->n_machines[0] = self->n_machines[1] = 8;
  self->far_overhead[0] = 0.8;
  self->far_overhead[1] = 0.6;
  grid_step (self);
  g_assert_cmpuint (self->n_nodes[0], ==, 8);
  g_assert_cmpuint (self->n_nodes[1], ==, 0);
}

/* The nodes of cluster 2 are slow, and cluster 1 is behind a slow link. Both clusters leave in one
 * step. */
static void
test_both (Grid *self, gconstpointer name)
{
  for (guint i = 0; i < 3; i++)
    self->n_machines[i] = self->n_nodes[i] = 4;
  self->parallelism = 1.5;
  self->far_overhead[1] = 0.4;
  self->far_overhead[2] = 0.1;
  self->speeds[2] = 0.01;
  grid_step (self);
  g_assert_cmpuint (self->n_nodes[0], ==, 4);
  g_assert_cmpuint (self->n_nodes[1], ==, 0);
  g_assert_cmpuint (self->n_nodes[2], ==, 0);
}

/* Nodes that wait for slow nodes have overdue messages, too. Only the slow nodes leave. */
static void
test_slow (Grid *self, gconstpointer name)
{
  for (guint i = 0; i < 3; i++)
    self->n_machines[i] = self->n_nodes[i] = 4;
  self->parallelism = 1.5;
  self->far_overhead[1] = 0.24;
  self->speeds[2] = 0.2;
  grid_step (self);
  g_assert_cmpuint (self->n_nodes[1], ==, 4);
  g_assert_cmpuint (self->n_nodes[2], ==, 0);
}

/* The first new machine is slow. It does little, and the run becomes less efficient. That does not
 * mean that there are too many nodes. */
static void
test_slow_machine (Grid *self, gconstpointer name)
{
  self->n_machines[0] = self->n_nodes[0] = 1;
  self->n_machines[1] = 1;
  self->n_machines[2] = 8;
  self->speeds[1] = 0.1;
  self->is_hidden = TRUE;
  grid_step (self);
  g_assert_cmpuint (self->n_nodes[1], ==, 1);
  grid_run (self, 8);
  g_assert_cmpuint (self->n_nodes[2], ==, 8);
}

/* Slow nodes leave. Then a link becomes slow, and all nodes wait for it. So the run does not get
 * faster, but the removal is not to blame. */
static void
test_no_lesson (Grid *self, gconstpointer name)
{
  for (guint i = 0; i < 3; i++)
    self->n_machines[i] = self->n_nodes[i] = 4;
  self->speeds[2] = 0.2;
  self->parallelism = 1.5;
  grid_step (self);
  g_assert_cmpuint (self->n_nodes[2], ==, 0);
  self->far_overhead[1] = 0.9;
  grid_run (self, 4);
  g_assert_cmpuint (self->n_nodes[1], ==, 0);
  self->parallelism = 1000;
  self->n_machines[2] = 8;
  self->n_machines[3] = 2;
  grid_run (self, 4);
  g_assert_cmpuint (self->n_nodes[3], ==, 2);
  g_assert_cmpuint (self->n_nodes[2], ==, 0);
}

#define N_LEFT 4

/* Decides for two clusters. Cluster 1 waits for messages, is leaving, or is gone. Each node works
 * for the share @work of its time. Returns: how many nodes must leave */
static guint
decide_after (Grid *self, gdouble work, gboolean is_leaving, gboolean is_gone)
{
  const SatinCensusCluster clusters[] = { { .name = "a" }, { .name = "b" } };
  SatinCensusNode nodes[2 * N_LEFT];
  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    nodes[i] = (SatinCensusNode){ .id = i + 1,
                                  .cluster = i / N_LEFT,
                                  .speed = 1,
                                  .overhead = 1 - work,
                                  .far_overhead = i < N_LEFT ? 0 : 0.5,
                                  .is_kept = i == 0,
                                  .is_leaving = i >= N_LEFT && is_leaving };
  self->now_us += G_USEC_PER_SEC;
  const SatinCensus census = { .now_us = self->now_us,
                               .n_nodes = is_gone ? N_LEFT : 2 * N_LEFT,
                               .nodes = nodes,
                               .n_clusters = G_N_ELEMENTS (clusters),
                               .clusters = clusters,
                               .n_least = 1,
                               .n_most = 100 };
  SatinDecision decision;
  satin_decision_init (&decision);
  self->adaptation->ops.decide (self->adaptation->handle, &census, &decision);
  guint n_removed = decision.removals->len;
  satin_decision_clear (&decision);
  return n_removed;
}

/* While nodes leave, the nodes that stay may still wait for overdue messages of those nodes. */
static void
test_aftermath (Grid *self, gconstpointer name)
{
  g_assert_cmpuint (decide_after (self, 0.4, FALSE, FALSE), ==, N_LEFT);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpuint (decide_after (self, 0.1, TRUE, FALSE), ==, 0);
  g_assert_cmpuint (decide_after (self, 0.1, FALSE, TRUE), ==, 0);
  g_assert_cmpuint (decide_after (self, 0.1, FALSE, TRUE), >, 0);
}

/* Replaces the adaptation by a new one, which gets the memory of the old one. The clock of the new
 * one's node shows @now_us. */
static void
hand_on (Grid *self, gconstpointer name, gint64 now_us)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) memory = self->adaptation->ops.save (self->adaptation->handle);
  satin_adaptation_close (self->adaptation);
  self->adaptation = satin_adaptation_open (name, &error);
  g_assert_no_error (error);
  g_assert_true (self->adaptation->ops.load (self->adaptation->handle, memory, &error));
  g_assert_no_error (error);
  self->now_us = now_us;
}

static void
remove_far (Grid *self)
{
  for (guint i = 0; i < 3; i++)
    self->n_machines[i] = self->n_nodes[i] = 12;
  self->parallelism = 24;
  self->far_overhead[2] = 0.4;
  grid_step (self);
  g_assert_cmpuint (self->n_nodes[2], ==, 0);
}

static void
test_memory (Grid *self, gconstpointer name)
{
  remove_far (self);
  hand_on (self, name, self->now_us);
  grid_run (self, 5);
  g_assert_cmpuint (self->n_nodes[2], ==, 0);
}

/* The new node's clock may be far ahead or far behind. */
static void
test_other_clock (Grid *self, gconstpointer name)
{
  static const gint64 clocks_us[] = { 0, G_GINT64_CONSTANT (1000000000000), 5 };
  for (guint i = 0; i < G_N_ELEMENTS (clocks_us); i++)
    {
      remove_far (self);
      hand_on (self, name, clocks_us[i]);
      hand_on (self, name, clocks_us[(i + 1) % 3]); /* before it has decided anything */
      grid_run (self, 5);
      g_assert_cmpuint (self->n_nodes[2], ==, 0);
      self->far_overhead[2] = 0;
      grid_run (self, 40);
      g_assert_cmpuint (self->n_nodes[2], ==, 12);
      grid_tear_down (self, name);
      grid_set_up (self, name);
    }
}

static void
test_damaged_memory (Grid *self, gconstpointer name)
{
  remove_far (self);
  g_autoptr (GBytes) memory = self->adaptation->ops.save (self->adaptation->handle);
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (memory, &n_bytes);
  for (gsize bit = 0; bit < 8 * n_bytes; bit++)
    {
      guint8 *copy = g_memdup2 (bytes, n_bytes);
      copy[bit / 8] ^= (guint8)(1 << bit % 8);
      g_autoptr (GBytes) damaged = g_bytes_new_take (copy, n_bytes);
      g_autoptr (GError) error = NULL;
      gboolean is_good = self->adaptation->ops.load (self->adaptation->handle, damaged, &error);
      g_assert_true (is_good == (error == NULL));
      grid_step (self);
    }
}

#define CASE(NAME, FUNC)                                                                           \
  g_test_add ("/adapt/learning/" NAME, Grid, "learning:bar=10s", grid_set_up, FUNC, grid_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("an-efficient-run-grows-and-then-stays", test_grows);
  CASE ("in-a-steady-world-the-nodes-stay", test_steady);
  CASE ("more-nodes-that-do-no-more-are-a-ceiling", test_ceiling);
  CASE ("a-link-that-recovered-is-used-again-by-one-node-first", test_forgets);
  CASE ("a-link-that-stays-slow-is-tried-less-and-less-often", test_bars_longer);
  CASE ("better-machines-replace-slow-nodes-at-any-efficiency", test_replaces);
  CASE ("of-the-least-number-none-is-replaced", test_replaces_none_of_the_least);
  CASE ("replacing-leaves-the-least-number-of-nodes", test_replaces_above_the_least);
  CASE ("a-removal-that-did-not-help-is-taken-back", test_useless_removal);
  CASE ("at-the-far-end-of-a-slow-link-nobody-is-to-blame", test_far_end);
  CASE ("slow-nodes-go-with-a-cluster-behind-a-slow-link", test_both);
  CASE ("a-slow-machine-is-no-sign-that-there-are-too-many", test_slow_machine);
  CASE ("nothing-is-learnt-of-a-removal-while-all-wait-for-a-link", test_no_lesson);
  CASE ("slow-nodes-go-and-not-who-waits-for-them", test_slow);
  CASE ("nobody-else-goes-while-those-that-went-are-still-felt", test_aftermath);
  CASE ("what-was-learnt-is-handed-on", test_memory);
  CASE ("who-is-handed-it-may-have-another-clock", test_other_clock);
  CASE ("damaged-memory-breaks-nothing", test_damaged_memory);
  return g_test_run ();
}
