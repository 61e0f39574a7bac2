/* test-jobs-taken.c - tests jobs that are taken from a node's workers or given to them, one by one
 *
 * Node 1 has jobs, and the main thread plays the stealing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "jobs-world.h"

TASK_NOTHING ()

static Gate taken = GATE_CLOSED;    /* opened when the root job may continue to its sync */
static Gate released = GATE_CLOSED; /* opened when a worker that is held may continue */

SATIN_TASK (get_taken, (int), (int, n)) { return n * 2; }

SATIN_TASK (root_taken, (int), (int, n))
{
  gint32 result = -1;
  SATIN_SPAWN (&result, get_taken, n);
  SPAWN_UNTIL (gate_is_open (&taken))
  SATIN_SYNC ();
  return result;
}

/* Takes the oldest job of node 1's worker. */
static StealTaken
take_one (void)
{
  StealTaken job;
  gboolean is_kept;
  jobs_ops.want (world_nodes[0].jobs);
  while (world_take_jobs (1, 0, NULL, &job, &is_kept) == 0)
    sched_yield ();
  return job;
}

typedef struct
{
  gint32 n;
  gint32 result;
  GError *error;
} Taken;

static gpointer
run_taken (gpointer data)
{
  Taken *self = data;
  satin_run (world_nodes[0].workers, &self->result, root_taken, &self->error, self->n);
  return NULL;
}

/* Begins a root job and takes its child. */
static StealTaken
begin_taken (Taken *root, pthread_t *thread)
{
  gate_close (&taken);
  world_begin (1, FALSE);
  pthread_create (thread, NULL, run_taken, root);
  return take_one ();
}

static void
test_taken_job_is_described (void)
{
  Taken root = { .n = 21 };
  pthread_t thread;
  StealTaken job = begin_taken (&root, &thread);
  g_assert_true (task_at (job.task) == &get_taken_task);
  get_taken_args args;
  g_assert_true (satin_record_decode (get_taken_task.args, g_bytes_get_data (job.args, NULL),
                                      g_bytes_get_size (job.args), &args, NULL));
  g_assert_cmpint (args.n, ==, 21);
  g_assert_cmpuint (job.under, ==, 0);
  g_assert_cmpmem (g_bytes_get_data (job.path, NULL), g_bytes_get_size (job.path), "\0", 1);
  g_bytes_unref (job.args);
  g_bytes_unref (job.path);
  jobs_ops.put_back (world_nodes[0].jobs, job.handle, NULL);
  gate_open (&taken);
  pthread_join (thread, NULL);
  g_assert_cmpint (root.result, ==, 42);
  world_end ();
}

static void
test_result_arrives (void)
{
  Taken root = { .n = 1 };
  pthread_t thread;
  StealTaken job = begin_taken (&root, &thread);
  get_taken_result data = { .value = 12345 };
  g_autoptr (GBytes) result = satin_record_to_bytes (get_taken_task.result, &data);
  StealOutcome outcome = { .status = STEAL_OK, .result = result };
  g_bytes_unref (job.args);
  g_bytes_unref (job.path);
  g_assert_true (jobs_ops.finish (world_nodes[0].jobs, job.handle, &outcome));
  gate_open (&taken);
  pthread_join (thread, NULL);
  g_assert_cmpint (root.result, ==, 12345);
  world_end ();
}

static void
test_malformed_result_runs_the_job (void)
{
  Taken root = { .n = 21 };
  pthread_t thread;
  StealTaken job = begin_taken (&root, &thread);
  g_autoptr (GBytes) result = g_bytes_new_static ("\xff\xff\xff\xff\xff\xff\xff", 7);
  StealOutcome outcome = { .status = STEAL_OK, .result = result };
  g_bytes_unref (job.args);
  g_bytes_unref (job.path);
  g_assert_false (jobs_ops.finish (world_nodes[0].jobs, job.handle, &outcome));
  gate_open (&taken);
  pthread_join (thread, NULL);
  g_assert_cmpint (root.result, ==, 42);
  world_end ();
}

/* The owner sleeps in its sync when the job comes back. */
static void
test_put_back_wakes_the_owner (void)
{
  Taken root = { .n = 21 };
  pthread_t thread;
  StealTaken job = begin_taken (&root, &thread);
  g_bytes_unref (job.args);
  g_bytes_unref (job.path);
  gate_open (&taken);
  while (SATIN_LOAD (&world_nodes[0].workers->n_asleep) == 0)
    sched_yield ();
  jobs_ops.put_back (world_nodes[0].jobs, job.handle, NULL);
  pthread_join (thread, NULL);
  g_assert_cmpint (root.result, ==, 42);
  world_end ();
}

