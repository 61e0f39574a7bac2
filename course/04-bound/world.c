/* world.c - the program that the simulator runs: its jobs do what a student's program says
 *
 *   world KIND SEED model|FD...
 *
 * KIND is 0 for the shortest tour; 1 for a limit within which there is a tour; 2 for a limit within
 * which there is none. Each FD is a descriptor to the process of one simulated node, in which the
 * student's program runs. With "model" no process is asked: model.c decides. Prints: the number of
 * the instance, its limit, the answer, the right answer, how many partial tours were expanded, how
 * many of them after the first tour that is good enough, and how many are missing from the proof.
 *
 * This program has no code of the student. So the grader can trust its figures, and those of the
 * simulator.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "instance.h"
#include "model.h"

#include <satin/core.h>
#include <satin/so.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A program is ended when it expands more than this many times what plain.c expands, or more than
 * this many times 1000 if plain.c expands less than that. */
#define MOST_RATIO 20
#define MOST_JOBS  400000

/* All simulated nodes are in one thread of one process. */
static Instance instance;
static int channels[MOST_NODES];
static guint n_channels, n_jobs;

/* Ends the simulation. */
static void
end (const char *reason)
{
  fprintf (stderr, "fault: %s\n", reason);
  _exit (99);
}

static void
end_if (gboolean is_wrong, const char *reason)
{
  if (is_wrong)
    end (reason);
}

/* The descriptor of the process that belongs to a worker. */
static int
channel_of (gconstpointer worker)
{
  static gconstpointer workers[MOST_NODES];
  guint i = 0;
  while (i < n_channels && workers[i] != NULL && workers[i] != worker)
    i++;
  end_if (i == n_channels, "there are more nodes than processes");
  workers[i] = worker;
  return channels[i];
}

/* Sends an event to a worker's process, and waits for its question. If there are no processes,
 * model.c decides. */
static void
exchange (gconstpointer worker, const RemoteEvent *event, RemoteQuestion *ret_question)
{
  const gsize least = G_STRUCT_OFFSET (RemoteQuestion, acts);
  if (n_channels == 0)
    {
      model_decide (event, ret_question);
      return;
    }
  int channel = channel_of (worker);
  ssize_t n_bytes = send (channel, event, sizeof *event, MSG_NOSIGNAL);
  if (n_bytes == sizeof *event)
    n_bytes = recv (channel, ret_question, sizeof *ret_question, 0);
  end_if (n_bytes <= 0,
          "it crashes, does not return, or spawns more than 32 jobs between two syncs");
  end_if (n_bytes < (ssize_t)least || ret_question->n_acts > MOST_ACTS
              || n_bytes != (ssize_t)(least + ret_question->n_acts * sizeof (RemoteAct)),
          "it sends messages of its own");
}

/* What an inlet needs to know of its child. */
typedef struct
{
  guint64 parent;
  guint32 child;
  gint64 best;
} Hearing;

SATIN_INLET (hear, (Hearing, hearing), (gint64, result), error)
{
  RemoteEvent event = { .kind = REMOTE_HEAR,
                        .parent = hearing->parent,
                        .child = hearing->child,
                        .best = hearing->best,
                        .number = result != NULL ? *result : 0,
                        .is_right = result != NULL };
  RemoteQuestion question;
  exchange (satin_worker_, &event, &question);
  end_if (question.kind != REMOTE_DONE, "it does in an inlet what only a job can do");
  for (guint i = 0; i < question.n_acts; i++)
    if (question.acts[i].kind == REMOTE_ABORT)
      SATIN_ABORT_OTHERS ();
    else
      end ("it does in an inlet what only a job can do");
}

/* Checks what a job is about to do. */
static void
check_question (const RemoteQuestion *question, guint n_children)
{
  for (guint i = 0; i < question->n_acts; i++)
    if (question->acts[i].kind == REMOTE_SPAWN)
      {
        n_children++;
        end_if (!instance_is_partial (question->acts[i].cities, question->acts[i].n),
                "it spawns a job for what is no partial tour");
      }
  end_if (n_children > MOST_CHILDREN, "it spawns more than 32 jobs between two syncs");
  if (question->kind == REMOTE_EXPAND)
    end_if (!instance_is_partial (question->cities, question->n),
            "it expands what is no partial tour");
  end_if (instance.n_expanded > MOST_RATIO * MAX (instance.n_plain, 1000),
          "it expands far more than plain.c");
}

