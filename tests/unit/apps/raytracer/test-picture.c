/* test-picture.c - tests when the PNG file is written, and when it is left as it was
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../common/picture.h"

#include <png.h>
#include <glib/gstdio.h>
#include <unistd.h>

static const guint8 rgb[2 * 3 * 3] = { 255, 0, 0, 0, 255, 0, 0,   0,   255,
                                       1,   2, 3, 4, 5,   6, 253, 254, 255 };

/* A new folder, and a path in it. */
typedef struct
{
  char *folder; /* (owned) */
  char *path;   /* (owned) */
} Place;

static void
place_init (Place *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("satin-picture-XXXXXX", NULL);
  g_assert_nonnull (self->folder);
  self->path = g_build_filename (self->folder, "picture.png", NULL);
}

static void
place_done (Place *self, gconstpointer data)
{
  g_unlink (self->path);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
}

static void
write_picture (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AppOutput) file = app_output_open ("picture", path, &error);
  g_assert_no_error (error);
  g_assert_true (picture_write (file, 3, 2, rgb, &error));
  g_assert_no_error (error);
}

static void
assert_is_picture (const char *path)
{
  png_image image = { .version = PNG_IMAGE_VERSION };
  guint8 pixels[sizeof rgb];
  g_assert_cmpint (png_image_begin_read_from_file (&image, path), !=, 0);
  image.format = PNG_FORMAT_RGB;
  g_assert_cmpuint (image.width, ==, 3);
  g_assert_cmpuint (image.height, ==, 2);
  g_assert_cmpint (png_image_finish_read (&image, NULL, pixels, 0, NULL), !=, 0);
  g_assert_cmpmem (pixels, sizeof pixels, rgb, sizeof rgb);
}

static void
test_pixels_are_read_back (Place *place, gconstpointer data)
{
  write_picture (place->path);
  assert_is_picture (place->path);
}

static void
test_longer_old_file_is_replaced (Place *place, gconstpointer data)
{
  char old[5000] = { 0 };
  g_assert_true (g_file_set_contents (place->path, old, sizeof old, NULL));
  write_picture (place->path);
  assert_is_picture (place->path);
  GStatBuf status;
  g_assert_cmpint (g_stat (place->path, &status), ==, 0);
  g_assert_cmpint (status.st_size, <, 5000);
}

static void
test_old_file_is_kept_until_the_picture_is_there (Place *place, gconstpointer data)
{
  g_autofree char *now = NULL;
  g_assert_true (g_file_set_contents (place->path, "old", -1, NULL));
  app_output_free (app_output_open ("picture", place->path, NULL));
  g_assert_true (g_file_get_contents (place->path, &now, NULL, NULL));
  g_assert_cmpstr (now, ==, "old");
}

static void
test_new_file_without_picture_is_removed (Place *place, gconstpointer data)
{
  g_autoptr (AppOutput) file = app_output_open ("picture", place->path, NULL);
  g_assert_true (g_file_test (place->path, G_FILE_TEST_EXISTS));
  g_clear_pointer (&file, app_output_free);
  g_assert_false (g_file_test (place->path, G_FILE_TEST_EXISTS));
}

static void
test_missing_folder_is_an_error_at_once (Place *place, gconstpointer data)
{
  g_autofree char *path = g_build_filename (place->folder, "none", "picture.png", NULL);
  g_autofree char *message =
      g_strdup_printf ("cannot write picture %s: No such file or directory", path);
  g_autoptr (GError) error = NULL;
  g_assert_null (app_output_open ("picture", path, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_folder_is_no_file (Place *place, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (app_output_open ("picture", place->folder, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
}

static void
test_full_disk_is_an_error (void)
{
  g_autoptr (GError) error = NULL;
  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("there is no /dev/full");
      return;
    }
  g_autoptr (AppOutput) file = app_output_open ("picture", "/dev/full", &error);
  g_assert_no_error (error);
  g_assert_false (picture_write (file, 3, 2, rgb, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function)                                                                       \
  g_test_add ("/apps/raytracer/picture/" path, Place, NULL, place_init, function, place_done)
  CASE ("pixels-are-read-back", test_pixels_are_read_back);
  CASE ("longer-old-file-is-replaced", test_longer_old_file_is_replaced);
  CASE ("old-file-is-kept-until-the-picture-is-there",
        test_old_file_is_kept_until_the_picture_is_there);
  CASE ("new-file-without-picture-is-removed", test_new_file_without_picture_is_removed);
  CASE ("missing-folder-is-an-error-at-once", test_missing_folder_is_an_error_at_once);
  CASE ("folder-is-no-file", test_folder_is_no_file);
  g_test_add_func ("/apps/raytracer/picture/full-disk-is-an-error", test_full_disk_is_an_error);
  return g_test_run ();
}
