/* grain.c - when to stop spawning
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "grain.h"

gboolean
is_worth_jobs (const Position *position)
{
  return FALSE; /* one job searches the whole board */
}
