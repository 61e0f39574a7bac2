/* stress-tree.c - random trees of jobs in all forms, whose right result is known
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stress-tree.h"

#include <satin/base/random.h>

#define MAX_CHILDREN 6
#define MAX_LEAVES   100

/* Arguments too large for a slot, which lie beside the deque; the job checks them. */
SATIN_RECORD (Ballast, (long, a), (long, b), (long, c), (long, d), (long, e), (long, f), (long, g),
              (long, h))
SATIN_RECORD (Answer, (long, n_jobs), (long, check))

static guint64
draw (gint64 *seed)
{
  guint64 state = (guint64)*seed;
  guint64 drawn = satin_random_next (&state);
  *seed = (gint64)state;
  return drawn;
}

/* How many of the @rest jobs one child gets: never more than two thirds of @whole, so no tree is
 * deep. */
static gint64
deal (gint64 whole, gint64 rest, gint64 *seed)
{
  gint64 most = MIN (rest, MAX (whole * 2 / 3, 1));
  return 1 + (gint64)(draw (seed) % (guint64)most);
}

static gint64
expect (gint64 got, gint64 expected)
{
  if (G_UNLIKELY (got != expected))
    g_error ("a job returned %" G_GINT64_FORMAT " and not %" G_GINT64_FORMAT, got, expected);
  return got;
}

static Ballast
make_ballast (gint64 seed)
{
  return (Ballast){ seed, 1, 2, 3, 4, 5, 6, ~seed };
}

SATIN_TASK (leaf, (int), (int, n)) { return n; }

SATIN_TASK (fail, (long), (long, n_jobs))
{
  satin_fail (g_error_new_literal (SATIN_ERROR, SATIN_ERROR_JOB, "as it should"));
  return -1;
}

/* The rounds and the task "tree" call each other, so the body of "tree" comes last. */
#define TREE_ARGUMENTS (long, n_jobs), (long, seed)
SATIN_TASK_DECLARE (tree, (long), TREE_ARGUMENTS)

SATIN_TASK (heavy, (record, Answer), (long, n_jobs), (record, first, Ballast), (long, seed),
            (record, last, Ballast))
{
  expect (first.a, seed);
  expect (first.h, ~seed);
  expect (last.h, seed);
  gint64 n = n_jobs > 1 ? SATIN_CALL (tree, n_jobs - 1, seed) : 0;
  return (Answer){ .n_jobs = n + 1, .check = seed };
}

SATIN_TASK (general_round, (long), (long, whole), (long, rest), (long, seed))
{
  gint64 results[MAX_CHILDREN], shares[MAX_CHILDREN], n = 0;
  guint n_children = 0;
  while (n_children < MAX_CHILDREN && rest > 0)
    {
      gint64 share = deal (whole, rest, &seed);
      shares[n_children] = share;
      SATIN_SPAWN (&results[n_children], tree, share, (gint64)draw (&seed));
      n_children++;
      rest -= share;
    }
  SATIN_SYNC ();
  for (guint i = 0; i < n_children; i++)
    n += expect (results[i], shares[i]);
  return n;
}

SATIN_TASK (typed_round, (long), (long, whole), (long, rest), (long, seed))
{
  gint64 shares[MAX_CHILDREN], n = 0;
  guint n_children = 0;
  while (n_children < MAX_CHILDREN && rest > 0)
    {
      gint64 share = deal (whole, rest, &seed);
      shares[n_children++] = share;
      SATIN_SPAWN_TYPED (tree, share, (gint64)draw (&seed));
      rest -= share;
    }
  while (n_children-- > 0)
    n += expect (SATIN_SYNC_TYPED (tree), shares[n_children]);
  return n;
}

/* General jobs lie below typed ones in the deque, with a call on top. */
SATIN_TASK (mixed_round, (long), (long, whole), (long, rest), (long, seed))
{
  gint64 shares[3] = { 0 }, result = 0, n = 0;
  for (guint i = 0; i < G_N_ELEMENTS (shares) && rest > 0; i++)
    rest -= shares[i] = deal (whole, rest, &seed);
  SATIN_SPAWN (&result, tree, shares[0], (gint64)draw (&seed));
  if (shares[1] > 0)
    SATIN_SPAWN_TYPED (tree, shares[1], (gint64)draw (&seed));
  if (shares[2] > 0)
    n += expect (SATIN_CALL (tree, shares[2], (gint64)draw (&seed)), shares[2]);
  if (shares[1] > 0)
    n += expect (SATIN_SYNC_TYPED (tree), shares[1]);
  SATIN_SYNC ();
  return n + expect (result, shares[0]);
}

