/* test-knapsack-search.c - tests the search, with dynamic programming as reference
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "knapsack/search.h"

static const char *const kinds[] = { "even-odd", "uncorrelated", "weak", "strong" };

/* Returns: the best value, found by dynamic programming over all capacities; for small instances */
static gint64
best_by_capacity (const Knapsack *knapsack)
{
  gsize n = (gsize)knapsack->capacity + 1;
  g_autofree gint64 *best = g_new0 (gint64, n);
  for (gsize i = 0; i < knapsack->n_items; i++)
    for (gint64 room = knapsack->capacity; room >= knapsack->items[i].weight; room--)
      best[room] =
          MAX (best[room], best[room - knapsack->items[i].weight] + knapsack->items[i].value);
  return best[n - 1];
}

/* Searches from @place on like the program, but with calls in place of jobs. @grain: after how many
 * positions a search divides itself */
static KnapsackFound
search_from (const Knapsack *knapsack, const KnapsackPlace *place, gint64 value, gint64 grain)
{
  g_auto (KnapsackSearch) search;
  knapsack_search_init (&search, knapsack, place, value);
  if (knapsack_search_run (&search, grain))
    return knapsack_search_take (&search);
  g_autofree KnapsackPlace *places = g_new (KnapsackPlace, knapsack->n_items + 1);
  guint n = knapsack_search_places (&search, places);
  /* Like jobs, the parts do not know what other parts have found. */
  gint64 known = search.found.value;
  for (guint i = 0; i < n; i++)
    {
      KnapsackFound found = search_from (knapsack, &places[i], known, grain);
      knapsack_found_merge (&search.found, &found);
      satin_record_clear (&KnapsackFound_record, &found);
    }
  return knapsack_search_take (&search);
}

static KnapsackFound
search (const Knapsack *knapsack, gint64 grain)
{
  return search_from (knapsack, &(KnapsackPlace){ 0 }, -1, grain);
}

static Knapsack
draw_instance (const char *kind)
{
  Knapsack knapsack;
  g_assert_true (knapsack_generate (g_test_rand_int_range (1, 17), kind,
                                    g_test_rand_int_range (1, 100), g_test_rand_int (), &knapsack,
                                    NULL));
  return knapsack;
}

static void
assert_best (const Knapsack *knapsack, gint64 grain, gint64 expected)
{
  KnapsackFound found = search (knapsack, grain);
  g_assert_cmpint (found.value, ==, expected);
  g_assert_true (knapsack_found_is_right (&found, knapsack));
  satin_record_clear (&KnapsackFound_record, &found);
}

static void
test_best_is_found (gconstpointer user_data)
{
  const char *kind = user_data;
  for (guint round = 0; round < 300; round++)
    {
      Knapsack knapsack = draw_instance (kind);
      assert_best (&knapsack, G_MAXINT64, best_by_capacity (&knapsack));
      satin_record_clear (&Knapsack_record, &knapsack);
    }
}

static void
test_best_is_found_in_parts (gconstpointer user_data)
{
  const char *kind = user_data;
  for (guint round = 0; round < 100; round++)
    {
      Knapsack knapsack = draw_instance (kind);
      gint64 expected = best_by_capacity (&knapsack);
      assert_best (&knapsack, 1, expected);
      assert_best (&knapsack, g_test_rand_int_range (2, 50), expected);
      satin_record_clear (&Knapsack_record, &knapsack);
    }
}

/* In an even-odd instance, the bound prunes almost nothing. So the number of positions shows
 * whether parts overlap. */
static void
test_parts_have_nothing_in_common (void)
{
  Knapsack knapsack;
  g_assert_true (knapsack_generate (16, "even-odd", 1000, 1, &knapsack, NULL));
  KnapsackFound whole = search (&knapsack, G_MAXINT64), parts = search (&knapsack, 10);
  g_assert_cmpint (whole.n_positions, >, 10000);
  g_assert_cmpint (parts.n_positions, <=, whole.n_positions);
  g_assert_cmpint (parts.n_positions, >, whole.n_positions / 2);
  satin_record_clear (&KnapsackFound_record, &whole);
  satin_record_clear (&KnapsackFound_record, &parts);
  satin_record_clear (&Knapsack_record, &knapsack);
}

static Knapsack
one_item (gint64 capacity)
{
  KnapsackItem *item = g_new (KnapsackItem, 1);
  *item = (KnapsackItem){ .weight = 5, .value = 7, .number = 1 };
  return (Knapsack){ capacity, item, 1 };
}

static void
test_too_heavy_is_left (void)
{
  Knapsack knapsack = one_item (4);
  assert_best (&knapsack, G_MAXINT64, 0);
  satin_record_clear (&Knapsack_record, &knapsack);
}

static void
test_what_fits_exactly_is_taken (void)
{
  Knapsack knapsack = one_item (5);
  assert_best (&knapsack, G_MAXINT64, 7);
  satin_record_clear (&Knapsack_record, &knapsack);
}

