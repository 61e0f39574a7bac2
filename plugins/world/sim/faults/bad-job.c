/* bad-job.c - a job that crashes each node that runs it
 *
 * The bad job is chosen at random from the jobs that run. From then on, each node that is charged
 * time for this job crashes, as a real node does after a wrong access to memory: the worker stands
 * still, the loop reports which job it ran, and the process ends. Or the process ends at once, as
 * for lack of memory. The registry hears which signal ended the process, or only sees that the
 * links broke.
 *
 * A run must stop such a job: the job may crash three nodes, and never the last node. It may crash
 * more nodes if the run has more than four, because the node that counts the crashes may be the
 * next to crash, or if no node reports which job it ran. Nothing is checked if other nodes were
 * lost, too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "faults.h"

#include <signal.h>

/* While a bad job is awaited, a charge makes its job the bad job with the probability 1/CHOICE. */
#define CHOICE 16

/* The most nodes that the job may crash, if the run has at most FEW_NODES nodes and they report the
 * job; MAX_CRASHES is as in crash.h of libsatin-core. Otherwise MORE_CRASHES are allowed in
 * addition. */
#define MAX_CRASHES  3
#define FEW_NODES    4
#define MORE_CRASHES 3

/* The time between a node's report and its end. */
#define LINGER_US   ((gint64)50000)
#define FOR_EVER_US ((gint64)1000000000)

/* How nodes that run the bad job end: in the same way on all nodes of a run. */
typedef enum
{
  END_BY_SIGNAL, /* the node reports the job, and the registry hears of the signal */
  END_UNSEEN,    /* the node reports the job, but the registry does not hear how its process
                  * ended */
  END_AT_ONCE,   /* the process is killed for lack of memory, which the registry hears of; the node
                  * reports nothing */
  N_ENDS,
} End;

/* For say_last_words(): the node that crashes, and the worker that runs the bad job. */
typedef struct
{
  WorldNode *node; /* (borrowed) */
  gconstpointer thread;
} Crash;

gboolean
world_bad_job_arm (World *self)
{
  if (self->bad_job != NULL || self->is_bad_job_awaited)
    return FALSE;
  self->is_bad_job_awaited = TRUE;
  self->bad_job_end = (guint)(world_random (self) % N_ENDS);
  return TRUE;
}

static void
end (gpointer user_data)
{
  WorldNode *node = user_data;
  World *self = node->world;
  int signal_number = self->bad_job_end == END_AT_ONCE ? SATIN_DEATH_OUT_OF_MEMORY : SIGSEGV;
  if (node->is_over)
    return;
  g_autofree char *host = world_host_name (node);
  world_crash (self, node);
  self->fault_us = satin_sim_now_us (self->sim);
  if (self->hub != NULL && self->bad_job_end != END_UNSEEN)
    satin_hub_process_killed (self->hub, host, node->number, signal_number, "crashed");
}

/* Reports the bad job, on the node's loop, before the node ends. */
static void
say_last_words (gpointer user_data)
{
  g_autofree Crash *self = user_data;
  if (self->node->is_over)
    return;
  g_autofree char *text = satin_membership_tell_crash (self->node->member, self->thread, SIGSEGV);
  if (text != NULL)
    g_printerr ("%s: %s\n", self->node->world->entry->name, text);
}

/* Whether nodes were lost or may be leaving for other reasons than the bad job. */
static gboolean
has_other_losses (const World *self)
{
  for (guint i = 0; i < self->n_started; i++)
    {
      const WorldNode *node = &self->nodes[i];
      gboolean is_lost =
          node->is_dead || node->leave_us != 0 || satin_sim_host_is_crashed (node->host);
      if (is_lost && !node->has_bad_job)
        return TRUE;
    }
  return FALSE;
}

/* The number of members that live and do not run the bad job. */
static guint
count_well (const World *self)
{
  guint n = 0;
  for (guint i = 0; i < self->n_started; i++)
    n += !self->nodes[i].is_over && !self->nodes[i].has_bad_job
         && world_has_joined (&self->nodes[i]);
  return n;
}

static guint
count_allowed (const World *self)
{
  gboolean is_counted = self->n_started <= FEW_NODES && self->bad_job_end != END_AT_ONCE;
  return is_counted ? MAX_CRASHES : MAX_CRASHES + MORE_CRASHES;
}

/* Checks that the bad job may crash this node, too, unless the run has also lost other nodes. */
static void
check (World *self, const WorldNode *node)
{
  if (has_other_losses (self))
    return;
  if (count_well (self) == 0)
    world_breaks (self, "node %u is the last one and runs %s", node->number, self->bad_job);
  if (self->n_bad_crashes > count_allowed (self))
    world_breaks (self, "node %u runs %s, which has crashed %u nodes before", node->number,
                  self->bad_job, self->n_bad_crashes - 1);
}

/* Lets the node crash. Runs on the fiber that ran the bad job, and never returns. */
static void
crash (WorldNode *node, gconstpointer thread)
{
  World *self = node->world;
  int nothing = 0;
  node->has_bad_job = TRUE;
  self->n_bad_crashes++;
  check (self, node);
  if (self->bad_job_end != END_AT_ONCE)
    {
      Crash *what = g_new (Crash, 1);
      *what = (Crash){ node, thread };
      satin_loop_post (satin_sim_host_get_loop (node->host), say_last_words, what);
    }
  satin_loop_timer_add (satin_sim_host_get_loop (self->fate),
                        self->bad_job_end != END_AT_ONCE ? LINGER_US : 0, end, node);
  satin_sim_fiber_wait (&nothing, FOR_EVER_US);
}

static gboolean
is_chosen (World *self)
{
  return self->is_bad_job_awaited && count_well (self) > 1 && world_random (self) % CHOICE == 0;
}

void
world_bad_job_charge (WorldNode *node, gconstpointer thread)
{
  World *self = node->world;
  if ((self->bad_job == NULL && !self->is_bad_job_awaited) || node->is_over || node->has_bad_job
      || node->member == NULL || self->ended_us != 0)
    return;
  g_autofree char *job = satin_membership_describe_running (node->member, thread);
  if (job != NULL && self->bad_job == NULL && is_chosen (self))
    {
      self->is_bad_job_awaited = FALSE;
      self->bad_job = g_strdup (job);
    }
  if (job != NULL && g_strcmp0 (job, self->bad_job) == 0)
    crash (node, thread);
}
