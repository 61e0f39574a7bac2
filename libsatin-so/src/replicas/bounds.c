/* bounds.c - tells the run when this node has found a better shared minimum or maximum
 *
 * The page of the run draws how the bound improves over time. At most one value of an object is
 * told in TELL_US. If the value has improved again meanwhile, the best value is told at the end of
 * that time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/base/run.h>
#include <satin/so/bound.h>

#define TELL_US ((gint64)100000)
/* The most objects whose values are told. */
#define MAX_BOUNDS 64

/* A minimum or maximum that this node has improved. */
struct _ReplicasBound
{
  SatinReplicas *replicas; /* (borrowed) */
  SatinObject id;
  gboolean is_minimum;
  gint64 value;
  SatinTimerId timer; /* until another value may be told */
  gboolean is_new;    /* @value has not been told */
};

static void tell (ReplicasBound *self);

static void
on_time (gpointer user_data)
{
  ReplicasBound *self = user_data;
  self->timer = 0;
  if (self->is_new)
    tell (self);
}

static void
tell (ReplicasBound *self)
{
  SatinReplicas *replicas = self->replicas;
  const SatinEventValue values[] = {
    { "value", self->value },
    { "is_minimum", self->is_minimum },
    { "object", self->id },
  };
  self->is_new = FALSE;
  self->timer = satin_loop_timer_add (replicas->loop, TELL_US, on_time, self);
  satin_run_tell (replicas->run, SATIN_EVENT_BOUND, self->is_minimum ? "minimum" : "maximum",
                  values, G_N_ELEMENTS (values));
}

void
replicas_bound_free (gpointer data)
{
  ReplicasBound *self = data;
  satin_loop_timer_cancel (self->replicas->loop, &self->timer);
  g_free (self);
}

/* Returns: (nullable): NULL if there are too many */
static ReplicasBound *
find_or_add (SatinReplicas *self, SatinObject id, gboolean is_minimum, gint64 value)
{
  for (guint i = 0; i < self->bounds->len; i++)
    {
      ReplicasBound *bound = self->bounds->pdata[i];
      if (bound->id == id)
        return bound;
    }
  if (self->bounds->len >= MAX_BOUNDS)
    return NULL;
  ReplicasBound *bound = g_new0 (ReplicasBound, 1);
  *bound = (ReplicasBound){ self, id, is_minimum, .value = value, .is_new = TRUE };
  g_ptr_array_add (self->bounds, bound);
  return bound;
}

void
replicas_note_bound (SatinReplicas *self, const SatinUpdate *update)
{
  gboolean is_minimum = update->method == &satin_minimum_improve_method;
  SatinBound args;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (update->args, &n_bytes);
  if (self->run == NULL || (!is_minimum && update->method != &satin_maximum_improve_method)
      || !satin_record_decode (&SatinBound_record, bytes, n_bytes, &args, NULL))
    return;
  gint64 value = args.value;
  satin_record_clear (&SatinBound_record, &args);
  ReplicasBound *bound = find_or_add (self, update->id, is_minimum, value);
  if (bound == NULL)
    return;
  bound->is_new |= is_minimum ? value < bound->value : value > bound->value;
  bound->value = is_minimum ? MIN (bound->value, value) : MAX (bound->value, value);
  if (bound->is_new && bound->timer == 0)
    tell (bound);
}

void
satin_replicas_set_run (SatinReplicas *self, SatinRun *run)
{
  g_return_if_fail (self != NULL);
  self->run = run;
}
