/* in-flight.c - queues of packets that are on their way
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "network.h"

static gsize
packet_size (const Packet *self)
{
  return self->bytes != NULL ? g_bytes_get_size (self->bytes) : 0;
}

void
packet_free (Packet *self)
{
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self);
}

void
packets_push (Packets *self, Packet *packet)
{
  if (self->last != NULL)
    self->last->next = packet;
  else
    self->first = packet;
  self->last = packet;
  self->n_bytes += packet_size (packet);
}

Packet *
packets_pop (Packets *self)
{
  Packet *packet = self->first;
  if (packet == NULL)
    return NULL;
  self->first = g_steal_pointer (&packet->next);
  if (self->first == NULL)
    self->last = NULL;
  self->n_bytes -= packet_size (packet);
  return packet;
}

void
packets_clear (Packets *self)
{
  Packet *packet;
  while ((packet = packets_pop (self)) != NULL)
    packet_free (packet);
}
