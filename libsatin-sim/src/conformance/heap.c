/* heap.c - checks that a plugin that opens and closes many times leaves no memory allocated
 *
 * A *life* is one use of the plugin, from open to close. Libraries allocate some memory once, and
 * caches fill for a while. So the first lives do not count, and a few bytes for each life are
 * allowed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "heap.h"

#include <malloc.h>

#define N_WARM    150
#define N_COUNTED 300
/* Allowed for each life. A block of memory has at least 32 bytes, so one block too many in each
 * life is noticed. */
#define ALLOWED_BYTES ((gsize)16)

/* Returns: how many bytes this process has allocated; 0: that is not known */
static gsize
used_bytes (void)
{
#if __GLIBC_PREREQ(2, 33)
  struct mallinfo2 info = mallinfo2 ();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

void
heap_check (Case *c, void (*live) (gpointer user_data), gpointer user_data)
{
  for (guint i = 0; i < N_WARM; i++)
    live (user_data);
  gsize before = used_bytes ();
  if (before == 0)
    {
      case_skip (c, "the allocator of this process does not count its bytes");
      return;
    }
  for (guint i = 0; i < N_COUNTED; i++)
    live (user_data);
  gsize after = used_bytes ();
  CASE_EXPECT (c, after <= before + N_COUNTED * ALLOWED_BYTES,
               "each of %d lives leaves %" G_GSIZE_FORMAT " bytes allocated", N_COUNTED,
               (after - before) / N_COUNTED);
}
