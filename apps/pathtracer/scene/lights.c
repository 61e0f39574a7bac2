/* lights.c - the triangles that emit light, and places on them that are drawn at random
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../light/colour.h"
#include "private.h"

void
scene_find_lights (Scene *self)
{
  const SceneData *data = &self->data;
  g_autoptr (GArray) lights = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_autoptr (GArray) sums = g_array_new (FALSE, FALSE, sizeof (double));
  double sum = 0;
  for (gsize i = 0; i < data->n_surfaces; i++)
    {
      double luminance = colour_luminance (data->materials[data->surfaces[i]].emission);
      double power =
          luminance * vector_length (scene_triangle_normal (data, data->corners + 3 * i)) / 2;
      if (!(power > 0))
        continue;
      gint32 triangle = (gint32)i;
      sum += power;
      g_array_append_val (lights, triangle);
      g_array_append_val (sums, sum);
    }
  self->n_lights = lights->len;
  self->lights = (gint32 *)g_array_free (g_steal_pointer (&lights), FALSE);
  self->sums = (double *)g_array_free (g_steal_pointer (&sums), FALSE);
}

gboolean
scene_has_light (const Scene *self)
{
  return self->n_lights > 0;
}

/* Returns: the index of the first light whose sum is above @sum */
static gsize
find_light (const Scene *self, double sum)
{
  gsize low = 0, high = self->n_lights - 1;
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;
      if (self->sums[middle] > sum)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

LightPlace
scene_draw_light (const Scene *self, double choice, double a, double b)
{
  const SceneData *data = &self->data;
  gint32 triangle = self->lights[find_light (self, choice * self->sums[self->n_lights - 1])];
  const gint32 *corners = data->corners + 3 * (gsize)triangle;
  const Material *material = &data->materials[data->surfaces[triangle]];
  Vector first = scene_vertex (data, corners[0]);
  Vector one = vector_subtract (scene_vertex (data, corners[1]), first);
  Vector two = vector_subtract (scene_vertex (data, corners[2]), first);
  /* The square root makes the places equally dense over the triangle. */
  double root = sqrt (a);
  return (LightPlace){
    .place = vector_add_scaled (vector_add_scaled (first, one, root * (1 - b)), two, root * b),
    .normal = vector_normalise (vector_cross (one, two)),
    .emission = material->emission,
    .density = scene_light_density (self, material),
  };
}

double
scene_light_density (const Scene *self, const Material *material)
{
  return self->n_lights == 0
             ? 0
             : colour_luminance (material->emission) / self->sums[self->n_lights - 1];
}
