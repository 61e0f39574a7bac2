/* sftp-private.h - the steps before and after each SFTP request
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "sftp.h"

/* Begins a request. Returns: %FALSE with @error when there is no connection, or an interrupt was
 * raised */
gboolean sftp_begin (Sftp *self, GError **error);
/* Ends a request. @status: the result of libssh2. @ret_reason: 0, or the server's reason for
 * refusing. Returns: %FALSE with @error when no valid answer came; the connection is closed then */
gboolean sftp_take_answer (Sftp *self, gssize status, const char *what, gulong *ret_reason,
                           GError **error);
/* Like sftp_take_answer(), but also fails with @error when the server refused. */
gboolean sftp_end (Sftp *self, gssize status, const char *what, const char *name, GError **error);
/* Sets @error for a refusal. @reason: the server's, for example LIBSSH2_FX_FAILURE. Returns:
 * %FALSE */
gboolean sftp_fail (Sftp *self, gulong reason, const char *what, const char *name, GError **error);
