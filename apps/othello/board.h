/* board.h - an Othello board as two sets of squares, and the effect of a move
 *
 * A set of squares is a number of 64 bits: a1 is bit 0, h1 bit 7, h8 bit 63. A board has the discs
 * of the side to move and those of the other side. It does not know their colours.
 *
 * Threads: any; all functions are pure.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

#define BOARD_SQUARES 64

/**
 * Board:
 * @mine: the discs of the side to move
 * @theirs: the discs of the other side
 */
typedef struct
{
  guint64 mine;
  guint64 theirs;
} Board;

/* The initial position. */
extern const Board board_start;

static inline int
board_count (guint64 squares)
{
  /* On machines without an instruction that counts bits, __builtin_popcountll() calls a function of
   * the compiler's library, which may be missing. */
  squares -= squares >> 1 & 0x5555555555555555;
  squares = (squares & 0x3333333333333333) + (squares >> 2 & 0x3333333333333333);
  return (int)(((squares + (squares >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
}

/* Returns: the lowest square of @squares, which must not be empty */
static inline int
board_first (guint64 squares)
{
  return __builtin_ctzll (squares);
}

static inline guint64
board_empty (const Board *board)
{
  return ~(board->mine | board->theirs);
}

static inline int
board_n_empty (const Board *board)
{
  return board_count (board_empty (board));
}

/* Returns: the same position with the other side to move */
static inline Board
board_passed (const Board *board)
{
  return (Board){ board->theirs, board->mine };
}

/* Returns: the position after a disc was set on @square and turned @flips; the other side is to
 * move */
static inline Board
board_after (const Board *board, int square, guint64 flips)
{
  return (Board){ board->theirs ^ flips, board->mine ^ flips ^ (guint64)1 << square };
}

/* Returns: all squares where the side to move may set a disc */
guint64 board_moves (const Board *board);

/* Returns: the discs that a disc on the empty square @square turns; none if the move is not
 * legal */
guint64 board_flips (const Board *board, int square);

/* Returns: @squares and all squares next to them */
guint64 board_neighbours (guint64 squares);

/* Returns: the score of a game in which no side can move: the difference in discs for the side to
 * move, from -64 to 64, even. Empty squares count for the winner. */
int board_final_score (const Board *board);

G_END_DECLS
