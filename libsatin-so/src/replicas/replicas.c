/* replicas.c - the replicator: its life, its messages, changes of membership
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/base/atomic.h>
#include <satin/base/sorted.h>

/* ---- other nodes ---- */

gboolean
replicas_is_near (const SatinView *view, const SatinPeer *peer)
{
  return g_str_equal (view->cluster, peer->cluster);
}

/* Returns: (transfer full): a byte with the kind, and the encoded record */
GBytes *
replicas_make_message (ReplicasKind kind, const SatinRecord *record, gconstpointer data)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 head = kind;
  g_byte_array_append (bytes, &head, 1);
  satin_record_encode (record, data, bytes);
  return g_byte_array_free_to_bytes (bytes);
}

/* Sends a message. A message that cannot be sent is lost; digests later show what the other node
 * lacks. */
gboolean
replicas_send_message (SatinReplicas *self, SatinNodeId to, GBytes *message)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  const SatinPeer *peer = satin_view_find (view, to);
  if (peer == NULL)
    return FALSE;
  gboolean is_near = replicas_is_near (view, peer);
  if (!satin_peers_send (self->peers, to, SATIN_CHANNEL_OBJECTS, message))
    {
      self->n_unsent++;
      return FALSE;
    }
  *(is_near ? &self->n_bytes_near : &self->n_bytes_far) += (gint64)g_bytes_get_size (message);
  return TRUE;
}

gboolean
replicas_send (SatinReplicas *self, SatinNodeId to, ReplicasKind kind, const SatinRecord *record,
               gconstpointer data)
{
  g_autoptr (GBytes) message = replicas_make_message (kind, record, data);
  return replicas_send_message (self, to, message);
}

/* Whether the peer at @place in the view is the relay of its cluster: the node with the lowest id
 * that is not leaving, or with the lowest id of all when all are leaving. */
static gboolean
is_relay (const SatinView *view, guint place)
{
  const SatinPeer *peer = &view->peers[place];
  for (guint i = 0; i < view->n_peers; i++)
    {
      const SatinPeer *other = &view->peers[i];
      gboolean is_before = other->is_leaving < peer->is_leaving
                           || (other->is_leaving == peer->is_leaving && i < place);
      if (is_before && g_str_equal (other->cluster, peer->cluster))
        return FALSE;
    }
  return TRUE;
}

/* Returns: (transfer none): the ids of the relays of other clusters, in increasing order; valid
 * until the view changes */
const GArray *
replicas_get_relays (SatinReplicas *self)
{
  if (self->are_relays_known)
    return self->relays;
  const SatinView *view = satin_peers_get_view (self->peers);
  g_array_set_size (self->relays, 0);
  for (guint i = 0; i < view->n_peers; i++)
    if (!replicas_is_near (view, &view->peers[i]) && is_relay (view, i))
      g_array_append_val (self->relays, view->peers[i].id);
  self->are_relays_known = TRUE;
  return self->relays;
}

/* ---- objects of this node ---- */

/* Returns: the index of @id, or the index where it has to be inserted */
static guint
find_place (const SatinReplicas *self, SatinObject id)
{
  return SATIN_SORTED_PLACE (i, self->replicas->len,
                             g_array_index (self->replicas, Replica, i).id < id);
}

/* Returns: (nullable): what is known of the object; valid until another object is added */
Replica *
replicas_find (SatinReplicas *self, SatinObject id)
{
  guint place = find_place (self, id);
  if (place == self->replicas->len || g_array_index (self->replicas, Replica, place).id != id)
    return NULL;
  return &g_array_index (self->replicas, Replica, place);
}

/* Like replicas_find(), but adds the object if necessary. */
Replica *
replicas_add (SatinReplicas *self, SatinObject id)
{
  Replica *known = replicas_find (self, id);
  if (known != NULL)
    return known;
  Replica fresh = { .id = id };
  guint place = find_place (self, id);
  g_array_insert_val (self->replicas, place, fresh);
  replicas_digest_start (self);
  return &g_array_index (self->replicas, Replica, place);
}

/* Notes that the object has changed, here or on another node, by @n_updates updates. */
void
replicas_note_change (SatinReplicas *self, SatinObject id, gint64 n_updates)
{
  Replica *replica = replicas_add (self, id);
  replica->n_updates += n_updates;
  replica->changed_us = satin_loop_now_us (self->loop);
  replica->is_known = FALSE;
}

/* Applies an update of another node. If the object is being fetched, also keeps the update until
 * the state comes, because that state may lack the update. This is not necessary if the object is
 * here and its type has merge, because the state here is not replaced then. */
void
replicas_apply (SatinReplicas *self, const ReplicasUpdate *update)
{
  const SatinObjectType *type = satin_objects_get_type (self->objects, update->object);
  if (type == NULL || type->merge == NULL)
    replicas_hold (self, update);
  if (type == NULL)
    return;
  g_autoptr (GBytes) args = g_bytes_new (update->args, update->n_args);
  g_autoptr (GError) error = NULL;
  if (!satin_objects_apply (self->objects, update->object, update->method, args, &error))
    {
      guint n_hidden;
      if (satin_warnings_may_show (&self->warnings, satin_loop_now_us (self->loop), 0, "update",
                                   &n_hidden))
        g_warning ("object %016" G_GINT64_MODIFIER "x: update dropped: %s", update->object,
                   error->message);
      return;
    }
  self->n_applied++;
  replicas_note_change (self, update->object, 1);
}

