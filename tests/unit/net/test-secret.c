/* test-secret.c - tests the secret's form in a file, and which files are refused
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/net/secret.h>

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define KEY_A "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define KEY_B "fFfEfDfCfBfAf9f8f7f6f5f4f3f2f1f0efeeedecebeae9e8e7e6e5e4e3e2e1e0"

/* Returns: (transfer full): the path of a file with @text, in a folder of its own */
static char *
write_file (const char *text, int mode)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("satin-XXXXXX", &error);
  g_assert_no_error (error);
  char *path = g_build_filename (folder, "secret", NULL);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_chmod (path, mode), ==, 0);
  return path;
}

static void
remove_file (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static SatinSecret *
read_text (const char *text, GError **error)
{
  g_autofree char *path = write_file (text, 0600);
  SatinSecret *secret = satin_secret_read_file (path, error);
  remove_file (path);
  return secret;
}

static void
test_one_line_is_one_key (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinSecret) secret = read_text (KEY_A "\n", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (secret->n_keys, ==, 1);
  for (guint i = 0; i < SATIN_SECRET_KEY_BYTES; i++)
    g_assert_cmpuint (secret->keys[0][i], ==, i);
}

static void
test_two_lines_are_two_keys (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinSecret) secret = read_text (KEY_A "\n" KEY_B "\n", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (secret->n_keys, ==, 2);
  for (guint i = 0; i < SATIN_SECRET_KEY_BYTES; i++)
    {
      g_assert_cmpuint (secret->keys[0][i], ==, i);
      g_assert_cmpuint (secret->keys[1][i], ==, 255 - i);
    }
}

static void
test_last_line_end_may_be_missing (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinSecret) secret = read_text (KEY_A, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (secret->n_keys, ==, 1);
}

static void
test_text_form_reads_back (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinSecret) secret = read_text (KEY_A "\n" KEY_B, &error);
  g_assert_no_error (error);
  g_autofree char *text = satin_secret_to_text (secret);
  g_autoptr (SatinSecret) again = read_text (text, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (secret, sizeof *secret, again, sizeof *again);
}

static void
test_what_is_no_secret_is_refused (void)
{
  static const char *const texts[] = {
    "",
    "\n",
    "secret",
    "00",
    KEY_A "0",
    KEY_A KEY_B,
    KEY_A "\n\n" KEY_B,
    KEY_A "\n" KEY_B "\n" KEY_A,
    KEY_A "\nzz",
    " " KEY_A,
    "g00102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
  };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (read_text (texts[i], &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_SECRET);
    }
}

static void
test_messages_hold_no_digit_of_it (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (read_text (KEY_A "\nabcdef0123", &error));
  g_assert_null (strstr (error->message, "000102"));
  g_assert_null (strstr (error->message, "abcdef"));
}

static void
test_file_others_may_read_is_refused (void)
{
  static const int modes[] = { 0640, 0604, 0644, 0620, 0660, 0601 };
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *path = write_file (KEY_A "\n", modes[i]);
      g_autofree char *mode = g_strdup_printf ("mode %04o", (guint)modes[i]);
      g_assert_null (satin_secret_read_file (path, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_SECRET);
      g_assert_nonnull (strstr (error->message, path));
      g_assert_nonnull (strstr (error->message, mode));
      g_assert_nonnull (strstr (error->message, "chmod 600"));
      remove_file (path);
    }
}

static void
test_absent_file_is_not_found (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (satin_secret_read_file ("/nowhere/at/all", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
}

static void
test_folder_is_no_secret (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("satin-XXXXXX", &error);
  g_assert_null (satin_secret_read_file (folder, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_SECRET);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_descriptor_is_read_and_closed (void)
{
  g_autoptr (GError) error = NULL;
  int ends[2];
  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  g_assert_cmpint (write (ends[1], KEY_A "\n", 65), ==, 65);
  close (ends[1]);
  g_autoptr (SatinSecret) secret = satin_secret_read_fd (ends[0], &error);
  g_assert_no_error (error);
  g_assert_cmpuint (secret->n_keys, ==, 1);
  g_assert_cmpint (fcntl (ends[0], F_GETFD), ==, -1);
  g_assert_cmpint (errno, ==, EBADF);
}

static void
test_descriptor_is_closed_on_failure_too (void)
{
  g_autoptr (GError) error = NULL;
  int ends[2];
  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  close (ends[1]);
  g_assert_null (satin_secret_read_fd (ends[0], &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_SECRET);
  g_assert_cmpint (fcntl (ends[0], F_GETFD), ==, -1);
}

static void
test_random_secrets_differ (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinSecret) one = satin_secret_new_random (&error);
  g_assert_no_error (error);
  g_autoptr (SatinSecret) two = satin_secret_new_random (&error);
  g_assert_no_error (error);
  g_assert_cmpuint (one->n_keys, ==, 1);
  g_assert_cmpint (memcmp (one->keys[0], two->keys[0], SATIN_SECRET_KEY_BYTES), !=, 0);
}

static void
test_copy_is_equal (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinSecret) secret = satin_secret_new_random (&error);
  g_assert_no_error (error);
  g_autoptr (SatinSecret) copy = satin_secret_copy (secret);
  g_assert_cmpmem (secret, sizeof *secret, copy, sizeof *copy);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/secret/one-line-is-one-key", test_one_line_is_one_key);
  g_test_add_func ("/net/secret/two-lines-are-two-keys", test_two_lines_are_two_keys);
  g_test_add_func ("/net/secret/last-line-end-may-be-missing", test_last_line_end_may_be_missing);
  g_test_add_func ("/net/secret/text-form-reads-back", test_text_form_reads_back);
  g_test_add_func ("/net/secret/what-is-no-secret-is-refused", test_what_is_no_secret_is_refused);
  g_test_add_func ("/net/secret/messages-hold-no-digit-of-it", test_messages_hold_no_digit_of_it);
  g_test_add_func ("/net/secret/file-others-may-read-is-refused",
                   test_file_others_may_read_is_refused);
  g_test_add_func ("/net/secret/absent-file-is-not-found", test_absent_file_is_not_found);
  g_test_add_func ("/net/secret/folder-is-no-secret", test_folder_is_no_secret);
  g_test_add_func ("/net/secret/descriptor-is-read-and-closed", test_descriptor_is_read_and_closed);
  g_test_add_func ("/net/secret/descriptor-is-closed-on-failure-too",
                   test_descriptor_is_closed_on_failure_too);
  g_test_add_func ("/net/secret/random-secrets-differ", test_random_secrets_differ);
  g_test_add_func ("/net/secret/copy-is-equal", test_copy_is_equal);
  return g_test_run ();
}
