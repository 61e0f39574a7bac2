/* liveness.c - checks that no node waits for ever
 *
 * These are the rules:
 * - Each wait of a node has a deadline: a timer of the node's own loop.
 * - A node that leaves is gone soon after the deadline of its leave.
 * - Until the root job has ended, some node works, or less than PATIENCE_US have passed since the
 *   last work and the last fault. After the end of the root job and the last fault, all nodes end
 *   within PATIENCE_US.
 * - If the work of the program is known, the root job ends in time after the last fault. It may
 *   take PATIENCE_US longer than the slowest node would take to do all work twice, because the
 *   jobs of lost nodes are done again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

/* The longest wait that is allowed. It is longer than several deadlines of any protocol in a row,
 * on a slow clock. */
#define PATIENCE_US ((gint64)300000000)

/* How long after a node's end its timers may be due. Such timers gather results of jobs that nobody
 * wants any more. */
#define GATHER_US ((gint64)10000)

/* How long after the deadline of its leave a node may still take to close its links and tell the
 * registry. */
#define LEAVE_REST_US ((gint64)20000000)

/* How often waits are checked: at first after each LOOK_US. A check visits all nodes, and all that
 * each node knows of other nodes. So the time between checks grows with the square of the number of
 * nodes, divided by LOOK_N_NODES2. This time also grows to 1/LOOK_SHARE of the time that the run
 * has taken, because in a long run only long waits matter. */
#define LOOK_US       ((gint64)5000)
#define LOOK_N_NODES2 1000
#define LOOK_SHARE    50

/* The most waits that an error mentions. */
#define MAX_TOLD 8

/* ---- one wait ---- */

typedef struct
{
  World *world;          /* (borrowed) */
  const WorldNode *node; /* (borrowed) */
  GString *text;         /* (borrowed) */
  guint n;
} Look;

/* Returns: (transfer full): the wait as a text for people */
static char *
describe (const SatinWait *wait)
{
  return wait->node != 0 ? g_strdup_printf ("%s (node %u)", wait->what, wait->node)
                         : g_strdup (wait->what);
}

/* Returns: (transfer full) (nullable): what is wrong with the wait; %NULL when nothing is */
static char *
find_fault (const Look *look, const SatinWait *wait)
{
  SatinSimHost *host = look->node->host;
  gint64 due_us = satin_sim_host_get_due_us (host, wait->deadline);
  gint64 ahead_us = due_us - satin_sim_now_us (look->world->sim);
  gint64 passed_us = satin_loop_now_us (satin_sim_host_get_loop (host)) - wait->since_us;
  if (wait->deadline == 0 || due_us == G_MAXINT64)
    return g_strdup ("without a deadline");
  if (ahead_us > PATIENCE_US)
    return g_strdup_printf ("%.0f s at a time", (double)ahead_us / 1e6);
  if (wait->since_us != 0 && passed_us > PATIENCE_US)
    return g_strdup_printf ("%.0f s already", (double)passed_us / 1e6);
  return NULL;
}

static void
check_wait (const SatinWait *wait, gpointer user_data)
{
  const Look *look = user_data;
  g_autofree char *fault = find_fault (look, wait);
  if (fault == NULL)
    return;
  g_autofree char *text = describe (wait);
  world_breaks (look->world, "node %u waits %s for %s", look->node->number, fault, text);
}

static void
tell_wait (const SatinWait *wait, gpointer user_data)
{
  Look *look = user_data;
  if (look->n++ >= MAX_TOLD)
    return;
  g_autofree char *text = describe (wait);
  g_string_append_printf (look->text, "; node %u waits for %s", look->node->number, text);
}

static void
look_at_waits (World *self, SatinWaitFunc func, GString *text)
{
  Look look = { .world = self, .text = text };
  for (guint i = 0; i < self->n_started; i++)
    {
      look.node = &self->nodes[i];
      if (look.node->member != NULL && !look.node->is_over)
        satin_membership_waits (look.node->member, func, &look);
    }
  if (look.n > MAX_TOLD)
    g_string_append_printf (text, "; and %u more", look.n - MAX_TOLD);
}

/* ---- all waits ---- */

static void
fail (World *self, const char *what)
{
  g_autoptr (GString) text = g_string_new (what);
  g_string_append_printf (text, ": at %.6f s %u of %u nodes are still there",
                          (double)satin_sim_now_us (self->sim) / 1e6,
                          self->n_started - self->n_over, self->n_started);
  look_at_waits (self, tell_wait, text);
  world_breaks (self, "%s", text->str);
}

static void
check_progress (World *self, gint64 now_us)
{
  gint64 since_us = MAX (self->fault_us, self->ended_us);
  double slowest = 1;
  for (guint i = 0; i < self->n_started; i++)
    {
      const SatinSimHost *host = self->nodes[i].host;
      if (satin_sim_host_is_crashed (host))
        continue;
      since_us = MAX (since_us, satin_sim_host_get_busy_until_us (host));
      slowest = MIN (slowest, satin_sim_host_get_speed (host));
    }
  if (now_us - since_us > PATIENCE_US)
    fail (self, self->ended_us == 0 ? "nobody works on the root job" : "the run has no end");
  double limit_us = (double)MAX (self->fault_us, self->started_us) + (double)PATIENCE_US
                    + 2 * (double)self->options.work_us / slowest;
  if (self->options.work_us > 0 && self->ended_us == 0 && (double)now_us > limit_us)
    fail (self, "the root job takes too long");
}

static void
check_leaving (World *self)
{
  for (guint i = 0; i < self->n_started; i++)
    {
      const WorldNode *node = &self->nodes[i];
      if (node->leave_until_us == 0 || node->is_over)
        continue;
      gint64 overdue_us =
          satin_loop_now_us (satin_sim_host_get_loop (node->host)) - node->leave_until_us;
      if (overdue_us > LEAVE_REST_US)
        world_breaks (self, "node %u was to have left %.0f s ago and is still there", node->number,
                      (double)overdue_us / 1e6);
    }
}

void
world_check_liveness (World *self)
{
  gint64 now_us = satin_sim_now_us (self->sim);
  if (now_us < self->next_look_us)
    return;
  guint64 n_nodes = self->n_started;
  gint64 least_us = LOOK_US + LOOK_US * (gint64)(n_nodes * n_nodes / LOOK_N_NODES2);
  self->next_look_us = now_us + MAX (least_us, now_us / LOOK_SHARE);
  look_at_waits (self, check_wait, NULL);
  world_check_refs (self);
  check_leaving (self);
  check_progress (self, now_us);
}

/* Whether the node has ended and still has a timer, other than one that gathers unwanted
 * results. */
static gboolean
has_rest (const WorldNode *self)
{
  gint64 due_us = satin_sim_host_get_first_due_us (self->host);
  return self->end_us != 0 && due_us != G_MAXINT64 && due_us >= self->end_us + GATHER_US;
}

gboolean
world_check_rest (World *self, GError **error)
{
  /* Let the last process end, and timers that gather unwanted results run. */
  satin_sim_run (self->sim, satin_sim_now_us (self->sim) + GATHER_US, NULL, NULL);
  for (guint i = 0; i < self->n_started; i++)
    if (has_rest (&self->nodes[i]))
      {
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB,
                     "node %u is out of the run and has a timer that is due at %.6f s",
                     self->nodes[i].number,
                     (double)satin_sim_host_get_first_due_us (self->nodes[i].host) / 1e6);
        return FALSE;
      }
  return TRUE;
}
