/* node.h - one member of a run: a loop and the parts that meet on it
 *
 * The libraries do not know each other. The parts of a node (plugins of kind "part") decide what
 * the node can do. A part provides interfaces under a name, and finds the interfaces of other parts
 * by their names. The core of an application is there first, under "core"; the part "net" provides
 * "peers" and "run".
 *
 * A process may hold many nodes. Threads: the loop's thread, except where stated.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/base/loop.h>
#include <satin/base/peers.h>
#include <satin/base/plugin.h>
#include <satin/base/record.h>

G_BEGIN_DECLS

/* A member of a run, with its parts. */
typedef struct _SatinNode SatinNode;

/* The names of two interfaces, with the types of these interfaces. */
#define SATIN_INTERFACE_PEERS "peers" /* SatinPeers */
#define SATIN_INTERFACE_CORE  "core"  /* SatinWorkers, satin/core/workers.h */

/* Receives one figure of a part. The name, such as "steal.tried", is the same on all nodes. */
typedef void (*SatinFigureFunc) (const char *name, gint64 value, gpointer user_data);

/**
 * SatinWait:
 * @what: what the part waits for: "an answer to a request"; a static string
 * @node: the node from which it must come; 0 when no particular node is meant
 * @since_us: when the wait began, on the loop's clock; 0 when the wait may last for any time
 * @deadline: the timer that ends the wait or asks again; 0 when there is none, which is a bug
 *
 * Describes something that a part waits for.
 */
typedef struct
{
  const char *what;
  SatinNodeId node;
  gint64 since_us;
  SatinTimerId deadline;
} SatinWait;

/* Receives one wait. @wait is valid during the call. */
typedef void (*SatinWaitFunc) (const SatinWait *wait, gpointer user_data);

/* Runs when an operation has ended. @error: (nullable): why it did not succeed; valid during the
 * call. */
typedef void (*SatinDoneFunc) (const GError *error, gpointer user_data);

/**
 * SatinPartOps:
 * @start: makes the part. It may call satin_node_provide() inside or later. Returns: (transfer
 *   full): a handle, or %NULL with an error
 * @stop: ends the part in good order. It calls @done exactly once, on the loop, after @stop has
 *   returned. The handle is freed then, also when @done gets an error
 * @figures: (nullable): calls @add for each figure of the part
 * @waits: (nullable): calls @add for each thing that the part waits for; also called while the part
 *   is being stopped
 *
 * The operations of a plugin of kind "part".
 */
typedef struct
{
  gsize struct_size;
  gpointer (*start) (SatinNode *node, const SatinParams *params, GError **error);
  void (*stop) (gpointer part, SatinDoneFunc done, gpointer user_data);
  void (*figures) (gpointer part, SatinFigureFunc add, gpointer user_data);
  void (*waits) (gpointer part, SatinWaitFunc add, gpointer user_data);
} SatinPartOps;

/* The operations that each part must have. The host checks them when it loads the plugin. */
static const SatinRequired satin_part_required[] = { SATIN_REQUIRED (SatinPartOps, start),
                                                     SATIN_REQUIRED (SatinPartOps, stop),
                                                     { NULL, 0 } };

/**
 * SatinProgram:
 * @name: the program's name
 * @digest: (array fixed-size=16): digest of the program's task table; two nodes can exchange jobs
 *   if it is equal
 * @root: (array fixed-size=16): key of the root job; two runs of the program compute the same if
 *   it is equal
 * @arguments: (nullable): the arguments of the root job, in words
 * @build: (nullable): (borrowed, static): the result of satin_build_get(); with %NULL builds are
 *   not compared
 *
 * Which program a node runs. The nodes of a run compare it.
 */
typedef struct
{
  const char *name;
  guint8 digest[16];
  guint8 root[16];
  const char *arguments;
  const char *build;
} SatinProgram;

/**
 * satin_node_new:
 * @loop: borrowed; outlives the node
 * @program: copied, except for @build, which is static
 *
 * Returns: (transfer full): a node without parts; free with satin_node_free()
 */
SATIN_API SatinNode *satin_node_new (SatinLoop *loop, const SatinProgram *program);
/* The loop that the node was made with; borrowed. */
SATIN_API SatinLoop *satin_node_get_loop (SatinNode *self);
/* The program that the node runs; borrowed from the node. */
SATIN_API const SatinProgram *satin_node_get_program (SatinNode *self);

/**
 * satin_node_add_part:
 * @text: a part's name and its parameters, "net:hub=unix:/x,cluster=a"
 * @error: as for satin_plugin_load_spec() and satin_plugin_copy_ops(); %SATIN_ERROR_INVALID when
 *   the node has this part already; or the error of the part's start
 *
 * Loads the plugin part-NAME and starts it. Not after satin_node_stop().
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_node_add_part (SatinNode *self, const char *text, GError **error);

/* Provides an interface under @name, which must be free. The functions that wait for it run inside
 * this call. A %NULL @interface withdraws it. */
SATIN_API void satin_node_provide (SatinNode *self, const char *name, gpointer interface);

/* The interface, or %NULL while nobody provides it. */
SATIN_API gpointer satin_node_find (SatinNode *self, const char *name);

/* Calls @func once with the interface: inside this call if somebody provides it, else when somebody
 * does. A waiting call is dropped when the node begins to stop, and when it was made inside the
 * start of a part and that start fails. A node that stops accepts no new waiting calls. */
typedef void (*SatinInterfaceFunc) (gpointer interface, gpointer user_data);
SATIN_API void satin_node_await (SatinNode *self, const char *name, SatinInterfaceFunc func,
                                 gpointer user_data);

