/* test-nff.c - tests the reader of the Neutral File Format, and its errors
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scene/nff.h"

#include <string.h>

#define FILE_NAME "scene.nff"
#define VIEW      "v\nfrom 1 2 3\nat 0 0 0\nup 0 0 1\nangle 45\nhither 0.5\nresolution 64 48\n"
#define FILL      "f 1 0.5 0.25 0.6 0.4 30 0.5 1.5\n"

static Scene *
read_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  Scene *scene = nff_read (FILE_NAME, text, strlen (text), &error);
  g_assert_no_error (error);
  g_assert_nonnull (scene);
  return scene;
}

static const Primitive *
first (const Scene *scene)
{
  return &g_array_index (scene->primitives, Primitive, 0);
}

static void
assert_vector (Vector a, double x, double y, double z)
{
  g_assert_cmpfloat (a.x, ==, x);
  g_assert_cmpfloat (a.y, ==, y);
  g_assert_cmpfloat (a.z, ==, z);
}

/* ---- reading ---- */

static void
test_viewpoint (void)
{
  g_autoptr (Scene) scene = read_text (VIEW);
  assert_vector (scene->viewpoint.from, 1, 2, 3);
  assert_vector (scene->viewpoint.at, 0, 0, 0);
  assert_vector (scene->viewpoint.up, 0, 0, 1);
  g_assert_cmpfloat (scene->viewpoint.angle_degrees, ==, 45);
  g_assert_cmpfloat (scene->viewpoint.hither, ==, 0.5);
  g_assert_cmpuint (scene->viewpoint.width, ==, 64);
  g_assert_cmpuint (scene->viewpoint.height, ==, 48);
}

static void
test_background (void)
{
  g_autoptr (Scene) scene = read_text (VIEW "b 0.1 0.2 0.3");
  assert_vector (scene->background, 0.1, 0.2, 0.3);
}

static void
test_light_may_have_a_colour (void)
{
  g_autoptr (Scene) scene = read_text (VIEW "l 1 2 3 0.5 0.25 0.75\nl 4 5 6");
  g_assert_cmpuint (scene->lights->len, ==, 2);
  const Light *coloured = &g_array_index (scene->lights, Light, 0);
  assert_vector (coloured->position, 1, 2, 3);
  assert_vector (coloured->colour, 0.5, 0.25, 0.75);
  const Light *plain = &g_array_index (scene->lights, Light, 1);
  assert_vector (plain->position, 4, 5, 6);
  assert_vector (plain->colour, 1 / sqrt (2), 1 / sqrt (2), 1 / sqrt (2));
}

static void
test_surface_holds_until_the_next (void)
{
  g_autoptr (Scene) scene =
      read_text (VIEW FILL "s 0 0 0 1\nf 0 0 0 0.1 0.2 3 0 0\ns 50 0 0 1\ns 60 0 0 1");
  guint n_of_first = 0;
  const Surface *surface = &g_array_index (scene->surfaces, Surface, 0);
  g_assert_cmpuint (scene->surfaces->len, ==, 2);
  assert_vector (surface->colour, 1, 0.5, 0.25);
  g_assert_cmpfloat (surface->diffuse, ==, 0.6);
  g_assert_cmpfloat (surface->specular, ==, 0.4);
  g_assert_cmpfloat (surface->shine, ==, 30);
  g_assert_cmpfloat (surface->transmittance, ==, 0.5);
  g_assert_cmpfloat (surface->index, ==, 1.5);
  for (guint i = 0; i < 3; i++)
    n_of_first += first (scene)[i].surface == 0;
  g_assert_cmpuint (n_of_first, ==, 1);
}

static void
test_cone (void)
{
  g_autoptr (Scene) scene = read_text (VIEW FILL "c 1 2 3 4\n1 2 5 3");
  const Cone *cone = &first (scene)->cone;
  g_assert_cmpint (first (scene)->kind, ==, PRIMITIVE_CONE);
  assert_vector (cone->base, 1, 2, 3);
  assert_vector (cone->axis, 0, 0, 1);
  g_assert_cmpfloat (cone->length, ==, 2);
  g_assert_cmpfloat (cone->radius, ==, 4);
  g_assert_cmpfloat (cone->slope, ==, -0.5);
}

static void
test_sphere (void)
{
  g_autoptr (Scene) scene = read_text (VIEW FILL "s 1e1 -2.5 +3 .5");
  g_assert_cmpint (first (scene)->kind, ==, PRIMITIVE_SPHERE);
  assert_vector (first (scene)->sphere.centre, 10, -2.5, 3);
  g_assert_cmpfloat (first (scene)->sphere.radius, ==, 0.5);
}

static void
test_negative_radius_means_its_amount (void)
{
  g_autoptr (Scene) scene = read_text (VIEW FILL "s 0 0 0 -2");
  g_assert_cmpfloat (first (scene)->sphere.radius, ==, 2);
}

