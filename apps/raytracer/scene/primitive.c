/* primitive.c - finds where a ray meets a sphere, a cone or a triangle
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "primitive.h"

/* Triangles extend beyond their edges by this share of their size, so that no ray slips through
 * between two neighbours. */
#define TRIANGLE_SLACK 1e-12
/* Boxes are larger than their contents by this share of the coordinates. */
#define BOX_SLACK 1e-9
/* Replaces components of a direction that are 0, or closer to 0 than this. */
#define ALMOST_ZERO 1e-200

static double
inverse (double component)
{
  return 1 / (fabs (component) < ALMOST_ZERO ? copysign (ALMOST_ZERO, component) : component);
}

Ray
ray_new (Vector origin, Vector direction)
{
  return (Ray){
    .origin = origin,
    .direction = direction,
    .inverse = vector (inverse (direction.x), inverse (direction.y), inverse (direction.z)),
  };
}

/* ---- boxes ---- */

/* Returns: the box around a circle with the unit normal @axis */
static Box
circle_box (Vector centre, Vector axis, double radius)
{
  Vector reach = vector (radius * sqrt (MAX (0, 1 - axis.x * axis.x)),
                         radius * sqrt (MAX (0, 1 - axis.y * axis.y)),
                         radius * sqrt (MAX (0, 1 - axis.z * axis.z)));

  return (Box){ vector_subtract (centre, reach), vector_add (centre, reach) };
}

static Box
cone_box (const Cone *cone)
{
  Vector apex = vector_add_scaled (cone->base, cone->axis, cone->length);
  Box low = circle_box (cone->base, cone->axis, cone->radius);
  Box high = circle_box (apex, cone->axis, cone->radius + cone->slope * cone->length);

  return (Box){ vector_low (low.low, high.low), vector_high (low.high, high.high) };
}

static Box
triangle_box (const Triangle *triangle)
{
  Vector a = triangle->corner;
  Vector b = vector_add (a, triangle->edge1);
  Vector c = vector_add (a, triangle->edge2);

  return (Box){ vector_low (a, vector_low (b, c)), vector_high (a, vector_high (b, c)) };
}

Box
primitive_box (const Primitive *self)
{
  Box box = { 0 };
  switch (self->kind)
    {
    case PRIMITIVE_SPHERE:
      {
        double radius = self->sphere.radius;
        Vector reach = vector (radius, radius, radius);
        box.low = vector_subtract (self->sphere.centre, reach);
        box.high = vector_add (self->sphere.centre, reach);
        break;
      }
    case PRIMITIVE_CONE:
      box = cone_box (&self->cone);
      break;
    case PRIMITIVE_TRIANGLE:
      box = triangle_box (&self->triangle);
      break;
    }

  double slack = BOX_SLACK * (vector_length (box.low) + vector_length (box.high));
  box.low = vector_subtract (box.low, vector (slack, slack, slack));
  box.high = vector_add (box.high, vector (slack, slack, slack));
  return box;
}

/* ---- hits ---- */

static gboolean
is_between (double value, double low, double high)
{
  return value > low && value < high;
}

static gboolean
sphere_hit (const Sphere *sphere, const Ray *ray, double low, double high, double *ret_distance)
{
  Vector to = vector_subtract (sphere->centre, ray->origin);
  double along = vector_dot (to, ray->direction);
  Vector beside = vector_add_scaled (to, ray->direction, -along);
  double left = sphere->radius * sphere->radius - vector_dot (beside, beside);
  if (left < 0)
    return FALSE;

  double half = sqrt (left);
  if (is_between (along - half, low, high))
    *ret_distance = along - half;
  else if (is_between (along + half, low, high))
    *ret_distance = along + half;
  else
    return FALSE;
  return TRUE;
}

/* Solves a t^2 + 2 b t + c = 0 without subtracting nearly equal numbers. @ret_t: the solutions, in
 * rising order. Returns: their number */
static guint
solve (double a, double b, double c, double *ret_t)
{
  if (fabs (a) < 1e-14)
    {
      if (b == 0)
        return 0;
      ret_t[0] = -c / (2 * b);
      return 1;
    }
  if (b * b < a * c)
    return 0;

  double root = sqrt (b * b - a * c);
  double sum = b < 0 ? root - b : -(root + b);
  ret_t[0] = sum / a;
  ret_t[1] = sum == 0 ? 0 : c / sum;
  if (ret_t[0] > ret_t[1])
    {
      double first = ret_t[1];
      ret_t[1] = ret_t[0];
      ret_t[0] = first;
    }
  return 2;
}