/* Sums and products must stay in range with the largest numbers that a file may have. */
static void
test_largest_numbers_do_not_overflow (void)
{
  KnapsackItem *items = g_new (KnapsackItem, KNAPSACK_MAX_ITEMS);
  for (gint32 i = 0; i < KNAPSACK_MAX_ITEMS; i++)
    items[i] = (KnapsackItem){ KNAPSACK_MAX_NUMBER, KNAPSACK_MAX_NUMBER, i + 1 };
  Knapsack knapsack = { G_GINT64_CONSTANT (9999999999999), items, KNAPSACK_MAX_ITEMS };
  g_auto (KnapsackSearch) search;
  knapsack_search_init (&search, &knapsack, &(KnapsackPlace){ 0 }, -1);
  knapsack_search_run (&search, 1000);
  g_assert_cmpint (search.found.value, ==, G_GINT64_CONSTANT (9999000000000));
  satin_record_clear (&Knapsack_record, &knapsack);
}

static void
test_no_better_is_told_as_none (void)
{
  Knapsack knapsack = one_item (5);
  KnapsackFound found = search_from (&knapsack, &(KnapsackPlace){ 0 }, 7, G_MAXINT64);
  g_assert_cmpint (found.value, ==, 7);
  g_assert_cmpuint (found.n_is_taken, ==, 0);
  satin_record_clear (&Knapsack_record, &knapsack);
}

/* Searches the whole instance, when the choice @known was found elsewhere. */
static KnapsackFound
search_knowing (const Knapsack *knapsack, const KnapsackFound *known)
{
  g_auto (KnapsackSearch) search;
  knapsack_search_init (&search, knapsack, &(KnapsackPlace){ 0 }, -1);
  knapsack_search_know (&search, known->value, known->is_taken);
  knapsack_search_run (&search, G_MAXINT64);
  return knapsack_search_take (&search);
}

static void
test_known_choice_is_found_unless_there_is_a_better_one (void)
{
  static const guint8 none[20] = { 0 };
  Knapsack knapsack;
  g_assert_true (knapsack_generate (20, "strong", 100, 2, &knapsack, NULL));
  KnapsackFound best = search (&knapsack, G_MAXINT64);
  KnapsackFound same = search_knowing (&knapsack, &best);
  KnapsackFound better = search_knowing (&knapsack, &(KnapsackFound){ 0, none, 20, 0 });
  g_assert_cmpmem (same.is_taken, same.n_is_taken, best.is_taken, best.n_is_taken);
  g_assert_cmpint (same.n_positions, <, best.n_positions);
  g_assert_cmpint (better.value, ==, best.value);
  g_assert_true (knapsack_found_is_right (&better, &knapsack));
  satin_record_clear (&KnapsackFound_record, &best);
  satin_record_clear (&KnapsackFound_record, &same);
  satin_record_clear (&KnapsackFound_record, &better);
  satin_record_clear (&Knapsack_record, &knapsack);
}

static void
test_wrong_choices_are_noticed (void)
{
  static const guint8 taken[] = { 1 }, left[] = { 0 };
  Knapsack knapsack = one_item (5), small = one_item (4);
  g_assert_true (knapsack_found_is_right (&(KnapsackFound){ 7, taken, 1, 1 }, &knapsack));
  g_assert_false (knapsack_found_is_right (&(KnapsackFound){ 7, taken, 1, 1 }, &small));
  g_assert_false (knapsack_found_is_right (&(KnapsackFound){ 7, left, 1, 1 }, &knapsack));
  g_assert_false (knapsack_found_is_right (&(KnapsackFound){ 0, NULL, 0, 1 }, &knapsack));
  satin_record_clear (&Knapsack_record, &knapsack);
  satin_record_clear (&Knapsack_record, &small);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-knapsack-search/" path, function)
  CASE ("parts-have-nothing-in-common", test_parts_have_nothing_in_common);
  CASE ("too-heavy-is-left", test_too_heavy_is_left);
  CASE ("what-fits-exactly-is-taken", test_what_fits_exactly_is_taken);
  CASE ("largest-numbers-do-not-overflow", test_largest_numbers_do_not_overflow);
  CASE ("no-better-is-told-as-none", test_no_better_is_told_as_none);
  CASE ("known-choice-is-found-unless-there-is-a-better-one",
        test_known_choice_is_found_unless_there_is_a_better_one);
  CASE ("wrong-choices-are-noticed", test_wrong_choices_are_noticed);
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *whole = g_strconcat ("/app-knapsack-search/best-is-found/", kinds[i], NULL);
      g_autofree char *parts =
          g_strconcat ("/app-knapsack-search/best-is-found-in-parts/", kinds[i], NULL);
      g_test_add_data_func (whole, kinds[i], test_best_is_found);
      g_test_add_data_func (parts, kinds[i], test_best_is_found_in_parts);
    }
  return g_test_run ();
}
