/* test-jobs.c - jobs that leave a node and come to another one: two or three nodes in one process
 *
 * Each node has workers and a Steal; a fake network joins them on the loop of the
 * main thread. The root runs on node 1, whose single worker spawns on until the
 * job under test has been to another node, which the job knows by satin_is_local().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

#include "fake-peers.h"
#include "jobs.h"
#include "task.h"

#include <string.h>

#define MAX_NODES 3

TASK_NOTHING ()

/* ---- nodes ---- */

typedef struct
{
  SatinWorkers *workers; /* (owned) */
  Jobs *jobs;            /* (owned) */
  Steal *steal;          /* (owned) NULL: this node does not steal, nor is it stolen from */
} Node;

static SatinLoop *loop;
static FakeNet *net;
static Node nodes[MAX_NODES];
static guint n_nodes;

/* A random node, and a short pause after a refusal. */
static void
choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  if (situation->near_history.n_refused > 0 && situation->near_history.since_us < 200)
    ret_choice->wait_us = 200;
  else
    ret_choice->near = situation->victims[situation->random[0] % situation->n_victims].id;
}

static void
close_policy (gpointer policy)
{
}

static const SatinPolicyOps policy_ops = { .struct_size = sizeof (SatinPolicyOps),
                                           .choose = choose,
                                           .close = close_policy };

static void
begin (guint n, gboolean is_stealing)
{
  n_nodes = n;
  loop = satin_loop_new (NULL, 1);
  net = fake_net_new (loop, n);
  for (guint i = 0; i < n; i++)
    {
      nodes[i].workers = make_workers (i == 0 ? 1 : 2, 0);
      nodes[i].jobs = jobs_new (nodes[i].workers, loop);
      if (is_stealing)
        nodes[i].steal = steal_new (loop, fake_net_get_peers (net, i + 1), &jobs_ops, nodes[i].jobs,
                                    &policy_ops, NULL);
      jobs_connect (nodes[i].jobs, nodes[i].steal);
    }
}

static void
end (void)
{
  for (guint i = 0; i < n_nodes; i++)
    {
      jobs_connect (nodes[i].jobs, NULL);
      g_clear_pointer (&nodes[i].steal, steal_free);
      satin_workers_free (nodes[i].workers);
      jobs_free (nodes[i].jobs);
    }
  fake_net_free (net);
  satin_loop_free (loop);
}

/* A root job of node 1 in a thread of its own, while this one runs the loop. */
typedef struct
{
  const SatinTask *task;
  gconstpointer args;
  gpointer result;
  GError *error; /* (owned) */
  gboolean is_ok;
  gboolean is_over;
} Root;

static void
root_over (gpointer data)
{
  ((Root *)data)->is_over = TRUE;
}

static gpointer
run_root (gpointer data)
{
  Root *self = data;
  self->is_ok =
      satin_workers_run_task (nodes[0].workers, self->task, self->args, self->result, &self->error);
  satin_loop_post (loop, root_over, self);
  return NULL;
}

static gboolean
run (const SatinTask *task, gconstpointer args, gpointer ret_result, GError **error)
{
  Root root = { .task = task, .args = args, .result = ret_result };
  pthread_t thread;
  pthread_create (&thread, NULL, run_root, &root);
  while (!root.is_over)
    g_main_context_iteration (satin_loop_get_context (loop), TRUE);
  pthread_join (thread, NULL);
  if (root.error != NULL)
    g_propagate_error (error, root.error);
  return root.is_ok;
}

/* Opened by the job under test when it is not at home. */
static Gate abroad = GATE_CLOSED;

#define NOTE_ABROAD()                                                                              \
  if (!satin_is_local ())                                                                          \
  gate_open (&abroad)

/* ---- arguments and results ---- */

SATIN_RECORD (Point, (double, x), (double, y))
SATIN_RECORD (All, (int, a), (long, b), (float, c), (double, d), (boolean, e), (string, f),
              (bytes, g), (array_int, h), (array_string, i), (array_record, j, Point),
              (record, k, Point))

static const gint32 ints[] = { 1, -2, G_MAXINT32 };
static const SatinString strings[] = { "", "\xc3\xa9" };
static const Point points[] = { { 1, 2 }, { 3, 4.5 } };

