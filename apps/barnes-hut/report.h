/* report.h - writes files about each iteration: energies, times and pictures
 *
 * Threads: the thread that called report_open().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "leapfrog.h"

typedef struct _Output Report;

/**
 * report_open:
 * @csv: (nullable): file for the energies: a header, then a line for each iteration
 * @times: (nullable): file for the times: a header, then a line for each iteration
 * @picture: (nullable): file name of the pictures, where %d stands for the iteration
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
 * Writes the energies and the picture of an iteration, each only if report_open() got a file name
 * for it. When the function returns, the line is in the file. All pictures show the same part of
 * space as the first picture.
 */
gboolean report_tell (Report *self, guint iteration, const GArray *bodies, Energy now, double drift,
                      GError **error);

/**
 * report_tell_time:
 * @passed_us: time from the start of the run to the end of this iteration
 *
 * Writes the time of an iteration, if report_open() got a file for times. When the function
 * returns, the line is in the file.
 */
gboolean report_tell_time (Report *self, guint iteration, gint64 passed_us, GError **error);

void report_free (Report *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Report, report_free)
