/* interval.c - integrates over intervals by Simpson's rule
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interval.h"

#include <float.h>
#include <math.h>

#include "../common/arguments.h"

/* ---- functions ---- */

static double
chirp (double x)
{
  return x * sin (x * x);
}

static double
chirp_integral (double x)
{
  return -cos (x * x) / 2;
}

static double
peak (double x)
{
  return 1 / (1 + 1e6 * x * x);
}

static double
peak_integral (double x)
{
  return atan (1e3 * x) / 1e3;
}

static double
root (double x)
{
  return sqrt (fabs (x));
}

static double
root_integral (double x)
{
  return copysign (2.0 / 3 * pow (fabs (x), 1.5), x);
}

/* Functions with their antiderivatives, so that the result can be checked. */
static const struct
{
  const char *name;
  double (*at) (double x);
  double (*integral) (double x);
} functions[] = {
  { "chirp", chirp, chirp_integral },
  { "peak", peak, peak_integral },
  { "root", root, root_integral },
};

int
interval_find_function (const char *name)
{
  for (int i = 0; i < (int)G_N_ELEMENTS (functions); i++)
    if (g_strcmp0 (name, functions[i].name) == 0)
      return i;
  return -1;
}

const char *
interval_function_name (int function)
{
  return functions[function].name;
}

/* ---- intervals ---- */

void
interval_init (Interval *self, int function, double from, double to, double tolerance)
{
  double (*at) (double) = functions[function].at;
  *self = (Interval){ .function = function,
                      .from = from,
                      .to = to,
                      .at_from = at (from),
                      .at_middle = at ((from + to) / 2),
                      .at_to = at (to),
                      .tolerance = tolerance };
}

double
interval_exact_integral (const Interval *self)
{
  double (*integral) (double) = functions[self->function].integral;
  return integral (self->to) - integral (self->from);
}

gboolean
interval_check (const Interval *self, GError **error)
{
  if (!app_argument_check ("function", self->function, 0, G_N_ELEMENTS (functions) - 1, error)
      || !app_argument_check ("number of halvings", self->n_halvings, 0, INTERVAL_MAX_HALVINGS,
                              error))
    return FALSE;
  /* NaN fails all comparisons. */
  if (!(self->from >= -INTERVAL_MAX_END && self->from < self->to && self->to <= INTERVAL_MAX_END))
    return app_argument_refuse ("the ends are not in order or too large", error);
  if (!(self->tolerance > 0 && isfinite (self->at_from) && isfinite (self->at_middle)
        && isfinite (self->at_to)))
    return app_argument_refuse ("the tolerance or a value is not a number", error);
  return TRUE;
}

static double
simpson (double length, double at_from, double at_middle, double at_to)
{
  return length / 6 * (at_from + 4 * at_middle + at_to);
}

gboolean
interval_halve (const Interval *self, Interval *ret_left, Interval *ret_right, double *ret_value)
{
  double middle = (self->from + self->to) / 2, length = self->to - self->from;
  double (*at) (double) = functions[self->function].at;
  Interval half = *self;
  half.n_halvings++;
  half.tolerance /= 2;
  *ret_left = *ret_right = half;
  ret_left->to = ret_right->from = middle;
  ret_left->at_to = ret_right->at_from = self->at_middle;
  ret_left->at_middle = at ((self->from + middle) / 2);
  ret_right->at_middle = at ((middle + self->to) / 2);
  double whole = simpson (length, self->at_from, self->at_middle, self->at_to);
  double halves =
      simpson (length / 2, ret_left->at_from, ret_left->at_middle, ret_left->at_to)
      + simpson (length / 2, ret_right->at_from, ret_right->at_middle, ret_right->at_to);
  /* The error of @halves is about a fifteenth of the difference, if the interval is short. */
  *ret_value = halves + (halves - whole) / 15;
  /* A difference below @least consists of rounding errors. */
  double least =
      DBL_EPSILON * length * (fabs (self->at_from) + fabs (self->at_middle) + fabs (self->at_to));
  return self->n_halvings >= INTERVAL_MAX_HALVINGS
         || (self->n_halvings >= INTERVAL_MIN_HALVINGS
             && fabs (halves - whole) <= MAX (15 * self->tolerance, least));
}

double
interval_integrate (const Interval *self, gint64 *n_intervals)
{
  Interval left, right;
  double value;
  ++*n_intervals;
  if (interval_halve (self, &left, &right, &value))
    return value;
  value = interval_integrate (&left, n_intervals);
  return value + interval_integrate (&right, n_intervals);
}
