/* timed-workers.h - workers with a clock that the test moves
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core.h>

/* Never fails. */
SatinWorkers *timed_workers_new (guint n_workers);
/* Moves the clock of all these workers. Threads: any. */
void timed_workers_pass (gint64 duration_us);
