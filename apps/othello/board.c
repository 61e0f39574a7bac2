/* board.c - moves on bitboards
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board.h"

/* d4 and e5 are white, d5 and e4 black, and black begins. */
const Board board_start = { 0x0000000810000000, 0x0000001008000000 };

/* All files except a and h. A disc on file a or h can be turned only by a line along that file. */
#define INNER_FILES 0x7e7e7e7e7e7e7e7e
#define NOT_FILE_A  0xfefefefefefefefe
#define NOT_FILE_H  0x7f7f7f7f7f7f7f7f

/* Returns: the squares where a disc would enclose a row of @turnable discs between itself and a
 * disc of @mine, in one direction or the other of a line whose squares are @step bits apart. Some
 * of these squares may not be empty. */
static inline guint64
line_moves (guint64 mine, guint64 turnable, int step)
{
  guint64 up = turnable & mine << step, down = turnable & mine >> step;
  guint64 up_pairs = turnable & turnable << step, down_pairs = turnable & turnable >> step;
  up |= turnable & up << step;
  down |= turnable & down >> step;
  up |= up_pairs & up << 2 * step;
  down |= down_pairs & down >> 2 * step;
  up |= up_pairs & up << 2 * step;
  down |= down_pairs & down >> 2 * step;
  return up << step | down >> step;
}

guint64
board_moves (const Board *board)
{
  guint64 inner = board->theirs & INNER_FILES;
  return (line_moves (board->mine, inner, 1) | line_moves (board->mine, inner, 7)
          | line_moves (board->mine, inner, 9) | line_moves (board->mine, board->theirs, 8))
         & board_empty (board);
}

/* The squares from each square to the board's edge, in eight directions. Rising: right, down left,
 * down, down right (towards higher bits). Falling: left, up right, up, up left. */
#define N_LINES 4
static guint64 rising[BOARD_SQUARES][N_LINES], falling[BOARD_SQUARES][N_LINES];

static guint64
ray (int square, int right, int down)
{
  guint64 squares = 0;
  int file = square % 8 + right, rank = square / 8 + down;
  for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += right, rank += down)
    squares |= (guint64)1 << (rank * 8 + file);
  return squares;
}

__attribute__ ((constructor)) static void
fill_rays (void)
{
  static const int lines[N_LINES][2] = { { 1, 0 }, { -1, 1 }, { 0, 1 }, { 1, 1 } };
  for (int square = 0; square < BOARD_SQUARES; square++)
    for (int line = 0; line < N_LINES; line++)
      {
        rising[square][line] = ray (square, lines[line][0], lines[line][1]);
        falling[square][line] = ray (square, -lines[line][0], -lines[line][1]);
      }
}

guint64
board_flips (const Board *board, int square)
{
  guint64 flips = 0;
  for (int line = 0; line < N_LINES; line++)
    {
      /* The carry of the addition runs through the other side's discs to the first square of the
       * line that has none of these discs. */
      guint64 squares = rising[square][line];
      guint64 end = ((board->theirs | ~squares) + 1) & squares & board->mine;
      flips |= (end - (end != 0)) & squares;

      squares = falling[square][line];
      guint64 others = squares & ~board->theirs;
      end = others != 0 ? (guint64)1 << (63 - __builtin_clzll (others)) & board->mine : 0;
      flips |= squares & -(end << 1);
    }
  return flips;
}

guint64
board_neighbours (guint64 squares)
{
  squares |= (squares << 1 & NOT_FILE_A) | (squares >> 1 & NOT_FILE_H);
  return squares | squares << 8 | squares >> 8;
}

int
board_final_score (const Board *board)
{
  int mine = board_count (board->mine), theirs = board_count (board->theirs);
  if (mine > theirs)
    return BOARD_SQUARES - 2 * theirs;
  return mine < theirs ? 2 * mine - BOARD_SQUARES : 0;
}
