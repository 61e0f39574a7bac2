/* grammar.c - finds a smallest automaton that fits to a sample: searches that divide when they get
 * long
 *
 * The root searches for automata with one state, then with two, and so on. The first search that
 * finds one has found a smallest one. A job searches a number of nodes of the search tree
 * (search.h). If the search has not ended then, the job spawns a child for each place where the
 * search would continue.
 *
 * The smallest number of states so far is a shared object, with the automaton. A job that reads an
 * automaton there has nothing left to do: no search of the same size can find a better one. The
 * automaton that it read is its result. So the automaton reaches the root even if the process that
 * found it is lost.
 *
 * The prefix tree of the strings is a shared object, too, which nobody changes. So a process
 * fetches it once, and not with each job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <satin/so.h>

#include "../common/arguments.h"
#include "search.h"
#include "settings.h"

/**
 * Found:
 * @rows: (owned): the automaton; empty when there is none
 * @n_nodes: number of nodes of the search tree that were searched
 * @n_jobs: number of jobs that searched them
 *
 * The result of a job.
 */
SATIN_RECORD (Found, (bytes, rows), (long, n_nodes), (long, n_jobs))

/* The prefix tree of the run. */
SATIN_OBJECT_TYPE (input, (record, tree, Tree))

/* ---- jobs ---- */

/* A job reads the shared automaton again after this many nodes of the search tree. */
#define SLICE_NODES 10

/* Makes the automaton of @smallest the result, if it has @limit states or fewer and @found has
 * none. Returns: whether @found has an automaton */
static gboolean
learn (Found *found, const SatinBound *smallest, int limit)
{
  if (found->n_rows == 0 && smallest != NULL && smallest->value <= limit && smallest->n_witness > 0)
    {
      found->n_rows = smallest->n_witness;
      found->rows = g_memdup2 (smallest->witness, smallest->n_witness);
    }
  return found->n_rows > 0;
}

/* Adds the result of a child job to @sum, and clears @child. */
static void
take (Found *sum, Found *child)
{
  sum->n_nodes += child->n_nodes;
  sum->n_jobs += child->n_jobs;
  if (sum->n_rows == 0)
    {
      sum->rows = g_steal_pointer (&child->rows);
      sum->n_rows = child->n_rows;
      child->n_rows = 0;
    }
  satin_record_clear (&Found_record, child);
}

/* @state: (nullable): %NULL when this node does not have the object, or it is no tree. Returns:
 * (nullable) (transfer full): the search of a job; %NULL when an argument is wrong */
static Search *
begin (const input_state *state, gboolean has_smallest, int grain, int limit, const Place *place,
       GError **error)
{
  if (state == NULL || !has_smallest)
    {
      app_argument_refuse ("an object is not here", error);
      return NULL;
    }
  if (!app_argument_check ("grain", grain, 1, G_MAXINT, error) || !tree_check (&state->tree, error))
    return NULL;
  return search_new (&state->tree, limit, place, error);
}

/* Copies the automaton of the search, if there is one, to @found. Returns: whether there is one */
static gboolean
keep (const Search *search, Found *found)
{
  gsize n;
  const guint8 *rows = search_get_automaton (search, &n);
  if (rows != NULL)
    {
      found->rows = g_memdup2 (rows, n);
      found->n_rows = n;
    }
  return rows != NULL;
}

/* Searches automata with up to @limit states at a place, which @decisions and @next describe.
 * @smallest: the shared object with the smallest automaton so far */
SATIN_TASK (find_automaton, (record, Found), (object, input), (object, smallest), (int, grain),
            (int, limit), (array_record, decisions, Decision), (int, next))
{
  /* The cast is safe, because the search only reads the decisions. */
  const Place place = { (Decision *)decisions, n_decisions, next };
  Found sum = { .n_jobs = 1 };
  GError *error = NULL;
  const SatinBound *bound = SATIN_READ (satin_minimum, smallest);
  g_autoptr (Search) search =
      begin (SATIN_READ (input, input), bound != NULL, grain, limit, &place, &error);
  if (search == NULL)
    {
      satin_fail (error);
      return sum;
    }
  gboolean is_done = FALSE;
  while (!is_done && sum.n_nodes < grain)
    {
      if (learn (&sum, SATIN_READ (satin_minimum, smallest), limit))
        return sum;
      is_done = search_run (search, MIN (SLICE_NODES, grain - sum.n_nodes));
      sum.n_nodes = search_get_n_nodes (search);
      satin_poll ();
    }
  if (keep (search, &sum))
    SATIN_UPDATE (smallest, satin_minimum, improve, limit, sum.rows, sum.n_rows);
  if (is_done)
    return sum;

  gsize n;
  Place *places = search_list_places (search, &n);
  g_autofree Found *found = g_new0 (Found, n);
  for (gsize i = 0; i < n; i++)
    SATIN_SPAWN (&found[i], find_automaton, input, smallest, grain, limit, places[i].decisions,
                 places[i].n_decisions, places[i].next);
  SATIN_SYNC ();
  search_free_places (places, n);
  for (gsize i = 0; i < n; i++)
    take (&sum, &found[i]);
  return sum;
}

