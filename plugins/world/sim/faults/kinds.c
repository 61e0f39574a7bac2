/* kinds.c - the kinds of faults: which nodes each kind hits, and what it does
 *
 * The kinds "total", "stop" and "bad-job" may end any node. All other kinds end the master only if
 * the kind "master" is among the faults. No fault may lead to a living master being declared dead:
 * it could still end its root job, and the output of the root job would come twice. So a silence
 * between the master and the registry is short. Even several silences in a row are shorter than the
 * time after which a silent node is declared dead.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "faults.h"

#include <math.h>

/* The most by which skew() makes a clock jump, and the range of the clock's rate. */
#define JUMP_MAX_US 2e6
#define RATE_MIN    0.8
#define RATE_MAX    1.25

/* The most time until another node takes the place of one that crashed. */
#define RESTART_MAX_US 1e6

/* How long a node may take to leave. */
#define LEAVE_MIN_US 1e3
#define LEAVE_MAX_US 2e7

/* A node that is not needed stands still for STALL_MIN_US to STALL_MAX_US, all nodes at once for at
 * most STILL_MAX_US, and the registry for at most HUB_STALL_MAX_US: less than the time after which
 * a joining node gives up. A clock leaps ahead by at most LEAP_MAX_US. */
#define STALL_MIN_US     1e5
#define STALL_MAX_US     1e8
#define STILL_MAX_US     3e7
#define HUB_STALL_MAX_US 7e6
#define LEAP_MAX_US      3e7

/* Longer than runs with faults usually take in simulated time. A world may last longer: its
 * deadline is 100,000 s by default. */
#define FOR_EVER_US ((gint64)10000000000)

/* The most time between the first and the last hit of a storm. */
#define STORM_US 1000

/* ---- delayed actions ---- */

typedef struct
{
  World *world; /* (borrowed) */
  void (*func) (World *world, guint cluster);
  guint cluster;
} Later;

static void
on_later (gpointer user_data)
{
  g_autofree Later *self = user_data;
  if (self->world->ended_us == 0)
    self->func (self->world, self->cluster);
}

static void
do_later (World *self, gint64 delay_us, void (*func) (World *world, guint cluster), guint cluster)
{
  Later *later = g_new (Later, 1);
  *later = (Later){ self, func, cluster };
  satin_loop_timer_add (satin_sim_host_get_loop (self->fate), delay_us, on_later, later);
}

/* ---- nodes ---- */

static void
crash_any (World *self, guint unused)
{
  WorldNode *node = fault_draw_node (self);
  if (node != NULL)
    world_crash (self, node);
}

static void
join_cluster (World *self, guint cluster)
{
  world_join (self, cluster);
}

static gboolean
crash (World *self)
{
  WorldNode *node = fault_draw_node (self);
  if (node != NULL)
    world_crash (self, node);
  return node != NULL;
}

static gboolean
join (World *self)
{
  return world_join (self, fault_draw_cluster (self));
}

/* Starts a node that reports a wrong address: an address where nobody, the registry or another node
 * is, or an address that no transport here can use. */
static gboolean
join_astray (World *self)
{
  WorldNode *node = world_start (self, fault_draw_cluster (self));
  if (node == NULL)
    return FALSE;
  static const char *const addresses[] = { "sim:2000000000", "sim:1", "sim:2", "tcp://127.0.0.1:1",
                                           "nonsense" };
  satin_sim_host_set_address (node->host,
                              addresses[world_random (self) % G_N_ELEMENTS (addresses)]);
  return TRUE;
}

/* Crashes a node, and starts another node of the same cluster later. */
static gboolean
restart (World *self)
{
  WorldNode *node = fault_draw_node (self);
  if (node == NULL)
    return FALSE;
  world_crash (self, node);
  do_later (self, fault_draw_us (self, FAULT_LAST_MIN_US, RESTART_MAX_US), join_cluster,
            node->cluster);
  return TRUE;
}

/* Lets several nodes join, or several nodes crash, at about the same time. */
static gboolean
storm (World *self)
{
  gboolean is_crash = world_random (self) % 2;
  guint n = 2 + (guint)(world_random (self) % (FAULT_STORM_MAX - 1));
  for (guint i = 0; i < n; i++)
    {
      guint cluster = fault_draw_cluster (self);
      gint64 after_us = (gint64)(world_random (self) % STORM_US);
      do_later (self, after_us, is_crash ? crash_any : join_cluster, cluster);
    }
  return TRUE;
}

static gboolean
leave (World *self)
{
  gint64 deadline_us = fault_draw_us (self, LEAVE_MIN_US, LEAVE_MAX_US);
  WorldNode *node = fault_draw_node (self);
  return node != NULL && world_leave (node, deadline_us);
}

static void
leave_any (World *self, guint unused)
{
  leave (self);
}

/* Lets several nodes leave at about the same time. */
static gboolean
leave_together (World *self)
{
  guint n = 2 + (guint)(world_random (self) % (FAULT_STORM_MAX - 1));
  for (guint i = 0; i < n; i++)
    do_later (self, (gint64)(world_random (self) % STORM_US), leave_any, 0);
  return TRUE;
}

