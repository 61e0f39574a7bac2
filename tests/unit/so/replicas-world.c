/* replicas-world.c - nodes with shared objects, connected by a network in memory
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "replicas-world.h"

#define NAME "it"

/* ---- the types ---- */

static void
merge_tops (gpointer state, gconstpointer other)
{
  top_state *ours = state;
  const top_state *theirs = other;
  ours->value = MAX (ours->value, theirs->value);
}

SATIN_OBJECT_TYPE_DEFINE (top, .is_checkpointed = TRUE, .merge = merge_tops)

SATIN_METHOD_BODY (top, set, (long, value))
{
  state->value = MAX (state->value, value);
  state->n_calls++;
}

SATIN_OBJECT_TYPE_DEFINE (note)

SATIN_METHOD_BODY (note, set, (long, value))
{
  state->value = value;
  state->n_calls++;
}

static gint64
get_page (gconstpointer state)
{
  return ((const page_state *)state)->value;
}

SATIN_OBJECT_TYPE_DEFINE (page, .get_version = get_page)

SATIN_METHOD_BODY (page, set, (long, value))
{
  state->value = MAX (state->value, value);
  state->n_calls++;
}

SATIN_OBJECT_TYPE_DEFINE (board, .is_in_place = TRUE)

SATIN_METHOD_BODY (board, set, (long, value))
{
  state->value = value;
  state->n_calls++;
}

/* Reads any of the four types: their structures begin with the same fields as a note_state. */
static const note_state *
look (const WorldNode *node, const SatinObjectType *type)
{
  satin_reader_refresh (node->reader);
  return satin_reader_read (node->reader, satin_object_id (type->name, NAME), type);
}

/* ---- the world ---- */

static FakeFate
note_message (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  ReplicasWorld *self = user_data;
  WorldMessage message = { from, to, *(const guint8 *)g_bytes_get_data (payload, NULL) };
  g_array_append_val (self->sent, message);
  if (to == self->cut || message.kind == self->lost
      || (self->n_lost > 0 && g_test_rand_int_range (0, 100) < self->n_lost))
    return FAKE_IS_LOST;
  return self->is_doubling ? FAKE_ARRIVES_TWICE : FAKE_ARRIVES;
}

ReplicasWorld *
replicas_world_new (const char *clusters)
{
  static const SatinReplicasOptions options = { .window_us = WORLD_WINDOW_US,
                                                .far_window_us = WORLD_FAR_US,
                                                .digest_us = WORLD_DIGEST_US,
                                                .max_bytes = WORLD_MAX_BYTES };
  ReplicasWorld *self = g_new0 (ReplicasWorld, 1);
  self->loop = counting_loop_new (1);
  self->n_nodes = (guint)strlen (clusters);
  self->net = fake_net_new (self->loop, self->n_nodes);
  self->sent = g_array_new (FALSE, FALSE, sizeof (WorldMessage));
  for (guint i = 0; i < self->n_nodes; i++)
    if (clusters[i] != clusters[0])
      fake_net_set_cluster (self->net, i + 1, clusters[i] == 'b' ? "b" : "c");
  fake_net_set_term (self->net, 1);
  fake_net_set_master (self->net, 1);
  fake_net_set_fate_func (self->net, note_message, self);
  for (guint i = 0; i < self->n_nodes; i++)
    {
      WorldNode *node = &self->nodes[i];
      node->objects = satin_objects_new ();
      node->reader = satin_reader_new (node->objects);
      node->replicas = satin_replicas_new (self->loop, node->objects, &options);
      satin_replicas_set_peers (node->replicas, fake_net_get_peers (self->net, i + 1));
    }
  return self;
}

void
replicas_world_free (ReplicasWorld *self)
{
  for (guint i = 0; i < self->n_nodes; i++)
    {
      WorldNode *node = &self->nodes[i];
      satin_replicas_free (node->replicas);
      satin_reader_free (node->reader);
      satin_objects_free (node->objects);
    }
  fake_net_free (self->net);
  /* Runs calls that were posted to the loop before their replicas were freed. */
  counting_loop_advance (self->loop, 0);
  g_assert_cmpuint (counting_loop_count_timers (self->loop), ==, 0);
  satin_loop_free (self->loop);
  g_array_unref (self->sent);
  g_free (self);
}

