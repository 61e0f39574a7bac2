/* test-primitive.c - tests where rays hit spheres, cones and triangles
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scene/primitive.h"

#include "scene/scene.h"

#define EPSILON 1e-12

static const Surface plain = { .colour = { 1, 1, 1 }, .diffuse = 1, .index = 1 };

static Scene *
scene_with_surface (void)
{
  Scene *scene = scene_new ();
  scene_add_surface (scene, &plain);
  return scene;
}

static const Primitive *
first (const Scene *scene)
{
  return &g_array_index (scene->primitives, Primitive, 0);
}

/* Returns: the distance to the scene's first primitive; -1 when the ray misses it */
static double
distance (const Scene *scene, Vector origin, Vector direction)
{
  Ray ray = ray_new (origin, vector_normalise (direction));
  double at = -1;
  gboolean is_hit = primitive_hit (first (scene), &ray, 0, INFINITY, &at);
  g_assert_cmpint (is_hit, ==, at >= 0);
  return at;
}

static void
assert_vector (Vector a, Vector b)
{
  g_assert_cmpfloat_with_epsilon (a.x, b.x, EPSILON);
  g_assert_cmpfloat_with_epsilon (a.y, b.y, EPSILON);
  g_assert_cmpfloat_with_epsilon (a.z, b.z, EPSILON);
}

static void
test_sphere_is_hit_on_its_near_side (void)
{
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_sphere (scene, vector (0, 0, 0), 2);
  g_assert_cmpfloat_with_epsilon (distance (scene, vector (-10, 0, 0), vector (1, 0, 0)), 8,
                                  EPSILON);
  /* At height 1.2, half the width of the sphere is 1.6, because its radius is 2. */
  g_assert_cmpfloat_with_epsilon (distance (scene, vector (-10, 0, 1.2), vector (1, 0, 0)), 8.4,
                                  EPSILON);
}

static void
test_sphere_is_hit_from_inside (void)
{
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_sphere (scene, vector (1, 0, 0), 2);
  g_assert_cmpfloat_with_epsilon (distance (scene, vector (1, 0, 0), vector (0, 3, 4)), 2, EPSILON);
}

static void
test_sphere_behind_or_beside_is_missed (void)
{
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_sphere (scene, vector (0, 0, 0), 1);
  g_assert_cmpfloat (distance (scene, vector (2, 0, 0), vector (1, 0, 0)), ==, -1);
  g_assert_cmpfloat (distance (scene, vector (-2, 0, 1.001), vector (1, 0, 0)), ==, -1);
}

static void
test_bounds_themselves_do_not_count (void)
{
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_sphere (scene, vector (0, 0, 0), 1);
  Ray ray = ray_new (vector (-3, 0, 0), vector (1, 0, 0));
  double at = 0;
  g_assert_true (primitive_hit (first (scene), &ray, 2, INFINITY, &at));
  g_assert_cmpfloat_with_epsilon (at, 4, EPSILON);
  g_assert_false (primitive_hit (first (scene), &ray, 2, 4, &at));
}

static void
test_cylinder_is_hit_on_its_side (void)
{
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_cone (scene, vector (0, 0, 0), 1, vector (0, 0, 5), 1);
  g_assert_cmpfloat_with_epsilon (distance (scene, vector (-4, 0, 2), vector (1, 0, 0)), 3,
                                  EPSILON);
  g_assert_cmpfloat_with_epsilon (distance (scene, vector (-4, 0.6, 2), vector (1, 0, 0)), 3.2,
                                  EPSILON);
}

static void
test_cylinder_has_no_caps (void)
{
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_cone (scene, vector (0, 0, 0), 1, vector (0, 0, 5), 1);
  g_assert_cmpfloat (distance (scene, vector (0.5, 0, 9), vector (0, 0, -1)), ==, -1);
  /* The ray enters through the open top, and hits the side from inside. */
  g_assert_cmpfloat_with_epsilon (distance (scene, vector (0, 0, 5.5), vector (1, 0, -1)), sqrt (2),
                                  EPSILON);
}

static void
test_cylinder_ends_at_its_ends (void)
{
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_cone (scene, vector (0, 0, 0), 1, vector (0, 0, 5), 1);
  g_assert_cmpfloat (distance (scene, vector (-4, 0, 5.001), vector (1, 0, 0)), ==, -1);
  g_assert_cmpfloat (distance (scene, vector (-4, 0, -0.001), vector (1, 0, 0)), ==, -1);
}

