/* strassen.c - multiplies matrices by Strassen's method: a product divides into seven of half the
 * size
 *
 * The arguments of a job are the two factors of its product, and the result is the product. So a
 * job of size n sends 24 n^2 bytes for 2 n^3 operations or fewer. Only large jobs are worth that.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "../common/arguments.h"
#include "../common/digest.h"
#include "../common/options.h"
#include "matrix.h"

#define DEFAULT_LEAF 64
#define DEFAULT_SEED 1

/**
 * Product:
 * @entries: (owned): a matrix
 * @n_jobs: number of jobs that computed it
 */
SATIN_RECORD (Product, (array_double, entries), (long, n_jobs))

static gboolean
check_arguments (gsize n_a, gsize n_b, int n, int leaf, GError **error)
{
  if (!app_argument_check ("size", n, 1, MATRIX_MAX_SIZE, error)
      || !app_argument_check ("leaf", leaf, 1, MATRIX_MAX_SIZE, error))
    return FALSE;
  if (n_a != matrix_n_entries (n) || n_b != matrix_n_entries (n))
    return app_argument_refuse ("a factor has not as many entries as its size says", error);
  return TRUE;
}

/* Puts seven products of half the size together. They may come from other nodes. */
static gboolean
combine (const Product *parts, int n, Product *product, GError **error)
{
  const double *entries[MATRIX_N_PRODUCTS];
  for (int i = 0; i < MATRIX_N_PRODUCTS; i++)
    {
      if (parts[i].n_entries != matrix_n_entries (n / 2))
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB,
                       "a product of size %d has %" G_GSIZE_FORMAT " entries", n / 2,
                       parts[i].n_entries);
          return FALSE;
        }
      entries[i] = parts[i].entries;
      product->n_jobs += parts[i].n_jobs;
    }
  product->n_entries = matrix_n_entries (n);
  double *all = g_new (double, product->n_entries);
  matrix_combine (entries, n, all);
  product->entries = all;
  return TRUE;
}

/* Multiplies @a and @b of size @n. Products up to the size @leaf are plain ones. */
SATIN_TASK (multiply, (record, Product), (array_double, a), (array_double, b), (int, n),
            (int, leaf))
{
  Product product = { .n_jobs = 1 }, parts[MATRIX_N_PRODUCTS] = { 0 };
  GError *error = NULL;
  if (!check_arguments (n_a, n_b, n, leaf, &error))
    {
      satin_fail (error);
      return product;
    }
  if (!matrix_is_divided (n, leaf))
    {
      double *entries = g_new (double, n_a);
      matrix_multiply (a, b, n, entries);
      product.entries = entries;
      product.n_entries = n_a;
      return product;
    }
  gsize n_half = matrix_n_entries (n / 2);
  g_autofree double *factors = matrix_divide (a, b, n);
  for (int i = 0; i < MATRIX_N_PRODUCTS; i++)
    {
      const double *left = factors + (gsize)(2 * i) * n_half;
      SATIN_SPAWN (&parts[i], multiply, left, n_half, left + n_half, n_half, n / 2, leaf);
    }
  if (SATIN_SYNC () && !combine (parts, n, &product, &error))
    satin_fail (error);
  for (int i = 0; i < MATRIX_N_PRODUCTS; i++)
    satin_record_clear (&Product_record, &parts[i]);
  return product;
}

/* ---- the command line ---- */

/**
 * StrassenOptions:
 * @n: size of the matrices
 * @leaf: size of plain products
 * @seed: of the entries
 * @is_real: entries are real numbers
 */
typedef struct
{
  AppOptions common;
  int n;
  int leaf;
  int seed;
  gboolean is_real;
} StrassenOptions;

static gboolean
read_options (const SatinString *argv, gsize n_argv, StrassenOptions *options, GError **error)
{
  const AppNumber numbers[] = {
    { "leaf", "Products up to this size are plain ones", 1, MATRIX_MAX_SIZE, DEFAULT_LEAF,
      &options->leaf },
    { "seed", "Other matrices for each seed", 0, G_MAXINT, DEFAULT_SEED, &options->seed },
    APP_NUMBER_NULL,
  };
  const GOptionEntry entries[] = {
    { "real", 0, 0, G_OPTION_ARG_NONE, &options->is_real,
      "Entries are real numbers in [-1, 1), not whole numbers from -9 to 9", NULL },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "SIZE",
                           "Multiplies two matrices of SIZE rows and columns by Strassen's "
                           "method, and checks the product.",
                           entries, numbers };
  g_autofree char *operand = NULL;
  return app_options_parse (&usage, argv, n_argv, &options->common, &operand, error)
         && (options->common.is_help
             || app_number_parse (operand, 1, MATRIX_MAX_SIZE, &options->n, error));
}

/**
 * Factors:
 * @options: (borrowed)
 * @a, @b: (owned): the matrices to multiply
 * @state: of satin_random_next(), after the entries of both matrices were drawn
 */
typedef struct
{
  const StrassenOptions *options;
  double *a;
  double *b;
  guint64 state;
} Factors;

static void
factors_init (Factors *self, const StrassenOptions *options)
{
  *self = (Factors){ .options = options, .state = (guint64)options->seed };
  self->a = matrix_draw (options->n, options->is_real, &self->state);
  self->b = matrix_draw (options->n, options->is_real, &self->state);
}

static void
factors_clear (Factors *self)
{
  g_free (self->a);
  g_free (self->b);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Factors, factors_clear)

static Product
multiply_sequential (const Factors *factors)
{
  const StrassenOptions *options = factors->options;
  gsize n_entries = matrix_n_entries (options->n);
  double *entries = g_new (double, n_entries);
  matrix_multiply_strassen (factors->a, factors->b, options->n, options->leaf, entries);
  return (Product){ .entries = entries, .n_entries = n_entries };
}

static void
multiply_again (gpointer user_data)
{
  Product product = multiply_sequential (user_data);
  satin_record_clear (&Product_record, &product);
}

/* Checks and prints the product. */
static gboolean
print_product (Factors *factors, const Product *product, GError **error)
{
  const StrassenOptions *options = factors->options;
  if (product->n_entries != matrix_n_entries (options->n)
      || !matrix_check_product (factors->a, factors->b, product->entries, options->n, options->leaf,
                                options->is_real, &factors->state))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_JOB, "the product is wrong");
      return FALSE;
    }
  g_autofree char *digest = app_digest (product->entries, product->n_entries);
  g_print ("strassen: %d x %d, %s entries, leaf %d, digest %s, checked\n", options->n, options->n,
           options->is_real ? "real" : "whole", options->leaf, digest);
  return TRUE;
}

SATIN_TASK (strassen_main, (int), (array_string, argv))
{
  StrassenOptions options = { 0 };
  GError *error = NULL;
  if (!read_options (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;

  g_auto (Factors) factors;
  Product product = { 0 };
  gsize n_entries = matrix_n_entries (options.n);
  factors_init (&factors, &options);
  gint64 started_us = g_get_monotonic_time ();
  if (options.common.is_sequential)
    product = multiply_sequential (&factors);
  else
    SATIN_SPAWN (&product, multiply, factors.a, n_entries, factors.b, n_entries, options.n,
                 options.leaf);
  SATIN_SYNC_OR_RETURN (0);

  gint64 time_us = g_get_monotonic_time () - started_us;
  if (!print_product (&factors, &product, &error))
    satin_fail (error);
  else
    app_report_time (&options.common, "strassen", time_us, product.n_jobs, multiply_again,
                     &factors);
  satin_record_clear (&Product_record, &product);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, strassen_main);
}