static const All all = { .a = -7,
                         .b = G_MININT64,
                         .c = 1.5f,
                         .d = -0.1,
                         .e = TRUE,
                         .f = "text",
                         .g = (const guint8 *)"\0\1\2",
                         .n_g = 3,
                         .h = ints,
                         .n_h = 3,
                         .i = strings,
                         .n_i = 2,
                         .j = points,
                         .n_j = 2,
                         .k = { 5, 6 } };

static GBytes *
encode (const All *data)
{
  return satin_record_to_bytes (&All_record, data);
}

/* A copy whose pointers are its own. */
static All
copy_all (const All *data)
{
  All copy;
  g_autoptr (GBytes) bytes = encode (data);
  g_assert_true (satin_record_decode (&All_record, g_bytes_get_data (bytes, NULL),
                                      g_bytes_get_size (bytes), &copy, NULL));
  return copy;
}

SATIN_TASK (echo_all, (record, All), (record, data, All))
{
  NOTE_ABROAD ();
  return copy_all (&data);
}

SATIN_TASK (root_all, (record, All))
{
  All result;
  SATIN_SPAWN (&result, echo_all, all);
  SPAWN_UNTIL (gate_is_open (&abroad))
  SATIN_SYNC ();
  return result;
}

static void
test_all_kinds (void)
{
  All result;
  begin (2, TRUE);
  gate_close (&abroad);
  g_assert_true (run (&root_all_task, NULL, &result, NULL));
  g_autoptr (GBytes) expected = encode (&all);
  g_autoptr (GBytes) bytes = encode (&result);
  g_assert_true (g_bytes_equal (bytes, expected));
  satin_record_clear (&All_record, &result);
  end ();
}

/* Pointer and count as arguments of the task itself, and none at all. */
SATIN_TASK (sum, (long), (array_int, numbers), (bytes, more), (string, text))
{
  NOTE_ABROAD ();
  gint64 result = strlen (text);
  for (gsize i = 0; i < n_numbers; i++)
    result += numbers[i];
  for (gsize i = 0; i < n_more; i++)
    result += more[i];
  return result;
}

SATIN_TASK (root_sum, (long))
{
  static const gint32 numbers[] = { 1, 2, 3 };
  gint64 result;
  SATIN_SPAWN (&result, sum, numbers, 3, (const guint8 *)"\5", 1, "four");
  SPAWN_UNTIL (gate_is_open (&abroad))
  SATIN_SYNC ();
  return result;
}

static void
test_arrays (void)
{
  gint64 result = 0;
  begin (2, TRUE);
  gate_close (&abroad);
  g_assert_true (run (&root_sum_task, NULL, &result, NULL));
  g_assert_cmpint (result, ==, 15);
  end ();
}

SATIN_TASK (small, (int), (int, n))
{
  NOTE_ABROAD ();
  return n + 1;
}

SATIN_TASK (root_typed, (int))
{
  gint32 n = 0;
  SATIN_SPAWN_TYPED (small, 41);
  for (; !gate_is_open (&abroad); n++)
    {
      SATIN_SPAWN_TYPED (nothing);
      sched_yield ();
    }
  while (n-- > 0)
    SATIN_SYNC_TYPED (nothing);
  return SATIN_SYNC_TYPED (small);
}

static void
test_typed (void)
{
  gint32 result = 0;
  begin (2, TRUE);
  gate_close (&abroad);
  g_assert_true (run (&root_typed_task, NULL, &result, NULL));
  g_assert_cmpint (result, ==, 42);
  end ();
}

SATIN_TASK (without_anything, (void)) { NOTE_ABROAD (); }

SATIN_TASK (root_without_anything, (void))
{
  SATIN_SPAWN (NULL, without_anything);
  SPAWN_UNTIL (gate_is_open (&abroad))
  SATIN_SYNC ();
}

static void
test_without_anything (void)
{
  begin (2, TRUE);
  gate_close (&abroad);
  g_assert_true (run (&root_without_anything_task, NULL, NULL, NULL));
  end ();
}

/* A visitor's children are at home where it runs; nobody else is idle before the gate opens. */
SATIN_TASK (child, (boolean)) { return satin_is_local (); }

