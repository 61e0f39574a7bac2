/* deadlines.c - declares members dead that were silent for too long
 *
 * One timer checks all members. If the timer is late, the hub itself did not run, and the silence
 * of that time does not count.
 *
 * A death needs a witness: a member that the hub heard after the deadline of the silent member. A
 * member that leaves is no witness for a member that stays: nobody might be left to do the work. If
 * no member has a link, no witness is needed. If all members fall silent at once, they have hardly
 * all died at once: their machines sleep, or the network is at fault. Then the hub waits
 * HUB_DOUBT_DEATHS times death_us before it declares members dead for their silence. If the hub
 * hears a member again after more than half of death_us in doubt, all members had the same trouble.
 * Then the other silent members get death_us from that moment on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/inject.h>

#include "private.h"

#define TICK_MAX_US ((gint64)250000)
#define TICK_MIN_US ((gint64)1000)

/* Updates the silence of @member. Returns: %TRUE when @member is overdue */
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
         || hub_leaving_is_overdue (member, now_us);
}

static const char *
describe_death (const HubMember *member, gint64 now_us)
{
  if (hub_leaving_is_overdue (member, now_us))
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

/* ---- deaths ---- */

typedef enum
{
  DEATH_NOW,     /* the member is declared dead */
  DEATH_WAITS,   /* there is no witness yet */
  DEATH_RENEWED, /* the member gets death_us again */
} Death;

/* When the hub last heard members. */
typedef struct
{
  gboolean has_open; /* at least one member has a link */
  gint64 heard_us;   /* when a member was last heard */
  gint64 stayer_us;  /* when a member that does not leave was last heard */
} Witness;

static Witness
find_witness (SatinHub *self)
{
  Witness witness = { 0 };

  for (guint i = 0; i < self->members->len; i++)
    {
      const HubMember *member = g_ptr_array_index (self->members, i);
      if (member->connection == NULL)
        continue;
      witness.heard_us = MAX (witness.heard_us, member->silence.heard_us);
      if (!member->is_leaving)
        witness.stayer_us = MAX (witness.stayer_us, member->silence.heard_us);
      witness.has_open = TRUE;
    }
  return witness;
}

/* Whether the death of @member has waited for a witness so long that any living member should have
 * been heard. */
static gboolean
has_doubted_long (SatinHub *self, const HubMember *member, gint64 now_us)
{
  return member->doubted_us != 0 && now_us - member->doubted_us > self->options.death_us / 2;
}

/* Decides about @member, which is overdue since @due_us. If no member has a link, no member can be
 * a witness. Then no witness is needed, because a broken link proves more than silence does. */
static Death
judge (SatinHub *self, const Witness *witness, HubMember *member, gint64 due_us, gint64 now_us)
{
  SATIN_INJECT_BUG ("no-witness", return DEATH_NOW);
  gint64 death_us = self->options.death_us;

  if (!witness->has_open)
    return DEATH_NOW;
  if ((member->is_leaving ? witness->heard_us : witness->stayer_us) >= due_us)
    return has_doubted_long (self, member, now_us) ? DEATH_RENEWED : DEATH_NOW;
  if (member->doubted_us == 0)
    member->doubted_us = now_us;
  return now_us - member->doubted_us > (HUB_DOUBT_DEATHS - 1) * death_us ? DEATH_NOW : DEATH_WAITS;
}

static gint64
get_due_us (const HubMember *member, gint64 now_us)
{
  gint64 silent_us = member->silence.since_us + member->limit_us;

  return hub_leaving_is_overdue (member, now_us) ? MIN (silent_us, member->leave_until_us)
                                                 : silent_us;
}

static void
renew (SatinHub *self, HubMember *member, gint64 now_us)
{
  satin_loop_probe (self->loop, "hub.member-renewed");
  if (hub_leaving_is_overdue (member, now_us))
    member->leave_until_us = now_us + self->options.death_us;
  hub_silence_start (&member->silence, now_us);
  member->limit_us = self->options.death_us;
  member->doubted_us = 0;
}

/* Logs once that all members are silent. */
static void
note_doubt (SatinHub *self, gboolean is_doubting)
{
  if (is_doubting && !self->is_doubting)
    {
      satin_loop_probe (self->loop, "hub.doubt");
      g_info ("hub: no member is heard any more; they have %.3g s before they count as dead",
              (double)(HUB_DOUBT_DEATHS * self->options.death_us) / G_USEC_PER_SEC);
    }
  self->is_doubting = is_doubting;
}

static void
reap (SatinHub *self, SatinNodeId id, gint64 now_us)
{
  HubMember *member = hub_member_find (self, id);

  if (member == NULL)
    return;
  satin_loop_probe (self->loop, hub_leaving_is_overdue (member, now_us) ? "hub.leaving-overdue"
                                                                        : "hub.member-silent");
  const char *why = describe_death (member, now_us);
  if (self->events.silent != NULL)
    self->events.silent (self, id, why, self->user_data);
  hub_member_remove (self, member, HUB_MEMBER_DIED, why);
}

/* Finds the overdue members and declares dead those whose death needs no more waiting. Collects the
 * numbers of all dead members before it removes the first, because the holder's event of a death
 * may change the list of members. */
static void
check_members (SatinHub *self, gint64 now_us, gint64 late_us)
{
  g_autoptr (GArray) overdue = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));
  g_autoptr (GArray) dead = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));
  gboolean is_doubting = FALSE;
  Witness witness;

  for (guint i = 0; i < self->members->len; i++)
    {
      HubMember *member = g_ptr_array_index (self->members, i);
      if (check_member (self, member, now_us, late_us))
        g_array_append_val (overdue, member->id);
      else
        member->doubted_us = 0;
    }
  if (self->state == HUB_RESTORING || self->state == HUB_OVER)
    return;
  witness = find_witness (self);
  for (guint i = 0; i < overdue->len; i++)
    {
      HubMember *member = hub_member_find (self, g_array_index (overdue, SatinNodeId, i));
      Death death = judge (self, &witness, member, get_due_us (member, now_us), now_us);
      if (death == DEATH_NOW)
        g_array_append_val (dead, member->id);
      else if (death == DEATH_RENEWED)
        renew (self, member, now_us);
      is_doubting |= death == DEATH_WAITS && has_doubted_long (self, member, now_us);
    }
  note_doubt (self, is_doubting);
  for (guint i = 0; i < dead->len; i++)
    reap (self, g_array_index (dead, SatinNodeId, i), now_us);
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
      if (now_us - self->restoring.since_us > self->options.death_us && hub_restore_has_any (self))
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

/* Whether the hub has stood still less than death_us ago, or its timer is overdue now. */
static gboolean
has_slept (SatinHub *self)
{
  SATIN_INJECT_BUG ("no-witness", return FALSE);
  gint64 now_us = satin_loop_now_us (self->loop);

  return now_us - self->tick_due_us > HUB_SHORT_GRACE_US
         || (self->woken_us != 0 && now_us - self->woken_us < self->options.death_us);
}

/* Normally the limit is short. If the hub stood still, nodes may have broken their links because of
 * that, and they get as much time to come back as a silent member has. */
gint64
hub_watch_lost_limit_us (SatinHub *self)
{
  gint64 death_us = self->options.death_us;

  return has_slept (self) ? death_us : MIN (death_us, HUB_SHORT_GRACE_US);
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
