/* measure.h - how fast a node is: the processor time that one job takes there
 *
 * All nodes run the same job, a *sample*, to be compared. A program may name a job with
 * SATIN_BENCHMARK() of main.h. Without it the sample is an imported job that took 1 to 200 ms here,
 * the nearer to 20 ms the better.
 *
 * The sample runs on a worker of its own, from which nobody steals, and its processor time is
 * measured. So the result says how fast the processor is, whatever else it has to do. The figures
 * "cpu-us" and "busy-us" of the workers tell how much of the processor the node's workers get.
 *
 * Threads: the loop's, where nothing else is said.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/main.h>

G_BEGIN_DECLS

/* From now on imported jobs may become samples. Threads: any. */
SATIN_API void satin_workers_want_sample (SatinWorkers *self);

/* Gets the program's own sample, or the best sample since satin_workers_want_sample(). Returns:
 * (transfer full) (nullable). Threads: any. */
SATIN_API GBytes *satin_workers_get_sample (SatinWorkers *self);

/* A sample that runs. */
typedef struct _SatinMeasurement SatinMeasurement;

/**
 * SatinMeasuredFunc:
 * @cpu_us: processor time of the sample, 1 or more; 0 when it failed
 *
 * Called once. The caller of satin_measure() frees the measurement during this call or later.
 */
typedef void (*SatinMeasuredFunc) (gint64 cpu_us, gpointer user_data);

/**
 * satin_measure:
 * @workers: the sample's own worker gets the same stack, deque and kind of thread
 * @loop: borrowed; calls @func
 * @sample: from any node of the same program; may be damaged
 * @func: called once, when the sample has ended
 * @error: %SATIN_ERROR_FORMAT, %SATIN_ERROR_TRUNCATED or %SATIN_ERROR_LIMIT when the bytes are no
 *   sample of this program; or the error of satin_workers_new()
 *
 * Starts to run a sample.
 *
 * Returns: (transfer full): free with satin_measurement_free(); %NULL with @error set
 */
SATIN_API SatinMeasurement *satin_measure (SatinWorkers *workers, SatinLoop *loop, GBytes *sample,
                                           SatinMeasuredFunc func, gpointer user_data,
                                           GError **error);

/* Frees the measurement. A sample that still runs is aborted; the call waits for its end, and @func
 * is not called. @self: (nullable). */
SATIN_API void satin_measurement_free (SatinMeasurement *self);

G_END_DECLS
