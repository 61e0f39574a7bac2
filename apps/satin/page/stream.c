/* stream.c - the events of a journal as they come, for a browser (server-sent events)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream.h"

#include <json-glib/json-glib.h>

/* The most events of one message. */
#define MAX_EVENTS 1000

struct _PageStream
{
  SatinJournalReader *reader; /* (owned) */
  guint64 n_events;           /* that were read */
  guint64 n_known;            /* that the browser has */
  gboolean has_end;           /* the event of the end was read */
  gboolean is_over;
};

PageStream *
page_stream_new (const char *path, guint64 n_known, GError **error)
{
  SatinJournalReader *reader = satin_journal_reader_new (path, error);
  if (reader == NULL)
    return NULL;
  PageStream *self = g_new0 (PageStream, 1);
  self->reader = reader;
  self->n_known = n_known;
  return self;
}

static void
add_event (JsonBuilder *builder, const SatinJournalEvent *event)
{
  json_builder_begin_array (builder);
  json_builder_add_int_value (builder, event->time_us);
  json_builder_add_int_value (builder, event->node);
  json_builder_add_string_value (builder, event->kind);
  json_builder_add_string_value (builder, event->text);
  json_builder_begin_object (builder);
  for (gsize i = 0; i < event->n_values; i++)
    {
      json_builder_set_member_name (builder, event->values[i].name);
      json_builder_add_int_value (builder, event->values[i].value);
    }
  json_builder_end_object (builder);
  json_builder_end_array (builder);
}

/* Adds events to the message. Returns: how many */
static guint
add_events (PageStream *self, JsonBuilder *builder)
{
  SatinJournalEvent event;
  guint n = 0;
  while (n < MAX_EVENTS && satin_journal_reader_next (self->reader, &event))
    {
      self->has_end |= g_str_equal (event.kind, SATIN_JOURNAL_END);
      if (++self->n_events <= self->n_known)
        continue;
      add_event (builder, &event);
      n++;
    }
  return n;
}

char *
page_stream_next (PageStream *self)
{
  if (self->is_over)
    return NULL;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_array (builder);
  guint n = add_events (self, builder);
  /* When the file cannot be read now, nothing is new now. */
  if (n == 0 && satin_journal_reader_refresh (self->reader, NULL))
    n = add_events (self, builder);
  json_builder_end_array (builder);
  if (n == 0)
    {
      self->is_over = self->has_end;
      return self->is_over ? g_strdup ("event: end\ndata: 0\n\n") : NULL;
    }
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *data = json_to_string (root, FALSE);
  self->n_known = self->n_events;
  return g_strdup_printf ("id: %" G_GUINT64_FORMAT "\ndata: %s\n\n", self->n_events, data);
}

gboolean
page_stream_is_over (const PageStream *self)
{
  return self->is_over;
}

void
page_stream_free (PageStream *self)
{
  if (self == NULL)
    return;
  satin_journal_reader_free (self->reader);
  g_free (self);
}
