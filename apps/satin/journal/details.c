/* details.c - the jobs and requests that the part "details" has sent, for a trace
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "details.h"

#include <satin/base/run.h>

/* A trace with more lanes is of no use. When all lanes are taken, further details go into the last
 * lane, where they may overlap. */
#define MAX_LANES 400

struct _JournalDetails
{
  GArray *all;         /* (owned) of JournalDetail, with (owned) texts; times of the node's clock */
  GHashTable *offsets; /* (owned) node to (owned) gint64*: the hub's clock minus the node's, us */
};

static void
clear_detail (gpointer data)
{
  g_free ((char *)((JournalDetail *)data)->text);
}

JournalDetails *
journal_details_new (void)
{
  JournalDetails *self = g_new0 (JournalDetails, 1);
  self->all = g_array_new (FALSE, FALSE, sizeof (JournalDetail));
  g_array_set_clear_func (self->all, clear_detail);
  self->offsets = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return self;
}

void
journal_details_free (JournalDetails *self)
{
  g_array_unref (self->all);
  g_hash_table_unref (self->offsets);
  g_free (self);
}

static void
note_offset (JournalDetails *self, gint32 node, gint64 offset_us)
{
  gint64 *least = g_hash_table_lookup (self->offsets, GINT_TO_POINTER (node));
  if (least == NULL)
    {
      least = g_new (gint64, 1);
      *least = offset_us;
      g_hash_table_insert (self->offsets, GINT_TO_POINTER (node), least);
    }
  *least = MIN (*least, offset_us);
}

gboolean
journal_details_take (JournalDetails *self, const SatinJournalEvent *event)
{
  gboolean is_job = g_str_equal (event->kind, SATIN_EVENT_JOB);
  if (!is_job && !g_str_equal (event->kind, SATIN_EVENT_REQUEST))
    return FALSE;
  JournalDetail detail = { .node = event->node,
                           .is_job = is_job,
                           .text = g_strdup (event->text),
                           .peer = satin_journal_event_get (event, is_job ? "owner" : "victim", 0),
                           .began_us = satin_journal_event_get (event, "began_us", 0),
                           .took_us = MAX (satin_journal_event_get (event, "took_us", 0), 0),
                           .value =
                               satin_journal_event_get (event, is_job ? "ran_us" : "jobs", 0) };
  g_array_append_val (self->all, detail);
  note_offset (self, event->node,
               event->time_us - satin_journal_event_get (event, "told_us", event->time_us));
  return TRUE;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const JournalDetail *one = a, *other = b;
  if (one->node != other->node)
    return one->node < other->node ? -1 : 1;
  if (one->is_job != other->is_job)
    return one->is_job ? -1 : 1;
  return (one->began_us > other->began_us) - (one->began_us < other->began_us);
}

/* Returns: the first lane that is free at @began_us. @ends: of gint64, when each lane becomes
 * free */
static guint
find_lane (GArray *ends, gint64 began_us)
{
  guint lane = 0;
  while (lane < ends->len && g_array_index (ends, gint64, lane) > began_us)
    lane++;
  if (lane == ends->len && lane < MAX_LANES)
    g_array_append_val (ends, began_us);
  return MIN (lane, ends->len - 1);
}

void
journal_details_foreach (JournalDetails *self, JournalDetailFunc func, gpointer user_data)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (gint64));
  const JournalDetail *last = NULL;
  g_array_sort (self->all, compare);
  for (guint i = 0; i < self->all->len; i++)
    {
      JournalDetail *detail = &g_array_index (self->all, JournalDetail, i);
      if (last == NULL || last->node != detail->node || last->is_job != detail->is_job)
        g_array_set_size (ends, 0);
      last = detail;
      detail->lane = find_lane (ends, detail->began_us);
      g_array_index (ends, gint64, detail->lane) = detail->began_us + detail->took_us;
      JournalDetail aligned = *detail;
      aligned.began_us +=
          *(gint64 *)g_hash_table_lookup (self->offsets, GINT_TO_POINTER (detail->node));
      func (&aligned, user_data);
    }
}
