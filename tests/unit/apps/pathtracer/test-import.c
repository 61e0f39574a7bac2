/* test-import.c - scenes are read as their files say, and wrong files are refused
 *
 * SATIN_TEST_SCENES is the folder of the scenes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include <glib/gstdio.h>
#include <png.h>
#include <satin/base/error.h>

#include "load/import.h"

/* A folder for the files of a case. */
typedef struct
{
  char *path;
} Folder;

static Folder
make_folder (void)
{
  Folder folder = { g_dir_make_tmp ("satin-pathtracer-XXXXXX", NULL) };
  g_assert_nonnull (folder.path);
  return folder;
}

static void
folder_clear (Folder *self)
{
  GDir *files = g_dir_open (self->path, 0, NULL);
  for (const char *name = g_dir_read_name (files); name != NULL; name = g_dir_read_name (files))
    {
      g_autofree char *path = g_build_filename (self->path, name, NULL);
      g_remove (path);
    }
  g_dir_close (files);
  g_rmdir (self->path);
  g_free (self->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Folder, folder_clear)

/* Returns: (transfer full): the path */
static char *
write_file (const Folder *folder, const char *name, const char *text)
{
  char *path = g_build_filename (folder->path, name, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* Reads a scene, which must be right. @ret_notes: (nullable) */
static SceneData
read_scene (const char *path, GPtrArray **ret_notes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) notes = NULL;
  SceneData data = { 0 };
  gboolean is_read = import_scene (path, &data, &notes, &error);
  g_assert_no_error (error);
  g_assert_true (is_read);
  if (ret_notes != NULL)
    *ret_notes = g_steal_pointer (&notes);
  return data;
}

static void
assert_refused (const char *path, int code, const char *reason)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *notes = NULL;
  SceneData data;
  g_assert_false (import_scene (path, &data, &notes, &error));
  g_assert_error (error, SATIN_ERROR, code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, reason));
  g_assert_null (strchr (error->message, '\n'));
}

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

static void
test_obj_has_its_materials (void)
{
  g_auto (Folder) folder = make_folder ();
  g_autofree char *library = write_file (&folder, "m.mtl",
                                         "newmtl one\nKd 0.1 0.2 0.3\nKe 5 6 7\n"
                                         "newmtl two\nKd 0 0 0\nKs 0.5 0.6 0.7\nNs 126\n");
  g_autofree char *path = write_file (
      &folder, "s.obj", "mtllib m.mtl\n" TRIANGLE "usemtl one\nf 1 2 3\nusemtl two\nf 1 3 2\n");
  SceneData data = read_scene (path, NULL);
  g_assert_cmpuint (data.n_surfaces, ==, 2);
  const Material *one = &data.materials[data.surfaces[0]], *two = &data.materials[data.surfaces[1]];
  g_assert_cmpfloat_with_epsilon (one->base.y, 0.2, 1e-6);
  g_assert_cmpfloat_with_epsilon (one->emission.z, 7, 1e-6);
  g_assert_cmpfloat (one->specular.x, ==, 0);
  g_assert_cmpfloat_with_epsilon (two->specular.x, 0.5, 1e-6);
  /* The square of the roughness is sqrt (2 / (126 + 2)). */
  g_assert_cmpfloat_with_epsilon (two->roughness * two->roughness, 0.125, 1e-6);
  satin_record_clear (&SceneData_record, &data);
}

static void
test_gltf_has_camera_texture_and_metal (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SATIN_TEST_SCENES"), "knot.gltf", NULL);
  SceneData data = read_scene (path, NULL);
  guint n_metals = 0, n_lamps = 0;
  g_assert_cmpuint (data.n_textures, ==, 1);
  g_assert_cmpint (data.textures[0].width, ==, 64);
  /* Each lamp is a rectangle: two triangles. */
  for (gsize i = 0; i < data.n_surfaces; i++)
    {
      const Material *material = &data.materials[data.surfaces[i]];
      n_metals += material->metallic == 1;
      n_lamps += material->emission.x > 0;
    }
  g_assert_cmpuint (n_metals, >, 10000);
  g_assert_cmpuint (n_lamps, ==, 6);
  g_assert_true (data.camera.is_given);
  g_assert_cmpfloat_with_epsilon (data.camera.eye.z, 7.4, 1e-4);
  g_assert_cmpfloat_with_epsilon (data.camera.degrees, 32, 1e-3);
  g_assert_cmpfloat (data.camera.up.y, >, 0.9);
  g_assert_cmpfloat (data.camera.at.z, <, data.camera.eye.z);
  satin_record_clear (&SceneData_record, &data);
}

