/* test-frontier.c - tests the walk over the frames, seen from inside one worker and from outside
 *
 * With only one worker, a job that asks for a walk does the walk itself, at its next spawn. So the
 * test knows exactly what the walk shows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

#include "workers/pool.h"

TASK_NOTHING ()

/* A slot, as a walk showed it. */
typedef struct
{
  const char *task;
  SatinFrontierState state;
  guint depth;
  guint worker;
  gint32 n;      /* the first argument; -1 when none was shown */
  gint64 result; /* -1 when none was shown */
} Sight;

static SatinWorkers *workers;
static GArray *sights; /* of Sight: from the newest walk; only one worker writes it */
static guint n_walks;

static void
see (const SatinFrontierJob *job, guint worker, gpointer user_data)
{
  Sight sight = { .task = job->task->name,
                  .state = job->state,
                  .depth = job->depth,
                  .worker = worker,
                  .n = job->args != NULL ? *(const gint32 *)job->args : -1,
                  .result = job->result != NULL ? *(const gint64 *)job->result : -1 };
  g_array_append_val (sights, sight);
}

static void
seen (gpointer user_data)
{
  SATIN_ADD (&n_walks, 1);
}

/* Inside a task: walks over the frames now, if this is the only worker. */
#define LOOK()                                                                                     \
  do                                                                                               \
    {                                                                                              \
      g_array_set_size (sights, 0);                                                                \
      satin_workers_walk (workers, see, seen, NULL);                                               \
      SATIN_CALL (step_aside);                                                                     \
    }                                                                                              \
  while (0)

/* A safe point that leaves no slot behind. */
SATIN_TASK (step_aside, (void))
{
  SATIN_SPAWN (NULL, nothing);
  SATIN_SYNC ();
}

static void
begin (guint n_workers)
{
  workers = make_workers (n_workers, 0);
  sights = g_array_new (FALSE, FALSE, sizeof (Sight));
  n_walks = 0;
}

static void
end (void)
{
  satin_workers_free (workers);
  g_array_unref (sights);
}

/* Checks sight @index. The last sight is always the slot that step_aside spawns. */
static void
check (guint index, SatinFrontierState state, guint depth, gint32 n, gint64 result)
{
  g_assert_cmpuint (index, <, sights->len);
  const Sight *sight = &g_array_index (sights, Sight, index);
  g_assert_cmpint (sight->state, ==, state);
  g_assert_cmpuint (sight->depth, ==, depth);
  g_assert_cmpint (sight->n, ==, n);
  g_assert_cmpint (sight->result, ==, result);
}

static void
run (const SatinTask *task, gint32 n)
{
  gint64 result;
  g_assert_true (satin_workers_run_task (workers, task, &n, &result, NULL));
}

/* ---- with one worker ---- */

/* Item 2 walks. */
SATIN_TASK (item, (long), (int, n))
{
  gint64 result;
  if (n == 2)
    {
      SATIN_SPAWN (&result, item, 20);
      LOOK ();
    }
  SATIN_SYNC ();
  return n * 10;
}

SATIN_TASK (items, (long), (int, n))
{
  gint64 results[5];
  for (gint32 i = 0; i < 5; i++)
    SATIN_SPAWN (&results[i], item, i);
  SATIN_SYNC ();
  return 0;
}

static void
test_shape (void)
{
  begin (1);
  run (&items_task, 0);
  g_assert_cmpuint (n_walks, ==, 1);
  check (0, SATIN_FRONTIER_QUEUED, 0, 0, -1);
  check (1, SATIN_FRONTIER_QUEUED, 0, 1, -1);
  check (2, SATIN_FRONTIER_RUNNING, 0, 2, -1);
  check (3, SATIN_FRONTIER_DONE, 0, 3, 30);
  check (4, SATIN_FRONTIER_DONE, 0, 4, 40);
  check (5, SATIN_FRONTIER_QUEUED, 1, 20, -1);
  end ();
}

/* Each level has two children, of which the newer one is done. */
SATIN_TASK (chain, (long), (int, n))
{
  gint64 results[2];
  if (n <= 0)
    {
      if (n == 0)
        LOOK ();
      return n;
    }
  SATIN_SPAWN (&results[0], chain, n - 1);
  SATIN_SPAWN (&results[1], chain, -n);
  SATIN_SYNC ();
  return n;
}

static void
test_depth (void)
{
  begin (1);
  run (&chain_task, 50);
  for (guint depth = 0; depth < 50; depth++)
    {
      check (2 * depth, SATIN_FRONTIER_RUNNING, depth, 49 - depth, -1);
      check (2 * depth + 1, SATIN_FRONTIER_DONE, depth, (gint32)depth - 50, (gint64)depth - 50);
    }
  end ();
}

SATIN_TASK (typed_and_general, (long), (int, n))
{
  gint64 result;
  SATIN_SPAWN (&result, chain, -7);
  SATIN_SPAWN_TYPED (chain, -8);
  SATIN_SPAWN_TYPED (chain, -9);
  SATIN_SYNC_TYPED (chain);
  LOOK ();
  SATIN_SYNC_TYPED (chain);
  SATIN_SYNC ();
  return 0;
}

