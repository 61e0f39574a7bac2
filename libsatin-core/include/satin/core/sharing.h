/* sharing.h - jobs that name shared objects, and the library that has the objects
 *
 * Core knows only the numbers of objects: arguments of the kinds "object" and "version". The
 * library that has the objects, libsatin-so, is the workers' *sharing*. At safe points the sharing
 * hears that a worker's view of the objects is old. The sharing also says whether this node has the
 * objects that an imported job needs. An imported job waits while an object is missing or older
 * than the version in the job's arguments, or while the job's guard is false. A missing object is
 * asked for at once, and a newer version after a short wait for updates that may be under way. If
 * neither helps, the job goes back to its owner. A node's own jobs never wait, and nothing waits
 * for object 0.
 *
 *   SATIN_TASK (forces, (record, Forces), (object, bodies), (version, iteration), (int, first))
 *
 * Threads: as said for each function.
 * Source: 003 sec. 5.
 * Differs: a version among the arguments belongs to the job's key as well, so a result is never
 * taken for that of another version.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

/* The macros here expand to code for which -Wpedantic and similar options warn. A program cannot
 * avoid that, so this turns the warnings off. */
#pragma GCC system_header

#include <satin/core/workers.h>

G_BEGIN_DECLS

/**
 * SatinSharingHost:
 * @arrived: an object or an update has arrived, so jobs that wait are checked again; loop's thread
 *
 * The events that a sharing may report to the stealing between nodes.
 */
typedef struct
{
  gsize struct_size;
  void (*arrived) (gpointer host);
} SatinSharingHost;

/**
 * SatinSharingOps:
 * @refresh: refreshes the views of worker number @worker, which are old; on that worker, at a safe
 *   point
 * @has: whether this node has the object, at that version or a later one; loop's thread
 * @want: asks node @from for the object, because a job of that node waits for it here; @from 0:
 *   asks any node; loop's thread
 * @attach: sets the host that hears what arrives; %NULL removes it; loop's thread
 * @free: frees the sharing, when its workers are freed
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

/* The first field of whatever has the shared objects. */
struct _SatinSharing
{
  const SatinSharingOps *ops; /* (borrowed, static) */
};

/**
 * satin_workers_share:
 * @sharing: (transfer full): becomes the workers' sharing, if they have none. Else the caller keeps
 *   it
 *
 * Threads: any
 *
 * Returns: the workers' sharing, which is the first that came; lives as long as the workers
 */
SATIN_API SatinSharing *satin_workers_share (SatinWorkers *self, SatinSharing *sharing);

/* The workers' sharing. Threads: any. Returns: (nullable) */
SATIN_API SatinSharing *satin_workers_get_sharing (SatinWorkers *self);

/* Makes every worker refresh its views at its next safe point. Threads: any. */
SATIN_API void satin_workers_refresh (SatinWorkers *self);

/* Makes this worker refresh its views at its next safe point. Threads: that worker's. */
SATIN_API void satin_worker_refresh (SatinWorker *worker);

/* The largest number of workers that there will be from now on. The number of each worker is below
 * it. Threads: any. */
SATIN_API guint satin_workers_get_n_most (const SatinWorkers *self);

/* Whether any task of the program has an object among its arguments. Threads: any, after main has
 * begun. */
SATIN_API gboolean satin_program_has_objects (void);

/* The workers to which the worker of a task belongs. Threads: that worker's. */
SATIN_API SatinWorkers *satin_worker_get_workers (SatinWorker *worker);
/* The number of this worker, below satin_workers_get_n_most(). Threads: that worker's. */
SATIN_API guint satin_worker_get_index (SatinWorker *worker);

/* Makes a safe point, as a spawn does, without a job. @head: behind the frame's newest slot.
 * Threads: that worker's. */
SATIN_API void satin_worker_poll (SatinWorker *worker, SatinSlot *head);

/**
 * SATIN_GUARD:
 * @NAME: a task that was declared before
 * @...: its (KIND, NAME) arguments
 *
 * Defines when an imported job of that task may begin here. The body follows in braces, has the
 * arguments, and returns a boolean. The node that spawned the job does not check the guard, so the
 * condition must hold there. On other nodes the guard runs on the loop's thread, so it must be
 * short and without effects.
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
