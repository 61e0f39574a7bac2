/* test-trace.c - tests the tree of boxes, with a search of all primitives as reference
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "trace.h"

#include "scene/balls.h"

static Vector
random_vector (double reach)
{
  return vector (g_test_rand_double_range (-reach, reach), g_test_rand_double_range (-reach, reach),
                 g_test_rand_double_range (-reach, reach));
}

static Ray
random_ray (double reach)
{
  /* Some rays run along an axis, so that two components of their direction are 0. */
  static const Vector along[] = { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, 1 } };
  gint kind = g_test_rand_int_range (0, 10);
  Vector direction = kind < 3 ? along[kind] : vector_normalise (random_vector (1));
  return ray_new (random_vector (reach), direction);
}

static Scene *
random_scene (guint n)
{
  Scene *scene = scene_new ();
  for (guint i = 0; i < n; i++)
    {
      Surface surface = { .diffuse = 1, .index = 1, .transmittance = i % 2 == 0 ? 0.5 : 0 };
      Vector at = random_vector (10);
      const Vector corners[] = { at, vector_add (at, random_vector (2)),
                                 vector_add (at, random_vector (2)) };
      scene_add_surface (scene, &surface);
      if (i % 3 == 0)
        scene_add_sphere (scene, at, g_test_rand_double_range (0.05, 1));
      else if (i % 3 == 1)
        scene_add_cone (scene, at, 0.3, corners[1], g_test_rand_double_range (0, 0.5));
      else
        scene_add_polygon (scene, corners, NULL, 3);
    }
  scene_finish (scene);
  return scene;
}

static double
nearest_of_all (const Scene *scene, const Ray *ray)
{
  double distance = INFINITY;
  for (guint i = 0; i < scene->primitives->len; i++)
    primitive_hit (&g_array_index (scene->primitives, Primitive, i), ray, 0, distance, &distance);
  return distance;
}

/* Multiplies the transmittances of all surfaces on the way. */
static double
transmittance_of_all (const Scene *scene, const Ray *ray, double high)
{
  double light = 1;
  for (guint i = 0; i < scene->primitives->len; i++)
    {
      const Primitive *primitive = &g_array_index (scene->primitives, Primitive, i);
      double at = 0;
      while (primitive_hit (primitive, ray, at, high, &at))
        light *= g_array_index (scene->surfaces, Surface, primitive->surface).transmittance;
    }
  return light;
}

static void
test_nearest_hit_is_that_of_a_full_search (void)
{
  g_autoptr (Scene) scene = random_scene (400);
  guint n_hits = 0;
  for (guint i = 0; i < 3000; i++)
    {
      Ray ray = random_ray (12);
      Hit hit = { NULL, INFINITY };
      n_hits += trace_nearest (scene, &ray, 0, &hit) ? 1 : 0;
      g_assert_cmpfloat (hit.distance, ==, nearest_of_all (scene, &ray));
    }
  g_assert_cmpuint (n_hits, >, 300);
}

static void
test_transmittance_is_that_of_a_full_search (void)
{
  g_autoptr (Scene) scene = random_scene (200);
  guint n_partial = 0;
  for (guint i = 0; i < 3000; i++)
    {
      Ray ray = random_ray (12);
      double high = g_test_rand_double_range (0.1, 20);
      double light = trace_transmittance (scene, &ray, 0, high);
      g_assert_cmpfloat_with_epsilon (light, transmittance_of_all (scene, &ray, high), 1e-15);
      n_partial += light > 0 && light < 1;
    }
  g_assert_cmpuint (n_partial, >, 30);
}

static void
test_empty_scene_is_missed (void)
{
  g_autoptr (Scene) scene = scene_new ();
  scene_finish (scene);
  Ray ray = ray_new (vector (0, 0, 0), vector (0, 0, 1));
  Hit hit;
  g_assert_false (trace_nearest (scene, &ray, 0, &hit));
  g_assert_cmpfloat (trace_transmittance (scene, &ray, 0, 100), ==, 1);
}

