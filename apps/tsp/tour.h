/* tour.h - checks a tour, brings it into a standard form, and draws it
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
 * @tour: (array): as many numbers as there are cities; the numbers may be invalid
 * @length: the length that @tour should have
 * @error: %SATIN_ERROR_JOB when @tour does not pass each city once, or has another length
 *
 * Returns: %TRUE when @tour is a tour of that length
 */
gboolean tour_check (const Distances *distances, const gint32 *tour, gint32 length, GError **error);

/* Rotates @tour, and reverses it if necessary, so that it begins with city 0, and the neighbour of
 * city 0 that has the lower number comes next. */
void tour_turn (gint32 *tour, gint32 n_cities);

/**
 * tour_draw:
 * @instance: its points must be known
 * @tour: (array): all cities
 * @error: %SATIN_ERROR_IO when the file cannot be written
 *
 * Writes an SVG picture of the tour.
 */
gboolean tour_draw (const Instance *instance, const gint32 *tour, AppOutput *output,
                    GError **error);

G_END_DECLS
