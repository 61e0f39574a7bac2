/* test-look.c - tests looks ahead, and the division of a formula into cubes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "divide.h"
#include "formula/generate.h"
#include "look.h"

#define N_LITERALS(literals) G_N_ELEMENTS (literals)

/* Looks at a cube of a formula of @n_variables. */
static LookAnswer
look (gint32 n_variables, const gint32 *literals, gsize n_literals, const gint32 *cube,
      gsize n_cube, gint32 *ret_literal)
{
  const Formula formula = { n_variables, literals, n_literals };
  g_autoptr (Look) self = look_new (&formula);
  g_autoptr (GArray) failed = g_array_new (FALSE, FALSE, sizeof (gint32));
  return look_ahead (self, cube, n_cube, 100, ret_literal, failed);
}

static void
test_propagation_refutes (void)
{
  const gint32 literals[] = { -1, 2, 0, -2, 3, 0, -3, -1, 0 }, cube[] = { 1 };
  gint32 split = 0;
  g_assert_cmpint (look (3, literals, N_LITERALS (literals), cube, 1, &split), ==, LOOK_REFUTED);
}

static void
test_failed_literals_refute (void)
{
  const gint32 literals[] = { 1, 2, 0, 1, -2, 0, -1, 3, 0, -1, -3, 0 };
  gint32 split = 0;
  g_assert_cmpint (look (3, literals, N_LITERALS (literals), NULL, 0, &split), ==, LOOK_REFUTED);
}

static void
test_nothing_is_left_when_all_clauses_are_true (void)
{
  const gint32 literals[] = { 1, 2, 0, 1, -3, 0 }, cube[] = { 1 };
  gint32 split = 0;
  g_assert_cmpint (look (3, literals, N_LITERALS (literals), cube, 1, &split), ==, LOOK_NOTHING);
}

static void
test_an_empty_clause_refutes (void)
{
  const gint32 literals[] = { 0 };
  gint32 split = 0;
  g_assert_cmpint (look (0, literals, N_LITERALS (literals), NULL, 0, &split), ==, LOOK_REFUTED);
}

/* Each value of variable 5 shortens two clauses. Each other variable shortens two clauses with one
 * value, and none with the other value. */
static void
test_the_literal_that_shortens_most_is_chosen (void)
{
  const gint32 literals[] = { 5, 1, 2, 0, 5, 3, 4, 0, -5, 1, 3, 0, -5, 2, 4, 0 };
  gint32 split = 0;
  g_assert_cmpint (look (5, literals, N_LITERALS (literals), NULL, 0, &split), ==, LOOK_SPLIT);
  g_assert_cmpint (ABS (split), ==, 5);
}

/* A look leaves nothing behind: the next look at the same cube finds the same. */
static void
test_looks_are_repeatable (void)
{
  Formula formula = { 0 };
  g_assert_true (generate_formula ("uniform:100,420,3,7", &formula, NULL));
  g_autoptr (Look) self = look_new (&formula);
  gint32 splits[2] = { 0 }, other;
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GArray) failed = g_array_new (FALSE, FALSE, sizeof (gint32));
      const gint32 cube[] = { 5, -9, 20 };
      look_ahead (self, NULL, 0, 10, &splits[i], failed);
      look_ahead (self, cube, G_N_ELEMENTS (cube), 10, &other, failed);
    }
  g_assert_cmpint (splits[0], !=, 0);
  g_assert_cmpint (splits[0], ==, splits[1]);
  satin_record_clear (&Formula_record, &formula);
}

static gboolean
is_in_cube (const Clause *cube, guint assignment)
{
  for (gsize i = 0; i < cube->n_literals; i++)
    if ((assignment >> (ABS (cube->literals[i]) - 1) & 1) != (cube->literals[i] > 0))
      return FALSE;
  return TRUE;
}

static guint
count_cubes (const GArray *cubes, guint assignment)
{
  Clause cube;
  gsize at = 0;
  guint n = 0;
  while (formula_next ((const gint32 *)(gconstpointer)cubes->data, cubes->len, &at, &cube))
    n += is_in_cube (&cube, assignment);
  return n;
}

/* Each assignment is in one cube, or contradicts a clause that says that a cube has no model. */
static void
test_cubes_cover_all_once (void)
{
  Formula formula = { 0 };
  g_assert_true (generate_formula ("uniform:10,42,3,4", &formula, NULL));
  for (guint n_cubes = 1; n_cubes <= 16; n_cubes *= 2)
    {
      const DivideLimits limits = { n_cubes, 100, 10 };
      g_autoptr (GArray) cubes = g_array_new (FALSE, FALSE, sizeof (gint32));
      g_autoptr (GArray) refuted = g_array_new (FALSE, FALSE, sizeof (gint32));
      divide (&formula, &limits, cubes, refuted, NULL);
      const Formula clauses = { 10, (const gint32 *)(gpointer)refuted->data, refuted->len };
      for (guint assignment = 0; assignment < 1U << 10; assignment++)
        {
          guint8 model[10];
          for (guint i = 0; i < 10; i++)
            model[i] = assignment >> i & 1;
          g_assert_cmpuint (count_cubes (cubes, assignment), ==,
                            formula_is_satisfied (&clauses, model, 10) ? 1 : 0);
          /* What was refuted has no model. */
          g_assert_true (formula_is_satisfied (&clauses, model, 10)
                         || !formula_is_satisfied (&formula, model, 10));
        }
    }
  satin_record_clear (&Formula_record, &formula);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-cubes/look/" path, function)
  CASE ("propagation-refutes", test_propagation_refutes);
  CASE ("failed-literals-refute", test_failed_literals_refute);
  CASE ("nothing-is-left-when-all-clauses-are-true",
        test_nothing_is_left_when_all_clauses_are_true);
  CASE ("an-empty-clause-refutes", test_an_empty_clause_refutes);
  CASE ("the-literal-that-shortens-most-is-chosen", test_the_literal_that_shortens_most_is_chosen);
  CASE ("looks-are-repeatable", test_looks_are_repeatable);
  CASE ("cubes-cover-all-once", test_cubes_cover_all_once);
  return g_test_run ();
}
