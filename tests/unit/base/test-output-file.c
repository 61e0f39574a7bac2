/* test-output-file.c - tests what is replaced by a new file, and what is written to
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/file.h>

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder, and paths in it. */
typedef struct
{
  char *folder; /* (owned) */
  char *path;   /* (owned) */
  char *other;  /* (owned) */
} World;

static void
set_up (World *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("satin-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "path", NULL);
  self->other = g_build_filename (self->folder, "other", NULL);
}

static void
tear_down (World *self, gconstpointer data)
{
  g_unlink (self->path);
  g_unlink (self->other);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
  g_free (self->other);
}

static void
assert_written (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;
  gboolean is_written = satin_output_file_write (path, "report", text, strlen (text), &error);

  g_assert_no_error (error);
  g_assert_true (is_written);
}

static void
assert_refused (const char *path, const char *reason)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (satin_output_file_write (path, "report", "new", 3, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "cannot write the report "));
  g_assert_nonnull (strstr (error->message, path));
  g_assert_nonnull (strstr (error->message, reason));
}

static void
assert_contents (const char *path, const char *text)
{
  g_autofree char *contents = NULL;

  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, text);
}

static mode_t
kind_of (const char *path)
{
  struct stat about;

  g_assert_cmpint (lstat (path, &about), ==, 0);
  return about.st_mode & S_IFMT;
}

static void
test_absent_file_is_made (World *self, gconstpointer data)
{
  assert_written (self->path, "new");
  assert_contents (self->path, "new");
}

static void
test_regular_file_is_replaced_as_a_whole (World *self, gconstpointer data)
{
  g_assert_true (g_file_set_contents (self->path, "old", -1, NULL));
  g_assert_cmpint (link (self->path, self->other), ==, 0);
  assert_written (self->path, "new");
  assert_contents (self->path, "new");
  assert_contents (self->other, "old");
}

static void
test_pipe_is_written_to (World *self, gconstpointer data)
{
  char bytes[8] = { 0 };

  g_assert_cmpint (mkfifo (self->path, 0600), ==, 0);
  int fd = open (self->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  assert_written (self->path, "new");
  g_assert_cmpint (kind_of (self->path), ==, S_IFIFO);
  g_assert_cmpint (read (fd, bytes, sizeof bytes), ==, 3);
  g_assert_cmpstr (bytes, ==, "new");
  close (fd);
}

static void
test_link_stays (World *self, gconstpointer data)
{
  g_assert_true (g_file_set_contents (self->other, "longer than the new text", -1, NULL));
  g_assert_cmpint (symlink (self->other, self->path), ==, 0);
  assert_written (self->path, "new");
  g_assert_cmpint (kind_of (self->path), ==, S_IFLNK);
  assert_contents (self->other, "new");
}

static void
test_link_to_nothing_leads_to_the_new_file (World *self, gconstpointer data)
{
  g_assert_cmpint (symlink (self->other, self->path), ==, 0);
  assert_written (self->path, "new");
  g_assert_cmpint (kind_of (self->path), ==, S_IFLNK);
  assert_contents (self->other, "new");
}

static void
test_write_that_fails_is_an_error (World *self, gconstpointer data)
{
  /* The device itself is named only here, at the end of a link. */
  g_assert_cmpint (symlink ("/dev/full", self->path), ==, 0);
  assert_refused (self->path, "No space left on device");
  g_assert_cmpint (kind_of (self->path), ==, S_IFLNK);
  g_assert_cmpint (kind_of ("/dev/full"), ==, S_IFCHR);
}

static void
test_folder_is_refused (World *self, gconstpointer data)
{
  assert_refused (self->folder, "Is a directory");
}

static void
test_absent_folder_is_refused (World *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "absent", "file", NULL);

  assert_refused (path, "No such file or directory");
}

static void
test_only_files_are_replaceable (World *self, gconstpointer data)
{
  g_assert_true (satin_output_file_is_replaceable (self->path));
  g_assert_true (g_file_set_contents (self->path, "old", -1, NULL));
  g_assert_true (satin_output_file_is_replaceable (self->path));
  g_assert_cmpint (symlink (self->path, self->other), ==, 0);
  g_assert_false (satin_output_file_is_replaceable (self->other));
  g_assert_false (satin_output_file_is_replaceable (self->folder));
  g_unlink (self->path);
  g_assert_cmpint (mkfifo (self->path, 0600), ==, 0);
  g_assert_false (satin_output_file_is_replaceable (self->path));
}

static void
add (const char *name, void (*test) (World *self, gconstpointer data))
{
  g_autofree char *path = g_strconcat ("/base/output-file/", name, NULL);

  g_test_add (path, World, NULL, set_up, test, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("absent-file-is-made", test_absent_file_is_made);
  add ("regular-file-is-replaced-as-a-whole", test_regular_file_is_replaced_as_a_whole);
  add ("pipe-is-written-to", test_pipe_is_written_to);
  add ("link-stays", test_link_stays);
  add ("link-to-nothing-leads-to-the-new-file", test_link_to_nothing_leads_to_the_new_file);
  add ("write-that-fails-is-an-error", test_write_that_fails_is_an_error);
  add ("folder-is-refused", test_folder_is_refused);
  add ("absent-folder-is-refused", test_absent_folder_is_refused);
  add ("only-files-are-replaceable", test_only_files_are_replaceable);
  return g_test_run ();
}
