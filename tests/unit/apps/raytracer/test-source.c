/* test-source.c - tests that scenes are found, made once, and shared by all threads
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scene/source.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define N_THREADS 8

static const char scene_text[] =
    "v from 0 0 9 at 0 0 0 up 0 1 0 angle 45 hither 0 resolution 8 8\nf 1 1 1 1 0 0 0 0\n"
    "s 0 0 0 1\n";

/* Returns: (transfer full): the path of a new file with @text, which the caller removes */
static char *
write_file (const char *text)
{
  char *path = NULL;
  int fd = g_file_open_tmp ("satin-scene-XXXXXX", &path, NULL);
  g_assert_cmpint (fd, >=, 0);
  close (fd);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
test_generated_scene_carries_no_text (void)
{
  g_autoptr (GError) error = NULL;
  SceneSource source;
  g_assert_true (source_generate ("balls:2", &source, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (source.name, ==, "balls:2");
  g_assert_cmpuint (source.n_text, ==, 0);
  const Scene *scene = source_scene (&source, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (scene->primitives->len, ==, 2 + 1 + 9 + 81);
  satin_record_clear (&SceneSource_record, &source);
}

static void
test_unknown_scenes_are_refused (void)
{
  static const char *const names[] = { "",        "balls",    "balls:",   "balls:x",
                                       "balls:7", "balls:-1", "balls:1x", "cubes:1" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      SceneSource source;
      g_assert_false (source_generate (names[i], &source, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
    }
}

static void
test_missing_file_is_not_found (void)
{
  g_autoptr (GError) error = NULL;
  SceneSource source;
  g_assert_false (source_load ("/no/such/scene.nff", &source, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "scene file /no/such/scene.nff does not exist");
}

static void
test_folder_is_no_scene (void)
{
  g_autoptr (GError) error = NULL;
  SceneSource source;
  g_assert_false (source_load (g_get_tmp_dir (), &source, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

static void
test_empty_file_is_malformed (void)
{
  g_autofree char *path = write_file ("");
  g_autoptr (GError) error = NULL;
  SceneSource source;
  g_assert_false (source_load (path, &source, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_unlink (path);
}

static void
test_file_travels_as_its_text (void)
{
  g_autofree char *path = write_file (scene_text);
  g_autoptr (GError) error = NULL;
  SceneSource source, arrived;
  g_assert_true (source_load (path, &source, &error));
  g_assert_no_error (error);
  g_unlink (path);

  /* The file does not exist on other nodes. */
  g_autoptr (GBytes) bytes = satin_record_to_bytes (&SceneSource_record, &source);
  g_assert_true (satin_record_decode (&SceneSource_record, g_bytes_get_data (bytes, NULL),
                                      g_bytes_get_size (bytes), &arrived, &error));
  g_assert_no_error (error);
  const Scene *scene = source_scene (&arrived, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (scene->primitives->len, ==, 1);
  satin_record_clear (&SceneSource_record, &source);
  satin_record_clear (&SceneSource_record, &arrived);
}

static void
test_a_wrong_digest_is_refused (void)
{
  g_autoptr (GError) error = NULL;
  SceneSource source, other;
  g_assert_true (source_generate ("balls:1", &source, &error));
  g_assert_true (source_generate ("balls:3", &other, &error));
  const char *digest = source.digest;
  source.digest = other.digest;
  other.digest = digest;
  g_assert_null (source_scene (&source, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_true (g_str_has_prefix (error->message, "scene balls:1: its digest is "));
  satin_record_clear (&SceneSource_record, &source);
  satin_record_clear (&SceneSource_record, &other);
}

static void
test_error_in_a_file_names_it (void)
{
  g_autofree char *path = write_file ("v from there\n");
  g_autoptr (GError) error = NULL;
  SceneSource source;
  g_assert_true (source_load (path, &source, &error));
  g_assert_null (source_scene (&source, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_unlink (path);
  satin_record_clear (&SceneSource_record, &source);
}

static void
test_other_text_is_another_scene (void)
{
  g_autofree char *path = write_file (scene_text);
  g_autofree char *other_text = g_strconcat (scene_text, "s 1 0 0 1\n", NULL);
  SceneSource source, other;
  g_assert_true (source_load (path, &source, NULL));
  g_assert_true (g_file_set_contents (path, other_text, -1, NULL));
  g_assert_true (source_load (path, &other, NULL));
  g_unlink (path);
  const Scene *scene = source_scene (&source, NULL), *other_scene = source_scene (&other, NULL);
  g_assert_cmpuint (scene->primitives->len, ==, 1);
  g_assert_cmpuint (other_scene->primitives->len, ==, 2);
  satin_record_clear (&SceneSource_record, &source);
  satin_record_clear (&SceneSource_record, &other);
}

static gpointer
find_scene (gpointer source)
{
  return (gpointer)source_scene (source, NULL);
}

static void
test_all_threads_get_the_same_scene (void)
{
  GThread *threads[N_THREADS];
  SceneSource source;
  g_assert_true (source_generate ("balls:3", &source, NULL));
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("finder", find_scene, &source);
  gconstpointer scene = source_scene (&source, NULL);
  g_assert_nonnull (scene);
  for (guint i = 0; i < N_THREADS; i++)
    g_assert_true (g_thread_join (threads[i]) == scene);
  satin_record_clear (&SceneSource_record, &source);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/raytracer/source/" path, function)
  CASE ("generated-scene-carries-no-text", test_generated_scene_carries_no_text);
  CASE ("unknown-scenes-are-refused", test_unknown_scenes_are_refused);
  CASE ("missing-file-is-not-found", test_missing_file_is_not_found);
  CASE ("folder-is-no-scene", test_folder_is_no_scene);
  CASE ("empty-file-is-malformed", test_empty_file_is_malformed);
  CASE ("file-travels-as-its-text", test_file_travels_as_its_text);
  CASE ("wrong-digest-is-refused", test_a_wrong_digest_is_refused);
  CASE ("error-in-a-file-names-it", test_error_in_a_file_names_it);
  CASE ("other-text-is-another-scene", test_other_text_is_another_scene);
  CASE ("all-threads-get-the-same-scene", test_all_threads_get_the_same_scene);
  return g_test_run ();
}
