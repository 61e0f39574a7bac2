/* test-report.c - tests the files with lines of energies and times, and the pictures
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"

#include <string.h>
#include <unistd.h>
#include <glib/gstdio.h>

#define SIDE   512
#define HEADER "P6\n512 512\n255\n"

/* A folder, and five bodies: four at x = 1 and one at x = -1. */
typedef struct
{
  char *folder;
  char *csv;
  char *pattern;
  GArray *bodies;
} Place;

static void
place_init (Place *self, gconstpointer user_data)
{
  g_autoptr (GError) error = NULL;
  self->folder = g_dir_make_tmp ("satin-report-XXXXXX", &error);
  g_assert_no_error (error);
  self->csv = g_build_filename (self->folder, "energies.csv", NULL);
  self->pattern = g_build_filename (self->folder, "at-%d.ppm", NULL);
  self->bodies = g_array_new (FALSE, FALSE, sizeof (Body));
  for (guint i = 0; i < 5; i++)
    {
      Body body = { 1, { i < 4 ? 1 : -1, 0, 0 }, { 0 } };
      g_array_append_val (self->bodies, body);
    }
}

static void
place_done (Place *self, gconstpointer user_data)
{
  static const char *const names[] = { "energies.csv", "at-0.ppm", "at-12.ppm" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (self->folder, names[i], NULL);
      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->csv);
  g_free (self->pattern);
  g_array_unref (self->bodies);
}

static void
tell (Report *report, guint iteration, const GArray *bodies)
{
  g_autoptr (GError) error = NULL;
  report_tell (report, iteration, bodies, (Energy){ 0.25 + iteration, -0.5 }, 0.125, &error);
  g_assert_no_error (error);
}

static Report *
open_report (const char *csv, const char *picture)
{
  g_autoptr (GError) error = NULL;
  Report *report = report_open (csv, NULL, picture, &error);
  g_assert_no_error (error);
  return report;
}

static void
assert_contents (const char *path, const char *contents)
{
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, contents);
}

static void
test_lines_are_there_while_it_runs (Place *place, gconstpointer user_data)
{
  g_autoptr (Report) report = open_report (place->csv, NULL);
  tell (report, 0, place->bodies);
  assert_contents (place->csv,
                   "iteration,kinetic,potential,total,drift\n0,0.25,-0.5,-0.25,0.125\n");
  tell (report, 1, place->bodies);
  assert_contents (place->csv, "iteration,kinetic,potential,total,drift\n0,0.25,-0.5,-0.25,0.125\n"
                               "1,1.25,-0.5,0.75,0.125\n");
}

static void
test_times_are_lines_too (Place *place, gconstpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Report) report = report_open (NULL, place->csv, NULL, &error);
  g_assert_no_error (error);
  tell (report, 0, place->bodies);
  g_assert_true (report_tell_time (report, 0, 1500000, &error));
  g_assert_true (report_tell_time (report, 1, 1500001, &error));
  g_assert_no_error (error);
  assert_contents (place->csv, "iteration,seconds\n0,1.500000\n1,1.500001\n");
}

static void
test_old_lines_stay_until_there_are_new_ones (Place *place, gconstpointer user_data)
{
  g_assert_true (g_file_set_contents (place->csv, "old", -1, NULL));
  report_free (open_report (place->csv, NULL));
  assert_contents (place->csv, "old");
}

