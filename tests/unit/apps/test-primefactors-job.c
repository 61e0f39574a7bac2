/* test-primefactors-job.c - jobs of primefactors refuse numbers that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "primefactors/primefactors.c"
#undef main

static void
test_wrong_candidates_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  gint64 prime;
  g_assert_true (satin_run (workers, &prime, smallest_factor, NULL, 10403, 2, 103, 3));
  g_assert_cmpint (prime, ==, 101);

#define CANDIDATES_REFUSED(REASON, ...)                                                            \
  ASSERT_REFUSED (workers, REASON, &prime, smallest_factor, __VA_ARGS__)
  CANDIDATES_REFUSED ("number", 0, 2, 103, 3);
  CANDIDATES_REFUSED ("number", -10403, 2, 103, 3);
  CANDIDATES_REFUSED ("first candidate", 10403, 0, 103, 3);
  CANDIDATES_REFUSED ("first candidate", 10403, G_MININT64, 103, 3);
  CANDIDATES_REFUSED ("first candidate", 10403, 104, 103, 3);
  /* Such a job would try candidates for years. */
  CANDIDATES_REFUSED ("end of the candidates", 10403, 2, G_MAXINT64, 3);
  CANDIDATES_REFUSED ("end of the candidates", 10403, 2, -1, 3);
  /* With such a grain, a job would spawn the same job again. */
  CANDIDATES_REFUSED ("grain", 10403, 2, 103, 0);
}

static void
test_wrong_numbers_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  PrimeFactors found = { 0 };
  g_assert_true (satin_run (workers, &found, factors, NULL, G_MAXINT64, 1000));
  g_assert_cmpuint (found.n_primes, ==, 7);
  satin_record_clear (&PrimeFactors_record, &found);
  ASSERT_REFUSED (workers, "number", &found, factors, 0, 10);
  ASSERT_REFUSED (workers, "number", &found, factors, G_MININT64, 10);
  ASSERT_REFUSED (workers, "grain", &found, factors, 12, -1);
}

static void
test_wrong_ranges_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  PrimeTally sum;
  g_assert_true (satin_run (workers, &sum, tally, NULL, 1, 100, 10));
  g_assert_cmpint (sum.n_primes, ==, 25);
  ASSERT_REFUSED (workers, "first number", &sum, tally, G_MININT64, 100, 10);
  ASSERT_REFUSED (workers, "first number", &sum, tally, 0, 100, 10);
  ASSERT_REFUSED (workers, "last number", &sum, tally, 101, 100, 10);
  ASSERT_REFUSED (workers, "grain", &sum, tally, 1, 100, 0);
}

/* Another node may return a wrong factor. With the factor 1, factoring_note() would never end. */
static void
test_wrong_factors_are_refused (void)
{
  static const gint64 wrong[] = { 1, -1, 3, 7, 11, 13, G_MAXINT64, G_MININT64 };
  g_assert_true (check_factor (5, 35, 4, 7, NULL));
  g_assert_true (check_factor (0, 35, 4, 7, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (check_factor (wrong[i], 35, 4, 7, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-primefactors-job/" path, function)
  CASE ("wrong-candidates-are-refused", test_wrong_candidates_are_refused);
  CASE ("wrong-numbers-are-refused", test_wrong_numbers_are_refused);
  CASE ("wrong-ranges-are-refused", test_wrong_ranges_are_refused);
  CASE ("wrong-factors-are-refused", test_wrong_factors_are_refused);
  return g_test_run ();
}
