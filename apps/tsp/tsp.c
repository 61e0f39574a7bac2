/* tsp.c - finds the shortest tour through all cities: a job searches one beginning of a tour
 *
 * The arguments of a job are the beginning of a tour and a limit. The result is the shortest tour
 * with this beginning that is shorter than the limit, if there is one. With --alone the result
 * depends on these arguments only. Otherwise the length of the shortest tour so far is a shared
 * object, and jobs ignore longer tours. Jobs do not ignore tours of that same length, because the
 * result with the shortest tour so far may be lost with the process that has it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/inject.h>
#include <satin/core.h>
#include <satin/so.h>

#include "../common/arguments.h"
#include "first-tour.h"
#include "search.h"
#include "settings.h"
#include "tour.h"

/**
 * Found:
 * @tour: (owned): all cities; empty when no tour is shorter than the limit
 * @length: length of @tour
 * @n_nodes: number of nodes (search.h) that were searched
 * @n_jobs: number of jobs that searched them
 *
 * The result of a job.
 */
SATIN_RECORD (Found, (array_int, tour), (int, length), (long, n_nodes), (long, n_jobs))

/* Adds the result of a child job to @search and @sum, and clears @child. */
static void
take (Search *search, Found *sum, Found *child)
{
  search_add_tour (search, child->tour, child->n_tour, child->length);
  sum->n_nodes += child->n_nodes;
  sum->n_jobs += child->n_jobs;
  satin_record_clear (&Found_record, child);
}

/* Returns: a copy of @sum with the shortest tour of the search */
static Found
finish (const Search *search, const Distances *distances, const Found *sum)
{
  Found found = *sum;
  const gint32 *tour = search_get_tour (search);
  if (tour != NULL)
    {
      found.n_tour = (gsize)distances->n_cities;
      found.tour = g_memdup2 (tour, found.n_tour * sizeof *tour);
      found.length = search_get_limit (search);
    }
  return found;
}

/* Returns: how many places, counted from the end, are searched next, at the same time: all places,
 * or if @is_waiting only those whose path is as long as the path of the last place */
static gsize
count_next (const Place *places, gsize n_places, gboolean is_waiting)
{
  gsize n = 1;
  while (n < n_places
         && (!is_waiting || places[n_places - n - 1].n_path == places[n_places - 1].n_path))
    n++;
  return n;
}

/* ---- jobs ---- */

/* A job reads the shared bound again after this many nodes of the search. */
#define SLICE_NODES 10

/* Returns: the greatest length of a tour that still counts: the value of @shortest. Tours of the
 * same length count, because the result that had this value may be lost. */
static gint32
cap_of (const SatinBound *shortest)
{
  SATIN_INJECT_BUG ("prune-ties", return (gint32)shortest->value - 1);
  return (gint32)shortest->value;
}

static gboolean
check_plan (const Plan *plan, gint32 limit, GError **error)
{
  return app_argument_check ("number of raises", plan->n_raises, 0, SEARCH_MAX_RAISES, error)
         && app_argument_check ("grain", plan->grain, 1, G_MAXINT, error)
         && app_argument_check ("limit", limit, 0, G_MAXINT32, error);
}

/* Searches tours that begin with @path and @city, and are shorter than @limit. If @shortest is not
 * 0, ignores tours that are longer than the value of that object. */
SATIN_TASK (find_tour, (record, Found), (record, distances, Distances), (record, plan, Plan),
            (object, shortest), (array_int, path), (int, city), (array_long, penalties),
            (int, limit))
{
  const Place place = { path, n_path, city, penalties };
  GError *error = NULL;
  if (shortest != 0 && SATIN_READ (satin_minimum, shortest) == NULL)
    app_argument_refuse ("the shortest length is not here", &error);
  if (error != NULL || !check_plan (&plan, limit, &error)
      || !search_check (&distances, &place, n_penalties, &error))
    {
      satin_fail (error);
      return (Found){ 0 };
    }
  g_autoptr (Search) search = search_new (&distances, &place, plan.n_raises, limit);
  Found sum = { .n_jobs = 1 };
  gboolean is_done = FALSE;
  while (!is_done && sum.n_nodes < plan.grain)
    {
      gint32 limit_before = search_get_limit (search);
      gint64 n_slice = MIN (SLICE_NODES, plan.grain - sum.n_nodes);
      if (shortest != 0)
        search_set_cap (search, cap_of (SATIN_READ (satin_minimum, shortest)));
      is_done = search_run (search, n_slice);
      satin_charge ((search_get_n_nodes (search) - sum.n_nodes) * plan.node_us * 1000);
      sum.n_nodes = search_get_n_nodes (search);
      if (shortest != 0 && search_get_limit (search) < limit_before)
        SATIN_UPDATE (shortest, satin_minimum, improve, search_get_limit (search), NULL, 0);
      satin_poll ();
    }
  if (is_done)
    return finish (search, &distances, &sum);

  gsize n_left;
  g_autofree Place *places = search_get_places (search, &n_left);
  g_autofree Found *found = g_new0 (Found, n_left);
  while (n_left > 0)
    {
      gsize end = n_left;
      n_left -= count_next (places, n_left, plan.is_waiting);
      for (gsize i = n_left; i < end; i++)
        SATIN_SPAWN (&found[i], find_tour, distances, plan, shortest, places[i].path,
                     places[i].n_path, places[i].city, places[i].penalties, n_penalties,
                     search_get_limit (search));
      gboolean is_well = SATIN_SYNC ();
      for (gsize i = n_left; i < end; i++)
        take (search, &sum, &found[i]);
      if (!is_well)
        return (Found){ 0 };
    }
  return finish (search, &distances, &sum);
}

