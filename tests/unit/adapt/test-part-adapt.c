/* test-part-adapt.c - tests the part "adapt" on a node: its parameters, its figures, and its work
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../core/counting-loop.h"
#include "../core/fake-peers.h"

#include <satin/adapt.h>
#include <satin/base/node.h>
#include <satin/base/run.h>

#include <string.h>

#define SECOND_US ((gint64)1000000)

typedef struct
{
  SatinRun run; /* first field */
  SatinLoop *loop;
  SatinNode *node;
  gboolean is_stopped;
  guint n_figures;
  guint n_words;
} Fixture;

static void
set_up (Fixture *self, gconstpointer unused)
{
  const SatinProgram program = { .name = "test" };
  *self = (Fixture){ .loop = counting_loop_new (1) };
  self->node = satin_node_new (self->loop, &program);
}

static void
on_stopped (const GError *error, gpointer user_data)
{
  g_assert_no_error (error);
  ((Fixture *)user_data)->is_stopped = TRUE;
}

static void
tear_down (Fixture *self, gconstpointer unused)
{
  satin_node_stop (self->node, on_stopped, self);
  counting_loop_advance (self->loop, 0);
  g_assert_true (self->is_stopped);
  satin_node_free (self->node);
  g_assert_cmpuint (counting_loop_count_timers (self->loop), ==, 0);
  satin_loop_free (self->loop);
}

/* ---- parameters ---- */

static void
test_parameters (Fixture *self, gconstpointer parameters)
{
  g_autoptr (GError) error = NULL;
  satin_node_add_part (self->node, parameters, &error);
  g_assert_no_error (error);
}

/* @user_data: the part with its parameters, a space, and words that the error must contain */
static void
test_refused (Fixture *self, gconstpointer user_data)
{
  g_auto (GStrv) words = g_strsplit (user_data, " ", 2);
  g_autoptr (GError) error = NULL;
  g_assert_false (satin_node_add_part (self->node, words[0], &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, words[1]));
}

/* ---- figures ---- */

static void
count_figure (const char *name, gint64 value, gpointer user_data)
{
  static const char *const names[] = { "adapt.periods",
                                       "adapt.messages",
                                       "adapt.asked",
                                       "adapt.removed",
                                       "adapt.benchmarks",
                                       "adapt.benchmark-us",
                                       "adapt.efficiency-permille" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      *(guint *)user_data |= 1 << i;
}

static void
test_figures (Fixture *self, gconstpointer unused)
{
  guint seen = 0;
  g_assert_true (satin_node_add_part (self->node, "adapt", NULL));
  satin_node_figures (self->node, count_figure, &seen);
  g_assert_cmpuint (seen, ==, (1 << 7) - 1);
}

/* ---- with peers and a run ---- */

static void
note_signal (SatinRun *run, SatinNodeId to, const char *word, GBytes *payload)
{
  ((Fixture *)run)->n_words += to == SATIN_RUN_HOLDER && strcmp (word, SATIN_FLEET_LOOK) == 0;
}

static guint
add_events (SatinRun *run, const SatinRunEvents *events, gpointer user_data)
{
  return 1;
}

static void
remove_events (SatinRun *run, guint id)
{
}

static const SatinRunOps run_ops = {
  .struct_size = sizeof (SatinRunOps),
  .signal = note_signal,
  .add_events = add_events,
  .remove_events = remove_events,
};

static void
add_figures (SatinFigureFunc add, gpointer add_data, gpointer user_data)
{
  ((Fixture *)user_data)->n_figures++;
  add ("busy-us", 1000, add_data);
}

static void
test_works (Fixture *self, gconstpointer is_master)
{
  FakeNet *net = fake_net_new (self->loop, 2);
  self->run.ops = &run_ops;
  satin_node_add_figures (self->node, add_figures, self);
  g_assert_true (satin_node_add_part (self->node, "adapt:period=1s,policy=none", NULL));
  counting_loop_advance (self->loop, 5 * SECOND_US);
  g_assert_cmpuint (self->n_figures, ==, 0); /* there are no peers yet */
  satin_node_provide (self->node, SATIN_INTERFACE_PEERS, fake_net_get_peers (net, 1));
  satin_node_provide (self->node, SATIN_INTERFACE_RUN, &self->run);
  fake_net_set_master (net, is_master != NULL ? 1 : 2);
  counting_loop_advance (self->loop, 5 * SECOND_US);
  g_assert_cmpuint (self->n_figures, ==, 6);
  g_assert_cmpuint (self->n_words, ==, is_master != NULL ? 5 : 0);
  g_assert_cmpuint (fake_net_count_sent (net), ==, is_master != NULL ? 0 : 5);
  satin_node_stop (self->node, on_stopped, self);
  counting_loop_advance (self->loop, 5 * SECOND_US);
  g_assert_cmpuint (self->n_figures, ==, 6);
  satin_node_free (self->node);
  self->node = satin_node_new (self->loop, &(SatinProgram){ .name = "test" });
  fake_net_free (net);
}

#define ADD(path, data, test)                                                                      \
  g_test_add ("/adapt/part/" path, Fixture, data, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  static const char *const right[] = {
    "adapt",
    "adapt:period=1ms",
    "adapt:benchmark=0,kept=yes,say=yes",
    "adapt:say=changes",
    "adapt:leave=0s,benchmark=1",
    "adapt:leave=60m",
    "adapt:policy=thresholds:min=0.1",
    "adapt:policy=none",
  };
  static const char *const wrong[] = {
    "adapt:period=0s period is less than 1ms",
    "adapt:period=999us period is less than 1ms",
    "adapt:period=often period",
    "adapt:period=-1s period",
    "adapt:benchmark=-0.01 benchmark is a share of the time",
    "adapt:benchmark=1.01 benchmark is a share of the time",
    "adapt:benchmark=nan benchmark",
    "adapt:benchmark=some benchmark",
    "adapt:leave=61m leave is more than an hour",
    "adapt:leave=-1s leave",
    "adapt:kept=maybe kept",
    "adapt:say=loud say is no, changes or yes",
    "adapt:policy=nonsense nonsense",
    "adapt:policy=thresholds:min=2 adaptation thresholds: min=2",
    "adapt:policy=thresholds:depth=2 depth",
    "adapt:policy= '' is not the name of a plugin",
    "adapt:speed=7 speed",
  };
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (right); i++)
    {
      g_autofree char *path = g_strdup_printf ("/adapt/part/right/%u", i + 1);
      g_test_add (path, Fixture, right[i], set_up, test_parameters, tear_down);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path = g_strdup_printf ("/adapt/part/wrong/%u", i + 1);
      g_test_add (path, Fixture, wrong[i], set_up, test_refused, tear_down);
    }
  ADD ("tells-its-figures", NULL, test_figures);
  ADD ("works-as-the-master", "master", test_works);
  ADD ("works-as-another-node", NULL, test_works);
  return g_test_run ();
}
