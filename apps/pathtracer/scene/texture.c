/* texture.c - the colour of a texture at a place
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../tone.h"
#include "private.h"

/* Returns: the remainder of @index, from 0 to @n - 1, so that a texture repeats */
static gint
wrap (double index, gint n)
{
  double rest = index - floor (index / n) * n;
  return CLAMP ((gint)rest, 0, n - 1);
}

static Vector
pixel (const Texture *texture, double x, double y)
{
  gsize at =
      (gsize)wrap (y, texture->height) * (gsize)texture->width + (gsize)wrap (x, texture->width);
  const guint8 *rgb = texture->rgb + 3 * at;
  return vector (tone_decode (rgb[0]), tone_decode (rgb[1]), tone_decode (rgb[2]));
}

Vector
scene_texture (const Scene *self, const Material *material, double u, double v)
{
  if (material->texture < 0)
    return vector (1, 1, 1);
  const Texture *texture = &self->data.textures[material->texture];
  double x = u * texture->width - 0.5, y = v * texture->height - 0.5;
  double left = floor (x), top = floor (y), right_share = x - left, low_share = y - top;
  Vector upper = vector_scale (pixel (texture, left, top), 1 - right_share);
  Vector lower = vector_scale (pixel (texture, left, top + 1), 1 - right_share);
  upper = vector_add_scaled (upper, pixel (texture, left + 1, top), right_share);
  lower = vector_add_scaled (lower, pixel (texture, left + 1, top + 1), right_share);
  return vector_add_scaled (vector_scale (upper, 1 - low_share), lower, low_share);
}
