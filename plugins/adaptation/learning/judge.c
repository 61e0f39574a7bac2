/* judge.c - judges whether the last change of the set of nodes has helped
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learning.h"

/* Nodes that were added must do at least this part of the work of the other nodes, relative to
 * their speeds. If they do less, there are too many nodes. */
#define LEAST_GAIN 0.25
/* A change is judged after LEAST_PERIODS. An addition of less than 1/LEAST_PART of the nodes is not
 * judged. */
#define LEAST_PERIODS 2
#define LEAST_PART    8
/* A removal did harm if the work of the run per time dropped by more than this share. */
#define LEAST_LOSS 0.1
/* The factors by which a weight changes. A weight stays between its first value / WEIGHT_SPAN and
 * its first value * WEIGHT_SPAN. */
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
  /* Too few nodes were added for an effect to be seen. */
  if (n_more <= 0 || memory->n_before <= 0 || n_more * LEAST_PART < memory->n_before)
    return;
  /* The gain is compared with the added capacity (era.c), because slow nodes are expected to do
   * little. */
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
  /* If nodes wait for another slow link now, nothing can be learnt from the last removal. */
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
