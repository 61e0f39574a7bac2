/* rows.c - a simple rule, for the plot: the first ROWS rows make jobs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "grain.h"

#include <stdlib.h>

gboolean
is_worth_jobs (const Position *position)
{
  const char *rows = getenv ("ROWS");
  return position->row < (rows != NULL ? atoi (rows) : 3);
}
