/* inspect-member.c - what other code may read of a node of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"
#include "threads/running.h"

MemberOutlook
member_look_around (SatinMembership *self)
{
  MemberOutlook outlook = { .is_stopping = self->is_stopping };
  if (self->is_over || self->run == NULL || self->steal == NULL)
    return outlook;
  outlook.may_stop =
      member_is_master (self) && self->recovery != NULL && self->recovery->stores_results;
  outlook.has_heir = steal_has_heir (self->steal);
  outlook.is_alone = satin_peers_get_view (self->peers)->n_peers == 0;
  return outlook;
}

gboolean
satin_membership_is_over (const SatinMembership *self)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return self->is_over;
}

SatinNode *
satin_membership_get_node (SatinMembership *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->node;
}

gboolean
satin_membership_look (const SatinMembership *self, SatinHoldings *ret_holdings)
{
  *ret_holdings = (SatinHoldings){
    .n_exported = self->steal != NULL ? steal_count_exported (self->steal) : 0,
    .n_imports = self->steal != NULL ? steal_count_imports (self->steal) : 0,
    .n_queued = pool_count_queued (self->workers),
    .n_aborted = self->steal != NULL ? steal_count_aborted (self->steal) : 0,
    .n_in_use = pool_count_in_use (self->workers),
    .n_refilled = (guint)SATIN_LOAD_RELAXED (&self->workers->n_refilled),
  };
  return self->steal != NULL
         && !self->leave.is_saving; /* while it saves, its stopped workers still have jobs */
}

void
satin_membership_foreach_ref (const SatinMembership *self, SatinJobRefFunc func, gpointer user_data)
{
  if (self->steal != NULL)
    steal_foreach_ref (self->steal, func, user_data);
}

gboolean
satin_membership_wants (const SatinMembership *self, SatinNodeId thief, const SatinJobRef *ref)
{
  return self->steal == NULL || steal_wants (self->steal, thief, ref);
}

guint64
satin_membership_get_running (const SatinMembership *self, gconstpointer thread)
{
  const Job *job = pool_get_running (self->workers, pool_find_worker (self->workers, thread));
  return job != NULL && job->is_remote ? jobs_get_import_id (job) : 0;
}

static gboolean
find_running (const SatinMembership *self, gconstpointer thread, Running *ret_running)
{
  guint index = pool_find_worker (self->workers, thread);
  return worker_find_running (&self->workers->workers[index], ret_running);
}

char *
satin_membership_describe_running (const SatinMembership *self, gconstpointer thread)
{
  Running running;
  return find_running (self, thread, &running) ? running_describe (&running) : NULL;
}

char *
satin_membership_tell_crash (SatinMembership *self, gconstpointer thread, int signal_number)
{
  Running running;
  char *text;
  if (!find_running (self, thread, &running))
    return NULL;
  const MemberCrash crash = { .running = &running, .signal_number = signal_number };
  return member_tell_crash (self, &crash, &text) ? text : NULL;
}

gboolean
satin_membership_find_import (const SatinMembership *self, guint64 import_id, SatinJobRef *ret_ref)
{
  return self->steal != NULL && steal_find_ref (self->steal, import_id, ret_ref);
}

guint64
satin_membership_get_under (const SatinMembership *self, SatinNodeId thief, const SatinJobRef *ref)
{
  return self->steal != NULL ? steal_get_under (self->steal, thief, ref) : 0;
}

void
satin_membership_waits (const SatinMembership *self, SatinWaitFunc add, gpointer user_data)
{
  satin_node_waits (self->node, add, user_data);
}
