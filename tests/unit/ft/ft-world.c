/* ft-world.c - several nodes with a SatinFt each, where the test plays the core
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ft-world.h"

#include <string.h>

SATIN_TASK (world_piece, (void), (int, n)) {}

#define LOST_OWNER 9

WorldNode *
ft_world_node (FtWorld *self, SatinNodeId id)
{
  return &self->nodes[id - 1];
}

/* ---- the core ---- */

static gboolean
world_has_ref (gpointer host, gint32 index, gint64 generation)
{
  const WorldNode *self = host;
  for (guint i = 0; i < self->exported->len; i++)
    {
      const SatinJobRef *ref = &g_array_index (self->exported, SatinJobRef, i);
      if (ref->index == index && ref->generation == generation)
        return TRUE;
    }
  return FALSE;
}

static void
world_drop (gpointer host, guint64 import_id)
{
  WorldNode *self = host;
  g_array_append_val (self->dropped, import_id);
}

static void
world_save (gpointer host, guint64 import_id)
{
  WorldNode *self = host;
  g_array_append_val (self->saving, import_id);
}

static const SatinRecoveryHost world_host = {
  .struct_size = sizeof (SatinRecoveryHost),
  .has_ref = world_has_ref,
  .drop = world_drop,
  .save = world_save,
};

/* ---- the network ---- */

static FakeFate
note_message (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  FtWorld *self = user_data;
  WorldMessage message = { from, to, *(const guint8 *)g_bytes_get_data (payload, NULL) };
  g_array_append_val (self->sent, message);
  g_clear_pointer (&self->last, g_bytes_unref);
  self->last = g_bytes_ref (payload);
  return self->is_losing ? FAKE_IS_LOST : FAKE_ARRIVES;
}

guint
ft_world_count_sent (const FtWorld *self, FtKind kind, SatinNodeId to)
{
  guint n = 0;
  for (guint i = 0; i < self->sent->len; i++)
    {
      const WorldMessage *message = &g_array_index (self->sent, WorldMessage, i);
      n += message->kind == kind && message->to == to;
    }
  return n;
}

/* ---- the world ---- */

FtWorld *
ft_world_new (guint n_nodes, SatinFtStrategy strategy, gsize max_bytes)
{
  SatinFtOptions options = {
    .strategy = strategy, .grace_us = 1000, .max_bytes = max_bytes, .window_us = 1000
  };
  FtWorld *self = g_new0 (FtWorld, 1);
  self->loop = counting_loop_new (1);
  self->net = fake_net_new (self->loop, n_nodes);
  self->n_nodes = n_nodes;
  self->thief = LOST_OWNER;
  self->sent = g_array_new (FALSE, FALSE, sizeof (WorldMessage));
  fake_net_set_fate_func (self->net, note_message, self);
  for (guint i = 0; i < n_nodes; i++)
    {
      WorldNode *node = &self->nodes[i];
      node->dropped = g_array_new (FALSE, FALSE, sizeof (guint64));
      node->saving = g_array_new (FALSE, FALSE, sizeof (guint64));
      node->exported = g_array_new (FALSE, FALSE, sizeof (SatinJobRef));
      node->ft = satin_ft_new (self->loop, &options);
      node->recovery = satin_ft_get_recovery (node->ft);
      satin_ft_set_peers (node->ft, fake_net_get_peers (self->net, i + 1));
      node->recovery->ops->attach (node->recovery, &world_host, node);
    }
  return self;
}

void
ft_world_free (FtWorld *self)
{
  for (guint i = 0; i < self->n_nodes; i++)
    {
      WorldNode *node = &self->nodes[i];
      node->recovery->ops->attach (node->recovery, &world_host, NULL);
      satin_ft_free (node->ft);
      g_array_unref (node->dropped);
      g_array_unref (node->saving);
      g_array_unref (node->exported);
    }
  fake_net_free (self->net);
  /* The hints of jobs that have just ended are freed on the loop. */
  counting_loop_advance (self->loop, 0);
  g_assert_cmpuint (counting_loop_count_timers (self->loop), ==, 0);
  satin_loop_free (self->loop);
  g_array_unref (self->sent);
  g_clear_pointer (&self->last, g_bytes_unref);
  g_free (self);
}

void
ft_world_advance (FtWorld *self, gint64 duration_us)
{
  counting_loop_advance (self->loop, duration_us);
}

void
ft_world_export (FtWorld *self, SatinNodeId id, gint32 index, gint64 generation)
{
  SatinJobRef ref = { id, index, generation };
  g_array_append_val (ft_world_node (self, id)->exported, ref);
}

void
ft_world_orphan (FtWorld *self, SatinNodeId at, gint32 n, const WorldOrphan *orphan)
{
  SatinRecovery *recovery = ft_world_node (self, at)->recovery;
  world_piece_args args = { .n = n };
  g_autoptr (GBytes) encoded = satin_record_to_bytes (world_piece_task.args, &args);
  g_autoptr (GBytes) lineage = orphan->lineage != NULL
                                   ? satin_record_to_bytes (&SatinLineage_record, orphan->lineage)
                                   : g_bytes_new_static ("\1\xff", 2);
  g_autoptr (GBytes) path = NULL;
  if (orphan->path != NULL)
    path = g_bytes_new (orphan->path, strlen (orphan->path));
  SatinOrphan told = {
    .import_id = (guint64)n,
    .ref = { orphan->owner != 0 ? orphan->owner : LOST_OWNER, n, 100 + n },
    .task = &world_piece_task,
    .args = encoded,
    .lineage = lineage,
    .path = path,
    .is_over = orphan->n_bytes > 0,
    .n_bytes = orphan->n_bytes,
  };
  recovery->ops->orphan (recovery, SATIN_ORPHAN_NEW, &told);
}

