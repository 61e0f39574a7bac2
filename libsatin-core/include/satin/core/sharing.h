/* sharing.h - jobs that name shared objects, and the library that has those
 *
 * Core knows nothing of objects but their numbers: arguments of the kinds "object" and "version".
 * Whoever has the objects, libsatin-so, is the workers' *sharing*: it hears at safe points that a
 * worker's view of them is old, and says whether what a job of another node needs is here. A job
 * whose objects are not here, or older than the version in its arguments, or whose guard
 * says no, waits: first for what may be under way, then for what was asked for, and at last it goes
 * back to its owner. Jobs of this node's own are never looked at, and object 0 is none to wait for.
 *
 *   SATIN_TASK (forces, (record, Forces), (object, bodies), (version, iteration), (int, first))
 *
 * Threads: as said for each function.
 * Source: 003 sec. 5.
 * Differs: a version among the arguments belongs to the job's key as well, so a result is never
 * taken for one of another version.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

/* What the macros here expand to is no program's fault: -Wpedantic and the like are silent about
 * it. */
#pragma GCC system_header

#include <satin/core/workers.h>

G_BEGIN_DECLS

/**
 * SatinSharingHost:
 * @arrived: an object, or an update, has come: jobs that wait are looked at again; loop's thread
 *
 * What a sharing may tell the stealing between nodes.
 */
typedef struct
{
  gsize struct_size;
  void (*arrived) (gpointer host);
} SatinSharingHost;

/**
 * SatinSharingOps:
 * @refresh: the views of worker number @worker are old; on that worker, at a safe point
 * @has: whether the object is here, at that version or a later one; loop's thread
 * @want: a job that came from @from needs it, and waits; loop's thread. 0: from anybody
 * @attach: whom to tell of what arrives; %NULL: nobody any more; loop's thread
 * @free: its workers are gone
 *
 * The operations of a sharing.
 */
typedef struct
{
  gsize struct_size;
  void (*refresh) (SatinSharing *self, guint worker);
  gboolean (*has) (SatinSharing *self, gint64 object, gint64 version);
  void (*want) (SatinSharing *self, SatinNodeId from, gint64 object, gint64 version);
  void (*attach) (SatinSharing *self, const SatinSharingHost *host, gpointer host_data);
  void (*free) (SatinSharing *self);
} SatinSharingOps;

/* Begins the structure of whatever has the shared objects. */
struct _SatinSharing
{
  const SatinSharingOps *ops; /* (borrowed, static) */
};

/**
 * satin_workers_share:
 * @sharing: (transfer full): its first one; of a second one nothing is kept, and it is the caller's
 *
 * Threads: any
 *
 * Returns: the one in force: the first that came; lives as long as the workers
 */
SATIN_API SatinSharing *satin_workers_share (SatinWorkers *self, SatinSharing *sharing);

/* The one in force. Threads: any. Returns: (nullable) */
SATIN_API SatinSharing *satin_workers_get_sharing (SatinWorkers *self);

/* Has every worker refreshed at its next safe point. Threads: any */
SATIN_API void satin_workers_refresh (SatinWorkers *self);

/* Has this worker refreshed at its next safe point. Threads: that worker's */
SATIN_API void satin_worker_refresh (SatinWorker *worker);

/* Most workers that there will ever be: their numbers are below it. Threads: any */
SATIN_API guint satin_workers_get_n_most (const SatinWorkers *self);

/* Whether any task of the program has an object among its arguments. Threads: any, after main has
 * begun */
SATIN_API gboolean satin_program_has_objects (void);

/* Of the worker that a task runs on. Threads: that worker's */
SATIN_API SatinWorkers *satin_worker_get_workers (SatinWorker *worker);
/* Its number among the workers, below satin_workers_get_n_most(). Threads: that worker's */
SATIN_API guint satin_worker_get_index (SatinWorker *worker);

/* A safe point without a job; @head: after the frame's newest slot. Threads: that worker's */
SATIN_API void satin_worker_poll (SatinWorker *worker, SatinSlot *head);

/**
 * SATIN_GUARD:
 * @NAME: a task, declared before
 * @...: its (KIND, NAME) arguments
 *
 * Defines when a job of that task that came from another node may begin here: the
 * body follows in braces, has the arguments, and returns a boolean. Sooner or later it must hold
 * on the node that spawned the job, which does not ask. It runs on the loop's thread: short,
 * without effects.
 */
#define SATIN_GUARD(NAME, ...)                                                                     \
  static gboolean NAME##_guard_body_ (                                                             \
      SatinSharing *satin_sharing_ G_GNUC_UNUSED SATIN_EACH (SATIN_PARAM, , __VA_ARGS__));         \
  static gboolean NAME##_guard_ (SatinSharing *sharing_, gconstpointer data_)                      \
  {                                                                                                \
    const NAME##_args *args_ G_GNUC_UNUSED = (const NAME##_args *)data_;                           \
    return NAME##_guard_body_ (sharing_ SATIN_EACH (SATIN_PASS, args_->, __VA_ARGS__));            \
  }                                                                                                \
  __attribute__ ((constructor)) static void NAME##_set_guard_ (void)                               \
  {                                                                                                \
    NAME##_task.guard = NAME##_guard_;                                                             \
  }                                                                                                \
  static gboolean NAME##_guard_body_ (                                                             \
      SatinSharing *satin_sharing_ G_GNUC_UNUSED SATIN_EACH (SATIN_PARAM, , __VA_ARGS__))

G_END_DECLS
