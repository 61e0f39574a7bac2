/* interval.h - the functions, and intervals over which they are integrated
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

/* Intervals are halved at least so often. Five values of a long interval may agree by chance,
 * because they all lie beside a peak, or at the same place of a wave. */
#define INTERVAL_MIN_HALVINGS 10

/* Intervals are not halved more often than this, because then rounding errors may be larger than
 * the tolerance. */
#define INTERVAL_MAX_HALVINGS 30

/* An end of an interval is at most this far from 0. */
#define INTERVAL_MAX_END 1e3

/* The smallest tolerance of a whole integral. */
#define INTERVAL_MIN_TOLERANCE 1e-12

/* The names of the functions, for messages. */
#define INTERVAL_FUNCTION_NAMES "chirp, peak, root"

/**
 * Interval:
 * @function: index of the function
 * @n_halvings: how often an interval was halved to get this one
 * @from, @to: the ends
 * @at_from, @at_middle, @at_to: the values of the function at both ends and in the middle
 * @tolerance: how much the integral may be wrong
 */
SATIN_RECORD (Interval, (int, function), (int, n_halvings), (double, from), (double, to),
              (double, at_from), (double, at_middle), (double, at_to), (double, tolerance))

/* Returns: index of the function with that name, or -1. @name: (nullable) */
int interval_find_function (const char *name);

/* The name of the function with a valid index. */
const char *interval_function_name (int function);

/**
 * interval_init:
 * @function: a valid index
 * @from, @to: the ends, in ascending order
 * @tolerance: how much the integral may be wrong
 */
void interval_init (Interval *self, int function, double from, double to, double tolerance);

/* The exact integral, by the antiderivative of the function. */
double interval_exact_integral (const Interval *self);

/* Checks an interval that may come from another node. @error: %SATIN_ERROR_JOB when a field is out
 * of its range. Returns: %TRUE when all fields are in their ranges */
gboolean interval_check (const Interval *self, GError **error);

/**
 * interval_halve:
 * @ret_left: (out)
 * @ret_right: (out)
 * @ret_value: (out): the integral, extrapolated from that of the whole and that of the halves
 *
 * Halves an interval, and compares the integral of the halves with that of the whole.
 *
 * Returns: %TRUE when @ret_value is exact enough and the interval is from enough halvings, or the
 * interval must not be halved again
 */
gboolean interval_halve (const Interval *self, Interval *ret_left, Interval *ret_right,
                         double *ret_value);

/* Integrates in plain C. @n_intervals: (inout): number of intervals that were looked at so far.
 * Returns: the integral */
double interval_integrate (const Interval *self, gint64 *n_intervals);

G_END_DECLS