static void
test_foreign_jobs_are_refused (void)
{
  static const struct
  {
    int task;
    gsize n_bytes;
  } wrong[] = { { -1, 0 }, { G_MININT32, 0 }, { 1000, 0 }, { G_MAXINT32, 0 } };
  world_begin (1, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GBytes) args = g_bytes_new (NULL, 0);
      g_assert_false (jobs_ops.give (world_nodes[0].jobs, wrong[i].task, args, 1, NULL));
    }
  g_autoptr (GBytes) garbage = g_bytes_new_static ("\xff\xff\xff", 3);
  for (int task = 0; task_at (task) != NULL; task++)
    g_assert_false (jobs_ops.give (world_nodes[0].jobs, task, garbage, 1, NULL));
  world_end ();
}

/* ---- sizes ---- */

SATIN_TASK (take_bytes, (int), (bytes, data)) { return (gint32)n_data; }

static int is_warned; /* atomic */

/* With such arguments, and the hints of 64 jobs beside them, a message would be too long. */
#define TOO_LARGE_BYTES ((gsize)47 << 20)

/* Spawns a job that is too large to leave, and waits until stealing has warned of it. */
SATIN_TASK (root_too_large, (int))
{
  gsize size_bytes = TOO_LARGE_BYTES;
  g_autofree guint8 *data = g_malloc0 (size_bytes);
  gint32 result = -1;
  SATIN_SPAWN (&result, take_bytes, data, size_bytes);
  SPAWN_UNTIL (SATIN_LOAD (&is_warned))
  SATIN_SYNC ();
  return result;
}

static gpointer
run_too_large (gpointer data)
{
  satin_run (world_nodes[0].workers, data, root_too_large, NULL);
  return NULL;
}

static void
test_too_large_arguments_stay (void)
{
  gint32 result = 0;
  pthread_t thread;
  StealTaken jobs[1];
  gboolean is_kept;
  world_begin (1, FALSE);
  g_test_expect_message ("satin-core", G_LOG_LEVEL_WARNING,
                         "jobs of task take_bytes stay on this node*take_bytes_args.data*");
  pthread_create (&thread, NULL, run_too_large, &result);
  /* The oldest job is the large one, which cannot be taken. */
  jobs_ops.want (world_nodes[0].jobs);
  while (SATIN_LOAD_RELAXED (&world_nodes[0].workers->n_queued_exports) == 0)
    sched_yield ();
  while (SATIN_LOAD_RELAXED (&world_nodes[0].workers->n_queued_staying) == 0)
    if (world_take_jobs (1, 0, NULL, jobs, &is_kept) > 0)
      {
        g_bytes_unref (jobs[0].args);
        g_clear_pointer (&jobs[0].path, g_bytes_unref);
        jobs_ops.put_back (world_nodes[0].jobs, jobs[0].handle, NULL);
      }
  SATIN_STORE (&is_warned, 1);
  pthread_join (thread, NULL);
  g_test_assert_expected_messages ();
  g_assert_cmpint (result, ==, TOO_LARGE_BYTES);
  world_end ();
}

SATIN_TASK (hold_worker, (void), (boolean, aborts))
{
  if (aborts)
    SATIN_ABORT ();
  gate_open (&taken);
  gate_wait (&released);
}

static gpointer
run_hold_worker (gpointer data)
{
  satin_run (world_nodes[0].workers, NULL, hold_worker, NULL, GPOINTER_TO_INT (data));
  return NULL;
}

#define IMPORTED_BYTES 40000

/* Holds the worker, and gives it @n jobs of another node, each with @size_bytes of arguments.
 * @aborts: the job that holds the worker aborts its children first */
static void
begin_imported_jobs (guint n, gsize size_bytes, gboolean aborts, pthread_t *thread)
{
  static const guint8 data[IMPORTED_BYTES];
  take_bytes_args args = { .data = data, .n_data = size_bytes };
  g_autoptr (GBytes) bytes = satin_record_to_bytes (take_bytes_task.args, &args);
  world_begin (1, FALSE);
  gate_close (&taken);
  gate_close (&released);
  pthread_create (thread, NULL, run_hold_worker, GINT_TO_POINTER (aborts));
  gate_wait (&taken);
  for (guint i = 0; i < n; i++)
    g_assert_true (
        jobs_ops.give (world_nodes[0].jobs, task_index (&take_bytes_task), bytes, i + 1, NULL));
}

static void
end_imported_jobs (pthread_t thread)
{
  gate_open (&released);
  pthread_join (thread, NULL);
  /* There is one worker, and its inbox is a queue. So after this job all other jobs have ended. */
  g_assert_true (satin_run (world_nodes[0].workers, NULL, nothing, NULL));
  world_end ();
}

