/* timed-workers.c - workers with a clock that the test moves
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "timed-workers.h"

#include <satin/base/atomic.h>

#include "workers/pool.h"

static gint64 clock_us;

static gint64
now_us (void)
{
  return SATIN_LOAD (&clock_us);
}

void
timed_workers_pass (gint64 duration_us)
{
  SATIN_ADD (&clock_us, duration_us);
}

SatinWorkers *
timed_workers_new (guint n_workers)
{
  static SatinThreadOps ops;
  ops = satin_thread_ops;
  ops.now_us = now_us;
  SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                  .n_workers = n_workers,
                                  .thread_ops = &ops };
  g_autoptr (GError) error = NULL;
  SatinWorkers *timed = satin_workers_new (&options, &error);
  g_assert_no_error (error);
  return timed;
}
