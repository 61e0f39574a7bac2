/* arguments.c - checks the arguments of a job, which may come from another node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "arguments.h"

gboolean
app_argument_refuse_value (const char *name, gint64 value, gint64 min, gint64 max, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB,
               "wrong arguments: %s is %" G_GINT64_FORMAT ", but must be from %" G_GINT64_FORMAT
               " to %" G_GINT64_FORMAT,
               name, value, min, max);
  return FALSE;
}

gboolean
app_argument_refuse (const char *reason, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB, "wrong arguments: %s", reason);
  return FALSE;
}
