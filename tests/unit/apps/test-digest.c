/* test-digest.c - tests the digest of many numbers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "common/digest.h"

static void
test_digest_is_that_of_little_endian_bytes (void)
{
  static const double numbers[] = { 1, -2.5 };
  /* printf '\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\x04\xc0' | sha256sum */
  g_autofree char *digest = app_digest (numbers, 2), *none = app_digest (NULL, 0);
  g_assert_cmpstr (digest, ==, "f138ae8a7b9a72de");
  g_assert_cmpstr (none, ==, "e3b0c44298fc1c14");
}

static void
test_digest_of_bytes_is_their_checksum (void)
{
  static const guint8 bytes[] = { 'a', 'b', 'c' };
  /* printf abc | sha256sum */
  g_autofree char *digest = app_digest_bytes (bytes, 3);
  g_assert_cmpstr (digest, ==, "ba7816bf8f01cfea");
}

static void
test_digest_tells_zeros_apart (void)
{
  static const double zero = 0.0, minus = -0.0;
  g_autofree char *a = app_digest (&zero, 1), *b = app_digest (&minus, 1);
  g_assert_cmpstr (a, !=, b);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-digest/digest-is-of-little-endian-bytes",
                   test_digest_is_that_of_little_endian_bytes);
  g_test_add_func ("/app-digest/digest-tells-zeros-apart", test_digest_tells_zeros_apart);
  g_test_add_func ("/app-digest/digest-of-bytes-is-their-checksum",
                   test_digest_of_bytes_is_their_checksum);
  return g_test_run ();
}
