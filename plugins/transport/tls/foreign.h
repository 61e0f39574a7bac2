/* foreign.h - notices when only one of two sides uses TLS
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

/* The answer of a side that notices that only one of the two has a secret: a TLS record of
 * TCP_MISMATCH_BYTES with the alert "insufficient security" (TCP_MISMATCH_ALERT). */
#define TCP_MISMATCH_BYTES 7
#define TCP_MISMATCH_ALERT 71
extern const guint8 tcp_mismatch[TCP_MISMATCH_BYTES];

/* For StreamOptions.check_first, on links without a secret. */
gboolean tcp_check_first (gpointer data, gboolean is_accepting, const guint8 *bytes, gsize n_bytes,
                          GBytes **ret_answer, GError **error);
