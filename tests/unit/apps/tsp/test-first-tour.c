/* test-first-tour.c - tests the tour that is found before the search
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "first-tour.h"

#include "small-worlds.h"
#include "tour.h"

#define N_WORLDS 200

static void
test_length_is_that_of_the_tour (void)
{
  for (guint i = 0; i < N_WORLDS; i++)
    {
      Distances distances = small_world_new (g_test_rand_int_range (3, 30), 1000);
      for (FirstTour effort = FIRST_TOUR_NEAREST; effort <= FIRST_TOUR_OR_OPT; effort++)
        {
          g_autoptr (GError) error = NULL;
          gint32 tour[INSTANCE_MAX_CITIES];
          gint32 length = first_tour_find (&distances, effort, tour);
          g_assert_true (tour_check (&distances, tour, length, &error));
          g_assert_no_error (error);
        }
      satin_record_clear (&Distances_record, &distances);
    }
}

/* Each step of effort begins with the tours of the step before, so no tour becomes longer. */
static void
test_more_effort_is_no_worse_and_often_better (void)
{
  guint n_better[2] = { 0 };
  for (guint i = 0; i < N_WORLDS; i++)
    {
      gint32 tour[INSTANCE_MAX_CITIES], lengths[3];
      Distances distances = small_world_new (20, 1000);
      for (FirstTour effort = FIRST_TOUR_NEAREST; effort <= FIRST_TOUR_OR_OPT; effort++)
        lengths[effort] = first_tour_find (&distances, effort, tour);
      g_assert_cmpint (lengths[1], <=, lengths[0]);
      g_assert_cmpint (lengths[2], <=, lengths[1]);
      for (guint j = 0; j < 2; j++)
        n_better[j] += lengths[j + 1] < lengths[j];
      satin_record_clear (&Distances_record, &distances);
    }
  g_assert_cmpuint (n_better[0], >, N_WORLDS / 4);
  g_assert_cmpuint (n_better[1], >, N_WORLDS / 4);
}

static void
test_none_is_shorter_than_the_shortest (void)
{
  for (guint i = 0; i < N_WORLDS; i++)
    {
      const gint32 start = 0;
      gint32 tour[INSTANCE_MAX_CITIES];
      Distances distances = small_world_new (g_test_rand_int_range (3, 9), 100);
      g_assert_cmpint (first_tour_find (&distances, FIRST_TOUR_OR_OPT, tour), >=,
                       small_world_find_shortest (&distances, &start, 1));
      satin_record_clear (&Distances_record, &distances);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/tsp/first-tour/" path, function)
  CASE ("length-is-that-of-the-tour", test_length_is_that_of_the_tour);
  CASE ("more-effort-is-no-worse-and-often-better", test_more_effort_is_no_worse_and_often_better);
  CASE ("none-is-shorter-than-the-shortest", test_none_is_shorter_than_the_shortest);
  return g_test_run ();
}
