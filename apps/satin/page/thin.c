/* thin.c - reads the events of a journal, and joins summaries that are too many for a picture
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "thin.h"

/* The least and the largest number of bins. A node keeps one summary for each bin of time. */
#define BINS_MIN 20
#define BINS_MAX 1000

/* The summaries of a node in one bin, joined into one. */
typedef struct
{
  gint32 node;
  gint64 bin;
  gint64 time_us;
  GPtrArray *names; /* (owned) (element-type utf8) (borrowed from the thinner's names) */
  GArray *values;   /* (owned) (element-type gint64): the value of each of @names */
} Pending;

typedef struct
{
  JsonBuilder *builder; /* (owned) */
  GPtrArray *names;     /* (owned) (element-type utf8) */
  GHashTable *places;   /* (owned) name (borrowed from @names) to its place in @names */
  GHashTable *pending;  /* (owned) node to (owned) Pending */
  GPtrArray *order;     /* (owned) (element-type Pending): those of @pending, the oldest first */
  gint64 bin_us;
  gint64 n_events; /* that were taken */
} Thinner;

static void
pending_free (gpointer data)
{
  Pending *self = data;
  g_ptr_array_unref (self->names);
  g_array_unref (self->values);
  g_free (self);
}

static gint64
find_place (Thinner *self, const char *name)
{
  gpointer place;
  if (g_hash_table_lookup_extended (self->places, name, NULL, &place))
    return GPOINTER_TO_INT (place);
  char *copy = g_strdup (name);
  g_ptr_array_add (self->names, copy);
  g_hash_table_insert (self->places, copy, GINT_TO_POINTER (self->names->len - 1));
  return self->names->len - 1;
}

static void
begin_event (Thinner *self, gint64 time_us, gint32 node, const char *kind, const char *text)
{
  json_builder_begin_array (self->builder);
  json_builder_add_int_value (self->builder, time_us);
  json_builder_add_int_value (self->builder, node);
  json_builder_add_int_value (self->builder, find_place (self, kind));
  json_builder_add_string_value (self->builder, text);
  json_builder_begin_array (self->builder);
}

static void
add_value (Thinner *self, const char *name, gint64 value)
{
  json_builder_add_int_value (self->builder, find_place (self, name));
  json_builder_add_int_value (self->builder, value);
}

static void
end_event (Thinner *self)
{
  json_builder_end_array (self->builder);
  json_builder_end_array (self->builder);
}

/* ---- summaries ---- */

static void
flush (Thinner *self, Pending *pending)
{
  if (pending->names->len == 0)
    return;
  begin_event (self, pending->time_us, pending->node, SATIN_JOURNAL_SUMMARY, "");
  for (guint i = 0; i < pending->names->len; i++)
    add_value (self, g_ptr_array_index (pending->names, i),
               g_array_index (pending->values, gint64, i));
  end_event (self);
  g_ptr_array_set_size (pending->names, 0);
  g_array_set_size (pending->values, 0);
}

static void
join_value (Thinner *self, Pending *pending, const SatinJournalValue *value)
{
  gint64 name_place = find_place (self, value->name);
  char *name = g_ptr_array_index (self->names, name_place);
  guint place;
  if (g_ptr_array_find (pending->names, name, &place))
    g_array_index (pending->values, gint64, place) = value->value;
  else
    {
      g_ptr_array_add (pending->names, name);
      g_array_append_val (pending->values, value->value);
    }
}

static void
join (Thinner *self, const SatinJournalEvent *event)
{
  Pending *pending = g_hash_table_lookup (self->pending, GINT_TO_POINTER (event->node));
  if (pending == NULL)
    {
      pending = g_new0 (Pending, 1);
      pending->node = event->node;
      pending->names = g_ptr_array_new ();
      pending->values = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_hash_table_insert (self->pending, GINT_TO_POINTER (event->node), pending);
      g_ptr_array_add (self->order, pending);
    }
  gint64 bin = event->time_us / self->bin_us;
  if (bin != pending->bin)
    flush (self, pending);
  pending->bin = bin;
  pending->time_us = event->time_us;
  for (gsize i = 0; i < event->n_values; i++)
    join_value (self, pending, &event->values[i]);
}

static void
take (Thinner *self, const SatinJournalEvent *event)
{
  self->n_events++;
  if (g_str_equal (event->kind, SATIN_JOURNAL_SUMMARY))
    {
      join (self, event);
      return;
    }
  begin_event (self, event->time_us, event->node, event->kind, event->text);
  for (gsize i = 0; i < event->n_values; i++)
    add_value (self, event->values[i].name, event->values[i].value);
  end_event (self);
}

/* ---- the whole journal ---- */

/* Returns: how long a bin must be, so that about @max_summaries are left */
static gint64
choose_bin_us (SatinJournalReader *reader, guint max_summaries)
{
  gint64 end_us = 0;
  guint n_nodes = 0;
  SatinJournalEvent event;
  while (satin_journal_reader_next (reader, &event))
    {
      end_us = MAX (end_us, event.time_us);
      n_nodes += g_str_equal (event.kind, SATIN_JOURNAL_JOINED);
    }
  gint64 n_bins = CLAMP (max_summaries / MAX (n_nodes, 1), BINS_MIN, BINS_MAX);
  return end_us / n_bins + 1;
}

static JsonNode *
finish (Thinner *self)
{
  for (guint i = 0; i < self->order->len; i++)
    flush (self, g_ptr_array_index (self->order, i));
  json_builder_end_array (self->builder);
  json_builder_set_member_name (self->builder, "names");
  json_builder_begin_array (self->builder);
  for (guint i = 0; i < self->names->len; i++)
    json_builder_add_string_value (self->builder, g_ptr_array_index (self->names, i));
  json_builder_end_array (self->builder);
  json_builder_set_member_name (self->builder, "count");
  json_builder_add_int_value (self->builder, self->n_events);
  json_builder_end_object (self->builder);
  JsonNode *root = json_builder_get_root (self->builder);
  g_object_unref (self->builder);
  g_hash_table_unref (self->places);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->order);
  g_hash_table_unref (self->pending);
  return root;
}

JsonNode *
thin_journal (const char *path, guint max_summaries, char **ret_damage, GError **error)
{
  g_autoptr (SatinJournalReader) first = satin_journal_reader_new (path, error);
  g_autoptr (SatinJournalReader) second =
      first != NULL ? satin_journal_reader_new (path, error) : NULL;
  if (second == NULL)
    return NULL;
  Thinner self = { .builder = json_builder_new (),
                   .names = g_ptr_array_new_with_free_func (g_free),
                   .places = g_hash_table_new (g_str_hash, g_str_equal),
                   .pending = g_hash_table_new_full (NULL, NULL, NULL, pending_free),
                   .order = g_ptr_array_new (),
                   .bin_us = choose_bin_us (first, max_summaries) };
  json_builder_begin_object (self.builder);
  json_builder_set_member_name (self.builder, "events");
  json_builder_begin_array (self.builder);
  SatinJournalEvent event;
  while (satin_journal_reader_next (second, &event))
    take (&self, &event);
  *ret_damage = g_strdup (satin_journal_reader_get_damage (second));
  return finish (&self);
}
