/* test-setcover-instance.c - tests instances of the set cover problem: reading, errors, generation
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "setcover/instance.h"

#include <string.h>

#define FILE_NAME "instance.txt"

static void
test_rows_have_their_columns (void)
{
  static const char text[] = "2 3 # two rows\n5 1 7\n2\n3 1\n1 2\n";
  SetCover cover;
  g_assert_true (setcover_read (FILE_NAME, text, strlen (text), &cover, NULL));
  g_assert_cmpint (setcover_n_rows (&cover), ==, 2);
  g_assert_cmpuint (cover.n_costs, ==, 3);
  g_assert_cmpint (cover.costs[2], ==, 7);
  g_assert_cmpuint (cover.n_entries, ==, 3);
  g_assert_cmpint (cover.starts[1], ==, 2);
  g_assert_cmpint (cover.entries[0], ==, 2);
  g_assert_cmpint (cover.entries[1], ==, 0);
  g_assert_cmpint (cover.entries[2], ==, 1);
  satin_record_clear (&SetCover_record, &cover);
}

typedef struct
{
  const char *claim;
  const char *text;
  const char *message;
} Wrong;

#define COUNT  "expected number of columns of a row, a whole number from 1 to 2, found "
#define COLUMN "expected column of a row, a whole number from 1 to 2, found "

static const Wrong wrongs[] = {
  { "nothing-at-all", "",
    "line 1: expected number of rows, a whole number from 1 to 10000, found the end" },
  { "no-row", "0 2\n",
    "line 1: expected number of rows, a whole number from 1 to 10000, found '0'" },
  { "huge-number-of-rows", "10001 2\n",
    "line 1: expected number of rows, a whole number from 1 to 10000, found '10001'" },
  { "negative-number-of-columns", "2 -2\n",
    "line 1: expected number of columns, a whole number from 1 to 100000, found '-2'" },
  { "column-without-a-cost", "1 2\n3 0\n",
    "line 2: expected cost of a column, a whole number from 1 to 1000000, found '0'" },
  { "huge-cost", "1 2\n3 1000001\n",
    "line 2: expected cost of a column, a whole number from 1 to 1000000, found '1000001'" },
  { "costs-cut-short", "1 2\n3\n",
    "line 3: expected cost of a column, a whole number from 1 to 1000000, found the end" },
  { "row-that-nothing-covers", "1 2\n3 3\n0\n", "line 3: " COUNT "'0'" },
  { "more-columns-than-there-are", "1 2\n3 3\n3\n1 2 3\n", "line 3: " COUNT "'3'" },
  { "rows-cut-short", "2 2\n3 3\n1 1\n", "line 4: " COUNT "the end" },
  { "row-cut-short", "1 2\n3 3\n2 1", "line 3: " COLUMN "the end" },
  { "column-0", "1 2\n3 3\n2 1 0\n", "line 3: " COLUMN "'0'" },
  { "unknown-column", "1 2\n3 3\n1\n3\n", "line 4: " COLUMN "'3'" },
  { "column-twice", "1 2\n3 3\n2 2 2\n", "line 3: a column stands twice in a row" },
  { "row-too-many", "1 2\n3 3\n1 1\n1 2\n",
    "line 4: expected the end after the last row, found '1'" },
  { "words", "1 2\n3 3\none 1\n", "line 3: " COUNT "'one'" },
};

static void
test_refused (gconstpointer user_data)
{
  const Wrong *wrong = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = g_strconcat (FILE_NAME ": ", wrong->message, NULL);
  SetCover cover;
  g_assert_false (setcover_read (FILE_NAME, wrong->text, strlen (wrong->text), &cover, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_too_many_entries_are_refused (void)
{
  const guint n_columns = 2100;
  g_autoptr (GString) text = g_string_new ("2000 2100\n");
  g_autoptr (GError) error = NULL;
  SetCover cover;
  for (guint i = 0; i < n_columns; i++)
    g_string_append (text, "1 ");
  g_autoptr (GString) row = g_string_new ("\n2100");
  for (guint i = 1; i <= n_columns; i++)
    g_string_append_printf (row, " %u", i);
  for (guint i = 0; i < 2000; i++)
    g_string_append_len (text, row->str, (gssize)row->len);
  g_assert_false (setcover_read (FILE_NAME, text->str, text->len, &cover, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_assert_cmpstr (error->message, ==, FILE_NAME ": line 1907: more than 4000000 columns of rows");
}

static void
test_any_bytes_are_read_or_refused (void)
{
  static const char good[] = "3 4\n1 2 3 4\n2 1 2\n1 4\n3 2 3 4\n";
  for (guint round = 0; round < 5000; round++)
    {
      char text[sizeof good];
      g_autoptr (GError) error = NULL;
      SetCover cover;
      memcpy (text, good, sizeof good);
      for (gint i = g_test_rand_int_range (0, 4); i > 0; i--)
        text[g_test_rand_int_range (0, sizeof good - 1)] = (char)g_test_rand_int_range (0, 256);
      gsize n = (gsize)g_test_rand_int_range (0, (gint)sizeof good);
      if (setcover_read (FILE_NAME, text, n, &cover, &error))
        satin_record_clear (&SetCover_record, &cover);
      else
        g_assert_nonnull (error);
    }
}

/* ---- generation ---- */

