/* test-setcover-search.c - tests the search for the cheapest cover, with all covers as reference
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "setcover/search.h"

#define MAX_ROWS    12
#define MAX_COLUMNS 11

/* Returns: the cost of the cheapest cover, found by trying all sets of columns. @taken: columns
 * that the cover must have; @out: columns that it may not have */
static gint64
cheapest_of_all (const SetCover *cover, guint taken, guint out)
{
  guint covers[MAX_COLUMNS] = { 0 }, wanted = (1u << setcover_n_rows (cover)) - 1;
  gint64 least = G_MAXINT64;
  for (gint32 row = 0; row < setcover_n_rows (cover); row++)
    for (gint32 i = cover->starts[row]; i < cover->starts[row + 1]; i++)
      covers[cover->entries[i]] |= 1u << row;
  for (guint set = 0; set < 1u << cover->n_costs; set++)
    {
      gint64 cost = 0;
      guint covered = 0;
      if ((set & taken) != taken || (set & out) != 0)
        continue;
      for (guint column = 0; column < cover->n_costs; column++)
        if (set & 1u << column)
          {
            cost += cover->costs[column];
            covered |= covers[column];
          }
      if (covered == wanted)
        least = MIN (least, cost);
    }
  return least;
}

static SetCover
draw_instance (void)
{
  SetCover cover;
  setcover_generate (g_test_rand_int_range (1, MAX_ROWS + 1),
                     g_test_rand_int_range (1, MAX_COLUMNS + 1), g_test_rand_int_range (1, 60),
                     g_test_rand_bit () ? 1 : 20, g_test_rand_int (), &cover);
  return cover;
}

/* Searches from @place on like the program, but with calls in place of jobs. @grain: after how many
 * positions a search divides itself */
static SetCoverFound
search_from (const SetCover *cover, const SetCoverPlace *place, gint64 cost, gint64 grain)
{
  g_auto (SetCoverSearch) search;
  setcover_search_init (&search, cover, place, cost);
  if (setcover_search_run (&search, grain))
    return setcover_search_take (&search);
  guint n;
  g_autofree SetCoverPlace *places = setcover_search_places (&search, &n);
  /* Like jobs, the parts do not know what other parts have found. */
  gint64 known = search.found.cost;
  for (guint i = 0; i < n; i++)
    {
      SetCoverFound found = search_from (cover, &places[i], known, grain);
      setcover_found_merge (&search.found, &found);
      satin_record_clear (&SetCoverFound_record, &found);
      satin_record_clear (&SetCoverPlace_record, &places[i]);
    }
  return setcover_search_take (&search);
}

static SetCoverFound
search (const SetCover *cover, gint64 grain)
{
  return search_from (cover, &(SetCoverPlace){ 0 }, G_MAXINT64, grain);
}

static void
assert_cheapest (const SetCover *cover, gint64 grain, gint64 expected)
{
  SetCoverFound found = search (cover, grain);
  g_assert_cmpint (found.cost, ==, expected);
  g_assert_true (setcover_found_is_right (&found, cover));
  satin_record_clear (&SetCoverFound_record, &found);
}

static void
test_cheapest_is_found (void)
{
  for (guint round = 0; round < 500; round++)
    {
      SetCover cover = draw_instance ();
      assert_cheapest (&cover, G_MAXINT64, cheapest_of_all (&cover, 0, 0));
      satin_record_clear (&SetCover_record, &cover);
    }
}

static void
test_cheapest_is_found_in_parts (void)
{
  for (guint round = 0; round < 500; round++)
    {
      SetCover cover = draw_instance ();
      gint64 expected = cheapest_of_all (&cover, 0, 0);
      assert_cheapest (&cover, 1, expected);
      assert_cheapest (&cover, g_test_rand_int_range (2, 10), expected);
      satin_record_clear (&SetCover_record, &cover);
    }
}

/* Some columns are taken or left out already. No cover with the same decisions may be cheaper than
 * the bound. */
static void
test_bound_is_never_above_the_cheapest (void)
{
  guint n_tight = 0;
  for (guint round = 0; round < 500; round++)
    {
      SetCover cover = draw_instance ();
      SetCoverPartial partial;
      guint taken = 0, out = 0;
      setcover_partial_init (&partial, &cover);
      for (gsize column = 0; column < cover.n_costs; column++)
        if (g_test_rand_int_range (0, 4) == 0)
          {
            setcover_partial_take (&partial, (gint32)column);
            taken |= 1u << column;
          }
        else if (g_test_rand_int_range (0, 4) == 0)
          {
            partial.is_free[column] = FALSE;
            out |= 1u << column;
          }
      gint64 cheapest = cheapest_of_all (&cover, taken, out);
      if (partial.n_uncovered > 0)
        {
          SetCoverBound bound = setcover_partial_bound (&partial);
          g_assert_true (bound.cost == G_MAXINT64 ? cheapest == G_MAXINT64
                                                  : bound.cost <= cheapest);
          n_tight += bound.cost == cheapest;
        }
      setcover_partial_clear (&partial);
      satin_record_clear (&SetCover_record, &cover);
    }
  g_assert_cmpuint (n_tight, >, 50);
}

