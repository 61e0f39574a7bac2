/* ida.c - solves the 15-puzzle by IDA*, with the fewest moves
 *
 * The root searches for solutions with as many moves as the distance of the position (puzzle.h),
 * then with two more moves, and so on. Each of these iterations is a tree search: a job is a
 * position, and spawns a job for each move. An iteration finds all solutions of its length, so its
 * result does not depend on which job ends first.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "../common/arguments.h"
#include "../common/options.h"
#include "puzzle.h"

/* The first DEFAULT_THRESHOLD moves make jobs, unless --threshold is given. */
#define DEFAULT_THRESHOLD 14

/**
 * Count:
 * @n_solutions: number of solutions
 * @n_nodes: number of positions that were searched
 * @n_jobs: number of jobs that searched them
 */
SATIN_RECORD (Count, (long, n_solutions), (long, n_nodes), (long, n_jobs))

/* Counts the solutions of @position with @n_moves moves. The first @n_levels moves make jobs. */
SATIN_TASK (solve, (record, Count), (record, position, Position), (int, n_moves), (int, n_levels))
{
  Count count = { .n_jobs = 1 };
  GError *error = NULL;
  if (!position_check (&position, &error)
      || !app_argument_check ("number of moves", n_moves, 0, PUZZLE_MAX_MOVES, &error)
      || !app_argument_check ("number of levels", n_levels, 0, G_MAXINT, &error))
    {
      satin_fail (error);
      return count;
    }
  if (n_levels == 0 || n_moves == 0)
    {
      count.n_solutions = position_count (&position, n_moves, &count.n_nodes);
      return count;
    }
  Count counts[PUZZLE_N_DIRECTIONS];
  int n = 0;
  for (int direction = 0; direction < PUZZLE_N_DIRECTIONS; direction++)
    {
      Position next;
      if (position_move (&position, direction, &next) && next.distance < n_moves)
        SATIN_SPAWN (&counts[n++], solve, next, n_moves - 1, n_levels - 1);
    }
  SATIN_SYNC_OR_RETURN (count);
  count.n_nodes = 1;
  for (int i = 0; i < n; i++)
    {
      count.n_solutions += counts[i].n_solutions;
      count.n_nodes += counts[i].n_nodes;
      count.n_jobs += counts[i].n_jobs;
    }
  return count;
}

/* ---- the command line ---- */

typedef struct
{
  AppOptions common;
  Position position;
  int threshold;
} IdaOptions;

static gboolean
read_options (const SatinString *argv, gsize n_argv, IdaOptions *options, GError **error)
{
  const AppNumber numbers[] = {
    { "threshold", "The first N moves make jobs", 0, G_MAXINT, DEFAULT_THRESHOLD,
      &options->threshold },
    APP_NUMBER_NULL,
  };
  const AppUsage usage = { "TILES",
                           "Counts the shortest solutions of the 15-puzzle. TILES are the tiles of "
                           "all cells\nwith commas, 0 for the gap, or korf:N for one of Korf's "
                           "positions. Example:\n"
                           "  ida 14,1,9,6,4,8,12,5,7,2,3,0,10,11,13,15",
                           .numbers = numbers };
  g_autofree char *operand = NULL;
  return app_options_parse (&usage, argv, n_argv, &options->common, &operand, error)
         && (options->common.is_help
             || position_parse (operand != NULL ? operand : "", &options->position, error));
}

/* What is searched again in plain C: all iterations up to @n_moves moves. */
typedef struct
{
  const Position *position;
  int n_moves;
} Again;

static void
search_again (gpointer user_data)
{
  const Again *again = user_data;
  gint64 n_nodes = 0;
  for (int n = again->position->distance; n <= again->n_moves; n += 2)
    position_count (again->position, n, &n_nodes);
}

static void
print_time (const IdaOptions *options, int n_moves, const Count *sum, gint64 time_us)
{
  Again again = { &options->position, n_moves };
  app_report_time (&options->common, "ida", time_us, sum->n_jobs, search_again, &again);
  if (options->common.is_timed)
    g_printerr ("ida: %" G_GINT64_FORMAT " nodes\n", sum->n_nodes);
}

SATIN_TASK (ida_main, (int), (array_string, argv))
{
  IdaOptions options = { 0 };
  GError *error = NULL;
  if (!read_options (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;

  Count sum = { 0 };
  gint64 started_us = g_get_monotonic_time ();
  /* A move changes the distance by one, so the lengths of all solutions are odd, or all even. */
  int n_moves = options.position.distance;
  for (;; n_moves += 2)
    {
      Count count = { 0 };
      if (options.common.is_sequential)
        count.n_solutions = position_count (&options.position, n_moves, &count.n_nodes);
      else
        SATIN_SPAWN (&count, solve, options.position, n_moves, options.threshold);
      SATIN_SYNC_OR_RETURN (0);
      sum.n_nodes += count.n_nodes;
      sum.n_jobs += count.n_jobs;
      sum.n_solutions = count.n_solutions;
      if (sum.n_solutions > 0)
        break;
    }

  gint64 time_us = g_get_monotonic_time () - started_us;
  g_print ("ida: %d moves, %" G_GINT64_FORMAT " shortest solutions\n", n_moves, sum.n_solutions);
  print_time (&options, n_moves, &sum, time_us);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, ida_main);
}
