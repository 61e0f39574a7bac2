/* overdue.c - measures for how long messages were overdue
 *
 * An answer to a request, the acknowledgement of a result, and a shared object for which a job
 * waits are overdue after some latencies. Then the link is too slow for the run, or the node that
 * must answer is too busy. Time in which several messages are overdue counts once. So the figures
 * say how much of the workers' idle time the network causes, separately for near and far nodes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* The time allowed beside latencies: for pending requests, for acknowledgements that wait to travel
 * together, and for a busy node. */
#define OVERDUE_US ((ACK_US + HOLD_MAX_US) * 2)
/* The way there and back takes two latencies; as much again is allowed. */
#define OVERDUE_LATENCIES 4

/* The time from which on a message that was sent to @id is overdue. */
static gint64
overdue_from (Steal *self, SatinNodeId id, gint64 sent_us)
{
  const SatinPeer *peer = satin_view_find (satin_peers_get_view (self->peers), id);
  return sent_us + OVERDUE_US + OVERDUE_LATENCIES * (peer != NULL ? peer->latency_us : 0);
}

static gint64
count (const StealOverdue *overdue, gint64 from_us, gint64 now_us)
{
  return MAX (now_us - MAX (from_us, overdue->until_us), 0);
}

/* For note_unacked(): finds the result that became overdue first, among results for near or for far
 * owners. */
typedef struct
{
  Steal *steal; /* (borrowed) */
  gboolean is_far;
  gint64 from_us;
} Open;

static void
note_unacked (const Import *import, gpointer data)
{
  Open *open = data;
  Steal *self = open->steal;
  if (steal_is_far (self, import->owner) == open->is_far)
    open->from_us = MIN (open->from_us, overdue_from (self, import->owner, import->over_us));
}

/* Returns: when the first message that still waits for its answer became overdue; @now_us if none
 * is overdue. Cost: O(nodes that have exported jobs to this node). */
static gint64
open_from (Steal *self, gboolean is_far, gint64 now_us)
{
  const Asked *asked = is_far ? &self->asking.far : &self->asking.near;
  Open open = { self, is_far, now_us };
  if (asked->to != 0)
    open.from_us = overdue_from (self, asked->to, asked->sent_us);
  steal_outbox_foreach_owner (&self->imports.outbox, note_unacked, &open);
  return open.from_us;
}

static gint64
count_open (Steal *self, gboolean is_far, gint64 now_us)
{
  return count (is_far ? &self->overdue.far : &self->overdue.near, open_from (self, is_far, now_us),
                now_us);
}

/* Counts how long the answer to a message was overdue. The message was sent to @id at @sent_us; the
 * answer has come now, or will not come. */
void
steal_note_overdue (Steal *self, SatinNodeId id, gint64 sent_us)
{
  gboolean is_far = steal_is_far (self, id);
  StealOverdue *overdue = is_far ? &self->overdue.far : &self->overdue.near;
  gint64 now_us = satin_loop_now_us (self->loop);
  gint64 from_us = overdue_from (self, id, sent_us);
  if (count (overdue, from_us, now_us) == 0)
    return;
  /* If a message that still waits has been overdue for longer, its time is counted here too: time
   * before until_us is never counted later. */
  overdue->sum_us += count (overdue, MIN (from_us, open_from (self, is_far, now_us)), now_us);
  overdue->until_us = now_us;
}

/* Counts the time as a wait for the master, because objects mostly come from its cluster. */
void
steal_note_overdue_object (Steal *self, gint64 since_us)
{
  SatinNodeId master = satin_peers_get_view (self->peers)->master;
  steal_note_overdue (self, master, since_us);
}

void
steal_overdue_figures (Steal *self, SatinFigureFunc add, gpointer user_data)
{
  gint64 now_us = satin_loop_now_us (self->loop);
  add ("overdue-near-us", self->overdue.near.sum_us + count_open (self, FALSE, now_us), user_data);
  add ("overdue-far-us", self->overdue.far.sum_us + count_open (self, TRUE, now_us), user_data);
}
