/* test-integrate-job.c - jobs of integrate refuse intervals that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "integrate/integrate.c"
#undef main

/* Runs a job for the interval from 0 to 1, after @change has made the interval wrong. */
static void
assert_refused (SatinWorkers *workers, void (*change) (Interval *), const char *reason)
{
  Interval interval;
  Integral integral;
  interval_init (&interval, 0, 0, 1, 1e-6);
  change (&interval);
  ASSERT_REFUSED (workers, reason, &integral, integrate, interval, 3);
}

static void
set_function (Interval *interval)
{
  interval->function = 3;
}

static void
set_halvings (Interval *interval)
{
  interval->n_halvings = G_MININT32;
}

static void
set_end (Interval *interval)
{
  interval->to = INFINITY;
}

static void
set_order (Interval *interval)
{
  interval->from = 2;
}

static void
set_tolerance (Interval *interval)
{
  interval->tolerance = NAN;
}

static void
set_value (Interval *interval)
{
  interval->at_middle = NAN;
}

static void
test_wrong_arguments_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  Interval interval;
  Integral integral;
  interval_init (&interval, 0, 0, 1, 1e-6);
  g_assert_true (satin_run (workers, &integral, integrate, NULL, interval, 3));
  ASSERT_REFUSED (workers, "threshold", &integral, integrate, interval, -1);
  ASSERT_REFUSED (workers, "threshold", &integral, integrate, interval, 31);
  assert_refused (workers, set_function, "function");
  /* With such a number, the recursion would overflow the stack. */
  assert_refused (workers, set_halvings, "number of halvings");
  assert_refused (workers, set_end, "the ends");
  assert_refused (workers, set_order, "the ends");
  assert_refused (workers, set_tolerance, "the tolerance");
  assert_refused (workers, set_value, "the tolerance");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-integrate-job/wrong-arguments-are-refused",
                   test_wrong_arguments_are_refused);
  return g_test_run ();
}
