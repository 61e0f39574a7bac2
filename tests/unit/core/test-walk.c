/* test-walk.c - tests walks over the frontier from other threads while jobs run, and progress
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

/* Each of these walks meets sleeping workers. It would take a quarter of a second if nothing woke
 * them. */
#define N_SLEEPY_WALKS   100
#define MUCH_TOO_LATE_US ((gint64)15 * 1000000)

TASK_NOTHING ()

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

static gint64 fibs[64];

static void
compute_fibs (void)
{
  fibs[1] = 1;
  for (guint i = 2; i < G_N_ELEMENTS (fibs); i++)
    fibs[i] = fibs[i - 1] + fibs[i - 2];
}

#define N_WORKERS 4

/* The jobs that one walk showed. Each worker writes its own part. */
typedef struct
{
  struct
  {
    gint last_depth; /* -1: none yet */
    guint n_done;
    guint n_all;
    gboolean is_wrong;
  } workers[N_WORKERS];
  Gate is_over;
  guint n_over;
} Report;

static const Report fresh_report = { .workers = { { .last_depth = -1 },
                                                  { .last_depth = -1 },
                                                  { .last_depth = -1 },
                                                  { .last_depth = -1 } },
                                     .is_over = GATE_CLOSED };

static void
inspect (const SatinFrontierJob *job, guint worker, gpointer user_data)
{
  Report *report = user_data;
  gint depth = (gint)job->depth;
  gint last_depth = report->workers[worker].last_depth;
  gboolean is_right = depth == last_depth || depth == last_depth + 1;
  is_right &= job->task == &fib_task;
  gint32 n = *(const gint32 *)job->args;
  is_right &= n >= 0 && n < 64;
  is_right &= (job->state == SATIN_FRONTIER_DONE) == (job->result != NULL);
  if (is_right && job->result != NULL)
    is_right &= *(const gint64 *)job->result == fibs[n];
  report->workers[worker].is_wrong |= !is_right;
  report->workers[worker].last_depth = depth;
  report->workers[worker].n_all++;
  report->workers[worker].n_done += job->state == SATIN_FRONTIER_DONE;
}

static void
walk_over (gpointer user_data)
{
  Report *report = user_data;
  report->n_over++;
  gate_open (&report->is_over);
}

typedef struct
{
  SatinWorkers *workers;
  gint32 n;
  gint64 result;
  int is_over; /* atomic */
} Run;

static gpointer
run_fib (gpointer data)
{
  Run *self = data;
  satin_run (self->workers, &self->result, fib, NULL, self->n);
  SATIN_STORE (&self->is_over, 1);
  return NULL;
}

/* Walks again and again while fib runs. */
static void
test_results_are_right (void)
{
  Run run = { .workers = make_workers (N_WORKERS, 0), .n = 27 };
  guint n_done = 0, n_all = 0, n_walks = 0;
  pthread_t thread;
  /* Runs fib again if it ended before enough was seen. */
  while (n_done == 0 || n_walks < 100)
    {
      SATIN_STORE (&run.is_over, 0);
      pthread_create (&thread, NULL, run_fib, &run);
      for (; !SATIN_LOAD (&run.is_over); n_walks++)
        {
          Report report = fresh_report;
          satin_workers_walk (run.workers, inspect, walk_over, &report);
          gate_wait (&report.is_over);
          g_assert_cmpuint (report.n_over, ==, 1);
          for (guint i = 0; i < N_WORKERS; i++)
            {
              g_assert_false (report.workers[i].is_wrong);
              n_done += report.workers[i].n_done;
              n_all += report.workers[i].n_all;
            }
        }
      pthread_join (thread, NULL);
      g_assert_cmpint (run.result, ==, fibs[run.n]);
    }
  g_test_message ("%u walks, %u jobs, %u done", n_walks, n_all, n_done);
  satin_workers_free (run.workers);
}

