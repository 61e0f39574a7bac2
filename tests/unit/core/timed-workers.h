/* timed-workers.h - workers whose clock the test moves
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core.h>

/* Never fails. */
SatinWorkers *timed_workers_new (guint n_workers);
/* The clock of all such workers goes on. Threads: any. */
void timed_workers_pass (gint64 duration_us);
