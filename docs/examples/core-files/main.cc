/* main.cc - like main.c, in C++: spawns the task that a C file defines
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "collatz.h"

#include <cstdlib>
#include <iostream>

SATIN_TASK (start, (int), (array_string, argv))
{
  gint64 limit = n_argv > 1 ? std::atoll (argv[1]) : 1000000;
  if (n_argv > 2 || limit < 2 || limit > 1000000000)
    {
      std::cerr << "usage: core-files [LIMIT], from 2 to 1000000000\n";
      return 2;
    }

  Longest best;
  SATIN_SPAWN (&best, longest, 1, limit);
  SATIN_SYNC_OR_RETURN (1);
  std::cout << best.start << " takes " << best.n_steps << " steps\n";
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