static void
test_cone_narrows_towards_its_apex (void)
{
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_cone (scene, vector (0, 0, 0), 2, vector (0, 0, 4), 0);
  g_assert_cmpfloat_with_epsilon (distance (scene, vector (-5, 0, 0.5), vector (1, 0, 0)), 3.25,
                                  EPSILON);
  g_assert_cmpfloat_with_epsilon (distance (scene, vector (-5, 0, 3), vector (1, 0, 0)), 4.5,
                                  EPSILON);
}

static void
test_cone_has_no_second_half_beyond_its_apex (void)
{
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_cone (scene, vector (0, 0, 0), 2, vector (0, 0, 4), 0);
  g_assert_cmpfloat (distance (scene, vector (-5, 0, 6), vector (1, 0, 0)), ==, -1);
}

static void
test_ray_along_the_side_of_a_cone_hits_the_other_side (void)
{
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_cone (scene, vector (0, 0, 0), 1, vector (0, 0, 1), 0);
  /* The ray is parallel to the right side, so the equation has no square term. */
  g_assert_cmpfloat_with_epsilon (distance (scene, vector (-2, 0, 1.5), vector (1, 0, -1)),
                                  1.25 * sqrt (2), 1e-9);
}

static void
test_slanted_cylinder_lies_around_its_axis (void)
{
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_cone (scene, vector (-3, -3, 0), 1, vector (3, 3, 0), 1);
  g_assert_cmpfloat_with_epsilon (distance (scene, vector (5, -5, 0), vector (-1, 1, 0)),
                                  5 * sqrt (2) - 1, EPSILON);
}

static void
test_triangle_is_hit_from_both_sides (void)
{
  const Vector corners[] = { { 0, 0, 1 }, { 4, 0, 1 }, { 0, 4, 1 } };
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_polygon (scene, corners, NULL, 3);
  g_assert_cmpfloat_with_epsilon (distance (scene, vector (1, 1, 3), vector (0, 0, -1)), 2,
                                  EPSILON);
  g_assert_cmpfloat_with_epsilon (distance (scene, vector (1, 1, -3), vector (0, 0, 1)), 4,
                                  EPSILON);
}

static void
test_triangle_is_missed_beside_each_edge (void)
{
  const Vector corners[] = { { 0, 0, 1 }, { 4, 0, 1 }, { 0, 4, 1 } };
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_polygon (scene, corners, NULL, 3);
  g_assert_cmpfloat (distance (scene, vector (-0.001, 1, 3), vector (0, 0, -1)), ==, -1);
  g_assert_cmpfloat (distance (scene, vector (1, -0.001, 3), vector (0, 0, -1)), ==, -1);
  g_assert_cmpfloat (distance (scene, vector (2.001, 2, 3), vector (0, 0, -1)), ==, -1);
  g_assert_cmpfloat (distance (scene, vector (1, 1, 3), vector (1, 0, 0)), ==, -1);
}

static void
test_normals_point_outwards (void)
{
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_sphere (scene, vector (1, 1, 1), 2);
  scene_add_cone (scene, vector (0, 0, 0), 3, vector (0, 0, 3), 0);
  Vector true_normal;
  assert_vector (primitive_normal (first (scene), NULL, vector (1, 3, 1), &true_normal),
                 vector (0, 1, 0));
  assert_vector (primitive_normal (first (scene) + 1, NULL, vector (1, 0, 2), &true_normal),
                 vector (sqrt (0.5), 0, sqrt (0.5)));
}

static void
test_tip_of_a_cone_points_along_its_axis (void)
{
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_cone (scene, vector (0, 0, 0), 1, vector (0, 0, 1), 0);
  scene_add_cone (scene, vector (0, 0, 0), 0, vector (0, 0, 1), 1);
  Vector true_normal;
  assert_vector (primitive_normal (first (scene), NULL, vector (0, 0, 1), &true_normal),
                 vector (0, 0, 1));
  assert_vector (primitive_normal (first (scene) + 1, NULL, vector (0, 0, 0), &true_normal),
                 vector (0, 0, -1));
}