static void
test_polygon_is_flat_triangles (void)
{
  g_autoptr (Scene) scene = read_text (VIEW FILL "p 5\n0 0 0\n4 0 0\n4 4 0\n2 1 0\n0 4 0");
  g_assert_cmpuint (scene->primitives->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpint (first (scene)[i].kind, ==, PRIMITIVE_TRIANGLE);
      g_assert_cmpuint (first (scene)[i].normals, ==, PRIMITIVE_FLAT);
    }
}

static void
test_patch_keeps_its_normals (void)
{
  g_autoptr (Scene) scene = read_text (VIEW FILL "pp 3\n0 0 0 0 0 2\n1 0 0 3 0 0\n0 1 0 0 -1 0");
  g_assert_cmpuint (first (scene)->normals, ==, 0);
  g_assert_cmpuint (scene->corners->len, ==, 3);
  Vector sum = { 0 };
  for (guint i = 0; i < 3; i++)
    sum = vector_add (sum, g_array_index (scene->corners, Vector, i));
  assert_vector (sum, 1, -1, 1);
}

static void
test_comments_and_white_space_are_skipped (void)
{
  g_autoptr (Scene) scene = read_text ("# before\n\n\t" VIEW "# between\r\n" FILL
                                       "s 0 0 # after\n 0\n# s 1 1 1 1\n 1 # the end");
  g_assert_cmpuint (scene->primitives->len, ==, 1);
}

static void
test_unfinished_last_line_is_read (void)
{
  g_autoptr (Scene) scene = read_text (VIEW FILL "s 0 0 0 17");
  g_assert_cmpfloat (first (scene)->sphere.radius, ==, 17);
}

/* ---- errors ---- */

typedef struct
{
  const char *claim;
  const char *text;
  int code;
  const char *message; /* without the name of the file before it */
} Wrong;

