/* test-board.c - tests moves, flips and scores of bitboards
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plain.h"

static Board
any_position (void)
{
  return position_random (g_test_rand_int_range (1, 61), (guint32)g_test_rand_int ());
}

static void
test_flips_are_those_of_a_walk (void)
{
  for (guint i = 0; i < 500; i++)
    {
      Board board = any_position ();
      for (guint64 empty = board_empty (&board); empty != 0; empty &= empty - 1)
        {
          int square = board_first (empty);
          g_assert_cmphex (board_flips (&board, square), ==, plain_flips (&board, square));
        }
    }
}

static void
test_moves_are_where_something_flips (void)
{
  for (guint i = 0; i < 500; i++)
    {
      Board board = any_position ();
      g_assert_cmphex (board_moves (&board), ==, plain_moves (&board));
    }
}

/* Returns: the number of games of @depth moves. A pass does not count as a move. */
static gint64
count_games (const Board *board, int depth)
{
  gint64 total = 0;
  if (depth == 0)
    return 1;
  for (guint64 moves = board_moves (board); moves != 0; moves &= moves - 1)
    {
      int square = board_first (moves);
      Board after = board_after (board, square, board_flips (board, square));
      total += count_games (&after, depth - 1);
    }
  return total;
}

static void
test_games_are_as_many_as_published (void)
{
  static const gint64 published[] = { 1, 4, 12, 56, 244, 1396, 8200, 55092 };
  for (int depth = 0; depth < (int)G_N_ELEMENTS (published); depth++)
    g_assert_cmpint (count_games (&board_start, depth), ==, published[depth]);
}

static void
test_a_move_sets_one_disc_and_turns_others (void)
{
  Board after = board_after (&board_start, 19, board_flips (&board_start, 19));
  g_assert_cmpint (board_count (after.theirs), ==, 4);
  g_assert_cmpint (board_count (after.mine), ==, 1);
  g_assert_cmpint (board_n_empty (&after), ==, 59);
}

static void
test_empty_squares_go_to_the_winner (void)
{
  const Board won = { 0x7, 0x18 }, lost = { 0x18, 0x7 }, draw = { 0x3, 0xc };
  g_assert_cmpint (board_final_score (&won), ==, 60);
  g_assert_cmpint (board_final_score (&lost), ==, -60);
  g_assert_cmpint (board_final_score (&draw), ==, 0);
}

static void
test_counts_all_bits (void)
{
  g_assert_cmpint (board_count (0), ==, 0);
  g_assert_cmpint (board_count (G_MAXUINT64), ==, 64);
  for (guint bit = 0; bit < 64; bit++)
    g_assert_cmpint (board_count ((guint64)1 << bit), ==, 1);
}

static void
test_no_neighbour_lies_beyond_the_edge (void)
{
  g_assert_cmphex (board_neighbours ((guint64)1 << 7), ==, 0xc0c0);
  g_assert_cmphex (board_neighbours ((guint64)1 << 56), ==, 0x0303000000000000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-othello/board/" path, function)
  CASE ("flips-are-those-of-a-walk", test_flips_are_those_of_a_walk);
  CASE ("moves-are-where-something-flips", test_moves_are_where_something_flips);
  CASE ("games-are-as-many-as-published", test_games_are_as_many_as_published);
  CASE ("a-move-sets-one-disc-and-turns-others", test_a_move_sets_one_disc_and_turns_others);
  CASE ("empty-squares-go-to-the-winner", test_empty_squares_go_to_the_winner);
  CASE ("counts-all-bits", test_counts_all_bits);
  CASE ("no-neighbour-lies-beyond-the-edge", test_no_neighbour_lies_beyond_the_edge);
  return g_test_run ();
}