static gboolean
cone_hit (const Cone *cone, const Ray *ray, double low, double high, double *ret_distance)
{
  Vector from = vector_subtract (ray->origin, cone->base);
  double height = vector_dot (from, cone->axis);
  double climb = vector_dot (ray->direction, cone->axis);
  double radius = cone->radius + cone->slope * height;
  double widen = cone->slope * climb;
  double t[2];
  guint n = solve (1 - climb * climb - widen * widen,
                   vector_dot (from, ray->direction) - height * climb - radius * widen,
                   vector_dot (from, from) - height * height - radius * radius, t);

  for (guint i = 0; i < n; i++)
    {
      double at = height + t[i] * climb;

      if (is_between (t[i], low, high) && at >= 0 && at <= cone->length)
        {
          *ret_distance = t[i];
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
triangle_hit (const Triangle *triangle, const Ray *ray, double low, double high,
              double *ret_distance)
{
  Vector across = vector_cross (ray->direction, triangle->edge2);
  double volume = vector_dot (triangle->edge1, across);
  if (volume == 0)
    return FALSE;

  Vector from = vector_subtract (ray->origin, triangle->corner);
  double u = vector_dot (from, across) / volume;
  if (u < -TRIANGLE_SLACK || u > 1 + TRIANGLE_SLACK)
    return FALSE;

  Vector turned = vector_cross (from, triangle->edge1);
  double v = vector_dot (ray->direction, turned) / volume;
  if (v < -TRIANGLE_SLACK || u + v > 1 + TRIANGLE_SLACK)
    return FALSE;

  double t = vector_dot (triangle->edge2, turned) / volume;
  if (!is_between (t, low, high))
    return FALSE;
  *ret_distance = t;
  return TRUE;
}

gboolean
primitive_hit (const Primitive *self, const Ray *ray, double low, double high, double *ret_distance)
{
  switch (self->kind)
    {
    case PRIMITIVE_SPHERE:
      return sphere_hit (&self->sphere, ray, low, high, ret_distance);
    case PRIMITIVE_CONE:
      return cone_hit (&self->cone, ray, low, high, ret_distance);
    case PRIMITIVE_TRIANGLE:
      return triangle_hit (&self->triangle, ray, low, high, ret_distance);
    }
  g_assert_not_reached ();
}

/* ---- normals ---- */

static Vector
cone_normal (const Cone *cone, Vector point)
{
  Vector from = vector_subtract (point, cone->base);
  Vector out = vector_add_scaled (from, cone->axis, -vector_dot (from, cone->axis));
  double radius = vector_length (out);

  /* At the tip of a cone the normal points along the axis. */
  if (radius == 0)
    return vector_scale (cone->axis, cone->slope > 0 ? -1 : 1);
  out = vector_scale (out, 1 / radius);
  return vector_normalise (vector_add_scaled (out, cone->axis, -cone->slope));
}

/* Interpolates between the corner normals. @corners: the normals at the triangle's three corners;
 * @flat: the triangle's own normal */
static Vector
triangle_smooth_normal (const Triangle *triangle, const Vector *corners, Vector point, Vector flat)
{
  Vector from = vector_subtract (point, triangle->corner);
  Vector whole = vector_cross (triangle->edge1, triangle->edge2);
  double area = vector_dot (whole, whole);
  double u = vector_dot (vector_cross (from, triangle->edge2), whole) / area;
  double v = vector_dot (vector_cross (triangle->edge1, from), whole) / area;
  Vector sum = vector_scale (corners[0], 1 - u - v);

  sum = vector_add_scaled (sum, corners[1], u);
  sum = vector_add_scaled (sum, corners[2], v);
  /* Corner normals that point against each other may cancel out. */
  return vector_dot (sum, sum) == 0 ? flat : vector_normalise (sum);
}

Vector
primitive_normal (const Primitive *self, const Vector *corners, Vector point, Vector *ret_true)
{
  switch (self->kind)
    {
    case PRIMITIVE_SPHERE:
      *ret_true = vector_normalise (vector_subtract (point, self->sphere.centre));
      break;
    case PRIMITIVE_CONE:
      *ret_true = cone_normal (&self->cone, point);
      break;
    case PRIMITIVE_TRIANGLE:
      *ret_true = vector_normalise (vector_cross (self->triangle.edge1, self->triangle.edge2));
      if (self->normals != PRIMITIVE_FLAT)
        return triangle_smooth_normal (&self->triangle, corners + self->normals, point, *ret_true);
      break;
    }
  return *ret_true;
}
