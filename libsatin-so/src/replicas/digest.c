/* digest.c - nodes compare their objects, so that no update is lost for good
 *
 * Now and then a node sends a digest of its objects to a random node of its cluster: for each
 * object the version, the number of updates that the node knows of, and a hash of the state. The
 * receiver fetches the objects that are better at the sender, and answers with a digest of those
 * that are better at the receiver. The relay of a cluster also sends its digest to the relay of
 * another cluster.
 *
 * An object is better if its version is higher, or, if equal, its number of updates, or, if equal,
 * its hash. If the type has merge, each of two replicas that differ counts as better than the
 * other, so each node fetches and merges the other node's state.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* After the loss of a node or a link, the next digest is sent within 1 / SOON_DIVISOR of the
 * average time between digests. */
#define SOON_DIVISOR 8
/* A state of more than LARGE_BYTES is compared only after it has not changed for SETTLED_US. */
#define LARGE_BYTES ((gsize)65536)
#define SETTLED_US  ((gint64)500000)

/* ---- objects of this node ---- */

/* A hash of bytes that is the same on all nodes. */
static gint64
hash_bytes (GBytes *bytes)
{
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);
  guint64 hash = 0x9e3779b97f4a7c15 ^ n_bytes;
  for (gsize i = 0; i < n_bytes; i += 8)
    {
      guint64 word = 0;
      for (gsize j = i; j < MIN (i + 8, n_bytes); j++)
        word |= (guint64)data[j] << (8 * (j - i));
      hash = (hash ^ word) * 0xff51afd7ed558ccd;
      hash ^= hash >> 32;
    }
  return (gint64)hash;
}

/* Describes the object in @ret_entry. Returns: (nullable): the object's type; %NULL when the object
 * is not compared now */
static const SatinObjectType *
describe (SatinReplicas *self, Replica *replica, ReplicasEntry *ret_entry)
{
  const SatinObjectType *type = satin_objects_get_type (self->objects, replica->id);
  gint64 settled_us = satin_loop_now_us (self->loop) - replica->changed_us;
  if (type == NULL || type->is_in_place
      || (replica->n_bytes > LARGE_BYTES && settled_us < SETTLED_US))
    return NULL;
  if (!replica->is_known)
    {
      g_autoptr (GBytes) packed =
          satin_objects_pack (self->objects, replica->id, NULL, &replica->version);
      if (packed == NULL)
        return NULL;
      replica->hash = hash_bytes (packed);
      replica->n_bytes = g_bytes_get_size (packed);
      replica->is_known = TRUE;
    }
  *ret_entry = (ReplicasEntry){ .object = replica->id,
                                .version = replica->version,
                                .n_updates = replica->n_updates,
                                .hash = replica->hash };
  return type;
}

/* Whether a node that has the object @ours should fetch the object @theirs. */
static gboolean
is_wanted (const SatinObjectType *type, const ReplicasEntry *ours, const ReplicasEntry *theirs)
{
  if (ours->hash == theirs->hash)
    return FALSE;
  if (type->merge != NULL)
    return TRUE;
  if (ours->version != theirs->version)
    return theirs->version > ours->version;
  if (ours->n_updates != theirs->n_updates)
    return theirs->n_updates > ours->n_updates;
  return theirs->hash > ours->hash;
}

/* ---- sending ---- */

static void
send_digest (SatinReplicas *self, SatinNodeId to, const GArray *entries, gboolean is_answer,
             gboolean is_for_all)
{
  ReplicasDigest message = {
    .is_answer = is_answer,
    .is_for_all = is_for_all,
    .entries = (const ReplicasEntry *)(gconstpointer)entries->data,
    .n_entries = entries->len,
  };
  self->n_digests++;
  replicas_send (self, to, REPLICAS_DIGEST, &ReplicasDigest_record, &message);
}

/* Makes a digest of the next objects in turn, at most DIGEST_MAX_ENTRIES. Returns: (transfer full)
 * (element-type ReplicasEntry) */
static GArray *
make_digest (SatinReplicas *self)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (ReplicasEntry));
  guint n = self->replicas->len;
  for (guint i = 0; i < n && entries->len < DIGEST_MAX_ENTRIES; i++)
    {
      ReplicasEntry entry;
      self->n_told = self->n_told < n ? self->n_told : 0;
      if (describe (self, &g_array_index (self->replicas, Replica, self->n_told++), &entry))
        g_array_append_val (entries, entry);
    }
  return entries;
}

/* Returns: a random node of this node's cluster; 0 when there is no other */
static SatinNodeId
choose_neighbour (SatinReplicas *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  guint n = 0;
  for (guint i = 0; i < view->n_peers; i++)
    n += replicas_is_near (view, &view->peers[i]);
  guint place = n > 0 ? satin_loop_random_below (self->loop, n) : 0;
  for (guint i = 0; i < view->n_peers; i++)
    if (replicas_is_near (view, &view->peers[i]) && place-- == 0)
      return view->peers[i].id;
  return 0;
}

/* Whether this node is a relay of its cluster: the node with the lowest id that is not leaving.
 * When all nodes of the cluster are leaving, each of them is a relay. */
static gboolean
is_relay_itself (SatinReplicas *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  for (guint i = 0; i < view->n_peers; i++)
    {
      const SatinPeer *peer = &view->peers[i];
      if (replicas_is_near (view, peer) && !peer->is_leaving
          && (view->is_leaving || peer->id < view->self))
        return FALSE;
    }
  return TRUE;
}

