/* test-strassen.c - tests Strassen's method and the check of a product
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "strassen/matrix.h"

#include <string.h>

/* The product by its definition. */
static double *
multiply_by_definition (const double *a, const double *b, int n)
{
  double *c = g_new0 (double, matrix_n_entries (n));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  return c;
}

static void
test_two_by_two_is_known (void)
{
  static const double a[] = { 1, 2, 3, 4 }, b[] = { 5, 6, 7, 8 }, c[] = { 19, 22, 43, 50 };
  double plain[4], strassen[4];
  matrix_multiply (a, b, 2, plain);
  matrix_multiply_strassen (a, b, 2, 1, strassen);
  g_assert_cmpmem (plain, sizeof plain, c, sizeof c);
  g_assert_cmpmem (strassen, sizeof strassen, c, sizeof c);
}

/* Some of the sizes cannot be halved, and some do not fit into blocks. */
static void
test_whole_products_are_exact (void)
{
  static const int sizes[] = { 1, 2, 3, 7, 32, 33, 36, 64, 72, 100, 129 };
  static const int leaves[] = { 1, 5, 16, 2048 };
  guint64 state = 5;
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      int n = sizes[i];
      gsize size_bytes = matrix_n_entries (n) * sizeof (double);
      g_autofree double *a = matrix_draw (n, FALSE, &state), *b = matrix_draw (n, FALSE, &state);
      g_autofree double *expected = multiply_by_definition (a, b, n), *c = g_malloc (size_bytes);
      for (gsize j = 0; j < G_N_ELEMENTS (leaves); j++)
        {
          matrix_multiply_strassen (a, b, n, leaves[j], c);
          for (gsize k = 0; k < matrix_n_entries (n); k++)
            g_assert_cmpfloat (c[k], ==, expected[k]);
          g_assert_true (matrix_check_product (a, b, c, n, leaves[j], FALSE, &state));
        }
    }
}

static void
test_real_products_are_within_the_bound (void)
{
  guint64 state = 6;
  for (int leaf = 1; leaf <= 128; leaf *= 2)
    {
      g_autofree double *a = matrix_draw (128, TRUE, &state), *b = matrix_draw (128, TRUE, &state);
      g_autofree double *c = g_new (double, matrix_n_entries (128));
      matrix_multiply_strassen (a, b, 128, leaf, c);
      g_assert_true (matrix_check_product (a, b, c, 128, leaf, TRUE, &state));
    }
}

static void
test_wrong_products_are_found (void)
{
  for (int is_real = 0; is_real <= 1; is_real++)
    {
      guint64 state = 7;
      int n = 48;
      g_autofree double *a = matrix_draw (n, is_real, &state),
                        *b = matrix_draw (n, is_real, &state);
      g_autofree double *c = g_new (double, matrix_n_entries (n));
      matrix_multiply_strassen (a, b, n, 12, c);
      for (gsize i = 0; i < matrix_n_entries (n); i += 97)
        {
          double right = c[i];
          c[i] += is_real ? 1e-6 : 1;
          g_assert_false (matrix_check_product (a, b, c, n, 12, is_real, &state));
          c[i] = right;
        }
      /* Two wrong entries whose sum is right. */
      c[0] += 1;
      c[1] -= 1;
      g_assert_false (matrix_check_product (a, b, c, n, 12, is_real, &state));
      c[1] = 0.0 / 0.0;
      g_assert_false (matrix_check_product (a, b, c, n, 12, is_real, &state));
    }
}

static void
test_seeds_make_other_matrices (void)
{
  guint64 state = 1, other = 2;
  g_autofree double *a = matrix_draw (8, FALSE, &state), *b = matrix_draw (8, FALSE, &other);
  g_assert_cmpint (memcmp (a, b, 64 * sizeof (double)), !=, 0);
  for (int i = 0; i < 64; i++)
    {
      g_assert_cmpfloat (a[i], >=, -9);
      g_assert_cmpfloat (a[i], <=, 9);
      g_assert_cmpfloat (a[i], ==, (int)a[i]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-strassen/" path, function)
  CASE ("two-by-two-is-known", test_two_by_two_is_known);
  CASE ("whole-products-are-exact", test_whole_products_are_exact);
  CASE ("real-products-are-within-the-bound", test_real_products_are_within_the_bound);
  CASE ("wrong-products-are-found", test_wrong_products_are_found);
  CASE ("seeds-make-other-matrices", test_seeds_make_other_matrices);
  return g_test_run ();
}
