/* partial.h - a tour that is not closed yet
 *
 * Of the two directions of a tour one counts: that in which the first city is left
 * for the nearer of its two neighbours, or of equally near ones for that with the
 * lower number. So no tour is looked at twice.
 *
 * Threads: any, each with its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "instance.h"

G_BEGIN_DECLS

/**
 * Partial:
 * @distances: (borrowed)
 * @path: the tour so far; a closed one ends where it begins
 * @length: of the path
 * @left: the cities that are not on it, in any order
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

/* @path: (array length=n_path): different cities; it is copied */
void partial_init (Partial *self, const Distances *distances, const gint32 *path, gsize n_path);

static inline gint32
partial_end (const Partial *self)
{
  return self->path[self->n_path - 1];
}

/* Goes on to @city, which is left. */
void partial_step (Partial *self, gint32 city);

/* Takes the last step back. */
void partial_back (Partial *self);

/* Whether a tour with this beginning, and then @next, may end with @city: in the other direction it
 * is another one's. */
gboolean partial_may_close (const Partial *self, gint32 next, gint32 city);

G_END_DECLS