SATIN_TASK (visitor, (boolean))
{
  gboolean is_child_local = FALSE;
  SATIN_SPAWN (&is_child_local, child);
  SATIN_SYNC ();
  NOTE_ABROAD ();
  return !satin_is_local () && is_child_local;
}

SATIN_TASK (root_visitor, (boolean))
{
  gboolean is_right;
  SATIN_SPAWN (&is_right, visitor);
  SPAWN_UNTIL (gate_is_open (&abroad))
  SATIN_SYNC ();
  return is_right;
}

static void
test_is_local (void)
{
  gboolean is_right = FALSE;
  begin (2, TRUE);
  gate_close (&abroad);
  g_assert_true (run (&root_visitor_task, NULL, &is_right, NULL));
  g_assert_true (is_right);
  end ();
}

SATIN_TASK (fib, (long), (int, n))
{
  gint64 a, b;
  if (n < 2)
    return n;
  SATIN_SPAWN (&a, fib, n - 1);
  SATIN_SPAWN (&b, fib, n - 2);
  SATIN_SYNC ();
  return a + b;
}

static void
test_fib (void)
{
  fib_args args = { .n = 25 };
  gint64 result = 0;
  begin (3, TRUE);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_true (run (&fib_task, &args, &result, NULL));
      g_assert_cmpint (result, ==, 75025);
    }
  end ();
}

/* ---- failures ---- */

SATIN_TASK (fail, (int), (boolean, is_satin))
{
  NOTE_ABROAD ();
  if (is_satin)
    satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT, "too slow"));
  else
    satin_fail (g_error_new (G_FILE_ERROR, G_FILE_ERROR_NOENT, "no file"));
  return 0;
}

SATIN_TASK (root_fail, (int), (boolean, is_satin))
{
  gint32 result;
  SATIN_SPAWN (&result, fail, is_satin);
  SPAWN_UNTIL (gate_is_open (&abroad))
  SATIN_SYNC ();
  return 0;
}

static void
check_failure (gboolean is_satin, int code, const char *message)
{
  root_fail_args args = { .is_satin = is_satin };
  g_autoptr (GError) error = NULL;
  gint32 result;
  begin (2, TRUE);
  gate_close (&abroad);
  g_assert_false (run (&root_fail_task, &args, &result, &error));
  g_assert_error (error, SATIN_ERROR, code);
  g_assert_cmpstr (error->message, ==, message);
  end ();
}

static void
test_failure (void)
{
  check_failure (TRUE, SATIN_ERROR_TIMEOUT, "too slow");
}

static void
test_foreign_failure (void)
{
  check_failure (FALSE, SATIN_ERROR_JOB, "no file");
}

/* ---- by hand: node 1 has jobs, this thread plays the thief ---- */

SATIN_TASK (get_taken, (int), (int, n)) { return n * 2; }

static Gate taken = GATE_CLOSED;

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
  jobs_ops.want (nodes[0].jobs);
  while (jobs_ops.take (nodes[0].jobs, 1, &job) == 0)
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
  satin_run (nodes[0].workers, &self->result, root_taken, &self->error, self->n);
  return NULL;
}

/* Begins a root whose child is taken here. */
static StealTaken
begin_taken (Taken *root, pthread_t *thread)
{
  gate_close (&taken);
  begin (1, FALSE);
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
  g_bytes_unref (job.args);
  jobs_ops.put_back (nodes[0].jobs, job.handle);
  gate_open (&taken);
  pthread_join (thread, NULL);
  g_assert_cmpint (root.result, ==, 42);
  end ();
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
  g_assert_true (jobs_ops.finish (nodes[0].jobs, job.handle, &outcome));
  gate_open (&taken);
  pthread_join (thread, NULL);
  g_assert_cmpint (root.result, ==, 12345);
  end ();
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
  g_assert_false (jobs_ops.finish (nodes[0].jobs, job.handle, &outcome));
  gate_open (&taken);
  pthread_join (thread, NULL);
  g_assert_cmpint (root.result, ==, 42);
  end ();
}

