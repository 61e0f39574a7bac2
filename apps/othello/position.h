/* position.h - positions as text: lines of Othello board files, and games played at random
 *
 *   --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; % a comment
 *
 * 64 squares from a1 to h1 to h8, then who is to move: X (also x, *, b, B) for black, O (o, w, W)
 * for white, - or . for an empty square. Spaces may stand anywhere. What follows the first
 * semicolon or % is for people.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "board.h"

G_BEGIN_DECLS

/* Larger files are refused, bytes. */
#define POSITION_FILE_MAX_BYTES (1 << 20)

/* What is to be solved: a board, and what it is called in the answer. */
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
 * @error: %SATIN_ERROR_TRUNCATED when squares or the side are missing, %SATIN_ERROR_FORMAT for
 *   anything that is neither
 *
 * Returns: %TRUE on success
 */
gboolean position_parse (const char *text, Board *ret_board, GError **error);

/**
 * positions_parse:
 * @name: of the file, for names and errors
 * @text: (array length=n_text): its lines; those without a position are skipped
 * @error: as for position_parse(), with the line; %SATIN_ERROR_FORMAT when there is no position
 *
 * Returns: (transfer full) (element-type Position): at least one
 */
GPtrArray *positions_parse (const char *name, const char *text, gsize n_text, GError **error);

/**
 * positions_load:
 * @path: a file
 * @error: as for app_file_read() and positions_parse()
 *
 * Returns: (transfer full) (element-type Position)
 */
GPtrArray *positions_load (const char *path, GError **error);

/* The position of a game in which both sides have moved at random until @n_empty squares, 1 to 60,
 * were empty, and somebody can move; the same for the same @seed. */
Board position_random (int n_empty, guint32 seed);

/* @square as "g8"; "pass" for -1. */
#define SQUARE_TEXT_BYTES 5
void square_to_text (int square, char ret_text[SQUARE_TEXT_BYTES]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Position, position_free)

G_END_DECLS
