/* first-tour.h - a good tour before the search
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

/* How much is done for it. */
typedef enum
{
  FIRST_TOUR_NEAREST, /* on to the nearest city each time */
  FIRST_TOUR_2_OPT,   /* then parts of it are turned round as long as that makes it shorter */
  FIRST_TOUR_OR_OPT,  /* and one to three cities taken out and put in somewhere else */
} FirstTour;

/**
 * first_tour_find:
 * @ret_tour: (out caller-allocates): all cities
 *
 * Tries to begin at each city. Cost: for 100 cities a tenth of a second.
 *
 * Returns: the length of the tour
 */
gint32 first_tour_find (const Distances *distances, FirstTour effort, gint32 *ret_tour);

G_END_DECLS
