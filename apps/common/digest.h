/* digest.h - a short name for many numbers, to compare the results of runs
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/api.h>

G_BEGIN_DECLS

/**
 * app_digest:
 * @numbers: (array length=n_numbers)
 *
 * Computes a digest that two arrays have in common only if they have the same bits. It is the same
 * on machines of all byte orders.
 *
 * Returns: (transfer full): 16 hexadecimal digits, the first of a SHA-256
 */
char *app_digest (const double *numbers, gsize n_numbers);

/* Like app_digest(), for bytes. Returns: (transfer full): 16 hexadecimal digits */
char *app_digest_bytes (const guint8 *bytes, gsize n_bytes);

G_END_DECLS
