/* forecast.h - how long a run may still take
 *
 * The page computes the same in apps/satin/page/forecast.js.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

/**
 * Forecast:
 * @master: the node that reports the progress; 0: none yet
 * @began_us: when @master was first seen
 * @first: its progress then
 * @permille: its progress now, in [0, 1000]
 * @reached_us: for each progress in [first, permille], when it was first seen to be reached
 *
 * What was seen of the progress of a run; all zero at first.
 */
typedef struct
{
  gint64 master;
  gint64 began_us;
  gint64 first;
  gint64 permille;
  gint64 reached_us[1001];
} Forecast;

/* Takes the progress that the master reports; does nothing if @status has no master. @now_us: never
 * less than in the previous call */
void forecast_add (Forecast *self, const SatinRunStatus *status, gint64 now_us);

/**
 * forecast_describe:
 *
 * Some parts of a run are slower than others, and the progress is an estimate itself. So there are
 * two estimates of the time left: one by the mean speed since the master was first seen, the other
 * by the speed in the newer half of this time. They differ by about as much as both may be wrong.
 *
 * Returns: (transfer full) (nullable): "about 40 s left", "3 to 5 min left", or "at least 2 h left"
 * if nothing was done in the newer half; %NULL when too little is done to say anything, and when
 * all is done
 */
char *forecast_describe (const Forecast *self, gint64 now_us);

G_END_DECLS
