/* rows.c - a simple answer, for the plot: the first rows make jobs, as many as ROWS says
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
