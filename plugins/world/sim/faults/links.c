/* links.c - faults of links: links that break, clog or fall silent, and partitions
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "faults.h"

/* The longest cut between nodes: longer than the time after which TCP breaks a link. */
#define LONG_MAX_US 1e8

/* Within this time, a node notices that the registry has forgotten its link. */
#define SILENT_US ((gint64)10000000)

/* ---- links ---- */

gboolean
fault_break_links (World *self)
{
  SatinSimHost *a, *b;
  if (!fault_draw_pair (self, &a, &b))
    return FALSE;
  satin_sim_break_links (a, b);
  return TRUE;
}

/* Breaks the links between two hosts. Either end may be the first that is notified. */
gboolean
fault_reset_links (World *self)
{
  SatinSimHost *a, *b;
  gboolean is_swapped = world_random (self) % 2;
  if (!fault_draw_pair (self, &a, &b))
    return FALSE;
  satin_sim_reset_links (is_swapped ? b : a, is_swapped ? a : b);
  return TRUE;
}

static WorldNode *
find_on (const World *self, const SatinSimHost *host)
{
  for (guint i = 0; i < self->n_started; i++)
    if (self->nodes[i].host == host)
      return &self->nodes[i];
  return NULL;
}

/* Breaks the links between two hosts at one end only. The opposite end is refused when it next
 * sends something, or gets no answer at all (is_silent). Links between the registry and the master,
 * and between the registry and the last node that stays, are never silent. */
gboolean
fault_forget_links (World *self)
{
  SatinSimHost *a, *b;
  gboolean is_swapped = world_random (self) % 2;
  gboolean is_silent = world_random (self) % 2;
  if (!fault_draw_pair (self, &a, &b))
    return FALSE;
  WorldNode *node = b == self->hub_host ? find_on (self, a) : NULL;
  is_silent &= node == NULL || (!fault_may_be_master (self, node) && !fault_is_last (self, node));
  if (is_silent && node != NULL)
    {
      gint64 until_us = satin_sim_now_us (self->sim) + SILENT_US;
      node->cut_until_us = MAX (node->cut_until_us, until_us);
    }
  satin_sim_forget_links (is_swapped ? b : a, is_swapped ? a : b, !is_silent);
  return TRUE;
}

/* Clogs the links between two hosts, in one direction or both. */
gboolean
fault_clog_links (World *self)
{
  SatinSimHost *a, *b;
  gint64 duration_us = fault_draw_short_us (self);
  gboolean is_both = world_random (self) % 2;
  if (!fault_draw_pair (self, &a, &b))
    return FALSE;
  satin_sim_clog (a, b, duration_us);
  if (is_both)
    satin_sim_clog (b, a, duration_us);
  return TRUE;
}

/* ---- partitions ---- */

/* Divides the hosts at random, or one cluster from the others. Returns: (transfer full): the side
 * of each node and, last, of the registry */
static gboolean *
draw_sides (World *self)
{
  gboolean *sides = g_new (gboolean, self->n_started + 1);
  gboolean is_cluster = world_random (self) % 2;
  guint cluster = fault_draw_cluster (self);
  for (guint i = 0; i < self->n_started; i++)
    sides[i] = is_cluster ? self->nodes[i].cluster == cluster : world_random (self) % 2;
  sides[self->n_started] = is_cluster ? cluster == 0 : world_random (self) % 2;
  return sides;
}

/* Draws the length of a cut. It may be long only when the root job has begun, and the master, and a
 * node that stays, are on the registry's side. */
static gint64
draw_cut_us (World *self, const gboolean *sides)
{
  gint64 long_us = fault_draw_us (self, FAULT_LAST_MIN_US, LONG_MAX_US);
  gint64 short_us = fault_draw_short_us (self);
  gboolean has_staying = FALSE;
  for (guint i = 0; i < self->n_started; i++)
    {
      gboolean is_near = sides[i] == sides[self->n_started];
      if (fault_may_be_master (self, &self->nodes[i]) && !is_near)
        return short_us;
      has_staying |= is_near && fault_is_reached (&self->nodes[i]);
    }
  return self->started_us > 0 && has_staying ? long_us : short_us;
}

static gboolean
cut (World *self, gboolean is_both)
{
  g_autofree gboolean *sides = draw_sides (self);
  gint64 duration_us = draw_cut_us (self, sides);
  guint n = self->n_started + 1;
  gint64 until_us = satin_sim_now_us (self->sim) + duration_us;
  gboolean is_any = FALSE;
  for (guint i = 0; i < self->n_started; i++)
    if (sides[i] != sides[self->n_started])
      self->nodes[i].cut_until_us = MAX (self->nodes[i].cut_until_us, until_us);
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n; k++)
      {
        if (sides[i] == sides[k] || (!is_both && !sides[i]))
          continue;
        SatinSimHost *from = i + 1 < n ? self->nodes[i].host : self->hub_host;
        SatinSimHost *to = k + 1 < n ? self->nodes[k].host : self->hub_host;
        satin_sim_cut (from, to, duration_us);
        is_any = TRUE;
      }
  return is_any;
}

gboolean
fault_part (World *self)
{
  return cut (self, TRUE);
}

gboolean
fault_part_one_way (World *self)
{
  return cut (self, FALSE);
}
