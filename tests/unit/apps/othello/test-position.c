/* test-position.c - tests positions as text, the errors in them, and random positions
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "othello/position.h"

#include <satin/base/error.h>

#define START "---------------------------OX------XO---------------------------"

static void
test_a_line_is_read (void)
{
  Board board;
  g_assert_true (position_parse (START " X; d3:+0; % the first one", &board, NULL));
  g_assert_cmphex (board.mine, ==, board_start.mine);
  g_assert_cmphex (board.theirs, ==, board_start.theirs);
}

static void
test_white_may_be_to_move (void)
{
  Board board;
  g_assert_true (position_parse (START "O", &board, NULL));
  g_assert_cmphex (board.mine, ==, board_start.theirs);
}

static void
test_other_letters_mean_the_same (void)
{
  Board board;
  g_assert_true (position_parse (
      " *x b B oO wW ........................................................ b", &board, NULL));
  g_assert_cmphex (board.mine, ==, 0x0f);
  g_assert_cmphex (board.theirs, ==, 0xf0);
}

static void
assert_refused (const char *line, int code, const char *message)
{
  g_autoptr (GError) error = NULL;
  Board board = { 1, 2 };
  g_assert_false (position_parse (line, &board, &error));
  g_assert_error (error, SATIN_ERROR, code);
  g_assert_cmpstr (error->message, ==, message);
  g_assert_cmphex (board.mine, ==, 1);
}

static void
test_a_line_that_ends_early_is_truncated (void)
{
  assert_refused ("XO-", SATIN_ERROR_TRUNCATED,
                  "expected X, O or - for the square d1, found the end");
  assert_refused ("", SATIN_ERROR_TRUNCATED, "expected X, O or - for the square a1, found the end");
  assert_refused (START, SATIN_ERROR_TRUNCATED,
                  "expected X or O, who is to move, after 64 squares, found the end");
  assert_refused (START ";", SATIN_ERROR_TRUNCATED,
                  "expected X or O, who is to move, after 64 squares, found the end");
}

static void
test_garbage_is_refused_with_its_place (void)
{
  assert_refused ("XO-7", SATIN_ERROR_FORMAT, "expected X, O or - for the square d1, found '7'");
  assert_refused ("XO\xff", SATIN_ERROR_FORMAT, "expected X, O or - for the square c1, found '?'");
  assert_refused (START " -", SATIN_ERROR_FORMAT,
                  "expected X or O, who is to move, after 64 squares, found '-'");
  assert_refused (START " X X", SATIN_ERROR_FORMAT,
                  "expected nothing but a ';' after who is to move, found 'X'");
}

static void
test_a_file_has_names_with_lines (void)
{
  static const char text[] = "% two\n\n" START " X;\n  \r\n" START " O\r\n";
  g_autoptr (GPtrArray) positions = positions_parse ("f.obf", text, strlen (text), NULL);
  g_assert_nonnull (positions);
  g_assert_cmpuint (positions->len, ==, 2);
  const Position *first = g_ptr_array_index (positions, 0);
  const Position *second = g_ptr_array_index (positions, 1);
  g_assert_cmpstr (first->name, ==, "f.obf:3");
  g_assert_cmpstr (second->name, ==, "f.obf:5");
  g_assert_cmphex (second->board.mine, ==, board_start.theirs);
}

static void
assert_file_refused (const char *text, gsize n_text, int code, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (positions_parse ("f.obf", text, n_text, &error));
  g_assert_error (error, SATIN_ERROR, code);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_an_error_is_told_with_file_and_line (void)
{
  static const char text[] = START " X;\n" START "\n";
  assert_file_refused (
      text, strlen (text), SATIN_ERROR_TRUNCATED,
      "f.obf: line 2: expected X or O, who is to move, after 64 squares, found the end");
  assert_file_refused ("a\0b", 3, SATIN_ERROR_FORMAT,
                       "f.obf: line 1: expected X, O or - for the square a1, found 'a'");
}

static void
test_a_file_without_positions_is_refused (void)
{
  assert_file_refused ("% nothing\n", 10, SATIN_ERROR_FORMAT,
                       "f.obf has no position: give a line of 64 squares and who is to move");
}

static void
test_a_random_game_has_so_many_empty_squares (void)
{
  for (int n_empty = 1; n_empty <= 60; n_empty++)
    {
      Board board = position_random (n_empty, (guint32)g_test_rand_int ());
      g_assert_cmpint (board_n_empty (&board), ==, n_empty);
      g_assert_cmphex (board.mine & board.theirs, ==, 0);
      g_assert_cmphex (board_moves (&board), !=, 0);
    }
}

static void
test_a_random_game_follows_from_its_seed (void)
{
  Board one = position_random (20, 1), again = position_random (20, 1),
        two = position_random (20, 2);
  g_assert_cmphex (one.mine, ==, again.mine);
  g_assert_cmphex (one.mine, !=, two.mine);
}

static void
test_squares_have_names (void)
{
  char text[SQUARE_TEXT_BYTES];
  square_to_text (0, text);
  g_assert_cmpstr (text, ==, "a1");
  square_to_text (62, text);
  g_assert_cmpstr (text, ==, "g8");
  square_to_text (-1, text);
  g_assert_cmpstr (text, ==, "pass");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-othello/position/" path, function)
  CASE ("a-line-is-read", test_a_line_is_read);
  CASE ("white-may-be-to-move", test_white_may_be_to_move);
  CASE ("other-letters-mean-the-same", test_other_letters_mean_the_same);
  CASE ("a-line-that-ends-early-is-truncated", test_a_line_that_ends_early_is_truncated);
  CASE ("garbage-is-refused-with-its-place", test_garbage_is_refused_with_its_place);
  CASE ("a-file-has-names-with-lines", test_a_file_has_names_with_lines);
  CASE ("an-error-is-told-with-file-and-line", test_an_error_is_told_with_file_and_line);
  CASE ("a-file-without-positions-is-refused", test_a_file_without_positions_is_refused);
  CASE ("a-random-game-has-so-many-empty-squares", test_a_random_game_has_so_many_empty_squares);
  CASE ("a-random-game-follows-from-its-seed", test_a_random_game_follows_from_its_seed);
  CASE ("squares-have-names", test_squares_have_names);
  return g_test_run ();
}
