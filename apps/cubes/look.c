/* look.c - looks ahead: which literal divides a cube of a formula into two halves that are easier
 *
 * Each clause has two counters: how many of its literals are true, and how many have no value. So a
 * look knows the lengths of all clauses at any time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "look.h"

#include <string.h>

#include "../common/formula/literal.h"

/* The weight of a clause that has become a clause of 2 literals. Each further literal divides the
 * weight by 5. Clauses of MAX_LENGTH or more literals have no weight. */
#define WEIGHT_OF_TWO 3125.0
#define MAX_LENGTH    8

/* The product of both measures counts this much more than their sum. */
#define PRODUCT 1024.0

/**
 * Look:
 * @formula: (borrowed)
 * @begins: (owned) (array length=n_clauses): where each clause begins in the formula
 * @n_true: (owned) (array length=n_clauses): number of literals that are true
 * @n_free: (owned) (array length=n_clauses): number of literals without a value
 * @occurrences: (owned): for each literal the clauses that it is in
 * @occurrence_begins: (owned): for each literal where its clauses begin in @occurrences
 * @values: (owned): for each literal 1 if it is true, -1 if it is false, 0 if it has no value
 * @trail: (owned) (array length=n_trail): the literals that are true
 * @n_done: number of literals of @trail that were propagated; the counters include them
 * @weight: sum over the clauses that were shortened since it was set to 0
 * @weights: for each number of literals, the weight of a clause that has become so short
 */
struct _Look
{
  Formula formula;
  guint n_clauses;
  guint32 *begins;
  guint32 *n_true;
  guint32 *n_free;
  guint32 *occurrences;
  guint32 *occurrence_begins;
  gint8 *values;
  Literal *trail;
  guint n_trail;
  guint n_done;
  double weight;
  double weights[MAX_LENGTH];
};

/* ---- the formula ---- */

static void
count_occurrences (Look *self)
{
  Clause clause;
  guint i = 0;

  for (gsize at = 0, begin = 0;
       formula_next (self->formula.literals, self->formula.n_literals, &at, &clause); begin = at)
    {
      self->begins[i] = (guint32)begin;
      self->n_free[i++] = (guint32)clause.n_literals;
      for (gsize k = 0; k < clause.n_literals; k++)
        self->occurrence_begins[literal_from_number (clause.literals[k]) + 1]++;
    }
}

static void
fill_occurrences (Look *self)
{
  gsize n_literals = 2 * (gsize)self->formula.n_variables;
  g_autofree guint32 *next = g_new (guint32, n_literals + 1);

  for (gsize i = 1; i <= n_literals; i++)
    self->occurrence_begins[i] += self->occurrence_begins[i - 1];
  memcpy (next, self->occurrence_begins, (n_literals + 1) * sizeof *next);
  for (guint i = 0; i < self->n_clauses; i++)
    for (const gint32 *at = self->formula.literals + self->begins[i]; *at != 0; at++)
      self->occurrences[next[literal_from_number (*at)]++] = i;
}

Look *
look_new (const Formula *formula)
{
  Look *self = g_new0 (Look, 1);
  gsize n_literals = 2 * (gsize)formula->n_variables;
  double weight = WEIGHT_OF_TWO;

  self->formula = *formula;
  self->n_clauses = formula_count_clauses (formula);
  self->begins = g_new (guint32, self->n_clauses);
  self->n_true = g_new0 (guint32, self->n_clauses);
  self->n_free = g_new0 (guint32, self->n_clauses);
  self->occurrences = g_new (guint32, formula->n_literals);
  self->occurrence_begins = g_new0 (guint32, n_literals + 1);
  self->values = g_new0 (gint8, n_literals);
  self->trail = g_new (Literal, formula->n_variables);
  count_occurrences (self);
  fill_occurrences (self);
  for (guint i = 2; i < MAX_LENGTH; i++, weight /= 5)
    self->weights[i] = weight;
  return self;
}

