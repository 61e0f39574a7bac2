/* test-fft.c - tests the Fourier transform and the checks of a transform
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "fft/signals.h"

static Complex *
transform (const Complex *x, int n, gboolean is_inverse)
{
  g_autofree Complex *roots = fourier_roots (n, is_inverse);
  Complex *result = g_new (Complex, (gsize)n);
  fourier_transform (x, n, roots, result);
  return result;
}

static void
assert_near (Complex a, double re, double im)
{
  g_assert_cmpfloat (fabs (a.re - re), <=, 1e-14);
  g_assert_cmpfloat (fabs (a.im - im), <=, 1e-14);
}

static void
test_four_numbers_are_known (void)
{
  static const Complex x[] = { { 1, 0 }, { 2, -1 }, { 0, -1 }, { -1, 2 } };
  g_autofree Complex *there = transform (x, 4, FALSE);
  assert_near (there[0], 2, 0);
  assert_near (there[1], -2, -2);
  assert_near (there[2], 0, -2);
  assert_near (there[3], 4, 4);
}

static void
test_roots_are_those_of_unity (void)
{
  for (int n = 1; n <= 1 << 12; n *= 2)
    {
      g_autofree Complex *roots = fourier_roots (n, FALSE), *inverse = fourier_roots (n, TRUE);
      for (int k = 0; k < n / 2; k++)
        {
          assert_near (roots[k], cos (2 * G_PI * k / n), -sin (2 * G_PI * k / n));
          g_assert_cmpfloat (inverse[k].re, ==, roots[k].re);
          g_assert_cmpfloat (inverse[k].im, ==, -roots[k].im);
        }
    }
}

/* A job of half the size makes its own roots. It must compute the same bits as with the roots of
 * the whole transform. */
static void
test_roots_of_half_the_size_have_the_same_bits (void)
{
  g_autofree Complex *roots = fourier_roots (1 << 14, FALSE);
  for (int step = 2; step <= 1 << 13; step *= 2)
    {
      int n = (1 << 14) / step;
      g_autofree Complex *less = fourier_roots (n, FALSE);
      for (int k = 0; k < n / 2; k++)
        g_assert_cmpmem (&less[k], sizeof *less, &roots[k * step], sizeof *roots);
    }
}

/* The test computes the transform by its definition, with the C library's sine and cosine. */
static void
test_transform_is_that_of_the_definition (void)
{
  for (int n = 1; n <= 256; n *= 2)
    {
      g_autofree Complex *x = signal_make (SIGNAL_RANDOM, n, 5);
      g_autofree Complex *there = transform (x, n, FALSE), *expected = g_new0 (Complex, (gsize)n);
      for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
          {
            double angle = -2 * G_PI * (j * k % n) / n, c = cos (angle), s = sin (angle);
            expected[k].re += x[j].re * c - x[j].im * s;
            expected[k].im += x[j].re * s + x[j].im * c;
          }
      g_assert_cmpfloat (fourier_distance (there, expected, n), <=,
                         1e-14 * n * fourier_norm (expected, n));
    }
}

static void
test_join_of_halves_has_the_bits_of_the_whole (void)
{
  int n = 1 << 10;
  g_autofree Complex *x = signal_make (SIGNAL_RANDOM, n, 6), *parts = fourier_split (x, n);
  g_autofree Complex *even = transform (parts, n / 2, FALSE);
  g_autofree Complex *odd = transform (parts + n / 2, n / 2, FALSE);
  g_autofree Complex *roots = fourier_roots (n, FALSE), *joined = g_new (Complex, (gsize)n);
  g_autofree Complex *whole = transform (x, n, FALSE);
  fourier_join (even, odd, n, roots, 1, joined);
  g_assert_cmpmem (joined, (gsize)n * sizeof *joined, whole, (gsize)n * sizeof *whole);
}

/* The right transforms of all kinds of signals pass the check. A wrong number is noticed. */
static void
test_wrong_transforms_are_found (void)
{
  for (int n = 1; n <= 1 << 14; n *= 4)
    for (int kind = SIGNAL_DELTA; kind <= SIGNAL_RANDOM; kind++)
      {
        double there, back;
        g_autofree Complex *x = signal_make ((SignalKind)kind, n, 7);
        g_autofree Complex *result = transform (x, n, FALSE), *again = transform (result, n, TRUE);
        const SignalPair pair = { x, result, again, n, 1 };
        g_autoptr (GError) error = NULL;
        fourier_scale (again, n);
        signal_check ((SignalKind)kind, &pair, &there, &back, &error);
        g_assert_no_error (error);
        Complex right = result[n / 2];
        result[n / 2].re += 1e-5 * n;
        g_assert_false (signal_check ((SignalKind)kind, &pair, &there, &back, &error));
        g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
        result[n / 2] = right;
        again[n - 1].im += 1e-5 * n;
        g_assert_false (signal_check ((SignalKind)kind, &pair, &there, &back, NULL));
        again[n - 1].im = NAN;
        g_assert_false (signal_check ((SignalKind)kind, &pair, &there, &back, NULL));
      }
}

static void
test_signals_have_names (void)
{
  SignalKind kind;
  g_autoptr (GError) error = NULL;
  g_assert_true (signal_find ("wave", &kind, NULL));
  g_assert_cmpint (kind, ==, SIGNAL_WAVE);
  g_assert_cmpstr (signal_name (kind), ==, "wave");
  g_assert_false (signal_find ("noise", &kind, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-fft/" path, function)
  CASE ("four-numbers-are-known", test_four_numbers_are_known);
  CASE ("roots-are-those-of-unity", test_roots_are_those_of_unity);
  CASE ("roots-of-half-the-size-have-the-same-bits",
        test_roots_of_half_the_size_have_the_same_bits);
  CASE ("transform-is-that-of-the-definition", test_transform_is_that_of_the_definition);
  CASE ("join-of-halves-is-the-whole", test_join_of_halves_has_the_bits_of_the_whole);
  CASE ("wrong-transforms-are-found", test_wrong_transforms_are_found);
  CASE ("signals-have-names", test_signals_have_names);
  return g_test_run ();
}
