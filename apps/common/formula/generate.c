/* generate.c - generates formulas of known kinds
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "generate.h"

#include <satin/base/random.h>

#include "colouring.h"

#define MAX_NUMBERS 4
#define MAX_LENGTH  16
#define MAX_PARITY  4

/* The most bits of NUMBER in factor:NUMBER. */
#define MAX_FACTOR_BITS 48

/* A formula under construction. @literals: (owned): of gint32 */
typedef struct
{
  gint32 n_variables;
  GArray *literals;
} Draft;

static gint32
new_variable (Draft *self)
{
  return ++self->n_variables;
}

static void
add (Draft *self, const gint32 *literals, guint n_literals)
{
  const gint32 end = 0;

  g_array_append_vals (self->literals, literals, n_literals);
  g_array_append_val (self->literals, end);
}

#define ADD(self, ...)                                                                             \
  add (self, (const gint32[]){ __VA_ARGS__ }, G_N_ELEMENTS (((const gint32[]){ __VA_ARGS__ })))

/* ---- uniform ---- */

/* Returns: a random number from 0 to @n - 1 */
static gint32
draw (guint64 *state, gint64 n)
{
  return (gint32)(satin_random_mix ((*state)++) % (guint64)n);
}

static void
make_uniform (Draft *self, const gint64 *numbers)
{
  gint64 n_variables = numbers[0], length = numbers[2];
  guint64 state = satin_random_mix ((guint64)numbers[3]);

  self->n_variables = (gint32)n_variables;
  for (gint64 i = 0; i < numbers[1]; i++)
    {
      gint32 clause[MAX_LENGTH];
      for (guint n = 0; n < length;)
        {
          gint32 variable = draw (&state, n_variables) + 1;
          gboolean is_new = TRUE;
          for (guint k = 0; k < n; k++)
            is_new = is_new && ABS (clause[k]) != variable;
          if (is_new)
            clause[n++] = draw (&state, 2) == 0 ? variable : -variable;
        }
      add (self, clause, (guint)length);
    }
}

/* ---- pigeon ---- */

static void
make_pigeon (Draft *self, const gint64 *numbers)
{
  gint32 n = (gint32)numbers[0];
  g_autofree gint32 *holes = g_new (gint32, n);

  /* The variable i * n + k + 1 says that pigeon i is in hole k. */
  self->n_variables = (n + 1) * n;
  for (gint32 i = 0; i <= n; i++)
    {
      for (gint32 k = 0; k < n; k++)
        holes[k] = i * n + k + 1;
      add (self, holes, (guint)n);
    }
  for (gint32 k = 0; k < n; k++)
    for (gint32 i = 0; i <= n; i++)
      for (gint32 j = i + 1; j <= n; j++)
        ADD (self, -(i * n + k + 1), -(j * n + k + 1));
}

/* ---- parity ---- */

/* Adds clauses that say: the number of true variables is odd, or even. */
static void
add_parity (Draft *self, const gint32 *variables, guint n_variables, gboolean is_odd)
{
  for (guint falses = 0; falses < 1U << n_variables; falses++)
    {
      gint32 clause[MAX_PARITY];
      gboolean is_true_odd = FALSE;
      for (guint i = 0; i < n_variables; i++)
        {
          gboolean is_false = (falses >> i & 1) != 0;
          is_true_odd = is_true_odd != is_false;
          clause[i] = is_false ? -variables[i] : variables[i];
        }
      /* This clause is false in one case only: when exactly the variables of @falses are true. */
      if (is_true_odd != is_odd)
        add (self, clause, n_variables);
    }
}

/* Three ends of edges belong to each corner. The function shuffles all ends. Then the first two
 * ends form an edge, the next two form an edge, and so on. */
