/* recovery-world.c - nodes that steal and recover, with an exported job below another one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "recovery-world.h"

StealWorld *world;
static FakeRecovery recoveries[WORLD_MAX_NODES];

FakeRecovery *
recovery_of (SatinNodeId id)
{
  return &recoveries[id - 1];
}

WorldNode *
node (SatinNodeId id)
{
  return steal_world_node (world, id);
}

void export(SatinNodeId from, SatinNodeId to, guint64 under)
{
  steal_world_add_jobs (world, from, 1);
  node (from)->under = under;
  node (from)->path = "\1";
  node (to)->victim = from;
  node (to)->n_workers = g_hash_table_size (node (to)->running) + 1;
  node (to)->is_passive = FALSE;
  steal_hungry (node (to)->steal);
  steal_world_advance (world, 1000);
  node (to)->is_passive = TRUE;
  node (to)->n_workers = 0;
}

guint64
import_id_at (SatinNodeId id)
{
  const Steal *steal = node (id)->steal;
  g_assert_cmpuint (steal->imports.all.length, ==, 1);
  return ((const Import *)steal->imports.all.head->data)->import_id;
}

void
begin_with (gboolean is_recovering)
{
  world = steal_world_new (6);
  for (SatinNodeId id = 1; id <= world->n_nodes; id++)
    {
      node (id)->is_passive = TRUE;
      node (id)->run_us = LONG_US;
      fake_recovery_init (recovery_of (id));
      if (is_recovering)
        steal_set_recovery (node (id)->steal, &recovery_of (id)->base);
    }
  export(1, 2, 0);
  export(2, 3, import_id_at (2));
}

void
begin (void)
{
  begin_with (TRUE);
}

static void
give_up_all (GQueue *hints)
{
  FakeHints *one;
  while ((one = g_queue_pop_head (hints)) != NULL)
    one->recovery->base.ops->unref (one);
}

void
end (void)
{
  guint n_nodes = world->n_nodes;
  for (SatinNodeId id = 1; id <= n_nodes; id++)
    {
      if (node (id)->steal != NULL)
        steal_world_free_node (world, id);
      give_up_all (&node (id)->hints_given);
      give_up_all (&node (id)->hints_back);
    }
  steal_world_free (world);
  for (SatinNodeId id = 1; id <= n_nodes; id++)
    fake_recovery_clear (recovery_of (id));
}

const Import *
import_at (SatinNodeId id)
{
  return node (id)->steal->imports.all.head->data;
}

/* The kind of messages that are lost or doubled. */
static StealKind bad_kind;

static FakeFate
lose_it (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  const guint8 *bytes = g_bytes_get_data (payload, NULL);
  return bytes[0] == bad_kind ? FAKE_IS_LOST : FAKE_ARRIVES;
}

static FakeFate
double_it (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  const guint8 *bytes = g_bytes_get_data (payload, NULL);
  return bytes[0] == bad_kind ? FAKE_ARRIVES_TWICE : FAKE_ARRIVES;
}

void
lose_all_of (StealKind kind)
{
  bad_kind = kind;
  fake_net_set_fate_func (world->net, lose_it, NULL);
}

void
double_all_of (StealKind kind)
{
  bad_kind = kind;
  fake_net_set_fate_func (world->net, double_it, NULL);
}

void
lose_none (void)
{
  fake_net_set_fate_func (world->net, NULL, NULL);
}

void
leave (SatinNodeId id)
{
  fake_net_say_leaving (world->net, id);
  steal_leave (node (id)->steal);
}

typedef struct
{
  const char *name;
  gint64 value;
} Wanted;

static void
note_figure (const char *name, gint64 value, gpointer user_data)
{
  Wanted *wanted = user_data;
  if (g_str_equal (name, wanted->name))
    wanted->value = value;
}

gint64
figure_of (SatinNodeId id, const char *name)
{
  Wanted wanted = { name, -1 };
  steal_figures (node (id)->steal, note_figure, &wanted);
  return wanted.value;
}

void
lose_2 (void)
{
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
}

void
begin_and_lose (void)
{
  begin ();
  lose_2 ();
}

void
adopt_as (const SatinJobRef *ref, SatinNodeId holder)
{
  StealTaken taken = { .handle = GINT_TO_POINTER (2), .path = g_bytes_new_static ("\3", 1) };
  steal_adopt (node (1)->steal, &taken, holder, ref);
}

void
adopt (void)
{
  adopt_as (&recovery_of (3)->ref, 3);
  steal_world_advance (world, 1000);
}

void
drop (guint64 import_id)
{
  const FakeRecovery *recovery = recovery_of (3);
  recovery->host_ops->drop (recovery->host, import_id);
}
