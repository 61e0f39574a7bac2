/* test-route.c - tests the cost array, the search for the cheapest way, and routing in batches
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "locusroute/router.h"

#include <string.h>

#define N_CHANNELS 7
#define N_COLUMNS  11
#define N_PLACES   (N_CHANNELS * N_COLUMNS)

/* Random costs: 0 to 9 ways at each place. */
static Costs
any_costs (gint32 counts[N_PLACES])
{
  for (guint i = 0; i < N_PLACES; i++)
    counts[i] = g_test_rand_int_range (0, 10);
  return (Costs){ N_CHANNELS, N_COLUMNS, counts };
}

static Segment
any_segment (void)
{
  int a = g_test_rand_int_range (0, N_COLUMNS), b = g_test_rand_int_range (0, N_COLUMNS);
  return (Segment){ 0,          g_test_rand_int_range (0, N_CHANNELS),
                    MIN (a, b), g_test_rand_int_range (0, N_CHANNELS),
                    MAX (a, b), BEND_NONE };
}

/* Whether @s may take the way @bend: a column, or N_COLUMNS + a channel. */
static gboolean
may_bend (const Segment *s, int bend)
{
  int channel = bend - N_COLUMNS;
  if (bend < N_COLUMNS)
    return bend >= s->first_column && bend <= s->last_column;
  return s->first_column < s->last_column && channel < N_CHANNELS
         && channel >= MAX (MIN (s->first_channel, s->last_channel) - 1, 0)
         && channel <= MAX (s->first_channel, s->last_channel) + 1;
}

static void
test_no_way_is_cheaper (void)
{
  gint32 counts[N_PLACES];
  for (guint round = 0; round < 500; round++)
    {
      Costs costs = any_costs (counts);
      Segment segment = any_segment ();
      gint64 n_looked_at = 0;
      int bend = route_segment (&costs, &segment, &n_looked_at);
      g_assert_true (may_bend (&segment, bend));
      segment.bend = bend;
      gint64 cost = costs_of_way (&costs, &segment);
      for (segment.bend = 0; segment.bend < N_COLUMNS + N_CHANNELS; segment.bend++)
        if (may_bend (&segment, segment.bend))
          {
            gint64 other = costs_of_way (&costs, &segment);
            g_assert_cmpint (other, >=, cost);
            /* Among ways of equal cost, the first one is chosen. */
            g_assert_true (segment.bend >= bend || other > cost);
          }
    }
}

/* A way joins its pins without gaps, and has each place only once. */
static void
test_a_way_leads_from_pin_to_pin (void)
{
  for (guint round = 0; round < 200; round++)
    {
      gint32 counts[N_PLACES] = { 0 };
      Costs costs = { N_CHANNELS, N_COLUMNS, counts };
      Segment s = any_segment ();
      int n_places = 0, n_steps = 0;
      for (s.bend = 0; !may_bend (&s, s.bend) || g_test_rand_bit ();)
        s.bend = (s.bend + 1) % (N_COLUMNS + N_CHANNELS);
      costs_lay (&costs, &s, 1);
      for (int i = 0; i < N_PLACES; i++)
        {
          g_assert_cmpint (counts[i], >=, 0);
          g_assert_cmpint (counts[i], <=, 1);
          n_places += counts[i];
          n_steps += i + N_COLUMNS < N_PLACES && counts[i] > 0 && counts[i + N_COLUMNS] > 0;
          n_steps += (i + 1) % N_COLUMNS != 0 && counts[i] > 0 && counts[i + 1] > 0;
        }
      g_assert_cmpint (counts[s.first_channel * N_COLUMNS + s.first_column], ==, 1);
      g_assert_cmpint (counts[s.last_channel * N_COLUMNS + s.last_column], ==, 1);
      g_assert_cmpint (n_steps, >=, n_places - 1);
      costs_lay (&costs, &s, -1);
      for (int i = 0; i < N_PLACES; i++)
        g_assert_cmpint (counts[i], ==, 0);
    }
}

static void
test_height_is_the_most_of_each_channel (void)
{
  gint32 counts[] = { 1, 5, 2, 0, 0, 3 };
  const Costs costs = { 2, 3, counts };
  g_assert_cmpint (costs_height (&costs), ==, 8);
}

static void
test_crowding_counts_pairs (void)
{
  gint32 counts[] = { 1, 2, 0, 4 };
  const Costs costs = { 2, 2, counts };
  g_assert_cmpint (costs_crowding (&costs), ==, 1 + 6);
}

/* The wire's own way along the middle is no obstacle, so the wire stays there. */
static void
test_a_wire_is_no_obstacle_to_itself (void)
{
  gint32 counts[9] = { 0 }, bend;
  Costs costs = { 3, 3, counts };
  const Segment segment = { 0, 1, 0, 1, 2, 0 };
  costs_lay (&costs, &segment, 1);
  route_wires (&costs, &segment, 1, &bend);
  g_assert_cmpint (bend, ==, 0);
  g_assert_cmpint (counts[4], ==, 1);
}

/* ---- wires and circuits ---- */

