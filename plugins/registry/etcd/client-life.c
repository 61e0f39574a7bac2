/* client-life.c - leases: this node's, and those of suspected nodes
 *
 * Only the store decides that a lease has expired. A node renews its lease once a "beat" (a fifth
 * of the lease's time, but at most a second), so that a missing renewal is noticed soon. If a node
 * does not answer other nodes, they suspect it and check its lease once a beat. If the lease was
 * renewed since, the node lives. If it was not renewed for some time, they revoke the lease. The
 * store revokes a lease only once, so several nodes may try.
 *
 * A member's life key expires with its lease. But the key may be gone although the node lives: the
 * store stood still for longer than a lease lasts and then expired all leases, or somebody deleted
 * the key. So a member without a life key is removed only after it has had time to put the key
 * back, and later if the store was away.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "client.h"

/* A beat is the lease's time divided by BEATS_PER_LEASE, but at most BEAT_MAX_US. A suspected node
 * loses its lease after SUSPECT_SILENT_S without a renewal. */
#define BEAT_MAX_US      ((gint64)1000000)
#define BEATS_PER_LEASE  5
#define SUSPECT_SILENT_S 4

/* How long a leaving node may stay after its announced deadline. */
#define LEAVE_PATIENCE_US ((gint64)5000000)

/* Members with lower numbers may remove the dead first. Each such member delays this node's turn by
 * REMOVAL_TURN_US, all together by REMOVAL_MAX_US at most. */
#define REMOVAL_TURN_US ((gint64)250000)
#define REMOVAL_MAX_US  ((gint64)3000000)

/* How long a node without a life key has to put the key back, before it may be removed. */
#define RETURN_US ((gint64)1000000)
/* For how long, at least, no node is removed after the store was away for more than half a lease.
 */
#define DOUBT_MIN_US ((gint64)5000000)
/* How long all nodes have to come back if none has a life key, before a new run begins. */
#define RETURN_OF_ALL_US ((gint64)3000000)

static gint64
get_beat_us (const Client *self)
{
  return MIN (self->times.lease_s * G_USEC_PER_SEC / BEATS_PER_LEASE, BEAT_MAX_US);
}

void
client_lose_lease (Client *self)
{
  satin_loop_probe (self->loop, "etcd.lease-lost");
  if (self->id != 0 && self->state != CLIENT_MEMBER)
    {
      client_read (self); /* this node ends; it needs no life key */
      return;
    }
  self->own.lease = 0;
  client_start (self);
}

static void
on_renewed (const StoreAnswer *answer, const GError *error, gpointer user_data)
{
  Client *self = user_data;

  self->is_renewing = FALSE;
  if (answer == NULL)
    {
      client_note_failure (self, error);
      return;
    }
  client_note_answer (self);
  if (answer->ttl_s == 0 && answer->lease == self->own.lease)
    client_lose_lease (self);
}

static void
renew (Client *self)
{
  const StoreCall call = { .kind = STORE_RENEW, .lease = self->own.lease };

  if (self->is_renewing || self->own.lease == 0 || self->is_revoking)
    return;
  self->is_renewing = TRUE;
  client_call (self, &call, on_renewed);
}

/* ---- other nodes ---- */

static void
on_revoked (const StoreAnswer *answer, const GError *error, gpointer user_data)
{
  if (answer != NULL)
    client_note_answer (user_data);
  else
    client_note_failure (user_data, error);
}

static void
take_away (Client *self, const ClientMember *member)
{
  const StoreCall call = { .kind = STORE_REVOKE, .lease = member->member.lease };

  client_call (self, &call, on_revoked);
}

static ClientMember *
find_by_lease (Client *self, gint64 lease)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      ClientMember *member = &g_array_index (self->members, ClientMember, i);
      if (member->member.lease == lease)
        return member;
    }
  return NULL;
}

/* Decides whether a suspected node lives. A lease that was not renewed since the first check has
 * lost one beat of its time at each check. If it has lost less, it was renewed. */
