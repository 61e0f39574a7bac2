/* nqueens-tbb.cc - apps/nqueens with oneTBB task groups, for comparison: nqueens-tbb N WORKERS
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

static const int max_queens = 30;
static const int threshold = 5;

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
  long counts[max_queens];
  int n_counts = 0;
  tbb::task_group group;
  for (uint32_t free = all & ~(columns | left | right); free != 0; free &= free - 1)
    {
      uint32_t queen = free & -free;
      long *count = &counts[n_counts++];
      group.run ([=] {
        *count =
            nqueens (all, columns | queen, (left | queen) << 1, (right | queen) >> 1, n_rows - 1);
      });
    }
  group.wait ();
  long total = 0;
  for (int i = 0; i < n_counts; i++)
    total += counts[i];
  return total;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? std::atoi (argv[1]) : 10;
  tbb::task_arena arena (argc > 2 ? std::atoi (argv[2]) : 1);
  long result = 0;
  auto started = std::chrono::steady_clock::now ();
  arena.execute ([&] { result = nqueens ((1u << n) - 1, 0, 0, 0, threshold); });
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now () - started;
  std::printf ("nqueens(%d) = %ld\n", n, result);
  std::fprintf (stderr, "nqueens: %.6f s\n", seconds.count ());
  return 0;
}