static void
test_typed (void)
{
  begin (1);
  run (&typed_and_general_task, 0);
  check (0, SATIN_FRONTIER_QUEUED, 0, -7, -1);
  check (1, SATIN_FRONTIER_QUEUED, 0, -8, -1);
  g_assert_cmpuint (sights->len, ==, 3); /* and step_aside's slot */
  end ();
}

SATIN_RECORD (Block, (long, a), (long, b), (long, c), (long, d), (long, e))

SATIN_TASK (take_large, (void), (int, n), (record, a, Block), (record, b, Block)) {}

SATIN_TASK (large, (long), (int, n))
{
  Block block = { 0 };
  SATIN_SPAWN (NULL, take_large, 1234, block, block);
  LOOK ();
  SATIN_SYNC ();
  return 0;
}

static void
test_large_arguments (void)
{
  begin (1);
  run (&large_task, 0);
  check (0, SATIN_FRONTIER_QUEUED, 0, 1234, -1);
  g_assert_cmpstr (g_array_index (sights, Sight, 0).task, ==, "take_large");
  end ();
}

static void
test_root_has_no_slot (void)
{
  begin (1);
  run (&chain_task, 0);
  g_assert_cmpuint (sights->len, ==, 1); /* step_aside's slot */
  end ();
}

/* ---- failures ---- */

SATIN_TASK (fail, (long), (int, n))
{
  satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "no"));
  return 4711;
}

/* The newer child has failed when the older one walks. */
SATIN_TASK (one_fails, (long), (int, n))
{
  gint64 results[2] = { 0 };
  SATIN_SPAWN (&results[0], item, 2);
  SATIN_SPAWN (&results[1], fail, 9);
  g_autoptr (GError) error = NULL;
  SATIN_SYNC_ERROR (&error);
  return 0;
}

static void
test_failed_job_shows_no_result (void)
{
  begin (1);
  run (&one_fails_task, 0);
  check (0, SATIN_FRONTIER_RUNNING, 0, 2, -1);
  g_assert_cmpint (g_array_index (sights, Sight, 1).result, ==, -1);
  end ();
}

/* ---- stolen jobs: the other worker stays in a job, so only this one walks ---- */

static Gate begun = GATE_CLOSED, released = GATE_CLOSED;

SATIN_TASK (wait_in_job, (long), (int, n))
{
  gate_open (&begun);
  gate_wait (&released);
  if (n == 13)
    satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "no"));
  return n * 10;
}

static guintptr
word_of (SatinSlot *slot)
{
  return SATIN_LOAD (&slot->state) & ~(guintptr)STATE_FLAGS;
}

/* Returns: the job in the first slot of @worker's frame, as the walk showed it */
static Sight
sight_of_first (guint worker)
{
  for (guint i = 0; i < sights->len; i++)
    if (g_array_index (sights, Sight, i).worker == worker)
      return g_array_index (sights, Sight, i);
  g_assert_not_reached ();
}

/* With this argument, the job's result is not wanted any more. */
#define UNWANTED 7

static Sight while_away, when_over;

/* Asks for a walk and waits until both workers have walked. Only this worker has slots. */
SATIN_TASK (look_with_both, (void), (int, n))
{
  guint n_before = SATIN_LOAD (&n_walks);
  g_array_set_size (sights, 0);
  satin_workers_walk (workers, see, seen, NULL);
  while (SATIN_LOAD (&n_walks) == n_before)
    SATIN_CALL (step_aside);
}

SATIN_TASK (watch_stolen, (long), (int, n))
{
  gint64 result = -1;
  g_autoptr (GError) error = NULL;
  guint self = worker_from (satin_worker_)->index;
  gate_close (&begun);
  gate_close (&released);
  SATIN_SPAWN (&result, wait_in_job, n);
  while (!gate_is_open (&begun))
    SATIN_CALL (step_aside);
  /* The thief is in its job, so the walk cannot end yet; but this worker's slots are seen now. */
  g_array_set_size (sights, 0);
  satin_workers_walk (workers, see, seen, NULL);
  SATIN_CALL (step_aside);
  while_away = sight_of_first (self);
  if (n == UNWANTED)
    SATIN_ABORT_CHILD (&result);
  gate_open (&released);
  while (word_of (satin_base_) != STATE_DONE && word_of (satin_base_) != STATE_FAILED)
    sched_yield ();
  while (SATIN_LOAD (&n_walks) == 0)
    SATIN_CALL (step_aside);
  SATIN_CALL (look_with_both, 0);
  when_over = sight_of_first (self);
  SATIN_SYNC_ERROR (&error);
  return error == NULL ? result : -1;
}

static void
test_stolen (void)
{
  begin (2);
  run (&watch_stolen_task, 5);
  g_assert_cmpint (while_away.state, ==, SATIN_FRONTIER_STOLEN);
  g_assert_cmpint (while_away.n, ==, 5);
  g_assert_cmpint (while_away.result, ==, -1);
  g_assert_cmpint (when_over.state, ==, SATIN_FRONTIER_DONE);
  g_assert_cmpint (when_over.result, ==, 50);
  end ();
}

