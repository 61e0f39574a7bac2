/* adapter-world.c - the adapters of a run's nodes, over a network and a clock in memory
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "adapter-world.h"

#include <string.h>

#define SEED 1

static const char *const names[] = { "a", "b", "c", "d" };

WorldNode *
adapter_world_node (AdapterWorld *self, SatinNodeId id)
{
  g_assert_cmpuint (id, <=, self->n_nodes);
  return &self->nodes[id - 1];
}

/* ---- what a node reports ---- */

static void
tell_figures (SatinFigureFunc add, gpointer add_data, gpointer user_data)
{
  const WorldNode *self = user_data;
  gint64 now_us = satin_loop_now_us (self->world->loop);
  gint64 all_us = self->n_workers * now_us;
  add ("workers", self->n_workers, add_data);
  add ("idle-us", all_us * self->idle / 1000, add_data);
  add ("busy-us", all_us * (1000 - self->idle) / 1000, add_data);
  add ("cpu-us", all_us * (1000 - self->idle) / 1000, add_data);
  add ("overdue-near-us", now_us * self->overdue_near / 1000, add_data);
  add ("overdue-far-us", now_us * self->overdue_far / 1000, add_data);
  add ("jobs", 17, add_data);
}

static void
note_decided (const char *text, gboolean is_change, gpointer user_data)
{
  WorldNode *self = user_data;
  g_assert_true (is_change
                 == (strstr (text, "asks for") != NULL || strstr (text, "leaves") != NULL));
  g_free (self->decided);
  self->decided = g_strdup (text);
  self->n_decided++;
}

static const SatinAdapterHost host = {
  .struct_size = sizeof (SatinAdapterHost),
  .figures = tell_figures,
  .decided = note_decided,
};

/* ---- signals between adapters and the fleet ---- */

typedef struct
{
  WorldNode *node; /* (borrowed) */
  GBytes *payload; /* (owned) */
} Word;

static void
hear_state (gpointer user_data)
{
  Word *self = user_data;
  if (self->node->events != NULL)
    self->node->events->signal (SATIN_FLEET_STATE, self->payload, self->node->events_data);
  g_bytes_unref (self->payload);
  g_free (self);
}

static void
answer_look (WorldNode *node, GBytes *payload)
{
  AdapterWorld *world = node->world;
  FleetLook look;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  g_assert_true (satin_record_decode (&FleetLook_record, bytes, n_bytes, &look, NULL));
  world->n_looks++;
  if (!world->has_fleet)
    return;
  FleetState state = world->state;
  state.term = look.term;
  state.number = look.term == world->asked_term ? world->asked_number : 0;
  Word *word = g_new0 (Word, 1);
  *word = (Word){ node, satin_record_to_bytes (&FleetState_record, &state) };
  satin_loop_post (world->loop, hear_state, word);
}

static void
note_ask (AdapterWorld *self, GBytes *payload)
{
  FleetAsk ask;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  g_assert_true (satin_record_decode (&FleetAsk_record, bytes, n_bytes, &ask, NULL));
  self->asked_term = ask.term;
  self->asked_number = ask.number;
  g_string_append_printf (self->asked, "%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, ask.term,
                          ask.number);
  for (gsize i = 0; i < ask.n_wishes; i++)
    g_string_append_printf (self->asked, " %d@%s", ask.wishes[i].n_machines, ask.wishes[i].cluster);
  g_string_append (self->asked, ";");
  satin_record_clear (&FleetAsk_record, &ask);
}

static void
note_told (AdapterWorld *self, GBytes *payload)
{
  SatinEvent event;
  g_assert_true (satin_event_read (payload, &event));
  g_assert_cmpstr (event.kind, ==, SATIN_EVENT_DECISION);
  g_assert_cmpuint (event.n_values, ==, 4);
  g_string_printf (self->told, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT ": %s",
                   event.values[0].value, event.values[2].value, event.values[3].value, event.text);
  satin_record_clear (&SatinEvent_record, &event);
}

static void
world_signal (SatinRun *run, SatinNodeId to, const char *word, GBytes *payload)
{
  WorldNode *self = (WorldNode *)run;
  if (to != SATIN_RUN_HOLDER)
    {
      g_assert_cmpstr (word, ==, SATIN_SIGNAL_LEAVE);
      g_string_append_printf (self->world->left, "%u %" G_GINT64_FORMAT ";", to,
                              satin_leave_read_deadline_us (payload));
    }
  else if (strcmp (word, SATIN_FLEET_LOOK) == 0)
    answer_look (self, payload);
  else if (strcmp (word, SATIN_SIGNAL_EVENT) == 0)
    note_told (self->world, payload);
  else
    {
      g_assert_cmpstr (word, ==, SATIN_FLEET_ASK);
      note_ask (self->world, payload);
    }
}

static guint
world_add_events (SatinRun *run, const SatinRunEvents *events, gpointer user_data)
{
  WorldNode *self = (WorldNode *)run;
  self->events = events;
  self->events_data = user_data;
  return 1;
}

static void
world_remove_events (SatinRun *run, guint id)
{
  ((WorldNode *)run)->events = NULL;
}

static const SatinRunOps run_ops = {
  .struct_size = sizeof (SatinRunOps),
  .signal = world_signal,
  .add_events = world_add_events,
  .remove_events = world_remove_events,
};

/* ---- the world ---- */

