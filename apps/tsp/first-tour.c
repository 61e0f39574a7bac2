/* first-tour.c - makes a tour by nearest neighbours, and improves it by 2-opt and Or-opt
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "first-tour.h"

#include <string.h>

/* The most cities that are moved together. */
#define MAX_PART 3

static void
go_to_nearest (const Distances *distances, gint32 start, gint32 *ret_tour)
{
  gint32 n = distances->n_cities;
  gboolean is_on_tour[INSTANCE_MAX_CITIES] = { FALSE };
  ret_tour[0] = start;
  is_on_tour[start] = TRUE;
  for (gint32 i = 1; i < n; i++)
    {
      gint32 nearest = -1;
      for (gint32 city = 0; city < n; city++)
        if (!is_on_tour[city]
            && (nearest < 0
                || distances_get (distances, ret_tour[i - 1], city)
                       < distances_get (distances, ret_tour[i - 1], nearest)))
          nearest = city;
      ret_tour[i] = nearest;
      is_on_tour[nearest] = TRUE;
    }
}

static void
turn_round (gint32 *tour, gint32 first, gint32 last)
{
  for (; first < last; first++, last--)
    {
      gint32 city = tour[first];
      tour[first] = tour[last];
      tour[last] = city;
    }
}

/* Reverses a part of the tour that makes the tour shorter when reversed. Returns: %FALSE when there
 * is none */
static gboolean
turn_part (const Distances *distances, gint32 *tour)
{
  gint32 n = distances->n_cities;
  for (gint32 first = 1; first < n - 1; first++)
    for (gint32 last = first + 1; last < n; last++)
      {
        gint32 before = tour[first - 1], after = tour[(last + 1) % n];
        gint32 now = distances_get (distances, before, tour[first])
                     + distances_get (distances, tour[last], after);
        gint32 turned = distances_get (distances, before, tour[last])
                        + distances_get (distances, tour[first], after);
        if (turned < now)
          {
            turn_round (tour, first, last);
            return TRUE;
          }
      }
  return FALSE;
}

/* Returns: how much longer a tour gets when a part is put between the cities @before and @after,
 * without the length of the part itself. @first, @last: the ends of the part */
static gint32
detour (const Distances *distances, gint32 before, gint32 first, gint32 last, gint32 after)
{
  return distances_get (distances, before, first) + distances_get (distances, last, after)
         - distances_get (distances, before, after);
}

/* Moves the first @n_part cities to another place in the tour, in the same order or reversed, if
 * that makes the tour shorter. Returns: %FALSE when no place does */
static gboolean
move_first (const Distances *distances, gint32 *tour, gint32 n_part)
{
  gint32 n = distances->n_cities, first = tour[0], last = tour[n_part - 1];
  gint32 now = detour (distances, tour[n - 1], first, last, tour[n_part]);
  for (gint32 i = n_part; i < n - 1; i++)
    {
      gint32 moved = detour (distances, tour[i], first, last, tour[i + 1]);
      gint32 turned = detour (distances, tour[i], last, first, tour[i + 1]);
      if (MIN (moved, turned) >= now)
        continue;
      /* The tour begins with the part and the cities up to its new place. Reverses all of these,
       * and then the cities again: so the cities come first, in their old order, and the reversed
       * part follows. */
      turn_round (tour, 0, i);
      turn_round (tour, 0, i - n_part);
      if (moved <= turned)
        turn_round (tour, i - n_part + 1, i);
      return TRUE;
    }
  return FALSE;
}

static gboolean
move_part (const Distances *distances, gint32 *tour)
{
  gint32 n = distances->n_cities;
  for (gint32 n_part = 1; n_part <= MIN (MAX_PART, n - 2); n_part++)
    for (gint32 i = 0; i < n; i++)
      {
        /* Rotates the tour by one city. In a full round, every city is the first once. */
        gint32 first = tour[0];
        memmove (tour, tour + 1, (gsize)(n - 1) * sizeof *tour);
        tour[n - 1] = first;
        if (move_first (distances, tour, n_part))
          return TRUE;
      }
  return FALSE;
}

static void
improve (const Distances *distances, FirstTour effort, gint32 *tour)
{
  while ((effort >= FIRST_TOUR_2_OPT && turn_part (distances, tour))
         || (effort >= FIRST_TOUR_OR_OPT && move_part (distances, tour)))
    continue;
}

gint32
first_tour_find (const Distances *distances, FirstTour effort, gint32 *ret_tour)
{
  gint32 tour[INSTANCE_MAX_CITIES], best = G_MAXINT32;
  for (gint32 start = 0; start < distances->n_cities; start++)
    {
      go_to_nearest (distances, start, tour);
      improve (distances, effort, tour);
      gint32 length = distances_get_length (distances, tour);
      if (length < best)
        {
          best = length;
          memcpy (ret_tour, tour, (gsize)distances->n_cities * sizeof *tour);
        }
    }
  return best;
}
