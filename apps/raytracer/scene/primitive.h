/* primitive.h - the primitives of a scene: spheres, cones, triangles
 *
 * A polygon is cut into triangles when it is added (polygon.h). A cylinder is a cone with two equal
 * radii.
 *
 * Threads: any; no function here changes its arguments.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../../common/vector.h"

/**
 * Ray:
 * @direction: of length 1
 * @inverse: 1 / @direction, component by component; a very large number where a component is 0
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
 * @length: length of the axis
 * @radius: radius at the base
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
 * @edge1: vector from @corner to the second corner
 * @edge2: vector from @corner to the third corner
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

/* The value of @normals in a #Primitive without corner normals. */
#define PRIMITIVE_FLAT G_MAXUINT32

/**
 * Primitive:
 * @surface: index in the scene's surfaces
 * @normals: of a triangle: index of its first corner normal in the scene's corners, the next two
 *   follow; or %PRIMITIVE_FLAT
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

/* Makes a ray. @direction: of length 1 */
Ray ray_new (Vector origin, Vector direction);

/* Returns: a box that holds the whole primitive, a little larger than necessary */
Box primitive_box (const Primitive *self);

/**
 * primitive_hit:
 * @low: hits at this distance or nearer do not count
 * @high: hits at this distance or farther do not count
 * @ret_distance: (out): along the ray; untouched when there is no hit
 *
 * Finds the first hit between @low and @high, on either side of the surface.
 */
gboolean primitive_hit (const Primitive *self, const Ray *ray, double low, double high,
                        double *ret_distance);

/**
 * primitive_normal:
 * @corners: all corner normals of the scene
 * @point: a point on the primitive
 * @ret_true: (out): the geometric normal at @point, of length 1: outwards; of a triangle, in the
 *   direction of @edge1 x @edge2
 *
 * Returns: the normal for shading: in a triangle with corner normals interpolated between them,
 *   else the same as @ret_true
 */
Vector primitive_normal (const Primitive *self, const Vector *corners, Vector point,
                         Vector *ret_true);