static void
test_untaken_is_as_before (void)
{
  SetCover cover;
  SetCoverPartial partial;
  setcover_generate (50, 60, 10, 100, 3, &cover);
  setcover_partial_init (&partial, &cover);
  setcover_partial_take (&partial, 7);
  SetCoverBound before = setcover_partial_bound (&partial);
  setcover_partial_take (&partial, 20);
  setcover_partial_take (&partial, 40);
  setcover_partial_untake (&partial, 40);
  setcover_partial_untake (&partial, 20);
  SetCoverBound after = setcover_partial_bound (&partial);
  g_assert_cmpint (after.sum, ==, before.sum);
  g_assert_cmpint (after.cost, ==, before.cost);
  g_assert_cmpint (after.row, ==, before.row);
  setcover_partial_clear (&partial);
  satin_record_clear (&SetCover_record, &cover);
}

/* Each part begins with one position that the whole search has, too. Nothing else is searched
 * twice. */
static void
test_parts_have_nothing_in_common (void)
{
  SetCover cover;
  setcover_generate (100, 100, 10, 1, 2, &cover);
  SetCoverFound whole = search (&cover, G_MAXINT64);
  gint64 cost = whole.cost;
  g_assert_cmpint (whole.n_positions, >, 500);
  satin_record_clear (&SetCoverFound_record, &whole);
  /* When the least cost is known, the order of the search does not matter. */
  const SetCoverPlace all = { 0 };
  whole = search_from (&cover, &all, cost, G_MAXINT64);
  SetCoverFound parts = search_from (&cover, &all, cost, 20);
  g_assert_cmpint (parts.n_positions, <, 2 * whole.n_positions);
  g_assert_cmpint (parts.n_positions, >, whole.n_positions / 2);
  satin_record_clear (&SetCoverFound_record, &whole);
  satin_record_clear (&SetCoverFound_record, &parts);
  satin_record_clear (&SetCover_record, &cover);
}

static void
test_no_cheaper_is_told_as_none (void)
{
  SetCover cover;
  setcover_generate (20, 20, 10, 9, 3, &cover);
  SetCoverFound best = search (&cover, G_MAXINT64);
  SetCoverFound found = search_from (&cover, &(SetCoverPlace){ 0 }, best.cost, G_MAXINT64);
  g_assert_cmpint (found.cost, ==, best.cost);
  g_assert_cmpuint (found.n_columns, ==, 0);
  satin_record_clear (&SetCoverFound_record, &best);
  satin_record_clear (&SetCover_record, &cover);
}

static void
test_known_cover_is_found_unless_there_is_a_cheaper_one (void)
{
  SetCover cover;
  const SetCoverPlace all = { 0 };
  setcover_generate (20, 20, 10, 9, 3, &cover);
  SetCoverFound best = search (&cover, G_MAXINT64);
  for (gint64 dearer = 0; dearer < 2; dearer++)
    {
      g_auto (SetCoverSearch) search;
      setcover_search_init (&search, &cover, &all, G_MAXINT64);
      setcover_search_know (&search, best.cost + dearer, best.columns, best.n_columns);
      g_assert_true (setcover_search_run (&search, G_MAXINT64));
      SetCoverFound found = setcover_search_take (&search);
      g_assert_cmpint (found.cost, ==, best.cost);
      g_assert_true (setcover_found_is_right (&found, &cover));
      satin_record_clear (&SetCoverFound_record, &found);
    }
  satin_record_clear (&SetCoverFound_record, &best);
  satin_record_clear (&SetCover_record, &cover);
}

static void
test_unknown_columns_are_noticed (void)
{
  static const gint32 columns[] = { -1, 1000 };
  SetCover cover;
  setcover_generate (20, 20, 10, 9, 3, &cover);
  g_assert_false (setcover_found_is_right (&(SetCoverFound){ 9, columns, 2, 1 }, &cover));
  satin_record_clear (&SetCover_record, &cover);
}

static void
test_wrong_covers_are_noticed (void)
{
  SetCover cover;
  setcover_generate (20, 20, 10, 9, 3, &cover);
  SetCoverFound found = search (&cover, G_MAXINT64);
  g_assert_true (setcover_found_is_right (&found, &cover));
  found.cost++;
  g_assert_false (setcover_found_is_right (&found, &cover));
  found.cost--;
  found.n_columns--;
  g_assert_false (setcover_found_is_right (&found, &cover));
  satin_record_clear (&SetCoverFound_record, &found);
  satin_record_clear (&SetCover_record, &cover);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-setcover-search/" path, function)
  CASE ("cheapest-is-found", test_cheapest_is_found);
  CASE ("cheapest-is-found-in-parts", test_cheapest_is_found_in_parts);
  CASE ("bound-is-never-above-the-cheapest", test_bound_is_never_above_the_cheapest);
  CASE ("untaken-is-as-before", test_untaken_is_as_before);
  CASE ("parts-have-nothing-in-common", test_parts_have_nothing_in_common);
  CASE ("no-cheaper-is-told-as-none", test_no_cheaper_is_told_as_none);
  CASE ("known-cover-is-found-unless-there-is-a-cheaper-one",
        test_known_cover_is_found_unless_there_is_a_cheaper_one);
  CASE ("unknown-columns-are-noticed", test_unknown_columns_are_noticed);
  CASE ("wrong-covers-are-noticed", test_wrong_covers_are_noticed);
  return g_test_run ();
}
