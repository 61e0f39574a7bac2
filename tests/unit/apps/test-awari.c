/* test-awari.c - tests the positions of Awari, and their values
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "awari/level.h"

/* The solver of the test looks at positions with up to this number of stones. */
#define MAX_STONES 6

/* ---- a solver of another kind ----
 *
 * It knows nothing of numbers of positions, predecessors or thresholds. A game that has lasted for
 * a number of moves ends, with nothing more for either player. The more moves it may last, the
 * nearer is its value to the value of the position. When the values of two lengths are all equal,
 * more moves change nothing. */

/* @board: the pits of the first player, then those of the second. Returns: number of stones that
 * @player captures by sowing from @pit */
static int
sow (int *board, int player, int pit)
{
  int hand = board[pit], at = pit, captured = 0;
  board[pit] = 0;
  while (hand > 0)
    {
      at = (at + 1) % 12;
      if (at == pit)
        continue;
      board[at]++;
      hand--;
    }
  while (at / 6 != player && at >= 0 && (board[at] == 2 || board[at] == 3))
    {
      captured += board[at];
      board[at] = 0;
      at--;
    }
  return captured;
}

static int
count_row (const int *board, int player)
{
  int n = 0;
  for (int i = 0; i < 6; i++)
    n += board[6 * player + i];
  return n;
}

/* Returns: (transfer full): the position as text, a letter for each pit; @player has the first six
 */
static char *
name_board (const int *board, int player)
{
  char name[13] = { 0 };
  for (int i = 0; i < 12; i++)
    name[i] = (char)('a' + board[(6 * player + i) % 12]);
  return g_strdup (name);
}

/* Returns: what the first player of @board gets more than the second, if no game lasts longer than
 * one move more than in @values. @values: from the name of a position to its value */
static int
value_board (const int *board, GHashTable *values)
{
  int best = G_MININT, best_of_taking = G_MININT;
  for (int pit = 0; pit < 6; pit++)
    if (board[pit] > 0)
      {
        int after[12];
        memcpy (after, board, sizeof after);
        int captured = sow (after, 0, pit);
        if (count_row (after, 1) == 0)
          {
            best_of_taking = MAX (best_of_taking, captured + count_row (after, 0));
            continue;
          }
        g_autofree char *name = name_board (after, 1);
        best = MAX (best, captured - GPOINTER_TO_INT (g_hash_table_lookup (values, name)));
      }
  if (best > G_MININT)
    return best;
  return best_of_taking > G_MININT ? best_of_taking : -count_row (board, 1);
}

/* Calls value_board() for all ways to put @n_stones into the pits from @pit on. Returns: whether a
 * value has changed */
static gboolean
value_all (int *board, int pit, int n_stones, GHashTable *values, GHashTable *next)
{
  if (pit < 11)
    {
      gboolean has_changed = FALSE;
      for (board[pit] = 0; board[pit] <= n_stones; board[pit]++)
        has_changed |= value_all (board, pit + 1, n_stones - board[pit], values, next);
      return has_changed;
    }
  board[pit] = n_stones;
  char *name = name_board (board, 0);
  int old = GPOINTER_TO_INT (g_hash_table_lookup (values, name));
  int value = value_board (board, values);
  g_hash_table_insert (next, name, GINT_TO_POINTER (value));
  return value != old;
}

/* Returns: (transfer full): the values of all positions with up to %MAX_STONES stones */
static GHashTable *
solve_otherwise (void)
{
  GHashTable *values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean has_changed = TRUE;
  while (has_changed)
    {
      GHashTable *next = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      has_changed = FALSE;
      for (int n = 0; n <= MAX_STONES; n++)
        {
          int board[12];
          has_changed |= value_all (board, 0, n, values, next);
        }
      g_hash_table_unref (values);
      values = next;
    }
  return values;
}

/* ---- the program's own values ---- */

static void
decide (int n_stones, gint8 *values)
{
  g_auto (Level) level = { 0 };
  g_autoptr (GError) error = NULL;
  const gint32 *positions;
  gsize n_exits = LEVEL_EXITS_BYTES * (gsize)position_count (n_stones), n;
  g_autofree guint8 *exits = g_new (guint8, n_exits);
  level_init (&level, n_stones, values + position_count_below (n_stones));
  level_get_exits (n_stones, values, 0, level.n, exits);
  g_assert_true (level_take_exits (&level, exits, n_exits, &error));
  while (level_next (&level, &positions, &n))
    {
      g_autofree gint32 *found = level_find_predecessors (n_stones, positions, n, &n);
      g_assert_true (level_take (&level, found, n, &error));
    }
  g_assert_no_error (error);
}

