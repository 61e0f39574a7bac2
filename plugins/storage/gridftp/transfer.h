/* transfer.h - moving bytes over a session
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "session.h"

G_BEGIN_DECLS

/* Puts @n_bytes, 1 or more, at @offset of a file that ends there. @is_parallel: over all streams,
 * whose blocks arrive in any order: a transfer that breaks off may leave holes */
gboolean transfer_put (Session *self, const char *name, guint64 offset, const guint8 *bytes,
                       gsize n_bytes, gboolean is_parallel, GError **error);

/* Gets @n_bytes, 1 or more, from @offset on, or up to the end of the file. */
gboolean transfer_get (Session *self, const char *name, guint64 offset, guint8 *buffer,
                       gsize n_bytes, gsize *ret_n_bytes, GError **error);

/* Returns: (transfer full) (nullable): the lines of MLSD */
GByteArray *transfer_list (Session *self, GError **error);

G_END_DECLS
