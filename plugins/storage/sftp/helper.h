/* helper.h - a second login that does a part
 *
 * libssh2 keeps one core busy with the cipher long before a fast link is full; so a thread with a
 * login of its own does about half of what is large. It works only on the very file that the first
 * login has open: both opened what has the name, and see the same length and time of the last
 * change, which every replace makes rise. As long as it has no login, or another file, the first
 * login does all.
 *
 * A link that breaks may leave gaps in what was written, so it writes only where nobody looks yet
 * (making.c).
 *
 *     caller                           the helper's thread
 *     helper_open      -- ORDERED ->   opens the file
 *     opens the file   <- OPEN --      or READY, when it cannot
 *     helper_transfer  -- WORKING ->   takes parts, as the caller does
 *                      <- DONE --      closes the file
 *     helper_leave     <- READY --
 *
 * Threads: one at a time, which is not the helper's own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "parts.h"
#include "remote.h"

typedef struct _Helper Helper;

/* @main: the first login; outlives the helper. @params: of the storage. Returns: (transfer full)
 * (nullable): %NULL with @error when the process has no descriptor left */
Helper *helper_new (const Remote *main, const SatinParams *params, GError **error);
/* Ends its thread and its login. */
void helper_free (Helper *self);

/* Whether so many bytes are worth its work. */
gboolean helper_is_worth (const Helper *self, gsize n_bytes);
/* It would be of use from now on: begins to log in, unless it has, or failed a short while ago. */
void helper_log_in (Helper *self);
/* Has it open what has the name, while the caller does so, too; only when it has a login. */
void helper_open (Helper *self, const char *name, gulong flags);
/* Writes or reads the file that @sftp has open, of which the server told @attrs; both do when the
 * helper has it open, too. @ret_n_bytes: less than wanted when a read came to the file's end.
 * Returns: %FALSE with the @error of whose part failed first */
gboolean helper_transfer (Helper *self, Sftp *sftp, const LIBSSH2_SFTP_ATTRIBUTES *attrs,
                          const Transfer *transfer, gsize *ret_n_bytes, GError **error);
/* Ends what helper_open() began: waits until the helper has closed the file. @is_done: else
 * something has failed, and the helper is interrupted */
void helper_leave (Helper *self, gboolean is_done);
