/* instance.c - measures a tour, and frees an instance
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "instance.h"

gint32
distances_get_length (const Distances *self, const gint32 *tour)
{
  gint32 length = distances_get (self, tour[self->n_cities - 1], tour[0]);
  for (gint32 i = 1; i < self->n_cities; i++)
    length += distances_get (self, tour[i - 1], tour[i]);
  return length;
}

void
instance_free (Instance *self)
{
  if (self == NULL)
    return;
  satin_record_clear (&Distances_record, &self->distances);
  g_free (self->name);
  g_free (self->points);
  g_free (self);
}
