/* search.c - alpha-beta with a null window and a transposition table
 *
 * Values are seen from the side to move, so the value of a child is negated. The search only asks
 * whether a value is beta or more (a null window). For that it asks the child about 1 - beta.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "search.h"

#include "evaluate.h"

/* With this many empty squares or fewer, sorting the moves and asking the table would cost more
 * than they save. */
#define FEW_EMPTY 6
/* With less depth than this, asking the table would cost more than it saves. */
#define TABLE_MIN_DEPTH 2

#define NO_VALUE (-BOARD_SQUARES - 1)

/* ---- the last squares ---- */

/* Returns: the score at the end of the game, when only @square is empty. The side to move sets a
 * disc there if it can, else the other side if it can. */
static int
last_square (const Board *board, int square)
{
  guint64 flips = board_flips (board, square);
  if (flips != 0)
    return 2 * board_count (board->mine | flips) + 2 - BOARD_SQUARES;
  Board passed = board_passed (board);
  flips = board_flips (&passed, square);
  if (flips != 0)
    return 2 * board_count (board->mine & ~flips) - BOARD_SQUARES;
  return board_final_score (board);
}

/* Returns: the quarters of the board with an odd number of empty squares. The side that moves first
 * in one of them is likely to move last there, too. */
static guint64
odd_quarters (guint64 empty)
{
  static const guint64 quarters[] = { 0x000000000f0f0f0f, 0x00000000f0f0f0f0, 0x0f0f0f0f00000000,
                                      0xf0f0f0f000000000 };
  guint64 odd = 0;
  for (guint i = 0; i < G_N_ELEMENTS (quarters); i++)
    if (__builtin_parityll (empty & quarters[i]))
      odd |= quarters[i];
  return odd;
}

static int finish (Search *self, const Board *board, guint64 empty, int beta);

/* Returns: the best value of the moves on @squares, but at least @best. Once the best value so far
 * is @beta or more, tries no more moves. */
static int
finish_on (Search *self, const Board *board, guint64 empty, guint64 squares, int beta, int best)
{
  for (; squares != 0 && best < beta; squares &= squares - 1)
    {
      int square = board_first (squares);
      guint64 flips = board_flips (board, square);
      if (flips == 0)
        continue;
      Board after = board_after (board, square, flips);
      int value = -finish (self, &after, empty & ~((guint64)1 << square), 1 - beta);
      best = MAX (best, value);
    }
  return best;
}

/* Returns: the exact score, or a bound as search_bound() does. @empty: the empty squares, which are
 * few */
static int
finish (Search *self, const Board *board, guint64 empty, int beta)
{
  self->n_positions++;
  if ((empty & (empty - 1)) == 0)
    return empty != 0 ? last_square (board, board_first (empty)) : board_final_score (board);

  guint64 odd = odd_quarters (empty);
  int best = finish_on (self, board, empty, empty & odd, beta, NO_VALUE);
  best = finish_on (self, board, empty, empty & ~odd, beta, best);
  if (best != NO_VALUE)
    return best;
  Board passed = board_passed (board);
  if (board_moves (&passed) == 0)
    return board_final_score (board);
  return -finish (self, &passed, empty, 1 - beta);
}

/* ---- the table ---- */

gboolean
search_known (const Search *self, const Board *board, int depth, int beta, TableEntry *ret_entry,
              int *ret_bound)
{
  *ret_entry = (TableEntry){ depth, -BOARD_SQUARES, BOARD_SQUARES, -1 };
  TableEntry entry;
  if (!table_probe (self->table, board, &entry))
    return FALSE;
  ret_entry->move = entry.move;
  if (entry.depth != depth)
    return FALSE;
  *ret_entry = entry;
  if (entry.lower < beta && entry.upper >= beta)
    return FALSE;
  *ret_bound = entry.lower >= beta ? entry.lower : entry.upper;
  return TRUE;
}

void
search_learn (const Search *self, const Board *board, TableEntry *entry, int beta, int bound,
              int square)
{
  if (bound >= beta)
    entry->lower = MAX (entry->lower, bound);
  else
    entry->upper = MIN (entry->upper, bound);
  entry->move = square;
  table_store (self->table, board, self->round, entry);
}

/* ---- the search ---- */

static int search (Search *self, const Board *board, int depth, int beta, gboolean is_exact);

/* Returns: as search(), for a position in which the side to move has no move */
static int
search_passed (Search *self, const Board *board, int depth, int beta, gboolean is_exact)
{
  Board passed = board_passed (board);
  if (board_moves (&passed) == 0)
    return board_final_score (board);
  return -search (self, &passed, depth, 1 - beta, is_exact);
}

static int
search_moves (Search *self, const Board *board, guint64 squares, int depth, int beta,
              gboolean is_exact)
{
  TableEntry entry = { .move = -1 };
  int best = NO_VALUE, best_square = -1;
  gboolean has_table = depth >= TABLE_MIN_DEPTH;
  if (has_table && search_known (self, board, depth, beta, &entry, &best))
    return best;

  Move moves[MOVES_MAX];
  int n = moves_order (board, squares, entry.move, moves);
  for (int i = 0; i < n && best < beta; i++)
    {
      int value = -search (self, &moves[i].after, depth - 1, 1 - beta, is_exact);
      if (value > best)
        {
          best = value;
          best_square = moves[i].square;
        }
    }
  if (has_table)
    search_learn (self, board, &entry, beta, best, best_square);
  return best;
}

static int
search (Search *self, const Board *board, int depth, int beta, gboolean is_exact)
{
  if (is_exact && depth <= FEW_EMPTY)
    return finish (self, board, board_empty (board), beta);
  self->n_positions++;
  if (depth == 0)
    return evaluate (board);
  guint64 squares = board_moves (board);
  if (squares == 0)
    return search_passed (self, board, depth, beta, is_exact);
  return search_moves (self, board, squares, depth, beta, is_exact);
}

int
search_bound (Search *self, const Board *board, int depth, int beta)
{
  return search (self, board, depth, beta, depth == board_n_empty (board));
}
