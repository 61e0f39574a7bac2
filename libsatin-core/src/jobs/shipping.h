/* shipping.h - whether jobs of a task are worth their way to another node
 *
 * A job with large arguments may take longer to reach a thief than to run. For each task with such
 * jobs and each cluster of thieves, the owner of the jobs keeps two averages: how long a job ran
 * there, and how long it kept the way busy. While the second is longer, the task is *pinned*: its
 * jobs do not go to that cluster, and if no cluster is left, they stay on their node. Now and then
 * one job is tried again: first after 16 times its time on the way, then after pauses that double.
 * So tries cost little, and the owner notices when jobs of the task become longer.
 *
 * When a node is gone, everything is forgotten: the slow way may have been the way to that node.
 *
 * Jobs that are on the way at the same time share the way: for each job only the time counts in
 * which no earlier job was on the way. So a busy link does not look slow.
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/**
 * Shipped:
 * @n_bytes: size of the job's arguments
 * @sent_us: when its owner began to encode it
 * @arrived_us: when its thief could have begun it, on the owner's clock
 * @ran_us: how long it ran there
 *
 * A job that came back.
 */
typedef struct
{
  gsize n_bytes;
  gint64 sent_us;
  gint64 arrived_us;
  gint64 ran_us;
} Shipped;

/* The facts about one task and the way to one cluster. All zero: nothing is known, and its jobs may
 * leave. */
typedef struct
{
  double cost_us;    /* average: how long a job keeps the way busy */
  double ran_us;     /* average: how long a job runs */
  gsize n_bytes;     /* arguments of the smallest job that came back */
  gint64 arrived_us; /* the latest arrival so far */
  gint64 pause_us;   /* time between two tries */
  gint64 next_us;    /* while pinned: when the next job may be tried */
  gint64 tried_us;   /* while pinned: when the last try left; G_MAXINT64: none has */
  gboolean is_known; /* a job has come back */
  gboolean is_pinned;
} Shipping;

/* Counts a job that came back at @now_us. */
void shipping_note (Shipping *self, const Shipped *job, gint64 now_us);
/* Whether a job with arguments of this size may leave. If pinning applies to the job, %TRUE makes
 * it a try, and for a pause no other such job may leave. */
gboolean shipping_may_leave (Shipping *self, gsize n_bytes, gint64 now_us);
/* Returns: the size of arguments from which on pinning applies to a job */
gsize shipping_least_bytes (const Shipping *self);
