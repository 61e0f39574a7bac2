/* test-semigroups.c - tests semigroups and walks through their tree
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "semigroups/walk.h"

#define MAX_GENUS 24

/* The numbers of semigroups of genus 1 to %MAX_GENUS: sequence A007323 of the On-Line Encyclopedia
 * of Integer Sequences. */
static const gint64 published[] = { 1,    2,     4,     7,     12,    23,     39,     67,
                                    118,  204,   343,   592,   1001,  1693,   2857,   4806,
                                    8045, 13467, 22464, 37396, 62194, 103246, 170963, 282828 };

static void
test_numbers_of_semigroups_are_the_published_ones (void)
{
  Walk walk;
  for (int genus = 1; genus <= MAX_GENUS; genus++)
    {
      walk_init (&walk, &GAPS_OF_FIRST, genus, NULL);
      g_assert_true (walk_run (&walk, G_MAXINT64));
      g_assert_cmpint (walk.n_counted, ==, published[genus - 1]);
    }
}

/* Whatever was in the memory of a walk does not count. */
static void
test_memory_of_a_walk_does_not_matter (void)
{
  Walk *walk = g_new (Walk, 1);
  for (int fill = 0; fill < 256; fill++)
    for (int genus = 6; genus <= 25; genus += fill % 16 == 3 ? 1 : 5)
      {
        memset (walk, fill, sizeof *walk);
        walk_init (walk, &GAPS_OF_FIRST, genus, NULL);
        g_assert_true (walk_run (walk, G_MAXINT64));
        g_assert_cmpint (walk->n_counted, ==, genus <= MAX_GENUS ? published[genus - 1] : 467224);
      }
  g_free (walk);
}

/* Counts the descendants of @gaps with walks that divide after @grain semigroups. */
static gint64
count_in_parts (const Gaps *gaps, int genus, gint64 grain)
{
  Walk walk;
  gsize n;
  walk_init (&walk, gaps, genus, NULL);
  gboolean is_over = walk_run (&walk, grain);
  gint64 total = walk.n_counted;
  g_autofree Gaps *places = walk_list_places (&walk, &n);
  g_assert_true (is_over == (n == 0));
  for (gsize i = 0; i < n; i++)
    total += count_in_parts (&places[i], genus, grain);
  return total;
}

static void
test_parts_have_nothing_in_common_and_nothing_is_left (void)
{
  for (int genus = 1; genus <= MAX_GENUS; genus++)
    {
      g_assert_cmpint (count_in_parts (&GAPS_OF_FIRST, genus, 1), ==, published[genus - 1]);
      g_assert_cmpint (count_in_parts (&GAPS_OF_FIRST, genus, 1000), ==, published[genus - 1]);
    }
}

/* The elements are 0, 3, 6, 7, and all from 9 on. */
static const int some_gaps[] = { 1, 2, 4, 5, 8 };

static Gaps
make_gaps (void)
{
  Gaps gaps = { 0 };
  for (gsize i = 0; i < G_N_ELEMENTS (some_gaps); i++)
    gaps_add (&gaps, some_gaps[i]);
  return gaps;
}

/* Returns: in how many ways @number is the sum of two elements, counted without any vector */
static guint8
count_sums (const Numbers *is_element, int number)
{
  guint8 n = 0;
  for (int x = 0; 2 * x <= number; x++)
    n = (guint8)(n + (is_element->of[x] && is_element->of[number - x]));
  return n;
}

static void
test_sums_are_counted (void)
{
  Gaps gaps = make_gaps ();
  Numbers is_element, n_sums;
  int conductor, multiplicity;
  g_assert_cmpint (gaps_count (&gaps), ==, G_N_ELEMENTS (some_gaps));
  semigroup_make (&gaps, &is_element, &n_sums, &conductor, &multiplicity);
  g_assert_cmpint (conductor, ==, 9);
  g_assert_cmpint (multiplicity, ==, 3);
  for (int number = 0; number < 4 * SEMIGROUP_MAX_GENUS; number++)
    g_assert_cmpint (n_sums.of[number], ==, count_sums (&is_element, number));
}

static void
test_child_has_the_sums_of_its_gaps (void)
{
  const int generator = 11, end = 200;
  Gaps gaps = make_gaps ();
  Numbers is_element, n_sums, child_sums = { 0 };
  int conductor, multiplicity;
  semigroup_make (&gaps, &is_element, &n_sums, &conductor, &multiplicity);
  semigroup_remove (&is_element, &n_sums, generator, end, &child_sums);
  is_element.of[generator] = 0;
  for (int number = generator; number <= end; number++)
    g_assert_cmpint (child_sums.of[number], ==, count_sums (&is_element, number));
}

static void
test_gaps_above_63_are_kept (void)
{
  Gaps gaps = GAPS_OF_FIRST;
  gaps_add (&gaps, 63);
  gaps_add (&gaps, 64);
  gaps_add (&gaps, 127);
  Numbers is_element, n_sums;
  int conductor, multiplicity;
  semigroup_make (&gaps, &is_element, &n_sums, &conductor, &multiplicity);
  g_assert_cmpint (gaps_count (&gaps), ==, 4);
  g_assert_cmpint (conductor, ==, 128);
  for (int number = 0; number < SEMIGROUP_N_NUMBERS; number++)
    g_assert_cmpint (is_element.of[number], ==,
                     number != 1 && number != 63 && number != 64 && number != 127);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-semigroups/" path, function)
  CASE ("numbers-are-the-published-ones", test_numbers_of_semigroups_are_the_published_ones);
  CASE ("numbers-are-the-published-ones/memory-of-a-walk-does-not-matter",
        test_memory_of_a_walk_does_not_matter);
  CASE ("parts-have-nothing-in-common", test_parts_have_nothing_in_common_and_nothing_is_left);
  CASE ("sums-are-counted", test_sums_are_counted);
  CASE ("child-has-the-sums-of-its-gaps", test_child_has_the_sums_of_its_gaps);
  CASE ("gaps-above-63-are-kept", test_gaps_above_63_are_kept);
  return g_test_run ();
}
