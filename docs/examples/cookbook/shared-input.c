/* shared-input.c - a large input that all jobs read: a shared object, sent once to each node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <satin/so.h>

#define GRAIN 50

/* A type of objects without methods: nothing changes them. */
SATIN_OBJECT_TYPE (points, (array_int, xs), (array_int, ys))

/* Counts the pairs of points that are nearer to each other than @distance. The first point of each
 * pair has an index from @first up to but not including @end. */
SATIN_TASK (count_pairs, (long), (object, all), (long, distance), (long, first), (long, end))
{
  gint64 left, right, n = 0;
  if (end - first > GRAIN)
    {
      gint64 middle = first + (end - first) / 2;
      SATIN_SPAWN (&left, count_pairs, all, distance, first, middle);
      SATIN_SPAWN (&right, count_pairs, all, distance, middle, end);
      SATIN_SYNC_OR_RETURN (0);
      return left + right;
    }
  const points_state *points = SATIN_READ (points, all);
  for (gint64 i = first; i < end; i++)
    for (gsize j = (gsize)i + 1; j < points->n_xs; j++)
      {
        gint64 x = points->xs[i] - points->xs[j], y = points->ys[i] - points->ys[j];
        n += x * x + y * y < distance * distance;
      }
  return n;
}

SATIN_TASK (start, (int), (array_string, argv))
{
  gint64 n_points, n_pairs;
  if (n_argv != 2 || !g_ascii_string_to_signed (argv[1], 10, 1, 1000000, &n_points, NULL))
    return g_printerr ("usage: shared-input POINTS, 1 to 1000000\n"), 2;
  g_autofree gint32 *xs = g_new (gint32, n_points);
  g_autofree gint32 *ys = g_new (gint32, n_points);
  for (gint64 i = 0; i < n_points; i++)
    {
      xs[i] = (gint32)(i * 7919 % 10007);
      ys[i] = (gint32)(i * i % 10009);
    }
  SatinObject all = SATIN_NEW (points, "input", xs, (gsize)n_points, ys, (gsize)n_points);
  SATIN_SPAWN (&n_pairs, count_pairs, all, 100, 0, n_points);
  SATIN_SYNC_OR_RETURN (1);
  g_print ("%" G_GINT64_FORMAT " pairs are near\n", n_pairs);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
