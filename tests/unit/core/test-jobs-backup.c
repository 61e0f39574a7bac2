/* test-jobs-backup.c - tests which results of the root job's frame are handed over, and when
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"
#include "jobs/jobs.h"
#include "tasks/task.h"

#include <string.h>

#define NOTHING_IS_SHORT ((gint64)0)
#define ALL_IS_SHORT     G_MAXINT64

#define TEXT_BYTES ((gsize)6 << 20)
/* By estimate, copying so many bytes takes 1,024 us. */
#define LARGE_BYTES ((gsize)128 << 10)

static char *long_text; /* of TEXT_BYTES */

SATIN_TASK (twice, (int), (int, n)) { return 2 * n; }

SATIN_TASK (text_length, (int), (string, text)) { return (gint32)strlen (text); }

SATIN_TASK (fails, (int))
{
  satin_fail (g_error_new_literal (SATIN_ERROR, SATIN_ERROR_JOB, "no"));
  return 0;
}

/* Syncs @n_rounds times, each time with @n_children children, and then spawns once more. */
SATIN_TASK (rounds, (int), (int, n_rounds), (int, n_children))
{
  static gint32 results[5000];
  for (gint32 i = 0; i < n_rounds; i++)
    {
      for (gint32 k = 0; k < n_children; k++)
        SATIN_SPAWN (&results[k], twice, 100 * i + k);
      SATIN_SYNC ();
    }
  SATIN_SPAWN (&results[0], twice, 0);
  SATIN_SYNC ();
  return 0;
}

SATIN_TASK (once, (int))
{
  gint32 a, b;
  SATIN_SPAWN (&a, twice, 1);
  SATIN_SPAWN (&b, twice, 2);
  SATIN_SYNC ();
  return a + b;
}

/* The jobs that its child spawns do not belong to its frame. */
SATIN_TASK (deeper, (int))
{
  gint32 a, b;
  SATIN_SPAWN (&a, once);
  SATIN_SYNC ();
  SATIN_SPAWN (&b, twice, 0);
  SATIN_SYNC ();
  return a + b;
}

SATIN_TASK (texts, (int))
{
  gint32 a, b, c;
  SATIN_SPAWN (&a, text_length, long_text);
  SATIN_SPAWN (&b, text_length, long_text);
  SATIN_SPAWN (&c, text_length, long_text);
  SATIN_SYNC ();
  SATIN_SPAWN (&a, twice, 0);
  SATIN_SYNC ();
  return a + b + c;
}

static gint64 time_us; /* atomic: the clock of workers that weigh_large runs on; jobs move it */

static gint64
read_time (void)
{
  return SATIN_LOAD (&time_us);
}

/* Takes @took_us, with large or small arguments to copy. */
SATIN_TASK (weigh, (int), (int, took_us), (bytes, data))
{
  SATIN_ADD (&time_us, took_us);
  return (gint32)n_data;
}

SATIN_TASK (weigh_large, (int), (int, took_us))
{
  gint32 a, b;
  g_autofree guint8 *data = g_malloc0 (LARGE_BYTES);
  SATIN_SPAWN (&a, weigh, took_us, data, LARGE_BYTES);
  SATIN_SYNC ();
  SATIN_SPAWN (&b, weigh, 0, data, 1);
  SATIN_SYNC ();
  return a + b;
}

SATIN_TASK (one_fails, (int))
{
  gint32 a = 0, b = 0;
  SATIN_SPAWN (&a, fails);
  SATIN_SPAWN (&b, twice, 1);
  g_autoptr (GError) error = NULL;
  gboolean is_good = SATIN_SYNC_ERROR (&error);
  SATIN_SPAWN (&a, twice, 0);
  SATIN_SYNC ();
  return is_good;
}

/* After its sync, the frame continues with a typed job. */
SATIN_TASK (goes_on_typed, (int))
{
  gint32 a;
  SATIN_SPAWN (&a, twice, 1);
  SATIN_SYNC ();
  SATIN_SPAWN_TYPED (twice, 0);
  return a + SATIN_SYNC_TYPED (twice);
}

/* ---- the root job ---- */

typedef struct
{
  Job job;
  JobsBackups *backups;
  gint32 result;
  Gate is_over;
} Root;

static SatinLoop *loop;
static guint n_told;    /* calls of on_backups() */
static guint n_backups; /* backups in all these calls */
static gint32 first[2]; /* of the first backup: its number and its result */

static void
root_begun (Job *job)
{
  jobs_backups_begin (((Root *)job)->backups);
}

static void
root_synced (Job *job, SatinSlot *base, SatinSlot *head)
{
  jobs_backups_note (((Root *)job)->backups, base, head);
}

static void
root_goes_on (Job *job)
{
  jobs_backups_hand_over (((Root *)job)->backups);
}

static void
root_over (Job *job, GError *error)
{
  g_assert_no_error (error);
  gate_open (&((Root *)job)->is_over);
}

static void
on_backups (const StealSaved *backups, guint n, gpointer user_data)
{
  n_told++;
  for (guint i = 0; i < n; i++)
    {
      if (n_backups++ > 0 || task_at ((guint)backups[i].task) != &twice_task)
        continue;
      twice_result result;
      gsize n_bytes;
      const guint8 *bytes = g_bytes_get_data (backups[i].result, &n_bytes);
      g_assert_true (satin_record_decode (twice_task.result, bytes, n_bytes, &result, NULL));
      first[0] = ((const guint8 *)g_bytes_get_data (backups[i].path, NULL))[0];
      first[1] = result.value;
    }
}

