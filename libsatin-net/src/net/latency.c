/* latency.c - the latency of a peer: the lowest of its recent measurements
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "latency.h"

static void
advance (NetLatency *self, gint64 now_us)
{
  gint64 age_us = now_us - self->since_us;

  if (age_us < NET_LATENCY_HALF_US)
    return;
  self->older_us = age_us < 2 * NET_LATENCY_HALF_US ? self->newer_us : 0;
  self->newer_us = 0;
  self->since_us = now_us;
}

gint64
net_latency_note (NetLatency *self, gint64 now_us, gint64 latency_us)
{
  guint32 noted_us = (guint32)CLAMP (latency_us, 1, G_MAXUINT32);

  advance (self, now_us);
  if (self->newer_us == 0 || noted_us < self->newer_us)
    self->newer_us = noted_us;
  return self->older_us != 0 ? MIN (self->older_us, self->newer_us) : self->newer_us;
}
