/* test-integrate.c - tests intervals and their integrals
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "integrate/interval.h"

#include <math.h>

static const char *const names[] = { "chirp", "peak", "root" };

static void
test_integrals_are_as_exact_as_wanted (void)
{
  static const double tolerances[] = { 1e-4, 1e-6, 1e-8 };
  for (int function = 0; function < (int)G_N_ELEMENTS (names); function++)
    for (gsize i = 0; i < G_N_ELEMENTS (tolerances); i++)
      {
        Interval interval;
        gint64 n_intervals = 0;
        interval_init (&interval, function, 0, 1, tolerances[i]);
        double value = interval_integrate (&interval, &n_intervals);
        g_assert_cmpfloat (fabs (value - interval_exact_integral (&interval)), <=, tolerances[i]);
        g_assert_cmpint (n_intervals, >, 1);
      }
}

/* In the first halvings of these, the values beside the peak or along the wave agree by chance. */
static const struct
{
  int function;
  double from, to, tolerance;
} unlucky[] = {
  { 1, -300, 500, 1e-9 },
  { 1, -5, 8, 1e-6 },
  { 1, -999, 640, 1e-6 },
  { 0, -60, 5, 1e-2 },
};

static void
test_first_halvings_are_not_believed (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (unlucky); i++)
    {
      Interval interval;
      gint64 n_intervals = 0;
      interval_init (&interval, unlucky[i].function, unlucky[i].from, unlucky[i].to,
                     unlucky[i].tolerance);
      double value = interval_integrate (&interval, &n_intervals);
      g_test_message ("%s from %g to %g", names[unlucky[i].function], interval.from, interval.to);
      g_assert_cmpfloat (fabs (value - interval_exact_integral (&interval)), <=,
                         unlucky[i].tolerance);
    }
}

static void
test_halves_are_the_whole (void)
{
  Interval interval, left, right;
  double value;
  interval_init (&interval, 0, 1, 3, 1e-6);
  g_assert_false (interval_halve (&interval, &left, &right, &value));
  g_assert_cmpfloat (left.from, ==, 1);
  g_assert_cmpfloat (left.to, ==, 2);
  g_assert_cmpfloat (right.from, ==, 2);
  g_assert_cmpfloat (right.to, ==, 3);
  g_assert_cmpfloat (left.at_to, ==, right.at_from);
  g_assert_cmpfloat (left.at_middle, ==, 1.5 * sin (1.5 * 1.5));
  g_assert_cmpfloat (right.at_middle, ==, 2.5 * sin (2.5 * 2.5));
  g_assert_cmpfloat (left.tolerance + right.tolerance, ==, interval.tolerance);
  g_assert_true (interval_check (&left, NULL) && interval_check (&right, NULL));
}

static void
test_halving_ends (void)
{
  Interval interval, left, right;
  double value;
  interval_init (&interval, 0, 1, 3, 1e-12);
  interval.n_halvings = INTERVAL_MAX_HALVINGS;
  g_assert_true (interval_halve (&interval, &left, &right, &value));
}

static void
test_functions_have_names (void)
{
  for (int i = 0; i < (int)G_N_ELEMENTS (names); i++)
    {
      g_assert_cmpint (interval_find_function (names[i]), ==, i);
      g_assert_cmpstr (interval_function_name (i), ==, names[i]);
    }
  g_assert_cmpint (interval_find_function ("sinus"), ==, -1);
  g_assert_cmpint (interval_find_function (NULL), ==, -1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-integrate/" path, function)
  CASE ("integrals-are-exact", test_integrals_are_as_exact_as_wanted);
  CASE ("first-halvings-are-not-believed", test_first_halvings_are_not_believed);
  CASE ("halves-are-the-whole", test_halves_are_the_whole);
  CASE ("halving-ends", test_halving_ends);
  CASE ("functions-have-names", test_functions_have_names);
  return g_test_run ();
}
