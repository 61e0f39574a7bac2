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
 * @n_queued: jobs that nobody has begun and others can take: in the inbox, public, or in the export
 *   queue
 * @n_in_use: workers that have frames, or jobs in their deque
 * @n_aborted: own jobs that were aborted while other nodes had them, since the start. Such a job
 *   may run for a while
 * @n_refilled: results that came for a slot whose job no other worker or node had; above 0 there is
 *   a bug
 *
 * The jobs that a member has at the moment.
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

/* Counts a member's jobs, while its workers stand still. Returns: FALSE when the member is not yet
 * in the run, or not any more, or saves its work in order to leave: then nothing is known of
 * imported jobs, which may still run */
SATIN_API gboolean satin_membership_look (const SatinMembership *self, SatinHoldings *ret_holdings);

/* Receives one job. @ref is valid during the call. */
typedef void (*SatinJobRefFunc) (const SatinJobRef *ref, gpointer user_data);

/* Calls @func for each imported job that has not ended here, except those whose owners are lost. */
SATIN_API void satin_membership_foreach_ref (const SatinMembership *self, SatinJobRefFunc func,
                                             gpointer user_data);

/* Whether this member, the owner of job @ref, still wants it from @thief; %TRUE also when the
 * member is out of the run or saves its work, and while it waits for the answer to its order to
 * abort the job. */
SATIN_API gboolean satin_membership_wants (const SatinMembership *self, SatinNodeId thief,
                                           const SatinJobRef *ref);

/* Finds the newest imported job that a worker is in. @thread: the worker's, from
 * #SatinThreadOps.start. Returns: this member's number for the job; 0 when the worker is in none */
SATIN_API guint64 satin_membership_get_running (const SatinMembership *self, gconstpointer thread);

/* Describes the newest task that the worker on @thread is in, with its arguments. Returns:
 * (transfer full) (nullable): %NULL when the worker is in none */
SATIN_API char *satin_membership_describe_running (const SatinMembership *self,
                                                   gconstpointer thread);

/**
 * satin_membership_tell_crash:
 * @thread: as for satin_membership_get_running(); its worker stands still
 * @signal_number: the signal that is about to end this node
 *
 * Reports to the other members that the job of this worker crashes this member, as a real process
 * does when it gets the signal. For worlds.
 *
 * Threads: the loop's.
 *
 * Returns: (transfer full) (nullable): the report in words; %NULL when the worker is in no job, or
 *   the member in no run
 */
SATIN_API char *satin_membership_tell_crash (SatinMembership *self, gconstpointer thread,
                                             int signal_number);

/* Finds the owner's name for the imported job @number; the owner may be lost. Returns: FALSE when
 * the job has ended, or the member is out of the run */
SATIN_API gboolean satin_membership_find_import (const SatinMembership *self, guint64 number,
                                                 SatinJobRef *ret_ref);

/* Finds the imported job from which job @ref descends. @ref is a job of this member, and @thief has
 * it. Returns: this member's number for the imported job; 0 when the job descends from a root job
 * or its ancestors are not known, or when nobody wants it */
SATIN_API guint64 satin_membership_get_under (const SatinMembership *self, SatinNodeId thief,
                                              const SatinJobRef *ref);

/* Calls @add for each thing that the member's stealing, leaving and parts wait for. */
SATIN_API void satin_membership_waits (const SatinMembership *self, SatinWaitFunc add,
                                       gpointer user_data);

G_END_DECLS
