/* locusroute.c - finds the ways of a circuit's wires: routes a batch of wires at a time in parallel
 *
 * Each wire goes where few others run, so its way depends on the wires that were routed before. All
 * wires of a batch are routed with the same cost array, which has the ways of all earlier batches.
 * Then the ways of the batch are added to the array. So the result depends on the size of a batch,
 * but not on which node routes which wire. With --costs shared there are no batches, and the result
 * varies from run to run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include <string.h>

#include "../common/arguments.h"
#include "router.h"
#include "routing.h"
#include "settings.h"

/* The ways of some wires. @bends: one for each segment; @n_looked_at: number of places of the cost
 * array that were read */
SATIN_RECORD (Ways, (array_int, bends), (long, n_looked_at))

static Ways
find_ways (const Costs *costs, const Segment *segments, gsize n)
{
  gint32 *bends = g_new (gint32, n);
  gint64 n_looked_at = route_wires (costs, segments, n, bends);
  return (Ways){ bends, n, n_looked_at };
}

/* Returns: the ways of both halves in one array; the halves stay as they are */
static Ways
join (const Ways *halves)
{
  gsize n = halves[0].n_bends + halves[1].n_bends;
  gint32 *bends = g_new (gint32, n);
  memcpy (bends, halves[0].bends, halves[0].n_bends * sizeof *bends);
  memcpy (bends + halves[0].n_bends, halves[1].bends, halves[1].n_bends * sizeof *bends);
  return (Ways){ bends, n, halves[0].n_looked_at + halves[1].n_looked_at };
}

static gboolean
check_arguments (int n_columns, gsize n_counts, const Segment *segments, gsize n_segments,
                 int grain, GError **error)
{
  if (!app_argument_check ("grain", grain, 1, CIRCUIT_MAX_WIRES, error)
      || !app_argument_check ("number of columns", n_columns, 1, CIRCUIT_MAX_COLUMNS, error)
      || !app_argument_check ("number of places", (gint64)n_counts, 1, CIRCUIT_MAX_PLACES, error)
      || !app_argument_check ("number of segments", (gint64)n_segments, 1, CIRCUIT_MAX_SEGMENTS,
                              error))
    return FALSE;
  const Costs costs = { (int)(n_counts / (gsize)n_columns), n_columns, NULL };
  if (n_counts % (gsize)n_columns != 0 || !route_is_possible (&costs, segments, n_segments))
    return app_argument_refuse ("the segments are not in the circuit", error);
  return TRUE;
}

/* Finds new ways for the wires of @segments; a job routes up to @grain wires. @place_ns: how long
 * looking at one place takes in a simulation */
SATIN_TASK (locusroute, (record, Ways), (int, n_columns), (array_int, counts),
            (array_record, segments, Segment), (int, grain), (int, place_ns))
{
  Ways ways = { 0 }, halves[2] = { { 0 }, { 0 } };
  GError *error = NULL;
  if (!check_arguments (n_columns, n_counts, segments, n_segments, grain, &error))
    {
      satin_fail (error);
      return ways;
    }
  if (segments[n_segments - 1].wire - segments[0].wire < grain)
    {
      /* The cast is safe, because find_ways() only reads the costs. */
      const Costs costs = { (int)(n_counts / (gsize)n_columns), n_columns, (gint32 *)counts };
      ways = find_ways (&costs, segments, n_segments);
      satin_charge (ways.n_looked_at * place_ns);
      return ways;
    }
  gsize half = route_half (segments, n_segments);
  SATIN_SPAWN (&halves[0], locusroute, n_columns, counts, n_counts, segments, half, grain,
               place_ns);
  SATIN_SPAWN (&halves[1], locusroute, n_columns, counts, n_counts, segments + half,
               n_segments - half, grain, place_ns);
  if (SATIN_SYNC ())
    ways = join (halves);
  for (guint i = 0; i < 2; i++)
    satin_record_clear (&Ways_record, &halves[i]);
  return ways;
}

/* @state: (nullable): %NULL if this node does not have the object, or the object is no routing */
static gboolean
check_shared (const routing_state *state, int first, int n_segments, int grain, GError **error)
{
  if (state == NULL)
    return app_argument_refuse ("the ways of all wires are not here", error);
  return app_argument_check ("grain", grain, 1, CIRCUIT_MAX_WIRES, error)
         && app_argument_check ("number of segments", n_segments, 1, (gint64)state->n_segments,
                                error)
         && app_argument_check ("first segment", first, 0, (gint64)state->n_segments - n_segments,
                                error);
}

/* Whether any way is not that of its segment. After some iterations most wires keep their ways, and
 * nobody need hear of them. */
static gboolean
are_new (const Ways *ways, const Segment *segments)
{
  for (gsize i = 0; i < ways->n_bends; i++)
    if (ways->bends[i] != segments[i].bend)
      return TRUE;
  return FALSE;
}

