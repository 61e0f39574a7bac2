/* test-hex.c - tests bytes as hexadecimal digits
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/bytes.h>

#include <string.h>

static void
test_each_byte_is_two_small_digits (void)
{
  guint8 bytes[256];
  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (guint8)i;
  g_autofree char *text = satin_hex (bytes, sizeof bytes);
  g_assert_cmpuint (strlen (text), ==, 2 * sizeof bytes);
  for (guint i = 0; i < sizeof bytes; i++)
    {
      g_autofree char *expected = g_strdup_printf ("%02x", i);
      g_assert_cmpmem (text + 2 * (gsize)i, 2, expected, 2);
    }
}

static void
test_nothing_has_no_digits (void)
{
  g_autofree char *text = satin_hex (NULL, 0);
  g_assert_cmpstr (text, ==, "");
}

static void
test_written_text_ends_where_it_should (void)
{
  static const guint8 bytes[] = { 0x0f, 0xa0 };
  char text[] = "........";
  satin_hex_write (bytes, sizeof bytes, text + 1);
  g_assert_cmpmem (text, sizeof text, ".0fa0\0..", sizeof text);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/hex/each-byte-is-two-small-digits", test_each_byte_is_two_small_digits);
  g_test_add_func ("/base/hex/nothing-has-no-digits", test_nothing_has_no_digits);
  g_test_add_func ("/base/hex/written-text-ends-where-it-should",
                   test_written_text_ends_where_it_should);
  return g_test_run ();
}
