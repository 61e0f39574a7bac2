/* test-search.c - tests bounds and values of positions, with a search of all moves as reference
 *
 * The process tests search published positions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plain.h"
#include "othello/search.h"
#include "othello/solver.h"

/* Asks for all bounds near the value. So the table often knows a part of the answer already. */
static void
assert_bounds_hold (Search *search, const Board *board, int depth)
{
  int value = plain_value (board, depth);
  for (int beta = MAX (value - 3, -63); beta <= MIN (value + 4, 64); beta++)
    {
      int bound = search_bound (search, board, depth, beta);
      if (value >= beta)
        {
          g_assert_cmpint (bound, >=, beta);
          g_assert_cmpint (bound, <=, value);
        }
      else
        {
          g_assert_cmpint (bound, <, beta);
          g_assert_cmpint (bound, >=, value);
        }
    }
}

static void
assert_bounds_hold_everywhere (Table *table, int min_empty, int max_empty, int distance)
{
  Search search = { .table = table };
  for (guint i = 0; i < 20; i++)
    {
      int n_empty = g_test_rand_int_range (min_empty, max_empty + 1);
      Board board = position_random (n_empty, (guint32)g_test_rand_int ());
      assert_bounds_hold (&search, &board, n_empty - distance);
    }
}

static void
test_scores_are_those_of_trying_all (void)
{
  assert_bounds_hold_everywhere (NULL, 1, 7, 0);
}

static void
test_a_table_changes_no_score (void)
{
  g_autoptr (Table) table = table_new (1, NULL);
  assert_bounds_hold_everywhere (table, 7, 8, 0);
}

static void
test_estimates_are_those_of_trying_all (void)
{
  g_autoptr (Table) table = table_new (1, NULL);
  assert_bounds_hold_everywhere (NULL, 20, 24, 19);
  assert_bounds_hold_everywhere (table, 20, 21, 17);
}

/* Bounds of one depth must not be used for another depth. */
static void
test_depths_are_kept_apart (void)
{
  g_autoptr (Table) table = table_new (1, NULL);
  Search search = { .table = table };
  for (guint i = 0; i < 20; i++)
    {
      Board board = position_random (7, (guint32)g_test_rand_int ());
      for (int depth = 2; depth <= 7; depth++)
        assert_bounds_hold (&search, &board, depth);
    }
}

static void
test_what_is_known_need_not_be_searched (void)
{
  g_autoptr (Table) table = table_new (1, NULL);
  Search search = { .table = table };
  Board board = position_random (9, 3);
  int bound = search_bound (&search, &board, 9, 1), known = 0;
  TableEntry entry;
  g_assert_true (search_known (&search, &board, 9, 1, &entry, &known));
  g_assert_cmpint (known, ==, bound);
  g_assert_false (search_known (&search, &board, 8, 1, &entry, &known));
  g_assert_cmpint (entry.move, >=, 0);
  g_assert_cmpint (entry.lower, ==, -64);
}

static void
test_an_estimate_looks_the_same_from_both_sides (void)
{
  for (guint i = 0; i < 100; i++)
    {
      Board board = position_random (g_test_rand_int_range (1, 61), (guint32)g_test_rand_int ());
      Board passed = board_passed (&board);
      g_assert_cmpint (evaluate (&board), ==, -evaluate (&passed));
    }
}

static void
test_moves_are_all_there_and_the_first_is_first (void)
{
  Board board = position_random (25, 9);
  guint64 squares = board_moves (&board), found = 0;
  Move moves[MOVES_MAX];
  int last = 63 - __builtin_clzll (squares), n = moves_order (&board, squares, last, moves);
  for (int i = 0; i < n; i++)
    found |= (guint64)1 << moves[i].square;
  g_assert_cmphex (found, ==, squares);
  g_assert_cmpint (n, ==, board_count (squares));
  g_assert_cmpint (moves[0].square, ==, last);
}

static void
test_any_number_of_moves_has_room (void)
{
  const Board board = { 0x0004252400661000, 0x005a4a5242106e00 };
  g_assert_cmpint (board_count (board_moves (&board)), ==, 35);
  g_assert_cmpint (MOVES_MAX, >=, 35);
  Search search = { 0 };
  assert_bounds_hold (&search, &board, 2);
}

