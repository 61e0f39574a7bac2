/* chain.c - finds in the dumps of all nodes for which job the run waits
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "chain.h"

#include "runs/figures.h"

/* No more links are followed than this: dumps that make no sense could lead in a circle. */
#define MAX_LINKS 256

void
why_run_read (WhyRun *ret_run, const SatinRunStatus *status)
{
  *ret_run = (WhyRun){ .status = status,
                       .nodes = g_new0 (WhyNode, MAX (status->n_nodes, 1)),
                       .n_nodes = (guint)status->n_nodes };
  for (guint i = 0; i < ret_run->n_nodes; i++)
    {
      WhyNode *node = &ret_run->nodes[i];
      node->status = &status->nodes[i];
      node->has_answered = node->status->n_dump > 0
                           && satin_record_decode (&SatinDump_record, node->status->dump,
                                                   node->status->n_dump, &node->dump, NULL);
    }
}

void
why_run_clear (WhyRun *self)
{
  for (guint i = 0; i < self->n_nodes; i++)
    if (self->nodes[i].has_answered)
      satin_record_clear (&SatinDump_record, &self->nodes[i].dump);
  g_clear_pointer (&self->nodes, g_free);
}

const WhyNode *
why_run_find (const WhyRun *self, gint64 id)
{
  for (guint i = 0; i < self->n_nodes; i++)
    if (self->nodes[i].status->node == id)
      return &self->nodes[i];
  return NULL;
}

void
why_chain_clear (WhyChain *self)
{
  g_clear_pointer (&self->links, g_array_unref);
}

static gboolean
is_state (const SatinJobState *job, const char *state)
{
  return g_str_equal (job->state, state);
}

/* Returns: (nullable): the imported job that @owner exported as @exported */
static const SatinJobState *
find_import (const WhyNode *node, gint64 owner, const SatinJobState *exported)
{
  for (gsize i = 0; i < node->dump.n_jobs; i++)
    {
      const SatinJobState *job = &node->dump.jobs[i];
      if (job->import_id != 0 && job->node == owner && job->index == exported->index
          && job->generation == exported->generation)
        return job;
    }
  return NULL;
}

/* The search. @way leads from the root job to where the search is now. */
typedef struct
{
  const WhyRun *run;
  GArray *way; /* (owned) of WhyLink */
  WhyChain *best;
} Search;

/* Ends the way at @node. Keeps the way if @age_us is the largest age so far. @job: (nullable): the
 * job at the end */
static void
end_way (Search *self, gint64 node, const SatinJobState *job, WhyEnd end, gint64 age_us)
{
  if (self->best->links->len > 0 && age_us <= self->best->age_us)
    return;
  const WhyLink link = { (SatinNodeId)node, job };
  g_array_set_size (self->best->links, 0);
  g_array_append_vals (self->best->links, self->way->data, self->way->len);
  if (job != NULL || end == WHY_SILENT || end == WHY_GONE || end == WHY_MISSING)
    g_array_append_val (self->best->links, link);
  self->best->end = end;
  self->best->age_us = age_us;
}

static void look_below (Search *self, const WhyNode *node, gint64 import_id, gint64 age_us);

/* Continues at the node to which @owner gave the job @exported. */
static void
follow_export (Search *self, const WhyNode *owner, const SatinJobState *exported)
{
  const WhyNode *thief = why_run_find (self->run, exported->node);
  if (thief == NULL || !figure_is_member (thief->status))
    {
      end_way (self, exported->node, exported, WHY_GONE, exported->age_us);
      return;
    }
  if (!thief->has_answered)
    {
      end_way (self, exported->node, exported, WHY_SILENT, exported->age_us);
      return;
    }
  const SatinJobState *import = find_import (thief, owner->status->node, exported);
  gboolean has_all = thief->dump.n_jobs == (gsize)thief->dump.n_all_jobs;
  if (import == NULL)
    {
      /* A dump that does not have all jobs may lack this job. */
      end_way (self, exported->node, exported, has_all ? WHY_MISSING : WHY_WORKING,
               has_all ? exported->age_us : 0);
      return;
    }
  if (is_state (import, SATIN_JOB_QUEUED))
    {
      end_way (self, exported->node, import, WHY_QUEUED, import->age_us);
      return;
    }
  const WhyLink link = { (SatinNodeId)exported->node, import };
  g_array_append_val (self->way, link);
  look_below (self, thief, import->import_id, import->age_us);
  g_array_set_size (self->way, self->way->len - 1);
}

/* Looks at what a node does for one of its imported jobs, or for the root job if @import_id is 0.
 */
static void
look_below (Search *self, const WhyNode *node, gint64 import_id, gint64 age_us)
{
  gboolean is_any = FALSE;
  for (gsize i = 0; i < node->dump.n_jobs && self->way->len < MAX_LINKS; i++)
    {
      const SatinJobState *job = &node->dump.jobs[i];
      gboolean is_running = is_state (job, SATIN_JOB_RUNNING);
      if (is_running && (job->under == import_id || job->under == -1))
        end_way (self, node->status->node, job, WHY_RUNNING, job->age_us);
      else if (is_state (job, SATIN_JOB_EXPORTED) && job->under == import_id)
        follow_export (self, node, job);
      else
        continue;
      is_any = TRUE;
    }
  if (!is_any)
    end_way (self, node->status->node, NULL, node->dump.n_busy > 0 ? WHY_WORKING : WHY_NOBODY, 0);
}

/* Returns: (nullable): the root job, when the node has it */
static const SatinJobState *
find_root (const WhyNode *node)
{
  for (gsize i = 0; i < node->dump.n_jobs; i++)
    if (is_state (&node->dump.jobs[i], SATIN_JOB_ROOT))
      return &node->dump.jobs[i];
  return NULL;
}

static void
search_from (Search *self, const WhyNode *master)
{
  const SatinJobState *root = master->has_answered ? find_root (master) : NULL;
  const WhyLink link = { (SatinNodeId)master->status->node, root };
  if (!master->has_answered)
    end_way (self, master->status->node, NULL, WHY_SILENT, master->status->heard_us_ago);
  if (root == NULL)
    return;
  g_array_append_val (self->way, link);
  look_below (self, master, 0, root->age_us);
}

void
why_chain_find (WhyChain *ret_chain, const WhyRun *run)
{
  *ret_chain = (WhyChain){ .links = g_array_new (FALSE, FALSE, sizeof (WhyLink)) };
  Search search = { run, g_array_new (FALSE, FALSE, sizeof (WhyLink)), ret_chain };
  for (guint i = 0; i < run->n_nodes; i++)
    if (run->nodes[i].status->is_master && figure_is_member (run->nodes[i].status))
      search_from (&search, &run->nodes[i]);
  g_array_unref (search.way);
}
