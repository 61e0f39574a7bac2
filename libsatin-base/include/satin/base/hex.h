/* hex.h - bytes as hexadecimal digits
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/api.h>

G_BEGIN_DECLS

/**
 * satin_hex:
 * @bytes: (array length=n_bytes) (nullable): may be %NULL when @n_bytes is 0
 *
 * Two small digits for each byte. Not for secrets: the text is not wiped when it is freed.
 *
 * Cost: O(n_bytes).
 *
 * Returns: (transfer full): 2 * @n_bytes digits and a 0; free with g_free()
 */
SATIN_API char *satin_hex (const guint8 *bytes, gsize n_bytes);

/**
 * satin_hex_write:
 * @bytes: (array length=n_bytes) (nullable): may be %NULL when @n_bytes is 0
 * @ret_text: (out caller-allocates): room for 2 * @n_bytes digits and a 0
 *
 * Like satin_hex(), into memory of the caller. Cost: O(n_bytes), no allocation.
 */
SATIN_API void satin_hex_write (const guint8 *bytes, gsize n_bytes, char *ret_text);

G_END_DECLS