void
ft_world_say (FtWorld *self, SatinNodeId at, SatinOrphanEvent what, guint64 import_id,
              gsize n_bytes)
{
  SatinRecovery *recovery = ft_world_node (self, at)->recovery;
  const SatinOrphan orphan = { .import_id = import_id, .n_bytes = n_bytes };
  recovery->ops->orphan (recovery, what, &orphan);
}

/* Returns: (transfer full) (nullable): a path of @n_levels levels; %NULL when they are not known */
static GBytes *
path_of (gint32 n_levels)
{
  if (n_levels == SATIN_LEVELS_UNKNOWN)
    return NULL;
  GByteArray *path = g_byte_array_new ();
  for (gint32 i = 0; i < n_levels; i++)
    satin_path_append (path, 0);
  return g_byte_array_free_to_bytes (path);
}

void
ft_world_end (FtWorld *self, SatinNodeId at, gint32 n, gint32 n_levels)
{
  SatinRecovery *recovery = ft_world_node (self, at)->recovery;
  const world_piece_args args = { .n = n };
  const SatinLineage rooted = { .is_rooted = TRUE };
  g_autoptr (GBytes) encoded = satin_record_to_bytes (world_piece_task.args, &args);
  g_autoptr (GBytes) result = g_bytes_new (&n, sizeof n);
  g_autoptr (GBytes) lineage = satin_record_to_bytes (&SatinLineage_record, &rooted);
  g_autoptr (GBytes) path = path_of (n_levels);
  SatinFinished finished = {
    .why = SATIN_FINISHED_IMPORTED,
    .task = &world_piece_task,
    .args = encoded,
    .result = result,
    .ref = { LOST_OWNER, n, 100 + n },
    .lineage = lineage,
    .path = path,
  };
  recovery->ops->finished (recovery, &finished);
}

gint32
ft_world_read (SatinLook *look)
{
  g_assert_cmpint (look->kind, ==, SATIN_LOOK_RESULT);
  gint32 n;
  g_assert_cmpuint (g_bytes_get_size (look->result), ==, sizeof n);
  memcpy (&n, g_bytes_get_data (look->result, NULL), sizeof n);
  g_clear_pointer (&look->result, g_bytes_unref);
  return n;
}

static gpointer
lose (FtWorld *self, const SatinJobRef *ref, gpointer hints, gint32 n, gint32 n_levels)
{
  SatinRecovery *recovery = ft_world_node (self, ref->owner)->recovery;
  const world_piece_args args = { .n = n };
  const SatinLineage rooted = { .is_rooted = TRUE };
  g_autoptr (GBytes) encoded = satin_record_to_bytes (world_piece_task.args, &args);
  g_autoptr (GBytes) lineage = satin_record_to_bytes (&SatinLineage_record, &rooted);
  g_autoptr (GBytes) path = path_of (n_levels);
  const SatinLost lost = {
    .ref = *ref,
    .hints = hints,
    .thief = self->thief,
    .away_us = self->away_us,
    .task = &world_piece_task,
    .args = encoded,
    .lineage = lineage,
    .path = path,
  };
  return recovery->ops->lost (recovery, &lost);
}

gpointer
ft_world_lose (FtWorld *self, SatinNodeId id, gint32 index, gint64 generation, gpointer hints)
{
  return lose (self, &(SatinJobRef){ id, index, generation }, hints, 0, SATIN_LEVELS_UNKNOWN);
}

gpointer
ft_world_lose_piece (FtWorld *self, const SatinJobRef *ref, gint32 n, gint32 n_levels)
{
  return lose (self, ref, NULL, n, n_levels);
}

SatinLook
ft_world_look (FtWorld *self, SatinNodeId id, gpointer hints, guint32 number, gint32 n)
{
  SatinLook look = { 0 };
  world_piece_args args = { .n = n };
  const SatinChild child = { number, &world_piece_task, &args };
  ft_world_node (self, id)->recovery->ops->look (hints, &child, &look);
  return look;
}

SatinLook
ft_world_peek (FtWorld *self, SatinNodeId id, gpointer hints, guint32 number, gint32 n)
{
  SatinLook look = ft_world_look (self, id, hints, number, n);
  if (look.hints != NULL)
    ft_world_unref (self, id, look.hints);
  look.hints = NULL;
  return look;
}

SatinLook
ft_world_look_self (FtWorld *self, SatinNodeId id, gpointer hints)
{
  SatinLook look = { 0 };
  ft_world_node (self, id)->recovery->ops->look (hints, NULL, &look);
  return look;
}

void
ft_world_give_back (FtWorld *self, SatinNodeId id, gpointer hints)
{
  const SatinRecoveryOps *ops = ft_world_node (self, id)->recovery->ops;
  ops->tell (hints, SATIN_AGAIN_GIVEN_BACK, 0);
  ops->unref (hints);
}

void
ft_world_unref (FtWorld *self, SatinNodeId id, gpointer hints)
{
  ft_world_node (self, id)->recovery->ops->unref (hints);
}