static void
test_many_primitives_in_one_place_are_sorted (void)
{
  g_autoptr (Scene) scene = scene_new ();
  scene_add_surface (scene, &(const Surface){ .diffuse = 1, .index = 1 });
  for (guint i = 0; i < 100000; i++)
    scene_add_sphere (scene, vector (1, 2, 3), 1);
  scene_finish (scene);
  Ray ray = ray_new (vector (1, 2, 0), vector (0, 0, 1));
  Hit hit;
  g_assert_true (trace_nearest (scene, &ray, 0, &hit));
  g_assert_cmpfloat_with_epsilon (hit.distance, 2, 1e-12);
}

static guint
depth_below (const Scene *scene, guint32 at)
{
  const BvhNode *node = &g_array_index (scene->nodes, BvhNode, at);
  if (node->n_primitives > 0)
    return 1;
  guint first = depth_below (scene, at + 1), second = depth_below (scene, node->first);
  return 1 + MAX (first, second);
}

/* Each sphere is 20 times nearer to 0 than the last one. So a cut in the middle always separates
 * only one sphere from the rest. */
static void
test_uneven_scene_keeps_the_tree_shallow (void)
{
  g_autoptr (Scene) scene = scene_new ();
  scene_add_surface (scene, &(const Surface){ .diffuse = 1, .index = 1 });
  for (gint i = 0; i < 200; i++)
    scene_add_sphere (scene, vector (pow (20, -i), 0, 0), 0.1 * pow (20, -i));
  scene_finish (scene);
  g_assert_cmpuint (depth_below (scene, 0), >, 30);
  g_assert_cmpuint (depth_below (scene, 0), <=, BVH_MAX_DEPTH);
}

static void
test_centres_that_hardly_differ_are_sorted (void)
{
  g_autoptr (Scene) scene = scene_new ();
  scene_add_surface (scene, &(const Surface){ .diffuse = 1, .index = 1 });
  for (gint i = 0; i < 100; i++)
    scene_add_sphere (scene, vector (i * 1e-310, 0, 0), 1);
  scene_finish (scene);
  g_assert_cmpuint (depth_below (scene, 0), <=, 7);
}

static gboolean
overlap (const Sphere *a, const Sphere *b)
{
  double gap = vector_length (vector_subtract (a->centre, b->centre));
  return gap < (a->radius + b->radius) * (1 - 1e-9);
}

static void
test_balls_are_nine_on_each_and_do_not_overlap (void)
{
  g_autoptr (Scene) scene = balls_scene (3);
  const Primitive *primitives = (const Primitive *)(gpointer)scene->primitives->data;
  guint n_balls = 0, n_touching = 0;
  for (guint i = 0; i < scene->primitives->len; i++)
    n_balls += primitives[i].kind == PRIMITIVE_SPHERE;
  /* The floor is two triangles. */
  g_assert_cmpuint (scene->primitives->len - n_balls, ==, 2);
  g_assert_cmpuint (n_balls, ==, 1 + 9 + 81 + 729);
  for (guint i = 0; i < scene->primitives->len; i++)
    for (guint k = 0; k < i; k++)
      if (primitives[i].kind == PRIMITIVE_SPHERE && primitives[k].kind == PRIMITIVE_SPHERE)
        {
          const Sphere *a = &primitives[i].sphere, *b = &primitives[k].sphere;
          double gap = vector_length (vector_subtract (a->centre, b->centre));
          g_assert_false (overlap (a, b));
          /* A ball touches the larger ball on which it sits. */
          n_touching += fabs (gap - a->radius - b->radius) < 1e-9
                        && fabs (fabs (log (a->radius / b->radius)) - log (3)) < 1e-9;
        }
  g_assert_cmpuint (n_touching, >=, 9 + 81 + 729);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/raytracer/trace/" path, function)
  CASE ("nearest-hit-is-that-of-a-full-search", test_nearest_hit_is_that_of_a_full_search);
  CASE ("transmittance-is-that-of-a-full-search", test_transmittance_is_that_of_a_full_search);
  CASE ("empty-scene-is-missed", test_empty_scene_is_missed);
  CASE ("many-primitives-in-one-place-are-sorted", test_many_primitives_in_one_place_are_sorted);
  CASE ("uneven-scene-keeps-the-tree-shallow", test_uneven_scene_keeps_the_tree_shallow);
  CASE ("centres-that-hardly-differ-are-sorted", test_centres_that_hardly_differ_are_sorted);
  CASE ("balls-are-nine-on-each-and-do-not-overlap",
        test_balls_are_nine_on_each_and_do_not_overlap);
  return g_test_run ();
}
