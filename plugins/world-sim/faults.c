/* faults.c - what goes wrong in a simulated run, by seed
 *
 * "swarm" draws for every seed which kinds are on and how often, so that rare mixtures
 * come up; a list says it exactly. Each fault hits when its time comes, drawn too; the
 * last ones leave time enough for the run to end, which it then must.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

#include <math.h>
#include <string.h>

/* Of each kind, in a swarm. */
#define SWARM_MAX 4

/* Means between faults, and how long a pause or a clog lasts: drawn between, on a logarithmic
 * scale. Several in a row stay below the time after which a silent node is declared dead,
 * since a run does not survive the loss of its master yet. */
#define GAP_MIN_US  2e2
#define GAP_MAX_US  5e4
#define LAST_MIN_US 1e2
#define LAST_MAX_US 4e5

static double
share (World *self)
{
  return (double)(world_random (self) >> 11) / (double)((guint64)1 << 53);
}

static gint64
draw_us (World *self, double min_us, double max_us)
{
  return (gint64)(min_us * pow (max_us / min_us, share (self)));
}

/* A node that lives, has joined and is not the master; NULL when there is none. */
static WorldNode *
draw_node (World *self)
{
  guint n = 0;
  WorldNode *chosen = NULL;
  for (guint i = 0; i < self->n_started; i++)
    {
      WorldNode *node = &self->nodes[i];
      if (node->is_over || node->is_master || satin_sim_host_is_crashed (node->host))
        continue;
      /* The n-th takes the place of the one before with chance 1/n: all alike. */
      if (world_random (self) % ++n == 0)
        chosen = node;
    }
  return chosen;
}

/* Any that lives, the master too. */
static SatinSimHost *
draw_host (World *self)
{
  WorldNode *node = &self->nodes[world_random (self) % self->n_started];
  return node->is_over || satin_sim_host_is_crashed (node->host) ? NULL : node->host;
}

/* ---- the kinds: FALSE when there is nobody to hit ---- */

static gboolean
crash (World *self)
{
  WorldNode *node = draw_node (self);
  if (node != NULL)
    world_crash (self, node);
  return node != NULL;
}

static gboolean
join (World *self)
{
  return world_join (self);
}

static gboolean
stop_awhile (World *self)
{
  SatinSimHost *host = draw_host (self);
  if (host != NULL)
    satin_sim_host_pause (host, draw_us (self, LAST_MIN_US, LAST_MAX_US));
  return host != NULL;
}

static gboolean
slow_down (World *self)
{
  SatinSimHost *host = draw_host (self);
  if (host != NULL)
    satin_sim_host_set_speed (host, 0.02 + share (self));
  return host != NULL;
}

static gboolean
suspect (World *self)
{
  WorldNode *node = draw_node (self);
  if (node == NULL || self->hub == NULL)
    return FALSE;
  world_suspect (self, node);
  return TRUE;
}

static gboolean
break_links (World *self)
{
  SatinSimHost *a = draw_host (self);
  SatinSimHost *b = world_random (self) % 4 == 0 ? self->hub_host : draw_host (self);
  if (a == NULL || b == NULL || a == b)
    return FALSE;
  satin_sim_break_links (a, b);
  return TRUE;
}

/* One way or both. */
static gboolean
clog_links (World *self)
{
  SatinSimHost *a = draw_host (self);
  SatinSimHost *b = world_random (self) % 4 == 0 ? self->hub_host : draw_host (self);
  gint64 duration_us = draw_us (self, LAST_MIN_US, LAST_MAX_US);
  gboolean is_both = world_random (self) % 2;
  if (a == NULL || b == NULL || a == b)
    return FALSE;
  satin_sim_clog (a, b, duration_us);
  if (is_both)
    satin_sim_clog (b, a, duration_us);
  return TRUE;
}

static gboolean
restart_hub (World *self)
{
  world_restart_hub (self, draw_us (self, LAST_MIN_US, LAST_MAX_US));
  return TRUE;
}

static const struct
{
  const char *name;
  gboolean (*func) (World *self);
} kinds[WORLD_N_FAULTS] = {
  { "crash", crash },     { "join", join },       { "pause", stop_awhile },
  { "slow", slow_down },  { "suspect", suspect }, { "break", break_links },
  { "clog", clog_links }, { "hub", restart_hub },
};

/* ---- when ---- */

static void plan_next (World *self);

static void
hit (gpointer user_data)
{
  World *self = user_data;
  guint n_left = 0, kind = 0;
  for (guint i = 0; i < WORLD_N_FAULTS; i++)
    n_left += self->faults_left[i];
  guint chosen = world_random (self) % n_left;
  while (chosen >= self->faults_left[kind])
    chosen -= self->faults_left[kind++];
  self->faults_left[kind]--;
  if (self->ended_us == 0 && kinds[kind].func (self))
    {
      self->faults_done[kind]++;
      self->fault_us = satin_sim_now_us (self->sim);
    }
  world_check (self);
  plan_next (self);
}

static void
plan_next (World *self)
{
  gboolean is_any = FALSE;
  for (guint i = 0; i < WORLD_N_FAULTS; i++)
    is_any |= self->faults_left[i] > 0;
  if (!is_any || self->ended_us != 0)
    return;
  double wait_us = -log (1 - share (self)) * (double)self->fault_gap_us;
  satin_loop_timer_add (satin_sim_host_get_loop (self->fate), (gint64)wait_us, hit, self);
}

/* ---- which ---- */

static gboolean
read_fault (World *self, const char *word, GError **error)
{
  g_auto (GStrv) both = g_strsplit (word, ":", 2);
  guint64 n = 1;
  for (guint i = 0; i < WORLD_N_FAULTS; i++)
    if (strcmp (both[0], kinds[i].name) == 0)
      {
        if (both[1] != NULL
            && !g_ascii_string_to_unsigned (both[1], 10, 0, WORLD_MAX_FAULTS, &n, error))
          return FALSE;
        self->faults_left[i] = (guint)n;
        return TRUE;
      }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "faults: '%s' is none of crash, join, pause, slow, suspect, break, clog, hub",
               both[0]);
  return FALSE;
}

gboolean
world_faults_read (World *self, const char *text, GError **error)
{
  self->fault_gap_us = draw_us (self, GAP_MIN_US, GAP_MAX_US);
  if (strcmp (text, "none") == 0)
    return TRUE;
  if (strcmp (text, "swarm") == 0)
    {
      for (guint i = 0; i < WORLD_N_FAULTS; i++)
        if (world_random (self) % 2 == 0)
          self->faults_left[i] = (guint)(1 + world_random (self) % SWARM_MAX);
      return TRUE;
    }
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  for (char **word = words; *word != NULL; word++)
    if (!read_fault (self, *word, error))
      return FALSE;
  return TRUE;
}

guint
world_faults_joins (const World *self)
{
  return self->faults_left[WORLD_FAULT_JOIN];
}

void
world_faults_begin (World *self)
{
  plan_next (self);
}

/* ---- what was done ---- */

void
world_faults_report (const World *self, GString *text)
{
  for (guint i = 0; i < WORLD_N_FAULTS; i++)
    if (self->faults_done[i] > 0)
      g_string_append_printf (text, "fault.%s %u\n", kinds[i].name, self->faults_done[i]);
}
