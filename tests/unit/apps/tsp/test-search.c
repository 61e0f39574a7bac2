/* test-search.c - tests that searches find the shortest tour, as a whole and divided
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "search.h"

#include "small-worlds.h"
#include "tour.h"

#define N_WORLDS 300

static const gint64 no_penalties[INSTANCE_MAX_CITIES];
static const Place all = { .penalties = no_penalties };

static gint32
find_shortest (const Distances *distances)
{
  const gint32 start = 0;
  return small_world_find_shortest (distances, &start, 1);
}

static void
assert_found (const Search *search, const Distances *distances, gint32 length)
{
  g_autoptr (GError) error = NULL;
  g_assert_cmpint (search_get_limit (search), ==, length);
  g_assert_nonnull (search_get_tour (search));
  g_assert_true (tour_check (distances, search_get_tour (search), length, &error));
  g_assert_no_error (error);
}

static void
test_shortest_tour_is_found (gconstpointer data)
{
  const gint32 *n_raises = data;
  for (guint i = 0; i < N_WORLDS; i++)
    {
      Distances distances = small_world_new (g_test_rand_int_range (3, 9), 100);
      g_autoptr (Search) search = search_new (&distances, &all, *n_raises, G_MAXINT32);
      g_assert_true (search_run (search, G_MAXINT64));
      assert_found (search, &distances, find_shortest (&distances));
      satin_record_clear (&Distances_record, &distances);
    }
}

static void
test_raised_bounds_leave_less_to_search (void)
{
  gint64 n_nodes[2] = { 0 };
  for (guint i = 0; i < N_WORLDS; i++)
    {
      Distances distances = small_world_new (9, 100);
      for (guint j = 0; j < 2; j++)
        {
          g_autoptr (Search) search = search_new (&distances, &all, j == 0 ? 0 : 8, G_MAXINT32);
          g_assert_true (search_run (search, G_MAXINT64));
          n_nodes[j] += search_get_n_nodes (search);
        }
      satin_record_clear (&Distances_record, &distances);
    }
  g_assert_cmpint (n_nodes[1], <, n_nodes[0] / 2);
}

/* The distances are 0, 1 and 2. So many tours are equally long, and many distances are 0. */
static void
test_equal_distances_are_searched (void)
{
  for (guint i = 0; i < N_WORLDS; i++)
    {
      Distances distances = small_world_new (g_test_rand_int_range (3, 9), 2);
      g_autoptr (Search) search = search_new (&distances, &all, 4, G_MAXINT32);
      g_assert_true (search_run (search, G_MAXINT64));
      assert_found (search, &distances, find_shortest (&distances));
      satin_record_clear (&Distances_record, &distances);
    }
}

static void
test_limit_is_a_length_to_be_below (void)
{
  for (guint i = 0; i < N_WORLDS; i++)
    {
      Distances distances = small_world_new (g_test_rand_int_range (3, 9), 100);
      gint32 shortest = find_shortest (&distances);
      g_autoptr (Search) at = search_new (&distances, &all, 4, shortest);
      g_autoptr (Search) above = search_new (&distances, &all, 4, shortest + 1);
      g_assert_true (search_run (at, G_MAXINT64));
      g_assert_null (search_get_tour (at));
      g_assert_cmpint (search_get_limit (at), ==, shortest);
      g_assert_true (search_run (above, G_MAXINT64));
      assert_found (above, &distances, shortest);
      satin_record_clear (&Distances_record, &distances);
    }
}

/* Another node has found a tour of the cap's length, but may be lost. So a tour of that length is
 * still looked for. */
static void
test_cap_is_a_length_that_still_counts (void)
{
  for (guint i = 0; i < N_WORLDS; i++)
    {
      Distances distances = small_world_new (g_test_rand_int_range (3, 9), 100);
      gint32 shortest = find_shortest (&distances);
      g_autoptr (Search) at = search_new (&distances, &all, 4, G_MAXINT32);
      g_autoptr (Search) below = search_new (&distances, &all, 4, G_MAXINT32);
      search_set_cap (at, shortest);
      g_assert_true (search_run (at, G_MAXINT64));
      assert_found (at, &distances, shortest);
      search_set_cap (below, shortest - 1);
      g_assert_true (search_run (below, G_MAXINT64));
      g_assert_null (search_get_tour (below));
      satin_record_clear (&Distances_record, &distances);
    }
}

static void
test_longest_distances_do_not_overflow (void)
{
  Distances distances = small_world_new (INSTANCE_MAX_CITIES, 0);
  gint32 *between = (gint32 *)distances.between;
  for (gint32 i = 0; i < INSTANCE_MAX_CITIES; i++)
    for (gint32 j = 0; j < INSTANCE_MAX_CITIES; j++)
      between[i * INSTANCE_MAX_CITIES + j] = i == j ? 0 : INSTANCE_MAX_DISTANCE;
  g_autoptr (Search) search = search_new (&distances, &all, 8, G_MAXINT32);
  g_assert_true (search_run (search, G_MAXINT64));
  g_assert_cmpint (search_get_limit (search), ==, INSTANCE_MAX_CITIES * INSTANCE_MAX_DISTANCE);
  satin_record_clear (&Distances_record, &distances);
}

