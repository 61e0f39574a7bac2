/* forecast.c - how long a run may still take
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "forecast.h"

#include "figures.h"

#define ALL ((gint64)1000)

/* With less progress than this since the master was first seen, forecast_describe() says nothing:
 * the error would be too large. */
#define LEAST_PERMILLE ((gint64)20)

static void
begin (Forecast *self, gint64 master, gint64 permille, gint64 now_us)
{
  self->master = master;
  self->first = self->permille = permille;
  self->began_us = self->reached_us[permille] = now_us;
}

void
forecast_add (Forecast *self, const SatinRunStatus *status, gint64 now_us)
{
  for (gsize i = 0; i < status->n_nodes; i++)
    {
      const SatinNodeStatus *node = &status->nodes[i];
      if (!node->is_master)
        continue;
      gint64 permille = CLAMP (figure_get (node, FIGURE_PROGRESS), 0, ALL);
      if (self->master != node->node)
        begin (self, node->node, permille, now_us);
      while (self->permille < permille)
        self->reached_us[++self->permille] = now_us;
    }
}

/* Writes the shortest and the longest duration with few digits, in the unit that fits the longest
 * one. @most_us: negative if there is no upper bound */
static char *
format_range (gint64 least_us, gint64 most_us)
{
  static const struct
  {
    const char *name;
    gint64 us;
    gint64 below_us; /* for times up to this */
  } units[] = { { "s", G_USEC_PER_SEC, (gint64)90 * G_USEC_PER_SEC },
                { "min", (gint64)60 * G_USEC_PER_SEC, (gint64)5400 * G_USEC_PER_SEC },
                { "h", (gint64)3600 * G_USEC_PER_SEC, G_MAXINT64 } };
  guint unit = 0;
  while (MAX (least_us, most_us) > units[unit].below_us)
    unit++;
  int least = (int)((least_us + units[unit].us / 2) / units[unit].us);
  int most = (int)((most_us + units[unit].us / 2) / units[unit].us);
  if (most_us < 0)
    return g_strdup_printf ("at least %d %s left", least, units[unit].name);
  if (least == most)
    return g_strdup_printf ("about %d %s left", most, units[unit].name);
  return g_strdup_printf ("%d to %d %s left", least, most, units[unit].name);
}

char *
forecast_describe (const Forecast *self, gint64 now_us)
{
  gint64 done = self->permille - self->first, before = self->first;
  gint64 half_us = (now_us - self->began_us) / 2, left = ALL - self->permille;
  if (self->master == 0 || done < LEAST_PERMILLE || left == 0)
    return NULL;
  while (before < self->permille && self->reached_us[before + 1] <= self->began_us + half_us)
    before++;
  gint64 mean_us = (now_us - self->began_us) / done * left;
  if (before == self->permille)
    return format_range (mean_us, -1);
  gint64 newer_us = half_us / (self->permille - before) * left;
  return format_range (MIN (mean_us, newer_us), MAX (mean_us, newer_us));
}
