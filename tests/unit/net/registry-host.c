/* registry-host.c - who uses the plugin registry-hub, and notes what it is told
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "registry-host.h"

#include <string.h>

static void note (Host *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
note (Host *self, const char *format, ...)
{
  va_list arguments;

  if (self->log->len > 0)
    g_string_append (self->log, "; ");
  va_start (arguments, format);
  g_string_append_vprintf (self->log, format, arguments);
  va_end (arguments);
  if (self->is_abandoning && self->registry != NULL)
    self->ops->abandon (g_steal_pointer (&self->registry));
}

static void
on_registered (const guint8 run[16], guint64 view_number, SatinNodeId id, guint n_members,
               const SatinMember *members, SatinNodeId master, guint64 term, gpointer user_data)
{
  Host *self = user_data;
  g_autoptr (GString) others = g_string_new (NULL);

  for (guint i = 0; i < n_members; i++)
    g_string_append_printf (others, " %u", members[i].id);
  note (self, "registered %" G_GUINT64_FORMAT " self %u others%s master %u", view_number, id,
        others->str, master);
}

static void
on_joined (guint64 view_number, const SatinMember *member, gpointer user_data)
{
  note (user_data, "joined %" G_GUINT64_FORMAT " id %u at %s", view_number, member->id,
        member->address);
}

static void
on_left (guint64 view_number, SatinNodeId id, gpointer user_data)
{
  note (user_data, "left %" G_GUINT64_FORMAT " id %u", view_number, id);
}

static void
on_died (guint64 view_number, SatinNodeId id, gpointer user_data)
{
  note (user_data, "died %" G_GUINT64_FORMAT " id %u", view_number, id);
}

static void
on_elected (guint64 view_number, SatinNodeId id, guint64 term, gpointer user_data)
{
  note (user_data, "elected %" G_GUINT64_FORMAT " id %u term %" G_GUINT64_FORMAT, view_number, id,
        term);
}

static void
on_complete (gpointer user_data)
{
  note (user_data, "complete");
}

static void
note_end (Host *self, GBytes *payload)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  SatinRunEnd end;

  g_assert_true (satin_record_decode (&SatinRunEnd_record, bytes, n_bytes, &end, NULL));
  note (self, "end %d %s", end.exit_status, end.message);
  satin_record_clear (&SatinRunEnd_record, &end);
}

static void
on_signal (const char *word, GBytes *payload, gpointer user_data)
{
  if (strcmp (word, SATIN_SIGNAL_OVER) == 0)
    note_end (user_data, payload);
  else
    note (user_data, "signal %s %.*s", word, (int)g_bytes_get_size (payload),
          (const char *)g_bytes_get_data (payload, NULL));
}

void
host_report (Host *self, gint64 value)
{
  SatinFigure figure = { "jobs", value };
  SatinReport body = { &figure, 1 };
  g_autoptr (GBytes) bytes = satin_record_to_bytes (&SatinReport_record, &body);

  self->ops->report (self->registry, bytes);
}

static void
on_asked (gpointer user_data)
{
  Host *self = user_data;

  note (self, "asked");
  if (self->is_reporting)
    host_report (self, 7);
}

static void
on_unsure (gint64 since_us, const GError *error, gpointer user_data)
{
  note (user_data, "unsure");
}

static void
on_over (const GError *error, gpointer user_data)
{
  Host *self = user_data;

  self->registry = NULL;
  g_free (self->why);
  self->why = g_strdup (error != NULL ? error->message : NULL);
  if (error == NULL)
    note (self, "over");
  else
    note (self, "over with error %d", error->code);
}

static void
on_partial (gpointer user_data)
{
  note (user_data, "partial");
}

static void
on_unknown (SatinNodeId id, gpointer user_data)
{
  note (user_data, "unknown %u", id);
}

static void
on_leaving (guint64 view_number, SatinNodeId id, gpointer user_data)
{
  note (user_data, "leaving %" G_GUINT64_FORMAT " id %u", view_number, id);
}

static void
on_killed (SatinNodeId id, int signal_number, gpointer user_data)
{
  note (user_data, "killed %u by %d", id, signal_number);
}

static const SatinRegistryEvents events = {
  .registered = on_registered,
  .joined = on_joined,
  .left = on_left,
  .died = on_died,
  .elected = on_elected,
  .complete = on_complete,
  .signal = on_signal,
  .asked = on_asked,
  .unsure = on_unsure,
  .over = on_over,
  .partial = on_partial,
  .unknown = on_unknown,
  .leaving = on_leaving,
  .killed = on_killed,
};

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

  return self->ops->open (&context, params, &events, self, error);
}

Host *
host_new_for (World *world, const char *program)
{
  SatinTransportContext context = { .struct_size = sizeof context, .loop = world->loop };
  g_autoptr (GError) error = NULL;
  Host *self = g_new0 (Host, 1);

  self->world = world;
  self->ops = satin_plugin_desc ()->ops;
  self->transport = satin_transport_new_with_ops (&pipe_transport_ops, &context, &error);
  self->log = g_string_new (NULL);
  self->registry = host_open (self, "pipe:hub", program, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (self->log->str, ==, "");
  return self;
}

/* Opened, but nothing happened yet. */
Host *
host_new (World *world)
{
  return host_new_for (world, "fib");
}

/* A member; its log is empty. */
Host *
host_join (World *world)
{
  Host *self = host_new (world);

  world_settle (world);
  g_string_truncate (self->log, 0);
  return self;
}

void
host_free (Host *self)
{
  if (self->registry != NULL)
    self->ops->abandon (self->registry);
  satin_transport_close (self->transport, NULL, NULL);
  world_settle (self->world);
  g_string_free (self->log, TRUE);
  g_free (self->why);
  g_free (self);
}

const char *
host_heard (Host *self)
{
  static char *text;

  world_settle (self->world);
  g_free (text);
  text = g_strdup (self->log->str);
  g_string_truncate (self->log, 0);
  return text;
}
