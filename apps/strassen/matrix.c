/* matrix.c - Strassen's method, plain multiplication, and the check of a product
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "matrix.h"

#include <math.h>
#include <float.h>
#include <string.h>
#include <satin/base/random.h>

/* Three blocks of this size fit into the first cache of most processors. */
#define BLOCK 32

/* Whole entries are at most this far from 0. */
#define MAX_WHOLE 9

/* Random vectors of a check, and the range of their entries: from 0 to %CHECK_RANGE - 1. */
#define N_CHECKS    3
#define CHECK_RANGE 1024

double *
matrix_draw (int n, gboolean is_real, guint64 *state)
{
  gsize n_entries = matrix_n_entries (n);
  double *entries = g_new (double, n_entries);
  for (gsize i = 0; i < n_entries; i++)
    {
      guint64 number = satin_random_next (state);
      if (is_real)
        entries[i] = 2 * satin_random_share (number) - 1;
      else
        entries[i] = (double)(number % (2 * MAX_WHOLE + 1)) - MAX_WHOLE;
    }
  return entries;
}

/* Adds the product of two blocks to a block. */
static void
multiply_block (const double *a, const double *b, int n, int n_rows, int n_inner, int n_columns,
                double *c)
{
  for (int i = 0; i < n_rows; i++)
    for (int k = 0; k < n_inner; k++)
      {
        double factor = a[i * n + k];
        for (int j = 0; j < n_columns; j++)
          c[i * n + j] += factor * b[k * n + j];
      }
}

void
matrix_multiply (const double *a, const double *b, int n, double *ret_c)
{
  memset (ret_c, 0, matrix_n_entries (n) * sizeof *ret_c);
  for (int i = 0; i < n; i += BLOCK)
    for (int k = 0; k < n; k += BLOCK)
      for (int j = 0; j < n; j += BLOCK)
        multiply_block (a + i * n + k, b + k * n + j, n, MIN (BLOCK, n - i), MIN (BLOCK, n - k),
                        MIN (BLOCK, n - j), ret_c + i * n + j);
}

/* ---- Strassen's method ---- */

/* A factor of a product is a quarter of a matrix, or the sum or difference of two quarters.
 * Quarters are numbered row by row. */
typedef struct
{
  int first;
  int second; /* -1 for none */
  double sign;
} Factor;

static const Factor factors[MATRIX_N_PRODUCTS][2] = {
  { { 0, 3, 1 }, { 0, 3, 1 } },   { { 2, 3, 1 }, { 0, -1, 0 } }, { { 0, -1, 0 }, { 1, 3, -1 } },
  { { 3, -1, 0 }, { 2, 0, -1 } }, { { 0, 1, 1 }, { 3, -1, 0 } }, { { 2, 0, -1 }, { 0, 1, 1 } },
  { { 1, 3, -1 }, { 2, 3, 1 } },
};

static const double *
quarter (const double *matrix, int n, int index)
{
  int half = n / 2;
  return matrix + index / 2 * half * n + index % 2 * half;
}

static void
make_factor (const Factor *factor, const double *matrix, int n, double *ret_factor)
{
  int half = n / 2;
  const double *first = quarter (matrix, n, factor->first);
  const double *second = factor->second < 0 ? NULL : quarter (matrix, n, factor->second);
  for (int i = 0; i < half; i++)
    for (int j = 0; j < half; j++)
      {
        double entry = first[i * n + j];
        ret_factor[i * half + j] =
            second == NULL ? entry : entry + factor->sign * second[i * n + j];
      }
}

double *
matrix_divide (const double *a, const double *b, int n)
{
  gsize n_entries = matrix_n_entries (n / 2);
  double *all = g_new (double, 2 * MATRIX_N_PRODUCTS * n_entries);
  for (int i = 0; i < MATRIX_N_PRODUCTS; i++)
    {
      make_factor (&factors[i][0], a, n, all + (gsize)(2 * i) * n_entries);
      make_factor (&factors[i][1], b, n, all + (gsize)(2 * i + 1) * n_entries);
    }
  return all;
}

void
matrix_combine (const double *const *products, int n, double *ret_c)
{
  const double *const *p = products;
  int half = n / 2;
  for (int i = 0; i < half; i++)
    for (int j = 0; j < half; j++)
      {
        int at = i * half + j;
        double *upper = ret_c + i * n + j, *lower = upper + half * n;
        upper[0] = p[0][at] + p[3][at] - p[4][at] + p[6][at];
        upper[half] = p[2][at] + p[4][at];
        lower[0] = p[1][at] + p[3][at];
        lower[half] = p[0][at] - p[1][at] + p[2][at] + p[5][at];
      }
}

void
matrix_multiply_strassen (const double *a, const double *b, int n, int leaf, double *ret_c)
{
  if (!matrix_is_divided (n, leaf))
    {
      matrix_multiply (a, b, n, ret_c);
      return;
    }
  gsize n_entries = matrix_n_entries (n / 2);
  g_autofree double *all = matrix_divide (a, b, n);
  g_autofree double *results = g_new (double, MATRIX_N_PRODUCTS *n_entries);
  const double *products[MATRIX_N_PRODUCTS];
  for (gsize i = 0; i < MATRIX_N_PRODUCTS; i++)
    {
      double *result = results + i * n_entries;
      matrix_multiply_strassen (all + 2 * i * n_entries, all + (2 * i + 1) * n_entries, n / 2, leaf,
                                result);
      products[i] = result;
    }
  matrix_combine (products, n, ret_c);
}

/* ---- the check ---- */

static void
multiply_vector (const double *matrix, const double *vector, int n, double *ret_vector)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < n; j++)
        sum += matrix[i * n + j] * vector[j];
      ret_vector[i] = sum;
    }
}

/* The largest error of an entry of a product of matrices with entries up to 1: Higham's bound.
 * Sizes that cannot be halved count as leaves. */
static double
entry_error (int n, int leaf)
{
  int n_plain = n;
  double growth = 1;
  while (matrix_is_divided (n_plain, leaf))
    {
      n_plain /= 2;
      growth *= 12;
    }
  return growth * ((double)n_plain * n_plain + 5.0 * n_plain) * DBL_EPSILON / 2;
}

gboolean
matrix_check_product (const double *a, const double *b, const double *c, int n, int leaf,
                      gboolean is_real, guint64 *state)
{
  g_autofree double *vectors = g_new (double, 4 * (gsize)n);
  double *random = vectors, *right = random + n, *expected = right + n, *found = expected + n;
  double length = (double)n * (CHECK_RANGE - 1);
  /* The second part is for the errors of the check itself: sums of n numbers, of n numbers each. */
  double allowed = is_real ? length * (entry_error (n, leaf) + 2 * (double)n * n * DBL_EPSILON) : 0;
  for (int i = 0; i < N_CHECKS; i++)
    {
      for (int j = 0; j < n; j++)
        random[j] = (double)(satin_random_next (state) % CHECK_RANGE);
      multiply_vector (b, random, n, right);
      multiply_vector (a, right, n, expected);
      multiply_vector (c, random, n, found);
      /* NaN fails the comparison. */
      for (int j = 0; j < n; j++)
        if (!(fabs (expected[j] - found[j]) <= allowed))
          return FALSE;
    }
  return TRUE;
}
