/* secret.h - reads a command's secret, and hands it to a child
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

/* Stands for the descriptor when the user gave no --secret-fd. */
#define SECRET_FD_NONE (-1)

/**
 * secret_options_read:
 * @file: (nullable): from --secret-file
 * @fd: from --secret-fd, or %SECRET_FD_NONE
 * @is_insecure: from --insecure
 * @ret_secret: (out) (transfer full) (nullable): %NULL when no option names a secret
 * @error: %SATIN_ERROR_INVALID when the options contradict each other; else as for
 *   satin_secret_read_file()
 *
 * Returns: %TRUE when the secret was read, or when no option names one
 */
gboolean secret_options_read (const char *file, int fd, gboolean is_insecure,
                              SatinSecret **ret_secret, GError **error);

/**
 * secret_to_pipe:
 *
 * Puts a secret into a pipe for a child. So the secret is not in a command line, an environment or
 * a file.
 *
 * Returns: a descriptor to read the secret from once, closed on exec, or -1 with @error set
 */
int secret_to_pipe (const SatinSecret *secret, GError **error);

G_END_DECLS
