/* membership.h - a program as a node of a run, and worlds that hold many
 *
 * satin_main() makes one member in a process. A world, a plugin of kind "world",
 * makes as many as it likes, each with a loop and workers of its own; the
 * simulator is one.
 *
 *   JOINING -> WAITING (for complete and a master) -> WORKING -> OVER
 *
 * Threads: the thread of the member's loop.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/workers.h>

G_BEGIN_DECLS

typedef struct _SatinMembership SatinMembership;

/**
 * SatinEntry:
 * @name: the program's name
 * @root: its root task
 * @argc: number of arguments, its name included
 * @argv: (array length=argc)
 * @build: (nullable): static: as satin_build_get() says; %NULL in a world, whose nodes are all of
 * one build and whose messages are to be alike on all machines
 *
 * What satin_main() was called with. Borrowed by all who get it, for the life of the process.
 */
typedef struct
{
  gsize struct_size;
  const char *name;
  const SatinTask *root;
  int argc;
  char **argv;
  const char *build;
} SatinEntry;

/**
 * SatinMembershipEvents:
 * @began: (nullable): this member is the master and its root job begins
 * @ended: (nullable): the root job has ended; the run is about to
 * @over: the run is over for this member, and how; once
 * @answered: (nullable): the root job has ended well; writes its answer, and an error makes the run
 *   fail. On the root job's worker, so that it may block
 *
 * What a member tells who made it, but for @answered on the loop and not inside
 * satin_membership_new().
 */
typedef struct
{
  gsize struct_size;
  void (*began) (SatinMembership *member, gpointer user_data);
  void (*ended) (SatinMembership *member, gpointer user_data);
  void (*over) (SatinMembership *member, int exit_status, gpointer user_data);
  gboolean (*answered) (SatinMembership *member, gpointer user_data, GError **error);
} SatinMembershipEvents;

/**
 * satin_membership_new:
 * @loop: borrowed
 * @workers: borrowed
 * @parts: "net:hub=...;..."
 * @policy: (nullable): "crs:wait=1ms"; %NULL for the default
 * @events: borrowed
 *
 * Joins the run that @parts lead to. An error at the start comes as over, too, after it was
 * printed.
 *
 * Returns: (transfer full): lives as long as its workers
 */
SATIN_API SatinMembership *satin_membership_new (SatinLoop *loop, const SatinEntry *entry,
                                                 SatinWorkers *workers, const char *parts,
                                                 const char *policy,
                                                 const SatinMembershipEvents *events,
                                                 gpointer user_data);

/* After over, when nothing runs on its workers. */
SATIN_API void satin_membership_free (SatinMembership *self);

/**
 * satin_membership_leave:
 * @deadline_us: how long that may take, in [0, %SATIN_LEAVE_MAX_US] of satin/base/run.h
 * @error: %SATIN_ERROR_CLOSED when it is not in the run, or no more; %SATIN_ERROR_INVALID when
 * nobody stays who could go on
 *
 * Leaves the run while that goes on: says so, returns the jobs of others that it has not begun, and
 * ends the others. Then, or when @deadline_us is over, it is out of the run: over follows, with
 * exit status 0. Asked again, the earlier end of the two counts.
 *
 * Threads: the loop's.
 *
 * Returns: whether it is leaving
 */
SATIN_API gboolean satin_membership_leave (SatinMembership *self, gint64 deadline_us,
                                           GError **error);

/* Whether the run is over for it, as over tells later: at once when it could not start. */
SATIN_API gboolean satin_membership_is_over (const SatinMembership *self);

/* Its node, for figures and signals. */
SATIN_API SatinNode *satin_membership_get_node (SatinMembership *self);

/* Jobs of other nodes that are here, and own jobs that other nodes have. */
SATIN_API guint satin_membership_count_away (const SatinMembership *self);

/**
 * SatinHoldings:
 * @n_lent: own jobs that other nodes have
 * @n_guests: jobs of other nodes that have not ended here
 * @n_queued: jobs that nobody has begun: from outside, public or put out
 * @n_in_use: workers that have frames, or jobs in their deque
 * @n_aborted: own jobs, so far, that were aborted while other nodes had them; those may go on a
 * while
 * @n_refilled: results that came into a slot which was not lent; 0, or there is a mistake
 *
 * What a member has at the moment.
 */
typedef struct
{
  guint n_lent;
  guint n_guests;
  guint n_queued;
  guint n_in_use;
  guint n_aborted;
  guint n_refilled;
} SatinHoldings;

/* For worlds, whose workers stand still meanwhile. Returns: FALSE when it is not in the run yet, or
 * no more: then nothing is known of jobs that came from others, which may go on */
SATIN_API gboolean satin_membership_look (const SatinMembership *self, SatinHoldings *ret_holdings);

/**
 * SatinLoan:
 * @owner: the node whose job it is
 * @index: what the owner calls it
 * @generation: likewise
 *
 * A job of another node.
 */
typedef struct
{
  SatinNodeId owner;
  gint32 index;
  gint64 generation;
} SatinLoan;

typedef void (*SatinLoanFunc) (const SatinLoan *loan, gpointer user_data);

/* The jobs of other nodes that have not ended here, without those whose owners are lost. */
SATIN_API void satin_membership_foreach_loan (const SatinMembership *self, SatinLoanFunc func,
                                              gpointer user_data);

/* Whether this member, their owner, still wants it of @thief; %TRUE when it is out of the run. */
SATIN_API gboolean satin_membership_wants (const SatinMembership *self, SatinNodeId thief,
                                           const SatinLoan *loan);

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
SATIN_API gboolean satin_membership_find_guest (const SatinMembership *self, guint64 number,
                                                SatinLoan *ret_loan);

/* From which job of another node one descends that @thief has of this member, its owner. Returns:
 * as satin_membership_get_running() does; 0 when it descends from a root job, or is not wanted */
SATIN_API guint64 satin_membership_get_under (const SatinMembership *self, SatinNodeId thief,
                                              const SatinLoan *loan);

/* What its stealing and its parts wait for. */
SATIN_API void satin_membership_waits (const SatinMembership *self, SatinWaitFunc add,
                                       gpointer user_data);

/**
 * SatinWorldOps:
 * @run: runs the program in this world. Returns: the process's exit status
 *
 * The operations of a plugin of kind "world". SATIN_WORLD in the environment of
 * a program, "sim:clusters=2x4", names one and its parameters.
 */
typedef struct
{
  gsize struct_size;
  int (*run) (const SatinEntry *entry, const SatinParams *params);
} SatinWorldOps;

/* What each world must have; the host looks when it loads the plugin. */
static const SatinRequired satin_world_required[] = { SATIN_REQUIRED (SatinWorldOps, run),
                                                      { NULL, 0 } };

G_END_DECLS
