/* run.c - reads the payload of the signals "leave" and "stop"
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/run.h>

gint64
satin_leave_read_deadline_us (GBytes *payload)
{
  gsize n_bytes = 0;
  const guint8 *bytes = payload != NULL ? g_bytes_get_data (payload, &n_bytes) : NULL;
  SatinLeave leave = { SATIN_LEAVE_DEFAULT_US };
  g_autoptr (GError) error = NULL;
  if (n_bytes == 0)
    return SATIN_LEAVE_DEFAULT_US;
  if (!satin_record_decode (&SatinLeave_record, bytes, n_bytes, &leave, &error))
    {
      g_warning ("the time to leave cannot be read, it is taken for %d s: %s",
                 (int)(SATIN_LEAVE_DEFAULT_US / G_USEC_PER_SEC), error->message);
      return SATIN_LEAVE_DEFAULT_US;
    }
  return CLAMP (leave.deadline_us, 0, SATIN_LEAVE_MAX_US);
}
