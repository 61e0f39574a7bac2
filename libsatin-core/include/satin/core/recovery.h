/* recovery.h - what a part that saves work does for the core, and the core for the part
 *
 * When a node is lost, its imported jobs run again on other nodes. Its exported jobs become
 * *orphans*: nobody waits for them. A part that provides the interface "recovery" finds out where
 * the results of orphans are wanted. The core keeps an orphan until a node adopts it or the part
 * drops it. The core runs a lost job again with *hints*, a handle of the part: while the job's
 * frame spawns, the core asks for each child whether the hints know of it.
 *
 *   thief of an orphan                        owner of an ancestor
 *     orphan () ---- the part's messages ---->   hints of the exported job that was lost
 *                                                look (): the child is held there
 *     result as of any stolen job <---- ADOPT    the core exports it anew
 *
 * Without such a part, lost jobs run again and orphans are computed in vain.
 *
 * Threads: the loop's thread, except where stated. Source: 003 sec. 3.2-3.3. Differs: unfinished
 * orphans go on and are adopted; hints lead to them by the numbers of the children on the way, so
 * only the frames on that way look anything up.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/core/workers.h>

G_BEGIN_DECLS

/**
 * SatinJobRef:
 * @owner: the node that owns the job
 * @index: its entry in the owner's table of exported jobs
 * @generation: distinguishes it from earlier and later jobs with the same entry
 *
 * The name of an exported job.
 */
typedef struct
{
  SatinNodeId owner;
  gint32 index;
  gint64 generation;
} SatinJobRef;

/* The name of the interface for satin_node_await(). */
#define SATIN_INTERFACE_RECOVERY "recovery" /* SatinRecovery */

/* The largest size of one job's hints in a message. */
#define SATIN_HINTS_MAX_BYTES ((gsize)256 << 10)

/* clang-format off */
/* An exported job. @path leads to it from the job of the hop before, or from the root job: the
 * number of the child in each frame, the oldest frame first, as unsigned LEB128. */
SATIN_RECORD (SatinHop, (int, owner), (int, index), (long, generation), (bytes, path))
/* The exported jobs that a job descends from, the oldest first. If @is_rooted, the first path
 * begins at the root job. */
SATIN_RECORD (SatinLineage, (boolean, is_rooted), (array_record, hops, SatinHop))
/* clang-format on */

/**
 * SatinOrphan:
 * @import_id: this node's number for the job
 * @ref: the name that its lost owner gave it
 * @task: its task
 * @args: its arguments, encoded
 * @lineage: a SatinLineage, encoded
 * @path: (nullable): from the last hop, or the root, to the job; %NULL when it is not known
 * @is_over: it has ended, and the core keeps its result
 * @n_bytes: size of the result
 *
 * An imported job whose owner is lost.
 */
typedef struct
{
  guint64 import_id;
  SatinJobRef ref;
  const SatinTask *task;
  GBytes *args;
  GBytes *lineage;
  GBytes *path;
  gboolean is_over;
  gsize n_bytes;
} SatinOrphan;

/* The events of an orphan. NEW sets all fields of SatinOrphan, OVER sets @import_id and @n_bytes,
 * and the others set @import_id. */
typedef enum
{
  SATIN_ORPHAN_NEW,   /* the owner of the job is lost or leaves */
  SATIN_ORPHAN_OVER,  /* it has ended */
  SATIN_ORPHAN_SAVED, /* all children that save() asked for were passed to finished() */
  SATIN_ORPHAN_GONE,  /* a node has adopted it */
} SatinOrphanEvent;

/**
 * satin_path_append:
 * @path: the number is appended to it
 * @number: the number of a child in its frame
 *
 * Appends one level to a path: 1 to 5 bytes, unsigned LEB128.
 *
 * Threads: any.
 */
SATIN_API void satin_path_append (GByteArray *path, guint32 number);

/**
 * satin_path_next:
 * @path: (array length=n_path): may come from outside
 * @at: (inout): offset of the level to read, then of the next level; @n_path when there is none
 * @ret_number: (out): untouched on failure
 *
 * Reads one level of a path.
 *
 * Threads: any.
 *
 * Returns: %FALSE at the end of @path, when @path ends within the number, and when the number has
 *   more than 32 bits
 */