static void
see_nothing (const SatinFrontierJob *job, guint worker, gpointer user_data)
{
  g_assert_not_reached ();
}

static void
test_sleeping_workers_walk_at_once (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (N_WORKERS, 0);
  gint64 begin_us = g_get_monotonic_time ();
  for (guint i = 0; i < N_SLEEPY_WALKS; i++)
    {
      Report report = fresh_report;
      satin_workers_walk (workers, see_nothing, walk_over, &report);
      gate_wait (&report.is_over);
    }
  g_assert_cmpint (g_get_monotonic_time () - begin_us, <, MUCH_TOO_LATE_US);
}

/* ---- several walks at once ---- */

#define N_QUEUED 100

static guint order[N_QUEUED], n_ordered;
static Gate all_over;

static void
note_order (gpointer user_data)
{
  order[n_ordered++] = GPOINTER_TO_UINT (user_data);
  if (n_ordered == N_QUEUED)
    gate_open (&all_over);
}

static void
see_anything (const SatinFrontierJob *job, guint worker, gpointer user_data)
{
}

static void
test_walks_queue (void)
{
  Run run = { .workers = make_workers (N_WORKERS, 0), .n = 20 };
  pthread_t thread;
  all_over = (Gate)GATE_CLOSED;
  n_ordered = 0;
  pthread_create (&thread, NULL, run_fib, &run);
  for (guint i = 0; i < N_QUEUED; i++)
    satin_workers_walk (run.workers, see_anything, note_order, GUINT_TO_POINTER (i));
  gate_wait (&all_over);
  pthread_join (thread, NULL);
  for (guint i = 0; i < N_QUEUED; i++)
    g_assert_cmpuint (order[i], ==, i);
  satin_workers_free (run.workers);
}

static gpointer
walk_often (gpointer workers)
{
  for (guint i = 0; i < 50; i++)
    {
      Report report = fresh_report;
      satin_workers_walk (workers, inspect, walk_over, &report);
      gate_wait (&report.is_over);
    }
  return NULL;
}

static void
test_walks_from_many_threads (void)
{
  Run run = { .workers = make_workers (N_WORKERS, 0), .n = 22 };
  pthread_t threads[5];
  for (guint i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, walk_often, run.workers);
  pthread_create (&threads[4], NULL, run_fib, &run);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    pthread_join (threads[i], NULL);
  g_assert_cmpint (run.result, ==, fibs[run.n]);
  satin_workers_free (run.workers);
}

static void
count_over (gpointer user_data)
{
  SATIN_ADD ((guint *)user_data, 1);
}

/* The workers end these walks, or the call that frees them does. */
static void
test_free_ends_walks (void)
{
  for (guint i = 0; i < 50; i++)
    {
      guint n_over = 0;
      SatinWorkers *workers = make_workers (N_WORKERS, 0);
      for (guint walk = 0; walk < 10; walk++)
        satin_workers_walk (workers, see_nothing, count_over, &n_over);
      satin_workers_free (workers);
      g_assert_cmpuint (n_over, ==, 10);
    }
}

/* ---- progress ---- */

static void
test_progress_before_work (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (2, 0);
  for (guint i = 0; i < 10; i++)
    g_assert_cmpfloat (satin_workers_progress (workers), ==, 0);
}

static void
test_progress_rises (void)
{
  Run run = { .workers = make_workers (N_WORKERS, 0), .n = 27 };
  pthread_t thread;
  double last = 0;
  pthread_create (&thread, NULL, run_fib, &run);
  while (!SATIN_LOAD (&run.is_over))
    {
      double progress = satin_workers_progress (run.workers);
      g_assert_cmpfloat (progress, >=, last);
      g_assert_cmpfloat (progress, <=, 1);
      last = progress;
      sched_yield ();
    }
  pthread_join (thread, NULL);
  satin_workers_free (run.workers);
}

/* When @share is read, three of four children are done, and half of the last one. */
static SatinWorkers *single;
static double share;

