/* test-storage-gridftp-failure.c - tests how messages of the Globus library become error codes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "failure.h"

static void
test_refusal_of_a_login (void)
{
  g_assert_cmpint (failure_code ("globus_ftp_client: the server responded with an error\n"
                                 "530 Login incorrect.\r\n"),
                   ==, SATIN_ERROR_SECRET);
  g_assert_cmpint (failure_code ("530-Sorry\r\n530 Go away.\r\n"), ==, SATIN_ERROR_SECRET);
}

/* A port may contain the digits of a reply's code. */
static void
test_digits_of_a_reply_elsewhere (void)
{
  g_assert_cmpint (failure_code ("globus_xio: Unable to connect to 127.0.0.1:53067\n"
                                 "globus_xio: A system call failed: Connection refused\n"),
                   ==, SATIN_ERROR_UNREACHABLE);
  g_assert_cmpint (failure_code ("Unable to connect to 127.0.0.1:530 \nConnection refused\n"), ==,
                   SATIN_ERROR_UNREACHABLE);
}

static void
test_number_of_the_system (void)
{
  g_assert_cmpint (failure_code ("500 Command failed\r\nGridFTP-Errno: 28\r\n"), ==,
                   SATIN_ERROR_LIMIT);
  g_assert_cmpint (failure_code ("500 Command failed\r\nGridFTP-Errno: 5\r\n530 \r\n"), ==,
                   SATIN_ERROR_IO);
}

static void
test_unready_library (void)
{
  g_assert_true (failure_is_unready (
      "globus_ftp_control_local_port(): Handle not in the proper state CONNECT_READ."));
  g_assert_false (failure_is_unready (
      "globus_ftp_control_data_write(): Handle not in the proper state CLOSING."));
  g_assert_false (failure_is_unready ("500 Command failed\r\nGridFTP-Errno: 5\r\n"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/storage-gridftp-failure/login-is-refused", test_refusal_of_a_login);
  g_test_add_func ("/ft/storage-gridftp-failure/a-port-is-no-reply",
                   test_digits_of_a_reply_elsewhere);
  g_test_add_func ("/ft/storage-gridftp-failure/number-of-the-system-counts-first",
                   test_number_of_the_system);
  g_test_add_func ("/ft/storage-gridftp-failure/unready-before-the-server-hears",
                   test_unready_library);
  return g_test_run ();
}
