/* order.h - chooses the next variable to decide: the variable with the highest activity
 *
 * Each conflict adds an increment to the activities of the variables that take part in it. The
 * increment grows after each conflict, so older conflicts count less. A heap holds all variables
 * that are not assigned, and perhaps others. If two variables have equal activity, the variable
 * with the lower number comes first, so that the order is always the same.
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
 * @position: (owned) (array length=n_variables): each variable's index in the heap; -1: not there
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

/* Puts all variables into the heap, with activity 0. */
void order_init (Order *self, guint n_variables);
void order_done (Order *self);

/* Adds the increment, times @share, to the activity of @variable. */
void order_bump (Order *self, Variable variable, double share);

/* Lets all conflicts so far count less than the next: makes the increment larger. Call it after
 * each conflict. */
void order_decay (Order *self);

/* Puts @variable into the heap, unless it is there. */
void order_insert (Order *self, Variable variable);

/* Takes the most active variable out of the heap. Returns: %FALSE when the heap is empty */
gboolean order_take (Order *self, Variable *ret_variable);

/* Whether the variable @a is to be decided before the variable @b. */
gboolean order_is_before (const Order *self, Variable a, Variable b);