/* A node of a glTF file turns, stretches and moves its mesh. */
static void
test_node_moves_its_mesh (void)
{
  g_auto (Folder) folder = make_folder ();
  /* Three floats each: 0 0 0, 1 0 0, 0 1 0. */
  g_autofree char *path = write_file (
      &folder, "s.gltf",
      "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
      "\"nodes\":[{\"translation\":[10,0,0],\"scale\":[2,3,1],\"children\":[1]},"
      "{\"mesh\":0,\"translation\":[0,0,5]}],"
      "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
      "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
      "\"min\":[0,0,0],\"max\":[1,1,0]}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
      "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
      "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]}");
  SceneData data = read_scene (path, NULL);
  g_assert_cmpuint (data.n_places, ==, 9);
  g_assert_cmpfloat (data.places[0], ==, 10);
  g_assert_cmpfloat (data.places[3], ==, 12);
  g_assert_cmpfloat (data.places[7], ==, 3);
  g_assert_cmpfloat (data.places[8], ==, 5);
  satin_record_clear (&SceneData_record, &data);
}

/* Returns: (transfer full): a glTF file with a triangle, and a camera with this angle in radians */
static char *
write_camera (const Folder *folder, const char *angle)
{
  /* Three floats each: 0 0 0, 1 0 0, 0 1 0. */
  g_autofree char *text = g_strdup_printf (
      "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
      "\"nodes\":[{\"mesh\":0},{\"name\":\"camera\",\"camera\":0}],"
      "\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"aspectRatio\":1.5,"
      "\"yfov\":%s,\"znear\":0.1}}],"
      "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
      "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
      "\"min\":[0,0,0],\"max\":[1,1,0]}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
      "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
      "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]}",
      angle);
  return write_file (folder, "camera.gltf", text);
}

/* An angle of 0.01 is 0.57 degrees, one of 3 is 172 degrees. */
static void
test_camera_with_another_angle_is_left_out (void)
{
  static const char *const angles[] = { "0.01", "3", "0.02", "2.9" };
  for (gsize i = 0; i < G_N_ELEMENTS (angles); i++)
    {
      g_auto (Folder) folder = make_folder ();
      g_autoptr (GPtrArray) notes = NULL;
      g_autofree char *path = write_camera (&folder, angles[i]);
      SceneData data = read_scene (path, &notes);
      gboolean is_left_out = i < 2;
      g_assert_cmpint (data.camera.is_given, ==, !is_left_out);
      g_assert_cmpuint (notes->len, ==, is_left_out);
      if (is_left_out)
        g_assert_nonnull (strstr (g_ptr_array_index (notes, 0), "degrees is not used"));
      satin_record_clear (&SceneData_record, &data);
    }
}

static void
test_missing_files_are_named (void)
{
  g_auto (Folder) folder = make_folder ();
  g_autofree char *path = write_file (&folder, "s.obj", "mtllib none.mtl\n" TRIANGLE "f 1 2 3\n");
  assert_refused (path, SATIN_ERROR_NOT_FOUND, "none.mtl does not exist");
  g_autofree char *missing = g_build_filename (folder.path, "none.obj", NULL);
  assert_refused (missing, SATIN_ERROR_NOT_FOUND, "none.obj does not exist");
  g_autofree char *library = write_file (&folder, "m.mtl", "newmtl one\nmap_Kd none.png\n");
  g_autofree char *textured =
      write_file (&folder, "t.obj", "mtllib m.mtl\n" TRIANGLE "usemtl one\nf 1 2 3\n");
  assert_refused (textured, SATIN_ERROR_NOT_FOUND, "none.png does not exist");
}

