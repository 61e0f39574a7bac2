/* test-data.c - scenes that a damaged file or node may have are refused
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/error.h>

#include "quads.h"

static Quads
make_quads (void)
{
  Quads quads = { 0 };
  quads_add (&quads, vector (0, 0, 0), vector (1, 0, 0), vector (0, 1, 0), quads_lambert (0.5, 0));
  return quads;
}

static void
assert_refused (const SceneData *data, int code, const char *reason)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (scene_new (data, &error));
  g_assert_error (error, SATIN_ERROR, code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, reason));
}

static void
test_arrays_must_fit (void)
{
  Quads quads = make_quads ();
  SceneData data = quads_data (&quads);
  data.n_normals--;
  assert_refused (&data, SATIN_ERROR_INVALID, "do not fit each other");
  data = quads_data (&quads);
  data.n_surfaces++;
  assert_refused (&data, SATIN_ERROR_INVALID, "do not fit each other");
  data = (SceneData){ 0 };
  assert_refused (&data, SATIN_ERROR_INVALID, "number of triangles");
  data = quads_data (&quads);
  data.n_surfaces = SCENE_MAX_TRIANGLES + 1;
  data.n_corners = 3 * data.n_surfaces;
  assert_refused (&data, SATIN_ERROR_LIMIT, "triangles");
}

static void
test_indexes_must_exist (void)
{
  Quads quads = make_quads ();
  SceneData data = quads_data (&quads);
  quads.corners[4] = 4;
  assert_refused (&data, SATIN_ERROR_INVALID, "a vertex is missing, triangle 1");
  quads.corners[4] = -1;
  assert_refused (&data, SATIN_ERROR_INVALID, "a vertex is missing, triangle 1");
  quads.corners[4] = 0;
  quads.surfaces[0] = 1;
  assert_refused (&data, SATIN_ERROR_INVALID, "its material is missing, triangle 0");
  quads.surfaces[0] = 0;
  quads.materials[0].texture = 0;
  assert_refused (&data, SATIN_ERROR_INVALID, "material 0");
}

static void
test_numbers_must_be_in_range (void)
{
  Quads quads = make_quads ();
  SceneData data = quads_data (&quads);
  quads.places[2] = NAN;
  assert_refused (&data, SATIN_ERROR_INVALID, "coordinate 2");
  quads.places[2] = 2e6F;
  assert_refused (&data, SATIN_ERROR_INVALID, "coordinate 2");
  quads.places[2] = 0;
  quads.normals[1] = INFINITY;
  assert_refused (&data, SATIN_ERROR_INVALID, "a normal is no number, coordinate 1");
  quads.normals[1] = 0;
  quads.materials[0].base.y = 1.5;
  assert_refused (&data, SATIN_ERROR_INVALID, "material 0");
  quads.materials[0].base.y = 1;
  quads.materials[0].emission.x = -1;
  assert_refused (&data, SATIN_ERROR_INVALID, "material 0");
  quads.materials[0].emission.x = 0;
  data.camera = (Camera){ TRUE, { 0, 0, 0 }, { 0, 0, -1 }, { 0, 1, 0 }, 0 };
  assert_refused (&data, SATIN_ERROR_INVALID, "camera");
}

static void
test_textures_must_have_their_pixels (void)
{
  static const guint8 rgb[12];
  Quads quads = make_quads ();
  SceneData data = quads_data (&quads);
  Texture texture = { 2, 2, rgb, 11 };
  data.textures = &texture;
  data.n_textures = 1;
  assert_refused (&data, SATIN_ERROR_INVALID, "texture 0");
  texture = (Texture){ -2, -2, rgb, 12 };
  assert_refused (&data, SATIN_ERROR_INVALID, "texture 0");
}

static void
test_texture_has_its_colours (void)
{
  /* Red, green; blue, white. */
  static const guint8 rgb[] = { 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255 };
  const Texture texture = { 2, 2, rgb, sizeof rgb };
  Quads quads = make_quads ();
  SceneData data = quads_data (&quads);
  data.textures = &texture;
  data.n_textures = 1;
  quads.materials[0].texture = 0;
  g_autoptr (Scene) scene = scene_new (&data, NULL);
  const Material *material = &quads.materials[0];
  Vector red = scene_texture (scene, material, 0.25, 0.25);
  Vector white = scene_texture (scene, material, 0.75, 0.75);
  Vector middle = scene_texture (scene, material, 0.5, 0.5);
  Vector again = scene_texture (scene, material, -2.75, 5.25);
  g_assert_true (red.x == 1 && red.y == 0 && red.z == 0);
  g_assert_true (white.x == 1 && white.y == 1 && white.z == 1);
  g_assert_true (middle.x == 0.5 && middle.y == 0.5 && middle.z == 0.5);
  g_assert_true (again.x == 1 && again.y == 0 && again.z == 0);
}

static void
test_hit_is_described (void)
{
  Quads quads = make_quads ();
  g_autoptr (Scene) scene = quads_scene (&quads);
  Hit hit;
  g_assert_true (scene_hit (scene, vector (0.25, 0.5, 3), vector (0, 0, -1), &hit));
  g_assert_cmpfloat_with_epsilon (hit.place.x, 0.25, 1e-6);
  g_assert_cmpfloat_with_epsilon (hit.place.y, 0.5, 1e-6);
  g_assert_cmpfloat (hit.flat.z, ==, 1);
  g_assert_true (scene_hit (scene, vector (0.25, 0.5, -3), vector (0, 0, 1), &hit));
  g_assert_cmpfloat (hit.flat.z, ==, -1);
  g_assert_false (scene_hit (scene, vector (1.25, 0.5, 3), vector (0, 0, -1), &hit));
  g_assert_false (scene_is_open (scene, vector (0.5, 0.5, 1), vector (0.5, 0.5, -1)));
  g_assert_true (scene_is_open (scene, vector (0.5, 0.5, 1), vector (0.5, 0.5, 0.1)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-pathtracer-data/" path, function)
  CASE ("arrays-must-fit", test_arrays_must_fit);
  CASE ("indexes-must-exist", test_indexes_must_exist);
  CASE ("numbers-must-be-in-range", test_numbers_must_be_in_range);
  CASE ("textures-must-have-their-pixels", test_textures_must_have_their_pixels);
  CASE ("texture-has-its-colours", test_texture_has_its_colours);
  CASE ("hit-is-described", test_hit_is_described);
  return g_test_run ();
}
