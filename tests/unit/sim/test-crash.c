/* test-crash.c - tests a job that crashes every node that runs it, in virtual time
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "program-world.h"

#include <satin/core.h>

#include <signal.h>

#define LEAF_NS     1000000
#define FOR_EVER_NS ((gint64)1000000000000)
#define N_LEAVES    200

/* The number of the leaf that crashes its node. */
static gint64 culprit;

SATIN_TASK (split, (long), (int, first), (int, n))
{
  gint64 a, b;
  if (n == 1)
    {
      if (first == culprit)
        program_crash (SIGSEGV);
      satin_charge (first == culprit ? FOR_EVER_NS : LEAF_NS);
      return 1;
    }
  SATIN_SPAWN (&a, split, first, n / 2);
  SATIN_SPAWN (&b, split, first + n / 2, n - n / 2);
  if (!SATIN_SYNC ())
    return 0;
  return a + b;
}

SATIN_TASK (split_root, (int), (array_string, argv))
{
  SATIN_CALL (split, 0, N_LEAVES);
  return 0;
}

/* Runs the program on eight nodes. Returns: how many of them leaf @number crashed before the run
 * ended */
static guint
count_crashes (guint64 seed, gint64 number)
{
  const ProgramOptions options = {
    .n_nodes = MAX_NODES, .n_workers = 1, .seed = seed, .parts = "ft", .may_fail = TRUE
  };
  culprit = number;
  Program *program = program_run (&options, &split_root_task);
  guint n = program->n_crashed;
  g_assert_cmpint (program->ended_us, >, 0);
  program_free (program);
  return n;
}

/* Few nodes crash, wherever the leaf is in the tree, and whichever nodes steal its ancestors. */
static void
test_it_crashes_few_nodes (void)
{
  guint n = 0, n_crashed = 0;
  for (guint64 seed = 1; seed <= 10; seed++)
    for (gint64 number = 1; number < N_LEAVES; number += 39, n++)
      {
        guint n_now = count_crashes (seed, number);
        g_assert_cmpuint (n_now, >=, 3);
        g_assert_cmpuint (n_now, <=, 6);
        n_crashed += n_now;
      }
  g_assert_cmpuint (n_crashed, <=, n * 7 / 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/crash/it-crashes-few-nodes", test_it_crashes_few_nodes);
  return g_test_run ();
}
