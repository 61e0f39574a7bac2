/* plain.c - finds the shortest tour in plain C, depth first
 *
 *   plain INSTANCE          prints the length of the shortest tour
 *   plain INSTANCE LIMIT    prints yes if there is a tour of at most this length, else no
 *
 * Given. Your bound.c must print the same, and is called in the same way. Both programs also print
 * on standard error how many partial tours they have expanded.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tour.h"

#include <stdio.h>
#include <stdlib.h>

static int instance;
static gint64 best = G_MAXINT64; /* the length of the shortest tour so far */
static gint64 limit = -1;        /* a tour of at most this length is good enough */

static int
compare (const void *one, const void *other)
{
  const Child *a = one, *b = other;
  return (a->bound > b->bound) - (a->bound < b->bound);
}

/* Whether a child with this bound is worth a search. */
static gboolean
is_wanted (gint64 bound)
{
  return limit < 0 ? bound < best : bound <= limit && best > limit;
}

/* Searches all tours that begin with these cities, the most promising ones first. */
static void
search (const gint32 *cities, gsize n_cities)
{
  Child children[N_CITIES];
  guint n = tour_expand (instance, cities, n_cities, children);
  if (n == 1)
    {
      best = MIN (best, children[0].bound);
      return;
    }
  qsort (children, n, sizeof *children, compare);
  for (guint i = 0; i < n; i++)
    if (is_wanted (children[i].bound))
      search (children[i].cities, n_cities + 1);
}

int
main (int argc, char **argv)
{
  if (argc != 2 && argc != 3)
    {
      fprintf (stderr, "usage: plain INSTANCE [LIMIT]\n");
      return 2;
    }
  static const gint32 first[] = { 0 };
  instance = atoi (argv[1]);
  limit = argc == 3 ? atoll (argv[2]) : -1;
  search (first, 1);
  if (limit >= 0)
    puts (best <= limit ? "yes" : "no");
  else
    printf ("%lld\n", (long long)best);
  fprintf (stderr, "%lld expanded\n", (long long)tour_n_expanded ());
  return 0;
}