/* The owner waits in its sync, asleep, when the job comes back. */
static void
test_put_back_wakes_the_owner (void)
{
  Taken root = { .n = 21 };
  pthread_t thread;
  StealTaken job = begin_taken (&root, &thread);
  g_bytes_unref (job.args);
  gate_open (&taken);
  while (SATIN_LOAD (&nodes[0].workers->n_asleep) == 0)
    sched_yield ();
  jobs_ops.put_back (nodes[0].jobs, job.handle);
  pthread_join (thread, NULL);
  g_assert_cmpint (root.result, ==, 42);
  end ();
}

static void
test_foreign_jobs_are_refused (void)
{
  static const struct
  {
    int task;
    gsize n_bytes;
  } wrong[] = { { -1, 0 }, { G_MININT32, 0 }, { 1000, 0 }, { G_MAXINT32, 0 } };
  begin (1, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GBytes) args = g_bytes_new (NULL, 0);
      g_assert_false (jobs_ops.give (nodes[0].jobs, wrong[i].task, args, 1));
    }
  g_autoptr (GBytes) garbage = g_bytes_new_static ("\xff\xff\xff", 3);
  for (int task = 0; task_at (task) != NULL; task++)
    g_assert_false (jobs_ops.give (nodes[0].jobs, task, garbage, 1));
  end ();
}

/* ---- sizes ---- */

SATIN_TASK (take_bytes, (int), (bytes, data)) { return (gint32)n_data; }

static int is_warned; /* atomic */

/* Spawns a job that is too large to leave, and waits until stealing has said so. */
SATIN_TASK (root_too_large, (int))
{
  gsize size_bytes = SATIN_MESSAGE_MAX_BYTES;
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
  satin_run (nodes[0].workers, data, root_too_large, NULL);
  return NULL;
}

static void
test_too_large_arguments_stay (void)
{
  gint32 result = 0;
  pthread_t thread;
  StealTaken jobs[1];
  begin (1, FALSE);
  g_test_expect_message ("satin-core", G_LOG_LEVEL_WARNING,
                         "a job of task take_bytes stays here: its arguments are * bytes*");
  pthread_create (&thread, NULL, run_too_large, &result);
  /* The first that is taken is the large one, which cannot be. */
  jobs_ops.want (nodes[0].jobs);
  while (SATIN_LOAD_RELAXED (&nodes[0].workers->n_stock) == 0)
    sched_yield ();
  g_assert_cmpuint (jobs_ops.take (nodes[0].jobs, 1, jobs), ==, 0);
  SATIN_STORE (&is_warned, 1);
  pthread_join (thread, NULL);
  g_test_assert_expected_messages ();
  g_assert_cmpint (result, ==, SATIN_MESSAGE_MAX_BYTES);
  end ();
}

SATIN_RECORD (Blob, (bytes, data))

SATIN_TASK (make_bytes, (record, Blob), (long, size_bytes))
{
  Blob blob = { .data = g_malloc0 (size_bytes), .n_data = size_bytes };
  NOTE_ABROAD ();
  return blob;
}

SATIN_TASK (root_make_bytes, (long), (long, size_bytes))
{
  Blob blob = { NULL };
  SATIN_SPAWN (&blob, make_bytes, size_bytes);
  SPAWN_UNTIL (gate_is_open (&abroad))
  if (!SATIN_SYNC ())
    return -1;
  gint64 n = (gint64)blob.n_data;
  satin_record_clear (&Blob_record, &blob);
  return n;
}