static gboolean
stop_awhile (World *self)
{
  SatinSimHost *host = fault_draw_host (self);
  if (host != NULL)
    satin_sim_host_pause (host, fault_draw_short_us (self));
  return host != NULL;
}

static gboolean
slow_down (World *self)
{
  WorldNode *node = fault_draw_any (self);
  if (node != NULL)
    world_account_speed (node, 0.02 + fault_share (self));
  return node != NULL;
}

/* Makes a clock run at another rate from now on, and in half of the cases jump ahead. */
static gboolean
skew (World *self)
{
  SatinSimHost *host = fault_draw_host_or_hub (self);
  double rate = RATE_MIN * pow (RATE_MAX / RATE_MIN, fault_share (self));
  gint64 jump_us = world_random (self) % 2 ? fault_draw_us (self, 1, JUMP_MAX_US) : 0;
  if (host != NULL)
    satin_sim_host_set_clock (host, jump_us, rate);
  return host != NULL;
}

static gboolean
suspect (World *self)
{
  WorldNode *node = fault_draw_node (self);
  if (node == NULL || self->hub == NULL || fault_may_be_master (self, node))
    return FALSE;
  world_suspect (self, node);
  return TRUE;
}

static gboolean
crash_master (World *self)
{
  for (guint i = 0; i < self->n_started; i++)
    {
      WorldNode *node = &self->nodes[i];
      if (!node->is_master || node->is_over || fault_is_last (self, node))
        continue;
      world_crash (self, node);
      return TRUE;
    }
  return FALSE;
}

/* Whether a closed run has begun, but some node does not know it yet. If the master and the
 * registry were lost now, the next registry would wait for nodes that are lost, and end the run
 * with an error. */
static gboolean
is_beginning (const World *self)
{
  for (guint i = 0; i < self->n_started && self->started_us > 0 && !self->is_open; i++)
    {
      const WorldNode *node = &self->nodes[i];
      const SatinView *view = node->is_over ? NULL : world_get_view (node);
      if (!node->is_over && (view == NULL || view->master == 0))
        return TRUE;
    }
  return FALSE;
}

static gboolean
restart_hub (World *self)
{
  gint64 delay_us = fault_draw_short_us (self);
  if (satin_sim_now_us (self->sim) < self->still_until_us || is_beginning (self))
    return FALSE;
  world_restart_hub (self, delay_us);
  self->hub_restarted_us = satin_sim_now_us (self->sim);
  return TRUE;
}

/* ---- standing still ---- */

/* Returns: (nullable): a random node without which the run can continue: it cannot be the master,
 * and can reach the registry */
static WorldNode *
draw_spare (World *self)
{
  WorldNode *node = self->started_us > 0 ? fault_draw_node (self) : NULL;
  return node != NULL && !fault_may_be_master (self, node) && fault_is_reached (node) ? node : NULL;
}

static gboolean
is_soon_after (World *self, gint64 until_us)
{
  return until_us != 0 && satin_sim_now_us (self->sim) < until_us + (gint64)STILL_MAX_US;
}

/* Makes a node stand still for up to STALL_MAX_US. */
static gboolean
stall (World *self)
{
  WorldNode *node = draw_spare (self);
  gint64 duration_us = fault_draw_us (self, STALL_MIN_US, STALL_MAX_US);
  if (node == NULL)
    return FALSE;
  world_stall (node, duration_us);
  gint64 until_us = satin_sim_now_us (self->sim) + duration_us;
  node->cut_until_us = MAX (node->cut_until_us, until_us);
  return TRUE;
}

/* Makes all nodes stand still at once. The registry must not take them for dead. But a registry
 * that was just restarted would do so, because it does not know yet for which nodes it waits; so
 * this fault does not happen then. */
static gboolean
stand_still (World *self)
{
  gint64 now_us = satin_sim_now_us (self->sim);
  gint64 duration_us = fault_draw_us (self, STALL_MIN_US, STILL_MAX_US);
  if (self->started_us == 0 || is_soon_after (self, self->still_until_us)
      || is_soon_after (self, self->hub_restarted_us))
    return FALSE;
  self->still_until_us = now_us + duration_us;
  for (guint i = 0; i < self->n_started; i++)
    if (!self->nodes[i].is_over && !satin_sim_host_is_crashed (self->nodes[i].host))
      world_stall (&self->nodes[i], duration_us);
  return TRUE;
}

static gboolean
stall_hub (World *self)
{
  gint64 now_us = satin_sim_now_us (self->sim);
  gint64 duration_us = fault_draw_us (self, STALL_MIN_US, HUB_STALL_MAX_US);
  if (self->started_us == 0 || self->hub == NULL || is_soon_after (self, self->hub_still_until_us))
    return FALSE;
  self->hub_still_until_us = now_us + duration_us;
  satin_sim_host_pause (self->hub_host, duration_us);
  return TRUE;
}

