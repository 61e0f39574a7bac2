/* othello.c - finds the value of an Othello position: a search of the game tree in parallel
 *
 * A job answers whether a position is worth a given score or more. One move that is good enough
 * decides the question, and that is often the first move. So the other moves wait for the first
 * ("young brothers wait"). If the first move does not decide, all others are tried in parallel. As
 * soon as one of them decides, it aborts the rest. Where no move is likely to decide, all moves are
 * tried in parallel from the beginning.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "../common/arguments.h"
#include "evaluate.h"
#include "positions.h"
#include "search.h"
#include "settings.h"
#include "solver.h"

/* If this many discs or fewer are left to set, a job searches the position in plain C, which takes
 * less than a millisecond. The grain of searches that end with estimates is smaller, because an
 * estimate costs more than the last discs of a game, and the trees are wider. */
#define GRAIN_EXACT    11
#define GRAIN_ESTIMATE 9

/**
 * SearchHow:
 * @grain: a job with this many discs to set, or fewer, searches in plain C; -1: GRAIN_EXACT or
 *   GRAIN_ESTIMATE
 * @table_mib: size of the process's table; 0: no table, or the shared one
 * @position_ns: how long a position takes in a simulation, nanoseconds
 * @n_elders: number of moves that are tried one after the other, before the rest; one less in
 *   positions where no move is likely to decide
 * @has_aborts: whether a move that decides the question aborts the jobs of the other moves
 */
SATIN_RECORD (SearchHow, (int, grain), (int, table_mib), (int, position_ns), (int, n_elders),
              (boolean, has_aborts))

/* The answer of a job. @bound: as search_bound() returns it; @n_positions, @n_jobs: how many
 * positions were searched, in how many jobs */
SATIN_RECORD (Answer, (int, bound), (long, n_positions), (long, n_jobs))

/**
 * Node:
 * @answer: the answer from the moves that have been tried so far
 * @square: the best of these moves
 * @beta: the question: whether the position is worth this or more
 * @moves: (borrowed): all moves
 * @answers: (borrowed): the answer of each move's own job
 *
 * The frame of a job that tries the moves of a position.
 */
typedef struct
{
  Answer answer;
  int square;
  int beta;
  gboolean has_aborts;
  const Move *moves;
  const Answer *answers;
} Node;

/* Adds the answer of one move's job. A move with which the position is worth beta or more decides
 * the question, so the jobs of the other moves are aborted. */
SATIN_INLET (take_answer, (Node, node), (Answer, child), error)
{
  Answer *answer = &node->answer;
  if (child == NULL)
    return;
  answer->n_positions += child->n_positions;
  answer->n_jobs += child->n_jobs;
  if (-child->bound > answer->bound)
    {
      answer->bound = -child->bound;
      node->square = node->moves[child - node->answers].square;
    }
  if (node->has_aborts && answer->bound >= node->beta)
    SATIN_ABORT_OTHERS ();
}

/* Lists the moves in the order in which they are tried. @squares: the moves; if there are none, the
 * only move is to pass */
static void
make_moves (const Board *board, guint64 squares, int first, Move *ret_moves)
{
  if (squares != 0)
    moves_order (board, squares, first, ret_moves);
  else
    *ret_moves = (Move){ .square = -1, .after = board_passed (board) };
}

/* Checks what a job gets. @state: (nullable): %NULL if this node does not have the object @table */
static gboolean
check_arguments (const Board *board, int depth, const SearchHow *how, SatinObject table,
                 const positions_state *state, GError **error)
{
  if ((board->mine & board->theirs) != 0)
    return app_argument_refuse ("two discs are on one square", error);
  if (table != 0 && state == NULL)
    return app_argument_refuse ("the shared table is not here", error);
  return app_argument_check ("depth", depth, 0, board_n_empty (board), error)
         && app_argument_check ("grain", how->grain, -1, BOARD_SQUARES, error)
         && app_argument_check ("size of the table", how->table_mib, 0, TABLE_MAX_MIB, error)
         && app_argument_check ("number of elders", how->n_elders, 1, MOVES_MAX, error);
}

static gboolean
open_table (const SearchHow *how, Search *ret_search, GError **error)
{
  *ret_search = (Search){ 0 };
  if (how->table_mib > 0)
    ret_search->table = table_of_process ((guint)how->table_mib, error);
  return how->table_mib == 0 || ret_search->table != NULL;
}

