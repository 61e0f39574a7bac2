/* secret.h - where a command's secret comes from, and how a child gets it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

/* No --secret-fd was given. */
#define SECRET_FD_NONE (-1)

/**
 * secret_options_read:
 * @file: (nullable): from --secret-file
 * @fd: from --secret-fd, or %SECRET_FD_NONE
 * @is_insecure: from --insecure
 * @ret_secret: (out) (transfer full) (nullable): %NULL when none was given
 * @error: %SATIN_ERROR_INVALID when the options contradict each other; else as for
 *   satin_secret_read_file()
 *
 * Returns: %TRUE when the secret was read or none was asked for
 */
gboolean secret_options_read (const char *file, int fd, gboolean is_insecure,
                              SatinSecret **ret_secret, GError **error);

/**
 * secret_to_pipe:
 *
 * A secret is handed to a child through a pipe, so that it stands neither on a
 * command line nor in an environment nor in a file.
 *
 * Returns: a descriptor to read the secret from once, closed on exec, or -1 with @error set
 */
int secret_to_pipe (const SatinSecret *secret, GError **error);

G_END_DECLS