static void
test_malformed_files_are_refused (void)
{
  g_auto (Folder) folder = make_folder ();
  g_autofree char *empty = write_file (&folder, "empty.obj", "");
  g_autofree char *other = write_file (&folder, "other.gltf", "{\"asset\":");
  g_autofree char *binary = write_file (&folder, "other.glb", "glTF????????????");
  g_autofree char *text = write_file (&folder, "s.txt", TRIANGLE "f 1 2 3\n");
  g_autofree char *points = write_file (&folder, "points.obj", TRIANGLE "p 1\np 2\n");
  g_autofree char *far = write_file (&folder, "far.obj", "v 1e30 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  g_autofree char *library = write_file (&folder, "m.mtl", "newmtl one\nmap_Kd t.png\n");
  g_autofree char *texture = write_file (&folder, "t.png", "\211PNG\r\n\032\n and no more");
  g_autofree char *textured =
      write_file (&folder, "t.obj", "mtllib m.mtl\n" TRIANGLE "usemtl one\nf 1 2 3\n");
  assert_refused (empty, SATIN_ERROR_INVALID, "is malformed");
  assert_refused (other, SATIN_ERROR_INVALID, "is malformed");
  assert_refused (binary, SATIN_ERROR_INVALID, "is malformed");
  assert_refused (text, SATIN_ERROR_INVALID, "ends with .obj, .gltf or .glb");
  assert_refused (points, SATIN_ERROR_INVALID, "points.obj");
  assert_refused (far, SATIN_ERROR_INVALID, "too far away");
  assert_refused (textured, SATIN_ERROR_INVALID, "texture t.png is malformed");
  assert_refused (folder.path, SATIN_ERROR_INVALID, "is no scene");
}

/* Writes a black picture of @side pixels on each side. */
static void
write_texture (const Folder *folder, const char *name, guint side)
{
  g_autofree char *path = g_build_filename (folder->path, name, NULL);
  g_autofree guint8 *grey = g_malloc0 ((gsize)side * side);
  png_image image = {
    .version = PNG_IMAGE_VERSION, .width = side, .height = side, .format = PNG_FORMAT_GRAY
  };
  g_assert_true (png_image_write_to_file (&image, path, 0, grey, 0, NULL));
}

/* Reads a scene with @n textures of @side pixels on each side, and then one without a file. The
 * scene must be refused before that one is looked for. */
static void
assert_too_many_textures (guint n, guint side)
{
  g_auto (Folder) folder = make_folder ();
  g_autoptr (GString) library = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.png", i);
      write_texture (&folder, name, side);
      g_string_append_printf (library, "newmtl m%u\nmap_Kd %s\n", i, name);
    }
  g_string_append (library, "newmtl last\nmap_Kd none.png\n");
  g_autofree char *materials = write_file (&folder, "m.mtl", library->str);
  g_autoptr (GString) scene = g_string_new ("mtllib m.mtl\n" TRIANGLE);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (scene, "usemtl m%u\nf 1 2 3\n", i);
  g_string_append (scene, "usemtl last\nf 1 2 3\n");
  g_autofree char *path = write_file (&folder, "s.obj", scene->str);
  assert_refused (path, SATIN_ERROR_LIMIT, "use fewer or smaller ones");
}

static void
test_many_textures_are_not_decoded (void)
{
  assert_too_many_textures (SCENE_MAX_TEXTURES + 1, 1);
  /* Two are 49 MiB, one is half of that. */
  assert_too_many_textures (2, 2900);
  assert_too_many_textures (1, 4097);
}

static void
test_what_is_ignored_is_said (void)
{
  g_auto (Folder) folder = make_folder ();
  g_autoptr (GPtrArray) notes = NULL;
  g_autofree char *library =
      write_file (&folder, "m.mtl", "newmtl one\nd 0.5\nmap_Kd t.jpg\nmap_Ks s.png\n");
  g_autofree char *texture = write_file (&folder, "t.jpg", "\377\330\377\340");
  g_autofree char *path =
      write_file (&folder, "s.obj", "mtllib m.mtl\n" TRIANGLE "usemtl one\nf 1 2 3\n");
  SceneData data = read_scene (path, &notes);
  g_assert_true (g_ptr_array_find_with_equal_func (
      notes, "texture t.jpg is ignored: it is no PNG image", g_str_equal, NULL));
  g_assert_true (g_ptr_array_find_with_equal_func (notes, "textures for specular are ignored",
                                                   g_str_equal, NULL));
  g_assert_true (g_ptr_array_find_with_equal_func (
      notes, "transparent materials are drawn as if they were opaque", g_str_equal, NULL));
  satin_record_clear (&SceneData_record, &data);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-pathtracer-import/" path, function)
  CASE ("obj-has-its-materials", test_obj_has_its_materials);
  CASE ("gltf-has-camera-texture-and-metal", test_gltf_has_camera_texture_and_metal);
  CASE ("node-moves-its-mesh", test_node_moves_its_mesh);
  CASE ("camera-with-another-angle-is-left-out", test_camera_with_another_angle_is_left_out);
  CASE ("missing-files-are-named", test_missing_files_are_named);
  CASE ("malformed-files-are-refused", test_malformed_files_are_refused);
  CASE ("many-textures-are-not-decoded", test_many_textures_are_not_decoded);
  CASE ("what-is-ignored-is-said", test_what_is_ignored_is_said);
  return g_test_run ();
}
