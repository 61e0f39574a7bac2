/* tour.h - partial tours, and how long the tours are that begin with them
 *
 * Given. The tests have their own tour_expand(), which counts what you expand. So they ignore your
 * changes of this file and of tour.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* A tour goes through the cities 0 to N_CITIES - 1 once each, and back to the first one. It begins
 * in city 0. A partial tour is the first cities of a tour. */
#define N_CITIES 12

/* How long it takes to expand a partial tour, in a simulation. */
#define EXPAND_NS 1000000

/* A partial tour with one city more. No tour that begins with these cities is shorter than @bound.
 * If the child has all cities, @bound is the length of the tour. */
typedef struct
{
  gint64 bound;
  gint32 cities[N_CITIES];
} Child;

/* Makes a child for each city that may come next, in the order of their numbers.
 * @cities: a partial tour: @n_cities cities, from 1 to N_CITIES - 1 of them; the first one is 0
 * @ret_children: room for N_CITIES children
 * Returns: the number of children. No bound of a child is below that of the partial tour. */
guint tour_expand (int instance, const gint32 *cities, gsize n_cities, Child *ret_children);

/* Like tour_expand(), for use in a task. In a simulation, each call takes EXPAND_NS. */
#define TOUR_EXPAND(INSTANCE, CITIES, N_CITIES, RET_CHILDREN)                                      \
  (satin_charge (EXPAND_NS), tour_expand (INSTANCE, CITIES, N_CITIES, RET_CHILDREN))

/* How many partial tours this process has expanded. */
gint64 tour_n_expanded (void);
