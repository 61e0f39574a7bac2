/* era.c - an era: the periods since the set of nodes last changed, and means over them
 *
 * The figures of one period say little: a program that iterates has phases in which few nodes have
 * work, and a period may contain any part of an iteration. So decisions use means. The more periods
 * a mean has, the more it is trusted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "memory.h"

#include <math.h>

/* How far a mean over one period may be from the true value. */
#define MARGIN 0.1
/* The most periods that a mean is worth. In a longer era, older periods count less and less. */
#define MAX_PERIODS 12
/* If a period's efficiency differs from the mean by more than this, a new era begins. */
#define CHANGE 0.2

/* A digest of the ids of the nodes that count, which does not depend on their order. */
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
  /* Turns relative work and speeds into absolute ones, which can be compared between censuses. */
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