static void
make_parity (Draft *self, const gint64 *numbers)
{
  gint32 n = (gint32)numbers[0], n_ends = 3 * n;
  guint64 state = satin_random_mix ((guint64)numbers[1]);
  g_autofree gint32 *ends = g_new (gint32, n_ends);
  g_autofree gint32 *edges = g_new (gint32, n_ends);

  for (gint32 i = 0; i < n_ends; i++)
    ends[i] = i;
  for (gint32 i = n_ends - 1; i > 0; i--)
    {
      gint32 k = draw (&state, i + 1), end = ends[i];
      ends[i] = ends[k];
      ends[k] = end;
    }
  self->n_variables = n_ends / 2;
  for (gint32 i = 0; i < n_ends; i++)
    edges[ends[i]] = i / 2 + 1;
  for (gint32 i = 0; i < n; i++)
    add_parity (self, edges + 3 * i, 3, i == 0);
}

/* ---- factor ---- */

/* In this section a variable is a bit of a circuit, and 0 stands for a bit that is never set. */

/* Returns: a new bit that is set if and only if @x and @y are set */
static gint32
both (Draft *self, gint32 x, gint32 y)
{
  gint32 bit = new_variable (self);

  ADD (self, -bit, x);
  ADD (self, -bit, y);
  ADD (self, bit, -x, -y);
  return bit;
}

/* Returns: a new bit that is set if and only if at least two of the three @bits are set */
static gint32
majority (Draft *self, const gint32 *bits)
{
  gint32 bit = new_variable (self);

  for (guint i = 0; i < 3; i++)
    {
      gint32 x = bits[i], y = bits[(i + 1) % 3];
      ADD (self, bit, -x, -y);
      ADD (self, -bit, x, y);
    }
  return bit;
}

/* Adds the bits @x, @y and *@carry. Returns: the bit of the sum; *@carry becomes the carry to the
 * next place */
static gint32
add_bits (Draft *self, gint32 x, gint32 y, gint32 *carry)
{
  const gint32 all[3] = { x, y, *carry };
  gint32 bits[MAX_PARITY];
  guint n = 0;

  for (guint i = 0; i < 3; i++)
    if (all[i] != 0)
      bits[n++] = all[i];
  *carry = 0;
  if (n < 2)
    return n == 1 ? bits[0] : 0;
  bits[n] = new_variable (self);
  add_parity (self, bits, n + 1, FALSE);
  *carry = n == 3 ? majority (self, bits) : both (self, bits[0], bits[1]);
  return bits[n];
}

/* Makes a number of @n_bits new bits, and a clause that says: the number is above 1. Returns: the
 * lowest bit; the next variables are the higher bits */
static gint32
new_factor (Draft *self, guint n_bits)
{
  gint32 first = self->n_variables + 1;
  g_autofree gint32 *above = g_new (gint32, n_bits);

  for (guint i = 0; i < n_bits; i++)
    above[i] = new_variable (self);
  add (self, above + 1, n_bits - 1);
  return first;
}

/* Makes a multiplier. The smaller factor has at most half as many bits as the product, rounded up.
 * The larger factor has fewer bits than the product, because the smaller is at least 2. */
static void
make_factor (Draft *self, const gint64 *numbers)
{
  guint n_bits = g_bit_storage ((gulong)numbers[0]);
  guint n_small = (n_bits + 1) / 2, n_large = n_bits - 1;
  gint32 small = new_factor (self, n_small), large = new_factor (self, n_large);
  gint32 product[2 * MAX_FACTOR_BITS] = { 0 };

  for (guint i = 0; i < n_small; i++)
    {
      gint32 carry = 0;
      for (guint k = 0; k < n_large; k++)
        product[i + k] = add_bits (self, product[i + k],
                                   both (self, small + (gint32)i, large + (gint32)k), &carry);
      product[i + n_large] = carry;
    }
  for (guint i = 0; i < n_small + n_large; i++)
    {
      /* The product has places above the 63 that a gint64 can be shifted by. */
      gboolean is_set = i < n_bits && (numbers[0] >> i & 1) != 0;
      if (product[i] != 0)
        ADD (self, is_set ? product[i] : -product[i]);
    }
}

/* ---- colourings ---- */

static void
make_progressions (Draft *self, const gint64 *numbers)
{
  self->n_variables = colouring_add_progressions (self->literals, (gint32)numbers[0],
                                                  (gint32)numbers[1], (gint32)numbers[2]);
}

