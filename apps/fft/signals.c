/* signals.c - signals whose transforms are known, and the checks of a transform
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "signals.h"

#include <math.h>
#include <satin/base/random.h>

static const char *const names[] = { "delta", "wave", "random" };

gboolean
signal_find (const char *name, SignalKind *ret_kind, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (name, names[i]) == 0)
      {
        *ret_kind = (SignalKind)i;
        return TRUE;
      }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "--signal is '%s', but must be one of " SIGNAL_KINDS, name);
  return FALSE;
}

const char *
signal_name (SignalKind kind)
{
  return names[kind];
}

/* The number of periods of a wave: about a third of the most that a signal can have. */
static int
n_periods (int n)
{
  return n / 3;
}

/* Fills in exp (2 pi i * j * n_periods / n), for all j. */
static void
make_wave (int n, Complex *ret_signal)
{
  g_autofree Complex *roots = fourier_roots (n, TRUE);
  for (int j = 0; j < n; j++)
    {
      int power = (int)((gint64)j * n_periods (n) % n), half = MAX (n / 2, 1);
      Complex root = roots[power % half];
      ret_signal[j] = power < half ? root : (Complex){ -root.re, -root.im };
    }
}

Complex *
signal_make (SignalKind kind, int n, guint64 seed)
{
  Complex *signal = g_new0 (Complex, (gsize)n);
  if (kind == SIGNAL_DELTA)
    signal[0].re = 1;
  else if (kind == SIGNAL_WAVE)
    make_wave (n, signal);
  else
    for (int j = 0; j < n; j++)
      {
        signal[j].re = 2 * satin_random_share (satin_random_next (&seed)) - 1;
        signal[j].im = 2 * satin_random_share (satin_random_next (&seed)) - 1;
      }
  return signal;
}

/* Returns: the known transform of a signal of that kind; (transfer full) */
static Complex *
make_transform (SignalKind kind, int n)
{
  Complex *transform = g_new0 (Complex, (gsize)n);
  if (kind == SIGNAL_WAVE)
    transform[n_periods (n)].re = n;
  else
    for (int k = 0; k < n; k++)
      transform[k].re = 1;
  return transform;
}

/* Parseval: the norm of the transform is that of the signal times the square root of n. */
static double
measure_error (SignalKind kind, const SignalPair *pair)
{
  double norm = fourier_norm (pair->signal, pair->n) * sqrt (pair->n);
  if (kind == SIGNAL_RANDOM)
    return fabs (fourier_norm (pair->there, pair->n) - norm) / norm;
  g_autofree Complex *known = make_transform (kind, pair->n);
  return fourier_distance (pair->there, known, pair->n) / norm;
}

gboolean
signal_check (SignalKind kind, const SignalPair *pair, double *ret_there, double *ret_back,
              GError **error)
{
  double bound = fourier_error_bound (pair->n);
  double there = measure_error (kind, pair);
  double back =
      fourier_distance (pair->back, pair->signal, pair->n) / fourier_norm (pair->signal, pair->n);
  /* The numbers of a wave, and norms, have rounding errors themselves, which are smaller than
   * those of a transform. NaN fails the comparisons. */
  if (!(there <= 2 * pair->n_rounds * bound && back <= (2 * pair->n_rounds + 1) * bound))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB,
                   "the transform is wrong: error %.3g, and back %.3g, bound %.3g", there, back,
                   bound);
      return FALSE;
    }
  *ret_there = there;
  *ret_back = back;
  return TRUE;
}