static SatinNodeId
choose_relay (SatinReplicas *self)
{
  const GArray *relays = replicas_get_relays (self);
  if (relays->len == 0 || !is_relay_itself (self))
    return 0;
  return g_array_index (relays, SatinNodeId, satin_loop_random_below (self->loop, relays->len));
}

static void
tell (gpointer user_data)
{
  SatinReplicas *self = user_data;
  self->digest_timer = 0;
  SatinNodeId neighbour = choose_neighbour (self);
  SatinNodeId relay = choose_relay (self);
  if (neighbour != 0 || relay != 0)
    {
      g_autoptr (GArray) entries = make_digest (self);
      if (neighbour != 0 && entries->len > 0)
        send_digest (self, neighbour, entries, FALSE, FALSE);
      if (relay != 0 && entries->len > 0)
        send_digest (self, relay, entries, FALSE, FALSE);
    }
  replicas_digest_start (self);
}

static void
start (SatinReplicas *self, gint64 delay_us)
{
  self->digest_us = satin_loop_now_us (self->loop) + delay_us;
  self->digest_timer = satin_loop_timer_add (self->loop, delay_us, tell, self);
}

/* Returns: a random delay up to @most_us, so that nodes do not all send at once */
static gint64
draw_us (SatinReplicas *self, gint64 most_us)
{
  return (gint64)satin_loop_random_below (self->loop, (guint32)MIN (most_us, G_MAXUINT32 - 1) + 1);
}

/* Plans the next digest, unless one is planned. Called when an object is added, when there are new
 * peers, and after each digest. */
void
replicas_digest_start (SatinReplicas *self)
{
  if (self->digest_timer == 0 && self->peers != NULL)
    start (self, self->options.digest_us / 2 + draw_us (self, self->options.digest_us));
}

/* Makes the next digest come sooner, because messages may have been lost. */
void
replicas_digest_soon (SatinReplicas *self)
{
  if (self->digest_timer == 0)
    return;
  gint64 delay_us = draw_us (self, self->options.digest_us / SOON_DIVISOR);
  if (satin_loop_now_us (self->loop) + delay_us >= self->digest_us)
    return;
  satin_loop_timer_cancel (self->loop, &self->digest_timer);
  start (self, delay_us);
}

/* Asks one node of each cluster which objects it has that this node lacks. A new master does so,
 * because it runs the root job again, which makes its objects again. */
void
replicas_gather (SatinReplicas *self)
{
  const GArray *relays = replicas_get_relays (self);
  SatinNodeId neighbour = choose_neighbour (self);
  g_autoptr (GArray) entries = make_digest (self);
  self->is_gathering = TRUE;
  satin_loop_probe (self->loop, "objects.gather");
  if (neighbour != 0)
    send_digest (self, neighbour, entries, FALSE, TRUE);
  for (guint i = 0; i < relays->len; i++)
    send_digest (self, g_array_index (relays, SatinNodeId, i), entries, FALSE, TRUE);
}

/* ---- receiving ---- */

static gboolean
is_among (const ReplicasDigest *message, SatinObject id)
{
  for (gsize i = 0; i < message->n_entries; i++)
    if (message->entries[i].object == id)
      return TRUE;
  return FALSE;
}

static void
add_missing (SatinReplicas *self, const ReplicasDigest *message, GArray *answer)
{
  for (guint i = 0; i < self->replicas->len && answer->len < DIGEST_MAX_ENTRIES; i++)
    {
      Replica *replica = &g_array_index (self->replicas, Replica, i);
      ReplicasEntry entry;
      if (!is_among (message, replica->id) && describe (self, replica, &entry))
        g_array_append_val (answer, entry);
    }
}

static void
fetch_better (SatinReplicas *self, SatinNodeId from, SatinObject id)
{
  satin_loop_probe (self->loop, "objects.healed");
  self->n_healed++;
  replicas_fetch (self, from, id);
}

/* Returns: (nullable): what is known of the object; %NULL when it is not here. An object that was
 * made here, and is not in the table yet, is added */
static Replica *
find_here (SatinReplicas *self, SatinObject id)
{
  Replica *replica = replicas_find (self, id);
  if (replica == NULL && satin_objects_get_type (self->objects, id) != NULL)
    replica = replicas_add (self, id);
  return replica;
}

void
replicas_on_digest (SatinReplicas *self, SatinNodeId from, const ReplicasDigest *message)
{
  g_autoptr (GArray) answer = g_array_new (FALSE, FALSE, sizeof (ReplicasEntry));
  for (gsize i = 0; i < message->n_entries; i++)
    {
      const ReplicasEntry *theirs = &message->entries[i];
      Replica *replica = find_here (self, theirs->object);
      ReplicasEntry ours;
      const SatinObjectType *type = replica != NULL ? describe (self, replica, &ours) : NULL;
      if (type == NULL)
        {
          if (replica == NULL && message->is_answer && self->is_gathering)
            replicas_fetch (self, from, theirs->object);
          continue;
        }
      if (is_wanted (type, &ours, theirs))
        fetch_better (self, from, theirs->object);
      if (!message->is_answer && is_wanted (type, theirs, &ours)
          && answer->len < DIGEST_MAX_ENTRIES)
        g_array_append_val (answer, ours);
    }
  if (message->is_for_all)
    add_missing (self, message, answer);
  if (answer->len > 0)
    send_digest (self, from, answer, TRUE, FALSE);
}
