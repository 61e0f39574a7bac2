/* membership.h - a program as a node of a run, and worlds that hold many
 *
 * satin_main() makes one member in a process. A world, which is a plugin of kind "world", makes any
 * number of members, each with its own loop and workers. The simulator is a world.
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
 * @argc: number of arguments, the program's name included
 * @argv: (array length=argc): its arguments
 * @build: (nullable): (borrowed, static): the result of satin_build_get(). It is %NULL in a world,
 *   where all nodes have one build and messages must be the same on all machines
 *
 * The arguments of satin_main(). Every receiver borrows them, for the life of the process.
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
 * @began: (nullable): this member is the master, and its root job begins
 * @ended: (nullable): the root job has ended, or cannot begin, and the run is about to end
 * @over: the run is over for this member, with this exit status. Comes once
 * @answered: (nullable): the root job has ended well. The function writes the answer; its error
 *   makes the run fail. It runs on the root job's worker, so it may block
 *
 * The events that a member reports to its maker. All but @answered run on the loop, not inside
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
 * @entry: borrowed
 * @workers: borrowed
 * @parts: "net:hub=...;..."
 * @policy: (nullable): "crs:wait=1ms"; %NULL for the default
 * @events: borrowed
 *
 * Joins the run that @parts lead to. An error at the start is printed and then comes as over.
 *
 * Returns: (transfer full): free with satin_membership_free()
 */
SATIN_API SatinMembership *satin_membership_new (SatinLoop *loop, const SatinEntry *entry,
                                                 SatinWorkers *workers, const char *parts,
                                                 const char *policy,
                                                 const SatinMembershipEvents *events,
                                                 gpointer user_data);

/* Frees the member after over, when nothing runs on its workers. @self: (nullable). */
SATIN_API void satin_membership_free (SatinMembership *self);

/**
 * satin_membership_leave:
 * @deadline_us: how long the node may take, in [0, %SATIN_LEAVE_MAX_US] of satin/base/run.h
 * @error: %SATIN_ERROR_CLOSED when the member is not yet in the run, or not any more;
 *   %SATIN_ERROR_INVALID when no node stays that could continue the run
 *
 * Leaves the run while the run continues. The member announces that it leaves and returns the
 * imported jobs that it has not begun. With a part for recovery it then stops its workers, hands
 * their finished results to nodes that stay, and returns the other jobs undone. Without such a part
 * it runs its imported jobs to their ends. Then, or after @deadline_us, it is out of the run, and
 * over follows with exit status 0. After a second call the earlier of the two deadlines counts.
 *
 * Threads: the loop's.
 *
 * Returns: %TRUE when the member is leaving
 */
SATIN_API gboolean satin_membership_leave (SatinMembership *self, gint64 deadline_us,
                                           GError **error);

/* Whether the run is over for this member. If the member could not start, this is %TRUE at once,
 * and the event over comes later. */
SATIN_API gboolean satin_membership_is_over (const SatinMembership *self);

/* The member's node, for figures and signals; borrowed. */
SATIN_API SatinNode *satin_membership_get_node (SatinMembership *self);

/**
 * SatinWorldOps:
 * @run: runs the program in this world. Returns: the exit status of the process
 *
 * The operations of a plugin of kind "world". SATIN_WORLD in the environment of a program,
 * "sim:clusters=2x4", names a world and its parameters.
 */
typedef struct
{
  gsize struct_size;
  int (*run) (const SatinEntry *entry, const SatinParams *params);
} SatinWorldOps;

/* The operations that each world must have. The host checks them when it loads the plugin. */
static const SatinRequired satin_world_required[] = { SATIN_REQUIRED (SatinWorldOps, run),
                                                      { NULL, 0 } };

/* Each node's process has an empty file in memory open (memfd_create()) with one of these names, so
 * that /proc/PID/fd shows that it is a node, and whether it writes its dump at SIGQUIT. */
#define SATIN_NODE_MARK       "satin-node"
#define SATIN_NODE_MARK_DUMPS "satin-node-dumps"

/* Where the node in process @pid writes its dump at SIGQUIT. Returns: (transfer full): a path in
 * the user's runtime directory */
SATIN_API char *satin_dump_path (gint64 pid);

G_END_DECLS
