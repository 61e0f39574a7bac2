/* arguments.h - checks the arguments of a job, which may come from another node
 *
 * The encoding of arguments is checked before a job begins, but not what they mean. A node that is
 * damaged or malicious may send any values. A task that uses an argument as an index, a size or a
 * depth should check it first, and fail if it is wrong.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/* Sets @error to %SATIN_ERROR_JOB, with a message that says: @value is not from @min to @max.
 * Returns: %FALSE */
gboolean app_argument_refuse_value (const char *name, gint64 value, gint64 min, gint64 max,
                                    GError **error);

/**
 * app_argument_check:
 * @name: what the argument is, for the message: "number of cells"
 * @value: what the job got
 * @min: smallest value allowed
 * @max: largest value allowed
 * @error: %SATIN_ERROR_JOB when @value is out of range
 *
 * A value in range costs two comparisons and no call, because some jobs are short.
 *
 * Returns: %TRUE when the value is in range
 */
static inline gboolean
app_argument_check (const char *name, gint64 value, gint64 min, gint64 max, GError **error)
{
  return G_LIKELY (value >= min && value <= max)
         || app_argument_refuse_value (name, value, min, max, error);
}

/* Sets @error to %SATIN_ERROR_JOB, with a message that says: the arguments of the job are wrong,
 * because of @reason. Returns: %FALSE */
gboolean app_argument_refuse (const char *reason, GError **error);

G_END_DECLS
