/* registry-host.c - a host of the plugin registry-hub, which notes the events that it gets
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "registry-host.h"

#include <string.h>

gpointer
host_open (Host *self, const char *uri, const char *program, GError **error)
{
  const SatinPluginDesc *desc = satin_plugin_desc ();
  const SatinProgram described = { .name = program };
  g_autoptr (SatinParams) params = satin_params_parse_text (desc->params, NULL, error);
  g_autofree char *address = g_strdup_printf ("pipe:%p", (gpointer)self);
  const SatinRegistryContext context = {
    .struct_size = sizeof context,
    .loop = self->world->loop,
    .transport = self->transport,
    .uri = uri,
    .program = &described,
    .cluster = "east",
    .address = address,
    .host = "here",
    .pid = 1,
  };

  return self->notes.ops->open (&context, params, self->events, &self->notes, error);
}

static Host *
make (World *world, const char *program, const SatinRegistryEvents *events)
{
  SatinTransportContext context = { .struct_size = sizeof context, .loop = world->loop };
  g_autoptr (GError) error = NULL;
  Host *self = g_new0 (Host, 1);

  self->world = world;
  self->events = events;
  registry_notes_init (&self->notes, satin_plugin_desc ()->ops);
  self->transport = satin_transport_new_with_ops (&pipe_transport_ops, &context, &error);
  self->notes.registry = host_open (self, "pipe:hub", program, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (self->notes.log->str, ==, "");
  return self;
}

Host *
host_new_for (World *world, const char *program)
{
  return make (world, program, &registry_notes_events);
}

Host *
host_new_older (World *world, gsize size_bytes)
{
  static SatinRegistryEvents events;

  events = registry_notes_events;
  events.struct_size = size_bytes;
  return make (world, "fib", &events);
}

Host *
host_new (World *world)
{
  return host_new_for (world, "fib");
}

Host *
host_join (World *world)
{
  Host *self = host_new (world);

  world_settle (world);
  g_string_truncate (self->notes.log, 0);
  return self;
}

void
host_free (Host *self)
{
  if (self->notes.registry != NULL)
    self->notes.ops->abandon (self->notes.registry);
  satin_transport_close (self->transport, NULL, NULL);
  world_settle (self->world);
  registry_notes_clear (&self->notes);
  g_free (self);
}

const char *
host_heard (Host *self)
{
  world_settle (self->world);
  return registry_notes_take (&self->notes);
}
