/* signals.h - signals whose transforms are known, and the checks of a transform
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

#include "fourier.h"

G_BEGIN_DECLS

#define SIGNAL_KINDS   "delta, wave, random"
#define SIGNAL_DEFAULT "random"

/**
 * SignalKind:
 * @SIGNAL_DELTA: 1, and then zeros; each number of the transform is 1
 * @SIGNAL_WAVE: the powers of a root of unity; the transform has one number that is not 0
 * @SIGNAL_RANDOM: random numbers, with real and imaginary parts in [-1, 1); of the transform only
 *   the norm is known, by Parseval's theorem
 */
typedef enum
{
  SIGNAL_DELTA,
  SIGNAL_WAVE,
  SIGNAL_RANDOM,
} SignalKind;

/* Finds the kind with that name. @error: %SATIN_ERROR_INVALID. Returns: %TRUE on success */
gboolean signal_find (const char *name, SignalKind *ret_kind, GError **error);

const char *signal_name (SignalKind kind);

/* Makes a signal. @n: a valid size. @seed: of random numbers. Returns: (transfer full): free with
 * g_free() */
Complex *signal_make (SignalKind kind, int n, guint64 seed);

/**
 * SignalPair:
 * @signal: the signal
 * @there: what should be its transform
 * @back: what should be the inverse transform of @there
 * @n: their size
 * @n_rounds: how often the signal was transformed there and back to get @back
 */
typedef struct
{
  const Complex *signal;
  const Complex *there;
  const Complex *back;
  int n;
  int n_rounds;
} SignalPair;

/**
 * signal_check:
 * @ret_there: (out): the norm of the error of the transform, as a multiple of the norm of the exact
 *   transform; for a random signal, the difference of both norms as such a multiple
 * @ret_back: (out): the norm of the difference between @back and the signal, as a multiple of the
 *   norm of the signal
 * @error: %SATIN_ERROR_JOB when an error is larger than rounding explains: each transform may add
 *   fourier_error_bound(), and so may the check
 *
 * Compares transforms with what is known of them.
 *
 * Returns: %TRUE when no error is larger than that
 */
gboolean signal_check (SignalKind kind, const SignalPair *pair, double *ret_there, double *ret_back,
                       GError **error);

G_END_DECLS
