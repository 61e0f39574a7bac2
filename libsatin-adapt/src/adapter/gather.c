/* gather.c - figures on their way to the coordinator (the master), and plans on their way back
 *
 * The figures of a cluster go to its first node: the node with the lowest number, not counting the
 * coordinator and nodes that are leaving. In a large run a node knows only some others. So a node
 * that gets figures passes them on if it knows a node of its cluster with a lower number.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

/* A child (a node that reports through this one) is forgotten when it has not reported for this
 * many periods. */
#define CHILD_PERIODS 3

/* Returns: the first node of this node's cluster, to which this node reports; 0 when this node is
 * the first itself, and reports to the coordinator */
SatinNodeId
adapter_find_first (const SatinAdapter *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  for (guint i = 0; i < view->n_peers && view->peers[i].id < view->self; i++)
    if (view->peers[i].id != view->master && !view->peers[i].is_leaving
        && strcmp (view->peers[i].cluster, view->cluster) == 0)
      return view->peers[i].id;
  return 0;
}

static AdaptChild *
find_child (SatinAdapter *self, SatinNodeId id)
{
  for (guint i = 0; i < self->children->len; i++)
    if (g_array_index (self->children, AdaptChild, i).id == id)
      return &g_array_index (self->children, AdaptChild, i);
  return NULL;
}

static void
forget_silent (SatinAdapter *self)
{
  gint64 before_us = satin_loop_now_us (self->loop) - CHILD_PERIODS * self->options.period_us;
  for (guint i = self->children->len; i-- > 0;)
    if (g_array_index (self->children, AdaptChild, i).told_us < before_us)
      g_array_remove_index (self->children, i);
}

/* ---- up ---- */

/* Sends the gathered figures to the first node of the cluster, or to the coordinator. */
static void
pass_on (SatinAdapter *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  SatinNodeId first = adapter_find_first (self);
  SatinNodeId to = first != 0 ? first : view->master;
  AdaptReport report = { .nodes = (const AdaptFigures *)(gpointer)self->gathered->data,
                         .n_nodes = self->gathered->len };
  if (self->found != NULL)
    report.sample = g_bytes_get_data (self->found, &report.n_sample);
  if (first == 0 && self->memory != NULL && (guint64)self->memory_term < view->term)
    {
      report.term = self->memory_term;
      report.number = self->number;
      report.memory = g_bytes_get_data (self->memory, &report.n_memory);
    }
  if (to != 0 && to != view->self)
    adapter_send (self, to, ADAPT_FIGURES, &AdaptReport_record, &report);
  g_array_set_size (self->gathered, 0);
  g_clear_pointer (&self->found, g_bytes_unref);
}

/* Reports this node's figures. Called at the end of this node's period. */
void
adapter_tell (SatinAdapter *self)
{
  AdaptFigures own;
  adapter_read (self, &own);
  forget_silent (self);
  adapter_measure (self);
  if (adapter_is_coordinator (self))
    {
      adapter_take_figures (self, &own);
      return;
    }
  g_array_append_val (self->gathered, own);
  if (self->is_sample_wanted && self->workers != NULL && self->found == NULL)
    self->found = satin_workers_get_sample (self->workers);
  pass_on (self);
}

static AdaptChild *
note_child (SatinAdapter *self, SatinNodeId from, const AdaptReport *report)
{
  AdaptChild *child = find_child (self, from);
  if (child == NULL)
    {
      g_array_append_val (self->children, ((AdaptChild){ .id = from }));
      child = &g_array_index (self->children, AdaptChild, self->children->len - 1);
    }
  child->told_us = satin_loop_now_us (self->loop);
  for (gsize i = 0; i < report->n_nodes; i++)
    if (report->nodes[i].node == from)
      child->sample = report->nodes[i].sample;
  return child;
}

static void
gather (SatinAdapter *self, const AdaptReport *report)
{
  for (gsize i = 0; i < report->n_nodes && self->gathered->len < ADAPT_MAX_NODES; i++)
    g_array_append_val (self->gathered, report->nodes[i]);
  if (self->found == NULL && report->n_sample > 0)
    self->found = g_bytes_new (report->sample, report->n_sample);
  if (adapter_find_first (self) != 0)
    pass_on (self);
}

void
adapter_on_report (SatinAdapter *self, SatinNodeId from, const AdaptReport *report)
{
  gboolean is_known = find_child (self, from) != NULL;
  AdaptChild *child = note_child (self, from, report);
  if (adapter_is_coordinator (self))
    {
      for (gsize i = 0; i < report->n_nodes; i++)
        adapter_take_figures (self, &report->nodes[i]);
      adapter_take_memory (self, report);
      child->is_first = TRUE;
    }
  else
    gather (self, report);
  if (!is_known)
    adapter_send_plan (self, child);
}

/* ---- down ---- */

void
adapter_send_plan (SatinAdapter *self, AdaptChild *child)
{
  gint64 left_us = self->next_us - satin_loop_now_us (self->loop);
  AdaptPlan plan = { .term = self->term,
                     .number = self->number,
                     .next_us = CLAMP (left_us, 0, self->options.period_us),
                     .sample_id = self->sample_id,
                     .wants_sample = self->is_sample_wanted };
  if (self->term == 0 || self->next_us == 0)
    return; /* no plan has come yet */
  if (self->sample != NULL && child->sample != self->sample_id)
    plan.sample = g_bytes_get_data (self->sample, &plan.n_sample);
  if (child->is_first && self->memory != NULL)
    plan.memory = g_bytes_get_data (self->memory, &plan.n_memory);
  adapter_send (self, child->id, ADAPT_PLAN, &AdaptPlan_record, &plan);
}

void
adapter_plan_all (SatinAdapter *self)
{
  for (guint i = 0; i < self->children->len; i++)
    adapter_send_plan (self, &g_array_index (self->children, AdaptChild, i));
}

void
adapter_on_plan (SatinAdapter *self, SatinNodeId from, const AdaptPlan *plan)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  if ((guint64)plan->term != view->term || plan->next_us < 0
      || plan->next_us > self->options.period_us || adapter_is_coordinator (self))
    {
      satin_loop_probe (self->loop, "adapt.plan-late");
      return;
    }
  self->term = plan->term;
  self->number = plan->number;
  self->next_us = satin_loop_now_us (self->loop) + plan->next_us;
  self->is_sample_wanted = plan->wants_sample;
  if (plan->wants_sample && self->workers != NULL)
    satin_workers_want_sample (self->workers);
  if (plan->n_sample > 0)
    {
      g_autoptr (GBytes) sample = g_bytes_new (plan->sample, plan->n_sample);
      adapter_set_sample (self, sample);
    }
  if (plan->n_memory > 0)
    {
      g_clear_pointer (&self->memory, g_bytes_unref);
      self->memory = g_bytes_new (plan->memory, plan->n_memory);
      self->memory_term = plan->term;
    }
  adapter_measure (self);
  adapter_set_timer (self);
  adapter_plan_all (self);
}
