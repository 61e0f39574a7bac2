/* task-files.c - the half of the tasks that test-task-files.c does not define
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "task-files.h"

SATIN_TASK_DEFINE (is_odd, (boolean), (int, n))
{
  gboolean result;
  if (n == 0)
    return FALSE;
  SATIN_SPAWN (&result, is_even, n - 1);
  SATIN_SYNC_OR_RETURN (FALSE);
  return result;
}

SATIN_TASK_DEFINE (add, (long), (array_long, values))
{
  gint64 left, right;
  if (n_values == 1)
    return values[0];
  gsize n_left = n_values / 2;
  SATIN_SPAWN (&left, add, values, n_left);
  SATIN_SPAWN (&right, add, values + n_left, n_values - n_left);
  SATIN_SYNC_OR_RETURN (0);
  return left + right;
}

SATIN_TASK_DEFINE (nothing, (void)) {}