/* Takes jobs and puts them back. Returns: how many it took */
static guint
count_taken (guint n_kept)
{
  StealTaken jobs[32];
  gboolean is_kept;
  guint n = world_take_jobs (32, n_kept, NULL, jobs, &is_kept);
  g_assert_false (is_kept);
  for (guint i = 0; i < n; i++)
    {
      g_bytes_unref (jobs[i].args);
      g_clear_pointer (&jobs[i].path, g_bytes_unref);
      jobs_ops.put_back (world_nodes[0].jobs, jobs[i].handle, NULL);
    }
  return n;
}

/* Imported jobs that wait here may go on to a third node, but only as many as one message should
 * hold. */
static void
test_batch_of_imported_jobs_is_bounded (void)
{
  pthread_t thread;
  begin_imported_jobs (64, IMPORTED_BYTES, FALSE, &thread);
  g_assert_cmpuint (count_taken (0), ==, 2);
  end_imported_jobs (thread);
}

static void
test_kept_imported_jobs_do_not_go_on (void)
{
  pthread_t thread;
  begin_imported_jobs (10, 1, FALSE, &thread);
  g_assert_cmpuint (count_taken (10), ==, 0);
  g_assert_cmpuint (count_taken (6), ==, 2);
  g_assert_cmpuint (count_taken (0), ==, 5);
  end_imported_jobs (thread);
}

/* ---- jobs that abort others ---- */

static void
test_few_imported_jobs_go_on (void)
{
  pthread_t thread;
  begin_imported_jobs (10, 1, TRUE, &thread);
  g_assert_cmpuint (count_taken (0), ==, 4);
  end_imported_jobs (thread);
}

#define N_BROTHERS 16

SATIN_TASK (root_brothers, (void), (boolean, aborts))
{
  gint32 results[N_BROTHERS];
  if (aborts)
    SATIN_ABORT ();
  for (gint32 i = 0; i < N_BROTHERS; i++)
    SATIN_SPAWN (&results[i], get_taken, i);
  gate_open (&taken);
  SPAWN_UNTIL (gate_is_open (&released))
  SATIN_SYNC ();
}

static gpointer
run_brothers (gpointer data)
{
  satin_run (world_nodes[0].workers, NULL, root_brothers, NULL, GPOINTER_TO_INT (data));
  return NULL;
}

/* Returns: how many brothers leave at once */
static guint
count_brothers (gboolean aborts)
{
  pthread_t thread;
  guint n;
  world_begin (1, FALSE);
  gate_close (&taken);
  gate_close (&released);
  pthread_create (&thread, NULL, run_brothers, GINT_TO_POINTER (aborts));
  gate_wait (&taken);
  jobs_ops.want (world_nodes[0].jobs);
  while ((n = count_taken (0)) == 0)
    sched_yield ();
  gate_open (&released);
  pthread_join (thread, NULL);
  world_end ();
  return n;
}

static void
test_few_own_jobs_leave (void)
{
  g_assert_cmpuint (count_brothers (FALSE), >=, N_BROTHERS / 2);
  g_assert_cmpuint (count_brothers (TRUE), ==, 4);
}

/* ---- giving back ---- */

static void
keep_import_id (guint64 import_id, gpointer user_data)
{
  g_array_append_val (user_data, import_id);
}

static void
test_imported_jobs_that_wait_are_given_back (void)
{
  g_autoptr (GArray) import_ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  pthread_t thread;
  begin_imported_jobs (3, 10, FALSE, &thread);
  jobs_ops.give_back (world_nodes[0].jobs, keep_import_id, import_ids);
  g_assert_cmpuint (import_ids->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (g_array_index (import_ids, guint64, i), ==, i + 1);
  g_assert_cmpuint (count_taken (0), ==, 0);
  end_imported_jobs (thread);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/core/jobs/" claim, func)
  ADD ("taken-job-is-described", test_taken_job_is_described);
  ADD ("result-arrives", test_result_arrives);
  ADD ("malformed-result-makes-the-job-run-at-home", test_malformed_result_runs_the_job);
  ADD ("job-that-is-put-back-wakes-its-owner", test_put_back_wakes_the_owner);
  ADD ("foreign-jobs-are-refused", test_foreign_jobs_are_refused);
  ADD ("too-large-arguments-stay", test_too_large_arguments_stay);
  ADD ("other-nodes-jobs-go-on-in-bounded-batches", test_batch_of_imported_jobs_is_bounded);
  ADD ("other-nodes-jobs-that-are-to-stay-do-not-go-on", test_kept_imported_jobs_do_not_go_on);
  ADD ("where-jobs-abort-others-few-imported-jobs-go-on", test_few_imported_jobs_go_on);
  ADD ("where-jobs-abort-others-few-own-jobs-leave", test_few_own_jobs_leave);
  ADD ("imports-that-wait-are-given-back", test_imported_jobs_that_wait_are_given_back);
  return g_test_run ();
}
