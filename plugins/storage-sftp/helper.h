/* helper.h - a second login that reads a part
 *
 * libssh2 keeps one core busy with the cipher long before a fast link is full; so a thread with a
 * login of its own reads about half of what is large. It reads only the very file that the first
 * login has open: both opened what has the name, and see the same length and time of the last
 * change, which every replace makes rise. As long as it has no login, or another file, the first
 * login reads all. (Nothing is written so: a link that breaks would leave a gap.)
 *
 *     caller                           the helper's thread
 *     helper_open      -- ORDERED ->   opens the file
 *     opens the file   <- OPEN --      or READY, when it cannot
 *     helper_read      -- WORKING ->   takes parts, as the caller does
 *                      <- DONE --      closes the file
 *     helper_leave     <- READY --
 *
 * Threads: one at a time, which is not the helper's own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "remote.h"

typedef struct _Helper Helper;

/* What is wanted of an open file. */
typedef struct
{
  const char *name;
  guint64 offset;
  guint8 *buffer; /* (borrowed) */
  gsize n_bytes;
} Wanted;

/* @main: the first login; outlives the helper. @params: of the storage. Returns: (transfer full)
 * (nullable): %NULL with @error when the process has no descriptor left */
Helper *helper_new (const Remote *main, const SatinParams *params, GError **error);
/* Ends its thread and its login. */
void helper_free (Helper *self);

/* Has it open what has the name, while the caller does so, too, to read up to @n_bytes of it. */
void helper_open (Helper *self, const char *name, gsize n_bytes);
/* Reads the file that @sftp has open, of which the server told @attrs; both read when the helper
 * has it open, too. @ret_n_bytes: less than @wanted at the file's end. Returns: %FALSE with the
 * @error of whose part failed first */
gboolean helper_read (Helper *self, Sftp *sftp, const LIBSSH2_SFTP_ATTRIBUTES *attrs,
                      const Wanted *wanted, gsize *ret_n_bytes, GError **error);
/* Ends what helper_open() began: waits until the helper has closed the file. @is_done: else
 * something has failed, and the helper is interrupted */
void helper_leave (Helper *self, gboolean is_done);
