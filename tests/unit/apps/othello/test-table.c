/* test-table.c - tests the transposition table: what it keeps, and what it forgets first
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "othello/table.h"

/* Returns: a board, different for each @number */
static Board
make_board (guint64 number)
{
  return (Board){ number, ~number };
}

static void
store (Table *table, guint64 number, guint8 round, int depth)
{
  const Board board = make_board (number);
  const TableEntry entry = { depth, -64, 64, 63 };
  table_store (table, &board, round, &entry);
}

static gboolean
knows (Table *table, guint64 number)
{
  const Board board = make_board (number);
  TableEntry entry;
  return table_probe (table, &board, &entry);
}

static void
test_what_was_stored_is_found (void)
{
  g_autoptr (Table) table = table_new (1, NULL);
  const Board board = make_board (5);
  const TableEntry stored = { 60, -64, 64, -1 }, better = { 7, -3, 12, 63 };
  TableEntry found;
  table_store (table, &board, 255, &stored);
  g_assert_true (table_probe (table, &board, &found));
  g_assert_cmpmem (&found, sizeof found, &stored, sizeof stored);
  table_store (table, &board, 0, &better);
  g_assert_true (table_probe (table, &board, &found));
  g_assert_cmpmem (&found, sizeof found, &better, sizeof better);
}

static void
test_what_was_not_stored_is_not_found (void)
{
  g_autoptr (Table) table = table_new (1, NULL);
  const Board empty = { 0, 0 }, board = make_board (5), passed = board_passed (&board);
  TableEntry entry;
  store (table, 5, 0, 0);
  g_assert_false (table_probe (table, &empty, &entry));
  g_assert_false (table_probe (table, &passed, &entry));
}

static void
test_no_table_knows_nothing (void)
{
  store (NULL, 5, 0, 10);
  g_assert_false (knows (NULL, 5));
}

/* Returns: how many of the positions [@begin, @end) the table still knows */
static guint
count_known (Table *table, guint64 begin, guint64 end)
{
  guint n = 0;
  for (guint64 number = begin; number < end; number++)
    n += knows (table, number) ? 1 : 0;
  return n;
}

static void
test_deep_searches_outlast_shallow_ones (void)
{
  g_autoptr (Table) table = table_new (1, NULL);
  for (guint64 number = 0; number < 10000; number++)
    store (table, number, 1, 20);
  for (guint64 number = 10000; number < 500000; number++)
    store (table, number, 1, 3);
  g_assert_cmpuint (count_known (table, 0, 10000), >, 9900);
}

static void
test_other_rounds_are_forgotten_first (void)
{
  g_autoptr (Table) table = table_new (1, NULL);
  for (guint64 number = 0; number < 65536; number++)
    store (table, number, 1, 20);
  for (guint64 number = 100000; number < 600000; number++)
    store (table, number, 2, 3);
  g_assert_cmpuint (count_known (table, 0, 65536), <, 100);
}

/* The table has twice as many places as there are positions, so few buckets are full. */
static void
test_positions_are_spread (void)
{
  g_autoptr (Table) table = table_new (1, NULL);
  for (guint64 number = 0; number < 32768; number++)
    store (table, number, 0, 1);
  g_assert_cmpuint (count_known (table, 0, 32768), >, 30000);
}

static void
test_the_process_has_one_table (void)
{
  Table *table = table_of_process (1, NULL);
  g_assert_nonnull (table);
  g_assert_true (table_of_process (2, NULL) == table);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-othello/table/" path, function)
  CASE ("what-was-stored-is-found", test_what_was_stored_is_found);
  CASE ("what-was-not-stored-is-not-found", test_what_was_not_stored_is_not_found);
  CASE ("no-table-knows-nothing", test_no_table_knows_nothing);
  CASE ("deep-searches-outlast-shallow-ones", test_deep_searches_outlast_shallow_ones);
  CASE ("other-rounds-are-forgotten-first", test_other_rounds_are_forgotten_first);
  CASE ("positions-are-spread", test_positions_are_spread);
  CASE ("the-process-has-one-table", test_the_process_has_one_table);
  return g_test_run ();
}