static void
on_time_left (const StoreAnswer *answer, const GError *error, gpointer user_data)
{
  Client *self = user_data;
  ClientMember *member = answer != NULL ? find_by_lease (self, answer->lease) : NULL;

  if (answer == NULL)
    {
      client_note_failure (self, error);
      return;
    }
  client_note_answer (self);
  if (member == NULL || member->n_doubts == 0)
    return;
  gint64 silent_us = (answer->granted_s - answer->ttl_s) * G_USEC_PER_SEC;
  gint64 watched_us = (gint64)(member->n_doubts - 1) * get_beat_us (self);
  if (answer->ttl_s == 0 || silent_us + G_USEC_PER_SEC < watched_us)
    member->n_doubts = 0;
  else if (silent_us >= SUSPECT_SILENT_S * G_USEC_PER_SEC)
    {
      satin_loop_note (self->loop, G_LOG_DOMAIN,
                       "node %u was silent for %" G_GINT64_FORMAT " s and does not answer others",
                       member->id, silent_us / G_USEC_PER_SEC);
      member->n_doubts = 0;
      take_away (self, member);
    }
}

static void
look_at (Client *self, ClientMember *member)
{
  const StoreCall call = { .kind = STORE_TIME_LEFT, .lease = member->member.lease };

  member->n_doubts++;
  client_call (self, &call, on_time_left);
}

void
client_suspect (Client *self, SatinNodeId id)
{
  ClientMember *member = client_find (self, id);

  if (member != NULL && id != self->id && member->n_doubts == 0 && self->state == CLIENT_MEMBER)
    look_at (self, member);
}

gboolean
client_is_overdue (const Client *self, const ClientMember *member)
{
  return member->leave_until_us != 0
         && satin_loop_now_us (self->loop) > member->leave_until_us + LEAVE_PATIENCE_US;
}

static void
check_others (Client *self)
{
  if (self->state != CLIENT_MEMBER || self->is_lost)
    return;
  for (guint i = 0; i < self->members->len; i++)
    {
      ClientMember *member = &g_array_index (self->members, ClientMember, i);
      if (!member->has_life || member->id == self->id)
        continue;
      if (client_is_overdue (self, member))
        take_away (self, member);
      else if (member->n_doubts > 0)
        look_at (self, member);
    }
}

static void
on_removal_timer (gpointer user_data)
{
  Client *self = user_data;

  self->removal_timer = 0;
  self->is_removal_due = TRUE;
  client_propose (self);
}

static void
look_again (Client *self, gint64 delay_us)
{
  if (self->removal_timer == 0)
    self->removal_timer = satin_loop_timer_add (self->loop, delay_us, on_removal_timer, self);
}

/* How long this node waits for members with lower numbers, which have the first turns. */
static gint64
get_turn_us (const Client *self)
{
  gint64 n_before = 0;

  for (guint i = 0; i < self->members->len; i++)
    {
      const ClientMember *member = &g_array_index (self->members, ClientMember, i);
      if (member->id < self->id && member->has_life)
        n_before++;
    }
  return self->is_removal_due ? 0 : MIN (n_before * REMOVAL_TURN_US, REMOVAL_MAX_US);
}

gboolean
client_may_remove (Client *self, const ClientMember *dead)
{
  client_check_silence (self);
  gint64 now_us = satin_loop_now_us (self->loop);
  gint64 due_us = MAX (dead->lost_us + RETURN_US, self->doubt_until_us);
  gint64 delay_us = MAX (due_us - now_us, 0) + get_turn_us (self);

  if (delay_us > 0)
    look_again (self, delay_us);
  return delay_us == 0;
}

gboolean
client_may_begin (Client *self)
{
  gint64 now_us = satin_loop_now_us (self->loop);
  gint64 due_us = now_us;

  for (guint i = 0; i < self->members->len; i++)
    due_us =
        MAX (due_us, g_array_index (self->members, ClientMember, i).lost_us + RETURN_OF_ALL_US);
  if (due_us > now_us)
    look_again (self, due_us - now_us);
  return due_us == now_us;
}

void
client_doubt (Client *self)
{
  satin_loop_probe (self->loop, "etcd.doubt");
  self->doubt_until_us =
      satin_loop_now_us (self->loop) + MAX (self->times.lease_s * G_USEC_PER_SEC, DOUBT_MIN_US);
}

void
client_check_silence (Client *self)
{
  gint64 silent_us = satin_loop_now_us (self->loop) - self->answered_us;

  if (silent_us > self->times.lease_s * G_USEC_PER_SEC / 2)
    client_doubt (self);
}

/* ---- the beat ---- */

static void
on_beat (gpointer user_data)
{
  Client *self = user_data;

  self->beat_timer = satin_loop_timer_add (self->loop, get_beat_us (self), on_beat, self);
  renew (self);
  check_others (self);
}

void
client_life_start (Client *self)
{
  if (self->beat_timer == 0)
    self->beat_timer = satin_loop_timer_add (self->loop, get_beat_us (self), on_beat, self);
}
