/* measure.h - how fast a node is: the processor time that one job takes there
 *
 * Nodes are compared by running the same job, a *sample*, on each. A program gives one of its own
 * with SATIN_BENCHMARK() of main.h. Else a job of another node that ran here, and took neither too
 * short nor too long, is taken.
 * It runs on a worker of its own, from which nobody steals, and its processor time is measured: so
 * it says how fast the processor is, whatever else that has to do. How much of the processor the
 * node's workers get, the figures "cpu-us" and "busy-us" of the workers tell.
 *
 * Threads: the loop's, where nothing else is said.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/main.h>

G_BEGIN_DECLS

/* From now on jobs of other nodes may become samples. Threads: any */
SATIN_API void satin_workers_want_sample (SatinWorkers *self);

/* Returns: (transfer full) (nullable): the program's own, or the best that ran here since it was
 * wanted. Threads: any */
SATIN_API GBytes *satin_workers_get_sample (SatinWorkers *self);

/* A sample that runs. */
typedef struct _SatinMeasurement SatinMeasurement;

/**
 * SatinMeasuredFunc:
 * @cpu_us: processor time of the sample, 1 or more; 0: it failed
 *
 * Called once; the measurement is to be freed, here or later.
 */
typedef void (*SatinMeasuredFunc) (gint64 cpu_us, gpointer user_data);

/**
 * satin_measure:
 * @workers: like which the one is on which it runs
 * @sample: from any node of the same program; may be damaged
 * @error: %SATIN_ERROR_FORMAT for what is no sample of this program, or why there is no worker
 *
 * Runs the sample.
 *
 * Returns: (transfer full): satin_measurement_free(); %NULL with @error set
 */
SATIN_API SatinMeasurement *satin_measure (SatinWorkers *workers, SatinLoop *loop, GBytes *sample,
                                           SatinMeasuredFunc func, gpointer user_data,
                                           GError **error);

/* What still runs is aborted and awaited; nobody is told. @self: (nullable) */
SATIN_API void satin_measurement_free (SatinMeasurement *self);

G_END_DECLS
