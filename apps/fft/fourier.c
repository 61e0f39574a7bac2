/* fourier.c - the discrete Fourier transform by the recursion of Cooley and Tukey, without jobs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fourier.h"

#include <float.h>
#include <math.h>

static inline Complex
add (Complex a, Complex b)
{
  return (Complex){ a.re + b.re, a.im + b.im };
}

static inline Complex
subtract (Complex a, Complex b)
{
  return (Complex){ a.re - b.re, a.im - b.im };
}

static inline Complex
multiply (Complex a, Complex b)
{
  return (Complex){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

/* exp (-2 pi i / 2^k) for each k. */
typedef struct
{
  Complex of[FOURIER_MAX_LOG + 1];
} Principals;

/* Halves the angle again and again. It does not call sin () and cos (), because their last bit may
 * differ between machines. */
static Principals
make_principals (void)
{
  Principals roots = { { { 1, 0 }, { -1, 0 }, { 0, -1 } } };
  for (int k = 3; k <= FOURIER_MAX_LOG; k++)
    {
      double cosine = sqrt ((1 + roots.of[k - 1].re) / 2);
      roots.of[k] = (Complex){ cosine, roots.of[k - 1].im / (2 * cosine) };
    }
  return roots;
}

Complex *
fourier_roots (int n, gboolean is_inverse)
{
  int log_n = g_bit_nth_lsf ((gulong)n, -1);
  Principals principals = make_principals ();
  Complex *roots = g_new (Complex, (gsize)MAX (n / 2, 1));
  roots[0] = principals.of[0];
  /* w^(length + k) is w^length * w^k, and w^length is the principal root of size n / length. */
  for (int k = 0; 1 << k < n / 2; k++)
    {
      int length = 1 << k;
      roots[length] = principals.of[log_n - k];
      for (int i = 1; i < length; i++)
        roots[length + i] = multiply (roots[i], roots[length]);
    }
  for (int i = 0; is_inverse && i < n / 2; i++)
    roots[i].im = -roots[i].im;
  return roots;
}

Complex *
fourier_split (const Complex *x, int n)
{
  Complex *parts = g_new (Complex, (gsize)n);
  for (int i = 0; i < n / 2; i++)
    {
      parts[i] = x[2 * i];
      parts[n / 2 + i] = x[2 * i + 1];
    }
  return parts;
}

void
fourier_join (const Complex *even, const Complex *odd, int n, const Complex *roots, int step,
              Complex *ret_x)
{
  for (int k = 0; k < n / 2; k++)
    {
      Complex first = even[k], second = multiply (odd[k], roots[(gsize)k * (gsize)step]);
      ret_x[k] = add (first, second);
      ret_x[n / 2 + k] = subtract (first, second);
    }
}

/* Transforms the @n numbers x[0], x[stride], x[2 * stride] and so on. @stride is also the distance
 * in @roots between two roots of the size @n. */
static void
transform (const Complex *x, int stride, int n, const Complex *roots, Complex *ret_x)
{
  if (n == 1)
    {
      ret_x[0] = x[0];
      return;
    }
  transform (x, 2 * stride, n / 2, roots, ret_x);
  transform (x + stride, 2 * stride, n / 2, roots, ret_x + n / 2);
  fourier_join (ret_x, ret_x + n / 2, n, roots, stride, ret_x);
}

void
fourier_transform (const Complex *x, int n, const Complex *roots, Complex *ret_x)
{
  transform (x, 1, n, roots, ret_x);
}

void
fourier_scale (Complex *x, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = (Complex){ x[i].re / n, x[i].im / n };
}

/* Sums the squares of the absolute values of @a - @b, or of @a when @b is %NULL. Adds the sums of
 * both halves, so the rounding error grows with the logarithm of @n only. */
static double
sum_squares (const Complex *a, const Complex *b, int n)
{
  if (n > 1)
    return sum_squares (a, b, n / 2)
           + sum_squares (a + n / 2, b != NULL ? b + n / 2 : NULL, n - n / 2);
  Complex number = b != NULL ? subtract (a[0], b[0]) : a[0];
  return number.re * number.re + number.im * number.im;
}

double
fourier_norm (const Complex *x, int n)
{
  return sqrt (sum_squares (x, NULL, n));
}

double
fourier_distance (const Complex *a, const Complex *b, int n)
{
  return sqrt (sum_squares (a, b, n));
}

double
fourier_error_bound (int n)
{
  const double unit = DBL_EPSILON / 2;
  int log_n = g_bit_nth_lsf ((gulong)n, -1);
  /* A principal root loses at most 4 units at each halving of the angle. A root is the product of
   * at most log_n of these, and a complex product loses at most 3 units. */
  double root = log_n * (4.0 * log_n + 3) * unit;
  double gamma = 4 * unit / (1 - 4 * unit);
  double step = root + gamma * (sqrt (2) + root);
  return log_n * step / (1 - log_n * step);
}
