/* polygon.c - cuts polygons into triangles by ear clipping
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "polygon.h"

/* A polygon that is being cut. @normal: its normal, whose length is twice the area; @left: the
 * indices of the corners that are not cut off yet */
typedef struct
{
  const Vector *corners;
  Vector normal;
  guint left[POLYGON_MAX_CORNERS];
  guint n_left;
} Cutter;

/* Returns: the signed area of the triangle, times a positive constant; above 0 when the triangle
 * turns the same way as the polygon */
static double
area (const Cutter *self, guint a, guint b, guint c)
{
  Vector ab = vector_subtract (self->corners[b], self->corners[a]);
  Vector ac = vector_subtract (self->corners[c], self->corners[a]);

  return vector_dot (vector_cross (ab, ac), self->normal);
}

static gboolean
is_same_place (const Cutter *self, guint a, guint b)
{
  Vector gap = vector_subtract (self->corners[a], self->corners[b]);

  return vector_dot (gap, gap) == 0;
}

static gboolean
is_inside (const Cutter *self, guint a, guint b, guint c, guint point)
{
  if (is_same_place (self, a, point) || is_same_place (self, b, point)
      || is_same_place (self, c, point))
    return FALSE;
  return area (self, a, b, point) >= 0 && area (self, b, c, point) >= 0
         && area (self, c, a, point) >= 0;
}

static gboolean
is_ear (const Cutter *self, guint a, guint b, guint c)
{
  if (area (self, a, b, c) <= 0)
    return FALSE;
  for (guint i = 0; i < self->n_left; i++)
    {
      guint point = self->left[i];

      if (point != a && point != b && point != c && is_inside (self, a, b, c, point))
        return FALSE;
    }
  return TRUE;
}

/* Returns: the index in @left of the next ear; 0 when there is none, so the rest is cut like a
 * fan */
static guint
find_ear (const Cutter *self)
{
  for (guint i = 0; i < self->n_left; i++)
    {
      guint before = self->left[(i + self->n_left - 1) % self->n_left];
      guint after = self->left[(i + 1) % self->n_left];

      if (is_ear (self, before, self->left[i], after))
        return i;
    }
  return 0;
}

static Vector
area_vector (const Vector *corners, guint n_corners)
{
  Vector sum = { 0 };

  for (guint i = 1; i + 1 < n_corners; i++)
    sum = vector_add (sum, vector_cross (vector_subtract (corners[i], corners[0]),
                                         vector_subtract (corners[i + 1], corners[0])));
  return sum;
}

guint
polygon_cut (const Vector *corners, guint n_corners, guint *ret_triangles)
{
  Cutter self = { .corners = corners, .n_left = n_corners };
  guint n = 0;

  g_return_val_if_fail (n_corners >= 3 && n_corners <= POLYGON_MAX_CORNERS, 0);

  self.normal = area_vector (corners, n_corners);
  for (guint i = 0; i < n_corners; i++)
    self.left[i] = i;
  while (self.n_left >= 3)
    {
      guint ear = find_ear (&self);
      guint a = self.left[(ear + self.n_left - 1) % self.n_left];
      guint b = self.left[ear];
      guint c = self.left[(ear + 1) % self.n_left];
      guint triangle[3] = { a, b, c };

      if (area (&self, a, b, c) != 0)
        memcpy (ret_triangles + 3 * n++, triangle, sizeof triangle);
      self.n_left--;
      memmove (self.left + ear, self.left + ear + 1, (self.n_left - ear) * sizeof self.left[0]);
    }
  return n;
}
