/* partial.h - the beginning of a tour, which is not closed yet
 *
 * A tour has two directions, of which only one is searched: from the first city to the nearer of
 * its two neighbours. If both neighbours are equally near, it is the direction to the neighbour
 * with the lower number. So no tour is searched twice.
 *
 * Threads: any; each Partial belongs to one thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "instance.h"

G_BEGIN_DECLS

/**
 * Partial:
 * @distances: (borrowed)
 * @path: the cities so far, in order
 * @length: length of the path
 * @left: the cities that are not on the path, in any order
 */
typedef struct
{
  const Distances *distances;
  gint32 path[INSTANCE_MAX_CITIES];
  gint32 n_path;
  gint32 length;
  gint32 left[INSTANCE_MAX_CITIES];
  gint32 n_left;
} Partial;

/* Begins with a path. @path: (array length=n_path): different cities; copied */
void partial_init (Partial *self, const Distances *distances, const gint32 *path, gsize n_path);

static inline gint32
partial_end (const Partial *self)
{
  return self->path[self->n_path - 1];
}

/* Adds @city to the path. @city: one of the cities that are left */
void partial_step (Partial *self, gint32 city);

/* Takes the last city off the path. */
void partial_back (Partial *self);

/* Whether a tour that begins with this path and continues with @next may end with @city. If not,
 * the search meets the same tour in the other direction. */
gboolean partial_may_close (const Partial *self, gint32 next, gint32 city);

G_END_DECLS
