/* test-knapsack-instance.c - tests instances of the knapsack problem: reading, errors, generation
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "knapsack/instance.h"

#include <string.h>

#define FILE_NAME "instance.txt"

static void
test_items_are_sorted_by_their_worth (void)
{
  static const char text[] = "# what fits\n10\n2 2 # as the third\n4 1\n1 1\n3 9\n";
  static const gint32 numbers[] = { 4, 1, 3, 2 };
  Knapsack knapsack;
  g_assert_true (knapsack_read (FILE_NAME, text, strlen (text), &knapsack, NULL));
  g_assert_cmpint (knapsack.capacity, ==, 10);
  g_assert_cmpuint (knapsack.n_items, ==, G_N_ELEMENTS (numbers));
  for (gsize i = 0; i < knapsack.n_items; i++)
    g_assert_cmpint (knapsack.items[i].number, ==, numbers[i]);
  g_assert_cmpint (knapsack.items[0].weight, ==, 3);
  g_assert_cmpint (knapsack.items[0].value, ==, 9);
  satin_record_clear (&Knapsack_record, &knapsack);
}

static void
test_largest_numbers_are_read (void)
{
  static const char text[] = "1000000000000000 1000000000 1000000000";
  Knapsack knapsack;
  g_assert_true (knapsack_read (FILE_NAME, text, strlen (text), &knapsack, NULL));
  g_assert_cmpint (knapsack.capacity, ==, KNAPSACK_MAX_CAPACITY);
  g_assert_cmpint (knapsack.items[0].value, ==, KNAPSACK_MAX_NUMBER);
  satin_record_clear (&Knapsack_record, &knapsack);
}

typedef struct
{
  const char *claim;
  const char *text;
  const char *message;
} Wrong;

#define WEIGHT "expected weight of an item, a whole number from 1 to 1000000000, found "
#define VALUE  "expected value of an item, a whole number from 0 to 1000000000, found "

static const Wrong wrongs[] = {
  { "nothing-at-all", "# only this\n",
    "line 2: expected capacity, a whole number from 0 to 1000000000000000, found the end" },
  { "negative-capacity", "-1\n1 1\n",
    "line 1: expected capacity, a whole number from 0 to 1000000000000000, found '-1'" },
  { "huge-capacity", "1000000000000001\n",
    "line 1: expected capacity, a whole number from 0 to 1000000000000000, found "
    "'1000000000000001'" },
  { "no-item", "10\n", "line 2: " WEIGHT "the end" },
  { "no-weight", "10\n0 5\n", "line 2: " WEIGHT "'0'" },
  { "negative-weight", "10\n1 1\n-3 5\n", "line 3: " WEIGHT "'-3'" },
  { "huge-weight", "10\n1000000001 5\n", "line 2: " WEIGHT "'1000000001'" },
  { "cut-short", "10\n1 1\n3", "line 3: " VALUE "the end" },
  { "negative-value", "10\n1 -1\n", "line 2: " VALUE "'-1'" },
  { "word-for-a-value", "10\n1 much\n", "line 2: " VALUE "'much'" },
  { "bytes-that-are-no-text", "10\n1 1\n\1\377\n", "line 3: " WEIGHT "'\\001\\377'" },
};

static void
test_refused (gconstpointer user_data)
{
  const Wrong *wrong = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = g_strconcat (FILE_NAME ": ", wrong->message, NULL);
  Knapsack knapsack;
  g_assert_false (knapsack_read (FILE_NAME, wrong->text, strlen (wrong->text), &knapsack, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_too_many_items_are_refused (void)
{
  g_autoptr (GString) text = g_string_new ("10\n");
  g_autoptr (GError) error = NULL;
  Knapsack knapsack;
  for (guint i = 0; i <= KNAPSACK_MAX_ITEMS; i++)
    g_string_append (text, "1 1\n");
  g_assert_false (knapsack_read (FILE_NAME, text->str, text->len, &knapsack, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_assert_cmpstr (error->message, ==, FILE_NAME ": line 10002: more than 10000 items");
}

static void
test_any_bytes_are_read_or_refused (void)
{
  static const char good[] = "100\n12 4\n2 2\n1 1\n1 2\n4 10\n";
  for (guint round = 0; round < 5000; round++)
    {
      char text[sizeof good];
      g_autoptr (GError) error = NULL;
      Knapsack knapsack;
      memcpy (text, good, sizeof good);
      for (gint i = g_test_rand_int_range (0, 4); i > 0; i--)
        text[g_test_rand_int_range (0, sizeof good - 1)] = (char)g_test_rand_int_range (0, 256);
      gsize n = (gsize)g_test_rand_int_range (0, (gint)sizeof good);
      if (knapsack_read (FILE_NAME, text, n, &knapsack, &error))
        satin_record_clear (&Knapsack_record, &knapsack);
      else
        g_assert_nonnull (error);
    }
}

/* ---- generation ---- */

