/* test-thresholds.c - tests what the adaptation thresholds decides
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
  /* With 40 nodes, each is busy for half of the time. */
  g_assert_cmpuint (grid_count (self), ==, 40);
  g_assert_cmpuint (grid_run (self, 10), ==, 0);
}

static void
test_shrinks (Grid *self, gconstpointer name)
{
  self->n_machines[0] = self->n_nodes[0] = 100;
  self->parallelism = 15;
  grid_step (self);
  g_assert_cmpuint (self->n_removed, ==, 50);
  g_assert_cmpuint (grid_run (self, 10), ==, 0);
}

static void
test_slow (Grid *self, gconstpointer name)
{
  self->n_machines[0] = self->n_nodes[0] = 4;
  self->n_machines[1] = self->n_nodes[1] = 12;
  self->speeds[1] = 0.02;
  grid_step (self);
  g_assert_cmpuint (self->n_removed, >, 0);
  g_assert_cmpuint (self->n_nodes[0], ==, 4);
}

static void
test_far (Grid *self, gconstpointer name)
{
  for (guint i = 0; i < 3; i++)
    self->n_machines[i] = self->n_nodes[i] = 12;
  self->n_machines[3] = 12;
  self->parallelism = 24;
  self->far_overhead[2] = 0.4;
  grid_step (self);
  g_assert_cmpuint (self->n_removed, ==, 12);
  g_assert_cmpuint (self->n_nodes[2], ==, 0);
  grid_run (self, 10);
  g_assert_cmpuint (self->n_nodes[2], ==, 0);
  g_assert_cmpuint (self->n_nodes[3], ==, 12);
}

static void
test_keeps_master (Grid *self, gconstpointer name)
{
  self->n_machines[0] = self->n_nodes[0] = 2;
  self->n_machines[1] = self->n_nodes[1] = 2;
  self->far_overhead[0] = 0.9;
  self->n_least = 2;
  grid_run (self, 10);
  g_assert_cmpuint (self->n_nodes[0], >=, 1);
}

static void
test_memory (Grid *self, gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  test_far (self, name);
  g_autoptr (GBytes) memory = self->adaptation->ops.save (self->adaptation->handle);
  satin_adaptation_close (self->adaptation);
  self->adaptation = satin_adaptation_open (name, &error);
  g_assert_no_error (error);
  g_assert_true (self->adaptation->ops.load (self->adaptation->handle, memory, &error));
  g_assert_no_error (error);
  self->n_machines[3] = self->n_nodes[3] = 0;
  g_assert_cmpuint (grid_run (self, 10), ==, 0);
  g_autoptr (GBytes) wrong = g_bytes_new_static ("\x05", 1);
  g_assert_false (self->adaptation->ops.load (self->adaptation->handle, wrong, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_TRUNCATED);
}

static void
test_wrong (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (satin_adaptation_open ("thresholds:min=0.6", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_true (g_str_has_prefix (error->message, "adaptation thresholds: min=0.6"));
}

#define CASE(NAME, FUNC)                                                                           \
  g_test_add ("/adapt/thresholds/" NAME, Grid, "thresholds", grid_set_up, FUNC, grid_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("an-efficient-run-grows-until-half-of-the-time-is-idle", test_grows);
  CASE ("an-inefficient-one-shrinks", test_shrinks);
  CASE ("slow-nodes-go-first", test_slow);
  CASE ("a-cluster-behind-a-slow-link-goes-and-never-comes-back", test_far);
  CASE ("the-master-and-the-least-number-stay", test_keeps_master);
  CASE ("what-is-barred-is-handed-on", test_memory);
  g_test_add_func ("/adapt/thresholds/wrong-thresholds-are-refused", test_wrong);
  return g_test_run ();
}
