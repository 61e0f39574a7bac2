/* events.c - scheduled events: makes happen in a simulated run what the user has asked for
 *
 * Unlike faults, which the seed decides, events happen as the user wrote them. An event that finds
 * no node to hit does nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

const char *const world_event_names[WORLD_N_EVENTS] = {
  [WORLD_EVENT_CRASH] = "crash",         [WORLD_EVENT_RESTART] = "restart",
  [WORLD_EVENT_JOIN] = "join",           [WORLD_EVENT_LEAVE] = "leave",
  [WORLD_EVENT_PAUSE] = "pause",         [WORLD_EVENT_RESUME] = "resume",
  [WORLD_EVENT_STOP] = "stop",           [WORLD_EVENT_SPEED] = "speed",
  [WORLD_EVENT_BANDWIDTH] = "bandwidth", [WORLD_EVENT_LATENCY] = "latency",
  [WORLD_EVENT_OFFER] = "offer",
};

static gboolean
is_target (const WorldEvent *event, const WorldNode *node)
{
  switch (event->target)
    {
    case WORLD_TARGET_NODE:
      return node->number == event->number;
    case WORLD_TARGET_CLUSTER:
      return node->cluster + 1 == event->number;
    case WORLD_TARGET_MASTER:
      return node->is_master;
    case WORLD_TARGET_ALL:
      return FALSE;
    }
  g_assert_not_reached ();
}

static void
hit_node (const WorldEvent *event, WorldNode *node)
{
  World *self = event->world;
  if (event->kind == WORLD_EVENT_SPEED)
    world_account_speed (node, world_speed (self, node->cluster) * event->speed);
  else if (event->kind == WORLD_EVENT_PAUSE)
    satin_sim_host_pause (node->host, event->resume_us - event->at_us);
  else if (event->kind == WORLD_EVENT_LEAVE)
    world_leave (node, event->leave_us);
  else if (event->kind == WORLD_EVENT_CRASH || event->kind == WORLD_EVENT_RESTART)
    world_crash (self, node);
  if (event->kind == WORLD_EVENT_RESTART)
    world_join (self, node->cluster);
  self->events_done[event->kind]++;
}

/* Makes an event happen that changes a cluster itself. Returns: FALSE for any other event: it hits
 * nodes, or lets nodes join */
static gboolean
hit_cluster (const WorldEvent *event)
{
  World *self = event->world;
  guint cluster = event->number - 1;
  if (event->target != WORLD_TARGET_CLUSTER)
    return FALSE;
  if (event->kind == WORLD_EVENT_SPEED)
    world_load (self, cluster, event->speed);
  else if (event->kind == WORLD_EVENT_BANDWIDTH)
    satin_sim_set_uplink_bandwidth (self->sim, cluster, event->bandwidth);
  else if (event->kind == WORLD_EVENT_LATENCY)
    satin_sim_set_uplink_latency (self->sim, cluster, event->latency_us);
  else if (event->kind == WORLD_EVENT_OFFER)
    world_pool_offer (self, cluster, event->n_offered);
  else
    return FALSE;
  self->events_done[event->kind]++;
  return TRUE;
}

static void
hit (gpointer user_data)
{
  WorldEvent *event = user_data;
  World *self = event->world;
  guint n_nodes = self->n_started;
  if (self->ended_us != 0)
    return;
  event->has_come = TRUE;
  if (event->target == WORLD_TARGET_ALL)
    {
      gboolean is_done =
          event->kind == WORLD_EVENT_CRASH ? world_crash_all (self) : world_stop_all (self);
      self->events_done[event->kind] += is_done;
      return;
    }
  if (hit_cluster (event))
    n_nodes = 0;
  for (guint i = 0; i < n_nodes && event->kind != WORLD_EVENT_JOIN; i++)
    if (!self->nodes[i].is_over && is_target (event, &self->nodes[i]))
      hit_node (event, &self->nodes[i]);
  for (guint i = 0; i < event->n_joins && event->kind == WORLD_EVENT_JOIN; i++)
    self->events_done[event->kind] += world_join (self, event->number - 1);
  self->fault_us = satin_sim_now_us (self->sim);
  world_check (self);
}

/* Whether the event did not happen in an earlier world of this run. */
static gboolean
is_ahead (const World *self, const WorldEvent *event)
{
  return event->at_us > self->passed_us || self->earlier == NULL;
}

void
world_events_begin (World *self)
{
  for (guint i = 0; i < self->events->len; i++)
    {
      WorldEvent *event = &g_array_index (self->events, WorldEvent, i);
      if (is_ahead (self, event))
        satin_loop_timer_add (satin_sim_host_get_loop (self->fate), event->at_us - self->passed_us,
                              hit, event);
    }
}

void
world_events_report (const World *self, GString *text)
{
  for (guint i = 0; i < WORLD_N_EVENTS; i++)
    if (self->events_done[i] > 0)
      g_string_append_printf (text, "event.%s %u\n", world_event_names[i], self->events_done[i]);
}

/* Names the events for which the run was over too early. */
void
world_events_warn (const World *self)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < self->events->len; i++)
    {
      const WorldEvent *event = &g_array_index (self->events, WorldEvent, i);
      if (event->has_come || !is_ahead (self, event))
        continue;
      g_string_append_printf (names, "%s%s", n > 0 ? "; " : "", event->text);
      n++;
    }
  if (n > 0)
    g_printerr ("the run ended before %u event%s: %s\n", n, n == 1 ? "" : "s", names->str);
}
