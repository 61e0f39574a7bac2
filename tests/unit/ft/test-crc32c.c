/* test-crc32c.c - tests the check sum of checkpoints
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "log/crc32c.h"

#include <string.h>

static void
test_check_value (void)
{
  g_assert_cmphex (crc32c (0, (const guint8 *)"123456789", 9), ==, 0xe3069283);
}

/* These are examples of RFC 3720, B.4. */
static void
test_rfc_examples (void)
{
  guint8 bytes[32];
  memset (bytes, 0, sizeof bytes);
  g_assert_cmphex (crc32c (0, bytes, sizeof bytes), ==, 0x8a9136aa);
  memset (bytes, 0xff, sizeof bytes);
  g_assert_cmphex (crc32c (0, bytes, sizeof bytes), ==, 0x62a8ab43);
  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (guint8)i;
  g_assert_cmphex (crc32c (0, bytes, sizeof bytes), ==, 0x46dd794e);
}

static void
test_parts_make_the_whole (void)
{
  guint8 bytes[100];
  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (guint8)(i * 37);
  guint32 whole = crc32c (0, bytes, sizeof bytes);
  for (guint n = 0; n <= sizeof bytes; n++)
    g_assert_cmphex (crc32c (crc32c (0, bytes, n), bytes + n, sizeof bytes - n), ==, whole);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/crc32c/" path, func)
  CLAIM ("check-value-is-that-of-the-standard", test_check_value);
  CLAIM ("examples-of-the-rfc-are-right", test_rfc_examples);
  CLAIM ("parts-make-the-whole", test_parts_make_the_whole);
  return g_test_run ();
}
