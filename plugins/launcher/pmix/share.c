/* share.c - divides the processors of a host among ranks whose sets of processors overlap
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "share.h"

static void
give (const cpu_set_t *masks, guint n, int processor, guint *counts)
{
  guint best = n;
  for (guint i = 0; i < n; i++)
    if (CPU_ISSET (processor, &masks[i]) && (best == n || counts[i] < counts[best]))
      best = i;
  if (best < n)
    counts[best]++;
}

guint
share_count (const cpu_set_t *masks, guint n, guint own)
{
  g_autofree guint *counts = g_new0 (guint, n);
  for (int processor = 0; processor < CPU_SETSIZE; processor++)
    give (masks, n, processor, counts);
  return counts[own];
}