/* ---- messages ---- */

/* Gathers objects from other nodes if this node has become the master after another: it runs the
 * root job again, and needs the objects of that job. */
static void
succeed (SatinReplicas *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  if (view->master == view->self && view->term > 1)
    replicas_gather (self);
}

/* Allocates what the replicator needs, when the first object or message about objects comes. Most
 * programs have no objects, so a replicator takes hardly any memory until then. */
void
replicas_wake (SatinReplicas *self)
{
  if (self->is_awake)
    return;
  self->is_awake = TRUE;
  self->relays = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));
  self->heard = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->replicas = g_array_new (FALSE, FALSE, sizeof (Replica));
  self->fetches = g_ptr_array_new_with_free_func (replicas_fetch_free);
  self->bounds = g_ptr_array_new_with_free_func (replicas_bound_free);
  self->near.sent_us = G_MININT64 / 2; /* long ago, even if the clock starts at 0 */
  self->near.updates = satin_updates_new ();
  self->far.updates = satin_updates_new ();
  succeed (self);
}

static void
take (SatinReplicas *self, SatinNodeId from, ReplicasKind kind, gconstpointer data)
{
  switch (kind)
    {
    case REPLICAS_UPDATES:
      replicas_on_updates (self, from, data);
      break;
    case REPLICAS_FETCH:
      replicas_on_fetch (self, from, data);
      break;
    case REPLICAS_STATE:
      replicas_on_state (self, from, data);
      break;
    case REPLICAS_NONE:
      replicas_on_none (self, from, data);
      break;
    case REPLICAS_DIGEST:
      replicas_on_digest (self, from, data);
      break;
    }
}

static void
on_message (SatinNodeId from, GBytes *payload, gpointer user_data)
{
  static const SatinRecord *const records[] = {
    [REPLICAS_UPDATES] = &ReplicasUpdates_record, [REPLICAS_FETCH] = &ReplicasFetch_record,
    [REPLICAS_STATE] = &ReplicasState_record,     [REPLICAS_NONE] = &ReplicasNone_record,
    [REPLICAS_DIGEST] = &ReplicasDigest_record,
  };
  SatinReplicas *self = user_data;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  guint8 kind = n_bytes > 0 ? bytes[0] : 0;
  if (kind == 0 || kind >= G_N_ELEMENTS (records))
    {
      satin_warn_of_peer (&self->warnings, self->loop, from,
                          "message of objects of unknown kind %u dropped", kind);
      return;
    }
  union
  {
    ReplicasUpdates updates;
    ReplicasFetch fetch;
    ReplicasState state;
    ReplicasNone none;
    ReplicasDigest digest;
  } data;
  g_autoptr (GError) error = NULL;
  replicas_wake (self);
  if (!satin_record_decode (records[kind], bytes + 1, n_bytes - 1, &data, &error))
    {
      satin_warn_of_peer (&self->warnings, self->loop, from, "message of objects dropped: %s",
                          error->message);
      return;
    }
  take (self, from, kind, &data);
  satin_record_clear (records[kind], &data);
}

static void
on_change (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
  SatinReplicas *self = user_data;
  self->are_relays_known = FALSE;
  if (!self->is_awake)
    return;
  switch (change)
    {
    case SATIN_PEER_LEFT:
    case SATIN_PEER_DIED:
      replicas_fetch_source_gone (self, id);
      replicas_digest_soon (self);
      break;
    case SATIN_PEER_LINK_BROKEN:
      replicas_fetch_source_gone (self, id);
      replicas_digest_soon (self);
      break;
    case SATIN_PEER_MASTER:
      succeed (self);
      break;
    case SATIN_PEER_JOINED:
    case SATIN_PEER_LEAVING:
    case SATIN_PEER_UNKNOWN:
      break;
    }
}

/* ---- callbacks of the store ---- */

static void
bell_unref (Bell *self)
{
  /* Sequentially consistent: the thread that frees the bell sees what other threads did with it. */
  if (SATIN_SUB (&self->n_refs, 1) == 1)
    g_free (self);
}

static void
rung (gpointer user_data)
{
  Bell *self = user_data;
  SatinReplicas *replicas = self->replicas;
  if (replicas != NULL && replicas->peers != NULL)
    {
      replicas_wake (replicas);
      replicas_ring (replicas);
    }
  bell_unref (self);
}

/* The store has updates to take. Threads: any. */
static void
host_changed (gpointer host)
{
  Bell *self = host;
  /* Release: a thread that sees the flag also sees the update in the store. */
  SATIN_STORE (&self->was_rung, TRUE);
  SATIN_ADD (&self->n_refs, 1);
  satin_loop_post (self->loop, rung, self);
}

