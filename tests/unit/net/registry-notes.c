/* registry-notes.c - notes the events of a registry in words
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "registry-notes.h"

#include <satin/net/hub.h>
#include <string.h>

static void note (RegistryNotes *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
note (RegistryNotes *self, const char *format, ...)
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
  RegistryNotes *self = user_data;
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
note_end (RegistryNotes *self, GBytes *payload)
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
registry_notes_report (RegistryNotes *self, gint64 value)
{
  SatinFigure figure = { "jobs", value };
  SatinReport body = { &figure, 1 };
  g_autoptr (GBytes) bytes = satin_record_to_bytes (&SatinReport_record, &body);

  self->ops->report (self->registry, bytes);
}

static void
on_asked (gsize dump_bytes, gpointer user_data)
{
  RegistryNotes *self = user_data;

  note (self, "asked");
  if (self->is_reporting)
    registry_notes_report (self, 7);
}

static void
on_unsure (gint64 since_us, const GError *error, gpointer user_data)
{
  note (user_data, "unsure");
}

static void
on_over (const GError *error, gpointer user_data)
{
  RegistryNotes *self = user_data;

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

const SatinRegistryEvents registry_notes_events = {
  .struct_size = sizeof (SatinRegistryEvents),
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

void
registry_notes_init (RegistryNotes *self, const SatinRegistryOps *ops)
{
  *self = (RegistryNotes){ .ops = ops, .log = g_string_new (NULL) };
}

void
registry_notes_clear (RegistryNotes *self)
{
  g_string_free (self->log, TRUE);
  g_free (self->why);
}

const char *
registry_notes_take (RegistryNotes *self)
{
  static char *text;

  g_free (text);
  text = g_strdup (self->log->str);
  g_string_truncate (self->log, 0);
  return text;
}
