/* partial.c - adds cities to the beginning of a tour, and takes them off again
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "partial.h"

#include <string.h>

void
partial_init (Partial *self, const Distances *distances, const gint32 *path, gsize n_path)
{
  gboolean is_on_path[INSTANCE_MAX_CITIES] = { FALSE };
  self->distances = distances;
  self->n_path = (gint32)n_path;
  self->length = 0;
  self->n_left = 0;
  if (n_path > 0)
    memcpy (self->path, path, n_path * sizeof *path);
  for (gsize i = 0; i < n_path; i++)
    is_on_path[path[i]] = TRUE;
  for (gsize i = 1; i < n_path; i++)
    self->length += distances_get (distances, path[i - 1], path[i]);
  for (gint32 city = 0; city < distances->n_cities; city++)
    if (!is_on_path[city])
      self->left[self->n_left++] = city;
}

void
partial_step (Partial *self, gint32 city)
{
  gint32 i = 0;
  while (self->left[i] != city)
    i++;
  self->left[i] = self->left[--self->n_left];
  if (self->n_path > 0)
    self->length += distances_get (self->distances, partial_end (self), city);
  self->path[self->n_path++] = city;
}

void
partial_back (Partial *self)
{
  gint32 city = self->path[--self->n_path];
  if (self->n_path > 0)
    self->length -= distances_get (self->distances, partial_end (self), city);
  self->left[self->n_left++] = city;
}

gboolean
partial_may_close (const Partial *self, gint32 next, gint32 city)
{
  gint32 second = self->n_path > 1 ? self->path[1] : next;
  gint32 first_edge = distances_get (self->distances, self->path[0], second);
  gint32 last_edge = distances_get (self->distances, self->path[0], city);
  return last_edge > first_edge || (last_edge == first_edge && city > second);
}
