/* primefactors.c - prime factors of large numbers: divides the range of candidates into jobs
 *
 * A factor makes all larger candidates useless. So the search of the upper half of the candidates
 * is speculation. It is aborted when the lower half has found a factor.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <satin/core/inlet.h>

#include "../common/arguments.h"
#include "../common/options.h"
#include "factors.h"
#include "input.h"

/* A job of this many numbers, of which eight in thirty are candidates, takes some milliseconds. */
#define DEFAULT_GRAIN 4000000

SATIN_INLET (hear_lower, (void, frame), (gint64, prime), error)
{
  if (prime != NULL && *prime != 0)
    SATIN_ABORT_OTHERS ();
}

static gboolean
check_grain (int grain, GError **error)
{
  return app_argument_check ("grain", grain, 1, G_MAXINT, error);
}

/* Like primefactors_smallest(), in jobs of at most @grain numbers. */
SATIN_TASK (smallest_factor, (long), (long, number), (long, from), (long, to), (int, grain))
{
  gint64 lower, upper;
  GError *error = NULL;
  if (!app_argument_check ("number", number, 1, G_MAXINT64, &error)
      || !app_argument_check ("end of the candidates", to, 2, PRIMEFACTORS_MAX_END, &error)
      || !app_argument_check ("first candidate", from, 2, to, &error)
      || !check_grain (grain, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (to - from <= grain)
    return primefactors_smallest (number, from, to);
  gint64 middle = from + (to - from) / 2;
  /* A worker runs its newest job first, and thieves steal the oldest. So the lower half runs
   * first. */
  SATIN_SPAWN (&upper, smallest_factor, number, middle, to, grain);
  SATIN_SPAWN_INLET (&lower, hear_lower, NULL, smallest_factor, number, from, middle, grain);
  SATIN_SYNC_OR_RETURN (0);
  return lower != 0 ? lower : upper;
}

/* Checks a result that another node may have found. It must be 0, or a factor of @number among the
 * candidates from @from to @to - 1. */
static gboolean
check_factor (gint64 factor, gint64 number, gint64 from, gint64 to, GError **error)
{
  if (factor == 0 || (factor >= from && factor < to && number % factor == 0))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB,
               "%" G_GINT64_FORMAT " was found, which is no factor of %" G_GINT64_FORMAT
               " among the candidates",
               factor, number);
  return FALSE;
}

/* Finds all prime factors of @number. After each factor, this job tries the next @grain numbers
 * itself, and only then spawns jobs: most numbers have small factors, and each division by a factor
 * shortens the search. */
SATIN_TASK (factors, (record, PrimeFactors), (long, number), (int, grain))
{
  Factoring factoring;
  gint64 prime;
  GError *error = NULL;
  if (!app_argument_check ("number", number, 1, G_MAXINT64, &error) || !check_grain (grain, &error))
    {
      satin_fail (error);
      return (PrimeFactors){ 0 };
    }
  factoring_init (&factoring, number);
  do
    {
      gint64 to = factoring_end (&factoring), middle = MIN (to, factoring.next + grain);
      prime = primefactors_smallest (factoring.rest, factoring.next, middle);
      if (prime == 0 && middle < to)
        SATIN_SPAWN (&prime, smallest_factor, factoring.rest, middle, to, grain);
      SATIN_SYNC_OR_RETURN ((PrimeFactors){ 0 });
      if (!check_factor (prime, factoring.rest, factoring.next, to, &error))
        {
          satin_fail (error);
          return (PrimeFactors){ 0 };
        }
      if (prime != 0)
        factoring_note (&factoring, prime);
    }
  while (prime != 0);
  return factoring_finish (&factoring);
}

/* Counts the primes and prime factors of all numbers from @from to @to. */
SATIN_TASK (tally, (record, PrimeTally), (long, from), (long, to), (int, grain))
{
  PrimeTally sum = { 0 }, other = { 0 };
  PrimeFactors found = { 0 };
  GError *error = NULL;
  if (!app_argument_check ("first number", from, 1, G_MAXINT64, &error)
      || !app_argument_check ("last number", to, from, G_MAXINT64, &error)
      || !check_grain (grain, &error))
    {
      satin_fail (error);
      return sum;
    }
  gint64 middle = from + (to - from) / 2;
  if ((double)(to - from + 1) * (double)primefactors_root (to) <= grain)
    {
      primefactors_tally (from, to, &sum);
      return sum;
    }
  if (from == to)
    SATIN_SPAWN (&found, factors, from, grain);
  else
    {
      SATIN_SPAWN (&sum, tally, from, middle, grain);
      SATIN_SPAWN (&other, tally, middle + 1, to, grain);
    }
  SATIN_SYNC_OR_RETURN (sum);
  if (from == to)
    primefactors_count (&sum, found.n_primes);
  satin_record_clear (&PrimeFactors_record, &found);
  sum.n_primes += other.n_primes;
  sum.n_factors += other.n_factors;
  return sum;
}

/* ---- the command line ---- */

typedef struct
{
  AppOptions common;
  PrimeInput input; /* (owned) */
  int grain;
} PrimeOptions;

static void
options_clear (PrimeOptions *self)
{
  prime_input_clear (&self->input);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PrimeOptions, options_clear)

static const char summary[] =
    "Finds the prime factors of numbers up to 9223372036854775807, by division.\n\n"
    "The operand is a number or a file of numbers, and a line is printed for each. For all\n"
    "numbers of a range FROM..TO, their primes and prime factors are counted. Examples:\n"
    "  primefactors 4611686014132420609\n"
    "  primefactors apps/primefactors/instances/mersenne.txt\n"
    "  primefactors 1..1000000 --time";

static gboolean
read_options (const SatinString *argv, gsize n_argv, PrimeOptions *options, GError **error)
{
  const GOptionEntry entries[] = {
    { "grain", 0, 0, G_OPTION_ARG_INT, &options->grain,
      "A job tries the candidates among N numbers (" G_STRINGIFY (DEFAULT_GRAIN) ")", "N" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "NUMBER|FILE|FROM..TO", summary, entries };
  g_autofree char *operand = NULL;
  return app_options_parse (&usage, argv, n_argv, &options->common, &operand, error)
         && (options->common.is_help
             || (app_range_check ("--grain", options->grain, 1, G_MAXINT, error)
                 && prime_input_parse (operand, &options->input, error)));
}

/* ---- the root ---- */

/* Prints a line for each number. If a result is wrong, fails before it prints any line. */
static gboolean
print_factors (const GArray *numbers, const PrimeFactors *found, GError **error)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  for (guint i = 0; i < numbers->len; i++)
    {
      gint64 number = g_array_index (numbers, gint64, i);
      g_autofree char *text = primefactors_to_text (number, &found[i]);
      if (text == NULL)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB,
                       "the factors that were found are not those of %" G_GINT64_FORMAT, number);
          return FALSE;
        }
      g_string_append_printf (lines, "primefactors: %s\n", text);
    }
  g_print ("%s", lines->str);
  return TRUE;
}

