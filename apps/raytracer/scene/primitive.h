/* primitive.h - what a scene is made of: spheres, cones, triangles
 *
 * A polygon is cut into triangles when it is added (polygon.h); a cylinder is a
 * cone whose radii are equal.
 *
 * Threads: any; nothing here changes its arguments.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../../common/vector.h"

/**
 * Ray:
 * @direction: of length 1
 * @inverse: 1 / @direction by component, finite also for a component of 0
 */
typedef struct
{
  Vector origin;
  Vector direction;
  Vector inverse;
} Ray;

typedef struct
{
  Vector low, high;
} Box;

typedef struct
{
  Vector centre;
  double radius;
} Sphere;

/**
 * Cone:
 * @base: centre of the base circle
 * @axis: from the base to the apex, of length 1
 * @length: of the axis
 * @radius: at the base
 * @slope: change of the radius for each unit along the axis; 0 for a cylinder
 *
 * The side of a truncated cone; it has no end caps.
 */
typedef struct
{
  Vector base;
  Vector axis;
  double length;
  double radius;
  double slope;
} Cone;

/**
 * Triangle:
 * @edge1: second corner less @corner
 * @edge2: third corner less @corner
 */
typedef struct
{
  Vector corner;
  Vector edge1;
  Vector edge2;
} Triangle;

typedef enum
{
  PRIMITIVE_SPHERE,
  PRIMITIVE_CONE,
  PRIMITIVE_TRIANGLE,
} PrimitiveKind;

/* Primitive.normals of a flat triangle. */
#define PRIMITIVE_FLAT G_MAXUINT32

/**
 * Primitive:
 * @surface: index of its surface in the scene
 * @normals: of a triangle: index of its three corner normals in the scene, or %PRIMITIVE_FLAT
 */
typedef struct
{
  PrimitiveKind kind;
  guint32 surface;
  guint32 normals;
  union
  {
    Sphere sphere;
    Cone cone;
    Triangle triangle;
  };
} Primitive;

/* @direction: of length 1 */
Ray ray_new (Vector origin, Vector direction);

/* A box that holds all of the primitive, with a little to spare. */
Box primitive_box (const Primitive *self);

/**
 * primitive_hit:
 * @low: hits at or before this distance do not count
 * @high: nor do hits at or beyond this one
 * @ret_distance: (out): along the ray; untouched when nothing is hit
 *
 * Finds the first hit between @low and @high; of a surface's two sides both are hit.
 */
gboolean primitive_hit (const Primitive *self, const Ray *ray, double low, double high,
                        double *ret_distance);

/**
 * primitive_normal:
 * @corners: the scene's corner normals
 * @point: on the primitive
 * @ret_true: (out): the surface's own normal there, outwards, of length 1
 *
 * Returns: the normal to shade with: interpolated over a triangle that has corner
 *   normals, else the same as @ret_true
 */
Vector primitive_normal (const Primitive *self, const Vector *corners, Vector point,
                         Vector *ret_true);
