/* counts.h - how often each event of the reports happened in the seeds of a sweep
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The beginning of the line of a report that says how much work the run had, in microseconds. */
#define REPORT_WORK_LINE "work-us "

typedef struct _SweepCounts SweepCounts;

SweepCounts *sweep_counts_new (void);

/* Adds the counts in the report of one seed, which has lines "name number". @path: nothing is added
 * if the file cannot be read */
void sweep_counts_add (SweepCounts *self, const char *path);

/* Returns: how many faults took place in all seeds together */
guint64 sweep_counts_get_faults (const SweepCounts *self);

/* Prints how often each event happened. */
void sweep_counts_print (const SweepCounts *self);

/* Prints which events of @list never happened. @list: names with commas between them. Returns:
 * whether all of them happened */
gboolean sweep_counts_has_all (const SweepCounts *self, const char *list);

/* @self: (nullable) */
void sweep_counts_free (SweepCounts *self);

G_END_DECLS
