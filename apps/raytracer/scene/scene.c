/* scene.c - collects the parts of a scene
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scene.h"
#include "polygon.h"

Scene *
scene_new (void)
{
  Scene *self = g_new0 (Scene, 1);

  self->lights = g_array_new (FALSE, FALSE, sizeof (Light));
  self->surfaces = g_array_new (FALSE, FALSE, sizeof (Surface));
  self->primitives = g_array_new (FALSE, FALSE, sizeof (Primitive));
  self->corners = g_array_new (FALSE, FALSE, sizeof (Vector));
  return self;
}

void
scene_free (Scene *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->lights);
  g_array_unref (self->surfaces);
  g_array_unref (self->primitives);
  g_array_unref (self->corners);
  g_clear_pointer (&self->nodes, g_array_unref);
  g_free (self);
}

void
scene_add_light (Scene *self, Vector position, const Vector *colour)
{
  Light light = { .position = position, .has_colour = colour != NULL };

  if (colour != NULL)
    light.colour = *colour;
  g_array_append_val (self->lights, light);
}

void
scene_add_surface (Scene *self, const Surface *surface)
{
  g_array_append_vals (self->surfaces, surface, 1);
}

static void
add_primitive (Scene *self, Primitive *primitive)
{
  g_assert (self->surfaces->len > 0 && self->nodes == NULL);
  primitive->surface = self->surfaces->len - 1;
  g_array_append_vals (self->primitives, primitive, 1);
}

void
scene_add_sphere (Scene *self, Vector centre, double radius)
{
  Primitive primitive = { .kind = PRIMITIVE_SPHERE, .sphere = { centre, radius } };

  add_primitive (self, &primitive);
}

void
scene_add_cone (Scene *self, Vector base, double base_radius, Vector apex, double apex_radius)
{
  Vector axis = vector_subtract (apex, base);
  double length = vector_length (axis);
  Primitive primitive = {
    .kind = PRIMITIVE_CONE,
    .cone = { .base = base,
              .axis = vector_scale (axis, 1 / length),
              .length = length,
              .radius = base_radius,
              .slope = (apex_radius - base_radius) / length },
  };

  add_primitive (self, &primitive);
}

void
scene_add_polygon (Scene *self, const Vector *corners, const Vector *normals, guint n_corners)
{
  g_autofree guint *cut = g_new (guint, 3 * n_corners);
  guint n = polygon_cut (corners, n_corners, cut);

  for (guint i = 0; i < n; i++)
    {
      const guint *at = cut + 3 * i;
      Vector corner = corners[at[0]];
      Primitive primitive = {
        .kind = PRIMITIVE_TRIANGLE,
        .normals = PRIMITIVE_FLAT,
        .triangle = { .corner = corner,
                      .edge1 = vector_subtract (corners[at[1]], corner),
                      .edge2 = vector_subtract (corners[at[2]], corner) },
      };

      if (normals != NULL)
        {
          primitive.normals = self->corners->len;
          for (guint k = 0; k < 3; k++)
            {
              Vector normal = vector_normalise (normals[at[k]]);
              g_array_append_val (self->corners, normal);
            }
        }
      add_primitive (self, &primitive);
    }
}

void
scene_finish (Scene *self)
{
  double share = self->lights->len == 0 ? 0 : 1 / sqrt (self->lights->len);

  g_assert (self->nodes == NULL);
  for (guint i = 0; i < self->lights->len; i++)
    {
      Light *light = &g_array_index (self->lights, Light, i);

      if (!light->has_colour)
        light->colour = vector (share, share, share);
    }
  self->nodes = bvh_build ((Primitive *)(gpointer)self->primitives->data, self->primitives->len);
}
