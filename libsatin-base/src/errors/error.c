/* error.c - the error domain and the exit status of each code
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/error.h>

/**
 * satin_error_quark:
 *
 * The domain of all errors of Satin. It is not cached here, because errors are rare, and an
 * unguarded cache would be a data race.
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
satin_error_code_exit_status (SatinErrorCode code)
{
  g_return_val_if_fail (code >= SATIN_ERROR_INVALID && code <= SATIN_ERROR_ABORTED, 1);

  return code == SATIN_ERROR_INVALID ? 2 : 10 + (int)code;
}

int
satin_error_exit_status (const GError *error)
{
  g_return_val_if_fail (error != NULL, 1);

  if (error->domain != SATIN_ERROR || error->code < 0 || error->code > SATIN_ERROR_ABORTED)
    return 1;
  return satin_error_code_exit_status (error->code);
}
