/* test-ida.c - tests positions of the 15-puzzle
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ida/puzzle.h"

#define GOAL "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"

static Position
parse (const char *text)
{
  Position position;
  g_autoptr (GError) error = NULL;
  position_parse (text, &position, &error);
  g_assert_no_error (error);
  return position;
}

static void
test_distance_is_that_of_all_tiles (void)
{
  g_assert_cmpint (parse (GOAL).distance, ==, 0);
  g_assert_cmpint (parse ("1,2,0,3,4,5,6,7,8,9,10,11,12,13,14,15").distance, ==, 2);
  /* Korf publishes the distances of his positions. */
  g_assert_cmpint (parse ("korf:1").distance, ==, 41);
  g_assert_cmpint (parse ("korf:2").distance, ==, 43);
}

/* Moves at random. The distance that the moves keep up to date is that of the tiles. */
static void
test_moves_keep_the_distance (void)
{
  Position position = parse (GOAL), next;
  for (int i = 0; i < 1000; i++)
    {
      if (!position_move (&position, (PuzzleDirection)g_test_rand_int_range (0, 4), &next))
        continue;
      g_autoptr (GString) text = g_string_new (NULL);
      for (int cell = 0; cell < PUZZLE_N_CELLS; cell++)
        g_string_append_printf (text, "%s%d", cell == 0 ? "" : ",",
                                (int)((guint64)next.tiles >> 4 * cell & 15));
      Position again = parse (text->str);
      g_assert_cmpint (next.distance, ==, again.distance);
      g_assert_cmpint (next.gap, ==, again.gap);
      g_assert_cmpint (ABS (next.distance - position.distance), ==, 1);
      position = next;
    }
}

static void
test_gap_stays_in_the_square_and_does_not_move_back (void)
{
  Position corner = parse (GOAL), right, back;
  g_assert_false (position_move (&corner, PUZZLE_LEFT, &right));
  g_assert_false (position_move (&corner, PUZZLE_UP, &right));
  g_assert_true (position_move (&corner, PUZZLE_RIGHT, &right));
  g_assert_false (position_move (&right, PUZZLE_LEFT, &back));
  g_assert_true (position_move (&right, PUZZLE_DOWN, &back));
}

static void
test_solutions_are_counted (void)
{
  gint64 n_nodes = 0;
  Position goal = parse (GOAL), one = parse ("1,0,2,3,4,5,6,7,8,9,10,11,12,13,14,15");
  g_assert_cmpint (position_count (&goal, 0, &n_nodes), ==, 1);
  g_assert_cmpint (position_count (&one, 1, &n_nodes), ==, 1);
  g_assert_cmpint (position_count (&one, 0, &n_nodes), ==, 0);
  g_assert_cmpint (n_nodes, ==, 4);
}

static void
test_what_is_no_position_is_refused (void)
{
  static const char *const texts[] = {
    "",
    "korf:4",
    "0,1,2",
    "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,14",
    "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,16",
    "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,",
    /* Two tiles of the goal are exchanged: no solution. */
    "0,2,1,3,4,5,6,7,8,9,10,11,12,13,14,15",
  };
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      Position position;
      g_autoptr (GError) error = NULL;
      g_assert_false (position_parse (texts[i], &position, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-ida/" path, function)
  CASE ("distance-is-that-of-all-tiles", test_distance_is_that_of_all_tiles);
  CASE ("moves-keep-the-distance", test_moves_keep_the_distance);
  CASE ("gap-stays-in-the-square", test_gap_stays_in_the_square_and_does_not_move_back);
  CASE ("solutions-are-counted", test_solutions_are_counted);
  CASE ("no-position-is-refused", test_what_is_no_position_is_refused);
  return g_test_run ();
}
