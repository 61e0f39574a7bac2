/* matrix.h - square matrices: Strassen's division into seven products, and plain multiplication
 *
 * A matrix of size n is n * n doubles, row by row. Whole numbers of a small range stay exact in all
 * steps. Each function adds in a fixed order, so its result has the same bits everywhere.
 *
 * Threads: any. Source: V. Strassen, "Gaussian elimination is not optimal", Numerische Mathematik
 * 13, 1969.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/api.h>

G_BEGIN_DECLS

#define MATRIX_MAX_SIZE   2048
#define MATRIX_N_PRODUCTS 7

/* Number of entries of a matrix of size @n. */
static inline gsize
matrix_n_entries (int n)
{
  return (gsize)n * (gsize)n;
}

/**
 * matrix_draw:
 * @n: size
 * @is_real: entries are real numbers in [-1, 1), else whole numbers from -9 to 9
 * @state: (inout): of satin_random_next()
 *
 * Returns: (transfer full): free with g_free()
 */
double *matrix_draw (int n, gboolean is_real, guint64 *state);

/* Multiplies @a and @b of size @n the plain way, with blocks that fit into a cache. @ret_c: (out
 * caller-allocates): neither @a nor @b */
void matrix_multiply (const double *a, const double *b, int n, double *ret_c);

/* Whether a product of size @n is divided. An odd size cannot be halved. */
static inline gboolean
matrix_is_divided (int n, int leaf)
{
  return n > leaf && n % 2 == 0;
}

/**
 * matrix_divide:
 * @n: an even size
 *
 * Makes the factors of the seven products.
 *
 * Returns: (transfer full): 14 matrices of half the size, one behind the other: the factors of the
 *   first product, then those of the second, and so on. Free with g_free()
 */
double *matrix_divide (const double *a, const double *b, int n);

/* Computes the product of size @n from the seven products of half the size. @ret_c: (out
 * caller-allocates) */
void matrix_combine (const double *const *products, int n, double *ret_c);

/* Multiplies by Strassen's method without jobs. Products up to the size @leaf are plain ones.
 * @ret_c: (out caller-allocates) */
void matrix_multiply_strassen (const double *a, const double *b, int n, int leaf, double *ret_c);

/**
 * matrix_check_product:
 * @c: what should be the product of @a and @b
 * @leaf: size of the plain products
 * @is_real: with real entries, @c may have rounding errors
 * @state: (inout): of satin_random_next()
 *
 * Multiplies with random vectors r, and compares c r with a (b r). With whole entries, a wrong
 * product passes with a probability of 2^-30 or less. With real entries, errors pass that are not
 * larger than the rounding errors that Strassen's method may have.
 *
 * Source: R. Freivalds, "Fast probabilistic algorithms", MFCS 1979; N. J. Higham, "Accuracy and
 * Stability of Numerical Algorithms", 2002, theorem 23.2, for the bound.
 *
 * Cost: O(n^2)
 *
 * Returns: %TRUE when the product is right
 */
gboolean matrix_check_product (const double *a, const double *b, const double *c, int n, int leaf,
                               gboolean is_real, guint64 *state);

G_END_DECLS
