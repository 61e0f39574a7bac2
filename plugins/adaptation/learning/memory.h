/* memory.h - what the adaptation has learnt, and what it is trying
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
/* A cluster from which nodes were removed: nothing is asked for there until @until_us; @bar_us is how long
 * that was, and the next time twice as long. Once that is over one machine is tried first. */
SATIN_RECORD (Bar, (string, name), (long, until_us), (long, bar_us), (boolean, is_tried))

/* What was seen since the nodes that count, @members, were last others: @n_periods, and sums over them. Of many periods
 * the older ones weigh less. */
SATIN_RECORD (Era, (long, members), (double, n_periods), (double, efficiency), (double, rate), (double, capacity))

/* @*_before: nodes that counted, the work that they did, and what they could have done, before the change that is being judged;
 * @reason: of a removal, 0: machines were asked for, and -1: nothing is being judged. @ceiling: more nodes than that did
 * not help while the utilisation was @ceiling_utilisation; 0: none. @n_to_replace: machines were asked for in place of so many
 * slow nodes. */
SATIN_RECORD (Memory, (double, slow), (double, far), (int, reason), (int, n_before), (double, rate_before), (double, capacity_before),
              (int, ceiling), (double, ceiling_utilisation), (long, ceiling_until_us), (int, n_to_replace), (record, era, Era), (array_record, bars, Bar))
/* clang-format on */

/* What is judged, beside the reasons to remove. */
#define JUDGE_NOTHING (-1)
#define JUDGE_ASKED   0

/* Most clusters that are remembered; the one whose bar ended first is forgotten. */
#define MAX_BARS 256

/**
 * Learning:
 * @bars: (owned) (element-type Bar): by name, each string owned; @memory has none
 * @now_us: when it decided last; times in what is saved and loaded are told from then on, as the
 * clock of another node has another beginning
 * @is_loaded: so they are here, too, until it decides
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

/* It decides now. */
void memory_begin (Learning *self, gint64 now_us);

/* era.c: a census is seen. */
void era_note (Era *self, const SatinCensus *census);
/* It is no more what it was. */
void era_end (Era *self);
/* Means since then; 0 when nothing was seen. */
gdouble era_efficiency (const Era *self);
gdouble era_rate (const Era *self);
/* What the nodes would do that were never idle, which is the sum of their speeds. */
gdouble era_capacity (const Era *self);
/* Share of that which they do: a slow node is no sign that there are too many. */
gdouble era_utilisation (const Era *self);
/* By how much a mean may be off, the less the longer it was seen. */
gdouble era_margin (const Era *self);

/* How many machines may be asked for in the cluster, of @n: none while it is barred, then one. */
guint memory_may_ask (const Learning *self, const char *name, gint64 now_us, guint n);

/* They were. */
void memory_asked (Learning *self, const char *name, gint64 now_us);

/* Its nodes were removed. */
void memory_bar (Learning *self, const char *name, gint64 now_us);

/* That was of no use: it may be asked at once, but for one machine first. */
void memory_unbar_newest (Learning *self, gint64 now_us);

GBytes *memory_save (gpointer adaptation);
gboolean memory_load (gpointer adaptation, GBytes *bytes, GError **error);

G_END_DECLS
