/* progress.h - formats the progress of a copy, and its summary
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "files.h"

G_BEGIN_DECLS

/* "satin: 43 %  1.2 GB of 2.8 GB  file 2 of 5  310 MB/s  0:05 left". @elapsed_us: since the copy
 * began. Returns: (transfer full): the line */
char *copy_progress_format (const Copy *copy, gint64 elapsed_us);

/* Makes the line at the end: "3 files copied, 1 there already: 1.2 GB in 4.1 s, 293 MB/s". Returns:
 * (transfer full) */
char *copy_progress_summary (const Copy *copy, gint64 elapsed_us);

G_END_DECLS
