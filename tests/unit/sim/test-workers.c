/* test-workers.c - tests workers and programs in virtual time
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "program-world.h"

#include <satin/core.h>

static gint64 result;

SATIN_TASK (fib, (long), (int, n))
{
  gint64 a, b;
  if (n < 2)
    return n;
  SATIN_SPAWN (&a, fib, n - 1);
  SATIN_SPAWN (&b, fib, n - 2);
  if (!SATIN_SYNC ())
    return 0;
  return a + b;
}

SATIN_TASK (fib_root, (int), (array_string, argv))
{
  result = SATIN_CALL (fib, 16);
  return 0;
}

/* Each leaf takes a millisecond. */
SATIN_TASK (split, (long), (int, n))
{
  gint64 a, b;
  if (n == 1)
    {
      satin_charge (1000000);
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
  result = SATIN_CALL (split, 200);
  return 0;
}

static gint64 clock_us;

SATIN_TASK (charge_root, (int), (array_string, argv))
{
  gint64 since_us = satin_now_us ();
  satin_charge (5000000);
  clock_us = satin_now_us () - since_us;
  return 0;
}

SATIN_TASK (nothing, (void)) {}

SATIN_TASK (spawn_root, (int), (array_string, argv))
{
  for (guint i = 0; i < 1000; i++)
    SATIN_SPAWN (NULL, nothing);
  return SATIN_SYNC () ? 0 : 1;
}

/* The recursion needs more than one page of stack. */
SATIN_TASK (deep, (long), (int, n))
{
  gint64 below = 0;
  if (n > 0)
    SATIN_SPAWN (&below, deep, n - 1);
  if (!SATIN_SYNC ())
    return 0;
  return below + 1;
}

SATIN_TASK (deep_root, (int), (array_string, argv))
{
  result = SATIN_CALL (deep, 500);
  return 0;
}

/* Uses more than half of a stack, so that no other job may run on top of it. */
SATIN_TASK (pit, (long))
{
  volatile char room[600 << 10];
  gint64 leaves = 0;
  room[0] = 1;
  SATIN_SPAWN (&leaves, split, 8);
  return SATIN_SYNC () ? leaves * room[0] : 0;
}

SATIN_TASK (pits_root, (int), (array_string, argv))
{
  gint64 leaves[40];
  result = 0;
  for (guint i = 0; i < G_N_ELEMENTS (leaves); i++)
    SATIN_SPAWN (&leaves[i], pit);
  if (!SATIN_SYNC ())
    return 1;
  for (guint i = 0; i < G_N_ELEMENTS (leaves); i++)
    result += leaves[i];
  return 0;
}

static Program *
run (const SatinTask *root, guint n_nodes, guint n_workers)
{
  ProgramOptions options = { .n_nodes = n_nodes, .n_workers = n_workers, .seed = 1 };
  result = -1;
  return program_run (&options, root);
}

static void
assert_result (const SatinTask *root, guint n_nodes, guint n_workers, gint64 expected)
{
  Program *program = run (root, n_nodes, n_workers);
  g_assert_cmpint (result, ==, expected);
  program_free (program);
}

static void
test_result_of_one_worker (void)
{
  assert_result (&fib_root_task, 1, 1, 987);
}

static void
test_result_of_many_workers (void)
{
  assert_result (&fib_root_task, 1, 7, 987);
}

static void
test_result_of_many_hosts (void)
{
  assert_result (&split_root_task, 6, 1, 200);
}

static void
test_result_of_many_of_both (void)
{
  assert_result (&split_root_task, 4, 3, 200);
}

static void
test_deep_recursion (void)
{
  assert_result (&deep_root_task, 2, 2, 501);
}

static void
test_full_stack_waits_though_jobs_wait_too (void)
{
  assert_result (&pits_root_task, 6, 1, 320);
}

static gint64
makespan_us (const SatinTask *root, guint n_nodes, guint n_workers)
{
  Program *program = run (root, n_nodes, n_workers);
  gint64 took_us = program_makespan_us (program);
  program_free (program);
  return took_us;
}

static void
test_charge_is_the_makespan (void)
{
  gint64 took_us = makespan_us (&charge_root_task, 1, 1);
  g_assert_cmpint (took_us, >=, 5000);
  g_assert_cmpint (took_us, <, 5100);
}

static void
test_clock_of_a_task_is_simulated (void)
{
  makespan_us (&charge_root_task, 1, 1);
  g_assert_cmpint (clock_us, ==, 5000);
}

static void
test_more_workers_are_faster (void)
{
  g_assert_cmpint (makespan_us (&split_root_task, 1, 4) * 3, <,
                   makespan_us (&split_root_task, 1, 1));
}

static void
test_more_hosts_are_faster (void)
{
  g_assert_cmpint (makespan_us (&split_root_task, 4, 1) * 2, <,
                   makespan_us (&split_root_task, 1, 1));
}

static void
test_work_is_shared (void)
{
  Program *program = run (&split_root_task, 4, 1);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (satin_sim_host_get_work_ns (program->nodes[i].host), >, 10000000);
  program_free (program);
}

static gint64
makespan_at_speed_us (double speed)
{
  ProgramOptions options = { .n_nodes = 1, .n_workers = 1, .speed = speed, .seed = 1 };
  Program *program = program_run (&options, &split_root_task);
  gint64 took_us = program_makespan_us (program);
  program_free (program);
  return took_us;
}

static void
test_speed_scales_makespan (void)
{
  double ratio = (double)makespan_at_speed_us (0.25) / (double)makespan_at_speed_us (1);
  g_assert_cmpfloat_with_epsilon (ratio, 4, 0.04);
}

static Program *
run_spawns (gint64 spawn_ns)
{
  ProgramOptions options = { .n_nodes = 1, .n_workers = 1, .spawn_ns = spawn_ns, .seed = 1 };
  return program_run (&options, &spawn_root_task);
}

static void
test_each_spawn_is_charged (void)
{
  Program *program = run_spawns (2500);
  g_assert_cmpint (program_work_ns (program), ==, 1000 * 2500);
  program_free (program);
}

static void
read_jobs (const char *name, gint64 value, gpointer user_data)
{
  if (g_str_equal (name, "jobs"))
    *(gint64 *)user_data = value;
}

static void
ask_jobs (gpointer user_data)
{
  Program *program = ((gpointer *)user_data)[0];
  satin_node_figures (satin_membership_get_node (program->nodes[0].member), read_jobs,
                      ((gpointer *)user_data)[1]);
}

/* After the run, the part "net" and the interfaces that it provided are gone. */
static void
test_figures_after_the_run (void)
{
  Program *program = run_spawns (2500);
  gint64 n_jobs = 0;
  gpointer both[] = { program, &n_jobs };
  satin_sim_host_call (program->nodes[0].host, ask_jobs, both);
  g_assert_cmpint (n_jobs, ==, 1001);
  program_free (program);
}

static void
test_jobs_are_counted (void)
{
  Program *program = run_spawns (2500);
  g_assert_cmpuint (program->n_jobs, ==, 1001);
  program_free (program);
}

static void
test_charges_of_all_add_up (void)
{
  Program *program = run (&split_root_task, 4, 2);
  /* There are 200 leaves. Each of the other 199 jobs spawned two children, which are 398. */
  g_assert_cmpint (program_work_ns (program), ==, 200 * 1000000 + 398 * 1000);
  program_free (program);
}

static guint64
hash_of_seed (guint64 seed)
{
  ProgramOptions options = { .n_nodes = 4, .n_workers = 2, .seed = seed };
  Program *program = program_run (&options, &split_root_task);
  guint64 hash = program_hash (program);
  program_free (program);
  return hash;
}

static void
test_same_seed_same_run (void)
{
  g_assert_cmpuint (hash_of_seed (5), ==, hash_of_seed (5));
}

static void
test_other_seed_other_run (void)
{
  g_assert_cmpuint (hash_of_seed (5), !=, hash_of_seed (6));
}

/* ---- workers without a program ---- */

static SatinSim *sim;
static SatinSimHost *host;
static SatinWorkers *workers;

static void
make_workers (gpointer data)
{
  SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                  .n_workers = 4,
                                  .stack_bytes = 262144,
                                  .deque_slots = 64,
                                  .thread_ops = satin_sim_thread_ops (sim, 1000) };
  g_autoptr (GError) error = NULL;
  workers = satin_workers_new (&options, &error);
  g_assert_no_error (error);
}

