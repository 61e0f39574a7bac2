/* instance.h - the cities and their distances, as a file describes them
 *
 * Threads: any; an instance does not change once it is read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

/* With fewer cities there is nothing to search. With more cities the search takes too long. */
#define INSTANCE_MIN_CITIES 3
#define INSTANCE_MAX_CITIES 150

/* Even the longest tour through INSTANCE_MAX_CITIES cities has a length that fits 31 bits. */
#define INSTANCE_MAX_DISTANCE 10000000

/* The distances between all cities, which are symmetric. @between: n_cities * n_cities, line by
 * line; 0 from a city to itself */
SATIN_RECORD (Distances, (int, n_cities), (array_int, between))

/* Returns: the distance between two cities, which are numbered from 0 */
static inline gint32
distances_get (const Distances *self, gint32 from, gint32 to)
{
  return self->between[from * self->n_cities + to];
}

/* Returns: the length of the closed tour. @tour: (array length=n_cities): all cities */
gint32 distances_get_length (const Distances *self, const gint32 *tour);

/* The position of a city in a drawing: @x to the right, @y upwards. */
typedef struct
{
  double x;
  double y;
} Point;

/**
 * Instance:
 * @name: (owned): the name in the file, or else the file's own name; UTF-8
 * @distances: (owned)
 * @points: (owned) (nullable) (array length=n_cities): positions of the cities, if they are known
 */
typedef struct
{
  char *name;
  Distances distances;
  Point *points;
} Instance;

void instance_free (Instance *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Instance, instance_free)

G_END_DECLS
