/* test-overflow.c - tests a deque of 64 slots: a job without a slot runs at its spawn
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

#include <string.h>

#define N_SLOTS 64
#define N_JOBS  1000

/* TSan also reports races whose accesses are far apart in time, so it needs fewer rounds. */
#if defined __SANITIZE_THREAD__
#  define N_ROUNDS 5
#else
#  define N_ROUNDS 20
#endif

TASK_NOTHING ()

/* Arguments so large that they lie beside the deque. */
SATIN_RECORD (Block, (long, a), (long, b), (long, c), (long, d))
SATIN_RECORD (Large, (record, a, Block), (record, b, Block), (record, c, Block), (record, d, Block))

static gboolean
run (guint n_workers, const SatinTask *task)
{
  g_autoptr (SatinWorkers) workers = make_workers (n_workers, N_SLOTS);
  gboolean is_right = FALSE;
  g_assert_true (satin_workers_run_task (workers, task, NULL, &is_right, NULL));
  return is_right;
}

/* With one worker no job is stolen; with four, nearly all may be. */
static void
test_task (gconstpointer task)
{
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_assert_true (run (1, task));
      g_assert_true (run (4, task));
    }
}

SATIN_TASK (itself, (int), (int, n)) { return n; }

SATIN_TASK (general, (boolean))
{
  gint32 results[N_JOBS];
  gboolean is_right = TRUE;
  for (gint32 i = 0; i < N_JOBS; i++)
    SATIN_SPAWN (&results[i], itself, i);
  SATIN_SYNC ();
  for (gint32 i = 0; i < N_JOBS; i++)
    is_right &= results[i] == i;
  return is_right;
}

SATIN_TASK (typed, (boolean))
{
  gboolean is_right = TRUE;
  for (gint32 i = 0; i < N_JOBS; i++)
    SATIN_SPAWN_TYPED (itself, i);
  for (gint32 i = N_JOBS; i-- > 0;)
    is_right &= SATIN_SYNC_TYPED (itself) == i;
  return is_right;
}

/* In one round after another, spawns as many jobs as there are slots, or a few less or more. */
SATIN_TASK (around_the_end, (boolean))
{
  gboolean is_right = TRUE;
  for (gint32 n = N_SLOTS - 4; n < N_SLOTS + 4; n++)
    {
      gint32 results[N_SLOTS + 4];
      for (gint32 i = 0; i < n; i++)
        SATIN_SPAWN (&results[i], itself, i);
      SATIN_SYNC ();
      for (gint32 i = 0; i < n; i++)
        is_right &= results[i] == i;
      for (gint32 i = 0; i < n; i++)
        SATIN_SPAWN_TYPED (itself, i);
      for (gint32 i = n; i-- > 0;)
        is_right &= SATIN_SYNC_TYPED (itself) == i;
    }
  return is_right;
}

SATIN_TASK (large, (record, Block), (record, a, Large), (record, b, Large), (int, n))
{
  Block sum = b.d;
  sum.a += a.a.a + n;
  return sum;
}

static Large
make_large (gint64 a, gint64 d)
{
  return (Large){ .a = { .a = a }, .d = { .a = d, .d = d } };
}

SATIN_TASK (general_large, (boolean))
{
  Block results[N_JOBS];
  gboolean is_right = TRUE;
  for (gint32 i = 0; i < N_JOBS; i++)
    SATIN_SPAWN (&results[i], large, make_large (i, 0), make_large (0, 2 * i), 7);
  SATIN_SYNC ();
  for (gint32 i = 0; i < N_JOBS; i++)
    is_right &= results[i].a == 3 * i + 7 && results[i].d == 2 * i;
  return is_right;
}

SATIN_TASK (typed_large, (boolean))
{
  gboolean is_right = TRUE;
  for (gint32 i = 0; i < N_JOBS; i++)
    SATIN_SPAWN_TYPED (large, make_large (i, 0), make_large (0, 2 * i), 7);
  for (gint32 i = N_JOBS; i-- > 0;)
    {
      Block result = SATIN_SYNC_TYPED (large);
      is_right &= result.a == 3 * i + 7 && result.d == 2 * i;
    }
  return is_right;
}

/* Jobs of this task run at their spawns, because the deque is full. Inside them, their children
 * find no slot either. */
SATIN_TASK (tree, (long), (int, depth), (record, ballast, Large))
{
  gint64 results[10], sum = ballast.d.d;
  if (depth == 0)
    return sum;
  for (gint32 i = 0; i < 10; i++)
    SATIN_SPAWN (&results[i], tree, depth - 1, make_large (0, i));
  SATIN_SYNC ();
  for (gint32 i = 0; i < 10; i++)
    sum += results[i];
  return sum;
}

/* The sum over a tree with @n_inner inner nodes, each of which has children worth 0 to 9. */
#define TREE_SUM(n_inner) (45 * (n_inner))

