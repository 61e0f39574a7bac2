/* instance.h - cities and what lies between them, as a file describes them
 *
 * Threads: any; an instance does not change once it is read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

/* A tour of fewer cities is no search; nobody waits for the end of one of more. */
#define INSTANCE_MIN_CITIES 3
#define INSTANCE_MAX_CITIES 150

/* The longest tour of the most cities still fits 31 bits. */
#define INSTANCE_MAX_DISTANCE 10000000

/* Symmetric. @between: n_cities * n_cities, line by line, 0 from a city to itself */
SATIN_RECORD (Distances, (int, n_cities), (array_int, between))

/* The way from one city to another; both count from 0. */
static inline gint32
distances_get (const Distances *self, gint32 from, gint32 to)
{
  return self->between[from * self->n_cities + to];
}

/* @tour: (array length=n_cities): Returns: the length of the way through them and back. */
gint32 distances_get_length (const Distances *self, const gint32 *tour);

/* Where a city is drawn: @x to the right, @y upwards. */
typedef struct
{
  double x;
  double y;
} Point;

/**
 * Instance:
 * @name: (owned): what its author calls it; UTF-8
 * @distances: (owned)
 * @points: (owned) (nullable) (array length=n_cities): where the cities are, if that is known
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