/* VIEW has lines 1 to 7, FILL has line 8. */
static const Wrong wrongs[] = {
  { "nothing-at-all", " \n# only this\n", SATIN_ERROR_FORMAT,
    "line 3: expected a viewpoint ('v'), found the end" },
  { "no-viewpoint", "b 0 0 0\n", SATIN_ERROR_FORMAT,
    "line 2: expected a viewpoint ('v'), found the end" },
  { "second-viewpoint", VIEW VIEW, SATIN_ERROR_FORMAT,
    "line 8: a second viewpoint, leave one 'v'" },
  { "viewpoint-in-other-order", "v\nat 0 0 0", SATIN_ERROR_FORMAT,
    "line 2: expected from, found 'at'" },
  { "viewpoint-cut-short", "v\nfrom 1 2 3\nat 0 0 0\nup 0 0 1\n", SATIN_ERROR_FORMAT,
    "line 5: expected angle, found the end" },
  { "look-at-where-one-stands", "v from 1 2 3 at 1 2 3", SATIN_ERROR_FORMAT,
    "line 1: 'at' must not be the same point as 'from'" },
  { "up-along-the-view", "v from 0 0 1\nat 0 0 0\nup 0 0 -5", SATIN_ERROR_FORMAT,
    "line 3: 'up' must not point along the view" },
  { "angle-too-wide", "v from 0 0 1 at 0 0 0 up 1 0 0\nangle 180", SATIN_ERROR_FORMAT,
    "line 2: expected angle in degrees, a number from 0.001 to 179, found '180'" },
  { "hither-behind", "v from 0 0 1 at 0 0 0 up 1 0 0 angle 9\nhither -1", SATIN_ERROR_FORMAT,
    "line 2: expected distance of the hither plane, a number from 0 to 1e+09, found '-1'" },
  { "resolution-of-nothing", "v from 0 0 1 at 0 0 0 up 1 0 0 angle 9 hither 0\nresolution 0 1",
    SATIN_ERROR_FORMAT,
    "line 2: expected width in pixels, a whole number from 1 to 8192, found '0'" },
  { "resolution-too-large", "v from 0 0 1 at 0 0 0 up 1 0 0 angle 9 hither 0\nresolution 1 8193",
    SATIN_ERROR_FORMAT,
    "line 2: expected height in pixels, a whole number from 1 to 8192, found '8193'" },
  { "resolution-with-fraction", "v from 0 0 1 at 0 0 0 up 1 0 0 angle 9 hither 0\nresolution 1.5 1",
    SATIN_ERROR_FORMAT,
    "line 2: expected width in pixels, a whole number from 1 to 8192, found '1.5'" },
  { "unknown-element", VIEW "q 1 2\n", SATIN_ERROR_FORMAT,
    "line 8: expected one of v b l f c s p pp, found 'q'" },
  { "number-too-many", VIEW FILL "s 0 0 0 1 5\n", SATIN_ERROR_FORMAT,
    "line 9: expected one of v b l f c s p pp, found '5'" },
  { "word-for-a-number", VIEW FILL "s 0 zero 0 1\n", SATIN_ERROR_FORMAT,
    "line 9: expected coordinates of a sphere, a number from -1e+09 to 1e+09, found 'zero'" },
  { "number-with-a-tail", VIEW FILL "s 0 1x 0 1\n", SATIN_ERROR_FORMAT,
    "line 9: expected coordinates of a sphere, a number from -1e+09 to 1e+09, found '1x'" },
  { "not-a-number", VIEW FILL "s 0 nan 0 1\n", SATIN_ERROR_FORMAT,
    "line 9: expected coordinates of a sphere, a number from -1e+09 to 1e+09, found 'nan'" },
  { "infinity", VIEW FILL "s 0 inf 0 1\n", SATIN_ERROR_FORMAT,
    "line 9: expected coordinates of a sphere, a number from -1e+09 to 1e+09, found 'inf'" },
  { "coordinate-too-far", VIEW FILL "s 0 1e10 0 1\n", SATIN_ERROR_FORMAT,
    "line 9: expected coordinates of a sphere, a number from -1e+09 to 1e+09, found '1e10'" },
  { "background-cut-short", VIEW "b 0 0", SATIN_ERROR_FORMAT,
    "line 8: expected background colour, a number from 0 to 1e+06, found the end" },
  { "background-below-0", VIEW "b 0 0 -1", SATIN_ERROR_FORMAT,
    "line 8: expected background colour, a number from 0 to 1e+06, found '-1'" },
  { "light-cut-short", VIEW "l 1 2\n", SATIN_ERROR_FORMAT,
    "line 9: expected coordinates of a light, a number from -1e+09 to 1e+09, found the end" },
  { "light-with-half-a-colour", VIEW "l 1 2 3 1\n\ns", SATIN_ERROR_FORMAT,
    "line 10: expected colour of a light, a number from 0 to 1e+06, found 's'" },
  { "surface-cut-short", VIEW "f 1 1 1 0.5 0.5 3 0\n", SATIN_ERROR_FORMAT,
    "line 9: expected index of refraction, a number from 0 to 100, found the end" },
  { "surface-more-than-transparent", VIEW "f 1 1 1 0.5 0.5 3 2 1\n", SATIN_ERROR_FORMAT,
    "line 8: expected T, a number from 0 to 1, found '2'" },
  { "negative-kd", VIEW "f 1 1 1 -0.5 0.5 3 0 1\n", SATIN_ERROR_FORMAT,
    "line 8: expected Kd, a number from 0 to 1e+06, found '-0.5'" },
  { "negative-ks", VIEW "f 1 1 1 0.5 -0.5 3 0 1\n", SATIN_ERROR_FORMAT,
    "line 8: expected Ks, a number from 0 to 1e+06, found '-0.5'" },
  { "negative-shine", VIEW "f 1 1 1 0.5 0.5 -3 0 1\n", SATIN_ERROR_FORMAT,
    "line 8: expected Shine, a number from 0 to 1e+09, found '-3'" },
  { "glass-without-index", VIEW "f 1 1 1 0.5 0.5 3 0.5 0\n", SATIN_ERROR_FORMAT,
    "line 8: expected index of refraction of at least 0.01, found '0'" },
  { "object-before-a-surface", VIEW "s 0 0 0 1\n", SATIN_ERROR_FORMAT,
    "line 8: expected a surface ('f') before the first object, found 's'" },
  { "cone-cut-short", VIEW FILL "c 0 0 0 1\n0 0 1\n", SATIN_ERROR_FORMAT,
    "line 11: expected radius at a cone's apex, a number from -1e+09 to 1e+09, found the end" },
  { "cone-of-no-length", VIEW FILL "c 0 0 1 1\n0 0 1 2\n", SATIN_ERROR_FORMAT,
    "line 10: base and apex of a cone must not be the same point" },
  { "cone-of-no-width", VIEW FILL "c 0 0 0 0 0 0 1 0\n", SATIN_ERROR_FORMAT,
    "line 9: one radius of a cone must not be 0" },
  { "sphere-of-no-size", VIEW FILL "s 0 0 0 0\n", SATIN_ERROR_FORMAT,
    "line 9: expected radius of a sphere, not 0, found '0'" },
  { "polygon-of-2-corners", VIEW FILL "p 2\n0 0 0\n1 1 1\n", SATIN_ERROR_FORMAT,
    "line 9: expected number of corners, a whole number from 3 to 1024, found '2'" },
  { "polygon-of-too-many-corners", VIEW FILL "p 1025\n", SATIN_ERROR_FORMAT,
    "line 9: expected number of corners, a whole number from 3 to 1024, found '1025'" },
  { "polygon-cut-short", VIEW FILL "p 3\n0 0 0\n1 1 1\n", SATIN_ERROR_FORMAT,
    "line 12: expected coordinates of a corner, a number from -1e+09 to 1e+09, found the end" },
  { "patch-without-normals", VIEW FILL "pp 3\n0 0 0\n1 0 0\n0 1 0\n", SATIN_ERROR_FORMAT,
    "line 13: expected normal at a corner, a number from -1e+09 to 1e+09, found the end" },
  { "patch-with-zero-normal", VIEW FILL "pp 3\n0 0 0 0 0 1\n1 0 0 0 0 0\n", SATIN_ERROR_FORMAT,
    "line 11: the normal at a corner must not be 0 0 0" },
  { "bytes-that-are-no-text", VIEW "\1\377\n", SATIN_ERROR_FORMAT,
    "line 8: expected one of v b l f c s p pp, found '\\001\\377'" },
  { "very-long-word",
    VIEW "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
    SATIN_ERROR_FORMAT,
    "line 8: expected one of v b l f c s p pp, found 'wwwwwwwwwwwwwwwwwwwwwwww'" },
};