void
look_free (Look *self)
{
  if (self == NULL)
    return;
  g_free (self->begins);
  g_free (self->n_true);
  g_free (self->n_free);
  g_free (self->occurrences);
  g_free (self->occurrence_begins);
  g_free (self->values);
  g_free (self->trail);
  g_free (self);
}

/* ---- values ---- */

/* Returns: %FALSE when the literal is false already */
static gboolean
assign (Look *self, Literal literal)
{
  if (self->values[literal] != 0)
    return self->values[literal] > 0;
  self->values[literal] = 1;
  self->values[literal_negate (literal)] = -1;
  self->trail[self->n_trail++] = literal;
  return TRUE;
}

/* Assigns the only literal of clause @i that may still be true. */
static gboolean
assign_last (Look *self, guint i)
{
  for (const gint32 *at = self->formula.literals + self->begins[i]; *at != 0; at++)
    if (self->values[literal_from_number (*at)] >= 0)
      return assign (self, literal_from_number (*at));
  return FALSE;
}

#define EACH_CLAUSE(self, literal, at)                                                             \
  guint32 at = (self)->occurrence_begins[literal];                                                 \
  at < (self)->occurrence_begins[(literal) + 1];                                                   \
  at++

/* Counts a literal as true in all its clauses. @sign: 1; or -1 to take that back */
static void
count_true (Look *self, Literal literal, gint32 sign)
{
  for (EACH_CLAUSE (self, literal, at))
    {
      self->n_true[self->occurrences[at]] += (guint32)sign;
      self->n_free[self->occurrences[at]] -= (guint32)sign;
    }
}

/* Finds what follows from the literals of the trail. Returns: %FALSE when that is a conflict */
static gboolean
propagate (Look *self)
{
  gboolean is_good = TRUE;

  while (is_good && self->n_done < self->n_trail)
    {
      Literal literal = self->trail[self->n_done++], opposite = literal_negate (literal);
      count_true (self, literal, 1);
      for (EACH_CLAUSE (self, opposite, at))
        {
          guint i = self->occurrences[at];
          guint32 n_free = --self->n_free[i];
          if (self->n_true[i] > 0)
            continue;
          if (n_free < MAX_LENGTH)
            self->weight += self->weights[n_free];
          if (n_free == 0 || (n_free == 1 && is_good && !assign_last (self, i)))
            is_good = FALSE;
        }
    }
  return is_good;
}

/* Takes back all but the first @n_trail literals of the trail. */
static void
go_back (Look *self, guint n_trail)
{
  while (self->n_trail > n_trail)
    {
      Literal literal = self->trail[--self->n_trail], opposite = literal_negate (literal);
      self->values[literal] = self->values[opposite] = 0;
      if (self->n_trail >= self->n_done)
        continue;
      count_true (self, literal, -1);
      for (EACH_CLAUSE (self, opposite, at))
        self->n_free[self->occurrences[at]]++;
    }
  self->n_done = MIN (self->n_done, n_trail);
}

/* Assigns a literal and what follows from it. Returns: %FALSE when that is a conflict */
static gboolean
assume (Look *self, Literal literal)
{
  self->weight = 0;
  return assign (self, literal) && propagate (self);
}

/* Finds what follows from clauses of one literal. Returns: %FALSE when that is a conflict */
static gboolean
propagate_units (Look *self)
{
  for (guint i = 0; i < self->n_clauses; i++)
    if (self->n_true[i] == 0
        && (self->n_free[i] == 0 || (self->n_free[i] == 1 && !assign_last (self, i))))
      return FALSE;
  return propagate (self);
}

/* ---- candidates ---- */

typedef struct
{
  Variable variable;
  double score;
} Candidate;

/* Returns: how much shorter clauses become, if the literal becomes false: an estimate */
static double
estimate (const Look *self, Literal literal)
{
  double sum = 0;

  for (EACH_CLAUSE (self, literal, at))
    {
      guint i = self->occurrences[at];
      if (self->n_true[i] == 0 && self->n_free[i] <= MAX_LENGTH)
        sum += self->weights[MAX (self->n_free[i], 3) - 1];
    }
  return sum;
}

static double
mix (double left, double right)
{
  return PRODUCT * left * right + left + right;
}

