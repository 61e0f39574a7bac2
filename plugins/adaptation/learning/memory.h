/* memory.h - what the plugin has learnt so far, and the change that it will judge
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
 * @bar_us: how long the cluster is barred this time; the next time it is twice as long.
 * @is_tried: after the bar, one machine was asked for; only then may more machines be asked for. */
SATIN_RECORD (Bar, (string, name), (long, until_us), (long, bar_us), (boolean, is_tried))

/* Sums over the periods since the set of nodes last changed.
 * @members: a digest of the nodes.
 * @n_periods: the number of periods; if there are many, older periods weigh less, also in this
 *   number. */
SATIN_RECORD (Era, (long, members), (double, n_periods), (double, efficiency), (double, rate), (double, capacity))

/* @slow, @far: the current weights of these reasons to remove a node.
 * @n_before, @rate_before, @capacity_before: the nodes that counted, the work that they did, and
 *   what they could have done, before the change that is being judged.
 * @reason: a SatinRemoveReason; 0: machines were asked for; -1: no change is being judged.
 * @ceiling: this number of nodes was too many, at a utilisation of @ceiling_utilisation; 0: no such
 *   number is known. It counts until @ceiling_until_us.
 * @n_to_replace: how many machines were asked for to replace slow nodes; when they have joined, at
 *   most as many slow nodes are removed.
 * @n_at_replacing: the nodes that counted when these machines were asked for. */
SATIN_RECORD (Memory, (double, slow), (double, far), (int, reason), (int, n_before), (double, rate_before), (double, capacity_before),
              (int, ceiling), (double, ceiling_utilisation), (long, ceiling_until_us), (int, n_to_replace), (int, n_at_replacing), (record, era, Era), (array_record, bars, Bar))
/* clang-format on */

/* Values of @reason besides those of SatinRemoveReason. */
#define JUDGE_NOTHING (-1)
#define JUDGE_ASKED   0

/* The most clusters with a bar that are remembered. If there are more, the cluster whose bar ends
 * first is forgotten. */
#define MAX_BARS 256

/**
 * Learning:
 * @bars: (owned) (element-type Bar): the bars of the memory, which own their names; those of
 *   @memory are not used
 * @now_us: the time of the last decision. Times in a saved memory are relative to it, because the
 *   clock of another node begins at another time
 * @is_loaded: the memory was loaded, and its times are still relative; the next decision makes them
 *   times of this node's clock
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

/* era.c: adds a census to the era. Begins a new era before if the nodes have changed, or the
 * efficiency has jumped. */
void era_note (Era *self, const SatinCensus *census);
/* Ends the era; the next one is empty. */
void era_end (Era *self);
/* The means of efficiency and rate over the era; 0 when it is empty. */
gdouble era_efficiency (const Era *self);
gdouble era_rate (const Era *self);
/* The mean capacity: the sum of the nodes' speeds, which is the work that they would do per unit of
 * time if they were never idle. */
gdouble era_capacity (const Era *self);
/* The utilisation: the work that the nodes do, as a share of their capacity. Slow nodes alone do
 * not make it lower. */
gdouble era_utilisation (const Era *self);
/* How far a mean may be from the true value: the longer the era is, the less. */
gdouble era_margin (const Era *self);

/* How many of @n machines may be asked for in the cluster: none while it is barred, one after that,
 * and all when one was tried. */
guint memory_may_ask (const Learning *self, const char *name, gint64 now_us, guint n);

/* Notes that machines were asked for in the cluster. */
void memory_asked (Learning *self, const char *name, gint64 now_us);

/* Bars the cluster, because nodes were removed there. */
void memory_bar (Learning *self, const char *name, gint64 now_us);

/* Ends the newest bar, because the removal that led to it did harm. One machine may then be asked
 * for there. */
void memory_unbar_newest (Learning *self, gint64 now_us);

GBytes *memory_save (gpointer adaptation);
gboolean memory_load (gpointer adaptation, GBytes *bytes, GError **error);

G_END_DECLS