/* ---- the solver ---- */

static void
solve (Solver *solver, const Board *board, int depth)
{
  Search search = { 0 };
  Question question;
  solver_begin (solver, board, depth, TRUE);
  while (solver_ask (solver, &question))
    solver_take (solver, search_bound (&search, &question.board, question.depth, question.beta));
}

/* Returns: the lowest square whose move has the value @value; -1: there is none */
static int
best_square (const Board *board, int depth, int value)
{
  for (guint64 moves = board_moves (board); moves != 0; moves &= moves - 1)
    {
      int square = board_first (moves);
      Board after = board_after (board, square, board_flips (board, square));
      if (-plain_value (&after, depth - 1) == value)
        return square;
    }
  return -1;
}

static void
test_the_solver_finds_value_and_lowest_best_move (void)
{
  for (guint i = 0; i < 40; i++)
    {
      int n_empty = g_test_rand_int_range (1, 8), depth = g_test_rand_int_range (1, n_empty + 1);
      Board board = position_random (n_empty, (guint32)g_test_rand_int ());
      Solver solver;
      solve (&solver, &board, depth);
      g_assert_cmpint (solver.value, ==, plain_value (&board, depth));
      g_assert_cmpint (solver.square, ==, best_square (&board, depth, solver.value));
    }
}

static void
test_who_must_pass_has_a_value_and_no_move (void)
{
  /* a1 X, b1 O, c1 empty, d1 O, and O is to move: only X could move, to c1. */
  const Board board = { 0xa, 0x1 }, passed = board_passed (&board);
  Solver solver;
  g_assert_cmphex (board_moves (&board), ==, 0);
  g_assert_cmphex (board_moves (&passed), !=, 0);
  solve (&solver, &board, 3);
  g_assert_cmpint (solver.value, ==, plain_value (&board, 3));
  g_assert_cmpint (solver.square, ==, -1);
}

static void
test_a_game_that_is_over_asks_nothing (void)
{
  const Board board = { 0x1, 0x8000000000000000 };
  Question question;
  Solver solver;
  solver_begin (&solver, &board, 62, TRUE);
  g_assert_false (solver_ask (&solver, &question));
  g_assert_cmpint (solver.value, ==, 0);
}

/* Answers that only say yes or no lead to the value too, after few questions. */
static void
test_a_bare_yes_or_no_is_enough (void)
{
  for (guint32 seed = 1; seed <= 20; seed++)
    {
      Board board = position_random (7, seed);
      int value = plain_value (&board, 7), n_questions = 0;
      Question question;
      Solver solver;
      solver_begin (&solver, &board, 7, FALSE);
      while (solver_ask (&solver, &question))
        {
          g_assert_cmpint (++n_questions, <=, 66);
          solver_take (&solver, value >= question.beta ? question.beta : question.beta - 1);
        }
      g_assert_cmpint (solver.value, ==, value);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-othello/" path, function)
  CASE ("search/scores-are-those-of-trying-all", test_scores_are_those_of_trying_all);
  CASE ("search/a-table-changes-no-score", test_a_table_changes_no_score);
  CASE ("search/estimates-are-those-of-trying-all", test_estimates_are_those_of_trying_all);
  CASE ("search/depths-are-kept-apart", test_depths_are_kept_apart);
  CASE ("search/what-is-known-need-not-be-searched", test_what_is_known_need_not_be_searched);
  CASE ("evaluate/an-estimate-looks-the-same-from-both-sides",
        test_an_estimate_looks_the_same_from_both_sides);
  CASE ("evaluate/moves-are-all-there-and-the-first-is-first",
        test_moves_are_all_there_and_the_first_is_first);
  CASE ("evaluate/any-number-of-moves-has-room", test_any_number_of_moves_has_room);
  CASE ("solver/finds-value-and-lowest-best-move",
        test_the_solver_finds_value_and_lowest_best_move);
  CASE ("solver/who-must-pass-has-a-value-and-no-move", test_who_must_pass_has_a_value_and_no_move);
  CASE ("solver/a-game-that-is-over-asks-nothing", test_a_game_that_is_over_asks_nothing);
  CASE ("solver/a-bare-yes-or-no-is-enough", test_a_bare_yes_or_no_is_enough);
  return g_test_run ();
}