static void
test_file_that_cannot_be_written_is_told_at_once (Place *place, gconstpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (report_open ("/no/such/folder/energies.csv", NULL, NULL, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  g_assert_cmpstr (error->message, ==,
                   "cannot write energies /no/such/folder/energies.csv: No such file or directory");
}

/* Returns: how light the pixel at (@x, @y) is, where 1 is the distance from the middle to the
 * edge */
static guint
light_at (const char *bytes, double x, double y)
{
  guint column = (guint)((x + 1) * SIDE / 2), line = (guint)((1 - y) * SIDE / 2);
  const guint8 *pixel = (const guint8 *)bytes + strlen (HEADER) + 3 * ((gsize)line * SIDE + column);
  g_assert_cmpuint (pixel[0], ==, pixel[1]);
  g_assert_cmpuint (pixel[1], ==, pixel[2]);
  return pixel[0];
}

/* Returns: (transfer full): the bytes of a picture */
static char *
read_picture (const Place *place, const char *name)
{
  g_autofree char *path = g_build_filename (place->folder, name, NULL);
  char *bytes = NULL;
  gsize n_bytes;
  g_assert_true (g_file_get_contents (path, &bytes, &n_bytes, NULL));
  g_assert_cmpuint (n_bytes, ==, strlen (HEADER) + 3 * SIDE * SIDE);
  g_assert_cmpmem (bytes, strlen (HEADER), HEADER, strlen (HEADER));
  return bytes;
}

static void
test_picture_is_lighter_where_more_bodies_are (Place *place, gconstpointer user_data)
{
  g_autoptr (Report) report = open_report (NULL, place->pattern);
  tell (report, 0, place->bodies);
  g_autofree char *bytes = read_picture (place, "at-0.ppm");
  g_assert_cmpuint (light_at (bytes, 0, 0), ==, 0);
  g_assert_cmpuint (light_at (bytes, -1 / 3.0, 0), >, 0);
  g_assert_cmpuint (light_at (bytes, 1 / 3.0, 0), >, light_at (bytes, -1 / 3.0, 0));
}

static void
test_all_pictures_have_one_scale (Place *place, gconstpointer user_data)
{
  g_autoptr (Report) report = open_report (NULL, place->pattern);
  tell (report, 0, place->bodies);
  /* All bodies are twice as far away, and one of them is outside the picture. */
  for (guint i = 0; i < place->bodies->len; i++)
    g_array_index (place->bodies, Body, i).at.x *= 2;
  g_array_index (place->bodies, Body, 0).at.y = 1e9;
  tell (report, 12, place->bodies);
  g_autofree char *bytes = read_picture (place, "at-12.ppm");
  g_assert_cmpuint (light_at (bytes, 2 / 3.0, 0), >, 0);
  g_assert_cmpuint (light_at (bytes, 1 / 3.0, 0), ==, 0);
}

static void
test_link_leads_to_the_picture (Place *place, gconstpointer user_data)
{
  g_autofree char *path = g_build_filename (place->folder, "link.ppm", NULL);
  g_assert_cmpint (symlink ("at-0.ppm", path), ==, 0);
  g_autoptr (Report) report = open_report (NULL, path);
  tell (report, 0, place->bodies);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_SYMLINK));
  g_autofree char *bytes = read_picture (place, "at-0.ppm");
  g_unlink (path);
}

static void
test_bodies_at_the_origin_have_a_picture (Place *place, gconstpointer user_data)
{
  g_autoptr (Report) report = open_report (NULL, place->pattern);
  for (guint i = 0; i < place->bodies->len; i++)
    g_array_index (place->bodies, Body, i).at.x = 0;
  tell (report, 0, place->bodies);
  g_autofree char *bytes = read_picture (place, "at-0.ppm");
  g_assert_cmpuint (light_at (bytes, 0, 0), >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function)                                                                       \
  g_test_add ("/apps/barnes-hut/report/" path, Place, NULL, place_init, function, place_done)
  CASE ("lines-are-there-while-it-runs", test_lines_are_there_while_it_runs);
  CASE ("times-are-lines-too", test_times_are_lines_too);
  CASE ("old-lines-stay-until-there-are-new-ones", test_old_lines_stay_until_there_are_new_ones);
  CASE ("file-that-cannot-be-written-is-told-at-once",
        test_file_that_cannot_be_written_is_told_at_once);
  CASE ("picture-is-lighter-where-more-bodies-are", test_picture_is_lighter_where_more_bodies_are);
  CASE ("all-pictures-have-one-scale", test_all_pictures_have_one_scale);
  CASE ("link-leads-to-the-picture", test_link_leads_to_the_picture);
  CASE ("bodies-at-the-origin-have-a-picture", test_bodies_at_the_origin_have_a_picture);
  return g_test_run ();
}
