/* small-worlds.c - random cities, and their shortest tour by trying all
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "small-worlds.h"

#include <string.h>

Distances
small_world_new (gint32 n_cities, gint32 max)
{
  gint32 *between = g_new0 (gint32, n_cities * n_cities);
  for (gint32 i = 0; i < n_cities; i++)
    for (gint32 j = 0; j < i; j++)
      between[i * n_cities + j] = between[j * n_cities + i] = g_test_rand_int_range (0, max + 1);
  return (Distances){ n_cities, between, (gsize)n_cities * (gsize)n_cities };
}

static void
try_all (const Distances *distances, gint32 *tour, gint32 n_set, gint32 *shortest)
{
  gint32 n = distances->n_cities;
  if (n_set == n)
    *shortest = MIN (*shortest, distances_get_length (distances, tour));
  for (gint32 i = n_set; i < n; i++)
    {
      gint32 city = tour[i];
      tour[i] = tour[n_set];
      tour[n_set] = city;
      try_all (distances, tour, n_set + 1, shortest);
      tour[n_set] = tour[i];
      tour[i] = city;
    }
}

gint32
small_world_find_shortest (const Distances *distances, const gint32 *path, gint32 n_path)
{
  gint32 tour[INSTANCE_MAX_CITIES], shortest = G_MAXINT32, n = n_path;
  memcpy (tour, path, (gsize)n_path * sizeof *path);
  for (gint32 city = 0; city < distances->n_cities; city++)
    {
      gboolean is_on_path = FALSE;
      for (gint32 i = 0; i < n_path; i++)
        is_on_path |= path[i] == city;
      if (!is_on_path)
        tour[n++] = city;
    }
  try_all (distances, tour, n_path, &shortest);
  return shortest;
}