static void
free_workers (gpointer data)
{
  satin_workers_free (workers);
}

static void
set_up_workers (void)
{
  SatinSimOptions options = { .seed = 1 };
  sim = satin_sim_new (&options);
  host = satin_sim_add_host (sim, 0, 1);
  satin_sim_host_call (host, make_workers, NULL);
}

static void
read_idle_us (const char *name, gint64 value, gpointer user_data)
{
  if (g_str_equal (name, "idle-us"))
    *(gint64 *)user_data = value;
}

static void
ask_idle_us (gpointer user_data)
{
  satin_workers_figures (workers, read_idle_us, user_data);
}

static guint64
count_events (gint64 until_us)
{
  SatinSimFigures figures;
  satin_sim_run (sim, until_us, NULL, NULL);
  satin_sim_get_figures (sim, &figures);
  return figures.n_events;
}

static void
test_idle_workers_sleep (void)
{
  set_up_workers ();
  guint64 n_events = count_events (10000);
  g_assert_cmpuint (count_events (240000), ==, n_events);
  satin_sim_host_call (host, free_workers, NULL);
  satin_sim_free (sim);
}

/* The workers are idle before the clock shows more than 0. */
static void
test_idle_from_the_beginning (void)
{
  gint64 idle_us = 0;
  set_up_workers ();
  satin_sim_run (sim, 260000, NULL, NULL);
  satin_sim_host_call (host, ask_idle_us, &idle_us);
  g_assert_cmpint (idle_us, >, 0);
  satin_sim_host_call (host, free_workers, NULL);
  satin_sim_free (sim);
}

