/* fft.c - transforms a signal there and back: a transform divides into the transforms of the
 * numbers with even and with odd indices
 *
 * The argument of a job is its part of the signal, and the result is the transform of that part. So
 * a job of size n sends 32 n bytes for 5 n log2 n operations. Over a network that is not worth it.
 * The program shows how such a computation behaves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "../common/arguments.h"
#include "../common/digest.h"
#include "../common/options.h"
#include "fourier.h"
#include "signals.h"

#define DEFAULT_LEAF   4096
#define DEFAULT_ROUNDS 1
#define DEFAULT_SEED   1

#define MAX_ROUNDS 10000

/* The arrays of jobs have doubles, of which two are a complex number. */
G_STATIC_ASSERT (sizeof (Complex) == 2 * sizeof (double));

/**
 * Transform:
 * @numbers: (owned): complex numbers, two doubles each
 * @n_jobs: number of jobs that computed them
 */
SATIN_RECORD (Transform, (array_double, numbers), (long, n_jobs))

static gboolean
check_arguments (gsize n_doubles, int n, int leaf, GError **error)
{
  if (!app_argument_check ("leaf", leaf, 1, FOURIER_MAX_SIZE, error))
    return FALSE;
  if (!fourier_is_size (n) || n_doubles != fourier_n_doubles (n))
    return app_argument_refuse ("the size is no power of two, or not that of the signal", error);
  return TRUE;
}

/* Puts the transforms of both halves together. They may come from another node. */
static gboolean
join (const Transform *halves, int n, gboolean is_inverse, Transform *transform, GError **error)
{
  if (halves[0].n_numbers != fourier_n_doubles (n / 2)
      || halves[1].n_numbers != fourier_n_doubles (n / 2))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB, "a transform of size %d has another size",
                   n / 2);
      return FALSE;
    }
  g_autofree Complex *roots = fourier_roots (n, is_inverse);
  double *numbers = g_new (double, fourier_n_doubles (n));
  fourier_join ((const Complex *)halves[0].numbers, (const Complex *)halves[1].numbers, n, roots, 1,
                (Complex *)numbers);
  transform->numbers = numbers;
  transform->n_numbers = fourier_n_doubles (n);
  transform->n_jobs += halves[0].n_jobs + halves[1].n_jobs;
  return TRUE;
}

/* Transforms the @n complex numbers of @x. Transforms up to the size @leaf make no jobs. */
SATIN_TASK (fft, (record, Transform), (array_double, x), (int, n), (int, leaf),
            (boolean, is_inverse))
{
  Transform transform = { .n_jobs = 1 }, halves[2] = { 0 };
  GError *error = NULL;
  if (!check_arguments (n_x, n, leaf, &error))
    {
      satin_fail (error);
      return transform;
    }
  if (n <= leaf)
    {
      g_autofree Complex *roots = fourier_roots (n, is_inverse);
      double *numbers = g_new (double, n_x);
      fourier_transform ((const Complex *)x, n, roots, (Complex *)numbers);
      transform.numbers = numbers;
      transform.n_numbers = n_x;
      return transform;
    }
  g_autofree Complex *parts = fourier_split ((const Complex *)x, n);
  for (int i = 0; i < 2; i++)
    SATIN_SPAWN (&halves[i], fft, (const double *)(parts + i * (n / 2)), n_x / 2, n / 2, leaf,
                 is_inverse);
  if (SATIN_SYNC () && !join (halves, n, is_inverse, &transform, &error))
    satin_fail (error);
  for (int i = 0; i < 2; i++)
    satin_record_clear (&Transform_record, &halves[i]);
  return transform;
}

/* ---- the command line ---- */

/**
 * FftOptions:
 * @kind: the signal
 * @n: number of its complex numbers
 * @leaf: size of transforms without jobs
 * @n_rounds: how often it is transformed there and back
 * @seed: of a random signal
 */
typedef struct
{
  AppOptions common;
  SignalKind kind;
  int n;
  int leaf;
  int n_rounds;
  int seed;
} FftOptions;

static gboolean
read_options (const SatinString *argv, gsize n_argv, FftOptions *options, GError **error)
{
  g_autofree char *kind = NULL, *operand = NULL;
  const AppNumber numbers[] = {
    { "leaf", "Transforms up to this size make no jobs", 1, FOURIER_MAX_SIZE, DEFAULT_LEAF,
      &options->leaf },
    { "rounds", "There and back N times", 1, MAX_ROUNDS, DEFAULT_ROUNDS, &options->n_rounds },
    { "seed", "Another random signal for each seed", 0, G_MAXINT, DEFAULT_SEED, &options->seed },
    APP_NUMBER_NULL,
  };
  const GOptionEntry entries[] = {
    { "signal", 0, 0, G_OPTION_ARG_STRING, &kind,
      "What is transformed: " SIGNAL_KINDS " (" SIGNAL_DEFAULT ")", "KIND" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "SIZE",
                           "Transforms SIZE complex numbers, a power of two, by the fast Fourier "
                           "transform, and back.",
                           entries, numbers };
  if (!app_options_parse (&usage, argv, n_argv, &options->common, &operand, error))
    return FALSE;
  if (options->common.is_help)
    return TRUE;
  if (!app_number_parse (operand, 1, FOURIER_MAX_SIZE, &options->n, error)
      || !signal_find (kind != NULL ? kind : SIGNAL_DEFAULT, &options->kind, error))
    return FALSE;
  if (fourier_is_size (options->n))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "SIZE is %d, but must be a power of two",
               options->n);
  return FALSE;
}

