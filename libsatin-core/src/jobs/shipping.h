/* shipping.h - whether jobs of a task are worth their way to another node
 *
 * A job with large arguments may take longer to reach a thief than to run. Of each task with such
 * jobs its owner keeps two means: how long they ran elsewhere, and how long each kept the way busy.
 * While the way takes longer, the task is *pinned*: its jobs stay. Now and then one of them is
 * tried again, first after 16 times what the way took, then after twice as long each time. So tries
 * cost little, and a task whose jobs become longer is found out.
 *
 * Jobs that are on their way at the same time share it: of each, only the time counts in which no
 * job before it was under way. So a link that is always busy does not look slow.
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
 * @arrived_us: when its thief could have begun it, by the owner's clock
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

/* Of one task. All zero: nothing is known, and its jobs may leave. */
typedef struct
{
  double cost_us;    /* mean: how long a job keeps the way busy */
  double ran_us;     /* mean: how long it runs */
  gsize n_bytes;     /* arguments of the smallest that came back */
  gint64 arrived_us; /* when the last of them had arrived */
  gint64 pause_us;   /* between two tries */
  gint64 next_us;    /* while pinned: when one is tried again */
  gint64 tried_us;   /* while pinned: when one was let go, G_MAXINT64: none was */
  gboolean is_known; /* a job has come back */
  gboolean is_pinned;
} Shipping;

/* Takes a job into account that came back at @now_us. */
void shipping_note (Shipping *self, const Shipped *job, gint64 now_us);
/* Whether a job with so large arguments may leave. While pinned: whether it is tried, and then no
 * other is for a pause. */
gboolean shipping_may_leave (Shipping *self, gsize n_bytes, gint64 now_us);
/* Returns: from which size of arguments on jobs are meant when the task is pinned */
gsize shipping_least_bytes (const Shipping *self);
