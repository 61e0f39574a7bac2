/* bytes.h - bytes as hexadecimal digits, and numbers as bytes
 *
 * A *varint* is an unsigned number in as few bytes as it needs: groups of 7 bits, the lowest group
 * first. Bit 7 is set in all bytes but the last (LEB128). Avro writes an int or a long as a varint
 * after a zigzag.
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
 * Writes each byte as two lower-case digits. Do not use it for secrets: nobody wipes the text when
 * it is freed.
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
 * Like satin_hex(), but writes into memory of the caller. Cost: O(n_bytes), no allocation.
 */
SATIN_API void satin_hex_write (const guint8 *bytes, gsize n_bytes, char *ret_text);

/* The longest varint, that of a number of 64 bits. */
#define SATIN_VARINT_MAX_BYTES 10

/**
 * satin_varint_write:
 * @to: where to write; there is room for %SATIN_VARINT_MAX_BYTES
 * @value: any number
 *
 * Returns: the address behind the last byte that was written
 */
static inline guint8 *
satin_varint_write (guint8 *to, guint64 value)
{
  for (; value >= 0x80; value >>= 7)
    *to++ = (guint8)(value | 0x80);
  *to++ = (guint8)value;
  return to;
}

/**
 * satin_varint_read:
 * @bytes: (array length=n_bytes): may come from outside
 * @at: (inout): offset of the number, at most @n_bytes; then the offset behind it. Untouched on
 *   failure
 * @ret_value: (out): untouched on failure
 *
 * Returns: %FALSE when the bytes end within the number, or the number has more than 64 bits
 */
static inline gboolean
satin_varint_read (const guint8 *bytes, gsize n_bytes, gsize *at, guint64 *ret_value)
{
  guint64 value = 0;
  gsize n_max = MIN (n_bytes - *at, SATIN_VARINT_MAX_BYTES);
  for (gsize i = 0; i < n_max; i++)
    {
      guint8 byte = bytes[*at + i];
      if (i == SATIN_VARINT_MAX_BYTES - 1 && byte > 1)
        return FALSE;
      value |= (guint64)(byte & 0x7f) << (7 * i);
      if (byte >= 0x80)
        continue;
      *at += i + 1;
      *ret_value = value;
      return TRUE;
    }
  return FALSE;
}

G_END_DECLS