SATIN_API gboolean satin_path_next (const guint8 *path, gsize n_path, gsize *at,
                                    guint32 *ret_number);

/* The value that says that the number of levels between a job and the root job is not known. */
#define SATIN_LEVELS_UNKNOWN (-1)

/**
 * satin_lineage_count_levels:
 * @lineage: a SatinLineage, encoded; may come from outside
 * @path: (nullable): from the last hop, or the root, to a job; %NULL when it is not known
 * @ret_last: (out): the last exported job in @lineage; its owner is 0 when there is none
 *
 * Computes how deep a job is in the tree of jobs, and which exported job it descends from.
 *
 * Threads: any. Cost: O(bytes of @lineage and @path).
 *
 * Returns: number of levels between the job and the root job, or %SATIN_LEVELS_UNKNOWN
 */
SATIN_API gint32 satin_lineage_count_levels (GBytes *lineage, GBytes *path, SatinJobRef *ret_last);

/**
 * SatinLost:
 * @ref: the name under which this node exported the job
 * @hints: (transfer full) (nullable): the hints that the job was exported with
 * @thief: the lost node
 * @away_us: how long the thief had the job, microseconds
 * @task: (nullable): its task. This field and the next three are %NULL unless the part sets
 *   wants_jobs
 * @args: its arguments, encoded
 * @lineage: a SatinLineage, encoded
 * @path: (nullable): from the last hop, or the root, to the job; %NULL when it is not known
 *
 * An exported job whose thief is lost.
 */
typedef struct
{
  SatinJobRef ref;
  gpointer hints;
  SatinNodeId thief;
  gint64 away_us;
  const SatinTask *task;
  GBytes *args;
  GBytes *lineage;
  GBytes *path;
} SatinLost;

/* Why the core reports a finished job. */
typedef enum
{
  SATIN_FINISHED_IMPORTED, /* an imported job has ended here, or had ended when its owner was lost;
                            * only for a part with wants_jobs */
  SATIN_FINISHED_SAVED,    /* a child of an orphan, for save() */
  SATIN_FINISHED_WALKED,   /* for walk(); or, for a part with stores_results, a child of the root
                            * job, when the root job spawns again after a sync */
} SatinFinishedWhy;

/**
 * SatinFinished:
 * @why: why it is reported
 * @task: its task
 * @args: its arguments, encoded
 * @result: its result, encoded
 * @ref: the name that its owner gave it; the owner is 0 unless @why is IMPORTED
 * @lineage: a SatinLineage, encoded
 * @path: (nullable): from the last hop, or the root, to the job; %NULL when it is not known, which
 *   does not happen when @why is WALKED
 *
 * A job that has ended with a result.
 */
typedef struct
{
  SatinFinishedWhy why;
  const SatinTask *task;
  GBytes *args;
  GBytes *result;
  SatinJobRef ref;
  GBytes *lineage;
  GBytes *path;
} SatinFinished;

typedef struct _SatinFinishedFilter SatinFinishedFilter;

/**
 * SatinFinishedFilter:
 * @ref: takes a reference. Returns: @self
 * @unref: gives a reference up; the last one frees the filter
 * @is_new: whether the part wants to hear of a job that has ended. @path leads to the job from the
 *   imported job with the import id @under, or from the root job when @under is 0. For a whole
 *   imported job, @under is its own import id, and @path leads to it from the last hop
 *
 * Which finished jobs the part wants to hear about. Threads: any, several at a time.
 */
struct _SatinFinishedFilter
{
  SatinFinishedFilter *(*ref) (SatinFinishedFilter *self);
  void (*unref) (SatinFinishedFilter *self);
  gboolean (*is_new) (SatinFinishedFilter *self, guint64 under, const GByteArray *path,
                      const SatinTask *task, gconstpointer args);
};

/**
 * SatinChild:
 * @number: its number in the frame that spawns it
 * @task: its task
 * @args: its arguments, decoded
 *
 * A job that a frame with hints is spawning.
 */
typedef struct
{
  guint32 number;
  const SatinTask *task;
  gconstpointer args;
} SatinChild;

