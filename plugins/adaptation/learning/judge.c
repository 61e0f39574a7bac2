/* judge.c - what changes brought
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learning.h"

/* What is added must do this part of what the others do, for its speed, or it was too much. */
#define LEAST_GAIN 0.25
/* A change is judged after so many periods, and only one of this part of the nodes at least. */
#define LEAST_PERIODS 2
#define LEAST_PART    8
/* Without those that were removed at least so much less must be done, or it did no harm. */
#define LEAST_LOSS 0.1
/* By how much a weight changes, and the range it stays in. */
#define WEIGHT_LESS 0.5
#define WEIGHT_MORE 1.25
#define WEIGHT_SPAN 8

SatinBadnessWeights
learning_weights (const Learning *self)
{
  SatinBadnessWeights all = SATIN_BADNESS_WEIGHTS;
  all.slow = self->memory.slow;
  all.far = self->memory.far;
  return all;
}

static void
weigh (gdouble *weight, gdouble by, gdouble normal)
{
  *weight = CLAMP (*weight * by, normal / WEIGHT_SPAN, normal * WEIGHT_SPAN);
}

void
learning_note_change (Learning *self, const SatinCensus *census, gint32 reason)
{
  self->memory.reason = reason;
  self->memory.n_before = (gint32)satin_census_count (census);
  self->memory.rate_before = era_rate (&self->memory.era);
  self->memory.capacity_before = era_capacity (&self->memory.era);
}

static void
judge_asked (Learning *self, const SatinCensus *census, guint n)
{
  Memory *memory = &self->memory;
  gint64 n_more = (gint64)n - memory->n_before;
  /* What a few nodes bring does not show. */
  if (n_more <= 0 || memory->n_before <= 0 || n_more * LEAST_PART < memory->n_before)
    return;
  /* That slow ones did little is no sign that there are too many. */
  gdouble more = era_capacity (&memory->era) - memory->capacity_before;
  gdouble gain = era_rate (&memory->era) - memory->rate_before;
  if (gain * memory->capacity_before >= LEAST_GAIN * more * memory->rate_before)
    return;
  memory->ceiling = (gint32)n;
  memory->ceiling_utilisation = era_utilisation (&memory->era);
  memory->ceiling_until_us = census->now_us + self->bar_us;
}

static void
judge_removed (Learning *self, const SatinCensus *census)
{
  const SatinBadnessWeights normal = SATIN_BADNESS_WEIGHTS;
  Memory *memory = &self->memory;
  gdouble rate = era_rate (&memory->era);
  /* While all wait for another slow link nothing can be learnt of those that went. */
  if (satin_census_worst_removable (census, &normal, self->far) != SATIN_ANY_CLUSTER)
    return;
  gboolean has_helped = rate >= memory->rate_before;
  gboolean has_hurt = rate < memory->rate_before * (1 - LEAST_LOSS);
  gdouble by = has_helped ? WEIGHT_MORE : has_hurt ? WEIGHT_LESS : 1;
  if (memory->reason == SATIN_REMOVE_FAR)
    weigh (&memory->far, by, normal.far);
  else
    weigh (&memory->slow, by, normal.slow);
  if (has_hurt)
    memory_unbar_newest (self, census->now_us);
}

void
learning_judge (Learning *self, const SatinCensus *census)
{
  if (self->memory.era.n_periods < LEAST_PERIODS)
    return;
  if (self->memory.reason == JUDGE_ASKED)
    judge_asked (self, census, satin_census_count (census));
  else if (self->memory.reason != JUDGE_NOTHING)
    judge_removed (self, census);
  self->memory.reason = JUDGE_NOTHING;
}
