/* in-flight.c - what is under way, one after the other
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "network.h"

static gsize
parcel_size (const Parcel *self)
{
  return self->bytes != NULL ? g_bytes_get_size (self->bytes) : 0;
}

void
parcel_free (Parcel *self)
{
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self);
}

void
parcels_push (Parcels *self, Parcel *parcel)
{
  if (self->last != NULL)
    self->last->next = parcel;
  else
    self->first = parcel;
  self->last = parcel;
  self->n_bytes += parcel_size (parcel);
}

Parcel *
parcels_pop (Parcels *self)
{
  Parcel *parcel = self->first;
  if (parcel == NULL)
    return NULL;
  self->first = g_steal_pointer (&parcel->next);
  if (self->first == NULL)
    self->last = NULL;
  self->n_bytes -= parcel_size (parcel);
  return parcel;
}

void
parcels_clear (Parcels *self)
{
  Parcel *parcel;
  while ((parcel = parcels_pop (self)) != NULL)
    parcel_free (parcel);
}
