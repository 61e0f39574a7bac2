/* fib-openmp.c - apps/fib with OpenMP tasks, for comparison: fib-openmp N WORKERS
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* One child is a task and the other is a plain call, which is cheaper than two tasks. */
static long
fib (int n)
{
  long a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a)
  a = fib (n - 1);
  b = fib (n - 2);
#pragma omp taskwait
  return a + b;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 30;
  int n_workers = argc > 2 ? atoi (argv[2]) : 1;
  long result = 0;
  double seconds = 0;
#pragma omp parallel num_threads(n_workers)
#pragma omp single
  {
    double started = omp_get_wtime ();
    result = fib (n);
    seconds = omp_get_wtime () - started;
  }
  printf ("fib(%d) = %ld\n", n, result);
  fprintf (stderr, "fib: %.6f s\n", seconds);
  return 0;
}
