/* test-strassen-job.c - jobs of strassen refuse matrices and sizes that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "strassen/strassen.c"
#undef main

static void
test_wrong_arguments_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const double a[16] = { 1 }, b[16] = { 1 };
  Product product = { 0 };
  g_assert_true (satin_run (workers, &product, multiply, NULL, a, 16, b, 16, 4, 1));
  g_assert_cmpuint (product.n_entries, ==, 16);
  satin_record_clear (&Product_record, &product);

  ASSERT_REFUSED (workers, "size", &product, multiply, a, 16, b, 16, 0, 1);
  ASSERT_REFUSED (workers, "size", &product, multiply, a, 16, b, 16, 2049, 1);
  ASSERT_REFUSED (workers, "leaf", &product, multiply, a, 16, b, 16, 4, 0);
  ASSERT_REFUSED (workers, "as many entries", &product, multiply, a, 15, b, 16, 4, 1);
  ASSERT_REFUSED (workers, "as many entries", &product, multiply, a, 16, b, 0, 4, 1);
  ASSERT_REFUSED (workers, "as many entries", &product, multiply, a, 16, b, 16, 2048, 1);
}

/* Another node may return a product with too few entries. */
static void
test_product_of_another_size_is_refused (void)
{
  Product parts[MATRIX_N_PRODUCTS], product = { 0 };
  static const double entries[4];
  g_autoptr (GError) error = NULL;
  for (int i = 0; i < MATRIX_N_PRODUCTS; i++)
    parts[i] = (Product){ entries, i < 6 ? 4 : 3, 1 };
  g_assert_false (combine (parts, 4, &product, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
  g_assert_null (product.entries);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-strassen-job/wrong-arguments-are-refused",
                   test_wrong_arguments_are_refused);
  g_test_add_func ("/app-strassen-job/product-of-another-size-is-refused",
                   test_product_of_another_size_is_refused);
  return g_test_run ();
}
