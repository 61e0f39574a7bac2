/* bad-job.c - a job that crashes whoever runs it
 *
 * A job that runs somewhere is chosen by chance. From then on each node that is charged time for it
 * crashes, as a real one does by a wrong access: the worker stands still, the loop says which job
 * it was, and the process ends. Or it ends at once, as for lack of memory. The registry hears which
 * signal it was, or only that the links broke.
 *
 * Such a job may take three nodes, and never the last one. Of more than four nodes it may take
 * more, as the node that counts its crashes may be the next; and so it may when nobody says which
 * job it was. When other nodes were lost, too, nothing is promised.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "faults.h"

#include <signal.h>

/* One of so many charges is the bad job's. */
#define CHOICE 16

/* As in crash.h: in a run of so many nodes at most that say which job it was. Else so many more. */
#define MAX_CRASHES  3
#define FEW_NODES    4
#define MORE_CRASHES 3

/* Between a node's last words and its end. */
#define LINGER_US   ((gint64)50000)
#define FOR_EVER_US ((gint64)1000000000)

/* How the nodes end, in all of a run alike. */
typedef enum
{
  END_BY_SIGNAL, /* last words, and the registry hears of the signal */
  END_UNSEEN,    /* last words, and nobody sees the process */
  END_AT_ONCE,   /* for lack of memory, which the registry hears of */
  N_ENDS,
} End;

/* What crashes a node. */
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

/* On the node's loop. */
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

/* Whether other nodes were lost, or may be on their way out. */
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

/* Members that live and do not run the bad job. */
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

/* What the node is about to do. */
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

/* On the fiber, which never goes on. */
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
