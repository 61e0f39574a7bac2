/* reference.c - a solution of assignment 4 that gets all points
 *
 * A job is a partial tour. It looks at the best length again when it begins, because better tours
 * may have been found since its spawn. A worker takes the job that it spawned last, so the best
 * child is spawned last.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tour.h"

#include <satin/core.h>
#include <satin/so.h>
#include <stdlib.h>

static int
compare_downwards (const void *one, const void *other)
{
  const Child *a = one, *b = other;
  return (a->bound < b->bound) - (a->bound > b->bound);
}

/* Returns: the length of the shortest tour that begins with @cities, or any length that is not
 * below that of the best tour */
SATIN_TASK (shortest, (long), (int, instance), (object, best), (long, bound), (array_int, cities))
{
  if (bound > SATIN_READ (satin_minimum, best)->value)
    return G_MAXINT64;
  Child children[N_CITIES];
  gint64 least = G_MAXINT64, lengths[N_CITIES];
  guint n = TOUR_EXPAND (instance, cities, n_cities, children);
  if (n == 1)
    {
      SATIN_UPDATE (best, satin_minimum, improve, children[0].bound, NULL, 0);
      return children[0].bound;
    }
  qsort (children, n, sizeof *children, compare_downwards);
  for (guint i = 0; i < n; i++)
    SATIN_SPAWN (&lengths[i], shortest, instance, best, children[i].bound, children[i].cities,
                 n_cities + 1);
  SATIN_SYNC_OR_RETURN (G_MAXINT64);
  for (guint i = 0; i < n; i++)
    least = MIN (least, lengths[i]);
  return least;
}

SATIN_INLET (hear, (gboolean, is_found), (gboolean, result), error)
{
  if (result != NULL && *result)
    {
      *is_found = TRUE;
      SATIN_ABORT_OTHERS ();
    }
}

/* Returns: whether there is a tour of at most @limit that begins with @cities */
SATIN_TASK (is_there, (boolean), (int, instance), (long, limit), (array_int, cities))
{
  Child children[N_CITIES];
  gboolean results[N_CITIES], is_found = FALSE;
  guint n = TOUR_EXPAND (instance, cities, n_cities, children);
  if (n == 1)
    return children[0].bound <= limit;
  qsort (children, n, sizeof *children, compare_downwards);
  for (guint i = 0; i < n; i++)
    if (children[i].bound <= limit)
      SATIN_SPAWN_INLET (&results[i], hear, &is_found, is_there, instance, limit,
                         children[i].cities, n_cities + 1);
  SATIN_SYNC_OR_RETURN (FALSE);
  return is_found;
}

SATIN_TASK (start, (int), (array_string, argv))
{
  if (n_argv != 2 && n_argv != 3)
    return g_printerr ("usage: bound INSTANCE [LIMIT]\n"), 2;
  static const gint32 first[] = { 0 };
  int instance = atoi (argv[1]);
  gint64 length;
  gboolean is_found;
  if (n_argv == 3)
    SATIN_SPAWN (&is_found, is_there, instance, atoll (argv[2]), first, 1);
  else
    SATIN_SPAWN (&length, shortest, instance,
                 SATIN_NEW (satin_minimum, "best", G_MAXINT64, NULL, 0), 0, first, 1);
  SATIN_SYNC_OR_RETURN (1);
  if (n_argv == 3)
    g_print ("%s\n", is_found ? "yes" : "no");
  else
    g_print ("%" G_GINT64_FORMAT "\n", length);
  g_printerr ("%" G_GINT64_FORMAT " expanded\n", tour_n_expanded ());
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
