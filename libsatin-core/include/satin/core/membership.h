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

/* A program as a node of one run. */
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
