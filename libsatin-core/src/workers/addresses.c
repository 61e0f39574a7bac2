/* addresses.c - how much a worker reserves where a process may have few addresses
 *
 * Stacks and deques are large, but only reserved. Addresses usually cost nothing, but batch systems
 * limit them (RLIMIT_AS, ulimit -v) in order to limit memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "addresses.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define LEAST_STACK_BYTES ((gsize)1 << 20)
#define LEAST_SLOTS       ((gsize)1024)
/* Sizes are multiples of these, so that they are whole pages. */
#define STACK_GRAIN ((gsize)64 << 10)
#define SLOT_GRAIN  ((gsize)64)

WorkerSizes
addresses_fit (WorkerSizes wanted, guint n_workers, gsize slot_bytes, gsize free_bytes)
{
  gsize share_bytes = free_bytes / 2 / MAX (n_workers, 1);
  gsize wanted_slots_bytes = wanted.deque_slots * slot_bytes;
  if (wanted.stack_bytes + wanted_slots_bytes <= share_bytes)
    return wanted;
  /* The stack and the deque each get half of the share. If the deque needs less, the stack gets the
   * rest, and the other way round. */
  gsize stack_bytes = MIN (wanted.stack_bytes, share_bytes / 2);
  if (wanted_slots_bytes < share_bytes - stack_bytes)
    stack_bytes = MIN (wanted.stack_bytes, share_bytes - wanted_slots_bytes);
  gsize n_slots = MIN (wanted.deque_slots, (share_bytes - stack_bytes) / slot_bytes);
  return (WorkerSizes){
    .stack_bytes = MAX (stack_bytes / STACK_GRAIN * STACK_GRAIN, LEAST_STACK_BYTES),
    .deque_slots = MAX (n_slots / SLOT_GRAIN * SLOT_GRAIN, LEAST_SLOTS),
  };
}

/* Returns: bytes of addresses in use; 0 if that cannot be read */
static gsize
count_used (void)
{
  unsigned long n_pages = 0;
  FILE *file = fopen ("/proc/self/statm", "re");
  if (file == NULL)
    return 0;
  if (fscanf (file, "%lu", &n_pages) != 1)
    n_pages = 0;
  fclose (file);
  return (gsize)n_pages * (gsize)sysconf (_SC_PAGESIZE);
}

gsize
addresses_count_free (void)
{
  struct rlimit limit;
  if (getrlimit (RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return G_MAXSIZE;
  gsize used_bytes = count_used ();
  return limit.rlim_cur > used_bytes ? limit.rlim_cur - used_bytes : 0;
}
