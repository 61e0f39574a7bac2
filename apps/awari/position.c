/* position.c - moves, and numbers of positions
 *
 * Twelve pits with n stones are n stones and 11 walls in a row. The walls stand at 11 of n + 11
 * places. So the number of a position is the number of a set of 11 places: the sum of C(b, i + 1)
 * over all walls i, which stand at the places b.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "position.h"

#include <string.h>

#define N_WALLS    (POSITION_N_PITS - 1)
#define MAX_PLACES (48 + POSITION_N_PITS)

/* choose[k][n]: in how many ways k of n things can be chosen. */
static gint64 choose[POSITION_N_PITS + 1][MAX_PLACES + 1];

__attribute__ ((constructor)) static void
fill_choose (void)
{
  for (int n = 0; n <= MAX_PLACES; n++)
    {
      choose[0][n] = 1;
      for (int k = 1; k <= POSITION_N_PITS && n > 0; k++)
        choose[k][n] = choose[k - 1][n - 1] + choose[k][n - 1];
    }
}

gint64
position_count (int n_stones)
{
  return choose[N_WALLS][n_stones + N_WALLS];
}

gint64
position_count_below (int n_stones)
{
  return choose[POSITION_N_PITS][n_stones + N_WALLS];
}

gint64
position_get_index (const Position *self)
{
  gint64 index = 0;
  for (int i = 0, place = 0; i < N_WALLS; i++, place++)
    {
      place += self->pits[i];
      index += choose[i + 1][place];
    }
  return index;
}

Position
position_at (int n_stones, gint64 index)
{
  Position position;
  int above = n_stones + N_WALLS;
  for (int i = N_WALLS - 1; i >= 0; i--)
    {
      int place = above - 1;
      while (choose[i + 1][place] > index)
        place--;
      index -= choose[i + 1][place];
      position.pits[i + 1] = (guint8)(above - place - 1);
      above = place;
    }
  position.pits[0] = (guint8)above;
  return position;
}

/* The first wall that can moves one place up, and all walls below it move down. Below it, only the
 * first pit can have stones. */
void
position_go_on (Position *self)
{
  guint8 n_first = self->pits[0];
  int pit = 1;
  while (self->pits[pit] == 0)
    pit++;
  self->pits[0] = 0;
  self->pits[pit]--;
  self->pits[pit - 1] = n_first + 1;
}

int
position_count_stones (const Position *self)
{
  int n = 0;
  for (int i = 0; i < POSITION_N_PITS; i++)
    n += self->pits[i];
  return n;
}

gboolean
position_is_over (const Position *self)
{
  guint any = 0;
  for (int i = 0; i < POSITION_N_OWN; i++)
    any |= self->pits[i];
  return any == 0;
}

/* Returns: the same position as the other player sees it */
static Position
turn (const Position *self)
{
  Position turned;
  memcpy (turned.pits, self->pits + POSITION_N_OWN, POSITION_N_OWN);
  memcpy (turned.pits + POSITION_N_OWN, self->pits, POSITION_N_OWN);
  return turned;
}

/* Returns: the pit after @pit, when stones from the pit @from are sown */
static inline int
next_pit (int pit, int from)
{
  pit = pit + 1 == POSITION_N_PITS ? 0 : pit + 1;
  return pit != from ? pit : pit + 1;
}

/* Whether a last stone that makes @n stones in @pit captures them. */
static inline gboolean
is_captured (int pit, int n)
{
  return pit >= POSITION_N_OWN && (n == 2 || n == 3);
}

int
position_move (const Position *self, int pit, Position *ret_next)
{
  Position after = *self;
  int captured = 0, last = pit;
  after.pits[pit] = 0;
  for (int n = self->pits[pit]; n > 0; n--)
    {
      last = next_pit (last, pit);
      after.pits[last]++;
    }
  for (; is_captured (last, after.pits[last]); last--)
    {
      captured += after.pits[last];
      after.pits[last] = 0;
    }
  *ret_next = turn (&after);
  return captured;
}

int
position_get_exits (const Position *self, int n_stones, const gint8 *below, int *ret_n_inside)
{
  gboolean has_move = FALSE, is_allowed = FALSE;
  int best = POSITION_NO_EXIT, n_inside = 0;
  for (int pit = 0; pit < POSITION_N_OWN; pit++)
    {
      Position next;
      if (self->pits[pit] == 0)
        continue;
      has_move = TRUE;
      int captured = position_move (self, pit, &next);
      if (position_is_over (&next))
        continue;
      is_allowed = TRUE;
      if (captured == 0)
        n_inside++;
      else
        {
          gint64 index = position_count_below (n_stones - captured) + position_get_index (&next);
          best = MAX (best, captured - below[index]);
        }
    }
  *ret_n_inside = n_inside;
  if (is_allowed)
    return best;
  /* If each move leaves the opponent without stones, the player gets them all. */
  return has_move ? n_stones : -n_stones;
}

/* Takes the move back that ended with @after and began at the pit @from: once for each number of
 * stones that it may have had. Returns: number of positions written to @ret_indexes */
static int
take_back (const Position *after, int from, gint32 *ret_indexes)
{
  Position before = *after;
  int n = 0;
  for (int pit = next_pit (from, from);; pit = next_pit (pit, from))
    {
      if (before.pits[pit] == 0)
        return n;
      before.pits[pit]--;
      before.pits[from]++;
      if (!is_captured (pit, after->pits[pit]))
        ret_indexes[n++] = (gint32)position_get_index (&before);
    }
}

int
position_list_predecessors (const Position *self, gint32 *ret_indexes)
{
  Position after = turn (self);
  int n = 0;
  if (position_is_over (self))
    return 0;
  for (int from = 0; from < POSITION_N_OWN; from++)
    if (after.pits[from] == 0)
      n += take_back (&after, from, ret_indexes + n);
  return n;
}

gboolean
position_parse (const char *text, Position *ret_position, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", 0);
  Position position;
  gboolean is_good = g_strv_length (words) == POSITION_N_PITS;
  for (int i = 0; is_good && i < POSITION_N_PITS; i++)
    {
      guint64 n;
      is_good = g_ascii_string_to_unsigned (words[i], 10, 0, POSITION_MAX_STONES, &n, NULL);
      position.pits[i] = is_good ? (guint8)n : 0;
    }
  if (is_good && position_count_stones (&position) <= POSITION_MAX_STONES)
    {
      *ret_position = position;
      return TRUE;
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "'%s' is not a position: give the stones of %d pits with commas, %d stones at most",
               text, POSITION_N_PITS, POSITION_MAX_STONES);
  return FALSE;
}