void
adapter_world_start_node (AdapterWorld *self, SatinNodeId id, const SatinAdapterOptions *options,
                          SatinWorkers *workers)
{
  static const SatinAdapterOptions defaults = { .adaptation = "scripted",
                                                .period_us = WORLD_PERIOD_US,
                                                .leave_us = SATIN_LEAVE_DEFAULT_US };
  WorldNode *node = adapter_world_node (self, id);
  g_autoptr (GError) error = NULL;
  satin_adapter_free (node->adapter);
  node->adapter = satin_adapter_new (self->loop, workers, options != NULL ? options : &defaults,
                                     &host, node, &error);
  g_assert_no_error (error);
  satin_adapter_set_peers (node->adapter, fake_net_get_peers (self->net, id));
  satin_adapter_set_run (node->adapter, &node->run);
}

AdapterWorld *
adapter_world_new (const char *clusters, const SatinAdapterOptions *options)
{
  AdapterWorld *self = g_new0 (AdapterWorld, 1);
  self->loop = counting_loop_new (SEED);
  self->n_nodes = (guint)strlen (clusters);
  self->net = fake_net_new (self->loop, self->n_nodes);
  self->asked = g_string_new (NULL);
  self->told = g_string_new (NULL);
  self->left = g_string_new (NULL);
  self->has_fleet = TRUE;
  self->state = (FleetState){ .n_least = 1, .n_most = 100 };
  for (guint i = 0; i < self->n_nodes; i++)
    fake_net_set_cluster (self->net, i + 1, names[clusters[i] - 'a']);
  for (guint i = 0; i < self->n_nodes; i++)
    {
      self->nodes[i] =
          (WorldNode){ .run.ops = &run_ops, .world = self, .id = i + 1, .n_workers = 2 };
      adapter_world_start_node (self, i + 1, options, NULL);
    }
  return self;
}

void
adapter_world_free (AdapterWorld *self)
{
  for (guint i = 0; i < self->n_nodes; i++)
    {
      satin_adapter_free (self->nodes[i].adapter);
      g_free (self->nodes[i].decided);
    }
  counting_loop_advance (self->loop, 0); /* delivers states that were posted */
  fake_net_free (self->net);
  g_assert_cmpuint (counting_loop_count_timers (self->loop), ==, 0);
  satin_loop_free (self->loop);
  g_string_free (self->asked, TRUE);
  g_string_free (self->told, TRUE);
  g_string_free (self->left, TRUE);
  g_free (self);
}

void
adapter_world_elect (AdapterWorld *self, SatinNodeId id, guint term)
{
  fake_net_set_term (self->net, term);
  fake_net_set_master (self->net, id);
}

void
adapter_world_kill (AdapterWorld *self, SatinNodeId id)
{
  satin_adapter_free (g_steal_pointer (&adapter_world_node (self, id)->adapter));
  fake_net_remove (self->net, id, SATIN_PEER_DIED);
}

void
adapter_world_advance (AdapterWorld *self, gint64 duration_us)
{
  counting_loop_advance (self->loop, duration_us);
}

void
adapter_world_pass (AdapterWorld *self, guint n_periods)
{
  adapter_world_advance (self, n_periods * WORLD_PERIOD_US);
}

Scripted *
adapter_world_get_scripted (AdapterWorld *self, SatinNodeId id)
{
  const SatinAdapter *adapter = adapter_world_node (self, id)->adapter;
  g_assert_true (adapter_is_coordinator (adapter));
  return adapter->adaptation->handle;
}

const SatinCensusNode *
adapter_world_get_seen (AdapterWorld *self, SatinNodeId coordinator, SatinNodeId id)
{
  const Scripted *scripted = adapter_world_get_scripted (self, coordinator);
  for (guint i = 0; i < scripted->census.n_nodes; i++)
    if (scripted->nodes[i].id == id)
      return &scripted->nodes[i];
  g_assert_not_reached ();
}

typedef struct
{
  const char *name;
  gint64 value;
} Wanted;

static void
compare_figure (const char *name, gint64 value, gpointer user_data)
{
  Wanted *wanted = user_data;
  if (strcmp (name, wanted->name) == 0)
    wanted->value = value;
}

gint64
adapter_world_get_figure (AdapterWorld *self, SatinNodeId id, const char *name)
{
  Wanted wanted = { name, G_MININT64 };
  satin_adapter_figures (adapter_world_node (self, id)->adapter, compare_figure, &wanted);
  g_assert_cmpint (wanted.value, !=, G_MININT64);
  return wanted.value;
}

void
adapter_world_inject (AdapterWorld *self, SatinNodeId from, SatinNodeId to, AdaptKind kind,
                      gconstpointer message)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  const guint8 head = kind;
  g_byte_array_append (bytes, &head, 1);
  satin_record_encode (kind == ADAPT_FIGURES ? &AdaptReport_record : &AdaptPlan_record, message,
                       bytes);
  g_autoptr (GBytes) payload = g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  fake_net_inject_on (self->net, SATIN_CHANNEL_ADAPT, from, to, payload);
}

void
adapter_world_say_state (AdapterWorld *self, SatinNodeId to, const FleetState *state)
{
  WorldNode *node = adapter_world_node (self, to);
  g_autoptr (GBytes) payload = satin_record_to_bytes (&FleetState_record, state);
  node->events->signal (SATIN_FLEET_STATE, payload, node->events_data);
}
