/* order.h - which variable to decide next: the one that conflicts had most to do with lately
 *
 * Each variable has an activity, which grows when a conflict is about it, by more the later that is
 * (so the older ones count less). A heap has those that are not assigned; of equal ones the
 * one of the lower number comes first, so that the order is the same each time.
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
 * @increment: what the next conflict adds
 * @heap: (owned) (array length=n_heap): the most active one first
 * @position: (owned) (array length=n_variables): in the heap, or -1
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

/* All variables are in it, and equal. */
void order_init (Order *self, guint n_variables);
void order_done (Order *self);

/* Adds the increment, times @share, to the activity of @variable. */
void order_bump (Order *self, Variable variable, double share);

/* After a conflict: what was added until now counts less. */
void order_decay (Order *self);

/* Puts @variable in, unless it is. */
void order_insert (Order *self, Variable variable);

/* Takes the most active variable out. Returns: %FALSE when there is none */
gboolean order_take (Order *self, Variable *ret_variable);

/* Whether @a is decided before @b. */
gboolean order_is_before (const Order *self, Variable a, Variable b);