SATIN_TASK (general_tree, (boolean))
{
  gint64 results[N_SLOTS * 2];
  gboolean is_right = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    SATIN_SPAWN (&results[i], tree, 3, make_large (0, 0));
  SATIN_SYNC ();
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    is_right &= results[i] == TREE_SUM (111);
  return is_right;
}

SATIN_TASK (typed_node, (long), (int, depth), (record, ballast, Large))
{
  gint64 sum = ballast.d.d;
  if (depth == 0)
    return sum;
  for (gint32 i = 0; i < 10; i++)
    SATIN_SPAWN_TYPED (typed_node, depth - 1, make_large (0, i));
  for (gint32 i = 0; i < 10; i++)
    sum += SATIN_SYNC_TYPED (typed_node);
  return sum;
}

SATIN_TASK (typed_tree, (boolean))
{
  gboolean is_right = TRUE;
  for (guint i = 0; i < N_SLOTS * 2; i++)
    SATIN_SPAWN_TYPED (typed_node, 3, make_large (0, 0));
  for (guint i = 0; i < N_SLOTS * 2; i++)
    is_right &= SATIN_SYNC_TYPED (typed_node) == TREE_SUM (111);
  return is_right;
}

/* Typed jobs beyond the end of the deque, whose bodies use the general form, and a call on top. */
SATIN_TASK (general_on_typed, (boolean))
{
  gboolean is_right = TRUE;
  for (guint i = 0; i < N_SLOTS * 2; i++)
    SATIN_SPAWN_TYPED (tree, 2, make_large (0, 0));
  is_right &= SATIN_CALL (tree, 3, make_large (0, 0)) == TREE_SUM (111);
  for (guint i = 0; i < N_SLOTS * 2; i++)
    is_right &= SATIN_SYNC_TYPED (tree) == TREE_SUM (11);
  return is_right;
}

SATIN_TASK (typed_on_general, (boolean))
{
  gint64 results[N_SLOTS * 2];
  gboolean is_right = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    SATIN_SPAWN (&results[i], typed_node, 2, make_large (0, 0));
  for (guint i = 0; i < N_SLOTS * 2; i++)
    SATIN_SPAWN_TYPED (typed_node, 2, make_large (0, 0));
  for (guint i = 0; i < N_SLOTS * 2; i++)
    is_right &= SATIN_SYNC_TYPED (typed_node) == TREE_SUM (11);
  SATIN_SYNC ();
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    is_right &= results[i] == TREE_SUM (11);
  return is_right;
}

/* A chain of frames longer than the deque. */
SATIN_TASK (deep, (int), (int, n))
{
  gint32 below = 0;
  if (n > 0)
    SATIN_SPAWN (&below, deep, n - 1);
  SATIN_SYNC ();
  return below + 1;
}

SATIN_TASK (deep_chain, (boolean))
{
  gint32 depth;
  SATIN_SPAWN (&depth, deep, 10000);
  SATIN_SYNC ();
  return depth == 10001;
}

SATIN_TASK (fail, (void)) { satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "no")); }

SATIN_TASK (general_failure, (boolean))
{
  g_autoptr (GError) error = NULL;
  for (guint i = 0; i < N_SLOTS; i++)
    SATIN_SPAWN (NULL, nothing);
  SATIN_SPAWN (NULL, fail);
  return !SATIN_SYNC_ERROR (&error) && g_error_matches (error, SATIN_ERROR, SATIN_ERROR_JOB);
}

SATIN_TASK (typed_failure, (boolean))
{
  g_autoptr (GError) error = NULL;
  for (guint i = 0; i < N_SLOTS; i++)
    SATIN_SPAWN_TYPED (nothing);
  SATIN_SPAWN_TYPED (fail);
  SATIN_SYNC_TYPED (fail);
  for (guint i = 0; i < N_SLOTS; i++)
    SATIN_SYNC_TYPED (nothing);
  return !SATIN_SYNC_ERROR (&error) && g_error_matches (error, SATIN_ERROR, SATIN_ERROR_JOB);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, task) g_test_add_data_func ("/core/overflow/" claim, &task##_task, test_task)
  ADD ("general-jobs-run-at-once", general);
  ADD ("typed-jobs-run-at-once", typed);
  ADD ("any-number-near-the-end-is-right", around_the_end);
  ADD ("general-jobs-with-large-arguments-run-at-once", general_large);
  ADD ("typed-jobs-with-large-arguments-run-at-once", typed_large);
  ADD ("general-trees-run-at-once", general_tree);
  ADD ("typed-trees-run-at-once", typed_tree);
  ADD ("general-jobs-run-inside-typed-ones", general_on_typed);
  ADD ("typed-jobs-run-inside-general-ones", typed_on_general);
  ADD ("chain-longer-than-the-deque-runs", deep_chain);
  ADD ("failure-of-a-general-job-reaches-the-sync", general_failure);
  ADD ("failure-of-a-typed-job-reaches-the-sync", typed_failure);
  return g_test_run ();
}
