/* leave.c - a node leaves the run in good order
 *
 * The node hands its finished results to nodes that stay, and returns its unfinished jobs. If that
 * takes too long, other nodes do the rest again, as after a crash. The node does not go before the
 * registry has confirmed that it is leaving: until then it may be elected as master.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "leave.h"

/* How often the node checks whether another node still waits for it. */
#define LOOK_US ((gint64)5000)
/* If workers do not stop in time, the last part of the time to leave is kept for sending: 1 /
 * SEND_SHARE of it, at most SEND_MAX_US. */
#define SEND_SHARE  4
#define SEND_MAX_US ((gint64)2000000)
/* How long the registry may take to confirm that the node leaves. After that the registry counts as
 * out of reach, and the node goes. */
#define HEARD_US ((gint64)3000000)

static void look_again (gpointer user_data);

static void
look_later (Leave *self, gint64 now_us)
{
  gint64 left_us = self->until_us - now_us;
  self->look_timer =
      satin_loop_timer_add (self->loop, CLAMP (left_us, 0, LOOK_US), look_again, self);
}

static void
look_again (gpointer user_data)
{
  Leave *self = user_data;
  gint64 now_us = satin_loop_now_us (self->loop);
  const SatinView *view = satin_peers_get_view (self->peers);
  gboolean is_done = view->is_leaving && !steal_is_owing (self->steal);
  self->look_timer = 0;
  if (!view->is_leaving && now_us >= self->heard_until_us)
    self->until_us = now_us;
  if (self->is_saving && now_us >= self->save_until_us)
    steal_save_rest (self->steal);
  if (!is_done && now_us < self->until_us)
    {
      look_later (self, now_us);
      return;
    }
  satin_loop_probe (self->loop, is_done ? "member.left-in-good-order" : "member.left-overdue");
  if (!is_done)
    g_info ("the time to leave is over; what is still here others do again");
  self->gone (self->user_data);
}

/* Hands over finished results to nodes that stay. If those nodes could not use results of parts of
 * jobs, the imported jobs run to their ends instead. */
static void
begin_saving (Leave *self)
{
  self->is_saving = steal_may_save (self->steal);
  if (self->is_saving)
    steal_save (self->steal);
  look_later (self, satin_loop_now_us (self->loop));
}

/* The last part of the time is for sending what was saved. */
static void
set_deadline (Leave *self, gint64 deadline_us)
{
  self->until_us = satin_loop_now_us (self->loop) + deadline_us;
  self->save_until_us = self->until_us - MIN (deadline_us / SEND_SHARE, SEND_MAX_US);
}

void
leave_begin (Leave *self, gint64 deadline_us)
{
  self->is_leaving = TRUE;
  set_deadline (self, deadline_us);
  self->heard_until_us = satin_loop_now_us (self->loop) + HEARD_US;
  steal_leave (self->steal);
  begin_saving (self);
}

void
leave_hurry (Leave *self, gint64 deadline_us)
{
  if (satin_loop_now_us (self->loop) + deadline_us < self->until_us)
    set_deadline (self, deadline_us);
}

void
leave_cancel (Leave *self)
{
  self->is_leaving = FALSE;
  if (self->look_timer != 0)
    satin_loop_timer_cancel (self->loop, &self->look_timer);
}

void
leave_waits (const Leave *self, SatinWaitFunc add, gpointer user_data)
{
  const SatinWait wait = { .what = "its imported jobs to end before it leaves",
                           .deadline = self->look_timer };
  if (self->is_leaving)
    add (&wait, user_data);
}
