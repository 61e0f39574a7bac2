/* overdue.c - how long messages were under way for longer than the way takes
 *
 * An answer to a request, the acknowledgement of a result, and a shared object that a job waits for
 * are overdue from some latencies on: then the link has less room than the run needs, or
 * who is to answer has no time. Several that are overdue together count once. So it is known which
 * part of the time that workers were idle they owe to the network, and to which part of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* Beyond the latency: for being held, gathered, and read by a busy node. */
#define OVERDUE_US ((ACK_US + HOLD_MAX_US) * 2)
/* The way there and back is two latencies; as much again is no fault. */
#define OVERDUE_LATENCIES 4

/* From when on something that was sent to @id is overdue. */
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

/* What is under way to nodes near or far, and from when on it is overdue. */
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

/* From when on something that is under way still is overdue, or @now_us. Cost: the number of nodes
 * that have exported something here. */
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

/* The answer to what was sent to @id at @sent_us has come now, or will not come. */
void
steal_note_overdue (Steal *self, SatinNodeId id, gint64 sent_us)
{
  gboolean is_far = steal_is_far (self, id);
  StealOverdue *overdue = is_far ? &self->overdue.far : &self->overdue.near;
  gint64 now_us = satin_loop_now_us (self->loop);
  gint64 from_us = overdue_from (self, id, sent_us);
  if (count (overdue, from_us, now_us) == 0)
    return;
  /* What is under way for longer counts from here on, and would be forgotten for before. */
  overdue->sum_us += count (overdue, MIN (from_us, open_from (self, is_far, now_us)), now_us);
  overdue->until_us = now_us;
}

/* What jobs share comes from the master's cluster, mostly. */
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