/* Reports that this node cannot continue. Parts and other code may call it. Only the first error
 * counts. The function of satin_node_set_fail_func() hears of it. */
SATIN_API void satin_node_fail (SatinNode *self, GError *error /* (transfer full) */);
/* Sets the function that hears of the first error of satin_node_fail(). It runs once, on the loop,
 * never inside either call, also when the error came before the function was set. %NULL removes
 * it. */
SATIN_API void satin_node_set_fail_func (SatinNode *self, void (*func) (const GError *, gpointer),
                                         gpointer user_data);

/* A source of figures that is no part, such as the core. It calls @add for each figure, with
 * @add_data. */
typedef void (*SatinFiguresFunc) (SatinFigureFunc add, gpointer add_data, gpointer user_data);
SATIN_API void satin_node_add_figures (SatinNode *self, SatinFiguresFunc func, gpointer user_data);

/* Calls @add for each figure of the node and its parts. A part that is being stopped has none. */
SATIN_API void satin_node_figures (SatinNode *self, SatinFigureFunc add, gpointer user_data);

/* ---- dumps ---- */

/* The largest encoded dump, bytes. A dump says what a node has and waits for at one moment: its
 * jobs and its waits, with their ages. `satin why` finds in the dumps of all nodes for which job a
 * run waits. A node that has too many jobs or waits leaves out the younger ones. */
#define SATIN_DUMP_MAX_BYTES ((gsize)64 << 10)

/* The states of a job in a dump. */
#define SATIN_JOB_ROOT     "root"     /* the root job, on the node of the master */
#define SATIN_JOB_RUNNING  "running"  /* the newest job of a worker, if seen 0.1 s ago already */
#define SATIN_JOB_IMPORTED "imported" /* an imported job: begun, or stolen by another node */
#define SATIN_JOB_QUEUED   "queued"   /* an imported job that waits here */
#define SATIN_JOB_EXPORTED "exported" /* a job of this node that another node has */

/* clang-format off */
/* A job.
 * @state: one of SATIN_JOB_
 * @job: task and arguments in words
 * @age_us: of an imported job, begun or not: how long ago it came; otherwise: how long it has been
 *   in this state; microseconds
 * @worker: of a running job: the number of the worker; otherwise -1
 * @import_id: of an imported job: its number on this node; otherwise 0
 * @under: of a running or exported job: the import_id of the imported job that it descends from;
 *   0: it descends from the root job; -1: that is not known
 * @node: of an imported job its owner, of an exported job the node that has it; otherwise 0
 * @index, @generation: the name that the owner has given to an imported or exported job */
SATIN_RECORD (SatinJobState,
              (string, state), (string, job), (long, age_us), (int, worker), (long, import_id),
              (long, under), (long, node), (int, index), (long, generation))
/* Something that a node waits for, see SatinWait. @age_us: 0 when the wait may last for any time */
SATIN_RECORD (SatinWaitState, (string, what), (long, node), (long, age_us))
/* @n_busy: how many workers are in a job. @n_all_jobs: how many jobs there are, also those for
 * which the dump has no room */
SATIN_RECORD (SatinDump,
              (int, n_busy), (int, n_all_jobs), (array_record, jobs, SatinJobState),
              (array_record, waits, SatinWaitState))
/* clang-format on */

/* Receives one job. @job is valid during the call. */
typedef void (*SatinJobFunc) (const SatinJobState *job, gpointer user_data);

/**
 * SatinInsight:
 * @count_busy: returns how many workers are in a job
 * @jobs: calls @add for each job of the node
 * @waits: calls @add for each thing that the core waits for
 *
 * By these functions the core of a program tells the node which jobs it has and what it waits for.
 */
typedef struct
{
  guint (*count_busy) (gpointer user_data);
  void (*jobs) (SatinJobFunc add, gpointer add_data, gpointer user_data);
  void (*waits) (SatinWaitFunc add, gpointer add_data, gpointer user_data);
} SatinInsight;

/* Sets the functions of the core. @insight: borrowed, outlives the node */
SATIN_API void satin_node_set_insight (SatinNode *self, const SatinInsight *insight,
                                       gpointer user_data);

/**
 * satin_node_dump:
 * @max_bytes: the largest size of the result; the result never exceeds %SATIN_DUMP_MAX_BYTES
 *
 * Describes what the node has and waits for now. The oldest jobs and waits come first; the youngest
 * are left out if there are too many.
 *
 * Cost: O(n log n) for n jobs and waits. Returns: (transfer full): an encoded SatinDump
 */
SATIN_API GBytes *satin_node_dump (SatinNode *self, gsize max_bytes);

/* The jobs and waits of a dump in words, a line for each. Returns: (transfer full) */
SATIN_API char *satin_dump_format (const SatinDump *dump);

/* Calls @add for each thing that the core or a part waits for. Dumps contain these waits. Tests and
 * simulated worlds check that nobody waits for ever. */
SATIN_API void satin_node_waits (SatinNode *self, SatinWaitFunc add, gpointer user_data);

/* Stops all parts, the last started first. Then calls @done once, on the loop, not inside this
 * call, with the first error of a part. @done may free the node. */
SATIN_API void satin_node_stop (SatinNode *self, SatinDoneFunc done, gpointer user_data);

/* Frees a node without parts: satin_node_stop() has ended, or no part was added. @self:
 * (nullable). */
SATIN_API void satin_node_free (SatinNode *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinNode, satin_node_free)

G_END_DECLS
