/* fib-tbb.cc - apps/fib with oneTBB task groups, for comparison: fib-tbb N WORKERS
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

/* One child is a task and the other is a plain call, which is cheaper than two tasks. */
static long
fib (int n)
{
  if (n < 2)
    return n;
  long a;
  tbb::task_group group;
  group.run ([&a, n] { a = fib (n - 1); });
  long b = fib (n - 2);
  group.wait ();
  return a + b;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? std::atoi (argv[1]) : 30;
  tbb::task_arena arena (argc > 2 ? std::atoi (argv[2]) : 1);
  long result = 0;
  auto started = std::chrono::steady_clock::now ();
  arena.execute ([&] { result = fib (n); });
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now () - started;
  std::printf ("fib(%d) = %ld\n", n, result);
  std::fprintf (stderr, "fib: %.6f s\n", seconds.count ());
  return 0;
}
