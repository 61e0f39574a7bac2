/* stress-deque.c - any number of spawns and syncs, with everything that can disturb them
 *
 *   stress-deque [--jobs=N] [--workers=W] [--seed=S]
 *
 * Threads feed random trees to two pools, one after the other. The second pool has the smallest
 * deque. Meanwhile one thread walks over the frontier. Another thread plays another node: it takes
 * jobs, answers some and puts the others back. The program is meant to run under ThreadSanitizer.
 * It exits with 0 if the results of all jobs were right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

#include <stdlib.h>
#include <string.h>

#include "jobs/jobs.h"
#include "stress-tree.h"
#include "tasks/task.h"

/* The number of jobs of each root job. There are many root jobs, because near the end of each one
 * the workers starve and steal most. */
#define ROOT_JOBS   20000
#define N_FEEDERS   2
#define N_BORROWED  32
#define SMALL_DEQUE 64

typedef struct
{
  SatinWorkers *workers;
  SatinLoop *loop;
  Jobs *jobs;
  gint64 seed;
  gint64 n_roots;                 /* atomic: root jobs that have not begun */
  int is_wrong;                   /* atomic */
  int is_over;                    /* atomic */
  guint64 n_walks;                /* written by the thread that walks */
  guint64 n_answered, n_put_back; /* written by the thread that plays a node */
} Stress;

static gpointer
feed (gpointer data)
{
  Stress *self = data;
  gint64 number;
  while ((number = SATIN_SUB (&self->n_roots, 1)) > 0 && !SATIN_LOAD (&self->is_wrong))
    if (!stress_tree_run (self->workers, ROOT_JOBS, self->seed + number))
      SATIN_STORE (&self->is_wrong, 1);
  return NULL;
}

/* A walk that has not ended yet. */
typedef struct
{
  Stress *stress;
  Gate is_over;
} Tour;

static void
inspect (const SatinFrontierJob *job, guint worker, gpointer user_data)
{
  Tour *self = user_data;
  stress_tree_inspect (job, worker, &self->stress->is_wrong);
}

static void
walked (gpointer user_data)
{
  gate_open (&((Tour *)user_data)->is_over);
}

static gpointer
walk (gpointer data)
{
  Stress *self = data;
  for (; !SATIN_LOAD (&self->is_over); self->n_walks++)
    {
      Tour tour = { .stress = self, .is_over = GATE_CLOSED };
      satin_workers_walk (self->workers, inspect, walked, &tour);
      gate_wait (&tour.is_over);
      for (guint i = 0; i < 100; i++)
        sched_yield ();
    }
  return NULL;
}

/* Answers a job without running it: the result of a tree is its first argument. */
static void
answer (Stress *self, const StealTaken *job)
{
  const SatinTask *task = stress_tree_task ();
  gint64 args[2];
  g_assert_true (satin_record_decode (task->args, g_bytes_get_data (job->args, NULL),
                                      g_bytes_get_size (job->args), args, NULL));
  g_autoptr (GBytes) result = satin_record_to_bytes (task->result, args);
  StealOutcome outcome = { .status = STEAL_OK, .result = result };
  jobs_ops.finish (self->jobs, job->handle, &outcome);
  self->n_answered++;
}

/* Takes some jobs, keeps them for a moment, and answers each or puts it back. */
static void
borrow (Stress *self)
{
  StealTaken jobs[N_BORROWED];
  int tree = task_index (stress_tree_task ());
  jobs_ops.want (self->jobs);
  const StealDemand demand = { .max = N_BORROWED, .may_be_bound = TRUE };
  gboolean is_kept;
  guint n = jobs_ops.take (self->jobs, &demand, jobs, &is_kept);
  sched_yield ();
  for (guint i = 0; i < n; i++)
    {
      if (jobs[i].task == tree && i % 3 == 0)
        answer (self, &jobs[i]);
      else
        {
          jobs_ops.put_back (self->jobs, jobs[i].handle, NULL);
          self->n_put_back++;
        }
      g_bytes_unref (jobs[i].args);
      g_clear_pointer (&jobs[i].path, g_bytes_unref);
    }
}

static gpointer
play_node (gpointer data)
{
  Stress *self = data;
  while (!SATIN_LOAD (&self->is_over))
    {
      borrow (self);
      satin_loop_advance (self->loop, 100);
      for (guint i = 0; i < 20; i++)
        sched_yield ();
    }
  return NULL;
}

static void
count_jobs (const char *name, gint64 value, gpointer user_data)
{
  if (g_str_equal (name, "jobs"))
    ((gint64 *)user_data)[0] = value;
  else if (g_str_equal (name, "steals.local"))
    ((gint64 *)user_data)[1] = value;
}

static gboolean
stress (guint n_workers, gsize n_slots, gint64 n_jobs, gint64 seed)
{
  Stress self = { .workers = make_workers (n_workers, n_slots),
                  .loop = satin_loop_new_manual (1),
                  .seed = seed,
                  .n_roots = (n_jobs + ROOT_JOBS - 1) / ROOT_JOBS };
  pthread_t feeders[N_FEEDERS], walker, node;
  gint64 counts[2], begin_us = g_get_monotonic_time ();
  self.jobs = jobs_new (self.workers, self.loop);
  pthread_create (&walker, NULL, walk, &self);
  pthread_create (&node, NULL, play_node, &self);
  for (guint i = 0; i < N_FEEDERS; i++)
    pthread_create (&feeders[i], NULL, feed, &self);
  for (guint i = 0; i < N_FEEDERS; i++)
    pthread_join (feeders[i], NULL);
  SATIN_STORE (&self.is_over, 1);
  pthread_join (walker, NULL);
  pthread_join (node, NULL);
  satin_workers_figures (self.workers, count_jobs, counts);
  g_print ("%" G_GSIZE_FORMAT " slots: %" G_GINT64_FORMAT " general jobs, %" G_GINT64_FORMAT
           " stolen, %" G_GUINT64_FORMAT " answered and %" G_GUINT64_FORMAT
           " put back by another node, %" G_GUINT64_FORMAT " walks, %.1f s\n",
           n_slots, counts[0], counts[1], self.n_answered, self.n_put_back, self.n_walks,
           (double)(g_get_monotonic_time () - begin_us) / 1e6);
  satin_workers_free (self.workers);
  jobs_free (self.jobs);
  satin_loop_free (self.loop);
  return !self.is_wrong;
}

int
main (int argc, char **argv)
{
  static gint64 n_jobs = 1000000, seed;
  static int n_workers = 4;
  static const GOptionEntry entries[] = {
    { "jobs", 'j', 0, G_OPTION_ARG_INT64, &n_jobs, "Spawns and syncs in all", "N" },
    { "workers", 'w', 0, G_OPTION_ARG_INT, &n_workers, "Workers of a pool", "W" },
    { "seed", 's', 0, G_OPTION_ARG_INT64, &seed, "Start of the random numbers; 0: the time", "S" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("%s\n", error->message);
      return 2;
    }
  if (seed == 0)
    seed = g_get_real_time ();
  g_print ("--jobs=%" G_GINT64_FORMAT " --workers=%d --seed=%" G_GINT64_FORMAT "\n", n_jobs,
           n_workers, seed);
  gboolean is_right = stress ((guint)n_workers, 0, n_jobs / 2, seed)
                      && stress ((guint)n_workers, SMALL_DEQUE, n_jobs / 2, seed);
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
