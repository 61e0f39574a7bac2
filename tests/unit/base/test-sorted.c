/* test-sorted.c - tests the binary search, in lists of several forms
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/sorted.h>

#define MAX_ITEMS 20u

typedef struct
{
  const char *name;
  guint32 id;
} Item;

/* Searches up to 20 items, with the ids 2, 4, 6 and so on, for every id in and around them, and
 * compares with a linear search. */
static void
test_place_is_that_of_a_linear_search (void)
{
  Item items[MAX_ITEMS];
  for (guint i = 0; i < MAX_ITEMS; i++)
    items[i] = (Item){ "", 2 * (i + 1) };
  for (guint n = 0; n <= MAX_ITEMS; n++)
    for (guint32 id = 0; id <= 2 * n + 3; id++)
      {
        guint expected = 0;
        while (expected < n && items[expected].id < id)
          expected++;
        g_assert_cmpuint (SATIN_SORTED_PLACE (i, n, items[i].id < id), ==, expected);
      }
}

static void
test_first_of_equal_ones_is_found (void)
{
  static const guint32 ids[] = { 1, 3, 3, 3, 5 };
  g_assert_cmpuint (SATIN_SORTED_PLACE (i, G_N_ELEMENTS (ids), ids[i] < 3), ==, 1);
  g_assert_cmpuint (SATIN_SORTED_PLACE (i, G_N_ELEMENTS (ids), ids[i] <= 3), ==, 4);
}

static void
test_pointers_and_wide_ids (void)
{
  static const gint64 ids[] = { G_MININT64, -1, 0, G_MAXINT64 };
  const gint64 *pointers[] = { &ids[0], &ids[1], &ids[2], &ids[3] };
  gint64 wanted = G_MAXINT64;
  g_assert_cmpuint (SATIN_SORTED_PLACE (i, 4u, *pointers[i] < wanted), ==, 3);
  wanted = G_MININT64;
  g_assert_cmpuint (SATIN_SORTED_PLACE (i, 4u, *pointers[i] < wanted), ==, 0);
}

/* Each element is its own index, so no list is needed. */
static void
test_longest_list (void)
{
  guint n_steps = 0;
  guint n = SATIN_SORTED_PLACE (i, G_MAXUINT, (n_steps++, i < G_MAXUINT - 1));
  g_assert_cmpuint (n, ==, G_MAXUINT - 1);
  g_assert_cmpuint (n_steps, <=, 32);
  g_assert_cmpuint (SATIN_SORTED_PLACE (i, G_MAXSIZE, i < G_MAXSIZE - 1), ==, G_MAXSIZE - 1);
}

/* The number of items may be a constant or an expression, which is evaluated once. */
static void
test_number_is_read_once (void)
{
  guint n_reads = 0;
  const guint n = 3;
  g_assert_cmpuint (SATIN_SORTED_PLACE (i, (n_reads++, n), i < 2), ==, 2);
  g_assert_cmpuint (n_reads, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/base/sorted/" name, func)
  ADD ("place-is-that-of-a-linear-search", test_place_is_that_of_a_linear_search);
  ADD ("first-of-equal-ones-is-found", test_first_of_equal_ones_is_found);
  ADD ("pointers-and-wide-ids", test_pointers_and_wide_ids);
  ADD ("longest-list", test_longest_list);
  ADD ("number-is-read-once", test_number_is_read_once);
  return g_test_run ();
}
