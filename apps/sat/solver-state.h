/* solver-state.h - the state that the parts of the solver share
 *
 *   solver.c      the search: decides, restarts, gives up
 *   clauses.c     stores clauses and keeps watch lists
 *   trail.c       assigns, propagates, goes back
 *   learn.c       derives a clause from a conflict
 *   reduce.c      forgets learned clauses
 *   share.c       exports and imports learned clauses
 *
 * A decision begins a new level. Level 0 holds the literals that follow from the formula alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "formula/literal.h"
#include "order.h"
#include "solver.h"

/* A clause, named by the index of its first word in #Solver.words. */
typedef guint32 ClauseAt;

/* No clause. */
#define CLAUSE_NONE 0

/**
 * ClauseHead:
 * @n_literals: 2 or more
 * @n_levels: of a learned clause: on how many different levels its literals were, each time that
 *   the clause was learned or a conflict needed it; the smallest of these numbers. An imported
 *   clause begins with its number of literals. Fewer levels are better
 * @is_learned: the clause may be forgotten
 * @is_used: the clause was learned, or a conflict needed it, since clauses were last forgotten
 * @is_gone: the next solver_collect() removes the clause
 * @is_told: solver_export_new() has exported the clause
 * @literals: (array length=n_literals): the first two are watched; if the clause is the reason of a
 *   literal, that literal is the first
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

/* An element of a literal's watch list: when the literal becomes false, @clause must be visited,
 * unless @other is true. */
typedef struct
{
  ClauseAt clause;
  Literal other; /* another literal of the clause */
} Watch;

/* @items: (owned) (array length=n) */
typedef struct
{
  Watch *items;
  guint n;
  guint n_allocated;
} WatchList;

/* A position in Luby's sequence, 1, 1, 2, 1, 1, 2, 4, 1, ...; @v is the current number. */
typedef struct
{
  guint64 u, v;
} Luby;

/* Marks of a variable, which learn.c sets while it derives a clause. */
typedef enum
{
  MARK_NONE,
  MARK_IN_CLAUSE, /* its literal is in the derived clause, or a reason has replaced it there */
  MARK_IMPLIED,   /* its literal follows from literals of the derived clause */
  MARK_FREE,      /* its literal was not shown to follow from literals of the derived clause */
} Mark;

/**
 * Solver:
 * @words: (owned): of guint32: all clauses, one after the other; word 0 is unused
 * @originals: (owned): of ClauseAt: the clauses of the formula, in order of adding
 * @learned: (owned): of ClauseAt: the learned clauses, in order of adding
 * @watches: (owned) (array length=2*n_variables): for each literal the clauses that watch it
 * @values: (owned) (array length=2*n_variables): for each literal: 1 true, -1 false, 0 unassigned
 * @levels: (owned) (array length=n_variables): the level of an assigned variable
 * @reasons: (owned) (array length=n_variables): the clause that implied the variable, or
 *   CLAUSE_NONE
 * @phases: (owned) (array length=n_variables): whether the variable was false when last assigned
 * @trail: (owned) (array length=n_trail): the literals that are true, the oldest first
 * @n_drawn: how many literals of the trail have been propagated
 * @level_begins: (owned): of guint: index on the trail where each level from 1 on begins
 * @order: the variables by activity
 * @is_refuted: the search has found that the formula has no model
 * @n_until_restart: conflicts until the next restart
 * @luby: its @v gives the length of the current interval between restarts
 * @marks: (owned) (array length=n_variables): of Mark
 * @marked: (owned): of Variable: the variables whose mark is not MARK_NONE
 * @level_stamps: (owned) (array length=n_variables+1): for each level, the @stamp of the last count
 *   of levels that met it
 * @stamp: number of the last count of levels (learn.c)
 * @clause: (owned): of Literal: the clause that is being learned or added
 * @n_units_told: how many literals of level 0 solver_export_new() has exported
 * @n_until_reduce: conflicts until clauses are forgotten
 * @n_reduced: how often clauses have been forgotten
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

/* Returns: the clause @at; the pointer is valid until a clause is added */
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

/* Adds a clause of two or more literals, and watches the first two. If one of these two is false,
 * all literals from the third on must be false, too. */
ClauseAt solver_add (Solver *self, const Literal *literals, guint n_literals, gboolean is_learned,
                     guint n_levels);

/* Adds a clause, without the literals that are false on level 0. If one literal is left, assigns
 * it. If none is left, the formula is refuted. Does not add a clause that is always true. @numbers
 * may contain a literal more than once. Call it on level 0. */
void solver_add_numbers (Solver *self, const Clause *numbers, gboolean is_learned);

/* Frees the space of clauses that were forgotten or are true for ever, and removes literals that
 * are false for ever from the rest. Call it on level 0. */
void solver_collect (Solver *self);

/* ---- trail.c ---- */

static inline guint
solver_get_level (const Solver *self)
{
  return self->level_begins->len;
}

/* Makes @literal true on the current level. @reason: the clause that implies it, or CLAUSE_NONE */
void solver_assign (Solver *self, Literal literal, ClauseAt reason);

/* Begins a new level with the decision @literal. */
void solver_decide (Solver *self, Literal literal);

/* Undoes all levels above @level. */
void solver_go_back (Solver *self, guint level);

/* Assigns all literals that the clauses imply, until no clause implies more or there is a conflict.
 * Returns: the conflict, which is a clause whose literals are all false, or CLAUSE_NONE */
ClauseAt solver_propagate (Solver *self);

/* ---- learn.c ---- */

/* Learns a clause from the clause @conflict, goes back to an older level, and assigns the literal
 * that the new clause implies there. Call it above level 0. */
void solver_learn (Solver *self, ClauseAt conflict);

/* ---- reduce.c ---- */

void solver_schedule_reduce (Solver *self);

/* Forgets half of the learned clauses that no recent conflict needed, but none with few levels.
 * Call it on level 0. */
void solver_reduce (Solver *self);
