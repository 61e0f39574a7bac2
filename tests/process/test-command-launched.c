/* test-command-launched.c - tests by which variables the command knows that it is one of several
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "launched.h"

static const char *const known[] = { "SLURM_JOB_ID",   "SLURM_STEP_ID", "SLURM_STEP_NUM_TASKS",
                                     "PMIX_NAMESPACE", "PMIX_RANK",     "OMPI_COMM_WORLD_SIZE" };

/* @text: "NAME=value NAME=value" */
static void
set_variables (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    g_unsetenv (known[i]);
  for (char **word = words; *word != NULL; word++)
    {
      g_auto (GStrv) sides = g_strsplit (*word, "=", 2);
      if (sides[0] != NULL && sides[1] != NULL)
        g_setenv (sides[0], sides[1], TRUE);
    }
}

static void
assert_found (const char *text, const char *launcher)
{
  set_variables (text);
  g_assert_cmpstr (launched_find (), ==, launcher);
}

static void
test_alone (void)
{
  assert_found ("", NULL);
}

static void
test_an_allocation_is_not_enough (void)
{
  assert_found ("SLURM_JOB_ID=7", NULL);
  assert_found ("SLURM_JOB_ID=7 SLURM_STEP_ID=4294967290 SLURM_STEP_NUM_TASKS=1", NULL);
  assert_found ("SLURM_JOB_ID=7 SLURM_STEP_NUM_TASKS=x SLURM_STEP_ID=0", NULL);
}

static void
test_a_step_of_several_tasks (void)
{
  assert_found ("SLURM_JOB_ID=7 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=2", "slurm");
}

static void
test_slurm_with_pmix (void)
{
  assert_found ("SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=2 PMIX_NAMESPACE=slurm.pmix.7.0 PMIX_RANK=1",
                "pmix");
  g_assert_cmpstr (launched_find_other ("pmix"), ==, "slurm");
  assert_found ("SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=1 PMIX_NAMESPACE=slurm.pmix.7.0 PMIX_RANK=0",
                NULL);
}

static void
test_mpirun (void)
{
  assert_found ("OMPI_COMM_WORLD_SIZE=4 PMIX_NAMESPACE=17 PMIX_RANK=3", "pmix");
  g_assert_null (launched_find_other ("pmix"));
  assert_found ("OMPI_COMM_WORLD_SIZE=1 PMIX_NAMESPACE=17 PMIX_RANK=0", NULL);
}

/* The daemons of mpirun are tasks of srun. */
static void
test_mpirun_in_an_allocation (void)
{
  const char *step = "SLURM_JOB_ID=7 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=3 PMIX_NAMESPACE=17 "
                     "PMIX_RANK=0 OMPI_COMM_WORLD_SIZE=";
  g_autofree char *one = g_strconcat (step, "1", NULL), *two = g_strconcat (step, "2", NULL);
  assert_found (one, NULL);
  assert_found (two, "pmix");
  g_assert_null (launched_find_other ("pmix"));
}

static void
test_a_node_is_alone (void)
{
  set_variables ("SLURM_JOB_ID=7 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=2 PMIX_NAMESPACE=17 "
                 "PMIX_RANK=0 OMPI_COMM_WORLD_SIZE=2");
  g_auto (GStrv) left = launched_forget (g_get_environ ());
  g_assert_cmpstr (g_environ_getenv (left, "SLURM_JOB_ID"), ==, "7");
  for (gsize i = 1; i < G_N_ELEMENTS (known); i++)
    g_assert_null (g_environ_getenv (left, known[i]));
}

static void
test_who_is_alone_keeps_all (void)
{
  set_variables ("SLURM_JOB_ID=7 SLURM_STEP_ID=4294967290 SLURM_STEP_NUM_TASKS=1");
  g_auto (GStrv) left = launched_forget (g_get_environ ());
  g_assert_cmpstr (g_environ_getenv (left, "SLURM_STEP_NUM_TASKS"), ==, "1");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/command/launched/alone", test_alone);
  g_test_add_func ("/command/launched/an-allocation-is-not-enough",
                   test_an_allocation_is_not_enough);
  g_test_add_func ("/command/launched/a-step-of-several-tasks", test_a_step_of_several_tasks);
  g_test_add_func ("/command/launched/slurm-with-pmix", test_slurm_with_pmix);
  g_test_add_func ("/command/launched/mpirun", test_mpirun);
  g_test_add_func ("/command/launched/mpirun-in-an-allocation", test_mpirun_in_an_allocation);
  g_test_add_func ("/command/launched/a-node-is-alone", test_a_node_is_alone);
  g_test_add_func ("/command/launched/who-is-alone-keeps-all", test_who_is_alone_keeps_all);
  return g_test_run ();
}