SATIN_TASK (part, (int), (int, n))
{
  gint32 results[2];
  if (n > 0)
    return n;
  if (n < 0)
    {
      /* The first call asks for a walk, which happens at the next spawn. The second call reads the
       * result. */
      satin_workers_progress (single);
      SATIN_SPAWN (NULL, nothing);
      SATIN_SYNC ();
      share = satin_workers_progress (single);
      return 0;
    }
  SATIN_SPAWN (&results[0], part, -1);
  SATIN_SPAWN (&results[1], part, 1);
  SATIN_SYNC ();
  return 0;
}

SATIN_TASK (parts, (int))
{
  gint32 results[4];
  for (gint32 i = 0; i < 4; i++)
    SATIN_SPAWN (&results[i], part, i);
  SATIN_SYNC ();
  return 0;
}

static void
test_progress_is_the_share (void)
{
  gint32 result;
  single = make_workers (1, 0);
  g_assert_true (satin_run (single, &result, parts, NULL));
  g_assert_cmpfloat_with_epsilon (share, 0.75 + 0.25 * 0.5, 1e-9);
  satin_workers_free (single);
}

/* A thief has half of the root job, and has done half of that. */
static SatinWorkers *both;
static Gate thief_looked = GATE_CLOSED, walked = GATE_CLOSED;

static void
open_gate (gpointer gate)
{
  gate_open (gate);
}

SATIN_TASK (step_aside, (void))
{
  SATIN_SPAWN (NULL, nothing);
  SATIN_SYNC ();
}

/* Walks are made one after another. So when the second walk has ended, the result of the first walk
 * is known. */
SATIN_TASK (look_as_thief, (int), (int, n))
{
  if (n > 0)
    return n;
  satin_workers_progress (both);
  satin_workers_walk (both, see_anything, open_gate, &walked);
  while (!gate_is_open (&walked))
    SATIN_CALL (step_aside);
  share = satin_workers_progress (both);
  gate_open (&thief_looked);
  return 0;
}

SATIN_TASK (half_done, (int))
{
  gint32 results[2];
  SATIN_SPAWN (&results[0], look_as_thief, 0);
  SATIN_SPAWN (&results[1], look_as_thief, 1);
  SATIN_SYNC ();
  return 0;
}

SATIN_TASK (wait_for_thief, (int))
{
  SPAWN_UNTIL (gate_is_open (&thief_looked))
  SATIN_SYNC ();
  return 0;
}

SATIN_TASK (half_stolen, (int))
{
  gint32 results[2];
  SATIN_SPAWN (&results[0], half_done);
  SATIN_SPAWN (&results[1], wait_for_thief);
  SATIN_SYNC ();
  return 0;
}

static void
test_progress_counts_thieves (void)
{
  gint32 result;
  both = make_workers (2, 0);
  share = -1;
  g_assert_true (satin_run (both, &result, half_stolen, NULL));
  g_assert_cmpfloat (share, ==, 0.25);
  satin_workers_free (both);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  compute_fibs ();
#define ADD(claim, func) g_test_add_func ("/core/walk/" claim, func)
  ADD ("shows-right-results-while-jobs-run", test_results_are_right);
  ADD ("is-done-at-once-by-sleeping-workers", test_sleeping_workers_walk_at_once);
  ADD ("waits-for-those-before-it", test_walks_queue);
  ADD ("may-be-asked-for-by-many-threads", test_walks_from_many_threads);
  ADD ("is-ended-by-freeing-the-workers", test_free_ends_walks);
  ADD ("gives-no-progress-before-work", test_progress_before_work);
  ADD ("gives-progress-that-never-falls", test_progress_rises);
  ADD ("gives-the-share-that-is-done", test_progress_is_the_share);
  ADD ("counts-what-thieves-have-done", test_progress_counts_thieves);
  return g_test_run ();
}
