/* test-task-table.c - tests the program's table of tasks as data
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

SATIN_RECORD (Point, (double, x), (double, y))

SATIN_TASK (walk, (record, Point), (record, from, Point), (int, n_steps))
{
  return (Point){ from.x + n_steps, from.y };
}

SATIN_TASK (area, (void), (array_long, sides)) {}

static void
assert_schema (const SatinTaskTable *table, gint32 index, const SatinRecord *record)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinRecordSet) types = satin_record_set_new (table->types, table->n_types, &error);
  g_assert_no_error (error);
  g_autofree char *schema = satin_record_schema (satin_record_set_get (types, index));
  g_autofree char *expected = satin_record_schema (record);
  g_assert_cmpstr (schema, ==, expected);
}

static void
test_tasks (void)
{
  SatinTaskTable table;
  satin_program_get_tasks (&table);
  g_assert_cmpuint (table.n_tasks, ==, 2);
  g_assert_cmpstr (table.tasks[0].name, ==, "area");
  g_assert_cmpstr (table.tasks[1].name, ==, "walk");
  assert_schema (&table, table.tasks[0].arguments, area_task.args);
  assert_schema (&table, table.tasks[0].result, area_task.result);
  assert_schema (&table, table.tasks[1].arguments, walk_task.args);
  assert_schema (&table, table.tasks[1].result, walk_task.result);
  satin_record_clear (&SatinTaskTable_record, &table);
}

static void
test_version (void)
{
  SatinTaskTable table;
  satin_program_get_tasks (&table);
  g_assert_cmpstr (table.results_version, ==, "");
  satin_record_clear (&SatinTaskTable_record, &table);
  satin_program_set_results_version ("2");
  satin_program_set_results_version ("3");
  satin_program_get_tasks (&table);
  g_assert_cmpstr (table.results_version, ==, "3");
  satin_record_clear (&SatinTaskTable_record, &table);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/task-table/names-and-types", test_tasks);
  g_test_add_func ("/core/task-table/last-version-counts", test_version);
  return g_test_run ();
}
