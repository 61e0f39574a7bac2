/* test-body.c - tests files of bodies: reading, errors and their lines, writing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "body.h"

#include <string.h>
#include <unistd.h>
#include <glib/gstdio.h>

#define FILE_NAME "stars.txt"

static GArray *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  GArray *bodies = bodies_parse (FILE_NAME, text, strlen (text), &error);
  g_assert_no_error (error);
  g_assert_nonnull (bodies);
  return bodies;
}

static const Body *
body (const GArray *bodies, guint i)
{
  return &g_array_index (bodies, Body, i);
}

static void
test_line_is_mass_place_velocity (void)
{
  g_autoptr (GArray) bodies = parse ("0.5 1 -2 3e2 4 5.25 -6\n");
  g_assert_cmpuint (bodies->len, ==, 1);
  g_assert_cmpfloat (body (bodies, 0)->mass, ==, 0.5);
  g_assert_cmpfloat (body (bodies, 0)->at.x, ==, 1);
  g_assert_cmpfloat (body (bodies, 0)->at.y, ==, -2);
  g_assert_cmpfloat (body (bodies, 0)->at.z, ==, 300);
  g_assert_cmpfloat (body (bodies, 0)->velocity.x, ==, 4);
  g_assert_cmpfloat (body (bodies, 0)->velocity.y, ==, 5.25);
  g_assert_cmpfloat (body (bodies, 0)->velocity.z, ==, -6);
}

static void
test_comments_and_empty_lines_are_passed_over (void)
{
  g_autoptr (GArray) bodies =
      parse ("# two stars\n\n1 0 0 0 0 0 0 # the sun\r\n \t\n2 0 0 0 0 0 0");
  g_assert_cmpuint (bodies->len, ==, 2);
  g_assert_cmpfloat (body (bodies, 0)->mass, ==, 1);
  g_assert_cmpfloat (body (bodies, 1)->mass, ==, 2);
}

/* A text that is refused, and the error's message. */
typedef struct
{
  const char *name;
  const char *text;
  const char *message;
} Wrong;

#define GOOD "1 0 0 0 0 0 0\n"

static const Wrong wrongs[] = {
  { "nothing", "", FILE_NAME ": line 1: expected a body, found the end" },
  { "only-comments", "# 1 0 0 0 0 0 0\n\n", FILE_NAME ": line 3: expected a body, found the end" },
  { "too-few-numbers", GOOD "1 2 3 4\n" GOOD,
    FILE_NAME ": line 2: no vx: a line is mass x y z vx vy vz" },
  { "cut-off", GOOD GOOD "1 2 3 4 5 6",
    FILE_NAME ": line 3: no vz: a line is mass x y z vx vy vz" },
  { "too-many-numbers", GOOD "1 0 0 0 0 0 0 7\n",
    FILE_NAME ": line 2: expected the end of the line after vz, found '7'" },
  { "words", "mass x y z vx vy vz\n",
    FILE_NAME ": line 1: expected mass, a number from 0 to 1e+09, found 'mass'" },
  { "garbage", "1 0 0 \001\377\n",
    FILE_NAME ": line 1: expected z, a number from -1e+09 to 1e+09, found '\\001\\377'" },
  { "negative-mass", "-1 0 0 0 0 0 0\n",
    FILE_NAME ": line 1: expected mass, a number from 0 to 1e+09, found '-1'" },
  { "too-far-away", "1 0 2e9 0 0 0 0\n",
    FILE_NAME ": line 1: expected y, a number from -1e+09 to 1e+09, found '2e9'" },
  { "too-fast", "1 0 0 0 -1e400 0 0\n",
    FILE_NAME ": line 1: expected vx, a number from -1e+09 to 1e+09, found '-1e400'" },
  { "no-number", "1 0 0 0 0 0 nan\n",
    FILE_NAME ": line 1: expected vz, a number from -1e+09 to 1e+09, found 'nan'" },
  { "rest-behind-a-number", "1,5 0 0 0 0 0 0\n",
    FILE_NAME ": line 1: expected mass, a number from 0 to 1e+09, found '1,5'" },
};

static void
test_error_is_told_with_its_line (gconstpointer user_data)
{
  const Wrong *wrong = user_data;
  g_autoptr (GError) error = NULL;
  g_assert_null (bodies_parse (FILE_NAME, wrong->text, strlen (wrong->text), &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_cmpstr (error->message, ==, wrong->message);
}

static void
test_one_body_too_many_is_a_limit (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  for (guint i = 0; i <= BODY_MAX_NUMBER; i++)
    g_string_append (text, GOOD);
  g_assert_null (bodies_parse (FILE_NAME, text->str, text->len, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_assert_cmpstr (error->message, ==, FILE_NAME ": line 1000001: more than 1000000 bodies");
}

static void
test_missing_file_is_named (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (bodies_read ("/no/such/stars", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "body file /no/such/stars does not exist");
}

static void
test_what_is_written_is_read_to_the_last_bit (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) bodies = g_array_new (FALSE, FALSE, sizeof (Body));
  g_autofree char *path = NULL;
  close (g_file_open_tmp ("satin-bodies-XXXXXX", &path, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < 100; i++)
    {
      Body random = { g_test_rand_double () / 3,
                      { g_test_rand_double_range (-1e9, 1e9), -0.0, 5e-324 },
                      { g_test_rand_double (), g_test_rand_double () * 1e-300, -1 / 3.0 } };
      g_array_append_val (bodies, random);
    }
  {
    g_autoptr (AppOutput) file = app_output_open ("bodies", path, &error);
    g_assert_no_error (error);
    bodies_write (bodies, file, &error);
    g_assert_no_error (error);
  }
  g_autoptr (GArray) again = bodies_read (path, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (again->data, again->len * sizeof (Body), bodies->data,
                   bodies->len * sizeof (Body));
  g_unlink (path);
}

static void
test_digest_is_of_all_numbers_in_order (void)
{
  /* SHA-256 of the doubles 0 to 13, little-endian. */
  g_autoptr (GArray) bodies = parse ("0 1 2 3 4 5 6\n7 8 9 10 11 12 13\n");
  g_autofree char *digest = bodies_digest (bodies);
  g_assert_cmpstr (digest, ==, "27c5893431a3cfd2");
}

static void
test_digest_sees_the_last_bit (void)
{
  g_autoptr (GArray) bodies = parse ("1 1 2 3 4 5 6\n");
  g_autofree char *digest = bodies_digest (bodies);
  double *last = &g_array_index (bodies, Body, 0).velocity.z;
  *last = nextafter (*last, 7);
  g_autofree char *other = bodies_digest (bodies);
  g_assert_cmpstr (other, !=, digest);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/barnes-hut/body/" path, function)
  CASE ("line-is-mass-place-velocity", test_line_is_mass_place_velocity);
  CASE ("comments-and-empty-lines-are-passed-over", test_comments_and_empty_lines_are_passed_over);
  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path =
          g_strdup_printf ("/apps/barnes-hut/body/error-is-told-with-its-line/%s", wrongs[i].name);
      g_test_add_data_func (path, &wrongs[i], test_error_is_told_with_its_line);
    }
  CASE ("one-body-too-many-is-a-limit", test_one_body_too_many_is_a_limit);
  CASE ("missing-file-is-named", test_missing_file_is_named);
  CASE ("what-is-written-is-read-to-the-last-bit", test_what_is_written_is_read_to_the_last_bit);
  CASE ("digest-is-of-all-numbers-in-order", test_digest_is_of_all_numbers_in_order);
  CASE ("digest-sees-the-last-bit", test_digest_sees_the_last_bit);
  return g_test_run ();
}
