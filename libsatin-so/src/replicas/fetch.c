/* fetch.c - gets an object from another node when it is not here, or not new enough
 *
 * One node is asked at a time: first the node that sent the job that needs the object, or whose
 * digest shows a better state, then other such nodes, and at last the master. If a node does not
 * have the object, is gone, or does not answer in time, the next node is asked. If no node had the
 * object, the fetch is over; a job that still needs the object starts a new fetch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/base/inject.h>

/* ---- fetches ---- */

static void
update_clear (gpointer data)
{
  satin_record_clear (&ReplicasUpdate_record, data);
}

void
replicas_fetch_free (gpointer data)
{
  Fetch *self = data;
  satin_loop_timer_cancel (self->replicas->loop, &self->timer);
  g_array_unref (self->held);
  g_free (self);
}

static Fetch *
find (SatinReplicas *self, SatinObject id)
{
  for (guint i = 0; i < self->fetches->len; i++)
    {
      Fetch *fetch = g_ptr_array_index (self->fetches, i);
      if (fetch->id == id)
        return fetch;
    }
  return NULL;
}

static Fetch *
begin (SatinReplicas *self, SatinObject id)
{
  Fetch *fetch = g_new0 (Fetch, 1);
  fetch->replicas = self;
  fetch->id = id;
  fetch->since_us = satin_loop_now_us (self->loop);
  fetch->held = g_array_new (FALSE, FALSE, sizeof (ReplicasUpdate));
  g_array_set_clear_func (fetch->held, update_clear);
  g_ptr_array_add (self->fetches, fetch);
  return fetch;
}

/* Ends the fetch and frees it. Applies the updates that came meanwhile, if the object is here
 * now. */
static void
end (Fetch *fetch)
{
  SatinReplicas *self = fetch->replicas;
  g_autoptr (GArray) held = g_array_ref (fetch->held);
  g_ptr_array_remove (self->fetches, fetch);
  for (guint i = 0; i < held->len; i++)
    replicas_apply (self, &g_array_index (held, ReplicasUpdate, i));
}

/* Keeps an update of an object that is being fetched, because the state that will come may not
 * contain this update. */
void
replicas_hold (SatinReplicas *self, const ReplicasUpdate *update)
{
  Fetch *fetch = find (self, update->object);
  if (fetch == NULL || fetch->held->len >= FETCH_MAX_HELD)
    return;
  satin_loop_probe (self->loop, "objects.update-held");
  ReplicasUpdate copy;
  satin_record_copy (&ReplicasUpdate_record, update, &copy);
  g_array_append_val (fetch->held, copy);
}

/* ---- asking ---- */

/* Adds the node @id to those that are asked. Returns: %FALSE when @id is 0 or known already, or
 * there is no room for it */
static gboolean
add_source (Fetch *fetch, SatinNodeId id)
{
  if (id == 0 || fetch->n_sources == FETCH_MAX_SOURCES)
    return FALSE;
  for (guint i = 0; i < fetch->n_sources; i++)
    if (fetch->sources[i] == id)
      return FALSE;
  fetch->sources[fetch->n_sources++] = id;
  return TRUE;
}

static gint64
get_deadline_us (const SatinView *view, SatinNodeId id)
{
  const SatinPeer *peer = satin_view_find (view, id);
  gint64 latency_us = peer != NULL ? peer->latency_us : 0;
  return MIN (FETCH_DEADLINE_US + 8 * latency_us, FETCH_DEADLINE_MAX_US);
}

static void ask_next (Fetch *fetch);

static void
on_overdue (gpointer user_data)
{
  Fetch *fetch = user_data;
  satin_loop_probe (fetch->replicas->loop, "objects.fetch-overdue");
  fetch->timer = 0;
  ask_next (fetch);
}

static void
start_deadline (Fetch *fetch, SatinNodeId asked)
{
  SATIN_INJECT_BUG ("forget-object", return);
  SatinReplicas *self = fetch->replicas;
  gint64 deadline_us = get_deadline_us (satin_peers_get_view (self->peers), asked);
  fetch->timer = satin_loop_timer_add (self->loop, deadline_us, on_overdue, fetch);
}

/* Asks the next source that can be reached, and at last the master. Ends the fetch when no source
 * is left. */
