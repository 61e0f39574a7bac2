/* test-checkpoint.c - tests how a run with a checkpoint begins and ends, in virtual time
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "program-world.h"

#include <satin/core.h>
#include <satin/sim/disk.h>

#define DISK    "checkpointed"
#define LEAF_NS 10000000
/* How long each call of the storage takes. */
#define DELAY_US 50000

static gint64 result;

SATIN_TASK (keep_split, (long), (int, n))
{
  gint64 a, b;
  if (n == 1)
    {
      satin_charge (LEAF_NS);
      return 1;
    }
  SATIN_SPAWN (&a, keep_split, n / 2);
  SATIN_SPAWN (&b, keep_split, n - n / 2);
  if (!SATIN_SYNC ())
    return 0;
  return a + b;
}

SATIN_TASK (keep_root, (int), (array_string, argv))
{
  result = SATIN_CALL (keep_split, 64);
  return result == 64 ? 0 : 1;
}

SATIN_TASK (keep_failing, (int), (array_string, argv))
{
  result = SATIN_CALL (keep_split, 64);
  satin_fail (g_error_new_literal (SATIN_ERROR, SATIN_ERROR_JOB, "no more"));
  return 0;
}

static Program *
run (const SatinTask *root, const char *parts)
{
  const ProgramOptions options = {
    .n_nodes = 4, .n_workers = 1, .seed = 1, .parts = parts, .may_fail = TRUE
  };
  result = 0;
  return program_run (&options, root);
}

static void
count_file (const char *name, guint64 size_bytes, gpointer user_data)
{
  (*(guint *)user_data)++;
}

static guint
count_files (SatinSimDisk *disk)
{
  guint n = 0;
  satin_sim_disk_list (disk, count_file, &n);
  return n;
}

static void
remove_file (const char *name, guint64 size_bytes, gpointer user_data)
{
  g_ptr_array_add (user_data, g_strdup (name));
}

static void
clear (SatinSimDisk *disk)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  satin_sim_disk_list (disk, remove_file, names);
  for (guint i = 0; i < names->len; i++)
    satin_sim_disk_remove (disk, g_ptr_array_index (names, i));
}

static void
test_root_waits_until_it_is_read (void)
{
  Program *plain = run (&keep_root_task, "ft");
  Program *kept = run (&keep_root_task, "ft:checkpoint=sim:" DISK ",every=50ms,storage=delay=50ms");
  g_assert_cmpint (kept->exit_status, ==, 0);
  /* Timing a write takes five calls. Two more calls read the logs. */
  g_assert_cmpint (kept->began_us, >=, plain->began_us + 7 * DELAY_US);
  g_assert_cmpint (plain->began_us, <, DELAY_US);
  program_free (plain);
  program_free (kept);
}

static void
test_end_waits_until_it_is_removed (void)
{
  g_autoptr (SatinSimDisk) disk = satin_sim_disk_open (DISK);
  Program *kept = run (&keep_root_task, "ft:checkpoint=sim:" DISK ",every=50ms,storage=delay=50ms");
  g_assert_cmpint (result, ==, 64);
  g_assert_cmpuint (count_files (disk), ==, 0);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (kept->nodes[i].over_us, >=, kept->ended_us + DELAY_US);
  program_free (kept);
}

static void
test_what_failed_keeps_it (void)
{
  g_autoptr (SatinSimDisk) disk = satin_sim_disk_open (DISK);
  Program *kept = run (&keep_failing_task, "ft:checkpoint=sim:" DISK ",every=20ms");
  g_assert_cmpint (kept->exit_status, !=, 0);
  g_assert_cmpuint (count_files (disk), >, 0);
  clear (disk);
  program_free (kept);
}

/* No node can write the checkpoint. So the root job does not begin: its work could not be
 * stored. */
static void
test_root_does_not_begin_without_it (void)
{
  g_autoptr (GError) error = g_error_new_literal (SATIN_ERROR, SATIN_ERROR_IO, "");
  Program *kept = run (&keep_root_task, "ft:checkpoint=sim:" DISK ",storage=error-rate=1");
  g_assert_cmpint (kept->exit_status, ==, satin_error_exit_status (error));
  g_assert_cmpint (result, ==, 0);
  g_assert_cmpint (kept->began_us, ==, 0);
  program_free (kept);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/checkpoint/root-waits-until-it-is-read", test_root_waits_until_it_is_read);
  g_test_add_func ("/sim/checkpoint/end-waits-until-it-is-removed",
                   test_end_waits_until_it_is_removed);
  g_test_add_func ("/sim/checkpoint/what-failed-keeps-it", test_what_failed_keeps_it);
  g_test_add_func ("/sim/checkpoint/root-does-not-begin-without-it",
                   test_root_does_not_begin_without_it);
  return g_test_run ();
}