/* ---- the root ---- */

static const gint64 no_penalties[INSTANCE_MAX_CITIES];

/* Begins the search through all tours, with a good first tour as the limit. */
static Search *
begin (const Settings *settings)
{
  const Distances *distances = &settings->instance->distances;
  const Place place = { .penalties = no_penalties };
  gint32 tour[INSTANCE_MAX_CITIES];
  gint32 length = first_tour_find (distances, settings->first_tour, tour);
  Search *search = search_new (distances, &place, settings->plan.n_raises, G_MAXINT32);
  search_add_tour (search, tour, (gsize)distances->n_cities, length);
  return search;
}

static void
print_time (const Settings *settings, const Found *sum, gint64 time_us)
{
  if (settings->common.is_sequential)
    {
      app_print_time ("tsp", time_us, 0, 0);
      g_printerr ("tsp: %" G_GINT64_FORMAT " nodes\n", sum->n_nodes);
      return;
    }
  gint64 started_us = g_get_monotonic_time ();
  g_autoptr (Search) again = begin (settings);
  search_run (again, G_MAXINT64);
  gint64 n_nodes = search_get_n_nodes (again);
  app_print_time ("tsp", time_us, sum->n_jobs, g_get_monotonic_time () - started_us);
  g_printerr ("tsp: %" G_GINT64_FORMAT " nodes, %.2f times sequential (%" G_GINT64_FORMAT ")\n",
              sum->n_nodes, (double)sum->n_nodes / (double)n_nodes, n_nodes);
}

static gboolean
print_result (const Settings *settings, const Search *search, AppOutput *picture, GError **error)
{
  const Distances *distances = &settings->instance->distances;
  gint32 length = search_get_limit (search), tour[INSTANCE_MAX_CITIES];
  memcpy (tour, search_get_tour (search), (gsize)distances->n_cities * sizeof *tour);
  if (!tour_check (distances, tour, length, error))
    return FALSE;
  g_print ("tsp: %s, %d cities, shortest tour %d\n", settings->instance->name, distances->n_cities,
           length);
  tour_turn (tour, distances->n_cities);
  if (settings->is_shown)
    {
      g_print ("tour:");
      for (gint32 i = 0; i < distances->n_cities; i++)
        g_print (" %d", tour[i] + 1);
      g_print ("\n");
    }
  return picture == NULL || tour_draw (settings->instance, tour, picture, error);
}

/* Reads all options and files, so that errors are found before work starts. */
static gboolean
prepare (const SatinString *argv, gsize n_argv, Settings *ret_settings, AppOutput **ret_picture,
         GError **error)
{
  if (!settings_read (argv, n_argv, ret_settings, error))
    return FALSE;
  if (ret_settings->picture == NULL || ret_settings->common.is_help)
    return TRUE;
  *ret_picture = app_output_open ("picture", ret_settings->picture, error);
  return *ret_picture != NULL;
}

SATIN_TASK (tsp_main, (int), (array_string, argv))
{
  g_auto (Settings) settings = { 0 };
  g_autoptr (AppOutput) picture = NULL;
  GError *error = NULL;
  if (!prepare (argv, n_argv, &settings, &picture, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (settings.common.is_help)
    return 0;

  Found found = { 0 }, sum = { 0 };
  gint64 started_us = g_get_monotonic_time ();
  g_autoptr (Search) search = begin (&settings);
  SatinObject shortest =
      settings.is_alone ? 0 : SATIN_NEW (satin_minimum, "tour", search_get_limit (search), NULL, 0);
  if (settings.common.is_sequential)
    search_run (search, G_MAXINT64);
  else
    SATIN_SPAWN (&found, find_tour, settings.instance->distances, settings.plan, shortest, NULL, 0,
                 0, no_penalties, (gsize)settings.instance->distances.n_cities,
                 search_get_limit (search));
  SATIN_SYNC_OR_RETURN (0);
  sum.n_nodes = search_get_n_nodes (search);
  take (search, &sum, &found);

  gint64 time_us = g_get_monotonic_time () - started_us;
  if (!print_result (&settings, search, picture, &error))
    satin_fail (error);
  else if (settings.common.is_timed)
    print_time (&settings, &sum, time_us);
  return 0;
}

int
main (int argc, char **argv)
{
  satin_argument_is_free ("--tour");
  satin_argument_is_free ("--svg=");
  return satin_main (argc, argv, tsp_main);
}