/* Transforms without jobs. Returns: (transfer full) */
static Transform
transform_sequential (const double *x, const FftOptions *options, gboolean is_inverse)
{
  g_autofree Complex *roots = fourier_roots (options->n, is_inverse);
  gsize n_numbers = fourier_n_doubles (options->n);
  double *numbers = g_new (double, n_numbers);
  fourier_transform ((const Complex *)x, options->n, roots, (Complex *)numbers);
  return (Transform){ .numbers = numbers, .n_numbers = n_numbers };
}

/**
 * Work:
 * @options: (borrowed)
 * @input: (owned): what the current round transforms: the signal, or the previous round's @back
 * @there: (owned): the transform
 * @back: (owned): its inverse transform, which should be @input again
 * @n_jobs: number of jobs of all rounds
 */
typedef struct
{
  const FftOptions *options;
  double *input;
  Transform there;
  Transform back;
  gint64 n_jobs;
} Work;

static void
work_init (Work *self, const FftOptions *options)
{
  *self = (Work){ .options = options };
  self->input = (double *)signal_make (options->kind, options->n, (guint64)options->seed);
}

static void
work_clear (Work *self)
{
  g_free (self->input);
  satin_record_clear (&Transform_record, &self->there);
  satin_record_clear (&Transform_record, &self->back);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

/* Begins a round. Its input is the result of the round before it, or at first the signal. */
static void
work_begin_round (Work *self)
{
  if (self->back.numbers != NULL)
    {
      g_free (self->input);
      self->input = (double *)g_steal_pointer (&self->back.numbers);
    }
  satin_record_clear (&Transform_record, &self->there);
  satin_record_clear (&Transform_record, &self->back);
}

/* Ends a round: checks the sizes of its transforms, which may come from another node, and divides
 * @back by n. */
static gboolean
work_end_round (Work *self, GError **error)
{
  gsize n_doubles = fourier_n_doubles (self->options->n);
  if (self->there.n_numbers != n_doubles || self->back.n_numbers != n_doubles)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_JOB,
                           "a transform has not the size of the signal");
      return FALSE;
    }
  fourier_scale ((Complex *)self->back.numbers, self->options->n);
  self->n_jobs += self->there.n_jobs + self->back.n_jobs;
  return TRUE;
}

/* Does a round without jobs. */
static void
work_do_round (Work *self)
{
  self->there = transform_sequential (self->input, self->options, FALSE);
  self->back = transform_sequential (self->there.numbers, self->options, TRUE);
}

/* All rounds without jobs. @user_data: the #FftOptions */
static void
work_again (gpointer user_data)
{
  g_auto (Work) work;
  work_init (&work, user_data);
  for (int i = 0; i < work.options->n_rounds; i++)
    {
      work_begin_round (&work);
      work_do_round (&work);
      work_end_round (&work, NULL);
    }
}

/* Checks the transforms of the last round, and prints what was found. */
static gboolean
print_work (const Work *work, GError **error)
{
  const FftOptions *options = work->options;
  g_autofree Complex *signal = signal_make (options->kind, options->n, (guint64)options->seed);
  const SignalPair pair = { signal, (const Complex *)work->there.numbers,
                            (const Complex *)work->back.numbers, options->n, options->n_rounds };
  double error_there, error_back;
  if (!signal_check (options->kind, &pair, &error_there, &error_back, error))
    return FALSE;
  g_autofree char *digest = app_digest (work->there.numbers, work->there.n_numbers);
  g_print ("fft: %s, %d numbers, digest %s, error %.1e, and back %.1e\n",
           signal_name (options->kind), options->n, digest, error_there, error_back);
  return TRUE;
}

SATIN_TASK (fft_main, (int), (array_string, argv))
{
  FftOptions options = { 0 };
  GError *error = NULL;
  if (!read_options (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;

  g_auto (Work) work;
  gsize n_doubles = fourier_n_doubles (options.n);
  work_init (&work, &options);
  gint64 started_us = g_get_monotonic_time ();
  for (int i = 0; i < options.n_rounds; i++)
    {
      work_begin_round (&work);
      if (options.common.is_sequential)
        work_do_round (&work);
      else
        {
          SATIN_SPAWN (&work.there, fft, work.input, n_doubles, options.n, options.leaf, FALSE);
          SATIN_SYNC_OR_RETURN (0);
          SATIN_SPAWN (&work.back, fft, work.there.numbers, work.there.n_numbers, options.n,
                       options.leaf, TRUE);
        }
      SATIN_SYNC_OR_RETURN (0);
      if (!work_end_round (&work, &error))
        {
          satin_fail (error);
          return 0;
        }
    }

  gint64 time_us = g_get_monotonic_time () - started_us;
  if (!print_work (&work, &error))
    satin_fail (error);
  else
    app_report_time (&options.common, "fft", time_us, work.n_jobs, work_again, &options);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, fft_main);
}
