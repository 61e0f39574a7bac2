/* sftp-private.h - what goes before and after each request
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "sftp.h"

/* Returns: %FALSE with @error when there is no connection, or somebody has interrupted */
gboolean sftp_begin (Sftp *self, GError **error);
/* A request was answered, or cannot be any more. @status: what libssh2 returned. @ret_reason: 0, or
 * why the server refused. Returns: %FALSE with @error when the connection is gone */
gboolean sftp_take_answer (Sftp *self, gssize status, const char *what, gulong *ret_reason,
                           GError **error);
/* Likewise, when each refusal is an error. */
gboolean sftp_end (Sftp *self, gssize status, const char *what, const char *name, GError **error);
/* @reason: of the server, LIBSSH2_FX_FAILURE and its like. Returns: %FALSE with @error */
gboolean sftp_fail (Sftp *self, gulong reason, const char *what, const char *name, GError **error);