static void
ask_next (Fetch *fetch)
{
  SatinReplicas *self = fetch->replicas;
  const SatinView *view = satin_peers_get_view (self->peers);
  satin_loop_timer_cancel (self->loop, &fetch->timer);
  while (fetch->n_asked < fetch->n_sources || add_source (fetch, view->master))
    {
      SatinNodeId to = fetch->sources[fetch->n_asked++];
      ReplicasFetch message = { .object = fetch->id };
      if (!replicas_send (self, to, REPLICAS_FETCH, &ReplicasFetch_record, &message))
        continue;
      start_deadline (fetch, to);
      return;
    }
  satin_loop_probe (self->loop, "objects.fetch-in-vain");
  self->n_vain++;
  end (fetch);
}

/* Fetches an object. @from: a node that should have the object, or 0 */
void
replicas_fetch (SatinReplicas *self, SatinNodeId from, SatinObject id)
{
  Fetch *fetch = find (self, id);
  if (fetch != NULL)
    {
      add_source (fetch, from);
      return;
    }
  fetch = begin (self, id);
  add_source (fetch, from);
  ask_next (fetch);
}

/* Lets fetches that wait for an answer of the node @id ask the next source, because the node will
 * not answer any more. */
void
replicas_fetch_source_gone (SatinReplicas *self, SatinNodeId id)
{
  for (guint i = self->fetches->len; i-- > 0;)
    {
      Fetch *fetch = g_ptr_array_index (self->fetches, i);
      if (fetch->sources[fetch->n_asked - 1] != id)
        continue;
      satin_loop_probe (self->loop, "objects.fetch-source-gone");
      ask_next (fetch);
    }
}

/* ---- answers ---- */

/* Returns: (transfer full) (nullable): why the object cannot be sent; %NULL when it can */
static char *
find_obstacle (const SatinObjectType *type, GBytes *packed)
{
  gsize n_bytes = g_bytes_get_size (packed);
  if (n_bytes <= STATE_MAX_BYTES)
    return NULL;
  return g_strdup_printf (
      "an object of type %s with %" G_GSIZE_FORMAT
      " bytes does not fit into a message: make several objects of it, of %" G_GSIZE_FORMAT
      " bytes at most",
      type->name, n_bytes, STATE_MAX_BYTES);
}

void
replicas_on_fetch (SatinReplicas *self, SatinNodeId from, const ReplicasFetch *message)
{
  const SatinObjectType *type = NULL;
  g_autoptr (GBytes) packed = satin_objects_pack (self->objects, message->object, &type, NULL);
  g_autofree char *obstacle = packed != NULL ? find_obstacle (type, packed) : NULL;
  if (packed == NULL || obstacle != NULL)
    {
      ReplicasNone none = { .object = message->object, .reason = obstacle };
      if (obstacle != NULL)
        g_warning ("%s", obstacle);
      replicas_send (self, from, REPLICAS_NONE, &ReplicasNone_record, &none);
      return;
    }
  ReplicasState state = { .object = message->object,
                          .type = type->name,
                          .n_updates = replicas_add (self, message->object)->n_updates };
  state.packed = g_bytes_get_data (packed, &state.n_packed);
  replicas_send (self, from, REPLICAS_STATE, &ReplicasState_record, &state);
}

/* Installs a state that a node has sent, even if it comes after the deadline of its fetch. */
void
replicas_on_state (SatinReplicas *self, SatinNodeId from, const ReplicasState *message)
{
  Fetch *fetch = find (self, message->object);
  g_autoptr (GBytes) packed = g_bytes_new (message->packed, message->n_packed);
  g_autoptr (GError) error = NULL;
  if (!satin_objects_install (self->objects, message->object, message->type, packed, &error))
    {
      satin_warn_of_peer (&self->warnings, self->loop, from, "object dropped: %s", error->message);
      if (fetch != NULL && fetch->sources[fetch->n_asked - 1] == from)
        ask_next (fetch);
      return;
    }
  self->n_fetched++;
  self->n_fetched_bytes += (gint64)message->n_packed;
  const Replica *replica = replicas_add (self, message->object);
  replicas_note_change (self, message->object, MAX (message->n_updates - replica->n_updates, 0));
  if (fetch != NULL)
    end (fetch);
}

void
replicas_on_none (SatinReplicas *self, SatinNodeId from, const ReplicasNone *message)
{
  Fetch *fetch = find (self, message->object);
  if (*message->reason != '\0')
    satin_warn_of_peer (&self->warnings, self->loop, from, "%s", message->reason);
  if (fetch != NULL && fetch->sources[fetch->n_asked - 1] == from)
    ask_next (fetch);
}
