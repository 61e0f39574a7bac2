/* foreign.h - notices when one side wants TLS and the other does not
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

/* What a side that has a secret says to one that has none, and the other way round: a TLS record
 * with the alert "insufficient security". */
#define TCP_MISMATCH_BYTES 7
#define TCP_MISMATCH_ALERT 71
extern const guint8 tcp_mismatch[TCP_MISMATCH_BYTES];

/* StreamOptions.check_first of links without a secret. */
gboolean tcp_check_first (gpointer data, gboolean is_accepting, const guint8 *bytes, gsize n_bytes,
                          GBytes **ret_answer, GError **error);