/* @number: the bound of a job for the shortest tour; the limit otherwise */
SATIN_TASK (job, (long), (int, task), (object, best), (long, number), (array_int, cities))
{
  RemoteQuestion question;
  gint32 spawned[MOST_CHILDREN][N_CITIES];
  gint64 results[MOST_CHILDREN] = { 0 };
  Hearing hearings[MOST_CHILDREN];
  guint n = 0;
  RemoteEvent event = { .kind = REMOTE_RUN, .task = (guint32)task, .number = number };
  event.n = (guint32)n_cities;
  memcpy (event.cities, cities, n_cities * sizeof *cities);
  end_if (++n_jobs > MOST_JOBS, "it spawns too many jobs");
  for (;;)
    {
      event.best = best != 0 ? SATIN_READ (satin_minimum, best)->value : 0;
      exchange (satin_worker_, &event, &question);
      check_question (&question, n);
      for (guint i = 0; i < question.n_acts; i++)
        {
          const RemoteAct *act = &question.acts[i];
          if (act->kind == REMOTE_ABORT)
            SATIN_ABORT ();
          else if (act->kind == REMOTE_UPDATE && best != 0)
            SATIN_UPDATE (best, satin_minimum, improve, act->number, NULL, 0);
          else if (act->kind == REMOTE_SPAWN)
            {
              memcpy (spawned[n], act->cities, sizeof spawned[n]);
              hearings[n] = (Hearing){ act->parent, n, event.best };
              if (act->has_inlet)
                SATIN_SPAWN_INLET (&results[n], hear, &hearings[n], job, task, best, act->number,
                                   spawned[n], act->n);
              else
                SATIN_SPAWN (&results[n], job, task, best, act->number, spawned[n], act->n);
              n++;
            }
        }
      event = (RemoteEvent){ .kind = REMOTE_ANSWER, .task = (guint32)task, .number = number };
      event.question = question.kind;
      if (question.kind == REMOTE_DONE)
        return question.value;
      if (question.kind == REMOTE_POLL)
        satin_poll ();
      else if (question.kind == REMOTE_IS_ABORTED)
        event.is_right = satin_is_aborted ();
      else if (question.kind == REMOTE_EXPAND)
        {
          satin_charge (EXPAND_NS);
          event.n = instance_expand (&instance, question.cities, question.n, event.children);
        }
      else if (question.kind == REMOTE_SYNC)
        {
          event.is_right = SATIN_SYNC ();
          event.n = n;
          memcpy (event.results, results, sizeof results);
          n = 0;
        }
    }
}

static void
read_arguments (const char *const *argv, gsize n_argv)
{
  const struct timeval most = { .tv_sec = 60 };
  end_if (n_argv < 4 || n_argv > MOST_NODES + 3, "usage: world KIND SEED model|FD...");
  instance_choose (&instance, atoi (argv[2]), (InstanceKind)atoi (argv[1]));
  for (gsize i = 3; i < n_argv && strcmp (argv[i], "model") != 0; i++)
    {
      int fd = channels[n_channels++] = atoi (argv[i]);
      setsockopt (fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    }
}

SATIN_TASK (start, (int), (array_string, argv))
{
  static const gint32 first[N_CITIES];
  gint64 answer, right;
  read_arguments (argv, n_argv);
  if (instance.limit < 0)
    SATIN_SPAWN (&answer, job, REMOTE_SHORTEST,
                 SATIN_NEW (satin_minimum, "best", G_MAXINT64, NULL, 0), 0, first, 1);
  else
    SATIN_SPAWN (&answer, job, REMOTE_IS_THERE, 0, instance.limit, first, 1);
  SATIN_SYNC_OR_RETURN (1);
  right = instance.limit < 0 ? instance.optimum : instance.limit >= instance.optimum;
  const gint64 figures[] = { instance.number,
                             instance.limit,
                             answer,
                             right,
                             instance.n_expanded,
                             instance.n_after,
                             instance_count_missing (&instance) };
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    g_print ("%" G_GINT64_FORMAT "%c", figures[i], i + 1 < G_N_ELEMENTS (figures) ? ' ' : '\n');
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