/* Returns: (transfer full): the values of all positions with up to @n_stones stones */
static gint8 *
decide_all (int n_stones)
{
  gint8 *values = g_new (gint8, (gsize)position_count_below (n_stones + 1));
  for (int n = 0; n <= n_stones; n++)
    decide (n, values);
  return values;
}

static void
test_values_are_those_of_another_solver (void)
{
  g_autofree gint8 *values = decide_all (MAX_STONES);
  g_autoptr (GHashTable) others = solve_otherwise ();
  const gint8 *value = values;
  for (int n = 0; n <= MAX_STONES; n++)
    for (gint64 i = 0; i < position_count (n); i++)
      {
        Position position = position_at (n, i);
        int board[12];
        for (int pit = 0; pit < 12; pit++)
          board[pit] = position.pits[pit];
        g_autofree char *name = name_board (board, 0);
        g_assert_true (g_hash_table_contains (others, name));
        g_assert_cmpint (*value++, ==, GPOINTER_TO_INT (g_hash_table_lookup (others, name)));
      }
}

/* A value that is as good as the best move, for all moves in the level and out of it. */
static void
test_values_fit_to_the_values_of_all_moves (void)
{
  const int n_stones = 9;
  g_autofree gint8 *values = decide_all (n_stones);
  const gint8 *own = values + position_count_below (n_stones);
  for (gint64 i = 0; i < position_count (n_stones); i++)
    {
      Position position = position_at (n_stones, i), next;
      int n_inside, best = position_get_exits (&position, n_stones, values, &n_inside);
      for (int pit = 0; pit < POSITION_N_OWN; pit++)
        if (position.pits[pit] > 0 && position_move (&position, pit, &next) == 0
            && !position_is_over (&next))
          {
            best = MAX (best, -own[position_get_index (&next)]);
            n_inside--;
          }
      g_assert_cmpint (n_inside, ==, 0);
      g_assert_cmpint (own[i], ==, best);
    }
}

/* ---- positions ---- */

/* Romein and Bal: 889,063,398,406 positions can be reached. After a move the opponent has an empty
 * pit, so all positions count in which that is so, and the start. With 47 stones there is none,
 * because no move captures a single stone. */
static void
test_number_of_positions_is_the_published_one (void)
{
  gint64 n = 1;
  for (int n_stones = 0; n_stones <= 48; n_stones++)
    if (n_stones != 47)
      n += position_count (n_stones) - (n_stones >= 6 ? position_count (n_stones - 6) : 0);
  g_assert_cmpint (n, ==, G_GINT64_CONSTANT (889063398406));
}

static void
test_numbers_of_positions_are_in_a_row (void)
{
  for (int n_stones = 0; n_stones <= 7; n_stones++)
    {
      gint64 n = position_count (n_stones);
      g_assert_cmpint (position_count_below (n_stones) + n, ==,
                       position_count_below (n_stones + 1));
      Position next = position_at (n_stones, 0);
      for (gint64 i = 0; i < n; i++)
        {
          Position position = position_at (n_stones, i);
          g_assert_cmpmem (&next, sizeof next, &position, sizeof position);
          if (i + 1 < n)
            position_go_on (&next);
          g_assert_cmpint (position_count_stones (&position), ==, n_stones);
          g_assert_cmpint (position_get_index (&position), ==, i);
        }
    }
}

