/* history.c - what a journal says about a run, as short as pictures allow
 *
 * Time is divided into bins. Each node keeps one point for each bin. If there are too many points,
 * bins become twice as long, and points that are now in one bin are joined. So a journal of any
 * length is read once, and what is added to it later can be read, too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "history.h"
#include "last.h"

#include <satin/base/run.h>

#include <string.h>

/* There may be more than @max_points points if the nodes have at most POINTS_MIN on average. */
#define POINTS_MIN 20
/* No node has more points. */
#define POINTS_MAX 2000

/* The figures that pictures show over time. DRAWN of model.js has the same. */
static const char *const drawn[] = { "busy-us", "comm-us",     "idle-us",
                                     "jobs",    "ft.again-us", "checkpoint.writes" };
#define N_DRAWN G_N_ELEMENTS (drawn)

typedef struct
{
  gint64 time_us;
  gint64 values[N_DRAWN];
} Point;

typedef struct
{
  gint32 number;
  PageLast *last; /* (owned) */
  GArray *points; /* (owned) (element-type Point): in order of time */
} Node;

struct _PageHistory
{
  SatinJournalReader *reader; /* (owned) */
  PageNames *names;           /* (owned): the names of @drawn come first */
  GString *events;            /* (owned): all but summaries and details, as JSON */
  GHashTable *nodes;          /* (owned) number to (borrowed from @order) Node */
  GPtrArray *order;           /* (owned) (element-type Node) (owned) */
  guint max_points;
  guint n_points; /* of all nodes */
  gint64 bin_us;
  gint64 end_us;
  gint64 n_events; /* that were read */
};

static void
node_free (gpointer data)
{
  Node *self = data;
  page_last_free (self->last);
  g_array_unref (self->points);
  g_free (self);
}

PageHistory *
page_history_new (const char *path, guint max_points, GError **error)
{
  SatinJournalReader *reader = satin_journal_reader_new (path, error);
  if (reader == NULL)
    return NULL;
  PageHistory *self = g_new0 (PageHistory, 1);
  self->reader = reader;
  self->names = page_names_new ();
  self->events = g_string_new (NULL);
  self->nodes = g_hash_table_new (NULL, NULL);
  self->order = g_ptr_array_new_with_free_func (node_free);
  self->max_points = max_points;
  self->bin_us = 1;
  for (guint i = 0; i < N_DRAWN; i++)
    page_names_find (self->names, drawn[i]);
  return self;
}

static Node *
find_node (PageHistory *self, gint32 number)
{
  Node *node = g_hash_table_lookup (self->nodes, GINT_TO_POINTER (number));
  if (node != NULL)
    return node;
  node = g_new0 (Node, 1);
  node->number = number;
  node->last = page_last_new ();
  node->points = g_array_new (FALSE, FALSE, sizeof (Point));
  g_hash_table_insert (self->nodes, GINT_TO_POINTER (number), node);
  g_ptr_array_add (self->order, node);
  return node;
}

/* ---- points ---- */

/* Joins the points of a node that are in one bin: only the last one stays. */
static void
join_points (PageHistory *self, Node *node)
{
  guint n = 0;
  Point *points = (Point *)(gpointer)node->points->data;
  for (guint i = 0; i < node->points->len; i++)
    {
      if (n > 0 && points[n - 1].time_us / self->bin_us == points[i].time_us / self->bin_us)
        n--;
      points[n++] = points[i];
    }
  self->n_points -= node->points->len - n;
  g_array_set_size (node->points, n);
}

static void
make_room (PageHistory *self, const Node *node)
{
  while (self->n_points > MAX (self->max_points, POINTS_MIN * self->order->len)
         || node->points->len > POINTS_MAX)
    {
      self->bin_us *= 2;
      for (guint i = 0; i < self->order->len; i++)
        join_points (self, g_ptr_array_index (self->order, i));
    }
}

static void
take_summary (PageHistory *self, const SatinJournalEvent *event)
{
  Node *node = find_node (self, event->node);
  page_last_take (node->last, self->names, event);
  Point point = { .time_us = event->time_us };
  for (guint i = 0; i < N_DRAWN; i++)
    point.values[i] = page_last_get (node->last, i);
  guint n = node->points->len;
  if (n > 0
      && g_array_index (node->points, Point, n - 1).time_us / self->bin_us
             == event->time_us / self->bin_us)
    {
      g_array_index (node->points, Point, n - 1) = point;
      return;
    }
  g_array_append_val (node->points, point);
  self->n_points++;
  make_room (self, node);
}

gboolean
page_leaves_out (const SatinJournalEvent *event)
{
  return g_str_equal (event->kind, SATIN_EVENT_JOB)
         || g_str_equal (event->kind, SATIN_EVENT_REQUEST);
}

gboolean
page_history_read (PageHistory *self, guint n_max)
{
  SatinJournalEvent event;
  satin_journal_reader_refresh (self->reader, NULL);
  for (guint n = 0; n < n_max; n++)
    {
      if (!satin_journal_reader_next (self->reader, &event))
        return FALSE;
      self->n_events++;
      self->end_us = MAX (self->end_us, event.time_us);
      if (g_str_equal (event.kind, SATIN_JOURNAL_SUMMARY))
        {
          take_summary (self, &event);
          continue;
        }
      if (page_leaves_out (&event))
        continue;
      if (self->events->len > 0)
        g_string_append_c (self->events, ',');
      page_names_write_event (self->names, &event, self->events);
    }
  return TRUE;
}

/* ---- JSON ---- */

static void
write_points (const Node *node, GString *out)
{
  Point before = { 0 };
  for (guint i = 0; i < node->points->len; i++)
    {
      const Point *point = &g_array_index (node->points, Point, i);
      gint64 numbers[1 + N_DRAWN] = { point->time_us - before.time_us };
      for (guint j = 0; j < N_DRAWN; j++)
        numbers[1 + j] = point->values[j] - before.values[j];
      if (i > 0)
        g_string_append_c (out, ',');
      page_names_write_numbers (numbers, G_N_ELEMENTS (numbers), out);
      before = *point;
    }
}

void
page_history_write (PageHistory *self, GString *out)
{
  g_string_append (out, "{\"drawn\":[");
  for (guint i = 0; i < N_DRAWN; i++)
    g_string_append_printf (out, "%s\"%s\"", i == 0 ? "" : ",", drawn[i]);
  g_string_append (out, "],\"names\":");
  page_names_write (self->names, out);
  g_string_append_printf (out, ",\"events\":[%s],\"nodes\":[", self->events->str);
  for (guint i = 0; i < self->order->len; i++)
    {
      const Node *node = g_ptr_array_index (self->order, i);
      g_string_append_printf (out, "%s[%d,[", i == 0 ? "" : ",", node->number);
      page_last_write (node->last, out);
      g_string_append (out, "],[");
      write_points (node, out);
      g_string_append (out, "]]");
    }
  g_string_append_printf (out, "],\"end_us\":%" G_GINT64_FORMAT ",\"count\":%" G_GINT64_FORMAT,
                          self->end_us, self->n_events);
}

const char *
page_history_get_damage (const PageHistory *self)
{
  return satin_journal_reader_get_damage (self->reader);
}

void
page_history_free (PageHistory *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->order);
  g_hash_table_unref (self->nodes);
  g_string_free (self->events, TRUE);
  page_names_free (self->names);
  satin_journal_reader_free (self->reader);
  g_free (self);
}
