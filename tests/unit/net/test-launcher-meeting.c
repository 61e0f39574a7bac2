/* test-launcher-meeting.c - tests the file through which the ranks of an srun meet
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "meeting.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SOON_US   ((gint64)50000)
#define LONG_US   ((gint64)60000000)
#define MAX_BYTES 64

typedef struct
{
  char *folder; /* (owned) */
  char *path;   /* (owned) */
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("satin-meeting-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "file", NULL);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_unlink (self->path);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
}

static void
give (Fixture *self, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_assert_true (meeting_give (self->path, bytes, &error));
  g_assert_no_error (error);
}

static void
assert_taken (Fixture *self, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = meeting_take (self->path, LONG_US, MAX_BYTES, &error);
  g_assert_no_error (error);
  gsize n;
  const char *data = g_bytes_get_data (bytes, &n);
  g_assert_cmpmem (data, n, text, strlen (text));
}

static void
assert_refused (Fixture *self, int code, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (meeting_take (self->path, SOON_US, MAX_BYTES, &error));
  g_assert_error (error, SATIN_ERROR, code);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_the_bytes_arrive (Fixture *self, gconstpointer data)
{
  give (self, "tcp://h:1\nsecret");
  assert_taken (self, "tcp://h:1\nsecret");
}

static gpointer
take (gpointer data)
{
  assert_taken (data, "late");
  return NULL;
}

/* The other rank may begin to wait before the file is there, or after that. */
static void
test_either_may_come_first (Fixture *self, gconstpointer data)
{
  GThread *thread = g_thread_new ("rank 1", take, self);
  give (self, "late");
  g_thread_join (thread);
}

static void
test_the_wait_has_an_end (Fixture *self, gconstpointer data)
{
  assert_refused (self, SATIN_ERROR_TIMEOUT, "rank 0 has not made the file");
}

static void
test_only_the_owner_can_read (Fixture *self, gconstpointer data)
{
  struct stat status;
  give (self, "secret");
  g_assert_cmpint (g_stat (self->path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
}

static void
test_an_open_file_is_refused (Fixture *self, gconstpointer data)
{
  give (self, "secret");
  g_assert_cmpint (g_chmod (self->path, 0644), ==, 0);
  assert_refused (self, SATIN_ERROR_SECRET, "file");
}

static void
test_a_large_file_is_refused (Fixture *self, gconstpointer data)
{
  g_autofree char *text = g_strnfill (MAX_BYTES + 1, 'x');
  give (self, text);
  assert_refused (self, SATIN_ERROR_SECRET, "file");
}

static void
test_an_older_file_is_replaced (Fixture *self, gconstpointer data)
{
  give (self, "old");
  give (self, "new");
  assert_taken (self, "new");
}

static void
test_a_missing_folder_is_told (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static ("x", 1);
  g_assert_false (meeting_give ("/nowhere/at/all", bytes, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "/nowhere/at/all"));
}

static void
test_each_step_has_its_name (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_setenv ("SLURM_CLUSTER_NAME", "test", TRUE);
  g_setenv ("SLURM_JOB_ID", "12", TRUE);
  g_setenv ("SLURM_STEP_ID", "3", TRUE);
  g_unsetenv ("SLURM_RESTART_COUNT");
  g_autofree char *first = meeting_name (&error);
  g_setenv ("SLURM_RESTART_COUNT", "1", TRUE);
  g_autofree char *again = meeting_name (&error);
  g_setenv ("SLURM_CLUSTER_NAME", "a/b", TRUE);
  g_autofree char *slash = meeting_name (&error);
  g_assert_no_error (error);
  g_assert_cmpstr (first, ==, ".satin-test-12.3.0");
  g_assert_cmpstr (again, ==, ".satin-test-12.3.1");
  g_assert_cmpstr (slash, ==, ".satin-a_b-12.3.1");
  g_unsetenv ("SLURM_STEP_ID");
  g_assert_null (meeting_name (&error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function)                                                                        \
  g_test_add ("/net/launcher-meeting/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("each-step-has-its-name", test_each_step_has_its_name);
  ADD ("the-bytes-arrive", test_the_bytes_arrive);
  ADD ("either-may-come-first", test_either_may_come_first);
  ADD ("the-wait-has-an-end", test_the_wait_has_an_end);
  ADD ("only-the-owner-can-read", test_only_the_owner_can_read);
  ADD ("an-open-file-is-refused", test_an_open_file_is_refused);
  ADD ("a-large-file-is-refused", test_a_large_file_is_refused);
  ADD ("an-older-file-is-replaced", test_an_older_file_is_replaced);
  ADD ("a-missing-folder-is-told", test_a_missing_folder_is_told);
  return g_test_run ();
}
