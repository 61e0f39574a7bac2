/* test-storage-file.c - tests what only the storage plugin file does
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage-handle.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define N_BYTES 10

static SatinStorageOps ops;

static const guint8 *const bytes = (const guint8 *)"0123456789";

/* A folder, and a handle of the storage on it. */
typedef struct
{
  char *path;       /* (owned) */
  gpointer storage; /* (owned) */
} World;

static void
set_up (World *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  self->path = g_dir_make_tmp ("satin-file-XXXXXX", &error);
  g_assert_no_error (error);
  g_autofree char *uri = g_strconcat ("file:", self->path, NULL);
  self->storage = storage_handle_open ("file", uri, NULL, &ops);
}

static void
tear_down (World *self, gconstpointer data)
{
  g_autofree char *log = g_build_filename (self->path, "log", NULL);
  ops.close (self->storage);
  g_unlink (log);
  g_assert_cmpint (g_rmdir (self->path), ==, 0);
  g_free (self->path);
}

/* Returns: a descriptor of the file "log" */
static int
open_log (World *self)
{
  g_autofree char *path = g_build_filename (self->path, "log", NULL);
  int fd = open (path, O_RDWR | O_CLOEXEC);
  g_assert_cmpint (fd, >=, 0);
  return fd;
}

static void
test_writer_beside_another_is_refused (World *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (ops.append (self->storage, "log", 0, bytes, N_BYTES, NULL));
  int fd = open_log (self);
  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  g_assert_false (ops.append (self->storage, "log", N_BYTES, bytes, N_BYTES, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_cmpstr (storage_handle_list (&ops, self->storage), ==, "log 10;");
  close (fd);
  g_assert_true (ops.append (self->storage, "log", N_BYTES, bytes, N_BYTES, NULL));
}

static void
test_append_keeps_nobody_away_when_it_is_over (World *self, gconstpointer data)
{
  g_assert_true (ops.append (self->storage, "log", 0, bytes, N_BYTES, NULL));
  int fd = open_log (self);
  g_assert_cmpint (flock (fd, LOCK_EX | LOCK_NB), ==, 0);
  close (fd);
}

static void
test_file_is_for_its_owner_alone (World *self, gconstpointer data)
{
  struct stat status;
  g_assert_true (ops.append (self->storage, "log", 0, bytes, N_BYTES, NULL));
  int fd = open_log (self);
  g_assert_cmpint (fstat (fd, &status), ==, 0);
  close (fd);
  g_assert_cmpuint (status.st_mode & 07777, ==, 0600);
}

static void
test_folder_is_found_however_it_is_written (World *self, gconstpointer data)
{
  static const char *const forms[] = { "file:%s", "file:%s/", "file://%s", "file://localhost%s" };
  g_assert_true (ops.append (self->storage, "log", 0, bytes, N_BYTES, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autoptr (GString) uri = g_string_new (forms[i]);
      g_string_replace (uri, "%s", self->path, 0);
      gpointer storage = storage_handle_open ("file", uri->str, NULL, &ops);
      g_assert_cmpstr (storage_handle_list (&ops, storage), ==, "log 10;");
      ops.close (storage);
    }
}

/* The process may not make files larger than 1 MiB. */
static void
test_failed_append_has_no_bytes_behind_its_end (World *self, gconstpointer data)
{
  gsize n_bytes = 3 << 20;
  g_autofree guint8 *large = g_malloc0 (n_bytes);
  g_autoptr (GError) error = NULL;
  struct rlimit before, bound;
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  bound = (struct rlimit){ .rlim_cur = 1 << 20, .rlim_max = before.rlim_max };
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &bound), ==, 0);
  gboolean is_done = ops.append (self->storage, "log", 0, large, n_bytes, &error);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_false (is_done);
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_assert_cmpstr (storage_handle_list (&ops, self->storage), ==, "log 1048576;");
}

/* No process can make a file in /proc/self. The system's error for that is "no such file". */
static void
test_new_file_that_cannot_be_made_is_an_error (World *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gpointer storage = storage_handle_open ("file", "file:/proc/self", NULL, &ops);
  g_assert_false (ops.append (storage, "log", 0, bytes, N_BYTES, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "/proc/self"));
  ops.close (storage);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func)                                                                          \
  g_test_add ("/ft/storage-file/" path, World, NULL, set_up, func, tear_down)
  CLAIM ("writer-beside-another-is-refused", test_writer_beside_another_is_refused);
  CLAIM ("append-keeps-nobody-away-when-it-is-over", test_append_keeps_nobody_away_when_it_is_over);
  CLAIM ("new-file-that-cannot-be-made-is-an-error", test_new_file_that_cannot_be_made_is_an_error);
  CLAIM ("file-is-for-its-owner-alone", test_file_is_for_its_owner_alone);
  CLAIM ("folder-is-found-however-it-is-written", test_folder_is_found_however_it_is_written);
  CLAIM ("failed-append-has-no-bytes-behind-its-end",
         test_failed_append_has_no_bytes_behind_its_end);
  return g_test_run ();
}