/* How much hints know of a job. */
typedef enum
{
  SATIN_LOOK_NOTHING, /* nothing: it runs like any other job */
  SATIN_LOOK_INSIDE,  /* some of its descendants: it runs with its own hints */
  SATIN_LOOK_HELD,    /* a node has it, as an orphan */
  SATIN_LOOK_RESULT,  /* its result is here */
} SatinLookKind;

/**
 * SatinLook:
 * @kind: which of the other fields are set
 * @hints: (transfer full): the job's own hints when INSIDE; (nullable) when HELD, in case the job
 *   runs here after all
 * @holder: the node that has it, maybe this one, when HELD
 * @ref: the name that its lost owner gave it, when HELD
 * @result: (transfer full): encoded, when RESULT
 *
 * The answer of look(): the knowledge that hints have of a job.
 */
typedef struct
{
  SatinLookKind kind;
  gpointer hints;
  SatinNodeId holder;
  SatinJobRef ref;
  GBytes *result;
} SatinLook;

/* The events of a job with hints. The last words of each name the thread that calls tell(). */
typedef enum
{
  SATIN_AGAIN_QUEUED,     /* its grace is over: it may begin, unless another node has it or its
                           * result is known. Loop */
  SATIN_AGAIN_RAN,        /* the job, or a part of it that also has hints, has run on this worker;
                           * the value is how long, microseconds. Worker's thread */
  SATIN_AGAIN_RETURNED,   /* it was exported, and came back undone. Loop */
  SATIN_AGAIN_GIVEN_BACK, /* it came from another node and goes back there undone. Any thread; the
                           * core gives up its hints next */
} SatinAgain;

/* A moment in the life of the root job at which the part may make the core wait. */
typedef enum
{
  SATIN_ROOT_BEGINS, /* it is about to begin at this node */
  SATIN_ROOT_ENDED,  /* it has ended well, and the run is about to end */
  SATIN_ROOT_FAILED, /* it has ended with an error, and the run is about to end */
} SatinRootPhase;

/* Says whether a job may use an input. @error: (nullable): %NULL when the input's bytes are the
 * same as before, or when no job has named it before. */
typedef void (*SatinInputFunc) (const GError *error, gpointer user_data);

/**
 * SatinRecoveryHost:
 * @has_ref: whether this node still waits for the job that it exported under this name
 * @drop: nobody wants the orphan: the core aborts it and forgets its result
 * @save: the core reports the finished children of an unfinished orphan to finished(), and then
 *   SAVED to orphan()
 * @walk: the core reports all finished jobs here that pass @filter to finished(), and then calls
 *   walked(). If @is_end, the workers stop where they are, for good. A new call before walked()
 *   replaces the walk: walked() is called for the new walk only
 * @fetched: the answer to fetch(). @result: (nullable): %NULL when it cannot be read; the job's
 *   owner then runs the job again
 *
 * The operations that the core has for the part. All are set.
 *
 * Threads: loop.
 */
typedef struct
{
  gsize struct_size;
  gboolean (*has_ref) (gpointer host, gint32 index, gint64 generation);
  void (*drop) (gpointer host, guint64 import_id);
  void (*save) (gpointer host, guint64 import_id);
  void (*walk) (gpointer host, gboolean is_end, SatinFinishedFilter *filter);
  void (*fetched) (gpointer host, guint64 import_id, GBytes *result);
} SatinRecoveryHost;

/* The first field of whatever provides the interface. */
typedef struct _SatinRecovery SatinRecovery;

