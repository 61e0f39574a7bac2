/* report.h - what is told of each iteration: a line of figures, a picture
 *
 * Threads: the one that made it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "leapfrog.h"

typedef struct _Output Report;

/**
 * report_open:
 * @csv: (nullable): file of a header and a line for each iteration
 * @times: (nullable): likewise, of when they ended
 * @picture: (nullable): name of the pictures, with %d
 * @error: %SATIN_ERROR_IO when @csv or @times cannot be written
 *
 * Returns: (transfer full): free with report_free()
 */
Report *report_open (const char *csv, const char *times, const char *picture, GError **error);

/**
 * report_tell:
 * @bodies: (element-type Body)
 * @error: %SATIN_ERROR_IO
 *
 * A line is written when this returns. All pictures show what the first one does.
 */
gboolean report_tell (Report *self, guint iteration, const GArray *bodies, Energy now, double drift,
                      GError **error);

/**
 * report_tell_time:
 * @passed_us: since the start
 *
 * The iteration has ended; a line is written when this returns.
 */
gboolean report_tell_time (Report *self, guint iteration, gint64 passed_us, GError **error);

void report_free (Report *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Report, report_free)
