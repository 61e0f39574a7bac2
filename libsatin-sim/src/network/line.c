/* line.c - how long bytes travel: latencies, lines and uplinks
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "network.h"

#include <satin/base/random.h>

/* How many bytes the router of an uplink holds, and the size of the largest message that travels as
 * one packet. */
#define ROUTER_BYTES ((gsize)64 << 10)
#define PACKET_BYTES ((gsize)1400)

gint64
network_latency_us (SatinSim *sim, const SatinSimHost *a, const SatinSimHost *b)
{
  const Uplink *uplinks = (const Uplink *)(gpointer)sim->uplinks->data;
  gint64 base_us = a->cluster == b->cluster
                       ? sim->options.lan_us
                       : MAX (uplinks[a->cluster].latency_us, uplinks[b->cluster].latency_us);
  double share = satin_random_share (satin_random_next (&sim->random));
  return base_us + (gint64)((double)base_us * sim->options.jitter * share);
}

/* Occupies a line, which is busy until *@busy_until_us, with @n_bytes that come at @from_us.
 * Returns: when the line has sent them */
static gint64
take_line (gint64 *busy_until_us, gint64 from_us, gsize n_bytes, guint64 bandwidth)
{
  gint64 begin_us = MAX (*busy_until_us, from_us);
  gint64 end_us = begin_us;
  if (bandwidth > 0)
    end_us += (gint64)((double)n_bytes * 1e6 / (double)bandwidth);
  *busy_until_us = end_us;
  return end_us;
}

/* Like take_line(), for an uplink, which all links share: a message that fits into one packet waits
 * only for the bytes in the router, not for everything that the hosts still have to send. */
static gint64
take_uplink (gint64 *busy_until_us, gint64 from_us, gsize n_bytes, guint64 bandwidth)
{
  gint64 end_us = take_line (busy_until_us, from_us, n_bytes, bandwidth);
  if (n_bytes > PACKET_BYTES || bandwidth == 0)
    return end_us;
  return MIN (end_us,
              from_us + (gint64)((double)(ROUTER_BYTES + n_bytes) * 1e6 / (double)bandwidth));
}

gint64
network_send_time_us (SatinSimHost *from, const SatinSimHost *to, gsize n_bytes, gint64 begin_us)
{
  SatinSim *sim = from->sim;
  gint64 sent_us =
      take_line (&from->sending_until_us, begin_us, n_bytes, sim->options.lan_bandwidth);
  if (from->cluster == to->cluster)
    {
      sim->figures.lan_bytes += n_bytes;
      return sent_us;
    }
  sim->figures.wan_bytes += n_bytes;
  Uplink *out = &g_array_index (sim->uplinks, Uplink, from->cluster);
  Uplink *in = &g_array_index (sim->uplinks, Uplink, to->cluster);
  sent_us = take_uplink (&out->busy_until_us[0], sent_us, n_bytes, out->bandwidth);
  return take_uplink (&in->busy_until_us[1], sent_us, n_bytes, in->bandwidth);
}
