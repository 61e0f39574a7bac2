/* era.c - what was seen since the run's nodes were last others
 *
 * What nodes do in one period says little: an iteration has parts in which few of them have work,
 * and a period begins and ends anywhere in it. So means are looked at, and one is trusted the more
 * the longer it was seen.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "memory.h"

#include <math.h>

/* Of one period. */
#define MARGIN 0.1
/* Older periods than this weigh next to nothing. */
#define MAX_PERIODS 12
/* When a period is that far from the mean the world has changed. */
#define CHANGE 0.2

/* In any order. */
static gint64
digest (const SatinCensus *census)
{
  guint64 sum = 0;
  for (guint i = 0; i < census->n_nodes; i++)
    if (satin_census_counts (&census->nodes[i]))
      {
        guint64 id = census->nodes[i].id * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
        sum += (id ^ (id >> 29)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
      }
  return (gint64)(sum >> 1);
}

void
era_end (Era *self)
{
  *self = (Era){ 0 };
}

static gdouble
sum_of_speeds (const SatinCensus *census)
{
  gdouble sum = 0;
  for (guint i = 0; i < census->n_nodes; i++)
    if (satin_census_counts (&census->nodes[i]))
      sum += satin_census_speed (census, &census->nodes[i]);
  return sum;
}

void
era_note (Era *self, const SatinCensus *census)
{
  gdouble efficiency = satin_census_efficiency (census);
  gint64 members = digest (census);
  /* Of work: one that stays. */
  gdouble unit = census->unit > 0 ? census->unit : 1;
  if (members != self->members || fabs (efficiency - era_efficiency (self)) > CHANGE)
    era_end (self);
  gdouble kept = self->n_periods > MAX_PERIODS - 1 ? 1 - 1.0 / MAX_PERIODS : 1;
  self->members = members;
  self->n_periods = self->n_periods * kept + 1;
  self->efficiency = self->efficiency * kept + efficiency;
  self->rate = self->rate * kept + satin_census_rate (census) * unit;
  self->capacity = self->capacity * kept + sum_of_speeds (census) * unit;
}

gdouble
era_efficiency (const Era *self)
{
  return self->n_periods > 0 ? self->efficiency / self->n_periods : 0;
}

gdouble
era_rate (const Era *self)
{
  return self->n_periods > 0 ? self->rate / self->n_periods : 0;
}

gdouble
era_capacity (const Era *self)
{
  return self->n_periods > 0 ? self->capacity / self->n_periods : 0;
}

gdouble
era_utilisation (const Era *self)
{
  return self->capacity > 0 ? self->rate / self->capacity : 0;
}

gdouble
era_margin (const Era *self)
{
  return self->n_periods > 0 ? MARGIN / self->n_periods : MARGIN;
}
