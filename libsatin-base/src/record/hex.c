/* hex.c - bytes as hexadecimal digits
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/bytes.h>

void
satin_hex_write (const guint8 *bytes, gsize n_bytes, char *ret_text)
{
  static const char digits[] = "0123456789abcdef";
  g_return_if_fail (bytes != NULL || n_bytes == 0);
  g_return_if_fail (ret_text != NULL);

  for (gsize i = 0; i < n_bytes; i++)
    {
      *ret_text++ = digits[bytes[i] >> 4];
      *ret_text++ = digits[bytes[i] & 15];
    }
  *ret_text = '\0';
}

char *
satin_hex (const guint8 *bytes, gsize n_bytes)
{
  g_return_val_if_fail (bytes != NULL || n_bytes == 0, NULL);
  g_return_val_if_fail (n_bytes < G_MAXSIZE / 2, NULL);

  char *text = g_malloc (2 * n_bytes + 1);
  satin_hex_write (bytes, n_bytes, text);
  return text;
}