/* Searches one node at a time: a search that was stopped continues where it was. */
static void
test_search_goes_on (void)
{
  for (guint i = 0; i < N_WORLDS; i++)
    {
      Distances distances = small_world_new (8, 100);
      g_autoptr (Search) whole = search_new (&distances, &all, 1, G_MAXINT32);
      g_autoptr (Search) steps = search_new (&distances, &all, 1, G_MAXINT32);
      g_assert_true (search_run (whole, G_MAXINT64));
      while (!search_run (steps, 1))
        continue;
      g_assert_cmpint (search_get_n_nodes (steps), ==, search_get_n_nodes (whole));
      assert_found (steps, &distances, search_get_limit (whole));
      satin_record_clear (&Distances_record, &distances);
    }
}

/* Searches @place for @grain nodes, and each remaining place in the same way, with a search of its
 * own. @best: gets the tours that are found. Returns: the number of searches */
static guint
divide (const Distances *distances, const Place *place, gint64 grain, Search *best)
{
  guint n_searches = 1;
  gsize n_places;
  g_autoptr (Search) search = search_new (distances, place, 0, search_get_limit (best));
  gboolean is_done = search_run (search, grain);
  g_autofree Place *places = search_get_places (search, &n_places);
  g_assert_true (is_done == (n_places == 0));
  for (gsize i = 0; i < n_places; i++)
    n_searches += divide (distances, &places[i], grain, best);
  if (search_get_tour (search) != NULL)
    search_add_tour (best, search_get_tour (search), (gsize)distances->n_cities,
                     search_get_limit (search));
  return n_searches;
}

static void
test_places_have_all_that_is_left (gconstpointer data)
{
  const gint32 *grain = data;
  guint n_searches = 0;
  for (guint i = 0; i < N_WORLDS; i++)
    {
      Distances distances = small_world_new (g_test_rand_int_range (3, 9), 100);
      g_autoptr (Search) best = search_new (&distances, &all, 0, G_MAXINT32);
      n_searches += divide (&distances, &all, *grain, best);
      assert_found (best, &distances, find_shortest (&distances));
      satin_record_clear (&Distances_record, &distances);
    }
  g_assert_cmpuint (n_searches, >, N_WORLDS * 3 / 2);
}

/* The last place is where the search would continue. */
static void
test_last_place_is_the_next (void)
{
  Distances distances = small_world_new (8, 100);
  g_autoptr (Search) search = search_new (&distances, &all, 0, G_MAXINT32);
  for (guint i = 1; !search_run (search, 1); i++)
    {
      gsize n_places;
      g_autofree Place *places = search_get_places (search, &n_places);
      g_assert_cmpuint (n_places, >, 0);
      for (gsize j = 1; j < n_places; j++)
        g_assert_cmpuint (places[j - 1].n_path, <=, places[j].n_path);
      g_assert_cmpint (search_get_n_nodes (search), ==, i);
      g_assert_cmpuint (places[n_places - 1].n_path, <=, MIN (i, 8));
    }
  satin_record_clear (&Distances_record, &distances);
}

static void
test_tour_of_others_counts_if_it_is_shorter (void)
{
  static const gint32 tour[] = { 0, 1, 2, 3 };
  Distances distances = small_world_new (4, 100);
  g_autoptr (Search) search = search_new (&distances, &all, 0, 5);
  search_add_tour (search, tour, 4, 5);
  g_assert_null (search_get_tour (search));
  search_add_tour (search, tour, 3, 4);
  g_assert_null (search_get_tour (search));
  search_add_tour (search, tour, 4, 4);
  g_assert_nonnull (search_get_tour (search));
  g_assert_cmpint (search_get_limit (search), ==, 4);
  satin_record_clear (&Distances_record, &distances);
}

int
main (int argc, char **argv)
{
  static const gint32 none = 0, one = 1, few = 8, many = 100;
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/tsp/search/" path, function)
#define DATA_CASE(path, data, function)                                                            \
  g_test_add_data_func ("/apps/tsp/search/" path, data, function)
  DATA_CASE ("shortest-tour-is-found/without-penalties", &none, test_shortest_tour_is_found);
  DATA_CASE ("shortest-tour-is-found/with-1-raise", &one, test_shortest_tour_is_found);
  DATA_CASE ("shortest-tour-is-found/with-8-raises", &few, test_shortest_tour_is_found);
  DATA_CASE ("shortest-tour-is-found/with-100-raises", &many, test_shortest_tour_is_found);
  CASE ("raised-bounds-leave-less-to-search", test_raised_bounds_leave_less_to_search);
  CASE ("equal-distances-are-searched", test_equal_distances_are_searched);
  CASE ("limit-is-a-length-to-be-below", test_limit_is_a_length_to_be_below);
  CASE ("cap-is-a-length-that-still-counts", test_cap_is_a_length_that_still_counts);
  CASE ("longest-distances-do-not-overflow", test_longest_distances_do_not_overflow);
  CASE ("search-goes-on", test_search_goes_on);
  DATA_CASE ("places-have-all-that-is-left/after-1-node", &one, test_places_have_all_that_is_left);
  DATA_CASE ("places-have-all-that-is-left/after-8-nodes", &few, test_places_have_all_that_is_left);
  CASE ("last-place-is-the-next", test_last_place_is_the_next);
  CASE ("tour-of-others-counts-if-it-is-shorter", test_tour_of_others_counts_if_it_is_shorter);
  return g_test_run ();
}
