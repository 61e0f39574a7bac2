/* bound.c - finds the shortest tour with jobs
 *
 *   bound INSTANCE          prints the length of the shortest tour
 *   bound INSTANCE LIMIT    prints yes if there is a tour of at most this length, else no
 *
 * Change the bodies of the tasks "shortest" and "is_there", and add inlets and functions. Both
 * tasks must keep the arguments that they have here. The tests use a root task of their own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tour.h"

#include <satin/core.h>
#include <satin/so.h>
#include <stdlib.h>

/* The length of the shortest tour that begins with @cities. No such tour is shorter than @bound. */
SATIN_TASK (shortest, (long), (int, instance), (object, best), (long, bound), (array_int, cities))
{
  return bound;
}

/* Whether there is a tour of at most @limit that begins with @cities. */
SATIN_TASK (is_there, (boolean), (int, instance), (long, limit), (array_int, cities))
{
  return FALSE;
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
