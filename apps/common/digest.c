/* digest.c - a short name for many numbers, to compare the results of runs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "digest.h"

#include <string.h>

#define DIGEST_DIGITS 16

char *
app_digest (const double *numbers, gsize n_numbers)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  for (gsize i = 0; i < n_numbers; i++)
    {
      guint64 bits;
      memcpy (&bits, &numbers[i], sizeof bits);
      bits = GUINT64_TO_LE (bits);
      g_checksum_update (sum, (const guint8 *)&bits, sizeof bits);
    }
  return g_strndup (g_checksum_get_string (sum), DIGEST_DIGITS);
}

char *
app_digest_bytes (const guint8 *bytes, gsize n_bytes)
{
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, bytes, n_bytes);
  return g_strndup (sum, DIGEST_DIGITS);
}