static void
test_normal_of_a_patch_is_interpolated (void)
{
  const Vector corners[] = { { 0, 0, 0 }, { 2, 0, 0 }, { 0, 2, 0 } };
  const Vector normals[] = { { 0, 0, 5 }, { 3, 0, 0 }, { 0, 0.5, 0 } };
  g_autoptr (Scene) scene = scene_with_surface ();
  scene_add_polygon (scene, corners, normals, 3);
  const Vector *table = (const Vector *)(gpointer)scene->corners->data;
  Vector true_normal;
  assert_vector (primitive_normal (first (scene), table, vector (0, 0, 0), &true_normal),
                 vector (0, 0, 1));
  assert_vector (true_normal, vector (0, 0, 1));
  assert_vector (primitive_normal (first (scene), table, vector (2, 0, 0), &true_normal),
                 vector (1, 0, 0));
  assert_vector (primitive_normal (first (scene), table, vector (1, 1, 0), &true_normal),
                 vector (sqrt (0.5), sqrt (0.5), 0));
}

static Vector
random_vector (void)
{
  return vector (g_test_rand_double_range (-5, 5), g_test_rand_double_range (-5, 5),
                 g_test_rand_double_range (-5, 5));
}

static gboolean
is_in_box (Box box, Vector point)
{
  return point.x >= box.low.x && point.x <= box.high.x && point.y >= box.low.y
         && point.y <= box.high.y && point.z >= box.low.z && point.z <= box.high.z;
}

static void
test_products_are_rounded_before_they_are_added (void)
{
  g_test_summary (
      "A processor that multiplies and adds in one step would give what no other does.");
  volatile double tenth = 0.1;
  Vector a = vector (tenth, tenth, 0);
  Vector b = vector (tenth, -tenth, 0);
  g_assert_cmpfloat (vector_dot (a, b), ==, 0);
}

static void
test_every_hit_lies_in_the_box (void)
{
  guint n_hits = 0;
  for (guint i = 0; i < 5000; i++)
    {
      g_autoptr (Scene) scene = scene_with_surface ();
      const Vector corners[] = { random_vector (), random_vector (), random_vector () };
      scene_add_sphere (scene, random_vector (), g_test_rand_double_range (0.1, 3));
      scene_add_cone (scene, corners[0], g_test_rand_double_range (0, 3), corners[1],
                      g_test_rand_double_range (0, 3));
      scene_add_polygon (scene, corners, NULL, 3);
      Ray ray = ray_new (random_vector (), vector_normalise (random_vector ()));
      for (guint k = 0; k < scene->primitives->len; k++)
        {
          const Primitive *primitive = first (scene) + k;
          double at;
          if (!primitive_hit (primitive, &ray, 0, INFINITY, &at))
            continue;
          Vector point = vector_add_scaled (ray.origin, ray.direction, at);
          g_assert_true (is_in_box (primitive_box (primitive), point));
          n_hits++;
        }
    }
  g_assert_cmpuint (n_hits, >, 300);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/raytracer/primitive/" path, function)
  CASE ("sphere-is-hit-on-its-near-side", test_sphere_is_hit_on_its_near_side);
  CASE ("sphere-is-hit-from-inside", test_sphere_is_hit_from_inside);
  CASE ("sphere-behind-or-beside-is-missed", test_sphere_behind_or_beside_is_missed);
  CASE ("bounds-themselves-do-not-count", test_bounds_themselves_do_not_count);
  CASE ("cylinder-is-hit-on-its-side", test_cylinder_is_hit_on_its_side);
  CASE ("cylinder-has-no-caps", test_cylinder_has_no_caps);
  CASE ("cylinder-ends-at-its-ends", test_cylinder_ends_at_its_ends);
  CASE ("cone-narrows-towards-its-apex", test_cone_narrows_towards_its_apex);
  CASE ("cone-has-no-second-half-beyond-its-apex", test_cone_has_no_second_half_beyond_its_apex);
  CASE ("ray-along-the-side-of-a-cone-hits-the-other-side",
        test_ray_along_the_side_of_a_cone_hits_the_other_side);
  CASE ("slanted-cylinder-lies-around-its-axis", test_slanted_cylinder_lies_around_its_axis);
  CASE ("triangle-is-hit-from-both-sides", test_triangle_is_hit_from_both_sides);
  CASE ("triangle-is-missed-beside-each-edge", test_triangle_is_missed_beside_each_edge);
  CASE ("normals-point-outwards", test_normals_point_outwards);
  CASE ("tip-of-a-cone-points-along-its-axis", test_tip_of_a_cone_points_along_its_axis);
  CASE ("normal-of-a-patch-is-interpolated", test_normal_of_a_patch_is_interpolated);
  CASE ("products-are-rounded-before-they-are-added",
        test_products_are_rounded_before_they_are_added);
  CASE ("every-hit-lies-in-the-box", test_every_hit_lies_in_the_box);
  return g_test_run ();
}