SATIN_TASK (heavy_round, (long), (long, whole), (long, rest), (long, seed))
{
  Answer answers[2];
  gint64 shares[2] = { 0 }, seeds[2] = { 0 }, n = 0;
  for (guint i = 0; i < G_N_ELEMENTS (shares) && rest > 0; i++)
    {
      rest -= shares[i] = deal (whole, rest, &seed);
      seeds[i] = (gint64)draw (&seed);
      SATIN_SPAWN (&answers[i], heavy, shares[i], make_ballast (seeds[i]), seeds[i],
                   make_ballast (~seeds[i]));
    }
  SATIN_SYNC ();
  for (guint i = 0; i < G_N_ELEMENTS (shares) && shares[i] > 0; i++)
    {
      n += expect (answers[i].n_jobs, shares[i]);
      expect (answers[i].check, seeds[i]);
    }
  return n;
}

/* A row of the smallest jobs, in both forms. */
SATIN_TASK (leaves_round, (long), (long, rest))
{
  gint32 results[MAX_LEAVES];
  gint32 n_leaves = (gint32)MIN (rest, MAX_LEAVES), n_typed = n_leaves / 2, sum = 0;
  for (gint32 i = 0; i < n_leaves - n_typed; i++)
    SATIN_SPAWN (&results[i], leaf, i);
  for (gint32 i = 0; i < n_typed; i++)
    SATIN_SPAWN_TYPED (leaf, i);
  for (gint32 i = n_typed; i-- > 0;)
    sum += expect (SATIN_SYNC_TYPED (leaf), i) == i;
  SATIN_SYNC ();
  for (gint32 i = 0; i < n_leaves - n_typed; i++)
    sum += expect (results[i], i) == i;
  return sum;
}

/* One child fails, another does not; the failure ends here. */
SATIN_TASK (failing_round, (long), (long, whole), (long, rest), (long, seed))
{
  g_autoptr (GError) error = NULL;
  gint64 failed, result = 0;
  gint64 share = rest > 1 ? deal (whole, rest - 1, &seed) : 0;
  if (share > 0)
    SATIN_SPAWN (&result, tree, share, (gint64)draw (&seed));
  SATIN_SPAWN (&failed, fail, 1);
  expect (SATIN_SYNC_ERROR (&error), FALSE);
  expect (error->code, SATIN_ERROR_JOB);
  return 1 + expect (result, share);
}

SATIN_TASK_DEFINE (tree, (long), TREE_ARGUMENTS)
{
  gint64 n = 1;
  while (n < n_jobs)
    {
      gint64 rest = n_jobs - n, round_seed = (gint64)draw (&seed);
      switch (draw (&seed) % 16)
        {
        case 0:
          n += SATIN_CALL (heavy_round, n_jobs, rest, round_seed);
          break;
        case 1:
          n += SATIN_CALL (failing_round, n_jobs, rest, round_seed);
          break;
        case 2:
          n += SATIN_CALL (leaves_round, rest);
          break;
        case 3:
        case 4:
        case 5:
          n += SATIN_CALL (mixed_round, n_jobs, rest, round_seed);
          break;
        case 6:
        case 7:
        case 8:
        case 9:
          n += SATIN_CALL (typed_round, n_jobs, rest, round_seed);
          break;
        default:
          n += SATIN_CALL (general_round, n_jobs, rest, round_seed);
        }
    }
  return n;
}

const SatinTask *
stress_tree_task (void)
{
  return &tree_task;
}

gboolean
stress_tree_run (SatinWorkers *workers, gint64 n_jobs, gint64 seed)
{
  g_autoptr (GError) error = NULL;
  gint64 n = 0;
  if (!satin_run (workers, &n, tree, &error, n_jobs, seed))
    g_printerr ("tree of seed %" G_GINT64_FORMAT ": %s\n", seed, error->message);
  else if (n != n_jobs)
    g_printerr ("tree of seed %" G_GINT64_FORMAT ": made %" G_GINT64_FORMAT " jobs\n", seed, n);
  return error == NULL && n == n_jobs;
}

void
stress_tree_inspect (const SatinFrontierJob *job, guint worker, gpointer is_wrong)
{
  if (job->task != &tree_task || job->state != SATIN_FRONTIER_DONE || job->result == NULL)
    return;
  if (*(const gint64 *)job->args != *(const gint64 *)job->result)
    SATIN_STORE ((int *)is_wrong, 1);
}
