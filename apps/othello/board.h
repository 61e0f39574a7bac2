/* board.h - an Othello board as two sets of squares, and what a move does to it
 *
 * A set of squares is a number of 64 bits: a1 is bit 0, h1 bit 7, h8 bit 63. A
 * board has the discs of who is to move and those of the other side; no colour.
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
 * @theirs: the other side's
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
  /* In halves: a call of the compiler's library, or none, on machines without an instruction. */
  squares -= squares >> 1 & 0x5555555555555555;
  squares = (squares & 0x3333333333333333) + (squares >> 2 & 0x3333333333333333);
  return (int)(((squares + (squares >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
}

/* The lowest square of a set that is not empty. */
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

/* The same position when the other side is to move. */
static inline Board
board_passed (const Board *board)
{
  return (Board){ board->theirs, board->mine };
}

/* The position after a disc on @square that turns @flips; the other side is to move. */
static inline Board
board_after (const Board *board, int square, guint64 flips)
{
  return (Board){ board->theirs ^ flips, board->mine ^ flips ^ (guint64)1 << square };
}

/* All squares where the side to move may set a disc. */
guint64 board_moves (const Board *board);

/* The discs that a disc on @square, which is empty, turns; none when that is no legal move. */
guint64 board_flips (const Board *board, int square);

/* The squares next to those of @squares. */
guint64 board_neighbours (guint64 squares);

/* What the game is worth when nobody can move: the difference in discs for the side to move, from
 * -64 to 64, even; empty squares go to the winner. */
int board_final_score (const Board *board);

G_END_DECLS
