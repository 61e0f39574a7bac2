/* filter.c - which events of nodes a journal takes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "filter.h"

#define MAX_EVENTS_OF_NODE 100000
#define MAX_BOUNDS         64
#define N_LONGEST          20

typedef struct
{
  gint64 object;
  gint64 value;
} Bound;

struct _EventFilter
{
  GHashTable *n_events; /* (owned) node to how many events it has sent, as a pointer */
  gint64 ran_us[N_LONGEST];
  Bound bounds[MAX_BOUNDS];
  guint n_bounds;
};

EventFilter *
event_filter_new (void)
{
  EventFilter *self = g_new0 (EventFilter, 1);
  self->n_events = g_hash_table_new (NULL, NULL);
  return self;
}

void
event_filter_free (EventFilter *self)
{
  g_hash_table_unref (self->n_events);
  g_free (self);
}

static gint64
get_value (const SatinEvent *event, const char *name)
{
  for (gsize i = 0; i < event->n_values; i++)
    if (g_str_equal (event->values[i].name, name))
      return event->values[i].value;
  return 0;
}

static gboolean
is_among_longest (EventFilter *self, gint64 ran_us)
{
  guint place = 0;
  for (guint i = 1; i < N_LONGEST; i++)
    if (self->ran_us[i] < self->ran_us[place])
      place = i;
  if (ran_us <= self->ran_us[place])
    return FALSE;
  self->ran_us[place] = ran_us;
  return TRUE;
}

static gboolean
is_best (EventFilter *self, const SatinEvent *event)
{
  gint64 object = get_value (event, "object"), value = get_value (event, "value");
  for (guint i = 0; i < self->n_bounds; i++)
    {
      Bound *bound = &self->bounds[i];
      if (bound->object != object)
        continue;
      gboolean is_better =
          get_value (event, "is_minimum") != 0 ? value < bound->value : value > bound->value;
      if (is_better)
        bound->value = value;
      return is_better;
    }
  if (self->n_bounds == MAX_BOUNDS)
    return FALSE;
  self->bounds[self->n_bounds++] = (Bound){ object, value };
  return TRUE;
}

gboolean
event_filter_lets_pass (EventFilter *self, SatinNodeId node, const SatinEvent *event)
{
  gpointer key = GUINT_TO_POINTER (node);
  guint n_events = GPOINTER_TO_UINT (g_hash_table_lookup (self->n_events, key));
  if (n_events >= MAX_EVENTS_OF_NODE)
    return FALSE;
  g_hash_table_insert (self->n_events, key, GUINT_TO_POINTER (n_events + 1));
  if (g_str_equal (event->kind, SATIN_EVENT_LONG_JOB))
    return is_among_longest (self, get_value (event, "ran_us"));
  if (g_str_equal (event->kind, SATIN_EVENT_BOUND))
    return is_best (self, event);
  return TRUE;
}