static void
test_stolen_and_failed (void)
{
  begin (2);
  run (&watch_stolen_task, 13);
  g_assert_cmpint (while_away.state, ==, SATIN_FRONTIER_STOLEN);
  g_assert_cmpint (when_over.state, ==, SATIN_FRONTIER_STOLEN);
  g_assert_cmpint (when_over.n, ==, 13);
  g_assert_cmpint (when_over.result, ==, -1);
  end ();
}

/* The aborted job ends like others, but it may have no result. */
static void
test_stolen_and_aborted (void)
{
  begin (2);
  run (&watch_stolen_task, UNWANTED);
  g_assert_cmpint (while_away.state, ==, SATIN_FRONTIER_STOLEN);
  g_assert_cmpint (when_over.state, ==, SATIN_FRONTIER_ABORTED);
  g_assert_cmpint (when_over.result, ==, -1);
  end ();
}

/* ---- depth with stolen jobs ---- */

/* When this job walks, its child was stolen and has ended, but is not joined. The other worker is
 * held in a job until the child is spawned, so that it steals no other job. */
SATIN_TASK (stolen_first, (long), (int, n))
{
  gint64 result;
  SATIN_SPAWN (&result, item, 5);
  gate_open (&released);
  while (word_of (satin_base_) != STATE_DONE)
    SATIN_CALL (step_aside);
  SATIN_CALL (look_with_both, 0);
  SATIN_SYNC ();
  return 0;
}

SATIN_TASK (below_stolen_first, (long), (int, n))
{
  gint64 results[2];
  gate_close (&begun);
  gate_close (&released);
  SATIN_SPAWN (&results[0], wait_in_job, 3);
  while (!gate_is_open (&begun))
    SATIN_CALL (step_aside);
  SATIN_SPAWN (&results[1], stolen_first, 4);
  SATIN_SYNC ();
  return 0;
}

/* Returns: the sight of the job whose first argument is @n */
static const Sight *
find_sight (gint32 n)
{
  for (guint i = 0; i < sights->len; i++)
    if (g_array_index (sights, Sight, i).n == n)
      return &g_array_index (sights, Sight, i);
  g_assert_not_reached ();
}

static void
test_depth_after_stolen (void)
{
  begin (2);
  run (&below_stolen_first_task, 0);
  g_assert_cmpuint (find_sight (4)->depth, ==, 0);
  g_assert_cmpuint (find_sight (5)->depth, ==, 1);
  end ();
}

/* A worker that waits for a stolen job runs another root job. That root job lets the stolen job
 * end, and then walks. */
static SatinSlot *awaited;

SATIN_TASK (wait_for_stolen, (long), (int, n))
{
  gint64 result;
  gate_close (&begun);
  gate_close (&released);
  SATIN_SPAWN (&result, wait_in_job, 5);
  awaited = satin_base_;
  SPAWN_UNTIL (gate_is_open (&begun))
  SATIN_SYNC ();
  return result;
}

SATIN_TASK (on_top, (long), (int, n))
{
  gint64 result;
  gate_open (&released);
  while (word_of (awaited) != STATE_DONE)
    sched_yield ();
  SATIN_SPAWN (&result, item, 6);
  SATIN_CALL (look_with_both, 0);
  SATIN_SYNC ();
  return 0;
}

static gpointer
run_on_top (gpointer data)
{
  gate_wait (&begun);
  run (&on_top_task, 0);
  return NULL;
}

static void
test_depth_while_joined (void)
{
  pthread_t thread;
  begin (2);
  gate_close (&begun);
  pthread_create (&thread, NULL, run_on_top, NULL);
  run (&wait_for_stolen_task, 0);
  pthread_join (thread, NULL);
  g_assert_cmpuint (find_sight (5)->depth, ==, 0);
  g_assert_cmpuint (find_sight (6)->depth, ==, 1);
  end ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/core/frontier/" claim, func)
  ADD ("shows-queued-running-and-done-jobs", test_shape);
  ADD ("shows-depth", test_depth);
  ADD ("shows-queued-typed-jobs", test_typed);
  ADD ("shows-large-arguments", test_large_arguments);
  ADD ("shows-no-root", test_root_has_no_slot);
  ADD ("shows-no-result-of-a-failed-job", test_failed_job_shows_no_result);
  ADD ("shows-stolen-jobs-and-their-results", test_stolen);
  ADD ("shows-no-result-of-a-failed-stolen-job", test_stolen_and_failed);
  ADD ("shows-no-result-of-an-aborted-stolen-job", test_stolen_and_aborted);
  ADD ("shows-the-depth-of-stolen-jobs-that-are-over", test_depth_after_stolen);
  ADD ("shows-depth-on-top-of-a-job-that-is-waited-for", test_depth_while_joined);
  return g_test_run ();
}
