/* share.h - divides the processors of a host among ranks whose sets of processors overlap
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>
#include <sched.h>

G_BEGIN_DECLS

/**
 * share_count:
 * @masks: (array length=n): the processors on which each rank may run
 * @own: the index of this rank
 *
 * Gives each processor to one rank that may run there, to the one with the fewest so far. All ranks
 * that call this with the same masks agree.
 *
 * Returns: how many processors this rank gets; may be 0 if there are more ranks than processors
 */
guint share_count (const cpu_set_t *masks, guint n, guint own);

G_END_DECLS
