/* stream.c - the events of a journal as they come, for a browser (server-sent events)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "history.h"
#include "last.h"
#include "stream.h"

/* The largest number of events that are read for one message. */
#define MAX_EVENTS 20000
/* A block at the end that is not whole may just be being written. It is damage only if it stays so
 * for this time. */
#define DAMAGE_US ((gint64)3000000)

struct _PageStream
{
  SatinJournalReader *reader; /* (owned) */
  guint64 n_events;           /* that the browser has after the last message */
  gboolean has_end;           /* the event of the end was read */
  gboolean is_behind;         /* there may be events that the last message had no room for */
  gboolean is_over;
  gint64 damaged_us; /* since when the damage is there; 0: there is none */
  gboolean has_told; /* the message about the damage was returned */
};

PageStream *
page_stream_new (const char *path, guint64 n_known, GError **error)
{
  SatinJournalReader *reader = satin_journal_reader_new (path, error);
  if (reader == NULL)
    return NULL;
  PageStream *self = g_new0 (PageStream, 1);
  SatinJournalEvent event;
  self->reader = reader;
  /* The last event that the browser has may be the end of the run. */
  self->n_events = n_known > 0 ? satin_journal_reader_skip (reader, n_known - 1) : 0;
  if (n_known > 0 && satin_journal_reader_next (reader, &event))
    {
      self->n_events++;
      self->has_end = g_str_equal (event.kind, SATIN_JOURNAL_END);
    }
  return self;
}

/* ---- messages ---- */

/* All summaries of a node in one message, joined into one. */
typedef struct
{
  gint32 number;
  gint64 time_us;
  PageLast *last; /* (owned) */
} Joined;

/* A message that is being made. */
typedef struct
{
  PageNames *names;  /* (owned) */
  GString *events;   /* (owned): all but summaries, as JSON */
  GHashTable *nodes; /* (owned) number to (borrowed from @order) Joined */
  GPtrArray *order;  /* (owned) (element-type Joined) (owned) */
} Message;

static void
joined_free (gpointer data)
{
  page_last_free (((Joined *)data)->last);
  g_free (data);
}

static void
join (Message *self, const SatinJournalEvent *event)
{
  Joined *joined = g_hash_table_lookup (self->nodes, GINT_TO_POINTER (event->node));
  if (joined == NULL)
    {
      joined = g_new0 (Joined, 1);
      joined->number = event->node;
      joined->last = page_last_new ();
      g_hash_table_insert (self->nodes, GINT_TO_POINTER (event->node), joined);
      g_ptr_array_add (self->order, joined);
    }
  joined->time_us = event->time_us;
  page_last_take (joined->last, self->names, event);
}

static void
begin_next (Message *self)
{
  if (self->events->len > 0)
    g_string_append_c (self->events, ',');
}

static void
take (Message *self, const SatinJournalEvent *event)
{
  if (g_str_equal (event->kind, SATIN_JOURNAL_SUMMARY))
    {
      join (self, event);
      return;
    }
  begin_next (self);
  page_names_write_event (self->names, event, self->events);
}

/* Writes the joined summaries behind the other events. */
static void
write_joined (Message *self)
{
  guint kind = page_names_find (self->names, SATIN_JOURNAL_SUMMARY);
  for (guint i = 0; i < self->order->len; i++)
    {
      const Joined *joined = g_ptr_array_index (self->order, i);
      begin_next (self);
      g_string_append_printf (self->events, "[%" G_GINT64_FORMAT ",%d,%u,\"\",[", joined->time_us,
                              joined->number, kind);
      page_last_write (joined->last, self->events);
      g_string_append (self->events, "]]");
    }
}

/* Returns: how many events were read */
static guint
read_events (PageStream *self, Message *message)
{
  SatinJournalEvent event;
  guint n = 0;
  while (n < MAX_EVENTS && satin_journal_reader_next (self->reader, &event))
    {
      self->has_end |= g_str_equal (event.kind, SATIN_JOURNAL_END);
      if (!page_leaves_out (&event))
        take (message, &event);
      n++;
    }
  self->n_events += n;
  return n;
}

/* Returns: (transfer full) (nullable): %NULL when there is nothing new */
static char *
make_message (PageStream *self)
{
  Message message = { page_names_new (), g_string_new (NULL), g_hash_table_new (NULL, NULL),
                      g_ptr_array_new_with_free_func (joined_free) };
  char *text = NULL;
  guint n = read_events (self, &message);
  self->is_behind = n == MAX_EVENTS;
  if (n > 0)
    {
      GString *out = g_string_new (NULL);
      write_joined (&message);
      g_string_append_printf (out, "id: %" G_GUINT64_FORMAT "\ndata: {\"names\":", self->n_events);
      page_names_write (message.names, out);
      g_string_append_printf (out, ",\"events\":[%s]}\n\n", message.events->str);
      text = g_string_free (out, FALSE);
    }
  g_ptr_array_unref (message.order);
  g_hash_table_unref (message.nodes);
  g_string_free (message.events, TRUE);
  page_names_free (message.names);
  return text;
}

/* Returns: (transfer full) (nullable): a message when the journal has become damaged */
static char *
tell_damage (PageStream *self)
{
  const char *damage = satin_journal_reader_get_damage (self->reader);
  gint64 now_us = g_get_monotonic_time ();
  if (damage == NULL || self->damaged_us == 0)
    self->damaged_us = damage != NULL ? now_us : 0;
  if (damage == NULL || self->has_told || now_us - self->damaged_us < DAMAGE_US)
    return NULL;
  self->has_told = TRUE;
  g_autoptr (GString) out = g_string_new ("event: damage\ndata: ");
  page_names_write_string (damage, out);
  g_string_append (out, "\n\n");
  return g_string_free (g_steal_pointer (&out), FALSE);
}

char *
page_stream_next (PageStream *self)
{
  if (self->is_over)
    return NULL;
  /* If the file cannot be read now, there is nothing new now. */
  if (!self->is_behind)
    satin_journal_reader_refresh (self->reader, NULL);
  char *message = make_message (self);
  if (message == NULL && self->has_end)
    {
      self->is_over = TRUE;
      return g_strdup ("event: end\ndata: 0\n\n");
    }
  return message != NULL ? message : tell_damage (self);
}

gboolean
page_stream_is_behind (const PageStream *self)
{
  return self->is_behind;
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
