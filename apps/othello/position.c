/* position.c - reads positions, and makes random positions
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "position.h"

#include <satin/base/random.h>
#include <string.h>

#include "../common/file.h"

void
position_free (Position *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self);
}

/* ---- lines ---- */

typedef enum
{
  SIGN_BLACK,
  SIGN_WHITE,
  SIGN_EMPTY,
  SIGN_UNKNOWN,
} Sign;

static Sign
sign_of (char letter)
{
  if (letter == '\0')
    return SIGN_UNKNOWN;
  if (strchr ("Xx*Bb", letter) != NULL)
    return SIGN_BLACK;
  if (strchr ("OoWw", letter) != NULL)
    return SIGN_WHITE;
  return strchr ("-.", letter) != NULL ? SIGN_EMPTY : SIGN_UNKNOWN;
}

/* Returns: the next letter that is not a space; 0 at the end, or at a comment */
static char
next_letter (const char **text)
{
  while (g_ascii_isspace (**text))
    (*text)++;
  if (**text == '\0' || **text == ';' || **text == '%')
    return '\0';
  return *(*text)++;
}

static gboolean
set_unexpected (char letter, const char *expected, GError **error)
{
  if (letter == '\0')
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_TRUNCATED, "expected %s, found the end", expected);
  else
    /* A letter from a file may be part of a UTF-8 character, so print only ASCII. */
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "expected %s, found '%c'", expected,
                 g_ascii_isprint (letter) ? letter : '?');
  return FALSE;
}

/* Reads 64 squares. @ret_discs: the squares that are black, white and empty */
static gboolean
read_squares (const char **text, guint64 ret_discs[3], GError **error)
{
  for (int square = 0; square < BOARD_SQUARES; square++)
    {
      char letter = next_letter (text);
      Sign sign = sign_of (letter);
      if (sign == SIGN_UNKNOWN)
        {
          g_autofree char *expected =
              g_strdup_printf ("X, O or - for the square %c%d", 'a' + square % 8, square / 8 + 1);
          return set_unexpected (letter, expected, error);
        }
      ret_discs[sign] |= (guint64)1 << square;
    }
  return TRUE;
}

gboolean
position_parse (const char *text, Board *ret_board, GError **error)
{
  guint64 discs[3] = { 0 };
  if (!read_squares (&text, discs, error))
    return FALSE;
  char letter = next_letter (&text);
  Sign side = sign_of (letter);
  if (side != SIGN_BLACK && side != SIGN_WHITE)
    return set_unexpected (letter, "X or O, who is to move, after 64 squares", error);
  letter = next_letter (&text);
  if (letter != '\0')
    return set_unexpected (letter, "nothing but a ';' after who is to move", error);
  *ret_board = side == SIGN_BLACK ? (Board){ discs[SIGN_BLACK], discs[SIGN_WHITE] }
                                  : (Board){ discs[SIGN_WHITE], discs[SIGN_BLACK] };
  return TRUE;
}

/* ---- files ---- */

/* Adds the position of @line. Lines without a position are skipped. */
static gboolean
parse_line (const char *name, guint number, const char *line, GPtrArray *positions, GError **error)
{
  const char *begin = line;
  Board board;
  if (next_letter (&begin) == '\0')
    return TRUE;
  if (!position_parse (line, &board, error))
    {
      g_prefix_error (error, "%s: line %u: ", name, number);
      return FALSE;
    }
  Position *position = g_new (Position, 1);
  *position = (Position){ g_strdup_printf ("%s:%u", name, number), board };
  g_ptr_array_add (positions, position);
  return TRUE;
}

GPtrArray *
positions_parse (const char *name, const char *text, gsize n_text, GError **error)
{
  g_autoptr (GPtrArray) positions = g_ptr_array_new_with_free_func ((GDestroyNotify)position_free);
  const char *end = text + n_text;
  guint number = 0;
  for (const char *next; text < end; text = next)
    {
      const char *stop = memchr (text, '\n', (gsize)(end - text));
      next = stop != NULL ? stop + 1 : end;
      g_autofree char *line = g_strndup (text, (gsize)((stop != NULL ? stop : end) - text));
      if (!parse_line (name, ++number, line, positions, error))
        return NULL;
    }
  if (positions->len == 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "%s has no position: give a line of 64 squares and who is to move", name);
      return NULL;
    }
  return g_steal_pointer (&positions);
}

GPtrArray *
positions_load (const char *path, GError **error)
{
  g_autofree char *name = g_filename_display_basename (path), *text = NULL;
  gsize n_text;
  if (!app_file_read ("positions file", path, POSITION_FILE_MAX_BYTES, &text, &n_text, error))
    return NULL;
  return positions_parse (name, text, n_text, error);
}

/* ---- random games ---- */

static int
pick (guint64 squares, guint64 *state)
{
  *state = satin_random_mix (*state);
  for (guint64 n = *state % (guint64)board_count (squares); n > 0; n--)
    squares &= squares - 1;
  return board_first (squares);
}

/* Plays one random game until @n_empty squares are empty. Returns: %FALSE when the game ended
 * before, or no side can move then */
static gboolean
play (int n_empty, guint64 *state, Board *ret_board)
{
  Board board = board_start;
  for (;;)
    {
      guint64 moves = board_moves (&board);
      if (moves == 0)
        {
          board = board_passed (&board);
          moves = board_moves (&board);
        }
      *ret_board = board;
      if (moves == 0 || board_n_empty (&board) == n_empty)
        return moves != 0;
      int square = pick (moves, state);
      board = board_after (&board, square, board_flips (&board, square));
    }
}

Board
position_random (int n_empty, guint32 seed)
{
  guint64 state = seed;
  Board board;
  while (!play (n_empty, &state, &board))
    continue;
  return board;
}

void
square_to_text (int square, char ret_text[SQUARE_TEXT_BYTES])
{
  if (square < 0)
    g_strlcpy (ret_text, "pass", SQUARE_TEXT_BYTES);
  else
    g_snprintf (ret_text, SQUARE_TEXT_BYTES, "%c%d", 'a' + square % 8, square / 8 + 1);
}
