/* order.h - chooses the next variable to decide: the one that took part in most recent conflicts
 *
 * Each variable has an activity. It grows with each conflict that the variable takes part in. The
 * increment grows with time, so older conflicts count less. A heap holds the variables that are not
 * assigned. Of variables with equal activity the one with the lower number comes first, so that the
 * order is always the same.
 *
 * Source: Moskewicz et al., "Chaff: Engineering an Efficient SAT Solver", DAC 2001; the growing
 * increment is that of MiniSat.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "formula/literal.h"

/**
 * Order:
 * @activity: (owned) (array length=n_variables)
 * @increment: how much the next conflict adds
 * @heap: (owned) (array length=n_heap): the most active variable first
 * @position: (owned) (array length=n_variables): index in the heap, -1 if the variable is not in it
 */
typedef struct
{
  double *activity;
  double increment;
  Variable *heap;
  gint32 *position;
  guint n_heap;
  guint n_variables;
} Order;

/* All variables are in the heap at first, with equal activity. */
void order_init (Order *self, guint n_variables);
void order_done (Order *self);

/* Adds the increment, times @share, to the activity of @variable. */
void order_bump (Order *self, Variable variable, double share);

/* Makes all increments so far count less. Call it after each conflict. */
void order_decay (Order *self);

/* Puts @variable into the heap, unless it is there. */
void order_insert (Order *self, Variable variable);

/* Takes the most active variable out of the heap. Returns: %FALSE when the heap is empty */
gboolean order_take (Order *self, Variable *ret_variable);

/* Whether @a is decided before @b. */
gboolean order_is_before (const Order *self, Variable a, Variable b);