/* Like locusroute(), but takes the costs from this node's replica of the shared object, and then
 * updates the object with ways that are new. @first: index of the first segment; @round: number of
 * the iteration, from 1 */
SATIN_TASK (locusroute_shared, (record, Ways), (object, ways_of_all), (int, first),
            (int, n_segments), (int, round), (int, grain), (int, place_ns))
{
  const routing_state *state = SATIN_READ (routing, ways_of_all);
  Ways ways = { 0 }, halves[2] = { { 0 }, { 0 } };
  GError *error = NULL;
  if (!check_shared (state, first, n_segments, grain, &error))
    {
      satin_fail (error);
      return ways;
    }
  const Segment *segments = state->segments + first;
  if (segments[n_segments - 1].wire - segments[0].wire < grain)
    {
      ways = find_ways (&state->costs, segments, (gsize)n_segments);
      if (are_new (&ways, segments))
        SATIN_UPDATE (ways_of_all, routing, lay, first, round, ways.bends, ways.n_bends);
      satin_charge (ways.n_looked_at * place_ns);
      return ways;
    }
  gint32 half = (gint32)route_half (segments, (gsize)n_segments);
  SATIN_SPAWN (&halves[0], locusroute_shared, ways_of_all, first, half, round, grain, place_ns);
  SATIN_SPAWN (&halves[1], locusroute_shared, ways_of_all, first + half, n_segments - half, round,
               grain, place_ns);
  if (SATIN_SYNC ())
    ways = join (halves);
  for (guint i = 0; i < 2; i++)
    satin_record_clear (&Ways_record, &halves[i]);
  return ways;
}

/* ---- the root ---- */

static gboolean
write_ways (AppOutput *output, const Circuit *circuit, GError **error)
{
  FILE *file = app_output_begin (output, error);
  if (file == NULL)
    return FALSE;
  for (guint i = 0; i < circuit->segments->len; i++)
    {
      const Segment *s = &g_array_index (circuit->segments, Segment, i);
      gboolean is_across = s->bend < circuit->n_columns;
      fprintf (file, "%d %d %d %d %d %s %d\n", s->wire + 1, s->first_channel + 1,
               s->first_column + 1, s->last_channel + 1, s->last_column + 1,
               is_across ? "across" : "along",
               1 + (is_across ? s->bend : s->bend - circuit->n_columns));
    }
  return app_output_end (output, error);
}

static gboolean
print_result (const Settings *settings, const Router *router, gint64 time_us, GError **error)
{
  const Circuit *circuit = &settings->circuit;
  if (settings->output != NULL && !write_ways (settings->output, circuit, error))
    return FALSE;
  g_print ("locusroute: %s, %d wires, %u segments, %d channels, %d columns\n%s", circuit->name,
           circuit->n_wires, circuit->segments->len, circuit->n_channels, circuit->n_columns,
           router->report->str);
  if (settings->common.is_timed)
    app_print_time ("locusroute", time_us, 0, 0);
  return TRUE;
}

SATIN_TASK (locusroute_main, (int), (array_string, argv))
{
  g_auto (Settings) settings = { 0 };
  g_auto (Router) router = { 0 };
  GError *error = NULL;
  if (!settings_read (argv, n_argv, &settings, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (settings.common.is_help)
    return 0;

  router_init (&router, &settings.circuit, settings.batch, settings.n_iterations);
  const Costs *costs = &router.costs;
  const Segment *segments;
  gsize n = settings.circuit.segments->len;
  gint64 started_us = g_get_monotonic_time ();
  SatinObject ways_of_all = 0;
  if (settings.is_shared && !settings.common.is_sequential)
    {
      g_autofree gint32 *rounds = g_new0 (gint32, n);
      segments = (const Segment *)(gpointer)settings.circuit.segments->data;
      ways_of_all =
          SATIN_NEW (routing, "ways", costs->n_channels, costs->n_columns, segments, n, rounds, n);
    }
  while (error == NULL && router_next (&router, &segments, &n))
    {
      Ways ways = { 0 };
      if (settings.common.is_sequential)
        ways = find_ways (costs, segments, n);
      else if (ways_of_all != 0)
        SATIN_SPAWN (&ways, locusroute_shared, ways_of_all, 0, (gint32)n, router.iteration + 1,
                     settings.grain, settings.place_ns);
      else
        SATIN_SPAWN (&ways, locusroute, costs->n_columns, costs->counts,
                     (gsize)costs->n_channels * (gsize)costs->n_columns, segments, n,
                     settings.grain, settings.place_ns);
      SATIN_SYNC_OR_RETURN (0);
      router_take (&router, ways.bends, ways.n_bends, &error);
      satin_record_clear (&Ways_record, &ways);
    }
  if (error != NULL
      || !print_result (&settings, &router, g_get_monotonic_time () - started_us, &error))
    satin_fail (error);
  return 0;
}

int
main (int argc, char **argv)
{
  satin_argument_is_free ("--output=");
  satin_argument_is_free ("-o=");
  return satin_main (argc, argv, locusroute_main);
}
