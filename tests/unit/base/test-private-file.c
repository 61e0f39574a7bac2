/* test-private-file.c - tests which files may hold a secret
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/file.h>

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder, and a file in it that only its owner may use. */
typedef struct
{
  char *folder; /* (owned) */
  char *path;   /* (owned) */
} World;

static void
set_up (World *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("satin-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "secret", NULL);
  g_assert_true (g_file_set_contents (self->path, "x", 1, NULL));
  g_assert_cmpint (g_chmod (self->path, 0600), ==, 0);
}

static void
tear_down (World *self, gconstpointer data)
{
  g_unlink (self->path);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
}

static void
assert_refused (const char *path, SatinErrorCode code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (satin_private_file_open (path, "key", &error), ==, -1);
  g_assert_error (error, SATIN_ERROR, (int)code);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_nonnull (strstr (error->message, path));
}

static void
test_file_of_its_owner_is_opened (World *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  char byte = 0;
  int fd = satin_private_file_open (self->path, "key", &error);

  g_assert_no_error (error);
  g_assert_cmpint (read (fd, &byte, 1), ==, 1);
  g_assert_cmpint (byte, ==, 'x');
  close (fd);
}

static void
test_absent_file_is_not_found (World *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "absent", NULL);

  assert_refused (path, SATIN_ERROR_NOT_FOUND, "key");
}

static void
test_file_that_others_may_use_is_refused (World *self, gconstpointer data)
{
  g_assert_cmpint (g_chmod (self->path, 0604), ==, 0);
  assert_refused (self->path, SATIN_ERROR_SECRET, "chmod 600");
}

static void
test_folder_is_refused (World *self, gconstpointer data)
{
  assert_refused (self->folder, SATIN_ERROR_SECRET, "not a plain file");
}

/* The call must not wait until something is written to the pipe. */
static void
test_pipe_is_refused (World *self, gconstpointer data)
{
  g_assert_cmpint (g_unlink (self->path), ==, 0);
  g_assert_cmpint (mkfifo (self->path, 0600), ==, 0);
  assert_refused (self->path, SATIN_ERROR_SECRET, "not a plain file");
}

static void
test_file_of_another_user_is_refused (World *self, gconstpointer data)
{
  if (chown (self->path, 12345, (gid_t)-1) != 0)
    {
      g_test_skip ("this user cannot give files away");
      return;
    }
  assert_refused (self->path, SATIN_ERROR_SECRET, "belongs to another user (12345)");
}

static void
assert_unread (World *self, gsize max_bytes, const char *words)
{
  g_autoptr (GError) error = NULL;
  gsize n_bytes = 0;

  g_assert_null (satin_private_file_read (self->path, "key", max_bytes, &n_bytes, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_SECRET);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_what_is_read_is_all (World *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gsize n_bytes = 0;
  char *text = NULL;

  g_assert_true (
      g_file_set_contents_full (self->path, "two\0parts", 9, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  text = satin_private_file_read (self->path, "key", 9, &n_bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (text, n_bytes + 1, "two\0parts", 10);
  satin_private_free (text, n_bytes);
  assert_unread (self, 8, "more than 8 bytes");
}

static void
test_what_others_may_use_is_not_read (World *self, gconstpointer data)
{
  g_assert_cmpint (g_chmod (self->path, 0640), ==, 0);
  assert_unread (self, 100, "chmod 600");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(claim, func)                                                                         \
  g_test_add ("/base/private-file/" claim, World, NULL, set_up, func, tear_down)
  CLAIM ("of-its-owner-is-opened", test_file_of_its_owner_is_opened);
  CLAIM ("what-is-read-is-all", test_what_is_read_is_all);
  CLAIM ("what-others-may-use-is-not-read", test_what_others_may_use_is_not_read);
  CLAIM ("absent-is-not-found", test_absent_file_is_not_found);
  CLAIM ("that-others-may-use-is-refused", test_file_that_others_may_use_is_refused);
  CLAIM ("folder-is-refused", test_folder_is_refused);
  CLAIM ("pipe-is-refused", test_pipe_is_refused);
  CLAIM ("of-another-user-is-refused", test_file_of_another_user_is_refused);
  return g_test_run ();
}
