/* client.c - states and deadlines of a node's membership
 *
 * "The host" is the code that uses this plugin; client.h gives an overview.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "client.h"

#include <string.h>

/* After the end of the run: how long the host may take to leave by itself. */
#define END_PATIENCE_US ((gint64)500000)

#define TO(state) (1u << (state))

static const struct
{
  const char *name;
  guint next;
} states[CLIENT_N_STATES] = {
  [CLIENT_JOINING] = { "joining", TO (CLIENT_MEMBER) | TO (CLIENT_LEAVING) | TO (CLIENT_DONE) },
  [CLIENT_MEMBER] = { "member", TO (CLIENT_ENDING) | TO (CLIENT_LEAVING) | TO (CLIENT_DONE) },
  [CLIENT_ENDING] = { "ending", TO (CLIENT_LEAVING) | TO (CLIENT_DONE) },
  [CLIENT_LEAVING] = { "leaving", TO (CLIENT_DONE) },
  [CLIENT_DONE] = { "done", 0 },
};

gboolean
client_state_may (ClientState from, ClientState to)
{
  return (states[from].next & TO (to)) != 0;
}

static void
fail_to_join (Client *self)
{
  g_autoptr (GError) error = g_error_new (
      SATIN_ERROR, SATIN_ERROR_UNREACHABLE, "no store let us in at %s within %.3g s%s%s", self->uri,
      (double)self->times.join_timeout_us / G_USEC_PER_SEC, self->last_error != NULL ? ": " : "",
      self->last_error != NULL ? self->last_error->message : "");

  client_finish (self, error);
}

static void
on_deadline (gpointer user_data)
{
  Client *self = user_data;

  self->deadline_timer = 0;
  switch (self->state)
    {
    case CLIENT_JOINING:
      fail_to_join (self);
      break;
    case CLIENT_ENDING:
      client_leave (self);
      break;
    case CLIENT_LEAVING:
      client_finish (self, NULL);
      break;
    case CLIENT_MEMBER:
    case CLIENT_DONE:
    case CLIENT_N_STATES:
      g_assert_not_reached ();
    }
}

static void
set_deadline (Client *self, gint64 delay_us)
{
  satin_loop_timer_cancel (self->loop, &self->deadline_timer);
  self->deadline_timer = satin_loop_timer_add (self->loop, delay_us, on_deadline, self);
}

static void
stop_timers (Client *self)
{
  satin_loop_timer_cancel (self->loop, &self->deadline_timer);
  satin_loop_timer_cancel (self->loop, &self->retry_timer);
  satin_loop_timer_cancel (self->loop, &self->beat_timer);
  satin_loop_timer_cancel (self->loop, &self->removal_timer);
}

void
client_enter (Client *self, ClientState to)
{
  ClientState from = self->state;

  g_debug ("node %u: %s to %s", self->id, states[from].name, states[to].name);
  g_assert (client_state_may (from, to));
  self->state = to;
  satin_loop_timer_cancel (self->loop, &self->deadline_timer);
  switch (to)
    {
    case CLIENT_MEMBER:
      break;
    case CLIENT_ENDING:
      set_deadline (self, END_PATIENCE_US);
      break;
    case CLIENT_LEAVING:
      set_deadline (self, from == CLIENT_JOINING ? 0 : self->times.leave_timeout_us);
      break;
    case CLIENT_DONE:
      stop_timers (self);
      break;
    case CLIENT_JOINING:
    case CLIENT_N_STATES:
      g_assert_not_reached ();
    }
}

void
client_word_free (gpointer data)
{
  ClientWord *word = data;

  satin_record_clear (&KeyWord_record, &word->word);
  g_free (word);
}

Client *
client_new (const SatinRegistryContext *context, const StoreOps *ops, gpointer store,
            const char *run_name, const ClientTimes *times, const SatinRegistryEvents *events,
            gpointer user_data)
{
  Client *self = g_new0 (Client, 1);

  self->n_refs = 1;
  self->loop = context->loop;
  self->ops = ops;
  self->store = store;
  self->uri = g_strdup (context->uri);
  self->prefix = g_strconcat (KEY_ROOT, run_name, "/", NULL);
  self->program_name = g_strdup (context->program->name);
  self->program = *context->program;
  self->program.name = self->program_name;
  seal_init (&self->seal, context->secret);
  self->own.cluster = g_strdup (context->cluster);
  self->own.address = g_strdup (context->address);
  self->own.host = g_strdup (context->host);
  self->own.pid = context->pid;
  self->events = events;
  self->user_data = user_data;
  self->times = *times;
  self->answered_us = satin_loop_now_us (self->loop);
  self->members = g_array_new (FALSE, TRUE, sizeof (ClientMember));
  g_array_set_clear_func (self->members, client_clear_member);
  self->heard = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_queue_init (&self->words);
  set_deadline (self, times->join_timeout_us);
  return self;
}

void
client_unref (Client *self)
{
  if (--self->n_refs > 0)
    return;
  stop_timers (self);
  if (self->store != NULL)
    self->ops->close (self->store);
  satin_record_clear (&KeyMember_record, &self->own);
  satin_record_clear (&KeyView_record, &self->view);
  satin_record_clear (&SatinRunEnd_record, &self->end);
  satin_record_clear (&SatinRunEnd_record, &self->wanted_end);
  g_array_unref (self->members);
  g_hash_table_unref (self->heard);
  g_queue_clear_full (&self->words, client_word_free);
  g_clear_error (&self->last_error);
  seal_clear (&self->seal);
  g_free (self->uri);
  g_free (self->prefix);
  g_free (self->program_name);
  g_free (self);
}

void
client_leave (Client *self)
{
  if (!client_state_may (self->state, CLIENT_LEAVING))
    return;
  client_enter (self, CLIENT_LEAVING);
  client_propose (self);
}

/* Ends the client: it makes no more calls to the store and gets no more answers. */
static void
stop (Client *self)
{
  if (client_state_may (self->state, CLIENT_DONE))
    client_enter (self, CLIENT_DONE);
  if (self->store != NULL)
    self->ops->close (g_steal_pointer (&self->store));
}

void
client_abandon (Client *self)
{
  self->is_abandoned = TRUE;
  stop (self);
  client_unref (self);
}

void
client_finish (Client *self, const GError *error)
{
  if (self->state == CLIENT_DONE)
    return;
  stop (self);
  self->events->over (error, self->user_data);
  client_unref (self);
}

void
client_waits (Client *self, SatinWaitFunc add, gpointer user_data)
{
  const SatinWait waits[] = {
    { .what = "the next question to the store", .deadline = self->retry_timer },
    { .what = "the next sign of life to the store", .deadline = self->beat_timer },
    { .what = "the store's consent", .deadline = self->deadline_timer },
  };

  if (self->state == CLIENT_DONE)
    return;
  if (self->retry_timer != 0)
    add (&waits[0], user_data);
  if (self->beat_timer != 0)
    add (&waits[1], user_data);
  if (self->state != CLIENT_MEMBER)
    add (&waits[2], user_data);
}
