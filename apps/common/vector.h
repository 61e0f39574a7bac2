/* vector.h - three doubles: points, directions, velocities and colours
 *
 * Every operation is plain IEEE arithmetic in a fixed order, and the compiler may not fuse a
 * multiplication and an addition. So all nodes compute the same bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <math.h>

#include <satin/base/record.h>

SATIN_RECORD (Vector, (double, x), (double, y), (double, z))

static inline Vector
vector (double x, double y, double z)
{
  return (Vector){ x, y, z };
}

static inline Vector
vector_add (Vector a, Vector b)
{
  return vector (a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline Vector
vector_subtract (Vector a, Vector b)
{
  return vector (a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline Vector
vector_scale (Vector a, double factor)
{
  return vector (a.x * factor, a.y * factor, a.z * factor);
}

/* a + b * factor */
static inline Vector
vector_add_scaled (Vector a, Vector b, double factor)
{
  return vector (a.x + b.x * factor, a.y + b.y * factor, a.z + b.z * factor);
}

/* Multiplies component by component, for example a colour with the colour of a light. */
static inline Vector
vector_multiply (Vector a, Vector b)
{
  return vector (a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline double
vector_dot (Vector a, Vector b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vector
vector_cross (Vector a, Vector b)
{
  return vector (a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double
vector_length (Vector a)
{
  return sqrt (vector_dot (a, a));
}

/* @a must not be the zero vector. */
static inline Vector
vector_normalise (Vector a)
{
  return vector_scale (a, 1 / vector_length (a));
}

/* The mirror image of the direction @a at a plane with the unit normal @normal. */
static inline Vector
vector_reflect (Vector a, Vector normal)
{
  return vector_add_scaled (a, normal, -2 * vector_dot (a, normal));
}

static inline Vector
vector_low (Vector a, Vector b)
{
  return vector (a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

static inline Vector
vector_high (Vector a, Vector b)
{
  return vector (a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

/* Component 0, 1 or 2. */
static inline double
vector_get (Vector a, guint axis)
{
  return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}