/**
 * SatinRecoveryOps:
 * @struct_size: sizeof (SatinRecoveryOps) where the part was built
 * @attach: the core begins to use the part. @host %NULL: the core is gone. The part borrows both
 *   arguments until then
 * @grace_us: how long a lost job, or the root job after a lost master, waits for reports of other
 *   nodes before it runs again, microseconds, 0 or more. Cost: O(number of known nodes)
 * @lost: the thief of an exported job is lost, or has returned the job. Returns: (transfer full):
 *   hints for the job, maybe those in @lost
 * @root: the root job begins at this node. Returns: (transfer full) (nullable): hints for it, when
 *   something is known of an earlier run or of a lost master
 * @root_wait_us: how long the core must wait at the moment @phase, microseconds; then it asks
 *   again. 0: the core goes on. Negative, only for BEGINS and with @error: the root job cannot
 *   begin, and the run ends
 * @pack: a job with @hints travels to node @to under the name @ref. @ref->owner is this node when
 *   the job is exported, and @to when the job goes back undone. Returns: (transfer full): what that
 *   node must know of the hints, at most %SATIN_HINTS_MAX_BYTES
 * @unpack: a job came with the bytes that pack() returned at its sender. @ref is its name. A job of
 *   this node that comes back has such bytes too. Returns: (transfer full) (nullable): hints for
 *   it; %NULL when the bytes cannot be read, which the part logs
 * @unref: gives hints up (transfer full). A job with hints is over when the last of them are given
 *   up. Threads: any
 * @look: what @hints know of a child of their job. With a %NULL @child the question is about the
 *   job itself, and the answer is never INSIDE. The caller has set all of @ret_look to 0. Threads:
 *   the worker that spawns @child; the loop for %NULL. Cost: each spawn of a frame with hints pays
 *   for it
 * @tell: something has happened to the job with @hints. @value is 0 unless stated. Threads: see
 *   SatinAgain
 * @orphan: something happens to an orphan. The part may drop orphans from inside
 * @finished: a job has ended with a result
 * @walked: all that walk() found was passed to finished()
 * @fetch: another node wants the result of the job that hints call @ref, and no orphan has that
 *   name. Returns: %TRUE when the part will call fetched() with @import_id, once, not inside;
 *   %FALSE when it does not know the job
 * @input: a job here has named an input, with a SHA-256 of its bytes. The part calls @done once,
 *   maybe inside, on the loop
 *
 * The operations that the part has for the core. All are required. Arguments are borrowed for the
 * call, except where stated.
 *
 * Threads: loop, except where stated.
 */
typedef struct
{
  gsize struct_size;
  void (*attach) (SatinRecovery *self, const SatinRecoveryHost *host_ops, gpointer host);
  gint64 (*grace_us) (SatinRecovery *self);
  gpointer (*lost) (SatinRecovery *self, const SatinLost *lost);
  gpointer (*root) (SatinRecovery *self);
  gint64 (*root_wait_us) (SatinRecovery *self, SatinRootPhase phase, GError **error);
  GBytes *(*pack) (SatinRecovery *self, gpointer hints, SatinNodeId to, const SatinJobRef *ref);
  gpointer (*unpack) (SatinRecovery *self, const guint8 *bytes, gsize n_bytes,
                      const SatinJobRef *ref);
  void (*unref) (gpointer hints);
  void (*look) (gpointer hints, const SatinChild *child, SatinLook *ret_look);
  void (*tell) (gpointer hints, SatinAgain what, gint64 value);
  void (*orphan) (SatinRecovery *self, SatinOrphanEvent what, const SatinOrphan *orphan);
  void (*finished) (SatinRecovery *self, const SatinFinished *finished);
  void (*walked) (SatinRecovery *self, gboolean is_end);
  gboolean (*fetch) (SatinRecovery *self, const SatinJobRef *ref, guint64 import_id);
  void (*input) (SatinRecovery *self, const char *name, const guint8 *digest, SatinInputFunc done,
                 gpointer user_data);
} SatinRecoveryOps;

/**
 * SatinRecovery:
 * @ops: (borrowed, static): its operations
 * @has_all: everything that hints lead to is on this node. So no job waits for another node because
 *   of its hints, and a job with hints may begin wherever any other job may
 * @wants_jobs: lost() describes the job, and finished() is called for each imported job that ends
 *   with a result. Both cost a copy of arguments, lineage and path
 * @stores_results: results may outlive the run. finished() is called for children of the root job,
 *   and a master that must leave when no other node stays stops the run instead of giving it up
 * @backup_bytes: how many bytes of results, beside those of orphans, this node may keep in case the
 *   master is lost; 0: none
 *
 * A part that saves work. It sets the fields before it provides the interface. Later only
 * @backup_bytes changes.
 *
 * Threads: loop; the core copies @ops and @has_all for the workers.
 */
struct _SatinRecovery
{
  const SatinRecoveryOps *ops;
  gboolean has_all;
  gboolean wants_jobs;
  gboolean stores_results;
  gsize backup_bytes;
};

G_END_DECLS