static gboolean
print_result (const PrimeInput *input, const PrimeFactors *found, const PrimeTally *sum,
              GError **error)
{
  if (input->numbers != NULL)
    return print_factors (input->numbers, found, error);
  g_print ("primefactors: %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT ": %" G_GINT64_FORMAT
           " primes, %" G_GINT64_FORMAT " prime factors\n",
           input->from, input->to, sum->n_primes, sum->n_factors);
  return TRUE;
}

static void
search_sequential (const PrimeInput *input, PrimeFactors *found, PrimeTally *sum)
{
  if (input->numbers == NULL)
    primefactors_tally (input->from, input->to, sum);
  for (guint i = 0; input->numbers != NULL && i < input->numbers->len; i++)
    {
      Factoring factoring;
      factoring_init (&factoring, g_array_index (input->numbers, gint64, i));
      factoring_run (&factoring);
      found[i] = factoring_finish (&factoring);
    }
}

SATIN_TASK (primefactors_main, (int), (array_string, argv))
{
  g_auto (PrimeOptions) options = { .grain = DEFAULT_GRAIN };
  GError *error = NULL;
  if (!read_options (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;

  const PrimeInput *input = &options.input;
  guint n = input->numbers != NULL ? input->numbers->len : 0;
  g_autofree PrimeFactors *found = g_new0 (PrimeFactors, n);
  PrimeTally sum = { 0 };
  gint64 started_us = g_get_monotonic_time ();
  if (options.common.is_sequential)
    search_sequential (input, found, &sum);
  else if (input->numbers == NULL)
    SATIN_SPAWN (&sum, tally, input->from, input->to, options.grain);
  else
    for (guint i = 0; i < n; i++)
      SATIN_SPAWN (&found[i], factors, g_array_index (input->numbers, gint64, i), options.grain);
  gboolean is_good = SATIN_SYNC ();

  if (is_good && options.common.is_timed)
    app_print_time ("primefactors", g_get_monotonic_time () - started_us, 0, 0);
  if (is_good && !print_result (input, found, &sum, &error))
    satin_fail (error);
  for (guint i = 0; i < n; i++)
    satin_record_clear (&PrimeFactors_record, &found[i]);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, primefactors_main);
}
