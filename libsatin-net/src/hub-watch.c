/* hub-watch.c - time: who was silent for too long
 *
 * One timer looks at all members. When it comes late, the hub itself did not run,
 * and nobody's silence of that time counts.
 *
 * When all members fall silent at once, on links that are open, they hardly died at once: their
 * machines sleep, or the network or the hub is at fault. Then the hub doubts, and declares nobody
 * dead for HUB_DOUBT_DEATHS times the usual silence. The doubt ends when one of them is heard; the
 * others have the usual time from then on. Deaths that the holder of a process confirms do not
 * wait.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/mistake.h>

#include "hub-private.h"

#define TICK_MAX_US ((gint64)250000)
#define TICK_MIN_US ((gint64)1000)

/* Returns: %TRUE when it is to be declared dead */
static gboolean
check_member (SatinHub *self, HubMember *member, gint64 now_us, gint64 late_us)
{
  gint64 heard_us =
      member->connection != NULL ? satin_link_get_last_heard_us (member->connection->link) : 0;

  if (hub_silence_update (&member->silence, heard_us, now_us, late_us)
      && member->state == HUB_MEMBER_SUSPECTED)
    {
      satin_loop_probe (self->loop, "hub.member-heard-again");
      member->limit_us = self->options.death_us;
      hub_member_enter (member, HUB_MEMBER_HEARD);
    }
  member->leave_until_us += MAX (late_us, 0);
  return now_us - member->silence.since_us > member->limit_us
         || hub_leaving_is_late (member, now_us);
}

static const char *
describe_death (const HubMember *member, gint64 now_us)
{
  if (hub_leaving_is_late (member, now_us))
    return "it was leaving and did not go in time";
  switch (member->state)
    {
    case HUB_MEMBER_LOST:
      return "its link broke and it did not come back";
    case HUB_MEMBER_SUSPECTED:
      return "others could not reach it and it did not answer the hub";
    case HUB_MEMBER_HEARD:
    case HUB_MEMBER_LEFT:
    case HUB_MEMBER_DIED:
    case HUB_MEMBER_N_STATES:
      break;
    }
  return "it was silent for too long";
}

/* ---- all silent at once ---- */

/* Silent for so long that, of all the others at the same time, it is no chance any more. */
static gboolean
is_quiet (SatinHub *self, const HubMember *member, gint64 now_us)
{
  return member->state == HUB_MEMBER_LOST
         || now_us - member->silence.since_us > self->options.death_us / 2;
}

/* A link that broke says that its node is gone; one that is open and silent does not. */
static gboolean
are_all_quiet (SatinHub *self, gint64 now_us)
{
  gboolean has_open = FALSE;

  for (guint i = 0; i < self->members->len; i++)
    {
      const HubMember *member = g_ptr_array_index (self->members, i);
      if (!is_quiet (self, member, now_us))
        return FALSE;
      has_open |= member->state != HUB_MEMBER_LOST;
    }
  return has_open;
}

/* Somebody was heard: the others, whose trouble may be the same, get the usual time. */
static void
end_doubt (SatinHub *self, gint64 now_us)
{
  satin_loop_probe (self->loop, "hub.doubt-ended");
  g_info ("hub: members are heard again after %.3g s",
          (double)(now_us - self->doubt_since_us) / G_USEC_PER_SEC);
  self->is_doubting = FALSE;
  for (guint i = 0; i < self->members->len; i++)
    {
      HubMember *member = g_ptr_array_index (self->members, i);
      if (!is_quiet (self, member, now_us))
        continue;
      hub_silence_start (&member->silence, now_us);
      member->limit_us = self->options.death_us;
    }
}

/* @has_dead: somebody is to be declared dead. Returns: whether that waits */
static gboolean
doubt (SatinHub *self, gboolean has_dead, gint64 now_us, gint64 late_us)
{
  gboolean is_all = are_all_quiet (self, now_us);

  if (!self->is_doubting)
    {
      if (!has_dead || !is_all || SATIN_MISTAKE ("no-doubt"))
        return FALSE;
      satin_loop_probe (self->loop, "hub.doubt");
      g_message ("hub: no member is heard any more; they have %.3g s before they count as dead",
                 (double)(HUB_DOUBT_DEATHS * self->options.death_us) / G_USEC_PER_SEC);
      self->is_doubting = TRUE;
      self->doubt_since_us = now_us;
      return TRUE;
    }
  self->doubt_since_us = MIN (now_us, self->doubt_since_us + MAX (late_us, 0));
  if (!is_all)
    {
      end_doubt (self, now_us);
      return TRUE;
    }
  return now_us - self->doubt_since_us < HUB_DOUBT_DEATHS * self->options.death_us;
}

