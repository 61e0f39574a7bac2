/* order.c - keeps the activities of variables, and a binary heap ordered by them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "order.h"

#define DECAY 0.95

/* When an activity exceeds this, all activities are scaled down. */
#define MAX_ACTIVITY 1e100

void
order_init (Order *self, guint n_variables)
{
  *self = (Order){ .activity = g_new0 (double, n_variables),
                   .increment = 1,
                   .heap = g_new (Variable, n_variables),
                   .position = g_new (gint32, n_variables),
                   .n_heap = n_variables,
                   .n_variables = n_variables };
  for (Variable variable = 0; variable < n_variables; variable++)
    {
      self->heap[variable] = variable;
      self->position[variable] = (gint32)variable;
    }
}

void
order_done (Order *self)
{
  g_free (self->activity);
  g_free (self->heap);
  g_free (self->position);
}

gboolean
order_is_before (const Order *self, Variable a, Variable b)
{
  if (self->activity[a] > self->activity[b])
    return TRUE;
  return !(self->activity[a] < self->activity[b]) && a < b;
}

static void
put (Order *self, guint at, Variable variable)
{
  self->heap[at] = variable;
  self->position[variable] = (gint32)at;
}

static void
move_up (Order *self, guint at)
{
  Variable variable = self->heap[at];

  while (at > 0 && order_is_before (self, variable, self->heap[(at - 1) / 2]))
    {
      put (self, at, self->heap[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
  put (self, at, variable);
}

static void
move_down (Order *self, guint at)
{
  Variable variable = self->heap[at];

  for (guint child; (child = 2 * at + 1) < self->n_heap; at = child)
    {
      if (child + 1 < self->n_heap
          && order_is_before (self, self->heap[child + 1], self->heap[child]))
        child++;
      if (!order_is_before (self, self->heap[child], variable))
        break;
      put (self, at, self->heap[child]);
    }
  put (self, at, variable);
}

static void
rescale (Order *self)
{
  for (guint i = 0; i < self->n_variables; i++)
    self->activity[i] /= MAX_ACTIVITY;
  self->increment /= MAX_ACTIVITY;
}

void
order_bump (Order *self, Variable variable, double share)
{
  self->activity[variable] += self->increment * share;
  if (self->activity[variable] > MAX_ACTIVITY)
    rescale (self);
  if (self->position[variable] >= 0)
    move_up (self, (guint)self->position[variable]);
}

void
order_decay (Order *self)
{
  self->increment /= DECAY;
}

void
order_insert (Order *self, Variable variable)
{
  if (self->position[variable] >= 0)
    return;
  put (self, self->n_heap, variable);
  move_up (self, self->n_heap++);
}

gboolean
order_take (Order *self, Variable *ret_variable)
{
  if (self->n_heap == 0)
    return FALSE;
  *ret_variable = self->heap[0];
  self->position[self->heap[0]] = -1;
  self->n_heap--;
  if (self->n_heap > 0)
    {
      put (self, 0, self->heap[self->n_heap]);
      move_down (self, 0);
    }
  return TRUE;
}
