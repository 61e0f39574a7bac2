/* faults.c - decides by the seed which faults happen in a simulated run, and when
 *
 * With "swarm", the kinds of faults and their numbers are drawn at random, so that rare mixtures
 * come up. A list gives kinds and exact numbers. In both cases the times of the faults are drawn at
 * random. After the last fault the run must end within a time that liveness.c checks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "faults.h"

#include <math.h>
#include <string.h>

/* The most faults of a kind in a swarm. */
#define SWARM_MAX 4

/* The mean time between faults is drawn from this range, on a logarithmic scale. */
#define GAP_MIN_US 2e2
#define GAP_MAX_US 5e4

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
  if (self->ended_us == 0 && fault_kinds[kind].hit (self))
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
  double wait_us = -log (1 - fault_share (self)) * (double)self->fault_gap_us;
  satin_loop_timer_add (satin_sim_host_get_loop (self->fate), (gint64)wait_us, hit, self);
}

/* ---- which ---- */

static char *
list_kinds (void)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < WORLD_N_FAULTS; i++)
    g_string_append_printf (text, "%s, ", fault_kinds[i].name);
  g_string_append (text, "early");
  return g_string_free (text, FALSE);
}

static gboolean
set_fault (World *self, guint kind, guint64 n, GError **error)
{
  if (kind == WORLD_FAULT_MEMORY && !FAULT_HAS_MEMORY)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "faults: memory needs a build with -Dinjected-bugs=true");
      return FALSE;
    }
  self->faults_left[kind] = (guint)n;
  return TRUE;
}

static gboolean
read_fault (World *self, const char *word, GError **error)
{
  g_auto (GStrv) both = g_strsplit (word, ":", 2);
  guint64 n = 1;
  if (strcmp (word, "early") == 0)
    {
      self->is_early = TRUE;
      return TRUE;
    }
  for (guint i = 0; i < WORLD_N_FAULTS; i++)
    if (strcmp (both[0], fault_kinds[i].name) == 0)
      {
        if (both[1] != NULL
            && !g_ascii_string_to_unsigned (both[1], 10, 0, WORLD_MAX_FAULTS, &n, NULL))
          {
            g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "faults: %s: give %s:0 to %s:%d",
                         word, both[0], both[0], WORLD_MAX_FAULTS);
            return FALSE;
          }
        return set_fault (self, i, n, error);
      }
  g_autofree char *names = list_kinds ();
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "faults: '%s' is none of %s", both[0],
               names);
  return FALSE;
}

/* Removes the faults that could lose nodes before the root job begins. A closed run with early
 * faults needs this, because it waits for all its nodes at the beginning. */
static void
spare_members (World *self)
{
  self->faults_left[WORLD_FAULT_CRASH] = 0;
  self->faults_left[WORLD_FAULT_SUSPECT] = 0;
}

static gboolean
may_draw (const World *self, guint kind)
{
  gboolean is_last = kind == WORLD_FAULT_TOTAL || kind == WORLD_FAULT_STOP;
  return !fault_kinds[kind].is_never_drawn && (!is_last || self->options.has_checkpoint);
}

static void
draw_swarm (World *self)
{
  for (guint i = 0; i < WORLD_N_FAULTS; i++)
    if (may_draw (self, i) && world_random (self) % 2 == 0)
      self->faults_left[i] = (guint)(1 + world_random (self) % SWARM_MAX);
  if (!self->options.has_recovery)
    self->faults_left[WORLD_FAULT_MASTER] = 0;
  self->is_early = world_random (self) % 4 == 0;
  if (self->is_early && world_faults_joins (self) == 0)
    spare_members (self);
}

static gboolean
read_faults (World *self, const char *text, GError **error)
{
  if (strcmp (text, "none") == 0)
    return TRUE;
  if (strcmp (text, "swarm") == 0)
    {
      draw_swarm (self);
      return TRUE;
    }
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  for (char **word = words; *word != NULL; word++)
    if (!read_fault (self, *word, error))
      return FALSE;
  return TRUE;
}

gboolean
world_faults_read (World *self, const char *text, GError **error)
{
  self->fault_gap_us = fault_draw_us (self, GAP_MIN_US, GAP_MAX_US);
  if (!read_faults (self, text, error))
    return FALSE;
  for (guint i = WORLD_FAULT_TOTAL; self->earlier != NULL && i <= WORLD_FAULT_STOP; i++)
    self->faults_left[i] = self->earlier->faults_left[i];
  self->may_lose_master = self->faults_left[WORLD_FAULT_MASTER] > 0;
  return TRUE;
}

guint
world_faults_joins (const World *self)
{
  guint n = 0;
  for (guint i = 0; i < WORLD_N_FAULTS; i++)
    n += self->faults_left[i] * fault_kinds[i].n_joins;
  return n;
}

#ifdef SATIN_INJECTED_BUGS
static const char *const sites[WORLD_N_SITES] = { "grow-deque", "export" };

static gboolean
fails (const char *site, gpointer user_data)
{
  World *self = user_data;
  for (guint i = 0; i < WORLD_N_SITES; i++)
    if (strcmp (site, sites[i]) == 0 && self->memory_left[i] > 0)
      {
        self->memory_left[i]--;
        self->memory_done[i]++;
        return TRUE;
      }
  return FALSE;
}
#endif

void
world_faults_begin (World *self)
{
  if (self->are_faults_begun)
    return;
  self->are_faults_begun = TRUE;
#ifdef SATIN_INJECTED_BUGS
  satin_inject_set_no_memory (fails, self);
#endif
  plan_next (self);
}

/* ---- report ---- */

void
world_faults_report (const World *self, GString *text)
{
  for (guint i = 0; i < WORLD_N_FAULTS; i++)
    {
      guint n = 0;
      for (const World *world = self; world != NULL; world = world->earlier)
        n += world->faults_done[i];
      if (n > 0)
        g_string_append_printf (text, "fault.%s %u\n", fault_kinds[i].name, n);
    }
  if (self->is_early)
    g_string_append (text, "fault.early 1\n");
  if (self->n_bad_crashes > 0)
    g_string_append_printf (text, "bad-job.crash %u\n", self->n_bad_crashes);
#ifdef SATIN_INJECTED_BUGS
  for (guint i = 0; i < WORLD_N_SITES; i++)
    if (self->memory_done[i] > 0)
      g_string_append_printf (text, "memory.%s %u\n", sites[i], self->memory_done[i]);
#endif
}
