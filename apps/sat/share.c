/* share.c - exports learned clauses for other searches, and imports clauses of other searches
 *
 * The literals of a cube are decisions, not clauses. So learned clauses follow from the formula
 * alone, and so do the literals that are assigned on level 0.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "solver-state.h"

/* An imported clause adds this much activity, divided equally among its variables, if the search
 * has had no conflict yet. For comparison: a conflict adds 1 to each of its variables. */
#define TOLD 1.0

static void
append (GArray *out, Literal literal)
{
  gint32 number = literal_to_number (literal);
  g_array_append_val (out, number);
}

static void
append_end (GArray *out)
{
  const gint32 end = 0;
  g_array_append_val (out, end);
}

static void
append_clause (GArray *out, const ClauseHead *head)
{
  for (guint i = 0; i < head->n_literals; i++)
    append (out, head->literals[i]);
  append_end (out);
}

/* Returns: the number of literals that are assigned on level 0 */
static guint
count_units (const Solver *self)
{
  return solver_get_level (self) > 0 ? g_array_index (self->level_begins, guint, 0) : self->n_trail;
}

static void
export_units (const Solver *self, gsize max_literals, GArray *out)
{
  guint n = count_units (self);

  for (guint i = 0; i < n && out->len + 2 <= max_literals; i++)
    {
      append (out, self->trail[i]);
      append_end (out);
    }
}

static void
export_of_length (const Solver *self, gsize length, gsize max_literals, GArray *out)
{
  for (guint i = 0; i < self->learned->len && out->len + length + 1 <= max_literals; i++)
    {
      const ClauseHead *head = solver_clause (self, g_array_index (self->learned, ClauseAt, i));
      if (head->n_literals == length)
        append_clause (out, head);
    }
}

GArray *
solver_export (const Solver *self, gsize max_length, gsize max_literals)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (gint32));

  if (max_length > 0)
    export_units (self, max_literals, out);
  for (gsize length = 2; length <= max_length; length++)
    export_of_length (self, length, max_literals, out);
  return out;
}

GArray *
solver_export_new (Solver *self, gsize max_length)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (gint32));
  guint n_units = max_length > 0 ? count_units (self) : 0;

  for (; self->n_units_told < n_units; self->n_units_told++)
    {
      append (out, self->trail[self->n_units_told]);
      append_end (out);
    }
  for (guint i = 0; i < self->learned->len; i++)
    {
      ClauseHead *head = solver_clause (self, g_array_index (self->learned, ClauseAt, i));
      if (head->is_told || head->n_literals > max_length)
        continue;
      head->is_told = TRUE;
      append_clause (out, head);
    }
  return out;
}

void
solver_import (Solver *self, const gint32 *literals, gsize n_literals)
{
  gboolean is_under_way = self->n_conflicts > 0;
  Clause clause;
  gsize at = 0;

  solver_go_back (self, 0);
  while (formula_next (literals, n_literals, &at, &clause))
    {
      solver_add_numbers (self, &clause, TRUE);
      for (gsize i = 0; !is_under_way && i < clause.n_literals; i++)
        order_bump (&self->order, literal_variable (literal_from_number (clause.literals[i])),
                    TOLD / (double)clause.n_literals);
    }
}