static void
test_refused (gconstpointer data)
{
  const Wrong *wrong = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = g_strconcat (FILE_NAME ": ", wrong->message, NULL);
  g_assert_null (nff_read (FILE_NAME, wrong->text, strlen (wrong->text), &error));
  g_assert_error (error, SATIN_ERROR, wrong->code);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_too_many_lights (void)
{
  g_autoptr (GString) text = g_string_new (VIEW);
  g_autoptr (GError) error = NULL;
  for (guint i = 0; i <= SCENE_MAX_LIGHTS; i++)
    g_string_append (text, "l 0 0 0\n");
  g_assert_null (nff_read (FILE_NAME, text->str, text->len, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_assert_cmpstr (error->message, ==, FILE_NAME ": line 264: more than 256 lights");
}

static void
test_number_longer_than_a_word_is_refused (void)
{
  g_autoptr (GString) text = g_string_new (VIEW FILL "s 0 0 0 ");
  g_autoptr (GError) error = NULL;
  for (guint i = 0; i < 100; i++)
    g_string_append_c (text, '1');
  g_assert_null (nff_read (FILE_NAME, text->str, text->len, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
}

static void
test_any_bytes_are_read_or_refused (void)
{
  static const char good[] =
      VIEW FILL "b 1 1 1\nl 1 2 3\ns 0 0 0 1\nc 0 0 0 1 1 1 1 2\np 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n"
                "pp 3 0 0 0 0 0 1 1 0 0 0 0 1 1 1 0 0 0 1\n";
  guint n_read = 0;
  for (guint round = 0; round < 20000; round++)
    {
      g_autofree char *text = g_memdup2 (good, sizeof good - 1);
      g_autoptr (GError) error = NULL;
      gsize n = (gsize)g_test_rand_int_range (0, (gint)sizeof good);
      for (gint i = g_test_rand_int_range (0, 4); i > 0; i--)
        text[g_test_rand_int_range (0, sizeof good - 1)] = (char)g_test_rand_int_range (0, 256);
      g_autoptr (Scene) scene =
          nff_read (FILE_NAME, text, round % 2 == 0 ? n : sizeof good - 1, &error);
      g_assert_true ((scene == NULL) == (error != NULL));
      n_read += scene != NULL;
    }
  g_assert_cmpuint (n_read, >, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/raytracer/nff/" path, function)
  CASE ("viewpoint", test_viewpoint);
  CASE ("background", test_background);
  CASE ("light-may-have-a-colour", test_light_may_have_a_colour);
  CASE ("surface-holds-until-the-next", test_surface_holds_until_the_next);
  CASE ("cone", test_cone);
  CASE ("sphere", test_sphere);
  CASE ("negative-radius-means-its-amount", test_negative_radius_means_its_amount);
  CASE ("polygon-is-flat-triangles", test_polygon_is_flat_triangles);
  CASE ("patch-keeps-its-normals", test_patch_keeps_its_normals);
  CASE ("comments-and-white-space-are-skipped", test_comments_and_white_space_are_skipped);
  CASE ("unfinished-last-line-is-read", test_unfinished_last_line_is_read);
  CASE ("too-many-lights", test_too_many_lights);
  CASE ("number-longer-than-a-word-is-refused", test_number_longer_than_a_word_is_refused);
  CASE ("any-bytes-are-read-or-refused", test_any_bytes_are_read_or_refused);
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path = g_strconcat ("/apps/raytracer/nff/refused/", wrongs[i].claim, NULL);
      g_test_add_data_func (path, &wrongs[i], test_refused);
    }
  return g_test_run ();
}