static void
test_predecessors_are_those_of_moves (void)
{
  const int n_stones = 14;
  for (int round = 0; round < 20000; round++)
    {
      gint64 index = g_test_rand_int_range (0, (gint32)position_count (n_stones));
      Position position = position_at (n_stones, index), next;
      gint32 found[POSITION_MAX_PREDECESSORS];
      for (int pit = 0; pit < POSITION_N_OWN; pit++)
        if (position.pits[pit] > 0 && position_move (&position, pit, &next) == 0)
          {
            int n_times = 0, n = position_list_predecessors (&next, found);
            for (int i = 0; i < n; i++)
              n_times += found[i] == index;
            g_assert_cmpint (n_times, ==, position_is_over (&next) ? 0 : 1);
          }
      int n = position_list_predecessors (&position, found);
      for (int i = 0; i < n; i++)
        {
          Position before = position_at (n_stones, found[i]);
          int n_times = 0;
          for (int pit = 0; pit < POSITION_N_OWN; pit++)
            n_times += before.pits[pit] > 0 && position_move (&before, pit, &next) == 0
                       && memcmp (&next, &position, sizeof next) == 0;
          g_assert_cmpint (n_times, ==, 1);
        }
    }
}

/* @text, @expected: pits with commas, before the move and as the opponent sees them after it */
static void
assert_move (const char *text, int pit, int captured, const char *expected)
{
  Position position, after, next;
  g_assert_true (position_parse (text, &position, NULL));
  g_assert_true (position_parse (expected, &after, NULL));
  g_assert_cmpint (position_move (&position, pit, &next), ==, captured);
  g_assert_cmpmem (&next, sizeof next, &after, sizeof after);
}

static void
test_moves_follow_the_rules (void)
{
  /* Two pits are captured; the third has four stones. */
  assert_move ("0,0,0,0,0,3,3,1,2,0,0,1", 5, 5, "4,0,0,0,0,1,0,0,0,0,0,0");
  /* Twelve stones leave out the pit that they came from. */
  assert_move ("0,12,0,0,0,0,0,0,0,0,0,0", 1, 0, "1,1,1,1,1,1,1,0,2,1,1,1");
  /* Nothing is captured from one's own side. */
  assert_move ("2,1,1,0,0,0,0,0,0,0,0,1", 0, 0, "0,0,0,0,0,1,0,2,2,0,0,0");
  /* A row of captures ends at the border. */
  assert_move ("0,0,0,0,1,2,1,1,0,0,0,1", 5, 4, "0,0,0,0,0,1,0,0,0,0,1,0");
}

static void
test_wrong_positions_are_refused (void)
{
  static const char *const texts[] = { "",
                                       "1,2,3",
                                       "1,1,1,1,1,1,1,1,1,1,1,1,1",
                                       "1,1,1,1,1,1,1,1,1,1,1,-1",
                                       "1,1,1,1,1,1,1,1,1,1,1,x",
                                       "10,9,0,0,0,0,0,0,0,0,0,0",
                                       "0,0,0,0,0,0,0,0,0,0,0,256" };
  Position position;
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (position_parse (texts[i], &position, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
    }
}

/* ---- results of damaged nodes ---- */

static void
test_wrong_results_are_refused (void)
{
  static const guint8 wrong[][2 * LEVEL_EXITS_BYTES] = { { 2, 0, 0, 0 },
                                                         { 0xec, 0, 0, 0 },
                                                         { 0, 7, 0, 0 } };
  static const gint32 outside[] = { -1, 12, G_MININT32, G_MAXINT32 };
  gint8 values[12];
  g_auto (Level) level = { 0 };
  level_init (&level, 1, values);
  for (gsize i = 0; i <= G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      guint8 exits[12 * LEVEL_EXITS_BYTES] = { 0 };
      gboolean is_short = i == G_N_ELEMENTS (wrong);
      if (!is_short)
        memcpy (exits + 4, wrong[i], sizeof wrong[i]);
      g_assert_false (level_take_exits (&level, exits, sizeof exits - is_short, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (outside); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (level_take (&level, &outside[i], 1, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-awari/" path, function)
  CASE ("values-are-those-of-another-solver", test_values_are_those_of_another_solver);
  CASE ("values-fit-to-the-values-of-all-moves", test_values_fit_to_the_values_of_all_moves);
  CASE ("number-of-positions-is-the-published-one", test_number_of_positions_is_the_published_one);
  CASE ("numbers-of-positions-are-in-a-row", test_numbers_of_positions_are_in_a_row);
  CASE ("predecessors-are-those-of-moves", test_predecessors_are_those_of_moves);
  CASE ("moves-follow-the-rules", test_moves_follow_the_rules);
  CASE ("wrong-positions-are-refused", test_wrong_positions_are_refused);
  CASE ("wrong-results-are-refused", test_wrong_results_are_refused);
  return g_test_run ();
}
