/* test-storage-sftp-address.c - tests the parser of sftp:// URIs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "address.h"

#include <string.h>

static void
expect (const char *uri, const char *user, const char *host, guint port, const char *path,
        const char *known)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *found = NULL;
  g_autoptr (SshAddress) address = address_parse (uri, &found, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (address->user, ==, user);
  g_assert_cmpstr (address->host, ==, host);
  g_assert_cmpuint (address->port, ==, port);
  g_assert_cmpstr (found, ==, path);
  g_assert_cmpstr (address->known, ==, known);
}

static void
test_all_parts_are_understood (void)
{
  expect ("sftp://ann@example.org:2022/var/runs", "ann", "example.org", 2022, "/var/runs",
          "[example.org]:2022");
}

static void
test_user_and_port_may_be_left_out (void)
{
  expect ("sftp://example.org/runs", g_get_user_name (), "example.org", 22, "/runs", "example.org");
}

static void
test_address_of_version_6_has_brackets (void)
{
  expect ("sftp://ann@[::1]:2022/runs", "ann", "::1", 2022, "/runs", "[::1]:2022");
  expect ("sftp://ann@[::1]/runs", "ann", "::1", 22, "/runs", "::1");
}

static void
test_path_below_the_login_folder (void)
{
  expect ("sftp://ann@h/~/runs/", "ann", "h", 22, "runs", "h");
  expect ("sftp://ann@h/~", "ann", "h", 22, ".", "h");
  expect ("sftp://ann@h/", "ann", "h", 22, "/", "h");
}

static void
test_escapes_are_resolved (void)
{
  expect ("sftp://ann%40home@h/a%20b//", "ann@home", "h", 22, "/a b", "h");
}

static void
test_others_are_refused (void)
{
  static const char *const wrong[] = {
    "sftp:",         "sftp://",          "sftp://host",  "ftp://h/x",        "sftp:///x",
    "sftp://@h/x",   "sftp://h:/x",      "sftp://h:0/x", "sftp://h:65536/x", "sftp://h:1a/x",
    "sftp://[::1/x", "sftp://[::1]22/x", "sftp://h/%zz", "sftp://h/a%00b",   "sftp://:1/x",
  };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      char *path = NULL;
      g_assert_null (address_parse (wrong[i], &path, &error));
      g_assert_null (path);
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
    }
}

static void
test_password_is_refused_and_not_repeated (void)
{
  static const char *const uris[] = { "sftp://ann:hunter2@h/x", "ftp://ann:hunter2@h/x" };
  for (guint i = 0; i < G_N_ELEMENTS (uris); i++)
    {
      g_autoptr (GError) error = NULL;
      char *path = NULL;
      g_assert_null (address_parse (uris[i], &path, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
      g_assert_null (strstr (error->message, "hunter2"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/storage-sftp/address/" path, func)
  CLAIM ("all-parts-are-understood", test_all_parts_are_understood);
  CLAIM ("user-and-port-may-be-left-out", test_user_and_port_may_be_left_out);
  CLAIM ("address-of-version-6-has-brackets", test_address_of_version_6_has_brackets);
  CLAIM ("path-below-the-login-folder", test_path_below_the_login_folder);
  CLAIM ("escapes-are-resolved", test_escapes_are_resolved);
  CLAIM ("others-are-refused", test_others_are_refused);
  CLAIM ("password-is-refused-and-not-repeated", test_password_is_refused_and_not_repeated);
  return g_test_run ();
}