/* ---- the root ---- */

/* Searches automata with @limit states in plain C, and adds what is found to @sum. */
static void
search_alone (const Tree *tree, int limit, Found *sum)
{
  g_autoptr (Search) search = search_new (tree, limit, NULL, NULL);
  search_run (search, G_MAXINT64);
  keep (search, sum);
  sum->n_nodes += search_get_n_nodes (search);
}

/* For a second search without jobs. @n_nodes: nodes of its search tree */
typedef struct
{
  const Tree *tree;
  gint64 n_nodes;
} Again;

static void
search_again (gpointer user_data)
{
  Again *again = user_data;
  Found sum = { 0 };
  for (int limit = 1; limit <= AUTOMATON_MAX_STATES && sum.n_rows == 0; limit++)
    search_alone (again->tree, limit, &sum);
  again->n_nodes = sum.n_nodes;
  satin_record_clear (&Found_record, &sum);
}

static void
print_time (const Settings *settings, const Found *sum, gint64 time_us)
{
  Again again = { &settings->tree, 0 };
  app_report_time (&settings->common, "grammar", time_us, sum->n_jobs, search_again, &again);
  if (settings->common.is_timed && settings->common.is_sequential)
    g_printerr ("grammar: %" G_GINT64_FORMAT " nodes\n", sum->n_nodes);
  else if (settings->common.is_timed)
    g_printerr ("grammar: %" G_GINT64_FORMAT " nodes, %.2f times sequential (%" G_GINT64_FORMAT
                ")\n",
                sum->n_nodes, (double)sum->n_nodes / (double)MAX (again.n_nodes, 1), again.n_nodes);
}

/* Prints the result, after it has checked the automaton with all strings. @limit: number of states
 * that the automaton must have */
static gboolean
print_result (const Settings *settings, const Found *found, int limit, GError **error)
{
  const Sample *sample = &settings->sample;
  int n_states = automaton_check (found->rows, found->n_rows, sample->n_letters);
  if (n_states != limit || !automaton_fits (found->rows, sample))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_JOB,
                           "the automaton that was found does not fit to the strings");
      return FALSE;
    }
  g_print ("grammar: %s, %" G_GSIZE_FORMAT " strings, %" G_GSIZE_FORMAT
           " accepted, smallest automaton %d states\n",
           settings->name, sample->n_lengths, sample_count_accepted (sample), n_states);
  if (settings->is_shown)
    {
      g_autofree guint8 *rows = g_memdup2 (found->rows, found->n_rows);
      automaton_sort (rows, n_states, sample->n_letters);
      g_autofree char *text = automaton_to_text (rows, n_states, sample->n_letters);
      g_print ("%s", text);
    }
  return TRUE;
}

SATIN_TASK (grammar_main, (int), (array_string, argv))
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

  Found sum = { 0 };
  gint64 started_us = g_get_monotonic_time ();
  SatinObject input = SATIN_NEW (input, "tree", settings.tree);
  SatinObject smallest = SATIN_NEW (satin_minimum, "automaton", G_MAXINT64, NULL, 0);
  int limit = 0;
  while (sum.n_rows == 0 && limit < AUTOMATON_MAX_STATES)
    {
      Found found = { 0 };
      limit++;
      if (settings.common.is_sequential)
        search_alone (&settings.tree, limit, &found);
      else
        SATIN_SPAWN (&found, find_automaton, input, smallest, settings.grain, limit, NULL, 0, 0);
      SATIN_SYNC_OR_RETURN (0);
      take (&sum, &found);
    }
  if (sum.n_rows == 0)
    g_set_error (&error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                 "no automaton with up to %d states fits to the strings", AUTOMATON_MAX_STATES);

  gint64 time_us = g_get_monotonic_time () - started_us;
  if (error != NULL || !print_result (&settings, &sum, limit, &error))
    satin_fail (error);
  else
    print_time (&settings, &sum, time_us);
  satin_record_clear (&Found_record, &sum);
  return 0;
}

int
main (int argc, char **argv)
{
  satin_argument_is_free ("--automaton");
  return satin_main (argc, argv, grammar_main);
}
