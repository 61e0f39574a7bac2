/* maxclique.c - finds the largest clique of a graph: a search that divides when it gets long
 *
 * A job searches a number of nodes of the search tree (search.h). If the search has not ended then,
 * the job spawns a child for each place where the search would continue. The places have no cliques
 * in common.
 *
 * The largest clique so far is a shared object, with its vertices. A job reads that clique, and
 * looks only for larger cliques. If it finds none, the clique that it read is its result. So the
 * largest clique reaches the root even if the process that found it is lost, and however late other
 * processes hear of it. A job that skips a place has a clique in its result that is at least as
 * large as any in that place.
 *
 * The graph is a shared object, too, which nobody changes. So a process fetches it once, and not
 * with each job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <satin/so.h>

#include <stdlib.h>

#include "../common/arguments.h"
#include "search.h"
#include "settings.h"

/**
 * Found:
 * @clique: (owned): the largest clique; empty when none is larger than the limit
 * @n_nodes: number of nodes of the search tree that were searched
 * @n_jobs: number of jobs that searched them
 *
 * The result of a job.
 */
SATIN_RECORD (Found, (array_int, clique), (long, n_nodes), (long, n_jobs))

/* The graph of the run, with its vertices in the order of the search. */
SATIN_OBJECT_TYPE (input, (record, graph, Graph))

/* ---- the shared clique ---- */

/* The witness of a clique has two bytes for each vertex, the lower one first. */
#define VERTEX_BYTES 2

/* Tells @search of the clique in @largest, if that clique is larger than the search's own. */
static void
learn (Search *search, const SatinBound *largest)
{
  gsize n = largest->n_witness / VERTEX_BYTES;
  if (largest->value <= search_get_size (search))
    return;
  g_autofree gint32 *clique = g_new (gint32, n);
  for (gsize i = 0; i < n; i++)
    clique[i] = largest->witness[VERTEX_BYTES * i] + (largest->witness[VERTEX_BYTES * i + 1] << 8);
  search_add_clique (search, clique, n);
}

/* Returns: (transfer full) (array length=ret_n): the clique of @search as a witness */
static guint8 *
make_witness (const Search *search, gsize *ret_n)
{
  const gint32 *clique = search_get_clique (search);
  gsize size = (gsize)search_get_size (search);
  guint8 *witness = g_new (guint8, VERTEX_BYTES * size);
  for (gsize i = 0; i < size; i++)
    {
      witness[VERTEX_BYTES * i] = (guint8)(clique[i] & 0xff);
      witness[VERTEX_BYTES * i + 1] = (guint8)(clique[i] >> 8);
    }
  *ret_n = VERTEX_BYTES * size;
  return witness;
}

/* ---- jobs ---- */

/* A job reads the shared clique again after this many nodes of the search tree. */
#define SLICE_NODES 50

/* Checks what a job got, perhaps from another node. @graph: (nullable): %NULL when this node does
 * not have the object, or the object is no graph. @has_largest: this node has the shared clique, or
 * the job uses none */
static gboolean
check_arguments (const Plan *plan, const Graph *graph, gboolean has_largest, const Place *place,
                 gsize n_candidates, int limit, GError **error)
{
  if (graph == NULL || !has_largest)
    return app_argument_refuse ("an object is not here", error);
  return app_argument_check ("grain", plan->grain, 1, G_MAXINT, error)
         && app_argument_check ("time of a node", plan->node_us, 0, G_USEC_PER_SEC, error)
         && search_check (graph, place, n_candidates, limit, error);
}

/* Adds the result of a child job to @search and @sum, and clears @child. */
static void
take (Search *search, Found *sum, Found *child)
{
  search_add_clique (search, child->clique, child->n_clique);
  sum->n_nodes += child->n_nodes;
  sum->n_jobs += child->n_jobs;
  satin_record_clear (&Found_record, child);
}

