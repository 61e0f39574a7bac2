/* test-polycubes.c - tests the growth of polycubes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "polycubes/growth.h"

/* The numbers of fixed polyominoes and polycubes, from one cell on: sequences A001168 and A001931
 * of the On-Line Encyclopedia of Integer Sequences. */
static const gint64 polyominoes[] = { 1,    2,    6,     19,     63,     216,    760,
                                      2725, 9910, 36446, 135268, 505861, 1903890 };
static const gint64 polycubes[] = { 1, 3, 15, 86, 534, 3481, 23502, 162913, 1152870 };

static gint64
count_all (int n_cells, int n_dimensions)
{
  g_autofree Growth *growth = g_new (Growth, 1);
  growth_init (growth, &PLACE_OF_ALL, n_cells, n_dimensions, NULL);
  g_assert_true (growth_run (growth, G_MAXINT64));
  return growth->n_counted;
}

static void
test_numbers_are_the_published_ones (void)
{
  for (int i = 0; i < (int)G_N_ELEMENTS (polyominoes); i++)
    g_assert_cmpint (count_all (i + 1, 2), ==, polyominoes[i]);
  for (int i = 0; i < (int)G_N_ELEMENTS (polycubes); i++)
    g_assert_cmpint (count_all (i + 1, 3), ==, polycubes[i]);
}

/* Counts the polycubes of @place with growths that divide after @grain polycubes. */
static gint64
count_in_parts (const Place *place, int n_cells, int n_dimensions, gint64 grain)
{
  g_autofree Growth *growth = g_new (Growth, 1);
  Place places[GROWTH_MAX_CELLS];
  growth_init (growth, place, n_cells, n_dimensions, NULL);
  gboolean is_over = growth_run (growth, grain);
  gint64 total = growth->n_counted;
  int n = growth_list_places (growth, places);
  g_assert_true (is_over == (n == 0));
  for (int i = 0; i < n; i++)
    total += count_in_parts (&places[i], n_cells, n_dimensions, grain);
  return total;
}

static void
test_parts_have_nothing_in_common_and_nothing_is_left (void)
{
  for (int i = 0; i < (int)G_N_ELEMENTS (polyominoes); i++)
    g_assert_cmpint (count_in_parts (&PLACE_OF_ALL, i + 1, 2, 1), ==, polyominoes[i]);
  for (int i = 0; i < (int)G_N_ELEMENTS (polycubes); i++)
    g_assert_cmpint (count_in_parts (&PLACE_OF_ALL, i + 1, 3, 1000), ==, polycubes[i]);
}

/* All neighbours of the end of the longest rod are inside the grid, whichever way the rod lies. */
static void
test_longest_rods_have_room (void)
{
  g_autofree Growth *growth = g_new (Growth, 1);
  growth_init (growth, &PLACE_OF_ALL, GROWTH_MAX_CELLS, 3, NULL);
  g_assert_cmpint (growth->n_steps, ==, 6);
  for (int direction = 0; direction < 6; direction += 2)
    {
      int end = growth->list[0] + (GROWTH_MAX_CELLS - 1) * growth->steps[direction];
      for (int i = 0; i < growth->n_steps; i++)
        {
          g_assert_cmpint (end + growth->steps[i], >=, 0);
          g_assert_cmpint (end + growth->steps[i], <, GROWTH_MAX_GRID);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-polycubes/" path, function)
  CASE ("numbers-are-the-published-ones", test_numbers_are_the_published_ones);
  CASE ("parts-have-nothing-in-common", test_parts_have_nothing_in_common_and_nothing_is_left);
  CASE ("longest-rods-have-room", test_longest_rods_have_room);
  return g_test_run ();
}
