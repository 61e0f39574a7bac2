/* client-store.c - reading, watching, and retries when the store does not answer
 *
 * "The host" is the code that uses this plugin; client.h gives an overview.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "client.h"

#define BACKOFF_MIN_US ((gint64)50000)
#define BACKOFF_MAX_US ((gint64)1000000)

/* Keeps the client alive while the host gets events, because the host may abandon it in a
 * callback. */
static void
hold (Client *self)
{
  self->n_refs++;
}

void
client_call (Client *self, const StoreCall *call, StoreDone done)
{
  if (self->store != NULL)
    self->ops->call (self->store, call, done, self);
}

/* Whether @error is a refusal, which the store would repeat. */
static gboolean
is_refusal (const GError *error)
{
  return g_error_matches (error, SATIN_ERROR, SATIN_ERROR_SECRET)
         || g_error_matches (error, SATIN_ERROR, SATIN_ERROR_PROTOCOL);
}

static void watch (Client *self);

static void
go_on (Client *self)
{
  if (self->revision == 0)
    client_read (self);
  else if (!self->is_watching && !self->is_reading)
    watch (self);
  client_propose (self);
}

static void
on_retry_timer (gpointer user_data)
{
  Client *self = user_data;

  self->retry_timer = 0;
  if (self->own.lease == 0)
    client_start (self);
  else
    go_on (self);
}

static void
retry_later (Client *self)
{
  gint64 delay_us = MAX (self->backoff_us, BACKOFF_MIN_US);

  self->backoff_us = MIN (delay_us * 2, BACKOFF_MAX_US);
  delay_us -= satin_loop_random_below (self->loop, (guint32)delay_us / 2);
  if (self->retry_timer == 0)
    self->retry_timer = satin_loop_timer_add (self->loop, delay_us, on_retry_timer, self);
}

static void
tell_unsure (Client *self)
{
  if (self->is_lost)
    return;
  self->is_lost = TRUE;
  if (self->state == CLIENT_MEMBER)
    self->events->unsure (satin_loop_now_us (self->loop), self->last_error, self->user_data);
}

void
client_note_failure (Client *self, const GError *error)
{
  g_clear_error (&self->last_error);
  self->last_error = g_error_copy (error);
  if (self->state == CLIENT_JOINING && is_refusal (error))
    {
      client_finish (self, error);
      return;
    }
  retry_later (self);
  tell_unsure (self);
}

void
client_note_answer (Client *self)
{
  self->backoff_us = 0;
  client_check_silence (self);
  self->answered_us = satin_loop_now_us (self->loop);
  if (!self->is_lost)
    return;
  self->is_lost = FALSE;
  if (self->state == CLIENT_MEMBER && SATIN_HAS (self->events, sure))
    self->events->sure (self->user_data);
  if (self->id != 0)
    satin_loop_note (self->loop, G_LOG_DOMAIN, "node %u: the store at %s answers again", self->id,
                     self->uri);
}

/* ---- the watch ---- */

static void
on_changed (const StoreItem *items, guint n_items, gpointer user_data)
{
  Client *self = user_data;

  hold (self);
  /* All changes of one commit are reported together. */
  for (guint i = 0, next; i < n_items && self->state != CLIENT_DONE; i = next)
    {
      for (next = i + 1; next < n_items && items[next].revision == items[i].revision;)
        next++;
      client_take_items (self, items + i, next - i);
      self->revision = MAX (self->revision, items[i].revision);
      client_tell (self);
    }
  if (self->state != CLIENT_DONE)
    client_propose (self);
  client_unref (self);
}

static void
on_lost (gboolean is_compacted, const GError *error, gpointer user_data)
{
  Client *self = user_data;

  self->is_watching = FALSE;
  g_debug ("node %u: the watch is lost%s%s", self->id, error != NULL ? ": " : "",
           error != NULL ? error->message : "");
  if (is_compacted)
    {
      satin_loop_probe (self->loop, "etcd.compacted");
      client_read (self);
    }
  else if (self->backoff_us == 0)
    {
      /* Another server may answer at once. If it fails too, the next try waits. */
      self->backoff_us = BACKOFF_MIN_US;
      watch (self);
    }
  else
    retry_later (self);
}

static void
watch (Client *self)
{
  static const StoreWatchFuncs funcs = { .changed = on_changed, .lost = on_lost };

  if (self->store == NULL)
    return;
  self->is_watching = TRUE;
  self->ops->watch (self->store, self->prefix, self->revision + 1, &funcs, self);
}

/* ---- reading all ---- */

static void
on_read (const StoreAnswer *answer, const GError *error, gpointer user_data)
{
  Client *self = user_data;

  self->is_reading = FALSE;
  if (answer == NULL)
    {
      client_note_failure (self, error);
      return;
    }
  client_note_answer (self);
  hold (self);
  client_forget_all (self);
  client_take_items (self, answer->items, answer->n_items);
  self->revision = answer->revision;
  client_tell (self);
  if (self->state != CLIENT_DONE)
    {
      watch (self);
      client_propose (self);
    }
  client_unref (self);
}

void
client_read (Client *self)
{
  const StoreCall call = { .kind = STORE_READ, .prefix = self->prefix };

  if (self->is_reading)
    return;
  self->is_reading = TRUE;
  client_call (self, &call, on_read);
}

/* ---- the beginning ---- */

static void
on_granted (const StoreAnswer *answer, const GError *error, gpointer user_data)
{
  Client *self = user_data;

  self->is_reading = FALSE;
  if (answer == NULL)
    {
      client_note_failure (self, error);
      return;
    }
  client_note_answer (self);
  self->own.lease = answer->lease;
  client_life_start (self);
  client_read (self);
}

void
client_start (Client *self)
{
  const StoreCall call = { .kind = STORE_GRANT, .ttl_s = self->times.lease_s };

  if (self->is_reading)
    return;
  self->is_reading = TRUE;
  client_call (self, &call, on_granted);
}
