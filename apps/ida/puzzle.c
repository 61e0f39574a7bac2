/* puzzle.c - reads positions, and searches them in plain C
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "puzzle.h"

#include <string.h>

#include "../common/arguments.h"

#define TILE_BITS 4

/* Of Korf's hundred positions, the first three and those with the shortest solutions. */
static const struct
{
  const char *name;
  const char *tiles;
} korfs[] = {
  { "korf:1", "14,13,15,7,11,12,9,5,6,0,2,1,4,8,10,3" },
  { "korf:2", "13,5,4,10,9,12,8,14,2,3,7,1,0,15,11,6" },
  { "korf:3", "14,7,8,2,13,11,10,4,9,12,5,0,3,6,1,15" },
  { "korf:12", "14,1,9,6,4,8,12,5,7,2,3,0,10,11,13,15" },
  { "korf:42", "4,5,7,2,9,14,12,13,0,3,6,11,8,1,15,10" },
  { "korf:55", "13,8,14,3,9,1,0,7,15,5,4,10,12,2,6,11" },
  { "korf:79", "0,1,9,7,11,13,5,3,14,12,4,2,8,6,10,15" },
  { "korf:85", "4,7,13,10,1,2,9,6,12,8,14,5,3,0,11,15" },
};

/* Returns: number of rows and columns between two cells */
static inline int
distance_between (int a, int b)
{
  return ABS (a / PUZZLE_WIDTH - b / PUZZLE_WIDTH) + ABS (a % PUZZLE_WIDTH - b % PUZZLE_WIDTH);
}

/* Sets each of @ret_tiles to a different number below %PUZZLE_N_CELLS. Returns: %FALSE when @text
 * is not all these numbers, with commas */
static gboolean
read_tiles (const char *text, int *ret_tiles)
{
  g_auto (GStrv) words = g_strsplit (text, ",", 0);
  guint seen = 0;
  if (g_strv_length (words) != PUZZLE_N_CELLS)
    return FALSE;
  for (int i = 0; i < PUZZLE_N_CELLS; i++)
    {
      gint64 tile;
      if (!g_ascii_string_to_signed (words[i], 10, 0, PUZZLE_N_CELLS - 1, &tile, NULL)
          || (seen >> tile & 1) != 0)
        return FALSE;
      seen |= 1u << tile;
      ret_tiles[i] = (int)tile;
    }
  return TRUE;
}

/* Each move exchanges the gap and a tile, and moves the gap by one cell. So a position has a
 * solution if and only if two numbers are both even or both odd: the number of exchanges that sort
 * the tiles, and the distance of the gap from its goal. */
static gboolean
is_solvable (const int *tiles, int gap)
{
  int n_exchanges = 0;
  for (int i = 0; i < PUZZLE_N_CELLS; i++)
    for (int j = 0; j < i; j++)
      n_exchanges += tiles[j] > tiles[i];
  return n_exchanges % 2 == distance_between (gap, 0) % 2;
}

/* Makes a position of all tiles, before its first move. */
static Position
position_of (const int *tiles)
{
  Position position = { .last = PUZZLE_N_DIRECTIONS };
  for (int i = 0; i < PUZZLE_N_CELLS; i++)
    {
      position.tiles |= (gint64)((guint64)tiles[i] << i * TILE_BITS);
      if (tiles[i] == 0)
        position.gap = i;
      else
        position.distance += distance_between (i, tiles[i]);
    }
  return position;
}

gboolean
position_parse (const char *text, Position *ret_position, GError **error)
{
  int tiles[PUZZLE_N_CELLS];
  for (gsize i = 0; i < G_N_ELEMENTS (korfs); i++)
    if (strcmp (text, korfs[i].name) == 0)
      text = korfs[i].tiles;
  if (!read_tiles (text, tiles))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "'%s' is no position: give the numbers from 0 to 15 in some order, with commas, "
                   "or korf:N with N 1, 2, 3, 12, 42, 55, 79 or 85",
                   text);
      return FALSE;
    }
  Position position = position_of (tiles);
  if (!is_solvable (tiles, position.gap))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "'%s' has no solution: exchange two tiles", text);
      return FALSE;
    }
  *ret_position = position;
  return TRUE;
}

gboolean
position_check (const Position *self, GError **error)
{
  int tiles[PUZZLE_N_CELLS];
  guint seen = 0;
  for (int i = 0; i < PUZZLE_N_CELLS; i++)
    {
      tiles[i] = (int)((guint64)self->tiles >> i * TILE_BITS & (PUZZLE_N_CELLS - 1));
      seen |= 1u << tiles[i];
    }
  if (seen != (1u << PUZZLE_N_CELLS) - 1)
    return app_argument_refuse ("the position lacks a tile", error);
  Position right = position_of (tiles);
  if (self->gap != right.gap || self->distance != right.distance)
    return app_argument_refuse ("the gap or the distance is not that of the tiles", error);
  return app_argument_check ("direction of the last move", self->last, 0, PUZZLE_N_DIRECTIONS,
                             error);
}

gboolean
position_move (const Position *self, PuzzleDirection direction, Position *ret_position)
{
  static const int steps[] = { -1, 1, -PUZZLE_WIDTH, PUZZLE_WIDTH };
  int column = self->gap % PUZZLE_WIDTH, cell = self->gap + steps[direction];
  if (cell < 0 || cell >= PUZZLE_N_CELLS || (int)direction == (self->last ^ 1)
      || (direction == PUZZLE_LEFT && column == 0)
      || (direction == PUZZLE_RIGHT && column == PUZZLE_WIDTH - 1))
    return FALSE;
  guint64 tile = (guint64)self->tiles >> cell * TILE_BITS & (PUZZLE_N_CELLS - 1);
  guint64 moved = tile << cell * TILE_BITS ^ tile << self->gap * TILE_BITS;
  ret_position->tiles = (gint64)((guint64)self->tiles ^ moved);
  ret_position->distance =
      self->distance + distance_between (self->gap, (int)tile) - distance_between (cell, (int)tile);
  ret_position->gap = cell;
  ret_position->last = (gint32)direction;
  return TRUE;
}

gint64
position_count (const Position *self, int n_moves, gint64 *n_nodes)
{
  gint64 n = 0;
  ++*n_nodes;
  if (n_moves == 0)
    return self->distance == 0;
  for (int direction = 0; direction < PUZZLE_N_DIRECTIONS; direction++)
    {
      Position next;
      if (position_move (self, direction, &next) && next.distance < n_moves)
        n += position_count (&next, n_moves - 1, n_nodes);
    }
  return n;
}
