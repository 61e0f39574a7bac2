/* quads.h - small scenes of rectangles, for the tests of the path tracer
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <string.h>

#include "scene/scene.h"

#define QUADS_MAX 8

/* A scene in the making. */
typedef struct
{
  float places[QUADS_MAX * 12];
  float normals[QUADS_MAX * 12];
  float texture_places[QUADS_MAX * 8];
  gint32 corners[QUADS_MAX * 6];
  gint32 surfaces[QUADS_MAX * 2];
  Material materials[QUADS_MAX];
  gsize n;
} Quads;

static inline Material
quads_lambert (double reflected, double emitted)
{
  return (Material){ .base = { reflected, reflected, reflected },
                     .roughness = 1,
                     .emission = { emitted, emitted, emitted },
                     .texture = -1 };
}

/* Adds the rectangle with the corners @a, @a + @b, @a + @b + @c and @a + @c. */
static inline void
quads_add (Quads *self, Vector a, Vector b, Vector c, Material material)
{
  const Vector places[] = { a, vector_add (a, b), vector_add (vector_add (a, b), c),
                            vector_add (a, c) };
  static const gint32 corners[] = { 0, 1, 2, 0, 2, 3 };
  for (gsize i = 0; i < 4; i++)
    for (guint axis = 0; axis < 3; axis++)
      self->places[12 * self->n + 3 * i + axis] = (float)vector_get (places[i], axis);
  for (gsize i = 0; i < 6; i++)
    self->corners[6 * self->n + i] = (gint32)(4 * self->n) + corners[i];
  self->surfaces[2 * self->n] = self->surfaces[2 * self->n + 1] = (gint32)self->n;
  self->materials[self->n++] = material;
}

/* Adds the six sides of a box from -1 to 1. */
static inline void
quads_add_box (Quads *self, Material material)
{
  for (guint side = 0; side < 6; side++)
    {
      double at = side % 2 == 0 ? -1 : 1;
      guint axis = side / 2;
      quads_add (self,
                 axis == 0   ? vector (at, -1, -1)
                 : axis == 1 ? vector (-1, at, -1)
                             : vector (-1, -1, at),
                 axis == 0 ? vector (0, 2, 0) : vector (2, 0, 0),
                 axis == 2 ? vector (0, 2, 0) : vector (0, 0, 2), material);
    }
}

/* Returns: a record whose arrays are those of @self */
static inline SceneData
quads_data (const Quads *self)
{
  return (SceneData){ self->places,
                      12 * self->n,
                      self->normals,
                      12 * self->n,
                      self->texture_places,
                      8 * self->n,
                      self->corners,
                      6 * self->n,
                      self->surfaces,
                      2 * self->n,
                      self->materials,
                      self->n,
                      NULL,
                      0,
                      { FALSE } };
}

/* Returns: (transfer full) */
static inline Scene *
quads_scene (const Quads *self)
{
  g_autoptr (GError) error = NULL;
  SceneData data = quads_data (self);
  Scene *scene = scene_new (&data, &error);
  g_assert_no_error (error);
  return scene;
}