static void
make_sums (Draft *self, const gint64 *numbers)
{
  self->n_variables = colouring_add_sums (self->literals, (gint32)numbers[0], (gint32)numbers[1]);
}

static void
make_triples (Draft *self, const gint64 *numbers)
{
  self->n_variables = colouring_add_triples (self->literals, (gint32)numbers[0]);
}

/* ---- what the user writes ---- */

typedef struct
{
  const char *name;
  gint64 min, max;
} Number;

typedef struct
{
  const char *name;
  void (*make) (Draft *self, const gint64 *numbers);
  guint n_numbers;
  Number numbers[MAX_NUMBERS];
} Kind;

static const Kind kinds[] = {
  { "uniform",
    make_uniform,
    4,
    { { "VARS", 1, FORMULA_MAX_VARIABLES },
      { "CLAUSES", 0, FORMULA_MAX_LITERALS / (MAX_LENGTH + 1) },
      { "K", 1, MAX_LENGTH },
      { "SEED", 0, G_MAXINT32 } } },
  { "pigeon", make_pigeon, 1, { { "HOLES", 1, 100 } } },
  { "parity", make_parity, 2, { { "N", 2, 100000 }, { "SEED", 0, G_MAXINT32 } } },
  { "factor", make_factor, 1, { { "NUMBER", 2, ((gint64)1 << MAX_FACTOR_BITS) - 1 } } },
  { "waerden", make_progressions, 3, { { "J", 2, 100 }, { "K", 2, 100 }, { "N", 1, 1000 } } },
  { "schur", make_sums, 2, { { "COLOURS", 1, 8 }, { "N", 1, 500 } } },
  { "pythagoras", make_triples, 1, { { "N", 1, 10000 } } },
};

static const Kind *
find_kind (const char *name, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].name, name) == 0)
      return &kinds[i];
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "there is no kind of formula '%s': give one of %s", name, GENERATE_KINDS);
  return NULL;
}

static gboolean
read_numbers (const Kind *kind, const char *text, gint64 *ret_numbers, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);

  if (g_strv_length (words) != kind->n_numbers)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s:%s has %u numbers, but must have %u: give one of %s", kind->name, text,
                   g_strv_length (words), kind->n_numbers, GENERATE_KINDS);
      return FALSE;
    }
  for (guint i = 0; i < kind->n_numbers; i++)
    {
      const Number *number = &kind->numbers[i];
      if (g_ascii_string_to_signed (words[i], 10, number->min, number->max, &ret_numbers[i], NULL))
        continue;
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s:%s: %s is '%s', but must be from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                   kind->name, text, number->name, words[i], number->min, number->max);
      return FALSE;
    }
  return TRUE;
}

/* Checks the conditions that the ranges of the single numbers cannot express. */
static gboolean
check_numbers (const Kind *kind, const gint64 *numbers, GError **error)
{
  if (kind->make == make_uniform && numbers[2] > numbers[0])
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "uniform: K is above VARS, but the variables of a clause are different");
      return FALSE;
    }
  if (kind->make == make_parity && numbers[0] % 2 != 0)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "parity: N must be even, as each corner has three ends of edges");
      return FALSE;
    }
  return TRUE;
}

gboolean
generate_formula (const char *text, Formula *ret_formula, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ":", 2);
  gint64 numbers[MAX_NUMBERS];
  const Kind *kind = find_kind (words[0] != NULL ? words[0] : "", error);

  if (kind == NULL || !read_numbers (kind, words[1] != NULL ? words[1] : "", numbers, error)
      || !check_numbers (kind, numbers, error))
    return FALSE;
  g_autoptr (GArray) literals = g_array_new (FALSE, FALSE, sizeof (gint32));
  Draft draft = { 0, literals };
  gsize n;
  kind->make (&draft, numbers);
  const gint32 *taken = g_array_steal (literals, &n);
  *ret_formula = (Formula){ draft.n_variables, taken, n };
  return TRUE;
}
