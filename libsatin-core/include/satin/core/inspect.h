/* inspect.h - the inside of a member, for simulated worlds that check it; not installed
 *
 * Threads: the thread of the member's loop, while its workers stand still.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/membership.h>
#include <satin/core/recovery.h>

G_BEGIN_DECLS

/**
 * SatinHoldings:
 * @n_exported: own jobs that other nodes have
 * @n_imports: jobs of other nodes that have not ended here
 * @n_queued: jobs that nobody has begun: from outside, public or put out
 * @n_in_use: workers that have frames, or jobs in their deque
 * @n_aborted: own jobs, so far, that were aborted while other nodes had them; those may go on a
 * while
 * @n_refilled: results that came into a slot which was not exported; 0, or there is a bug
 *
 * What a member has at the moment.
 */
typedef struct
{
  guint n_exported;
  guint n_imports;
  guint n_queued;
  guint n_in_use;
  guint n_aborted;
  guint n_refilled;
} SatinHoldings;

/* For worlds, whose workers stand still meanwhile. Returns: FALSE when it is not in the run yet, or
 * no more: then nothing is known of jobs that came from others, which may go on */
SATIN_API gboolean satin_membership_look (const SatinMembership *self, SatinHoldings *ret_holdings);

/* Called for one job; @ref is valid during the call. */
typedef void (*SatinJobRefFunc) (const SatinJobRef *ref, gpointer user_data);

/* The jobs of other nodes that have not ended here, without those whose owners are lost. */
SATIN_API void satin_membership_foreach_ref (const SatinMembership *self, SatinJobRefFunc func,
                                             gpointer user_data);

/* Whether this member, their owner, still wants it of @thief; %TRUE when it is out of the run. */
SATIN_API gboolean satin_membership_wants (const SatinMembership *self, SatinNodeId thief,
                                           const SatinJobRef *ref);

/* Which job of another node its worker is in that runs on @thread, as #SatinThreadOps.start named
 * it: the newest, by the number that this member calls it. For worlds. Returns: 0 when it is in
 * none */
SATIN_API guint64 satin_membership_get_running (const SatinMembership *self, gconstpointer thread);

/* The newest task that it is in, with its arguments, in words. For worlds. Returns: (transfer full)
 * (nullable): %NULL when it is in none */
SATIN_API char *satin_membership_describe_running (const SatinMembership *self,
                                                   gconstpointer thread);

/**
 * satin_membership_tell_crash:
 * @thread: as of satin_membership_get_running(); its worker stands still
 * @signal_number: that is about to end this node
 *
 * The job that its worker is in crashes this member: says so to the others, as a process does that
 * gets the signal. For worlds.
 *
 * Threads: the loop's.
 *
 * Returns: (transfer full) (nullable): the same in words; %NULL when it is in no job, or in no run
 */
SATIN_API char *satin_membership_tell_crash (SatinMembership *self, gconstpointer thread,
                                             int signal_number);

/* What the owner calls that job; the owner is 0 when it is lost. Returns: FALSE when it has ended
 */
SATIN_API gboolean satin_membership_find_import (const SatinMembership *self, guint64 number,
                                                 SatinJobRef *ret_ref);

/* From which job of another node one descends that @thief has of this member, its owner. Returns:
 * as satin_membership_get_running() does; 0 when it descends from a root job, or is not wanted */
SATIN_API guint64 satin_membership_get_under (const SatinMembership *self, SatinNodeId thief,
                                              const SatinJobRef *ref);

/* What its stealing and its parts wait for. */
SATIN_API void satin_membership_waits (const SatinMembership *self, SatinWaitFunc add,
                                       gpointer user_data);

G_END_DECLS