static void
test_too_large_result_is_a_failure (void)
{
  root_make_bytes_args args = { .size_bytes = SATIN_MESSAGE_MAX_BYTES };
  g_autoptr (GError) error = NULL;
  gint64 result = 0;
  begin (2, TRUE);
  gate_close (&abroad);
  g_assert_false (run (&root_make_bytes_task, &args, &result, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_assert_nonnull (strstr (error->message, "make_bytes"));
  end ();
}

static void
test_large_result_arrives (void)
{
  root_make_bytes_args args = { .size_bytes = 4 << 20 };
  gint64 result = 0;
  begin (2, TRUE);
  gate_close (&abroad);
  g_assert_true (run (&root_make_bytes_task, &args, &result, NULL));
  g_assert_cmpint (result, ==, args.size_bytes);
  end ();
}

/* Other nodes' jobs that wait here may go on to a third one, but no more of them than one message
 * should hold. */
SATIN_TASK (hold_worker, (void))
{
  gate_open (&taken);
  gate_wait (&abroad);
}

static gpointer
run_hold_worker (gpointer data)
{
  satin_run (nodes[0].workers, NULL, hold_worker, NULL);
  return NULL;
}

#define VISITOR_BYTES 40000

static void
test_batch_of_visitors_is_bounded (void)
{
  static const guint8 data[VISITOR_BYTES];
  take_bytes_args args = { .data = data, .n_data = VISITOR_BYTES };
  g_autoptr (GBytes) bytes = satin_record_to_bytes (take_bytes_task.args, &args);
  StealTaken jobs[32];
  pthread_t thread;
  begin (1, FALSE);
  gate_close (&taken);
  gate_close (&abroad);
  pthread_create (&thread, NULL, run_hold_worker, NULL);
  gate_wait (&taken);
  for (guint i = 0; i < 64; i++)
    g_assert_true (jobs_ops.give (nodes[0].jobs, task_index (&take_bytes_task), bytes, i + 1));
  guint n = jobs_ops.take (nodes[0].jobs, 32, jobs);
  g_assert_cmpuint (n, ==, 2);
  for (guint i = 0; i < n; i++)
    {
      g_bytes_unref (jobs[i].args);
      jobs_ops.put_back (nodes[0].jobs, jobs[i].handle);
    }
  gate_open (&abroad);
  pthread_join (thread, NULL);
  /* The inbox is a queue and there is one worker: after this one all are over. */
  g_assert_true (satin_run (nodes[0].workers, NULL, nothing, NULL));
  end ();
}

/* ---- a lost node ---- */

/* The first visitor kills the node it is on, seen from the main thread. */
static void
kill_second (gpointer data)
{
  fake_net_remove (net, 2, SATIN_PEER_DIED);
}

SATIN_TASK (be_killed, (int), (int, n))
{
  if (!satin_is_local () && !gate_is_open (&abroad))
    {
      gate_open (&abroad);
      satin_loop_post (loop, kill_second, NULL);
    }
  return n;
}

SATIN_TASK (root_killed, (int))
{
  gint32 results[100], total = 0;
  for (gint32 i = 0; i < 100; i++)
    SATIN_SPAWN (&results[i], be_killed, i);
  SPAWN_UNTIL (gate_is_open (&abroad))
  SATIN_SYNC ();
  for (gint32 i = 0; i < 100; i++)
    total += results[i];
  return total;
}

static void
test_jobs_of_a_lost_node_run_at_home (void)
{
  gint32 result = 0;
  begin (2, TRUE);
  gate_close (&abroad);
  g_assert_true (run (&root_killed_task, NULL, &result, NULL));
  g_assert_cmpint (result, ==, 4950);
  end ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/core/jobs/" claim, func)
  ADD ("all-kinds-of-values-go-and-come", test_all_kinds);
  ADD ("arrays-go", test_arrays);
  ADD ("typed-job-goes-and-comes", test_typed);
  ADD ("without-arguments-and-result-go", test_without_anything);
  ADD ("visitor-is-not-local-and-its-child-is", test_is_local);
  ADD ("fib-on-three-nodes-is-right", test_fib);
  ADD ("failure-comes-back", test_failure);
  ADD ("failure-of-another-domain-comes-back-as-that-of-a-job", test_foreign_failure);
  ADD ("taken-job-is-described", test_taken_job_is_described);
  ADD ("result-arrives", test_result_arrives);
  ADD ("malformed-result-makes-the-job-run-at-home", test_malformed_result_runs_the_job);
  ADD ("job-that-is-put-back-wakes-its-owner", test_put_back_wakes_the_owner);
  ADD ("foreign-jobs-are-refused", test_foreign_jobs_are_refused);
  ADD ("too-large-arguments-stay", test_too_large_arguments_stay);
  ADD ("too-large-result-is-a-failure", test_too_large_result_is_a_failure);
  ADD ("large-result-arrives", test_large_result_arrives);
  ADD ("other-nodes-jobs-go-on-in-bounded-batches", test_batch_of_visitors_is_bounded);
  ADD ("jobs-of-a-lost-node-run-at-home", test_jobs_of_a_lost_node_run_at_home);
  return g_test_run ();
}