/* Returns: a copy of @sum with the largest clique of the search */
static Found
finish (const Search *search, const Found *sum)
{
  Found found = *sum;
  const gint32 *clique = search_get_clique (search);
  if (clique != NULL)
    {
      found.n_clique = (gsize)search_get_size (search);
      found.clique = g_memdup2 (clique, found.n_clique * sizeof *clique);
    }
  return found;
}

/* Searches cliques of @graph that have the vertices @clique and some of @candidates, and are larger
 * than @limit. If @largest is not 0, it is the shared object with the largest clique so far. */
SATIN_TASK (find_clique, (record, Found), (object, graph), (object, largest), (record, plan, Plan),
            (array_int, clique), (array_long, candidates), (int, limit))
{
  const Place place = { clique, n_clique, candidates };
  const input_state *state = SATIN_READ (input, graph);
  GError *error = NULL;
  if (!check_arguments (&plan, state != NULL ? &state->graph : NULL,
                        largest == 0 || SATIN_READ (satin_maximum, largest) != NULL, &place,
                        n_candidates, limit, &error))
    {
      satin_fail (error);
      return (Found){ 0 };
    }
  g_autoptr (Search) search = search_new (&state->graph, &place, limit);
  Found sum = { .n_jobs = 1 };
  gboolean is_done = FALSE;
  while (!is_done && sum.n_nodes < plan.grain)
    {
      if (largest != 0)
        learn (search, SATIN_READ (satin_maximum, largest));
      int size = search_get_size (search);
      is_done = search_run (search, MIN (SLICE_NODES, plan.grain - sum.n_nodes));
      satin_charge ((search_get_n_nodes (search) - sum.n_nodes) * plan.node_us * 1000);
      sum.n_nodes = search_get_n_nodes (search);
      if (largest != 0 && search_get_size (search) > size)
        {
          gsize n_witness;
          g_autofree guint8 *witness = make_witness (search, &n_witness);
          SATIN_UPDATE (largest, satin_maximum, improve, search_get_size (search), witness,
                        n_witness);
        }
      satin_poll ();
      search_set_graph (search, &SATIN_READ (input, graph)->graph);
    }
  if (is_done)
    return finish (search, &sum);

  gsize n;
  g_autofree Place *places = search_get_places (search, &n);
  g_autofree Found *found = g_new0 (Found, n);
  for (gsize i = 0; i < n; i++)
    SATIN_SPAWN (&found[i], find_clique, graph, largest, plan, places[i].clique, places[i].n_clique,
                 places[i].candidates, n_candidates, search_get_size (search));
  gboolean is_well = SATIN_SYNC ();
  search_set_graph (search, &SATIN_READ (input, graph)->graph);
  for (gsize i = 0; i < n; i++)
    take (search, &sum, &found[i]);
  return is_well ? finish (search, &sum) : (Found){ 0 };
}

/* ---- the root ---- */

/* The graph in the order of the search, and all that is found in it. */
typedef struct
{
  Graph graph;    /* (owned) */
  gint32 *names;  /* (owned): for each vertex its number in the user's graph, from 0 */
  Search *search; /* (owned): of all cliques; it has found a first clique */
  Found sum;
} Hunt;

static void
hunt_init (Hunt *self, const Graph *graph)
{
  g_autofree gint32 *clique = g_new (gint32, (gsize)graph->n_vertices);
  *self = (Hunt){ .names = g_new (gint32, (gsize)graph->n_vertices) };
  graph_order (graph, self->names, &self->graph);
  self->search = search_new (&self->graph, NULL, 0);
  search_add_clique (self->search, clique, (gsize)graph_find_first_clique (&self->graph, clique));
}

static void
hunt_clear (Hunt *self)
{
  g_clear_pointer (&self->search, search_free);
  satin_record_clear (&Graph_record, &self->graph);
  g_free (self->names);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Hunt, hunt_clear)

/* For a second search of the same graph, without jobs. @n_nodes: nodes of its search tree */
typedef struct
{
  const Graph *graph;
  gint64 n_nodes;
} Again;

