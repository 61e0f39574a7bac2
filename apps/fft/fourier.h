/* fourier.h - the discrete Fourier transform by the recursion of Cooley and Tukey, without jobs
 *
 * The transform of x is X with X[k] = sum over j of x[j] * w^(j k), w = exp (-2 pi i / n). The
 * inverse transform has the conjugate of w, and divides by n. n is a power of two. A complex number
 * is two doubles, the real part first.
 *
 * All functions use only addition, multiplication, division and square roots, in a fixed order. So
 * all machines compute the same bits, and it does not matter at which sizes a transform is divided
 * into jobs.
 *
 * Threads: any. Source: J. W. Cooley, J. W. Tukey, "An algorithm for the machine calculation of
 * complex Fourier series", Mathematics of Computation 19, 1965.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/api.h>

G_BEGIN_DECLS

/* The longest transform, and its logarithm. */
#define FOURIER_MAX_LOG  22
#define FOURIER_MAX_SIZE (1 << FOURIER_MAX_LOG)

typedef struct
{
  double re;
  double im;
} Complex;

/* Number of doubles in @n complex numbers. */
static inline gsize
fourier_n_doubles (int n)
{
  return 2 * (gsize)n;
}

/* Whether @n is a power of two from 1 to %FOURIER_MAX_SIZE. */
static inline gboolean
fourier_is_size (int n)
{
  return n >= 1 && n <= FOURIER_MAX_SIZE && (n & (n - 1)) == 0;
}

/**
 * fourier_roots:
 * @n: a valid size
 * @is_inverse: of the inverse transform
 *
 * Computes the powers 0 to n / 2 - 1 of w. A root of a transform of half the size is among them: it
 * has the same bits there.
 *
 * Returns: (transfer full): free with g_free()
 */
Complex *fourier_roots (int n, gboolean is_inverse);

/**
 * fourier_split:
 * @x: n numbers
 * @n: a valid size above 1
 *
 * Returns: (transfer full): the n / 2 numbers with even indices, and then those with odd indices;
 *   free with g_free()
 */
Complex *fourier_split (const Complex *x, int n);

/**
 * fourier_join:
 * @even: transform of the numbers with even indices
 * @odd: transform of the numbers with odd indices; may be n / 2 numbers behind @even
 * @n: a valid size above 1
 * @roots: powers of the w of that size
 * @step: distance of two such powers in @roots
 * @ret_x: (out caller-allocates): the transform of all; may begin at @even if @odd is behind it
 */
void fourier_join (const Complex *even, const Complex *odd, int n, const Complex *roots, int step,
                   Complex *ret_x);

/* Computes the transform without the division by n. @roots: those of size @n. @ret_x: (out
 * caller-allocates): not @x */
void fourier_transform (const Complex *x, int n, const Complex *roots, Complex *ret_x);

/* Divides by @n, which is exact. */
void fourier_scale (Complex *x, int n);

/* Returns: the square root of the sum of the squares of the absolute values */
double fourier_norm (const Complex *x, int n);

/* Returns: the norm of @a - @b, as fourier_norm() computes it */
double fourier_distance (const Complex *a, const Complex *b, int n);

/**
 * fourier_error_bound:
 *
 * Computes how large the norm of the error of a transform may be, as a multiple of the norm of the
 * exact transform.
 *
 * Source: N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2002, theorem 24.2
 */
double fourier_error_bound (int n);

G_END_DECLS
