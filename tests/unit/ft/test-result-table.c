/* test-result-table.c - tests the table of results, where a job's task and arguments are the key
 *
 * In these cases, keys differ in one byte. That byte is also the result.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "recovery/result-table.h"

static ResultTable *table;

/* The job was exported as (@name, 0, 0), and descends from the job exported as (@under, 0, 0). 0:
 * it was not exported. */
static gboolean
add_below (guint8 key, gint32 n_levels, SatinNodeId name, SatinNodeId under)
{
  g_autoptr (GBytes) result = g_bytes_new (&key, 1);
  TableEntry entry = { .key = { key },
                       .result = result,
                       .n_levels = n_levels,
                       .ref = { name, 0, 0 },
                       .under = { under, 0, 0 } };
  return result_table_add (table, &entry);
}

static gboolean
add (guint8 key)
{
  return add_below (key, 1, 0, 0);
}

static gboolean
has (guint8 key)
{
  const guint8 whole[KEY_BYTES] = { key };
  g_autoptr (GBytes) result = result_table_find (table, whole);
  if (result != NULL)
    g_assert_cmpmem (g_bytes_get_data (result, NULL), g_bytes_get_size (result), &key, 1);
  return result != NULL;
}

static void
begin (gsize max_bytes)
{
  table = result_table_new (max_bytes);
}

static void
end (void)
{
  result_table_unref (table);
}

static void
test_found (void)
{
  begin (G_MAXSIZE);
  g_assert_true (add (1));
  g_assert_true (add (2));
  g_assert_true (has (1));
  g_assert_true (has (2));
  g_assert_false (has (3));
  g_assert_cmpint (result_table_get_figures (table).n_found, ==, 2);
  end ();
}

static void
test_first_stays (void)
{
  begin (G_MAXSIZE);
  g_assert_true (add (1));
  g_assert_false (add (1));
  g_assert_cmpuint (result_table_get_figures (table).n_entries, ==, 1);
  end ();
}

static void
test_oldest_go (void)
{
  begin (G_MAXSIZE);
  add (1);
  gsize n_bytes = result_table_get_figures (table).n_bytes;
  end ();
  begin (2 * n_bytes);
  add (1);
  add (2);
  add (3);
  g_assert_false (has (1));
  g_assert_true (has (2));
  g_assert_true (has (3));
  g_assert_cmpint (result_table_get_figures (table).n_evicted, ==, 1);
  g_assert_cmpuint (result_table_get_figures (table).n_bytes, ==, 2 * n_bytes);
  end ();
}

static void
test_too_large (void)
{
  begin (1);
  g_assert_true (add (1));
  g_assert_false (has (1));
  g_assert_cmpuint (result_table_get_figures (table).n_bytes, ==, 0);
  end ();
}

static void
test_descendants_go (void)
{
  begin (G_MAXSIZE);
  add_below (1, 3, 31, 21);
  add_below (2, 3, 32, 21);
  add_below (3, 3, 33, 22);
  add_below (4, 2, 21, 0);
  g_assert_false (has (1));
  g_assert_false (has (2));
  g_assert_true (has (3));
  g_assert_true (has (4));
  end ();
}

/* Jobs that were not exported have no names, so the table does not know their descendants. */
static void
test_nameless_stay (void)
{
  begin (G_MAXSIZE);
  add_below (1, 3, 0, 0);
  add_below (2, 3, 0, 0);
  g_assert_true (has (1));
  g_assert_true (has (2));
  end ();
}

static void
test_depth (void)
{
  begin (G_MAXSIZE);
  g_assert_false (result_table_reaches (table, 0));
  add_below (1, 5, 0, 0);
  add_below (2, 3, 0, 0);
  g_assert_true (result_table_reaches (table, 4));
  g_assert_false (result_table_reaches (table, 5));
  end ();
}

static void
test_unknown_depth (void)
{
  begin (G_MAXSIZE);
  add_below (1, SATIN_LEVELS_UNKNOWN, 0, 0);
  g_assert_false (result_table_reaches (table, 0));
  g_assert_true (has (1));
  end ();
}

static void
collect (const TableEntry *entry, gpointer user_data)
{
  g_string_append_c (user_data, (char)('0' + entry->key[0]));
}

static void
test_order (void)
{
  g_autoptr (GString) keys = g_string_new (NULL);
  begin (G_MAXSIZE);
  for (guint8 key = 9; key > 0; key--)
    add (key);
  result_table_foreach (table, collect, keys);
  g_assert_cmpstr (keys->str, ==, "987654321");
  end ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(claim, func) g_test_add_func ("/ft/result-table/" claim, func)
  CASE ("a-result-is-found-by-its-key", test_found);
  CASE ("the-first-for-a-key-stays", test_first_stays);
  CASE ("above-the-limit-the-oldest-go", test_oldest_go);
  CASE ("one-above-the-limit-goes-at-once", test_too_large);
  CASE ("descendants-of-a-job-go-when-it-comes", test_descendants_go);
  CASE ("what-was-not-exported-has-no-descendants", test_nameless_stay);
  CASE ("it-reaches-as-deep-as-its-deepest", test_depth);
  CASE ("one-of-unknown-depth-is-found", test_unknown_depth);
  CASE ("it-is-walked-from-the-oldest", test_order);
  return g_test_run ();
}