static void
assert_is_as_asked (int n_rows, int n_columns, int max_cost)
{
  SetCover cover;
  g_autofree gboolean *has_row = g_new0 (gboolean, (gsize)n_columns);
  setcover_generate (n_rows, n_columns, 3, max_cost, g_test_rand_int (), &cover);
  g_assert_cmpint (setcover_n_rows (&cover), ==, n_rows);
  g_assert_cmpuint (cover.n_costs, ==, (guint)n_columns);
  for (int row = 0; row < n_rows; row++)
    g_assert_cmpint (cover.starts[row + 1] - cover.starts[row], >=, MIN (2, n_columns));
  for (gsize i = 0; i < cover.n_entries; i++)
    has_row[cover.entries[i]] = TRUE;
  for (int column = 0; column < n_columns; column++)
    {
      g_assert_true (has_row[column]);
      g_assert_cmpint (cover.costs[column], >=, 1);
      g_assert_cmpint (cover.costs[column], <=, max_cost);
    }
  satin_record_clear (&SetCover_record, &cover);
}

static void
test_generated_is_as_asked (void)
{
  assert_is_as_asked (1, 1, 1);
  assert_is_as_asked (7, 1, 5);
  assert_is_as_asked (1, 50, 5);
  assert_is_as_asked (60, 40, 100);
}

static void
test_same_seed_is_the_same_instance (void)
{
  SetCover first, again, other;
  setcover_generate (20, 30, 10, 100, 5, &first);
  setcover_generate (20, 30, 10, 100, 5, &again);
  setcover_generate (20, 30, 10, 100, 6, &other);
  g_autoptr (GBytes) first_bytes = satin_record_to_bytes (&SetCover_record, &first);
  g_autoptr (GBytes) again_bytes = satin_record_to_bytes (&SetCover_record, &again);
  g_autoptr (GBytes) other_bytes = satin_record_to_bytes (&SetCover_record, &other);
  g_assert_true (g_bytes_equal (first_bytes, again_bytes));
  g_assert_false (g_bytes_equal (first_bytes, other_bytes));
  satin_record_clear (&SetCover_record, &first);
  satin_record_clear (&SetCover_record, &again);
  satin_record_clear (&SetCover_record, &other);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-setcover-instance/" path, function)
  CASE ("rows-have-their-columns", test_rows_have_their_columns);
  CASE ("too-many-entries-are-refused", test_too_many_entries_are_refused);
  CASE ("any-bytes-are-read-or-refused", test_any_bytes_are_read_or_refused);
  CASE ("generated-is-as-asked", test_generated_is_as_asked);
  CASE ("same-seed-is-the-same-instance", test_same_seed_is_the_same_instance);
  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path =
          g_strconcat ("/app-setcover-instance/refused/", wrongs[i].claim, NULL);
      g_test_add_data_func (path, &wrongs[i], test_refused);
    }
  return g_test_run ();
}
