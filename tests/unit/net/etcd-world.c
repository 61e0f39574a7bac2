/* etcd-world.c - nodes with the plugin registry-etcd, a store in memory, a clock that tests move
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "etcd-world.h"

World *
world_new (void)
{
  World *self = g_new0 (World, 1);

  self->loop = satin_loop_new_manual (7);
  self->store = fake_store_new (self->loop);
  self->nodes = g_ptr_array_new ();
  return self;
}

void
world_free (World *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      RegistryNotes *node = g_ptr_array_index (self->nodes, i);
      if (node->registry != NULL)
        node->ops->abandon (node->registry);
      registry_notes_clear (node);
      g_free (node);
    }
  satin_loop_advance (self->loop, 0);
  fake_store_free (self->store);
  g_ptr_array_unref (self->nodes);
  satin_loop_free (self->loop);
  g_free (self);
}

RegistryNotes *
open_node (World *self, const char *program)
{
  const SatinProgram described = { .name = program, .build = self->build };
  const ClientTimes times = { .lease_s = LEASE_S,
                              .join_timeout_us = 5 * SECOND_US,
                              .leave_timeout_us = 5 * SECOND_US,
                              .forget_s = 60 };
  g_autofree char *address = g_strdup_printf ("pipe:%u", self->nodes->len + 1);
  const SatinRegistryContext context = { .struct_size = sizeof context,
                                         .loop = self->loop,
                                         .uri = "etcd://store/run",
                                         .program = &described,
                                         .cluster = "east",
                                         .address = address,
                                         .host = "here",
                                         .pid = 1,
                                         .secret = self->secret };
  RegistryNotes *node = g_new0 (RegistryNotes, 1);
  Client *client;

  registry_notes_init (node, satin_plugin_desc ()->ops);
  client = client_new (&context, &fake_store_ops, fake_store_connect (self->store), "run", &times,
                       &registry_notes_events, node);
  node->registry = client;
  client_start (client);
  g_ptr_array_add (self->nodes, node);
  return node;
}

const char *
heard (World *self, RegistryNotes *node)
{
  satin_loop_advance (self->loop, 0);
  return registry_notes_take (node);
}

RegistryNotes *
join (World *self)
{
  RegistryNotes *node = open_node (self, "fib");

  satin_loop_advance (self->loop, 0);
  for (guint i = 0; i < self->nodes->len; i++)
    registry_notes_take (g_ptr_array_index (self->nodes, i));
  g_assert_nonnull (node->registry);
  g_assert_cmpuint (((Client *)node->registry)->id, !=, 0);
  return node;
}

void
advance (World *self, gint64 duration_us)
{
  satin_loop_advance (self->loop, duration_us);
}
