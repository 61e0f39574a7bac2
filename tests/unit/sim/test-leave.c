/* test-leave.c - tests a node that leaves a running program, in virtual time
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "program-world.h"

#include <satin/core.h>
#include <satin/sim/trace.h>

#define LEAF_NS        10000000
#define N_LEAVES       200
#define N_LEAVES_SHORT 20

static guint n_leaves;
static gint64 result;

SATIN_TASK (split, (long), (int, n))
{
  gint64 a, b;
  if (n == 1)
    {
      satin_charge (LEAF_NS);
      return 1;
    }
  SATIN_SPAWN (&a, split, n / 2);
  SATIN_SPAWN (&b, split, n - n / 2);
  if (!SATIN_SYNC ())
    return 0;
  return a + b;
}

SATIN_TASK (split_root, (int), (array_string, argv))
{
  result = SATIN_CALL (split, (gint32)n_leaves);
  return 0;
}

/* Runs the program on five nodes. Node @leaver is asked to leave at @at_us; 0: none. At 100,000 us
 * all nodes have work. */
static Program *
run_with_leaver (guint leaver, gint64 at_us, gint64 within_us)
{
  const ProgramOptions options = { .n_nodes = 5,
                                   .n_workers = 1,
                                   .seed = 1,
                                   .leaver = leaver,
                                   .leave_at_us = at_us,
                                   .leave_within_us = within_us };
  result = 0;
  n_leaves = N_LEAVES;
  Program *program = program_run (&options, &split_root_task);
  g_assert_cmpint (result, ==, N_LEAVES);
  return program;
}

static guint
get_master (const Program *program)
{
  for (guint i = 0; i < program->options.n_nodes; i++)
    if (program->nodes[i].is_master)
      return i + 1;
  g_assert_not_reached ();
}

/* Returns: a node that is not the master */
static guint
choose_leaver (void)
{
  Program *program = run_with_leaver (0, 0, 0);
  guint leaver = get_master (program) == 5 ? 4 : 5;
  program_free (program);
  return leaver;
}

static void
test_leaver_is_out_before_the_run_is_over (void)
{
  guint leaver = choose_leaver ();
  Program *program = run_with_leaver (leaver, 100000, 10000000);
  g_assert_no_error (program->leave_error);
  g_assert_cmpint (program->nodes[leaver - 1].over_us, <, program->ended_us);
  g_assert_cmpuint (program->n_left, ==, 1);
  program_free (program);
}

static void
test_nothing_is_done_twice (void)
{
  Program *program = run_with_leaver (choose_leaver (), 100000, 10000000);
  g_assert_cmpint (program_work_ns (program), <, (gint64)N_LEAVES * (LEAF_NS + 10000));
  program_free (program);
}

static void
test_deadline_is_kept (void)
{
  guint leaver = choose_leaver ();
  Program *program = run_with_leaver (leaver, 100000, 2000);
  gint64 over_us = program->nodes[leaver - 1].over_us;
  g_assert_cmpint (over_us, >=, 102000);
  g_assert_cmpint (over_us, <, 120000);
  program_free (program);
}

static void
test_master_stays (void)
{
  Program *other = run_with_leaver (0, 0, 0);
  Program *program = run_with_leaver (get_master (other), 100000, 1000);
  g_assert_error (program->leave_error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_cmpuint (program->n_left, ==, 0);
  program_free (program);
  program_free (other);
}

static void
test_who_is_not_in_the_run_yet_cannot_leave_it (void)
{
  Program *program = run_with_leaver (4, 0, 1000);
  g_assert_error (program->leave_error, SATIN_ERROR, SATIN_ERROR_CLOSED);
  program_free (program);
}

/* Asks node @leaver to leave so early that the registry may elect it before the registry hears that
 * it leaves. Returns: whether the registry elected it */
static gboolean
run_elected_leaver (guint leaver, gint64 at_us)
{
  const ProgramOptions options = { .n_nodes = 5,
                                   .n_workers = 1,
                                   .seed = 1,
                                   .parts = "ft",
                                   .leaver = leaver,
                                   .leave_at_us = at_us,
                                   .leave_within_us = 10000000 };
  result = 0;
  n_leaves = N_LEAVES_SHORT;
  Program *program = program_run (&options, &split_root_task);
  gboolean is_elected = satin_sim_count_probe (program->sim, "member.elected-leaving") > 0;
  if (is_elected)
    {
      g_assert_cmpint (result, ==, N_LEAVES_SHORT);
      g_assert_cmpint (program->nodes[leaver - 1].over_us, <, program->ended_us);
    }
  program_free (program);
  return is_elected;
}

/* The workers of a leaving node have stopped, so it cannot run the root job when it is elected. */
static void
test_who_is_elected_while_it_leaves_goes_and_another_is_master (void)
{
  guint n_elected = 0;
  for (guint leaver = 1; leaver <= 4; leaver++)
    for (gint64 at_us = 0; at_us < 10000; at_us += 100)
      n_elected += run_elected_leaver (leaver, at_us);
  g_assert_cmpuint (n_elected, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/leave/leaver-is-out-before-the-run-is-over",
                   test_leaver_is_out_before_the_run_is_over);
  g_test_add_func ("/sim/leave/nothing-is-done-twice", test_nothing_is_done_twice);
  g_test_add_func ("/sim/leave/deadline-is-kept", test_deadline_is_kept);
  g_test_add_func ("/sim/leave/master-stays", test_master_stays);
  g_test_add_func ("/sim/leave/who-is-not-in-the-run-yet-cannot-leave-it",
                   test_who_is_not_in_the_run_yet_cannot_leave_it);
  g_test_add_func ("/sim/leave/who-is-elected-while-it-leaves-goes-and-another-is-master",
                   test_who_is_elected_while_it_leaves_goes_and_another_is_master);
  return g_test_run ();
}