static void
search_again (gpointer user_data)
{
  Again *again = user_data;
  g_auto (Hunt) hunt;
  hunt_init (&hunt, again->graph);
  search_run (hunt.search, G_MAXINT64);
  again->n_nodes = search_get_n_nodes (hunt.search);
}

static void
print_time (const Settings *settings, const Found *sum, gint64 time_us)
{
  Again again = { .graph = &settings->graph };
  app_report_time (&settings->common, "maxclique", time_us, sum->n_jobs, search_again, &again);
  if (settings->common.is_timed && settings->common.is_sequential)
    g_printerr ("maxclique: %" G_GINT64_FORMAT " nodes\n", sum->n_nodes);
  else if (settings->common.is_timed)
    g_printerr ("maxclique: %" G_GINT64_FORMAT " nodes, %.2f times sequential (%" G_GINT64_FORMAT
                ")\n",
                sum->n_nodes, (double)sum->n_nodes / (double)MAX (again.n_nodes, 1), again.n_nodes);
}

static int
compare_vertices (gconstpointer a, gconstpointer b)
{
  return *(const gint32 *)a - *(const gint32 *)b;
}

/* Prints the result, after it has checked the clique in the graph as it was given. */
static gboolean
print_result (const Settings *settings, const Hunt *hunt, GError **error)
{
  int size = search_get_size (hunt->search);
  g_autofree gint32 *vertices = g_new (gint32, (gsize)size);
  for (int i = 0; i < size; i++)
    vertices[i] = hunt->names[search_get_clique (hunt->search)[i]];
  if (size == 0 || !graph_is_clique (&settings->graph, vertices, (gsize)size))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_JOB,
                           "the vertices that were found are not a clique of the graph");
      return FALSE;
    }
  g_print ("maxclique: %s, %d vertices, %" G_GINT64_FORMAT " edges, largest clique %d\n",
           settings->name, settings->graph.n_vertices, graph_count_edges (&settings->graph), size);
  if (!settings->is_shown)
    return TRUE;
  qsort (vertices, (gsize)size, sizeof *vertices, compare_vertices);
  g_print ("clique:");
  for (int i = 0; i < size; i++)
    g_print (" %d", vertices[i] + 1);
  g_print ("\n");
  return TRUE;
}

SATIN_TASK (maxclique_main, (int), (array_string, argv))
{
  g_auto (Settings) settings = { 0 };
  GError *error = NULL;
  if (!settings_read (argv, n_argv, &settings, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (settings.common.is_help)
    return 0;

  g_auto (Hunt) hunt;
  Found found = { 0 };
  gint64 started_us = g_get_monotonic_time ();
  hunt_init (&hunt, &settings.graph);
  SatinObject graph = SATIN_NEW (input, "graph", hunt.graph);
  SatinObject largest = settings.is_alone ? 0 : SATIN_NEW (satin_maximum, "clique", 0, NULL, 0);
  gsize n_places;
  g_autofree Place *all = search_get_places (hunt.search, &n_places);
  if (settings.common.is_sequential)
    search_run (hunt.search, G_MAXINT64);
  else if (n_places > 0)
    SATIN_SPAWN (&found, find_clique, graph, largest, settings.plan, all->clique, all->n_clique,
                 all->candidates, (gsize)graph_n_words (&hunt.graph),
                 search_get_size (hunt.search));
  SATIN_SYNC_OR_RETURN (0);
  hunt.sum.n_nodes = search_get_n_nodes (hunt.search);
  take (hunt.search, &hunt.sum, &found);

  gint64 time_us = g_get_monotonic_time () - started_us;
  if (!print_result (&settings, &hunt, &error))
    satin_fail (error);
  else
    print_time (&settings, &hunt.sum, time_us);
  return 0;
}

int
main (int argc, char **argv)
{
  satin_argument_is_free ("--clique");
  return satin_main (argc, argv, maxclique_main);
}