/* Runs @task as the root job, and then runs the loop. @workers: (transfer full) */
static gint32
run_on (SatinWorkers *workers, const SatinTask *task, gconstpointer args, gint64 min_us)
{
  const Gate closed = GATE_CLOSED;
  Root root = { .is_over = closed };
  loop = satin_loop_new_manual (0);
  n_told = n_backups = 0;
  root.backups = jobs_backups_new (workers, loop, min_us, on_backups, NULL);
  root.job.slot.task = (guintptr)task;
  root.job.slot.result = &root.result;
  root.job.begin = root_begun;
  root.job.synced = root_synced;
  root.job.goes_on = root_goes_on;
  root.job.done = root_over;
  if (args != NULL)
    memcpy (satin_slot_args (&root.job.slot, task->args->size_bytes), args, task->args->size_bytes);
  pool_submit (workers, &root.job);
  gate_wait (&root.is_over);
  satin_workers_free (workers);
  satin_loop_advance (loop, 0);
  jobs_backups_free (root.backups);
  satin_loop_free (loop);
  return root.result;
}

static gint32
run (const SatinTask *task, gconstpointer args, gint64 min_us)
{
  return run_on (make_workers (1, 0), task, args, min_us);
}

/* Runs a root job that syncs a child with large arguments. The child takes @took_us. */
static void
run_large (gint32 took_us)
{
  SatinThreadOps ops = satin_thread_ops;
  ops.now_us = read_time;
  SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                  .n_workers = 1,
                                  .thread_ops = &ops };
  g_autoptr (GError) error = NULL;
  SatinWorkers *workers = satin_workers_new (&options, &error);
  g_assert_no_error (error);
  g_assert_cmpint (run_on (workers, &weigh_large_task, &took_us, NOTHING_IS_SHORT), ==,
                   LARGE_BYTES + 1);
}

static void
run_rounds (gint32 n_rounds, gint32 n_children, gint64 min_us)
{
  const gint32 args[] = { n_rounds, n_children };
  run (&rounds_task, args, min_us);
}

/* ---- cases ---- */

static void
test_each_sync (void)
{
  run_rounds (3, 2, NOTHING_IS_SHORT);
  g_assert_cmpuint (n_backups, ==, 6);
}

static void
test_what (void)
{
  run_rounds (1, 2, NOTHING_IS_SHORT);
  g_assert_cmpint (first[0], ==, 0);
  g_assert_cmpint (first[1], ==, 0);
}

static void
test_one_sync (void)
{
  g_assert_cmpint (run (&once_task, NULL, NOTHING_IS_SHORT), ==, 6);
  g_assert_cmpuint (n_told, ==, 0);
}

static void
test_deeper (void)
{
  g_assert_cmpint (run (&deeper_task, NULL, NOTHING_IS_SHORT), ==, 6);
  g_assert_cmpuint (n_backups, ==, 1);
}

static void
test_short (void)
{
  run_rounds (3, 2, ALL_IS_SHORT);
  g_assert_cmpuint (n_backups, ==, 0);
}

static void
test_many_children (void)
{
  run_rounds (1, 4096, NOTHING_IS_SHORT);
  g_assert_cmpuint (n_backups, ==, 4096);
  run_rounds (1, 4097, NOTHING_IS_SHORT);
  g_assert_cmpuint (n_backups, ==, 0);
}

static void
test_many_bytes (void)
{
  long_text = g_strnfill (TEXT_BYTES, 'x');
  run (&texts_task, NULL, NOTHING_IS_SHORT);
  g_assert_cmpuint (n_backups, ==, 0);
  g_free (long_text);
}

static void
test_dear_copy (void)
{
  run_large (1023);
  g_assert_cmpuint (n_backups, ==, 0);
  run_large (1024);
  g_assert_cmpuint (n_backups, ==, 1);
}

static void
test_many_waiting (void)
{
  run_rounds (20, 1000, NOTHING_IS_SHORT);
  g_assert_cmpuint (n_backups, ==, 16000);
  g_assert_cmpuint (n_told, ==, 1);
}

static void
test_failure (void)
{
  g_assert_false (run (&one_fails_task, NULL, NOTHING_IS_SHORT));
  g_assert_cmpuint (n_backups, ==, 0);
}

static void
test_typed (void)
{
  g_assert_cmpint (run (&goes_on_typed_task, NULL, NOTHING_IS_SHORT), ==, 2);
  g_assert_cmpuint (n_backups, ==, 1);
  g_assert_cmpint (first[1], ==, 2);
}

#define CASE(name, test) g_test_add_func ("/core/jobs-backup/" name, test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("handed-over/after-each-sync-when-the-frame-goes-on", test_each_sync);
  CASE ("handed-over/with-number-and-result", test_what);
  CASE ("handed-over/nothing-when-the-frame-syncs-once", test_one_sync);
  CASE ("handed-over/nothing-of-a-deeper-frame", test_deeper);
  CASE ("handed-over/when-the-frame-goes-on-with-a-typed-job", test_typed);
  CASE ("left-out/what-was-done-in-no-time", test_short);
  CASE ("left-out/a-sync-of-too-many-children", test_many_children);
  CASE ("left-out/a-sync-of-too-many-bytes", test_many_bytes);
  CASE ("left-out/a-sync-that-took-less-time-than-its-copy", test_dear_copy);
  CASE ("left-out/what-comes-while-too-much-waits", test_many_waiting);
  CASE ("left-out/a-sync-with-a-failure", test_failure);
  return g_test_run ();
}
