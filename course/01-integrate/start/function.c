/* function.c - the function that this assignment integrates
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "function.h"

#include <math.h>

#define N_PEAKS 6

static unsigned int
draw (unsigned int *state)
{
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

double
function_at (int instance, double x)
{
  unsigned int state = (unsigned int)instance;
  double sum = x / 64;
  for (int i = 0; i < N_PEAKS; i++)
    {
      double middle = draw (&state) % 1000 / 10.0, width = (draw (&state) % 100 + 1) / 1000.0;
      double distance = x - middle;
      sum += width / (width * width + distance * distance);
    }
  if (instance % 4 == 0)
    sum += 1 / fabs (x - (draw (&state) % 80 + 10.3004));
  return sum;
}

int
is_exact (double coarse, double fine, double tolerance)
{
  return fabs (fine - coarse) <= 3 * tolerance;
}