static gint
compare_candidates (gconstpointer a, gconstpointer b)
{
  const Candidate *x = a, *y = b;

  if (x->score != y->score)
    return x->score > y->score ? -1 : 1;
  return x->variable < y->variable ? -1 : x->variable > y->variable;
}

/* Whether a literal is in a clause in which no literal is true. */
static gboolean
is_open (const Look *self, Literal literal)
{
  for (EACH_CLAUSE (self, literal, at))
    if (self->n_true[self->occurrences[at]] == 0)
      return TRUE;
  return FALSE;
}

/* Returns: (transfer full) (element-type Candidate): the variables that promise most, at most @n */
static GArray *
choose_candidates (const Look *self, guint n)
{
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (Variable i = 0; i < (Variable)self->formula.n_variables; i++)
    {
      Literal true_literal = literal_of (i, FALSE), false_literal = literal_of (i, TRUE);
      if (self->values[true_literal] != 0
          || !(is_open (self, true_literal) || is_open (self, false_literal)))
        continue;
      const Candidate candidate = { i, mix (estimate (self, true_literal),
                                            estimate (self, false_literal)) };
      g_array_append_val (candidates, candidate);
    }
  g_array_sort (candidates, compare_candidates);
  g_array_set_size (candidates, MIN (candidates->len, n));
  return candidates;
}

/* ---- looking ---- */

/* What a look at the candidates has found so far. */
typedef struct
{
  Literal best;
  double score;
  GArray *failed;
} Found;

/* Tries a literal. Returns: %FALSE when it leads to a conflict; then it is false from now on, and
 * @ret_is_refuted says whether that leads to a conflict, too */
static gboolean
try_literal (Look *self, Literal literal, Found *found, double *ret_weight,
             gboolean *ret_is_refuted)
{
  guint n_trail = self->n_trail;
  gboolean is_possible = assume (self, literal);

  *ret_weight = self->weight;
  go_back (self, n_trail);
  if (is_possible)
    return TRUE;
  gint32 number = literal_to_number (literal);
  g_array_append_val (found->failed, number);
  *ret_is_refuted = !assume (self, literal_negate (literal));
  return FALSE;
}

/* Tries both values of all candidates. Returns: %FALSE when the cube is refuted */
static gboolean
try_candidates (Look *self, const GArray *candidates, Found *found)
{
  gboolean is_refuted = FALSE;
  double left, right;

  for (guint i = 0; i < candidates->len && !is_refuted; i++)
    {
      Literal literal = literal_of (g_array_index (candidates, Candidate, i).variable, FALSE);
      if (self->values[literal] != 0 || !try_literal (self, literal, found, &left, &is_refuted)
          || !try_literal (self, literal_negate (literal), found, &right, &is_refuted))
        continue;
      double score = mix (left, right);
      if (found->best != LITERAL_NONE && score <= found->score)
        continue;
      found->best = left >= right ? literal : literal_negate (literal);
      found->score = score;
    }
  return !is_refuted;
}

LookAnswer
look_ahead (Look *self, const gint32 *cube, gsize n_cube, guint n_candidates, gint32 *ret_literal,
            GArray *failed)
{
  Found found = { LITERAL_NONE, 0, failed };
  gboolean is_possible = propagate_units (self), has_more = TRUE;

  for (gsize i = 0; i < n_cube && is_possible; i++)
    is_possible = assume (self, literal_from_number (cube[i]));
  while (is_possible && has_more)
    {
      /* The best literal may have got a value since it was tried. */
      g_autoptr (GArray) candidates = choose_candidates (self, n_candidates);
      has_more = candidates->len > 0;
      found.best = LITERAL_NONE;
      is_possible = try_candidates (self, candidates, &found);
      if (is_possible && found.best != LITERAL_NONE && self->values[found.best] == 0)
        break;
    }
  go_back (self, 0);
  if (!is_possible)
    return LOOK_REFUTED;
  if (!has_more)
    return LOOK_NOTHING;
  *ret_literal = literal_to_number (found.best);
  return LOOK_SPLIT;
}
