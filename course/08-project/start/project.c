/* project.c - what it computes, in a line
 *
 * Small: ARGUMENTS
 * Large: ARGUMENTS
 *
 * How the work is divided, and what a job costs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

/* The root task: reads the arguments, starts the first job and prints its result. */
SATIN_TASK (start, (int), (array_string, argv)) { return 0; }

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