static int
grain_of (const SearchHow *how, const Board *board, int depth)
{
  if (how->grain >= 0)
    return how->grain;
  return depth == board_n_empty (board) ? GRAIN_EXACT : GRAIN_ESTIMATE;
}

static gboolean
is_over (const Board *board)
{
  Board passed = board_passed (board);
  return board_moves (board) == 0 && board_moves (&passed) == 0;
}

/* Answers without children: ended games and small depths by plain C, all others from the table.
 * Returns: %FALSE if children are needed */
static gboolean
answer_alone (Search *search, const Board *board, const SearchHow *how, int depth, int beta,
              TableEntry *ret_entry, Answer *answer)
{
  if (depth > grain_of (how, board, depth) && !is_over (board))
    return search_known (search, board, depth, beta, ret_entry, &answer->bound);
  answer->bound = search_bound (search, board, depth, beta);
  answer->n_positions = search->n_positions;
  return TRUE;
}

/* Answers whether the position is worth @beta or more. @depth: as for search_bound(). @is_all: no
 * move is likely to decide, so all must be tried. This alternates from position to position: if a
 * move decides the question, then in the position after that move no move may be good enough. */
SATIN_TASK (othello, (record, Answer), (object, table), (long, mine), (long, theirs), (int, depth),
            (int, beta), (boolean, is_all), (record, how, SearchHow))
{
  const Board board = { (guint64)mine, (guint64)theirs };
  Answer answer = { .bound = -BOARD_SQUARES - 1, .n_positions = 1, .n_jobs = 1 };
  TableEntry entry;
  Search search;
  GError *error = NULL;
  const positions_state *state = table != 0 ? SATIN_READ (positions, table) : NULL;
  if (!check_arguments (&board, depth, &how, table, state, &error)
      || !app_argument_check ("score", beta, 1 - BOARD_SQUARES, BOARD_SQUARES, &error)
      || !open_table (&how, &search, &error))
    {
      satin_fail (error);
      return answer;
    }
  if (table != 0)
    search.table = state->table;
  gboolean is_answered = answer_alone (&search, &board, &how, depth, beta, &entry, &answer);
  satin_charge (answer.n_positions * how.position_ns);
  if (is_answered)
    return answer;

  guint64 squares = board_moves (&board);
  const int n = MAX (board_count (squares), 1);
  Move moves[n];
  Answer answers[n];
  Node node = { answer, -1, beta, how.has_aborts, moves, answers };
  make_moves (&board, squares, entry.move, moves);
  int n_elders = MIN (how.n_elders - (is_all ? 1 : 0), n);
  for (int begin = 0, end = n_elders > 0 ? 1 : n; begin < n && node.answer.bound < beta;
       begin = end, end = end < n_elders ? end + 1 : n)
    {
      /* The sync runs the newest job first, so the best move is spawned last. */
      for (int i = end - 1; i >= begin; i--)
        SATIN_SPAWN_INLET (&answers[i], take_answer, &node, othello, table,
                           (gint64)moves[i].after.mine, (gint64)moves[i].after.theirs,
                           depth - (squares != 0), 1 - beta, !is_all && i < n_elders, how);
      SATIN_SYNC_OR_RETURN (node.answer);
    }
  /* A state that was read before a sync may not be used after it. */
  if (table != 0)
    search.table = SATIN_READ (positions, table)->table;
  search_learn (&search, &board, &entry, beta, node.answer.bound, node.square);
  if (table != 0)
    {
      const Finding finding = finding_new (&board, &entry);
      SATIN_UPDATE (table, positions, learn, &finding, 1);
    }
  return node.answer;
}

/* The value of a position and its best move. @square: as Solver.square */
SATIN_RECORD (Solution, (int, value), (int, square), (long, n_positions), (long, n_jobs))