/* Numbers first, then deaths: a death may change the list in the holder's event. */
static void
check_members (SatinHub *self, gint64 now_us, gint64 late_us)
{
  g_autoptr (GArray) dead = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));

  for (guint i = 0; i < self->members->len; i++)
    {
      HubMember *member = g_ptr_array_index (self->members, i);
      if (check_member (self, member, now_us, late_us))
        g_array_append_val (dead, member->id);
    }
  if (self->state == HUB_RESTORING || self->state == HUB_OVER
      || doubt (self, dead->len > 0, now_us, late_us))
    return;
  for (guint i = 0; i < dead->len; i++)
    {
      HubMember *member = hub_member_find (self, g_array_index (dead, SatinNodeId, i));
      if (member == NULL)
        continue;
      satin_loop_probe (self->loop, hub_leaving_is_late (member, now_us) ? "hub.leaving-late"
                                                                         : "hub.member-silent");
      hub_member_remove (self, member, HUB_MEMBER_DIED, describe_death (member, now_us));
    }
}

static void
check_connections (SatinHub *self, gint64 now_us)
{
  g_autoptr (GError) error =
      g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT, "no join came within %.3g s",
                   (double)HUB_LINK_PATIENCE_US / G_USEC_PER_SEC);

  for (guint i = 0; i < self->connections->len; i++)
    {
      HubConnection *connection = g_ptr_array_index (self->connections, i);
      if (now_us - connection->since_us > HUB_LINK_PATIENCE_US && !connection->is_closing
          && connection->role != SATIN_ROLE_TOOL && connection->member == NULL
          && connection->held_join == NULL)
        hub_connection_close (connection, error);
    }
}

static void add_timer (SatinHub *self);

static void
on_tick (gpointer user_data)
{
  SatinHub *self = user_data;
  gint64 now_us = satin_loop_now_us (self->loop);
  gint64 late_us = now_us - self->tick_due_us;

  self->tick_timer = 0;
  if (late_us > HUB_SHORT_GRACE_US)
    self->woken_us = now_us;
  if (self->state == HUB_RESTORING)
    {
      hub_silence_update (&self->restoring, 0, now_us, late_us);
      if (now_us - self->restoring.since_us > self->options.death_us)
        hub_restore_finish (self);
    }
  check_members (self, now_us, late_us);
  check_connections (self, now_us);
  add_timer (self);
}

static void
add_timer (SatinHub *self)
{
  gint64 tick_us = MIN (self->options.heartbeat_us, self->options.death_us / 8);

  tick_us = CLAMP (tick_us, TICK_MIN_US, TICK_MAX_US);
  self->tick_due_us = satin_loop_now_us (self->loop) + tick_us;
  self->tick_timer = satin_loop_timer_add (self->loop, tick_us, on_tick, self);
}

void
hub_watch_start (SatinHub *self)
{
  add_timer (self);
}

/* A link may have broken because the hub stood still: then its node has the time that it would have
 * had to speak. */
gint64
hub_watch_lost_limit_us (SatinHub *self)
{
  gint64 now_us = satin_loop_now_us (self->loop);
  gboolean has_slept = now_us - self->tick_due_us > HUB_SHORT_GRACE_US
                       || (self->woken_us != 0 && now_us - self->woken_us < self->options.death_us);

  return has_slept && !SATIN_MISTAKE ("no-doubt")
             ? self->options.death_us
             : MIN (self->options.death_us, HUB_SHORT_GRACE_US);
}

void
hub_watch_suspect (SatinHub *self, HubMember *member)
{
  if (member->state != HUB_MEMBER_HEARD)
    return;
  member->limit_us = MIN (self->options.death_us, HUB_SHORT_GRACE_US);
  hub_silence_start (&member->silence, satin_loop_now_us (self->loop));
  hub_member_enter (member, HUB_MEMBER_SUSPECTED);
  satin_link_ping (member->connection->link);
}
