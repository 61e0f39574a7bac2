/* position.h - positions as text: lines of Othello board files, and random positions
 *
 *   --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; % a comment
 *
 * First come 64 squares, from a1 to h1 and on to h8: X (or x, *, b, B) for black, O (or o, w, W)
 * for white, - or . for empty. Then comes the side to move. Spaces may stand anywhere. Text after
 * the first semicolon or % is a comment.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "board.h"

G_BEGIN_DECLS

/* Larger files are refused. */
#define POSITION_FILE_MAX_BYTES (1 << 20)

/* A position to solve, and its name in the output. */
typedef struct
{
  char *name; /* (owned) */
  Board board;
} Position;

void position_free (Position *self);

/**
 * position_parse:
 * @text: one line
 * @ret_board: (out): untouched on failure
 * @error: %SATIN_ERROR_TRUNCATED when squares or the side to move are missing, %SATIN_ERROR_FORMAT
 *   for a wrong letter, or one too many
 *
 * Returns: %TRUE on success
 */
gboolean position_parse (const char *text, Board *ret_board, GError **error);

/**
 * positions_parse:
 * @name: the file's name, for the names of the positions and for errors
 * @text: (array length=n_text): the file's lines; lines without a position are skipped
 * @error: as for position_parse(), with the line; %SATIN_ERROR_FORMAT when there is no position
 *
 * Returns: (transfer full) (element-type Position): one position or more
 */
GPtrArray *positions_parse (const char *name, const char *text, gsize n_text, GError **error);

/**
 * positions_load:
 * @path: the file's path
 * @error: as for app_file_read() and positions_parse()
 *
 * Returns: (transfer full) (element-type Position)
 */
GPtrArray *positions_load (const char *path, GError **error);

/* Returns: a position from a game with random moves, with @n_empty empty squares, 1 to 60, and at
 * least one move for the side to move; always the same for the same @seed */
Board position_random (int n_empty, guint32 seed);

/* Writes a square as text, such as "g8"; "pass" for -1. */
#define SQUARE_TEXT_BYTES 5
void square_to_text (int square, char ret_text[SQUARE_TEXT_BYTES]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Position, position_free)

G_END_DECLS
