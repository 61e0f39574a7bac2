/* nqueens-openmp.c - apps/nqueens with OpenMP tasks, for comparison: nqueens-openmp N WORKERS
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_QUEENS 30
#define THRESHOLD  5

static long
nqueens_sequential (uint32_t all, uint32_t columns, uint32_t left, uint32_t right)
{
  if (columns == all)
    return 1;
  long total = 0;
  for (uint32_t free = all & ~(columns | left | right); free != 0; free &= free - 1)
    {
      uint32_t queen = free & -free;
      total += nqueens_sequential (all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
  return total;
}

static long
nqueens (uint32_t all, uint32_t columns, uint32_t left, uint32_t right, int n_rows)
{
  if (n_rows == 0 || columns == all)
    return nqueens_sequential (all, columns, left, right);
  long counts[MAX_QUEENS];
  int n_counts = 0;
  for (uint32_t free = all & ~(columns | left | right); free != 0; free &= free - 1)
    {
      uint32_t queen = free & -free;
      long *count = &counts[n_counts++];
#pragma omp task
      *count =
          nqueens (all, columns | queen, (left | queen) << 1, (right | queen) >> 1, n_rows - 1);
    }
#pragma omp taskwait
  long total = 0;
  for (int i = 0; i < n_counts; i++)
    total += counts[i];
  return total;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 10;
  int n_workers = argc > 2 ? atoi (argv[2]) : 1;
  long result = 0;
  double seconds = 0;
#pragma omp parallel num_threads(n_workers)
#pragma omp single
  {
    double started = omp_get_wtime ();
    result = nqueens ((1u << n) - 1, 0, 0, 0, THRESHOLD);
    seconds = omp_get_wtime () - started;
  }
  printf ("nqueens(%d) = %ld\n", n, result);
  fprintf (stderr, "nqueens: %.6f s\n", seconds);
  return 0;
}
