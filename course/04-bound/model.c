/* model.c - a good program as a function: what it does next follows from the last event alone
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "model.h"

#include <stdlib.h>
#include <string.h>

static int
compare_downwards (const void *one, const void *other)
{
  const Child *a = one, *b = other;
  return (a->bound < b->bound) - (a->bound > b->bound);
}

static void
finish (RemoteQuestion *question, gint64 value)
{
  question->kind = REMOTE_DONE;
  question->value = value;
}

static void
decide_leaf (const RemoteEvent *event, RemoteQuestion *question)
{
  gint64 length = event->children[0].bound;
  gboolean is_shortest = event->task == REMOTE_SHORTEST;
  if (is_shortest)
    question->acts[question->n_acts++] = (RemoteAct){ .kind = REMOTE_UPDATE, .number = length };
  finish (question, is_shortest ? length : length <= event->number);
}

/* The worker runs its newest job first, so the best child comes last. */
static void
decide_children (const RemoteEvent *event, RemoteQuestion *question)
{
  Child children[N_CITIES];
  guint n_cities = N_CITIES - event->n + 1;
  gboolean is_shortest = event->task == REMOTE_SHORTEST;
  memcpy (children, event->children, event->n * sizeof *children);
  qsort (children, event->n, sizeof *children, compare_downwards);
  for (guint i = 0; i < event->n; i++)
    {
      gint64 bound = children[i].bound;
      if (bound > (is_shortest ? event->best : event->number))
        continue;
      RemoteAct *act = &question->acts[question->n_acts++];
      *act = (RemoteAct){ .kind = REMOTE_SPAWN, .task = event->task, .n = n_cities };
      act->number = is_shortest ? bound : event->number;
      act->has_inlet = !is_shortest;
      memcpy (act->cities, children[i].cities, sizeof act->cities);
    }
  question->kind = REMOTE_SYNC;
}

/* After a sync: the best of the results. */
static void
decide_result (const RemoteEvent *event, RemoteQuestion *question)
{
  gboolean is_shortest = event->task == REMOTE_SHORTEST;
  gint64 value = is_shortest ? G_MAXINT64 : FALSE;
  for (guint i = 0; i < event->n; i++)
    value = is_shortest ? MIN (value, event->results[i]) : value || event->results[i];
  finish (question, value);
}

void
model_decide (const RemoteEvent *event, RemoteQuestion *ret_question)
{
  *ret_question = (RemoteQuestion){ .kind = REMOTE_EXPAND };
  if (event->kind == REMOTE_HEAR)
    {
      if (event->number)
        ret_question->acts[ret_question->n_acts++] = (RemoteAct){ .kind = REMOTE_ABORT };
      finish (ret_question, 0);
    }
  else if (event->kind == REMOTE_RUN)
    {
      if (event->task == REMOTE_SHORTEST && event->number > event->best)
        finish (ret_question, G_MAXINT64);
      ret_question->n = event->n;
      memcpy (ret_question->cities, event->cities, sizeof ret_question->cities);
    }
  else if (event->question == REMOTE_SYNC)
    decide_result (event, ret_question);
  else if (event->n == 1)
    decide_leaf (event, ret_question);
  else
    decide_children (event, ret_question);
}