static void
test_idle_workers_look_up (void)
{
  set_up_workers ();
  guint64 n_events = count_events (240000);
  /* Each of the four workers wakes once. */
  g_assert_cmpuint (count_events (260000), ==, n_events + 4);
  satin_sim_host_call (host, free_workers, NULL);
  satin_sim_free (sim);
}

static void
test_free_joins (void)
{
  set_up_workers ();
  guint64 n_events = count_events (10000);
  satin_sim_host_call (host, free_workers, NULL);
  g_assert_cmpuint (count_events (G_MAXINT64), ==, n_events);
  satin_sim_free (sim);
}

static void
test_free_before_they_ran (void)
{
  set_up_workers ();
  satin_sim_host_call (host, free_workers, NULL);
  g_assert_cmpuint (count_events (G_MAXINT64), ==, 0);
  satin_sim_free (sim);
}

static void
test_free_on_crashed_host (void)
{
  set_up_workers ();
  count_events (10000);
  satin_sim_host_crash (host);
  satin_sim_host_call (host, free_workers, NULL);
  satin_sim_free (sim);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/sim/workers/" claim, func)
  ADD ("one-worker-is-right", test_result_of_one_worker);
  ADD ("many-workers-are-right", test_result_of_many_workers);
  ADD ("many-hosts-are-right", test_result_of_many_hosts);
  ADD ("many-workers-on-many-hosts-are-right", test_result_of_many_of_both);
  ADD ("deep-recursion-is-right", test_deep_recursion);
  ADD ("full-stack-waits-though-jobs-wait-too", test_full_stack_waits_though_jobs_wait_too);
  ADD ("makespan-is-what-was-charged", test_charge_is_the_makespan);
  ADD ("clock-of-a-task-is-simulated", test_clock_of_a_task_is_simulated);
  ADD ("more-workers-are-faster", test_more_workers_are_faster);
  ADD ("more-hosts-are-faster", test_more_hosts_are_faster);
  ADD ("all-hosts-work", test_work_is_shared);
  ADD ("speed-scales-the-makespan", test_speed_scales_makespan);
  ADD ("each-spawn-is-charged", test_each_spawn_is_charged);
  ADD ("jobs-are-counted", test_jobs_are_counted);
  ADD ("figures-after-the-run", test_figures_after_the_run);
  ADD ("charges-of-all-hosts-are-the-work", test_charges_of_all_add_up);
  ADD ("same-seed-is-the-same-run", test_same_seed_same_run);
  ADD ("other-seed-is-another-run", test_other_seed_other_run);
  ADD ("idle-from-the-beginning", test_idle_from_the_beginning);
  ADD ("idle-workers-sleep", test_idle_workers_sleep);
  ADD ("idle-workers-look-up-every-250-ms", test_idle_workers_look_up);
  ADD ("free-joins", test_free_joins);
  ADD ("free-before-they-ran-joins", test_free_before_they_ran);
  ADD ("free-on-a-crashed-host-returns", test_free_on_crashed_host);
  return g_test_run ();
}
