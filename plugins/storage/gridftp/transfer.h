/* transfer.h - moves bytes over a session: put, get and list
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "session.h"

G_BEGIN_DECLS

/* Puts @n_bytes, 1 or more, at @offset, where the file must end. @is_parallel: use all streams.
 * Their blocks arrive in any order, so a transfer that breaks off may leave holes */
gboolean transfer_put (Session *self, const char *name, guint64 offset, const guint8 *bytes,
                       gsize n_bytes, gboolean is_parallel, GError **error);

/* Gets @n_bytes, 1 or more, from @offset on, or fewer if the file ends before. */
gboolean transfer_get (Session *self, const char *name, guint64 offset, guint8 *buffer,
                       gsize n_bytes, gsize *ret_n_bytes, GError **error);

/* Returns: (transfer full) (nullable): the lines of MLSD */
GByteArray *transfer_list (Session *self, GError **error);

G_END_DECLS
