/* test-file.c - tests reading input files, and the errors of files that are refused
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "common/file.h"

#include <sys/stat.h>

#include <glib/gstdio.h>

#define MAX_BYTES (1 << 20)

typedef struct
{
  char *folder; /* (owned) */
  char *path;   /* (owned): a path in the folder; the file does not exist yet */
} Place;

static void
place_init (Place *self)
{
  g_autoptr (GError) error = NULL;
  self->folder = g_dir_make_tmp ("satin-file-XXXXXX", &error);
  g_assert_no_error (error);
  self->path = g_build_filename (self->folder, "input", NULL);
}

static void
place_clear (Place *self)
{
  g_unlink (self->path);
  g_rmdir (self->folder);
  g_free (self->path);
  g_free (self->folder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

static void
write_bytes (const Place *place, const char *bytes, gssize n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_file_set_contents (place->path, bytes, n_bytes, &error);
  g_assert_no_error (error);
}

static void
assert_refused (const char *path, gsize max_bytes, SatinErrorCode code, const char *message)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;
  gsize n_text = 5;
  g_autofree char *expected = g_strdup_printf ("test file %s %s", path, message);
  g_assert_false (app_file_read ("test file", path, max_bytes, &text, &n_text, &error));
  g_assert_error (error, SATIN_ERROR, (gint)code);
  g_assert_cmpstr (error->message, ==, expected);
  g_assert_null (text);
  g_assert_cmpuint (n_text, ==, 5);
}

static void
test_text_is_read (void)
{
  g_auto (Place) place;
  g_autofree char *text = NULL;
  gsize n_text;
  place_init (&place);
  write_bytes (&place, "1 2\n", -1);
  g_assert_true (app_file_read ("test file", place.path, MAX_BYTES, &text, &n_text, NULL));
  g_assert_cmpstr (text, ==, "1 2\n");
  g_assert_cmpuint (n_text, ==, 4);
}

static void
test_missing_one_is_refused (void)
{
  g_auto (Place) place;
  place_init (&place);
  assert_refused (place.path, MAX_BYTES, SATIN_ERROR_NOT_FOUND, "does not exist");
}

static void
test_folder_is_refused (void)
{
  g_auto (Place) place;
  place_init (&place);
  assert_refused (place.folder, MAX_BYTES, SATIN_ERROR_INVALID, "is a folder: name a file");
}

static void
test_empty_one_is_refused (void)
{
  g_auto (Place) place;
  place_init (&place);
  write_bytes (&place, "", 0);
  assert_refused (place.path, MAX_BYTES, SATIN_ERROR_FORMAT, "is empty");
}

static void
test_large_one_is_refused (void)
{
  g_auto (Place) place;
  g_autofree char *much = g_strnfill (MAX_BYTES + 1, '1');
  place_init (&place);
  write_bytes (&place, much, -1);
  assert_refused (place.path, MAX_BYTES, SATIN_ERROR_LIMIT, "is larger than 1 MiB");
}

/* Writes a text to a pipe, when somebody reads it. @user_data: the #Place, whose path is the pipe
 */
static gpointer
write_to_pipe (gpointer user_data)
{
  const Place *place = user_data;
  g_autofree char *much = g_strnfill (MAX_BYTES, '1');
  FILE *pipe = g_fopen (place->path, "w");
  g_assert_nonnull (pipe);
  g_assert_cmpuint (fwrite (much, 1, MAX_BYTES, pipe), ==, MAX_BYTES);
  g_assert_cmpint (fclose (pipe), ==, 0);
  return NULL;
}

/* A pipe has no size beforehand. */
static void
test_pipe_has_the_same_bound (void)
{
  g_auto (Place) place;
  g_autofree char *text = NULL;
  gsize n_text;
  place_init (&place);
  g_assert_cmpint (mkfifo (place.path, 0600), ==, 0);
  GThread *writer = g_thread_new ("writer", write_to_pipe, &place);
  g_assert_true (app_file_read ("test file", place.path, MAX_BYTES, &text, &n_text, NULL));
  g_thread_join (writer);
  g_assert_cmpuint (n_text, ==, MAX_BYTES);
  g_assert_cmpuint (strlen (text), ==, MAX_BYTES);
  /* The bound is below the text by a byte, so all of it is read, and the writer ends. */
  writer = g_thread_new ("writer", write_to_pipe, &place);
  assert_refused (place.path, MAX_BYTES - 1, SATIN_ERROR_LIMIT, "is larger than 0 MiB");
  g_thread_join (writer);
}

static void
test_zero_byte_is_refused (void)
{
  g_auto (Place) place;
  place_init (&place);
  write_bytes (&place, "1\0002", 3);
  assert_refused (place.path, MAX_BYTES, SATIN_ERROR_FORMAT,
                  "has a byte that is 0: give a file of text");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-file/text-is-read", test_text_is_read);
  g_test_add_func ("/app-file/missing-one-is-refused", test_missing_one_is_refused);
  g_test_add_func ("/app-file/folder-is-refused", test_folder_is_refused);
  g_test_add_func ("/app-file/empty-one-is-refused", test_empty_one_is_refused);
  g_test_add_func ("/app-file/too-large-a-one-is-refused", test_large_one_is_refused);
  g_test_add_func ("/app-file/pipe-has-the-same-bound", test_pipe_has_the_same_bound);
  g_test_add_func ("/app-file/what-is-no-text-is-refused", test_zero_byte_is_refused);
  return g_test_run ();
}
