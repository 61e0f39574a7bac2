/* test-primefactors-factors.c - tests the prime factors of numbers, found as a whole and in ranges
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "primefactors/factors.h"

/* Returns: (transfer full): the factors of @number as text */
static char *
factor (gint64 number)
{
  Factoring factoring;
  factoring_init (&factoring, number);
  factoring_run (&factoring);
  PrimeFactors factors = factoring_finish (&factoring);
  char *text = primefactors_to_text (number, &factors);
  satin_record_clear (&PrimeFactors_record, &factors);
  return text;
}

/* Returns: the smallest divisor above 1, found by trying all numbers */
static gint64
smallest_divisor (gint64 number)
{
  for (gint64 divisor = 2; divisor < number; divisor++)
    if (number % divisor == 0)
      return divisor;
  return number;
}

static const char *const known[] = {
  "1 = 1",
  "2 = 2",
  "4 = 2^2",
  "30 = 2 * 3 * 5",
  "49 = 7^2",
  "360 = 2^3 * 3^2 * 5",
  "961 = 31^2",
  "4294967297 = 641 * 6700417",
  "1000000007 = 1000000007",
  "600851475143 = 71 * 839 * 1471 * 6857",
  "4052555153018976267 = 3^39",
  "4611686018427387904 = 2^62",
  "897612484786617600 = 2^8 * 3^4 * 5^2 * 7^2 * 11 * 13 * 17 * 19 * 23 * 29 * 31 * 37",
  "9223372036854775807 = 7^2 * 73 * 127 * 337 * 92737 * 649657",
};

static void
test_known_numbers (gconstpointer user_data)
{
  const char *expected = user_data;
  g_autofree char *text = factor (g_ascii_strtoll (expected, NULL, 10));
  g_assert_cmpstr (text, ==, expected);
}

static void
test_small_numbers_are_those_of_all_divisors (void)
{
  for (gint64 number = 1; number <= 3000; number++)
    {
      gint64 rest = number;
      Factoring factoring;
      factoring_init (&factoring, number);
      factoring_run (&factoring);
      PrimeFactors factors = factoring_finish (&factoring);
      for (gsize i = 0; i < factors.n_primes; i++)
        {
          g_assert_cmpint (factors.primes[i], ==, smallest_divisor (rest));
          rest /= factors.primes[i];
        }
      g_assert_cmpint (rest, ==, 1);
      satin_record_clear (&PrimeFactors_record, &factors);
    }
}

static void
test_ends_of_a_range_are_kept (void)
{
  const gint64 primes[] = { 2, 3, 5, 7, 29, 31, 37, 61, 1000003 };
  for (gsize i = 0; i < G_N_ELEMENTS (primes); i++)
    {
      gint64 prime = primes[i], number = prime * prime;
      g_assert_cmpint (primefactors_smallest (number, prime, prime + 1), ==, prime);
      g_assert_cmpint (primefactors_smallest (number, 2, prime), ==, 0);
    }
}

static void
test_pieces_of_a_range_find_what_the_whole_finds (void)
{
  for (guint round = 0; round < 300; round++)
    {
      gint64 number = g_test_rand_int_range (2, G_MAXINT32), at = 2, prime = 0;
      gint64 to = primefactors_root (number) + 1;
      while (prime == 0 && at < to)
        {
          gint64 middle = MIN (to, at + g_test_rand_int_range (1, 200));
          prime = primefactors_smallest (number, at, middle);
          at = middle;
        }
      g_assert_cmpint (prime, ==, primefactors_smallest (number, 2, to));
    }
}

static void
test_root_is_exact (void)
{
  const gint64 largest = G_GINT64_CONSTANT (3037000499);
  g_assert_cmpint (primefactors_root (0), ==, 0);
  g_assert_cmpint (primefactors_root (G_MAXINT64), ==, largest);
  g_assert_cmpint (primefactors_root (largest * largest), ==, largest);
  g_assert_cmpint (primefactors_root (largest * largest - 1), ==, largest - 1);
  for (guint round = 0; round < 1000; round++)
    {
      gint64 root = g_test_rand_int_range (1, G_MAXINT32);
      g_assert_cmpint (primefactors_root (root * root), ==, root);
      g_assert_cmpint (primefactors_root (root * root - 1), ==, root - 1);
    }
}

/* The numbers of primes and of prime factors are those of the sequences A006880 and A022559 in the
 * On-Line Encyclopedia of Integer Sequences. */
static void
test_known_tallies (void)
{
  PrimeTally tally = { 0 };
  primefactors_tally (1, 100, &tally);
  g_assert_cmpint (tally.n_primes, ==, 25);
  g_assert_cmpint (tally.n_factors, ==, 239);
  primefactors_tally (101, 10000, &tally);
  g_assert_cmpint (tally.n_primes, ==, 1229);
  g_assert_cmpint (tally.n_factors, ==, 31985);
}

static void
test_tally_ends_at_the_largest_number (void)
{
  PrimeTally tally = { 0 };
  /* 2^63 - 2 has the factors 715827883 and 2147483647. All factors of 2^63 - 1 are below 10^6. */
  primefactors_tally (G_MAXINT64 - 1, G_MAXINT64, &tally);
  g_assert_cmpint (tally.n_primes, ==, 0);
  g_assert_cmpint (tally.n_factors, >=, 9);
}

static void
test_wrong_factors_are_noticed (void)
{
  static const gint64 primes[] = { 2, 3, 5 };
  const PrimeFactors factors = { primes, 3 }, fewer = { primes, 2 }, none = { 0 };
  g_autofree char *right = primefactors_to_text (30, &factors);
  g_assert_cmpstr (right, ==, "30 = 2 * 3 * 5");
  g_assert_null (primefactors_to_text (30, &fewer));
  g_assert_null (primefactors_to_text (60, &factors));
  g_assert_null (primefactors_to_text (31, &factors));
  g_assert_null (primefactors_to_text (30, &none));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-primefactors-factors/" path, function)
  CASE ("small-numbers-are-those-of-all-divisors", test_small_numbers_are_those_of_all_divisors);
  CASE ("ends-of-a-range-are-kept", test_ends_of_a_range_are_kept);
  CASE ("pieces-of-a-range-find-what-the-whole-finds",
        test_pieces_of_a_range_find_what_the_whole_finds);
  CASE ("root-is-exact", test_root_is_exact);
  CASE ("known-tallies", test_known_tallies);
  CASE ("tally-ends-at-the-largest-number", test_tally_ends_at_the_largest_number);
  CASE ("wrong-factors-are-noticed", test_wrong_factors_are_noticed);
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autofree char *path =
          g_strdup_printf ("/app-primefactors-factors/known-numbers/%" G_GSIZE_FORMAT, i);
      g_test_add_data_func (path, known[i], test_known_numbers);
    }
  return g_test_run ();
}
