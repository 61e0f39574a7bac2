/* progress.h - formats the line that shows the progress of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "runs/forecast.h"

G_BEGIN_DECLS

/**
 * RunProgress:
 * @n_awaited: machines whose nodes have not joined yet; the caller sets it
 * @at_us: the time of the last line, since the run began
 * @n_jobs: the number of jobs in the last line
 * @forecast: how long the run may still take
 *
 * The state between two lines; all zero at first.
 */
typedef struct
{
  guint n_awaited;
  gint64 at_us;
  gint64 n_jobs;
  Forecast forecast;
} RunProgress;

/**
 * run_progress_format:
 * @status: fresh figures
 * @elapsed_us: since the run began
 *
 * Makes the line "satin: 4 nodes, 2 awaited  37 %, 2 to 3 min left  1.2 M jobs/s  23 steals  0:12".
 * The rate is the mean since the last call. The line has no "37 %" while no master has reported its
 * progress, and no "2 to 3 min left" while forecast_describe() returns %NULL.
 *
 * Returns: (transfer full): the line
 */
char *run_progress_format (RunProgress *self, const SatinRunStatus *status, gint64 elapsed_us);

G_END_DECLS
