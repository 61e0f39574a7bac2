/* metg-work.h - the work of a job of the benchmark metg: a loop of arithmetic
 *
 * Each step needs the result of the step before, and no formula gives the result of many steps. So
 * the compiler can neither remove steps nor do several at once. No clock is read. The programs add
 * up the results of all jobs, modulo 2^64, so that all of them print the same sum.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdint.h>

#define METG_MAX_JOBS  4000000 /* the deque of a worker holds some more */
#define METG_MAX_STEPS 1000000000

/* Returns: the result of job @number after @n_steps steps. It is no inline function, so that all
 * forms of a program run the same code. */
static __attribute__ ((noinline)) uint64_t
metg_work (int32_t number, int32_t n_steps)
{
  uint64_t state = (uint64_t)number + 1;
  for (int32_t i = 0; i < n_steps; i++)
    {
      state ^= state >> 29;
      state *= UINT64_C (0x9e3779b97f4a7c15);
    }
  return state;
}
