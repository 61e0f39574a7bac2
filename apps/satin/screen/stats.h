/* stats.h - the figures of each node, as a table and as JSON
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

/* Returns: (transfer full): a table with one line for each node and one of totals */
char *run_stats_table (const SatinRunStatus *status, gint64 elapsed_us);

/**
 * run_stats_write_json:
 * @path: a file, which is replaced as a whole; or a device or a pipe, which is written to
 * @error: %SATIN_ERROR_IO
 *
 * Writes the figures as JSON. satin-run(1) describes the keys.
 */
gboolean run_stats_write_json (const char *path, const SatinRunStatus *status, int exit_status,
                               gint64 elapsed_us, GError **error);

G_END_DECLS
