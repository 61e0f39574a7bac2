/* test-jobs-shipping.c - tests that large jobs stay if their way takes longer than they run
 *
 * Node 1 has jobs, and the main thread plays the stealing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "jobs-world.h"

TASK_NOTHING ()

#define LARGE_BYTES ((gsize)1 << 20)
#define HOUR_US     ((gint64)3600 * G_USEC_PER_SEC)
#define FIRST       "first"
#define OTHER       "other"

static Gate is_settled[2]; /* opened when the root job may sync in that round */
static int n_rounds;       /* atomic: rounds that have begun */

SATIN_TASK (weigh, (int), (int, n), (bytes, data)) { return n * 2; }

/* In each of two rounds, the oldest job is a large one; a small one of the same task comes after
 * it. */
SATIN_TASK (root_weigh, (int), (bytes, data))
{
  gint32 results[2][2];
  for (gint32 i = 0; i < 2; i++)
    {
      SATIN_SPAWN (&results[i][0], weigh, i, data, n_data);
      SATIN_SPAWN (&results[i][1], weigh, 20, data, 1);
      SATIN_STORE (&n_rounds, i + 1);
      SPAWN_UNTIL (gate_is_open (&is_settled[i]))
      if (!SATIN_SYNC ())
        return 0;
    }
  return results[0][0] + results[0][1] + results[1][0] + results[1][1];
}

/* Returns: the size of the job's arguments in bytes */
static gsize
drop_contents (const StealTaken *job)
{
  gsize n_bytes = g_bytes_get_size (job->args);
  g_bytes_unref (job->args);
  g_bytes_unref (job->path);
  return n_bytes;
}

/* Takes the next job that may leave to @cluster: a large or small one, or one without arguments.
 * Returns: the size of its arguments in bytes */
static gsize
take_one (const char *cluster, StealTaken *ret_job)
{
  gboolean is_kept;
  jobs_ops.want (world_nodes[0].jobs);
  while (world_take_jobs (1, 0, cluster, ret_job, &is_kept) == 0)
    sched_yield ();
  return drop_contents (ret_job);
}

/* Takes all that may leave to @cluster, and gives it back, until a job is kept. Returns: the size
 * of the largest job that was taken */
static gsize
take_until_kept (const char *cluster)
{
  StealTaken jobs[32];
  gsize largest = 0;
  gboolean is_kept = FALSE;
  while (!is_kept)
    {
      guint n = world_take_jobs (G_N_ELEMENTS (jobs), 0, cluster, jobs, &is_kept);
      for (guint i = 0; i < n; i++)
        {
          gsize n_bytes = drop_contents (&jobs[i]);
          largest = MAX (largest, n_bytes);
          jobs_ops.put_back (world_nodes[0].jobs, jobs[i].handle, NULL);
        }
    }
  return largest;
}

/* Brings back the first large job from cluster FIRST, after a way of @way_us and an hour on its
 * thief. */
static void
finish_first (gint64 way_us)
{
  StealTaken job;
  weigh_result data = { .value = 0 };
  g_assert_cmpuint (take_one (FIRST, &job), >, LARGE_BYTES);
  g_autoptr (GBytes) result = satin_record_to_bytes (weigh_task.result, &data);
  StealOutcome outcome = { .status = STEAL_OK,
                           .result = result,
                           .is_theirs = TRUE,
                           .cluster = FIRST,
                           .ran_us = HOUR_US,
                           .arrived_us = satin_loop_now_us (world_loop) + way_us };
  g_assert_true (jobs_ops.finish (world_nodes[0].jobs, job.handle, &outcome));
}

typedef struct
{
  guint8 *data; /* (owned) */
  gint32 result;
} Root;

static gpointer
run_root (gpointer data)
{
  Root *self = data;
  satin_run (world_nodes[0].workers, &self->result, root_weigh, NULL, self->data, LARGE_BYTES);
  return NULL;
}

/* Plays two rounds. In the first, the way of a large job to cluster FIRST takes @way_us. Returns:
 * what @func returns in the second round */
