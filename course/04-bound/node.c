/* node.c - the process of one simulated node: turns what a student's job does into messages
 *
 * This file is in one library with the student's program, which may change what it does. So world.c
 * believes no message: it checks and counts itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "remote.h"

#include <satin/so.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  gpointer result; /* where the result goes */
  RemoteInlet inlet;
  gpointer frame;
  RemoteTask task;
} Spawned;

struct _RemoteJob
{
  Spawned children[MOST_CHILDREN]; /* since the last sync */
  guint n_children;
};

static int channel;
static RemoteQuestion next; /* the next message: its acts are what jobs have done already */
static satin_minimum_state known;
static gboolean is_known_old; /* a job has spawned since the simulator told the value */

/* ---- events ---- */

static void
send_question (RemoteQuestionKind kind)
{
  next.kind = kind;
  gsize n_bytes = G_STRUCT_OFFSET (RemoteQuestion, acts) + next.n_acts * sizeof (RemoteAct);
  if (write (channel, &next, n_bytes) != (ssize_t)n_bytes)
    _exit (1);
  next.n_acts = 0;
}

static void
store_result (const Spawned *child, gint64 result)
{
  if (child->task == REMOTE_SHORTEST)
    *(gint64 *)child->result = result;
  else
    *(gboolean *)child->result = (gboolean)result;
}

static void
run (const RemoteEvent *event)
{
  RemoteJob job = { .n_children = 0 };
  gint32 cities[N_CITIES];
  memcpy (cities, event->cities, sizeof cities);
  gint64 value = event->task == REMOTE_SHORTEST
                     ? remote_run_shortest (&job, 1, event->number, cities, event->n)
                     : remote_run_is_there (&job, event->number, cities, event->n);
  next.value = value;
  send_question (REMOTE_DONE);
}

static void
hear (const RemoteEvent *event)
{
  const RemoteJob *job = GSIZE_TO_POINTER (event->parent);
  const Spawned *child = &job->children[event->child];
  GError *error = NULL;
  if (event->is_right)
    store_result (child, event->number);
  child->inlet (child->frame, event->is_right ? child->result : NULL, &error);
  send_question (REMOTE_DONE);
}

/* Deals with events until the answer to the newest question comes. */
static void
wait_for_answer (RemoteEvent *ret_answer)
{
  for (;;)
    {
      if (read (channel, ret_answer, sizeof *ret_answer) != sizeof *ret_answer)
        _exit (0);
      known.value = ret_answer->best;
      is_known_old = FALSE;
      if (ret_answer->kind == REMOTE_RUN)
        run (ret_answer);
      else if (ret_answer->kind == REMOTE_HEAR)
        hear (ret_answer);
      else
        return;
    }
}

static void
ask (RemoteQuestionKind kind, RemoteEvent *ret_answer)
{
  send_question (kind);
  wait_for_answer (ret_answer);
}

/* ---- what a job does ---- */

static RemoteAct *
add_act (RemoteActKind kind)
{
  if (next.n_acts == MOST_ACTS)
    {
      RemoteEvent answer;
      ask (REMOTE_LOOK, &answer);
    }
  RemoteAct *act = &next.acts[next.n_acts++];
  *act = (RemoteAct){ .kind = kind };
  return act;
}

static void
spawn (RemoteJob *job, Spawned child, gint64 number, const gint32 *cities, gsize n_cities)
{
  if (job->n_children == MOST_CHILDREN)
    _exit (REMOTE_MANY_CHILDREN);
  RemoteAct *act = add_act (REMOTE_SPAWN);
  act->task = child.task;
  act->number = number;
  act->parent = GPOINTER_TO_SIZE (job);
  act->has_inlet = child.inlet != NULL;
  act->n = (guint32)n_cities;
  memcpy (act->cities, cities, MIN (n_cities, N_CITIES) * sizeof *cities);
  job->children[job->n_children++] = child;
  is_known_old = TRUE;
}

void
remote_spawn_shortest (RemoteJob *job, gint64 *ret_length, RemoteInlet inlet, gpointer frame,
                       int instance, SatinObject best, gint64 bound, const gint32 *cities,
                       gsize n_cities)
{
  Spawned child = { ret_length, inlet, frame, REMOTE_SHORTEST };
  spawn (job, child, bound, cities, n_cities);
}

void
remote_spawn_is_there (RemoteJob *job, gboolean *ret_is_there, RemoteInlet inlet, gpointer frame,
                       int instance, gint64 limit, const gint32 *cities, gsize n_cities)
{
  Spawned child = { ret_is_there, inlet, frame, REMOTE_IS_THERE };
  spawn (job, child, limit, cities, n_cities);
}

gboolean
remote_sync (RemoteJob *job)
{
  RemoteEvent answer;
  ask (REMOTE_SYNC, &answer);
  for (guint i = 0; i < job->n_children && answer.is_right; i++)
    store_result (&job->children[i], answer.results[i]);
  job->n_children = 0;
  return (gboolean)answer.is_right;
}

const satin_minimum_state *
remote_read_satin_minimum (SatinObject best)
{
  RemoteEvent answer;
  if (is_known_old)
    ask (REMOTE_LOOK, &answer);
  return &known;
}

void
remote_update_satin_minimum_improve (SatinObject best, gint64 value, const void *witness,
                                     gsize n_witness)
{
  add_act (REMOTE_UPDATE)->number = value;
}

void
remote_abort (void)
{
  add_act (REMOTE_ABORT);
}

void
remote_poll (void)
{
  RemoteEvent answer;
  ask (REMOTE_POLL, &answer);
}

gboolean
remote_is_aborted (void)
{
  RemoteEvent answer;
  ask (REMOTE_IS_ABORTED, &answer);
  return (gboolean)answer.is_right;
}

guint
tour_expand (int instance, const gint32 *cities, gsize n_cities, Child *ret_children)
{
  RemoteEvent answer;
  next.n = (guint32)n_cities;
  memcpy (next.cities, cities, MIN (n_cities, N_CITIES) * sizeof *cities);
  ask (REMOTE_EXPAND, &answer);
  memcpy (ret_children, answer.children, answer.n * sizeof *ret_children);
  return answer.n;
}

gint64
tour_n_expanded (void)
{
  return 0;
}

/* Called by host.c in the process of a node. Returns: never */
void
remote_serve (int fd)
{
  RemoteEvent answer;
  channel = fd;
  wait_for_answer (&answer);
}
