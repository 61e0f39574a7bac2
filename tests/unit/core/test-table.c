/* test-table.c - tests the program's table of tasks, and its digest
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tasks/task.h"

#include <satin/core.h>
#include <string.h>

SATIN_TASK (middle, (int), (int, n)) { return n; }

SATIN_TASK (zebra, (void)) {}

SATIN_TASK (ant, (long), (string, text)) { return strlen (text); }

static void
test_order (void)
{
  static const char *const names[] = { "ant", "middle", "zebra" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (task_at (i)->name, ==, names[i]);
  g_assert_null (task_at (3));
  g_assert_null (task_at (G_MAXUINT));
}

static void
test_index (void)
{
  g_assert_cmpint (task_index (&ant_task), ==, 0);
  g_assert_cmpint (task_index (&middle_task), ==, 1);
  g_assert_cmpint (task_index (&zebra_task), ==, 2);
}

static void
test_other_forms (void)
{
  g_assert_cmpint (task_index (&middle_task_typed_), ==, 1);
  g_assert_cmpint (task_index (middle_task.twin), ==, 1);
}

static void
test_foreign_task (void)
{
  static const SatinTask foreign = { .name = "foreign" };
  g_assert_cmpint (task_index (&foreign), ==, -1);
}

static void
test_describe_is_repeatable (void)
{
  SatinProgram one, two;
  satin_program_describe ("p", &one);
  satin_program_describe ("q", &two);
  g_assert_cmpstr (one.name, ==, "p");
  g_assert_cmpmem (one.digest, sizeof one.digest, two.digest, sizeof two.digest);
}

/* The digest must not depend on the compiler or the machine. It covers names, arguments and
 * results, each with its NUL, in the order of the names. */
static void
test_digest_is_of_the_schemas (void)
{
  GChecksum *checksum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[32];
  gsize n_bytes = sizeof digest;
  SatinProgram program;
  static const char text[] =
      "ant\0"
      "{\"type\":\"record\",\"name\":\"ant_args\",\"fields\":[{\"name\":\"text\",\"type\":"
      "\"string\"}]}\0"
      "{\"type\":\"record\",\"name\":\"ant_result\",\"fields\":[{\"name\":\"value\",\"type\":"
      "\"long\"}]}\0"
      "middle\0"
      "{\"type\":\"record\",\"name\":\"middle_args\",\"fields\":[{\"name\":\"n\",\"type\":"
      "\"int\"}]}\0"
      "{\"type\":\"record\",\"name\":\"middle_result\",\"fields\":[{\"name\":\"value\","
      "\"type\":\"int\"}]}\0"
      "zebra\0"
      "{\"type\":\"record\",\"name\":\"zebra_args\",\"fields\":[]}\0"
      "{\"type\":\"record\",\"name\":\"zebra_result\",\"fields\":[]}";
  g_checksum_update (checksum, (const guchar *)text, sizeof text);
  g_checksum_get_digest (checksum, digest, &n_bytes);
  g_checksum_free (checksum);
  satin_program_describe ("p", &program);
  g_assert_cmpmem (program.digest, sizeof program.digest, digest, sizeof program.digest);
}

/* This case changes the table for the rest of the program, so it comes last. */
static void
test_digest_follows_the_table (void)
{
  static SatinTask newcomer;
  SatinProgram before, after;
  satin_program_describe ("p", &before);
  newcomer = zebra_task;
  newcomer.general = &newcomer;
  newcomer.name = "newcomer";
  satin_task_register (&newcomer, sizeof (SatinTask), SATIN_PROGRAM_ABI);
  satin_program_describe ("p", &after);
  g_assert_cmpint (memcmp (before.digest, after.digest, sizeof before.digest), !=, 0);
  g_assert_cmpint (task_index (&zebra_task), ==, 3);
}

static void
test_two_of_one_name (void)
{
  static SatinTask twin;
  if (g_test_subprocess ())
    {
      twin = zebra_task;
      twin.file = "twin.c";
      satin_task_register (&twin, sizeof (SatinTask), SATIN_PROGRAM_ABI);
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_assert_false (g_test_trap_has_passed ());
  g_test_trap_assert_stderr (
      "*two tasks are named zebra, one in *test-table.c and one in twin.c: rename one*");
}

static void
test_another_build (void)
{
  static SatinTask stranger;
  if (g_test_subprocess ())
    {
      stranger = zebra_task;
      stranger.name = "stranger";
      satin_task_register (&stranger, sizeof (SatinTask), SATIN_PROGRAM_ABI + 1);
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*build the program again*");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/core/table/" claim, func)
  ADD ("is-in-the-order-of-names", test_order);
  ADD ("knows-the-place-of-a-task", test_index);
  ADD ("knows-the-place-of-a-task's-other-forms", test_other_forms);
  ADD ("knows-no-foreign-task", test_foreign_task);
  ADD ("digest-is-repeatable-and-not-of-the-name", test_describe_is_repeatable);
  ADD ("digest-is-of-names-and-schemas", test_digest_is_of_the_schemas);
  ADD ("two-tasks-of-one-name-end-the-program", test_two_of_one_name);
  ADD ("a-program-of-another-build-is-refused", test_another_build);
  ADD ("digest-follows-the-table", test_digest_follows_the_table);
  return g_test_run ();
}
