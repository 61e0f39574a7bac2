/* evaluate.c - estimates a position by corners and mobility
 *
 * The weights are round numbers, in tenths of a disc. They do not change the result of a search to
 * the end, only how long it takes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evaluate.h"

#define CORNERS 0x8100000000000081

#define CORNER_WEIGHT   120
#define DIAGONAL_WEIGHT 50
#define BESIDE_WEIGHT   20
#define MOVE_WEIGHT     14
#define FRONTIER_WEIGHT 6

/* Returns: the risk of @discs beside empty corners: such a disc helps the other side to get the
 * corner. In the table, diagonal is b2, g2, b7 or g7 */
static int
corner_risks (guint64 discs, guint64 empty)
{
  static const struct
  {
    guint64 corner, diagonal, beside;
  } quarters[] = {
    { 0x0000000000000001, 0x0000000000000200, 0x0000000000000102 },
    { 0x0000000000000080, 0x0000000000004000, 0x0000000000008040 },
    { 0x0100000000000000, 0x0002000000000000, 0x0201000000000000 },
    { 0x8000000000000000, 0x0040000000000000, 0x4080000000000000 },
  };
  int risk = 0;
  for (guint i = 0; i < G_N_ELEMENTS (quarters); i++)
    if ((empty & quarters[i].corner) != 0)
      risk += DIAGONAL_WEIGHT * board_count (discs & quarters[i].diagonal)
              + BESIDE_WEIGHT * board_count (discs & quarters[i].beside);
  return risk;
}

int
evaluate (const Board *board)
{
  Board passed = board_passed (board);
  guint64 empty = board_empty (board);
  guint64 my_moves = board_moves (board), their_moves = board_moves (&passed);
  if (my_moves == 0 && their_moves == 0)
    return board_final_score (board);

  int corners = board_count (board->mine & CORNERS) - board_count (board->theirs & CORNERS);
  int moves = board_count (my_moves) + board_count (my_moves & CORNERS) - board_count (their_moves)
              - board_count (their_moves & CORNERS);
  int frontier = board_count (board_neighbours (board->theirs) & empty)
                 - board_count (board_neighbours (board->mine) & empty);
  int risk = corner_risks (board->theirs, empty) - corner_risks (board->mine, empty);
  int tenths = CORNER_WEIGHT * corners + MOVE_WEIGHT * moves + FRONTIER_WEIGHT * frontier + risk;
  return CLAMP (tenths / 10, -ESTIMATE_MAX, ESTIMATE_MAX);
}

/* Returns: how bad a disc on @square is, because of the corners near it; below 0, which is good,
 * on a corner itself */
static int
square_cost (guint64 square)
{
  if ((square & CORNERS) != 0)
    return -4;
  if ((square & 0x0042000000004200) != 0)
    return 3;
  return (square & 0x4281000000008142) != 0 ? 1 : 0;
}

static int
move_cost (const Board *after, int square)
{
  guint64 replies = board_moves (after);
  guint64 open = board_neighbours (after->theirs) & board_empty (after);
  return 4 * (board_count (replies) + board_count (replies & CORNERS)) + board_count (open)
         + 2 * square_cost ((guint64)1 << square);
}

int
moves_order (const Board *board, guint64 squares, int first, Move *ret_moves)
{
  int n = 0;
  for (; squares != 0; squares &= squares - 1)
    {
      Move move = { .square = board_first (squares) };
      move.after = board_after (board, move.square, board_flips (board, move.square));
      move.cost = move.square == first ? G_MININT : move_cost (&move.after, move.square);
      int place = n++;
      for (; place > 0 && ret_moves[place - 1].cost > move.cost; place--)
        ret_moves[place] = ret_moves[place - 1];
      ret_moves[place] = move;
    }
  return n;
}
