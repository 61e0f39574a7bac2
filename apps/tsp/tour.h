/* tour.h - a tour is checked, written the same way whoever found it, and drawn
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/output.h"
#include "instance.h"

G_BEGIN_DECLS

/**
 * tour_check:
 * @tour: (array): as many numbers as there are cities, from anywhere
 * @length: what it is said to be
 * @error: %SATIN_ERROR_JOB when it does not pass each city once, or is of another length
 *
 * Returns: %TRUE when it is a tour of that length
 */
gboolean tour_check (const Distances *distances, const gint32 *tour, gint32 length, GError **error);

/* Turns @tour, of all cities, so that it begins with the first one and goes on to the lower of its
 * two neighbours. */
void tour_turn (gint32 *tour, gint32 n_cities);

/**
 * tour_draw:
 * @instance: its points are known
 * @tour: of all cities
 * @error: %SATIN_ERROR_IO when the system refuses
 *
 * Writes an SVG picture of it.
 */
gboolean tour_draw (const Instance *instance, const gint32 *tour, AppOutput *output,
                    GError **error);

G_END_DECLS
