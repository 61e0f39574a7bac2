/* cutoff.c - divide and conquer with a cutoff: plain C where little work is left
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

/* This many last rows are searched without jobs. */
#define GRAIN 6

/* Counts the ways to set a queen in each of the @rows that are left. Each bit is a square of the
 * next row: in @all the squares of the board, in @columns, @left and @right the attacked ones. */
static gint64
place_plainly (int rows, guint32 all, guint32 columns, guint32 left, guint32 right)
{
  gint64 n = rows == 0;
  for (guint32 squares = all & ~(columns | left | right); rows > 0 && squares != 0;
       squares &= squares - 1)
    {
      guint32 queen = squares & -squares;
      n +=
          place_plainly (rows - 1, all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
  return n;
}

SATIN_TASK (place, (long), (int, rows), (int, all), (int, columns), (int, left), (int, right))
{
  gint64 ways[32], n_ways = 0;
  guint n = 0;
  if (rows <= GRAIN)
    return place_plainly (rows, (guint32)all, (guint32)columns, (guint32)left, (guint32)right);
  for (gint32 squares = all & ~(columns | left | right); squares != 0; squares &= squares - 1)
    {
      gint32 queen = squares & -squares;
      SATIN_SPAWN (&ways[n++], place, rows - 1, all, columns | queen, (left | queen) << 1 & all,
                   (right | queen) >> 1);
    }
  SATIN_SYNC_OR_RETURN (0);
  while (n > 0)
    n_ways += ways[--n];
  return n_ways;
}

SATIN_TASK (start, (int), (array_string, argv))
{
  gint64 size, n_ways;
  if (n_argv != 2 || !g_ascii_string_to_signed (argv[1], 10, 1, 20, &size, NULL))
    return g_printerr ("usage: cutoff SIZE, 1 to 20\n"), 2;
  SATIN_SPAWN (&n_ways, place, (int)size, (1 << size) - 1, 0, 0, 0);
  SATIN_SYNC_OR_RETURN (1);
  g_print ("%" G_GINT64_FORMAT " boards of %" G_GINT64_FORMAT " queens\n", n_ways, size);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