/* Makes a clock jump further ahead than skew() does, and run at the right rate from now on. */
static gboolean
leap (World *self)
{
  WorldNode *node = fault_draw_any (self);
  gint64 jump_us = fault_draw_us (self, JUMP_MAX_US, LEAP_MAX_US);
  gboolean is_hub = world_random (self) % 4 == 0;
  if (self->started_us == 0 || node == NULL || !world_has_joined (node))
    return FALSE;
  satin_sim_host_set_clock (is_hub ? self->hub_host : node->host, jump_us, 1);
  if (!is_hub && node->leave_until_us != 0)
    node->leave_until_us += jump_us;
  return TRUE;
}

/* ---- cut off for ever ---- */

static void
keep_apart (WorldNode *node, SatinSimHost *other)
{
  if (other == node->host)
    return;
  satin_sim_cut (node->host, other, FOR_EVER_US);
  satin_sim_cut (other, node->host, FOR_EVER_US);
}

/* Cuts a node off from all hosts for ever. The node must end nevertheless. */
static gboolean
cut_off (World *self)
{
  WorldNode *node = draw_spare (self);
  if (node == NULL)
    return FALSE;
  for (guint i = 0; i < self->n_started; i++)
    keep_apart (node, self->nodes[i].host);
  keep_apart (node, self->hub_host);
  node->is_cut_off = TRUE;
  node->cut_until_us = satin_sim_now_us (self->sim) + FOR_EVER_US;
  return TRUE;
}

/* A node that is cut off must not reach new hosts either. Otherwise it could reach a restarted
 * registry, and become a master that no other node can reach. */
void
world_faults_meet (World *self, SatinSimHost *newcomer)
{
  for (guint i = 0; i < self->n_started; i++)
    if (self->nodes[i].is_cut_off)
      keep_apart (&self->nodes[i], newcomer);
}

/* ---- a registry that is lost for good ---- */

/* Loses the registry for good. This is the last fault of a run, because without a registry no node
 * can be declared dead any more. */
static gboolean
lose_hub (World *self)
{
  if (self->started_us == 0 || self->hub == NULL || !fault_has_master (self))
    return FALSE;
  world_lose_hub (self);
  memset (self->faults_left, 0, sizeof self->faults_left);
  return TRUE;
}

/* ---- memory ---- */

/* Makes the next allocation fail at one of the places that WORLD_N_SITES counts. */
static gboolean
lack_memory (World *self)
{
  self->memory_left[world_random (self) % WORLD_N_SITES]++;
  return TRUE;
}

const FaultKind fault_kinds[WORLD_N_FAULTS] = {
  [WORLD_FAULT_CRASH] = { "crash", crash },
  [WORLD_FAULT_JOIN] = { "join", join, .n_joins = 1 },
  [WORLD_FAULT_RESTART] = { "restart", restart, .n_joins = 1 },
  [WORLD_FAULT_STORM] = { "storm", storm, .n_joins = FAULT_STORM_MAX },
  [WORLD_FAULT_LEAVE] = { "leave", leave },
  [WORLD_FAULT_LEAVE_STORM] = { "leave-storm", leave_together },
  [WORLD_FAULT_PAUSE] = { "pause", stop_awhile },
  [WORLD_FAULT_SLOW] = { "slow", slow_down },
  [WORLD_FAULT_SKEW] = { "skew", skew },
  [WORLD_FAULT_SUSPECT] = { "suspect", suspect },
  [WORLD_FAULT_BREAK] = { "break", fault_break_links },
  [WORLD_FAULT_RESET] = { "reset", fault_reset_links },
  [WORLD_FAULT_HALF_OPEN] = { "half-open", fault_forget_links },
  [WORLD_FAULT_CLOG] = { "clog", fault_clog_links },
  [WORLD_FAULT_PARTITION] = { "partition", fault_part },
  [WORLD_FAULT_ONE_WAY] = { "one-way", fault_part_one_way },
  [WORLD_FAULT_HUB] = { "hub", restart_hub },
  [WORLD_FAULT_MASTER] = { "master", crash_master },
  [WORLD_FAULT_MEMORY] = { "memory", lack_memory, .is_never_drawn = !FAULT_HAS_MEMORY },
  [WORLD_FAULT_TOTAL] = { "total", world_crash_all },
  [WORLD_FAULT_STOP] = { "stop", world_stop_all },
  [WORLD_FAULT_STALL] = { "stall", stall },
  [WORLD_FAULT_STANDSTILL] = { "standstill", stand_still },
  [WORLD_FAULT_HUB_STALL] = { "hub-stall", stall_hub },
  [WORLD_FAULT_JUMP] = { "jump", leap },
  [WORLD_FAULT_CUT_OFF] = { "cut-off", cut_off },
  [WORLD_FAULT_HUB_LOST] = { "hub-lost", lose_hub, .is_never_drawn = TRUE },
  [WORLD_FAULT_BAD_JOB] = { "bad-job", world_bad_job_arm, .is_never_drawn = TRUE },
  [WORLD_FAULT_BAD_ADDRESS] = { "bad-address", join_astray, .n_joins = 1, .is_never_drawn = TRUE },
};