static void
test_halves_find_the_same_ways (void)
{
  g_auto (Circuit) circuit = { 0 };
  g_assert_true (circuit_generate ("60x7x50", g_test_rand_int (), &circuit, NULL));
  gsize n = circuit.segments->len;
  const Segment *segments = (const Segment *)(gpointer)circuit.segments->data;
  g_autofree gint32 *counts = g_new (gint32, 350), *whole = g_new (gint32, n),
                    *halves = g_new (gint32, n);
  for (guint i = 0; i < 350; i++)
    counts[i] = g_test_rand_int_range (0, 5);
  Costs costs = { 7, 50, counts };
  route_wires (&costs, segments, n, whole);
  gsize half = route_half (segments, n);
  g_assert_cmpuint (half, >, 0);
  g_assert_cmpuint (half, <, n);
  g_assert_cmpint (segments[half - 1].wire, ==, 29);
  g_assert_cmpint (segments[half].wire, ==, 30);
  route_wires (&costs, segments, half, halves);
  route_wires (&costs, segments + half, n - half, halves + half);
  g_assert_cmpmem (whole, n * sizeof *whole, halves, n * sizeof *halves);
}

static void
test_one_wire_is_not_divided (void)
{
  const Segment segments[] = { { .wire = 4 }, { .wire = 4 }, { .wire = 5 } };
  g_assert_cmpuint (route_half (segments, 2), ==, 2);
  g_assert_cmpuint (route_half (segments, 3), ==, 2);
  g_assert_cmpuint (route_batch (segments, 3, 1), ==, 2);
  g_assert_cmpuint (route_batch (segments, 3, 9), ==, 3);
}

/* Routes the whole circuit. Checks before each batch that the cost array has exactly the ways laid
 * so far. */
static void
route_circuit (Router *router)
{
  const Segment *segments;
  gsize n, n_places = (gsize)router->circuit->n_channels * (gsize)router->circuit->n_columns;
  while (router_next (router, &segments, &n))
    {
      g_autofree gint32 *bends = g_new (gint32, n), *counts = g_new0 (gint32, n_places);
      Costs laid = { router->circuit->n_channels, router->circuit->n_columns, counts };
      for (guint i = 0; i < router->circuit->segments->len; i++)
        costs_lay (&laid, &g_array_index (router->circuit->segments, Segment, i), 1);
      g_assert_cmpmem (counts, n_places * sizeof *counts, router->counts,
                       n_places * sizeof *counts);
      route_wires (&router->costs, segments, n, bends);
      g_assert_true (router_take (router, bends, n, NULL));
    }
}

static void
test_the_array_has_what_was_laid (void)
{
  g_auto (Circuit) circuit = { 0 };
  g_auto (Router) router = { 0 };
  g_assert_true (circuit_generate ("50x6x40", g_test_rand_int (), &circuit, NULL));
  router_init (&router, &circuit, 7, 3);
  route_circuit (&router);
  g_auto (GStrv) lines = g_strsplit (router.report->str, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  g_assert_true (g_str_has_prefix (lines[2], "iteration 3: height "));
}

/* Each wire sees the ways of the wires before it, so three wires with the same pins take three
 * ways. */
static void
test_wires_go_where_few_others_run (void)
{
  static const char text[] = "3 9\n2 2 1 2 9\n2 2 1 2 9\n2 2 1 2 9\n";
  g_auto (Circuit) circuit = { 0 };
  g_auto (Router) router = { 0 };
  g_assert_true (circuit_read ("three", text, strlen (text), &circuit, NULL));
  router_init (&router, &circuit, 1, 1);
  route_circuit (&router);
  g_assert_cmpint (costs_height (&router.costs), ==, 1 + 3 + 1);
  for (int column = 1; column < 8; column++)
    g_assert_cmpint (router.counts[9 + column], ==, 1);
}

/* A segment moves from way to way, also to the way that it has. The array has its last way only. */
static void
test_a_way_replaces_the_last_one (void)
{
  gint32 counts[N_PLACES] = { 0 }, expected[N_PLACES] = { 0 };
  Costs costs = { N_CHANNELS, N_COLUMNS, counts };
  Costs fresh = { N_CHANNELS, N_COLUMNS, expected };
  Segment segment = any_segment ();
  for (int bend = 0; bend < N_COLUMNS + N_CHANNELS; bend++)
    if (may_bend (&segment, bend))
      {
        costs_relay (&costs, &segment, bend);
        costs_relay (&costs, &segment, bend);
      }
  costs_lay (&fresh, &segment, 1);
  g_assert_cmpint (segment.bend, !=, BEND_NONE);
  g_assert_cmpmem (counts, sizeof counts, expected, sizeof expected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-locusroute/" path, function)
  CASE ("route/no-way-is-cheaper", test_no_way_is_cheaper);
  CASE ("route/a-way-leads-from-pin-to-pin", test_a_way_leads_from_pin_to_pin);
  CASE ("route/a-way-replaces-the-last-one", test_a_way_replaces_the_last_one);
  CASE ("route/height-is-the-most-of-each-channel", test_height_is_the_most_of_each_channel);
  CASE ("route/crowding-counts-pairs", test_crowding_counts_pairs);
  CASE ("route/a-wire-is-no-obstacle-to-itself", test_a_wire_is_no_obstacle_to_itself);
  CASE ("route/halves-find-the-same-ways", test_halves_find_the_same_ways);
  CASE ("route/one-wire-is-not-divided", test_one_wire_is_not_divided);
  CASE ("router/the-array-has-what-was-laid", test_the_array_has_what_was_laid);
  CASE ("router/wires-go-where-few-others-run", test_wires_go_where_few_others_run);
  return g_test_run ();
}