void
replicas_world_advance (ReplicasWorld *self, gint64 duration_us)
{
  counting_loop_advance (self->loop, duration_us);
}

void
replicas_world_kill (ReplicasWorld *self, SatinNodeId id)
{
  g_clear_pointer (&self->nodes[id - 1].replicas, satin_replicas_free);
  fake_net_remove (self->net, id, SATIN_PEER_DIED);
}

/* ---- its objects ---- */

SatinObject
replicas_world_create (ReplicasWorld *self, SatinNodeId at, const SatinObjectType *type,
                       gint64 value)
{
  const page_state state = { .value = value };
  g_autoptr (GError) error = NULL;
  SatinObject id = satin_objects_create (self->nodes[at - 1].objects, type, NAME, &state, &error);
  g_assert_no_error (error);
  return id;
}

SatinObject
replicas_world_create_all (ReplicasWorld *self, const SatinObjectType *type, gint64 value)
{
  SatinObject id = 0;
  for (guint i = 0; i < self->n_nodes; i++)
    id = replicas_world_create (self, i + 1, type, value);
  return id;
}

void
replicas_world_set (ReplicasWorld *self, SatinNodeId at, const SatinObjectType *type, gint64 value)
{
  const note_set_args args = { .value = value };
  const SatinMethod *method = satin_object_type_find_method (type, "set");
  g_assert_true (satin_objects_update (self->nodes[at - 1].objects,
                                       satin_object_id (type->name, NAME), method, &args));
}

gint64
replicas_world_get (ReplicasWorld *self, SatinNodeId at, const SatinObjectType *type)
{
  const note_state *state = look (&self->nodes[at - 1], type);
  return state != NULL ? state->value : -1;
}

gint
replicas_world_count_calls (ReplicasWorld *self, SatinNodeId at, const SatinObjectType *type)
{
  return look (&self->nodes[at - 1], type)->n_calls;
}

void
replicas_world_want (ReplicasWorld *self, SatinNodeId at, SatinNodeId from,
                     const SatinObjectType *type)
{
  objects_want (self->nodes[at - 1].objects, from, satin_object_id (type->name, NAME), 0);
}

/* ---- what a test can see ---- */

guint
replicas_world_count_sent (const ReplicasWorld *self, ReplicasKind kind, SatinNodeId from,
                           SatinNodeId to)
{
  guint n = 0;
  for (guint i = 0; i < self->sent->len; i++)
    {
      const WorldMessage *message = &g_array_index (self->sent, WorldMessage, i);
      n += message->kind == kind && (from == 0 || message->from == from)
           && (to == 0 || message->to == to);
    }
  return n;
}

typedef struct
{
  const char *name;
  gint64 value;
} Sought;

static void
note_figure (const char *name, gint64 value, gpointer user_data)
{
  Sought *sought = user_data;
  if (g_str_equal (name, sought->name))
    sought->value = value;
}

gint64
replicas_world_get_figure (ReplicasWorld *self, SatinNodeId at, const char *name)
{
  Sought sought = { .name = name, .value = -1 };
  satin_replicas_figures (self->nodes[at - 1].replicas, note_figure, &sought);
  return sought.value;
}

static void
note_wait (const SatinWait *wait, gpointer user_data)
{
  Sought *sought = user_data;
  g_assert_cmpuint (wait->deadline, !=, 0);
  sought->value += g_str_equal (wait->what, sought->name);
}

guint
replicas_world_count_waits (ReplicasWorld *self, SatinNodeId at, const char *what)
{
  Sought sought = { .name = what };
  satin_replicas_waits (self->nodes[at - 1].replicas, note_wait, &sought);
  return (guint)sought.value;
}
