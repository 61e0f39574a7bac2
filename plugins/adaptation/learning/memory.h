/* memory.h - what the adaptation has learnt, and the change that it is judging
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt.h>
#include <satin/base/record.h>

G_BEGIN_DECLS

/* clang-format off */
/* A cluster from which nodes were removed. No machines are asked for there until @until_us.
 * @bar_us: the length of this bar; the next one is twice as long.
 * @is_tried: after the bar one machine was asked for. More may follow only after that. */
SATIN_RECORD (Bar, (string, name), (long, until_us), (long, bar_us), (boolean, is_tried))

/* Sums over the last @n_periods periods with the same nodes, whose digest is @members. If there are
 * many periods, older ones weigh less. */
SATIN_RECORD (Era, (long, members), (double, n_periods), (double, efficiency), (double, rate), (double, capacity))

/* @slow, @far: the current weights of these reasons.
 * @n_before, @rate_before, @capacity_before: the nodes that counted, the work that they did, and
 *   what they could have done, before the change that is being judged.
 * @reason: a SatinRemoveReason; 0: machines were asked for; -1: no change is being judged.
 * @ceiling: more nodes than this did not help at a utilisation of @ceiling_utilisation; 0: none.
 * @n_to_replace: so many slow nodes leave when the machines come that were asked for in their
 *   place.
 * @n_at_replacing: the nodes that counted when these machines were asked for. */
SATIN_RECORD (Memory, (double, slow), (double, far), (int, reason), (int, n_before), (double, rate_before), (double, capacity_before),
              (int, ceiling), (double, ceiling_utilisation), (long, ceiling_until_us), (int, n_to_replace), (int, n_at_replacing), (record, era, Era), (array_record, bars, Bar))
/* clang-format on */

/* Values of @reason besides those of SatinRemoveReason. */
#define JUDGE_NOTHING (-1)
#define JUDGE_ASKED   0

/* The most clusters that are remembered. Beyond that, the cluster whose bar ended first is
 * forgotten. */
#define MAX_BARS 256

/**
 * Learning:
 * @bars: (owned) (element-type Bar): they own their names; @memory has none
 * @now_us: when it last decided. Times in a saved memory count from then, because another node's
 *   clock has another beginning
 * @is_loaded: the memory was loaded, and its times still count from the time of its saving; until
 *   the next decision
 */
typedef struct
{
  gdouble least;
  gdouble most;
  gdouble far;
  gdouble better;
  gint64 bar_us;
  Memory memory;
  GArray *bars;
  gint64 now_us;
  gboolean is_loaded;
} Learning;

void memory_init (Learning *self);
void memory_clear (Learning *self);

/* Begins a decision: makes the times of a loaded memory those of this node's clock. */
void memory_begin (Learning *self, gint64 now_us);

/* era.c: adds a census. It begins a new era if the nodes have changed, or the efficiency has
 * jumped. */
void era_note (Era *self, const SatinCensus *census);
/* Ends the era; the next one is empty. */
void era_end (Era *self);
/* Means over the era; 0 when it is empty. */
gdouble era_efficiency (const Era *self);
gdouble era_rate (const Era *self);
/* The work that the nodes would do if they were never idle: the sum of their speeds. */
gdouble era_capacity (const Era *self);
/* The work that the nodes do, as a share of their capacity. Slow nodes do not make it lower. */
gdouble era_utilisation (const Era *self);
/* How far a mean may be off: less, the longer the era is. */
gdouble era_margin (const Era *self);

/* How many of @n machines may be asked for in the cluster: none while it is barred, then one. */
guint memory_may_ask (const Learning *self, const char *name, gint64 now_us, guint n);

/* Machines were asked for in the cluster. */
void memory_asked (Learning *self, const char *name, gint64 now_us);

/* Bars the cluster, because nodes were removed there. */
void memory_bar (Learning *self, const char *name, gint64 now_us);

/* The last removal did harm: its bar ends, and one machine may be asked for there. */
void memory_unbar_newest (Learning *self, gint64 now_us);

GBytes *memory_save (gpointer adaptation);
gboolean memory_load (gpointer adaptation, GBytes *bytes, GError **error);

G_END_DECLS
