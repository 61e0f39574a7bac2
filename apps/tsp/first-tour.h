/* first-tour.h - finds a good tour before the search begins
 *
 * Threads: any. Source: G. A. Croes, "A Method for Solving Traveling-Salesman Problems", Operations
 * Research 6, 1958; I. Or, "Traveling Salesman-Type Combinatorial Problems", Northwestern
 * University 1976.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "instance.h"

G_BEGIN_DECLS

/* How much work goes into the first tour. */
typedef enum
{
  FIRST_TOUR_NEAREST, /* after each city comes the nearest city that is left */
  FIRST_TOUR_2_OPT,   /* also reverse parts of the tour, as long as that makes the tour shorter */
  FIRST_TOUR_OR_OPT,  /* also move one to three cities, as long as that makes the tour shorter */
} FirstTour;

/**
 * first_tour_find:
 * @ret_tour: (out caller-allocates): room for all cities
 *
 * Makes a tour from each city as the beginning, and keeps the shortest. Cost: a tenth of a second
 * for 100 cities.
 *
 * Returns: the length of the tour
 */
gint32 first_tour_find (const Distances *distances, FirstTour effort, gint32 *ret_tour);

G_END_DECLS