static Knapsack
generate (const char *kind, int range, int seed)
{
  Knapsack knapsack;
  g_assert_true (knapsack_generate (100, kind, range, seed, &knapsack, NULL));
  g_assert_cmpuint (knapsack.n_items, ==, 100);
  return knapsack;
}

static void
test_half_of_all_can_be_carried (void)
{
  static const char *const kinds[] = { "even-odd", "uncorrelated", "weak", "strong" };
  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      Knapsack knapsack = generate (kinds[k], 1000, 7);
      gint64 sum = 0;
      for (gsize i = 0; i < knapsack.n_items; i++)
        {
          g_assert_cmpint (knapsack.items[i].weight, >=, 1);
          g_assert_cmpint (knapsack.items[i].weight, <=, 1000);
          g_assert_cmpint (knapsack.items[i].value, >=, 1);
          sum += knapsack.items[i].weight;
        }
      g_assert_cmpint (knapsack.capacity, >=, sum / 2);
      g_assert_cmpint (knapsack.capacity, <=, sum / 2 + 1);
      satin_record_clear (&Knapsack_record, &knapsack);
    }
}

static void
test_weak_values_are_near_their_weights (void)
{
  Knapsack knapsack = generate ("weak", 1000, 1);
  for (gsize i = 0; i < knapsack.n_items; i++)
    g_assert_cmpint (ABS (knapsack.items[i].value - knapsack.items[i].weight), <=, 100);
  satin_record_clear (&Knapsack_record, &knapsack);
}

static void
test_strong_values_are_a_tenth_of_the_range_higher (void)
{
  Knapsack knapsack = generate ("strong", 1000, 1);
  for (gsize i = 0; i < knapsack.n_items; i++)
    g_assert_cmpint (knapsack.items[i].value, ==, knapsack.items[i].weight + 100);
  satin_record_clear (&Knapsack_record, &knapsack);
}

static void
test_even_weights_meet_an_odd_capacity (void)
{
  for (int seed = 0; seed < 20; seed++)
    {
      Knapsack knapsack = generate ("even-odd", 1000, seed);
      g_assert_cmpint (knapsack.capacity % 2, ==, 1);
      for (gsize i = 0; i < knapsack.n_items; i++)
        {
          g_assert_cmpint (knapsack.items[i].weight % 2, ==, 0);
          g_assert_cmpint (knapsack.items[i].value, ==, knapsack.items[i].weight);
        }
      satin_record_clear (&Knapsack_record, &knapsack);
    }
}

static void
test_largest_range_fits (void)
{
  Knapsack knapsack = generate ("strong", KNAPSACK_MAX_NUMBER / 2, 1);
  for (gsize i = 0; i < knapsack.n_items; i++)
    g_assert_cmpint (knapsack.items[i].value, <=, KNAPSACK_MAX_NUMBER);
  satin_record_clear (&Knapsack_record, &knapsack);
}

static void
test_another_seed_is_another_instance (void)
{
  Knapsack first = generate ("weak", 1000, 1), second = generate ("weak", 1000, 2);
  Knapsack again = generate ("weak", 1000, 1);
  g_assert_cmpint (first.capacity, !=, second.capacity);
  g_assert_cmpint (first.capacity, ==, again.capacity);
  satin_record_clear (&Knapsack_record, &first);
  satin_record_clear (&Knapsack_record, &second);
  satin_record_clear (&Knapsack_record, &again);
}

static void
test_unknown_kind_is_refused (void)
{
  g_autoptr (GError) error = NULL;
  Knapsack knapsack;
  g_assert_false (knapsack_generate (5, "odd", 10, 1, &knapsack, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-knapsack-instance/" path, function)
  CASE ("items-are-sorted-by-their-worth", test_items_are_sorted_by_their_worth);
  CASE ("largest-numbers-are-read", test_largest_numbers_are_read);
  CASE ("too-many-items-are-refused", test_too_many_items_are_refused);
  CASE ("any-bytes-are-read-or-refused", test_any_bytes_are_read_or_refused);
  CASE ("half-of-all-can-be-carried", test_half_of_all_can_be_carried);
  CASE ("weak-values-are-near-their-weights", test_weak_values_are_near_their_weights);
  CASE ("strong-values-are-a-tenth-of-the-range-higher",
        test_strong_values_are_a_tenth_of_the_range_higher);
  CASE ("even-weights-meet-an-odd-capacity", test_even_weights_meet_an_odd_capacity);
  CASE ("largest-range-fits", test_largest_range_fits);
  CASE ("another-seed-is-another-instance", test_another_seed_is_another_instance);
  CASE ("unknown-kind-is-refused", test_unknown_kind_is_refused);
  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path =
          g_strconcat ("/app-knapsack-instance/refused/", wrongs[i].claim, NULL);
      g_test_add_data_func (path, &wrongs[i], test_refused);
    }
  return g_test_run ();
}
