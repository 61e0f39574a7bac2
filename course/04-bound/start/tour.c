/* tour.c - the distances between the cities of an instance
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tour.h"

#include <string.h>
#include <unistd.h>

/* A process that expands more partial tours than this ends. plain.c expands some thousands. */
#ifndef MOST_EXPANDED
#  define MOST_EXPANDED 2000000
#endif

static gint64 n_expanded; /* atomic */

/* The distance from @from to @to. The distance back may differ. */
static gint64
distance (int instance, int from, int to)
{
  guint32 state = (guint32)instance * 2654435761u + (guint32)(from * N_CITIES + to) * 40503u;
  state = (state ^ (state >> 15)) * 2246822519u;
  state = (state ^ (state >> 13)) * 3266489917u;
  return 100 + (state ^ (state >> 16)) % 900;
}

/* The distance from @from to the city that is nearest to it. */
static gint64
shortest_from (int instance, int from)
{
  gint64 least = G_MAXINT64;
  for (int to = 0; to < N_CITIES; to++)
    if (to != from)
      least = MIN (least, distance (instance, from, to));
  return least;
}

/* The bound of a child is the distances between its cities, and for each city that the tour must
 * still leave the distance to the city that is nearest to it. If the child has all cities, its
 * bound is the length of the tour. */
guint
tour_expand (int instance, const gint32 *cities, gsize n_cities, Child *ret_children)
{
  gint64 length = 0, rest = 0;
  guint32 left = (1u << N_CITIES) - 1;
  guint n = 0;
  if (__atomic_add_fetch (&n_expanded, 1, __ATOMIC_RELAXED) > MOST_EXPANDED)
    {
      g_printerr ("this process has expanded %d partial tours\n", MOST_EXPANDED);
      _exit (3);
    }
  for (gsize i = 0; i < n_cities; i++)
    {
      left &= ~(1u << cities[i]);
      length += i > 0 ? distance (instance, cities[i - 1], cities[i]) : 0;
    }
  for (int city = 0; city < N_CITIES; city++)
    rest += left >> city & 1 ? shortest_from (instance, city) : 0;
  for (int city = 0; city < N_CITIES; city++)
    if (left >> city & 1)
      {
        Child *child = &ret_children[n++];
        *child = (Child){ .bound = length + distance (instance, cities[n_cities - 1], city) };
        child->bound += n_cities + 1 < N_CITIES ? rest : distance (instance, city, cities[0]);
        memcpy (child->cities, cities, n_cities * sizeof *cities);
        child->cities[n_cities] = city;
      }
  return n;
}

gint64
tour_n_expanded (void)
{
  return __atomic_load_n (&n_expanded, __ATOMIC_RELAXED);
}