SATIN_TASK (othello_solve, (record, Solution), (object, table), (long, mine), (long, theirs),
            (int, depth), (boolean, is_move_wanted), (record, how, SearchHow))
{
  const Board board = { (guint64)mine, (guint64)theirs };
  Solution solution = { .n_jobs = 1 };
  Question question;
  Answer answer;
  Solver solver;
  GError *error = NULL;
  const positions_state *state = table != 0 ? SATIN_READ (positions, table) : NULL;
  if (!check_arguments (&board, depth, &how, table, state, &error))
    {
      satin_fail (error);
      return solution;
    }
  solver_begin (&solver, &board, depth, is_move_wanted);
  while (solver_ask (&solver, &question))
    {
      SATIN_SPAWN (&answer, othello, table, (gint64)question.board.mine,
                   (gint64)question.board.theirs, question.depth, question.beta, FALSE, how);
      SATIN_SYNC_OR_RETURN (solution);
      solution.n_positions += answer.n_positions;
      solution.n_jobs += answer.n_jobs;
      solver_take (&solver, answer.bound);
    }
  solution.value = solver.value;
  solution.square = solver.square;
  return solution;
}

/* Like othello_solve(), but in plain C. @round: number of the position in its file, for
 * table_store() */
static gboolean
solve_alone (const Board *board, int depth, gboolean is_move_wanted, const SearchHow *how,
             guint round, Solution *ret_solution, GError **error)
{
  Question question;
  Solver solver;
  Search search;
  if (!open_table (how, &search, error))
    return FALSE;
  search.round = (guint8)round;
  solver_begin (&solver, board, depth, is_move_wanted);
  while (solver_ask (&solver, &question))
    solver_take (&solver, search_bound (&search, &question.board, question.depth, question.beta));
  *ret_solution = (Solution){ solver.value, solver.square, search.n_positions, 0 };
  return TRUE;
}

/* ---- the root ---- */

/* Returns: how many discs ahead to search the position */
static int
depth_of (const Settings *settings, const Board *board)
{
  int n_empty = board_n_empty (board);
  return settings->depth > 0 ? MIN (settings->depth, n_empty) : n_empty;
}

static SearchHow
how_to_search (const Settings *settings)
{
  return (SearchHow){ settings->grain, settings->table_mib, settings->position_ns,
                      settings->n_elders, settings->has_aborts };
}

static void
print_solution (const Settings *settings, const Position *position, const Solution *solution)
{
  int depth = depth_of (settings, &position->board);
  g_print ("othello(%s", position->name);
  if (depth < board_n_empty (&position->board))
    g_print (", depth %d", depth);
  g_print (") = %+d", solution->value);
  if (!settings->is_score_only)
    {
      char square[SQUARE_TEXT_BYTES];
      square_to_text (solution->square, square);
      g_print (", %s", square);
    }
  g_print ("\n");
}

static void
print_all (const Settings *settings, const Solution *solutions, gint64 time_us)
{
  gint64 n_positions = 0, n_jobs = 0;
  for (guint i = 0; i < settings->positions->len; i++)
    {
      print_solution (settings, g_ptr_array_index (settings->positions, i), &solutions[i]);
      n_positions += solutions[i].n_positions;
      n_jobs += solutions[i].n_jobs;
    }
  if (!settings->common.is_timed)
    return;
  app_print_time ("othello", time_us, 0, 0);
  g_printerr ("othello: %" G_GINT64_FORMAT " positions in %" G_GINT64_FORMAT " jobs\n", n_positions,
              n_jobs);
}

SATIN_TASK (othello_main, (int), (array_string, argv))
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

  SatinObject table = 0;
  if (settings.is_table_shared && !settings.common.is_sequential)
    table = SATIN_NEW (positions, "positions", settings.table_mib);
  g_autofree Solution *solutions = g_new0 (Solution, settings.positions->len);
  gint64 started_us = g_get_monotonic_time ();
  for (guint i = 0; i < settings.positions->len; i++)
    {
      const Position *position = g_ptr_array_index (settings.positions, i);
      const Board *board = &position->board;
      SearchHow how = how_to_search (&settings);
      how.table_mib = table != 0 ? 0 : how.table_mib;
      int depth = depth_of (&settings, board);
      if (!settings.common.is_sequential)
        SATIN_SPAWN (&solutions[i], othello_solve, table, (gint64)board->mine,
                     (gint64)board->theirs, depth, !settings.is_score_only, how);
      else if (solve_alone (board, depth, !settings.is_score_only, &how, i, &solutions[i], &error))
        satin_charge (solutions[i].n_positions * how.position_ns);
      else
        satin_fail (error);
    }
  if (SATIN_SYNC ())
    print_all (&settings, solutions, g_get_monotonic_time () - started_us);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, othello_main);
}
