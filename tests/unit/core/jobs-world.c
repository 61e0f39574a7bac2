/* jobs-world.c - nodes with workers in one process, joined by a fake network
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "jobs-world.h"

SatinLoop *world_loop;
FakeNet *world_net;
WorldNode world_nodes[WORLD_MAX_NODES];
static guint n_nodes;

/* Chooses a random node, and waits a moment after a refusal. */
static void
choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  if (situation->near_history.n_refused > 0 && situation->near_history.since_us < 200)
    ret_choice->wait_us = 200;
  else
    ret_choice->near = situation->victims[situation->random[0] % situation->n_victims].id;
}

static void
close_policy (gpointer policy)
{
}

static const SatinPolicyOps policy_ops = { .struct_size = sizeof (SatinPolicyOps),
                                           .choose = choose,
                                           .close = close_policy };

void
world_begin (guint n, gboolean is_stealing)
{
  n_nodes = n;
  world_loop = satin_loop_new (NULL, 1, NULL);
  world_net = fake_net_new (world_loop, n);
  for (guint i = 0; i < n; i++)
    {
      world_nodes[i].workers = make_workers (i == 0 ? 1 : 2, 0);
      world_nodes[i].jobs = jobs_new (world_nodes[i].workers, world_loop);
      if (is_stealing)
        world_nodes[i].steal = steal_new (world_loop, fake_net_get_peers (world_net, i + 1),
                                          &jobs_ops, world_nodes[i].jobs, &policy_ops, NULL);
      jobs_connect (world_nodes[i].jobs, world_nodes[i].steal);
    }
}

void
world_end (void)
{
  for (guint i = 0; i < n_nodes; i++)
    {
      jobs_connect (world_nodes[i].jobs, NULL);
      g_clear_pointer (&world_nodes[i].steal, steal_free);
      satin_workers_free (world_nodes[i].workers);
      jobs_free (world_nodes[i].jobs);
    }
  fake_net_free (world_net);
  satin_loop_free (world_loop);
}

/* A root job of node 1 in a thread of its own, while the main thread runs the loop. */
typedef struct
{
  const SatinTask *task;
  gconstpointer args;
  gpointer result;
  GError *error; /* (owned) */
  gboolean is_ok;
  gboolean is_over;
} Root;

static void
root_over (gpointer data)
{
  ((Root *)data)->is_over = TRUE;
}

static gpointer
run_root (gpointer data)
{
  Root *self = data;
  self->is_ok = satin_workers_run_task (world_nodes[0].workers, self->task, self->args,
                                        self->result, &self->error);
  satin_loop_post (world_loop, root_over, self);
  return NULL;
}

gboolean
world_run (const SatinTask *task, gconstpointer args, gpointer ret_result, GError **error)
{
  Root root = { .task = task, .args = args, .result = ret_result };
  pthread_t thread;
  pthread_create (&thread, NULL, run_root, &root);
  while (!root.is_over)
    g_main_context_iteration (satin_loop_get_context (world_loop), TRUE);
  pthread_join (thread, NULL);
  if (root.error != NULL)
    g_propagate_error (error, root.error);
  return root.is_ok;
}

guint
world_take_jobs (guint max, guint n_kept, const char *cluster, StealTaken *ret_taken,
                 gboolean *ret_is_kept)
{
  const StealDemand demand = {
    .max = max, .n_kept = n_kept, .may_be_bound = TRUE, .cluster = cluster
  };
  return jobs_ops.take (world_nodes[0].jobs, &demand, ret_taken, ret_is_kept);
}
