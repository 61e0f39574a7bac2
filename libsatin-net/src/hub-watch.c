/* hub-watch.c - time: who was silent for too long
 *
 * One timer looks at all members. When it comes late, the hub itself did not run,
 * and nobody's silence of that time counts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
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
  if (self->state == HUB_RESTORING || self->state == HUB_OVER)
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