static gsize
play (gint64 way_us, gsize (*func) (void))
{
  Root root = { .data = g_malloc0 (LARGE_BYTES) };
  pthread_t thread;
  SATIN_STORE (&n_rounds, 0);
  gate_close (&is_settled[0]);
  gate_close (&is_settled[1]);
  world_begin (1, FALSE);
  pthread_create (&thread, NULL, run_root, &root);
  finish_first (way_us);
  gate_open (&is_settled[0]);
  while (SATIN_LOAD (&n_rounds) < 2)
    sched_yield ();
  gsize n_bytes = func ();
  gate_open (&is_settled[1]);
  pthread_join (thread, NULL);
  g_assert_cmpint (root.result, ==, 0 + 40 + 2 + 40);
  world_end ();
  g_free (root.data);
  return n_bytes;
}

/* Takes the next job that may leave to @cluster, and gives it back. Returns: the size of its
 * arguments in bytes */
static gsize
find_next (const char *cluster)
{
  StealTaken job;
  gsize n_bytes = take_one (cluster, &job);
  jobs_ops.put_back (world_nodes[0].jobs, job.handle, NULL);
  return n_bytes;
}

/* Until it has asked, the other cluster is not known, and only small jobs were put out. Returns:
 * the size of the first large job that it can take */
static gsize
find_large_for_other (void)
{
  gsize n_bytes;
  do
    n_bytes = find_next (OTHER);
  while (n_bytes <= LARGE_BYTES);
  return n_bytes;
}

static gsize
find_next_for_first (void)
{
  return find_next (FIRST);
}

static gsize
forget_and_find_next (void)
{
  jobs_ops.forget_ways (world_nodes[0].jobs);
  return find_next (FIRST);
}

static gsize
let_other_take_one (void)
{
  find_large_for_other ();
  return take_until_kept (FIRST);
}

static void
forget_id (guint64 import_id, gpointer unused)
{
}

/* The other cluster may get large jobs, and a large imported job waits here. */
static gsize
find_next_behind_imported (void)
{
  g_autofree guint8 *data = g_malloc0 (LARGE_BYTES);
  weigh_args record = { .n = 1, .data = data, .n_data = LARGE_BYTES };
  g_autoptr (GBytes) args = satin_record_to_bytes (weigh_task.args, &record);
  find_large_for_other ();
  g_assert_true (jobs_ops.give (world_nodes[0].jobs, task_index (&weigh_task), args, 1, NULL));
  gsize n_bytes = find_next (FIRST);
  jobs_ops.give_back (world_nodes[0].jobs, forget_id, NULL);
  return n_bytes;
}

static void
test_jobs_worth_their_way_leave (void)
{
  g_assert_cmpuint (play (HOUR_US / 2, find_next_for_first), >, LARGE_BYTES);
}

/* The large job stays, and the small one behind it leaves. */
static void
test_jobs_not_worth_their_way_stay (void)
{
  g_assert_cmpuint (play (2 * HOUR_US, find_next_for_first), <, LARGE_BYTES);
}

/* The large job leaves again: the slow way may have been the way to the node that is gone. */
static void
test_ways_are_forgotten (void)
{
  g_assert_cmpuint (play (2 * HOUR_US, forget_and_find_next), >, LARGE_BYTES);
}

/* The way to one cluster says nothing about the way to another. */
static void
test_other_cluster (void)
{
  g_assert_cmpuint (play (2 * HOUR_US, find_large_for_other), >, LARGE_BYTES);
}

/* The large job may go to the other cluster. So it stays where thieves can find it, but a thief of
 * the first cluster gets only small ones. */
static void
test_kept_for_others (void)
{
  g_assert_cmpuint (play (2 * HOUR_US, let_other_take_one), <, LARGE_BYTES);
}

/* An imported job that is kept does not hide the jobs of the workers. */
static void
test_kept_imported (void)
{
  g_assert_cmpuint (play (2 * HOUR_US, find_next_behind_imported), <, LARGE_BYTES);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/jobs-shipping/jobs-worth-their-way-leave",
                   test_jobs_worth_their_way_leave);
  g_test_add_func ("/core/jobs-shipping/jobs-not-worth-their-way-stay",
                   test_jobs_not_worth_their_way_stay);
  g_test_add_func ("/core/jobs-shipping/all-may-leave-after-a-node-is-gone",
                   test_ways_are_forgotten);
  g_test_add_func ("/core/jobs-shipping/other-clusters-get-them", test_other_cluster);
  g_test_add_func ("/core/jobs-shipping/kept-for-other-clusters", test_kept_for_others);
  g_test_add_func ("/core/jobs-shipping/kept-imported-job-hides-none", test_kept_imported);
  return g_test_run ();
}
