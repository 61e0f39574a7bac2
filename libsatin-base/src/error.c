/* error.c - the error domain and the exit status of each code
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/error.h>

/**
 * satin_error_quark:
 *
 * The domain of all errors of Satin. Not cached in a variable here: errors are
 * rare, and an unguarded cache would be a data race.
 *
 * Threads: any. Cost: one lookup under GLib's lock.
 *
 * Returns: the quark
 */
GQuark
satin_error_quark (void)
{
  return g_quark_from_static_string ("satin-error-quark");
}

int
satin_error_exit_status (const GError *error)
{
  if (error == NULL)
    return 0;
  if (error->domain != SATIN_ERROR || error->code < 0 || error->code > SATIN_ERROR_ABORTED)
    return 1;
  if (error->code == SATIN_ERROR_INVALID)
    return 2;
  return 10 + error->code;
}