static void
host_want (gpointer host, SatinNodeId from, SatinObject id, gint64 version)
{
  SatinReplicas *self = ((Bell *)host)->replicas;
  if (self == NULL || self->peers == NULL)
    return;
  replicas_wake (self);
  replicas_fetch (self, from, id);
}

static const SatinObjectsHost host_ops = {
  .struct_size = sizeof (SatinObjectsHost),
  .changed = host_changed,
  .want = host_want,
};

/* ---- life ---- */

SatinReplicas *
satin_replicas_new (SatinLoop *loop, SatinObjects *objects, const SatinReplicasOptions *options)
{
  g_return_val_if_fail (options->window_us >= 0, NULL);
  g_return_val_if_fail (options->far_window_us >= options->window_us, NULL);
  g_return_val_if_fail (options->digest_us > 0 && options->max_bytes > 0, NULL);
  g_return_val_if_fail (options->max_bytes <= STATE_MAX_BYTES, NULL);
  SatinReplicas *self = g_new0 (SatinReplicas, 1);
  self->loop = loop;
  self->objects = objects;
  self->options = *options;
  self->bell = g_new0 (Bell, 1);
  *self->bell = (Bell){ .n_refs = 1, .loop = loop, .replicas = self };
  return self;
}

static void
part_from_peers (SatinReplicas *self)
{
  if (SATIN_LOAD (&self->bell->was_rung))
    replicas_wake (self);
  if (self->is_awake)
    {
      replicas_flush (self);
      g_ptr_array_set_size (self->fetches, 0);
    }
  satin_objects_set_host (self->objects, NULL, NULL, 0);
  satin_loop_timer_cancel (self->loop, &self->digest_timer);
  satin_peers_set_message_func (self->peers, SATIN_CHANNEL_OBJECTS, NULL, NULL);
  satin_peers_remove_change_func (self->peers, self->change_id);
}

void
satin_replicas_set_peers (SatinReplicas *self, SatinPeers *peers)
{
  if (self->peers != NULL)
    part_from_peers (self);
  self->peers = peers;
  self->are_relays_known = FALSE;
  if (peers == NULL)
    return;
  satin_peers_set_message_func (peers, SATIN_CHANNEL_OBJECTS, on_message, self);
  self->change_id = satin_peers_add_change_func (peers, on_change, self);
  /* New peers do not need earlier updates. These updates are taken, so that the store calls
   * @changed for the next update. */
  g_array_unref (satin_objects_take_updates (self->objects));
  satin_objects_set_host (self->objects, &host_ops, self->bell, satin_peers_get_view (peers)->self);
  if (self->is_awake && self->replicas->len > 0)
    replicas_digest_start (self);
}

void
satin_replicas_free (SatinReplicas *self)
{
  if (self == NULL)
    return;
  satin_replicas_set_peers (self, NULL);
  satin_warnings_clear (&self->warnings);
  self->bell->replicas = NULL;
  bell_unref (self->bell);
  if (self->is_awake)
    {
      g_array_unref (self->near.updates);
      g_array_unref (self->far.updates);
      g_ptr_array_unref (self->fetches);
      g_ptr_array_unref (self->bounds);
      g_array_unref (self->replicas);
      g_array_unref (self->relays);
      g_hash_table_unref (self->heard);
    }
  g_free (self);
}

void
satin_replicas_figures (SatinReplicas *self, SatinFigureFunc add, gpointer user_data)
{
  add ("objects.updates", self->n_updates, user_data);
  add ("objects.applied", self->n_applied, user_data);
  add ("objects.doubles", self->n_doubles, user_data);
  add ("objects.passed-on", self->n_passed_on, user_data);
  add ("objects.unsent", self->n_unsent, user_data);
  add ("objects.bytes-near", self->n_bytes_near, user_data);
  add ("objects.bytes-far", self->n_bytes_far, user_data);
  add ("objects.fetched", self->n_fetched, user_data);
  add ("objects.fetched-bytes", self->n_fetched_bytes, user_data);
  add ("objects.fetched-in-vain", self->n_vain, user_data);
  add ("objects.digests", self->n_digests, user_data);
  add ("objects.healed", self->n_healed, user_data);
  add ("objects.kept", self->n_kept, user_data);
  add ("objects.restored", self->n_restored, user_data);
}

void
satin_replicas_waits (SatinReplicas *self, SatinWaitFunc add, gpointer user_data)
{
  for (guint i = 0; self->is_awake && i < self->fetches->len; i++)
    {
      const Fetch *fetch = g_ptr_array_index (self->fetches, i);
      SatinWait wait = { "an object", fetch->sources[fetch->n_asked - 1], fetch->since_us,
                         fetch->timer };
      add (&wait, user_data);
    }
  SatinWait near = { .what = "updates for this cluster", .deadline = self->near.timer };
  SatinWait far = { .what = "updates for other clusters", .deadline = self->far.timer };
  if (self->near.timer != 0)
    add (&near, user_data);
  if (self->far.timer != 0)
    add (&far, user_data);
}
