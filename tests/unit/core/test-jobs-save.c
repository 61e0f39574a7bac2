/* test-jobs-save.c - tests that workers report the results that they have finished
 *
 * Node 1's worker waits for a job that was taken, and runs a job of another node on top of that
 * wait. Workers that were stopped cannot be joined, so their world stays until the process ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "jobs-world.h"

TASK_NOTHING ()

static Gate taken = GATE_CLOSED;    /* opened when the root job may continue to its sync */
static Gate begun = GATE_CLOSED;    /* opened by the imported job */
static Gate released = GATE_CLOSED; /* opened when the imported job may reach a safe point */

SATIN_TASK (get_saved, (int), (int, n)) { return n * 2; }

SATIN_TASK (root_saved, (int), (int, n))
{
  gint32 result = -1;
  SATIN_SPAWN (&result, get_saved, n);
  SPAWN_UNTIL (gate_is_open (&taken))
  SATIN_SYNC ();
  return result;
}

SATIN_TASK (visit_saved, (void))
{
  gate_open (&begun);
  gate_wait (&released);
  SATIN_SPAWN (NULL, nothing);
  SATIN_SYNC ();
}

static gint32 root_result;

static gpointer
run_saved (gpointer data)
{
  satin_run (world_nodes[0].workers, &root_result, root_saved, NULL, 21);
  return NULL;
}

static StealTaken
take_one (void)
{
  StealTaken job;
  gboolean is_kept;
  jobs_ops.want (world_nodes[0].jobs);
  while (world_take_jobs (1, 0, NULL, &job, &is_kept) == 0)
    sched_yield ();
  g_bytes_unref (job.args);
  g_bytes_unref (job.path);
  return job;
}

static void
give_imported (void)
{
  g_autoptr (GBytes) args = satin_record_to_bytes (visit_saved_task.args, "");
  g_assert_true (
      jobs_ops.give (world_nodes[0].jobs, task_index (&visit_saved_task), args, 1, NULL));
  gate_wait (&begun);
}

static void
finish (gpointer handle, gint32 value)
{
  get_saved_result data = { .value = value };
  g_autoptr (GBytes) result = satin_record_to_bytes (get_saved_task.result, &data);
  StealOutcome outcome = { .status = STEAL_OK, .result = result };
  g_assert_true (jobs_ops.finish (world_nodes[0].jobs, handle, &outcome));
}

/* ---- results that are saved ---- */

static guint n_saved;
static gint32 saved_value;
static gboolean is_stopped;

static void
on_saved (const StealSaved *saved, gpointer user_data)
{
  if (task_at ((guint)saved->task) != &get_saved_task)
    return;
  get_saved_result data;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (saved->result, &n_bytes);
  g_assert_true (satin_record_decode (get_saved_task.result, bytes, n_bytes, &data, NULL));
  g_assert_cmpuint (saved->under, ==, 0);
  g_assert_cmpmem (g_bytes_get_data (saved->path, NULL), g_bytes_get_size (saved->path), "\0", 1);
  saved_value = data.value;
  n_saved++;
}

static void
on_stopped (gpointer user_data)
{
  is_stopped = TRUE;
}

/* Checks that save() reports a result that arrived while its job was waited for. */
static void
save (gboolean is_end, pthread_t *thread)
{
  static const StealSavingFuncs funcs = { .saved = on_saved, .stopped = on_stopped };
  Gate *gates[] = { &taken, &begun, &released };
  for (guint i = 0; i < G_N_ELEMENTS (gates); i++)
    gate_close (gates[i]);
  n_saved = 0;
  is_stopped = FALSE;
  world_begin (1, FALSE);
  pthread_create (thread, NULL, run_saved, NULL);
  StealTaken job = take_one ();
  gate_open (&taken);
  while (SATIN_LOAD (&world_nodes[0].workers->n_asleep) == 0)
    sched_yield ();
  give_imported ();
  finish (job.handle, 12345);
  jobs_ops.save (world_nodes[0].jobs, is_end, NULL, &funcs, NULL);
  gate_open (&released);
  while (!is_stopped)
    g_main_context_iteration (satin_loop_get_context (world_loop), TRUE);
  g_assert_cmpuint (n_saved, ==, 1);
  g_assert_cmpint (saved_value, ==, 12345);
}

static void
test_work_goes_on (void)
{
  pthread_t thread;
  save (FALSE, &thread);
  pthread_join (thread, NULL);
  g_assert_cmpint (root_result, ==, 12345);
  world_end ();
}

static void
test_work_stops (void)
{
  pthread_t thread;
  save (TRUE, &thread);
  pthread_detach (thread);
}

/* ---- workers that must stop, whatever they run ---- */

static int n_steps; /* atomic */

SATIN_TASK (step_on, (void))
{
  for (;;)
    {
      SATIN_ADD (&n_steps, 1);
      SATIN_SPAWN (NULL, nothing);
      SATIN_SYNC ();
    }
}

static gpointer
run_on (gpointer workers)
{
  satin_run (workers, NULL, step_on, NULL);
  return NULL;
}

static void
test_stop (void)
{
  const SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                        .n_workers = 1 };
  SatinWorkers *workers = satin_workers_new (&options, NULL);
  g_thread_unref (g_thread_new ("run", run_on, workers));
  while (SATIN_LOAD (&n_steps) < 1000)
    sched_yield ();
  pool_stop (workers);
  int n_before;
  do
    {
      n_before = SATIN_LOAD (&n_steps);
      for (guint i = 0; i < 200; i++)
        sched_yield ();
    }
  while (SATIN_LOAD (&n_steps) != n_before);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/jobs-save/a-result-that-is-waited-for/while-work-goes-on",
                   test_work_goes_on);
  /* These cases come last: stopped workers cannot be joined. */
  g_test_add_func ("/core/jobs-save/a-result-that-is-waited-for/when-work-stops", test_work_stops);
  g_test_add_func ("/core/jobs-save/stop/what-runs-does-not-go-on", test_stop);
  return g_test_run ();
}
