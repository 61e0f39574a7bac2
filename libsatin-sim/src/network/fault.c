/* fault.c - links that break, directions that are clogged or cut, hosts that crash
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "network.h"

/* ---- broken links ---- */

/* Whether @end belongs to a link to @host that can still break. */
static gboolean
may_break (const End *end, const SatinSimHost *host)
{
  const SatinSimHost *far = end->other != NULL ? end->other->host : end->far;
  return end->state < END_SHUT && far == host;
}

/* What happens to an end that is about to go down. */
typedef void (*EndFunc) (End *self);

/* Calls @func with each end on @a of a link to @b, and then takes that end down. */
static void
take_down (SatinSimHost *a, const SatinSimHost *b, EndFunc func)
{
  for (guint i = 0; i < a->transports->len; i++)
    {
      SimTransport *transport = g_ptr_array_index (a->transports, i);
      for (guint k = 0; k < transport->ends->len; k++)
        {
          End *end = g_ptr_array_index (transport->ends, k);
          if (!may_break (end, b))
            continue;
          func (end);
          end->state = END_SHUT;
          end_down_at (end, a->sim->now_us, SATIN_ERROR_CLOSED);
        }
    }
}

/* Does nothing: an end that is taken down drops the bytes that arrive for it. */
static void
lose (End *self)
{
}

/* Tells the opposite end, after the bytes on their way, that the link has ended. */
static void
reset (End *self)
{
  if (self->other != NULL)
    end_send_packet (self, NULL, SATIN_ERROR_CLOSED);
}

/* Separates the opposite end from this end. The opposite end receives the bytes on their way, and
 * nothing after them. */
static void
forget (End *self)
{
  if (self->other != NULL)
    {
      self->other->far = self->host;
      self->other->is_answered = FALSE;
      self->other->other = NULL;
    }
  self->other = NULL;
}

/* Like forget(), but bytes that the opposite end sends later are refused. */
static void
forget_and_refuse (End *self)
{
  End *other = self->other;
  forget (self);
  if (other != NULL)
    other->is_answered = TRUE;
}

void
satin_sim_break_links (SatinSimHost *a, SatinSimHost *b)
{
  take_down (a, b, lose);
  take_down (b, a, lose);
}

void
satin_sim_reset_links (SatinSimHost *a, SatinSimHost *b)
{
  take_down (a, b, reset);
}

void
satin_sim_forget_links (SatinSimHost *a, SatinSimHost *b, gboolean is_answered)
{
  take_down (a, b, is_answered ? forget_and_refuse : forget);
}

/* ---- directions that carry nothing for a while ---- */

gint64
network_clogged_until_us (SatinSimHost *from, const SatinSimHost *to, gboolean is_cut)
{
  gint64 until_us = 0;
  for (guint i = from->clogs->len; i-- > 0;)
    {
      Clog clog = g_array_index (from->clogs, Clog, i);
      if (clog.until_us <= from->sim->now_us)
        g_array_remove_index_fast (from->clogs, i);
      else if (clog.to == to->number && (clog.is_cut || !is_cut))
        until_us = MAX (until_us, clog.until_us);
    }
  return until_us;
}

gint64
network_cut_until_us (SatinSimHost *a, SatinSimHost *b)
{
  return MAX (network_clogged_until_us (a, b, TRUE), network_clogged_until_us (b, a, TRUE));
}

static void
add_clog (SatinSimHost *from, const SatinSimHost *to, gint64 duration_us, gboolean is_cut)
{
  Clog clog = { to->number, from->sim->now_us + duration_us, is_cut };
  g_array_append_val (from->clogs, clog);
}

void
satin_sim_clog (SatinSimHost *from, SatinSimHost *to, gint64 duration_us)
{
  add_clog (from, to, duration_us, FALSE);
}

void
satin_sim_cut (SatinSimHost *from, SatinSimHost *to, gint64 duration_us)
{
  add_clog (from, to, duration_us, TRUE);
}

/* ---- crashes ---- */

/* Makes the calls (attempts to connect) fail that are under way to @host, because nobody answers
 * there. */
static void
refuse_calls (SatinSimHost *host)
{
  SatinSim *sim = host->sim;
  for (guint i = 0; i < sim->hosts->len; i++)
    {
      const SatinSimHost *from = g_ptr_array_index (sim->hosts, i);
      for (guint k = 0; k < from->transports->len; k++)
        {
          const SimTransport *transport = g_ptr_array_index (from->transports, k);
          for (guint m = 0; m < transport->ends->len; m++)
            {
              End *end = g_ptr_array_index (transport->ends, m);
              if (end->callee != host)
                continue;
              end->callee = NULL;
              end->n_under_way--;
              if (end->state == END_DIALING)
                end_down_at (end, sim->now_us + network_latency_us (sim, host, from),
                             SATIN_ERROR_UNREACHABLE);
            }
        }
    }
}

/* Refuses the calls to @host, closes its ports at once, and tells the opposite end of each of its
 * links that the link has ended. */
void
network_crash (SatinSimHost *host)
{
  refuse_calls (host);
  for (guint i = 0; i < host->transports->len; i++)
    {
      SimTransport *transport = g_ptr_array_index (host->transports, i);
      while (transport->ports->len > 0)
        port_close (g_ptr_array_index (transport->ports, 0));
      for (guint k = 0; k < transport->ends->len; k++)
        {
          End *end = g_ptr_array_index (transport->ends, k);
          if (end->state != END_SHUT && end->other != NULL)
            end_send_packet (end, NULL, SATIN_ERROR_CLOSED);
        }
    }
}
