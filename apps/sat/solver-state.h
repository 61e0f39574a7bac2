/* solver-state.h - what the parts of the solver share
 *
 *   solver.c      the search: decide, restart, give up
 *   clauses.c     where clauses lie, and who watches them
 *   trail.c       what is assigned: draws conclusions, takes them back
 *   learn.c       from a conflict to a clause
 *   reduce.c      forgets learned clauses
 *   share.c       tells others, and is told
 *
 * A decision begins a level; level 0 is what follows from the formula alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "formula/literal.h"
#include "order.h"
#include "solver.h"

/* Where a clause lies among the words of all clauses. */
typedef guint32 ClauseAt;

/* No clause lies there. */
#define CLAUSE_NONE 0

/**
 * ClauseHead:
 * @n_literals: 2 or more
 * @n_levels: of a learned one, on how many levels its literals were: the fewer the better
 * @is_learned: it may be forgotten
 * @is_used: a conflict had to do with it since others were forgotten
 * @is_gone: it is about to be forgotten
 * @is_told: solver_export_new() has told it
 * @literals: (array length=n_literals): the first two are watched; of a reason, the first one is
 *   what follows
 */
typedef struct
{
  guint32 n_literals;
  guint32 n_levels : 28;
  guint32 is_learned : 1;
  guint32 is_used : 1;
  guint32 is_gone : 1;
  guint32 is_told : 1;
  Literal literals[];
} ClauseHead;

/* A clause has to be looked at when a literal becomes false, unless @other is true. */
typedef struct
{
  ClauseAt clause;
  Literal other; /* of the same clause */
} Watch;

/* @items: (owned) (array length=n) */
typedef struct
{
  Watch *items;
  guint n;
  guint n_allocated;
} WatchList;

/* Where in Luby's sequence, 1, 1, 2, 1, 1, 2, 4, 1, ..., it is: at @v. */
typedef struct
{
  guint64 u, v;
} Luby;

/* What learn.c knows of a variable while it works. */
typedef enum
{
  MARK_NONE,
  MARK_IN_CLAUSE, /* its literal is in the clause */
  MARK_IMPLIED,   /* its literal follows from others in the clause */
  MARK_FREE,      /* it does not */
} Mark;

/**
 * Solver:
 * @words: (owned): all clauses, from word 1; of guint32
 * @originals: (owned): of ClauseAt, in the order in which they came
 * @learned: (owned): likewise
 * @watches: (owned) (array length=2*n_variables): of each literal, the clauses that watch it
 * @values: (owned) (array length=2*n_variables): of each literal: 1 true, -1 false, 0 unassigned
 * @levels: (owned) (array length=n_variables): of an assigned variable
 * @reasons: (owned) (array length=n_variables): the clause that it follows from, or CLAUSE_NONE
 * @phases: (owned) (array length=n_variables): whether it was false when it was assigned last
 * @trail: (owned) (array length=n_trail): the literals that are true, the oldest first
 * @n_drawn: from so many of them conclusions were drawn
 * @level_begins: (owned): of guint, where on the trail each level from 1 begins
 * @order: who is decided next
 * @is_refuted: the formula has no model
 * @n_until_restart: conflicts until the search starts again
 * @luby: how many it had then
 * @marks: (owned) (array length=n_variables): of Mark
 * @marked: (owned): of Variable, those whose mark is not MARK_NONE
 * @level_stamps: (owned) (array length=n_variables+1): the last @stamp that a level was met with
 * @clause: (owned): of Literal, what is being learned or added
 * @n_units_told: literals of level 0 that solver_export_new() has told
 * @n_until_reduce: conflicts until clauses are forgotten
 * @n_reduced: how often they were
 */
struct _Solver
{
  guint n_variables;
  GArray *words;
  GArray *originals;
  GArray *learned;
  WatchList *watches;
  gint8 *values;
  guint *levels;
  ClauseAt *reasons;
  guint8 *phases;
  Literal *trail;
  guint n_trail;
  guint n_drawn;
  GArray *level_begins;
  Order order;
  gboolean is_refuted;
  gint64 n_conflicts;
  gint64 n_until_restart;
  Luby luby;

  guint8 *marks;
  GArray *marked;
  guint64 *level_stamps;
  guint64 stamp;
  GArray *clause;

  guint n_units_told;
  gint64 n_until_reduce;
  guint n_reduced;
};

/* ---- clauses.c ---- */

/* Valid until a clause is added. */
static inline ClauseHead *
solver_clause (const Solver *self, ClauseAt at)
{
  return (ClauseHead *)(gpointer)(self->words->data + (gsize)at * sizeof (guint32));
}

static inline void
solver_watch (Solver *self, Literal literal, ClauseAt clause, Literal other)
{
  WatchList *list = &self->watches[literal];

  if (list->n == list->n_allocated)
    {
      list->n_allocated = MAX (4, 2 * list->n_allocated);
      list->items = g_renew (Watch, list->items, list->n_allocated);
    }
  list->items[list->n++] = (Watch){ clause, other };
}

/* Adds a clause of two or more literals, of which the first two may become false last. */
ClauseAt solver_add (Solver *self, const Literal *literals, guint n_literals, gboolean is_learned,
                     guint n_levels);

/* On level 0: adds what is left of a clause there, which may be nothing; a literal may stand
 * there twice. */
void solver_add_numbers (Solver *self, const Clause *numbers, gboolean is_learned);

/* On level 0: makes room of what is gone, or holds anyhow, and shortens the others. */
void solver_collect (Solver *self);

/* ---- trail.c ---- */

static inline guint
solver_get_level (const Solver *self)
{
  return self->level_begins->len;
}

/* Makes @literal true because of @reason, on the present level. */
void solver_assign (Solver *self, Literal literal, ClauseAt reason);

/* Begins a level with @literal. */
void solver_decide (Solver *self, Literal literal);

/* Takes back all levels above @level. */
void solver_go_back (Solver *self, guint level);

/* Draws all conclusions. Returns: a clause of which no literal holds, or CLAUSE_NONE */
ClauseAt solver_propagate (Solver *self);

/* ---- learn.c ---- */

/* Above level 0: learns from @conflict, goes back, and draws the first conclusion of the new
 * clause. */
void solver_learn (Solver *self, ClauseAt conflict);

/* ---- reduce.c ---- */

void solver_schedule_reduce (Solver *self);

/* On level 0: forgets half of the clauses that were of no use lately. */
void solver_reduce (Solver *self);
