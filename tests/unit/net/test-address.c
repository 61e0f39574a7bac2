/* test-address.c - tests which texts are addresses, and which hosts are loopback
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/net/address.h>

#include <string.h>

static void
test_addresses_are_taken (void)
{
  static const char *const right[] = { "tcp://host:1",  "tcp://[::1]:7",
                                       "unix:/run/a b", "ssh://u@g:22/h:1",
                                       "pipe:x",        "sim:1",
                                       "x-y+z.1:/",     "unix:/run/\303\251t\303\251" };

  for (guint i = 0; i < G_N_ELEMENTS (right); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (satin_address_check (right[i], &error));
      g_assert_no_error (error);
    }
}

static void
test_others_are_refused (void)
{
  static const char *const wrong[] = { NULL,    "",           "nocolon",    ":",
                                       "://x",  "tcp:",       "tcp://",     "1:x",
                                       "a b:c", "tcp://a\nb", "unix:/\377", "/run/x" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (satin_address_check (wrong[i], &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
    }
}

static void
test_length_is_bounded (void)
{
  g_autofree char *text = g_strnfill (SATIN_ADDRESS_MAX_BYTES + 1, 'x');
  g_autoptr (GError) error = NULL;

  memcpy (text, "unix:/", strlen ("unix:/"));
  g_assert_false (satin_address_check (text, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  text[SATIN_ADDRESS_MAX_BYTES] = '\0';
  g_assert_true (satin_address_check (text, NULL));
}

static void
test_loopback_is_a_number_or_localhost (void)
{
  static const char *const here[] = { "localhost", "127.0.0.1", "127.8.9.10", "::1",
                                      "0:0:0:0:0:0:0:1" };
  static const char *const elsewhere[] = { "127.example.org",
                                           "127.0.0.1.example.org",
                                           "localhost.example.org",
                                           "10.0.0.1",
                                           "::2",
                                           "127",
                                           "",
                                           "[::1]" };

  for (guint i = 0; i < G_N_ELEMENTS (here); i++)
    g_assert_true (satin_address_is_loopback (here[i]));
  for (guint i = 0; i < G_N_ELEMENTS (elsewhere); i++)
    g_assert_false (satin_address_is_loopback (elsewhere[i]));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/address/addresses-are-taken", test_addresses_are_taken);
  g_test_add_func ("/net/address/others-are-refused", test_others_are_refused);
  g_test_add_func ("/net/address/length-is-bounded", test_length_is_bounded);
  g_test_add_func ("/net/address/loopback-is-a-number-or-localhost",
                   test_loopback_is_a_number_or_localhost);
  return g_test_run ();
}
