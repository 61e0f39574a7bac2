/* recovery.h - what a part that saves work does for the core, and the core for it
 *
 * When a node is lost, the jobs that it had of others run again, and the jobs that others
 * have of it are *orphans*: nobody waits for them. A part that provides the interface "recovery"
 * finds out where their results are wanted. The core keeps orphans until they are adopted or
 * dropped, and runs a lost job again with *hints*, a handle of the part: while its
 * frame spawns, the core asks for each child whether the hints know of it.
 *
 *   thief of an orphan                        owner of an ancestor
 *     orphan () ---- the part's messages ---->   hints of the exported job that was lost
 *                                                look (): the child is held there
 *     result as of any stolen job <---- ADOPT    the core exports it anew
 *
 * Without such a part, lost jobs run again and orphans are computed in vain.
 *
 * Threads: the loop's thread, except where stated.
 * Source: 003 sec. 3.2-3.3. Differs: unfinished orphans go on and are adopted; hints lead to them
 * by the numbers of the children on the way, so only the frames on that way look anything up.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/core/workers.h>

G_BEGIN_DECLS

/**
 * SatinJobRef:
 * @owner: the node whose job it is
 * @index: its entry in the owner's table of exported jobs
 * @generation: tells it from other jobs that had or will have that entry
 *
 * A job of another node.
 */
typedef struct
{
  SatinNodeId owner;
  gint32 index;
  gint64 generation;
} SatinJobRef;

/* The interface's name for satin_node_await(). */
#define SATIN_INTERFACE_RECOVERY "recovery" /* SatinRecovery */

/* Hints of one job, on the way. */
#define SATIN_HINTS_MAX_BYTES ((gsize)256 << 10)

/* clang-format off */
/* An exported job, and the path to it from the one before: the number of the child in each frame, oldest
 * first, as unsigned LEB128. */
SATIN_RECORD (SatinHop, (int, owner), (int, index), (long, generation), (bytes, path))
/* The exported jobs that a job descends from, oldest first; @is_rooted: the first path begins at the
 * root job. */
SATIN_RECORD (SatinLineage, (boolean, is_rooted), (array_record, hops, SatinHop))
/* clang-format on */

/**
 * SatinOrphan:
 * @import_id: by which this node knows it
 * @ref: by which its lost owner knew it
 * @task: its task
 * @args: its arguments, encoded
 * @lineage: a SatinLineage, encoded
 * @path: (nullable): from the last hop, or the root, to it; %NULL when it is not known
 * @is_over: it has ended and its result is kept
 * @n_bytes: size of the result; 0 while there is none
 *
 * A job here whose owner is gone.
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

/**
 * satin_path_append:
 * @path: the number is added to it
 *
 * Adds one level to a path: 1 to 5 bytes, unsigned LEB128.
 *
 * Threads: any.
 */
SATIN_API void satin_path_append (GByteArray *path, guint32 number);

/**
 * satin_path_next:
 * @path: (array length=n_path): as it came, maybe from outside
 * @at: (inout): offset of the level to read, then of the next one; @n_path: there is none
 * @ret_number: (out): untouched on failure
 *
 * Reads one level of a path.
 *
 * Threads: any.
 *
 * Returns: %FALSE at the end of @path, when it ends within the number, and when that has more than
 *   32 bits
 */
SATIN_API gboolean satin_path_next (const guint8 *path, gsize n_path, gsize *at,
                                    guint32 *ret_number);

/* How far below the root job a job is: not known. */
#define SATIN_LEVELS_UNKNOWN (-1)

/**
 * SatinEnded:
 * @task: its task
 * @args: its arguments, encoded
 * @result: encoded
 * @n_levels: how far below the root job, or %SATIN_LEVELS_UNKNOWN
 * @ref: by which its owner knows it; owner 0: it was not exported
 * @under: the exported job that it descends from; owner 0: there is none
 *
 * A job that has ended here, with a result.
 */
typedef struct
{
  const SatinTask *task;
  GBytes *args;
  GBytes *result;
  gint32 n_levels;
  SatinJobRef ref;
  SatinJobRef under;
} SatinEnded;

/**
 * SatinFinished:
 * @task: its task
 * @args: its arguments, encoded
 * @result: encoded
 * @lineage: a SatinLineage, encoded
 * @path: from the last hop, or the root, to it
 *
 * A job that has ended, of which the job that spawned it has not, or its owner has not said yet
 * that it has the result.
 */
typedef struct
{
  const SatinTask *task;
  GBytes *args;
  GBytes *result;
  GBytes *lineage;
  GBytes *path;
} SatinFinished;

typedef struct _SatinFilter SatinFilter;

/**
 * SatinFilter:
 * @ref: Returns @self
 * @unref: it may be gone then
 * @is_new: whether the part wants to hear of a finished job. The job descends by @path from the
 *   imported job with the import id @under; 0: from the root job
 *
 * Which finished jobs the part wants to hear about. Threads: any, several at a time.
 */
struct _SatinFilter
{
  SatinFilter *(*ref) (SatinFilter *self);
  void (*unref) (SatinFilter *self);
  gboolean (*is_new) (SatinFilter *self, guint64 under, const GByteArray *path,
                      const SatinTask *task, gconstpointer args);
};

/* What hints know of a job. */
typedef enum
{
  SATIN_LOOK_NOTHING, /* it is run like any other */
  SATIN_LOOK_INSIDE,  /* some of its descendants are known: it is run with hints of its own */
  SATIN_LOOK_HELD,    /* a node has it, as an orphan */
  SATIN_LOOK_RESULT,  /* its result is here */
} SatinLookKind;

/**
 * SatinLook:
 * @hints: (transfer full): when INSIDE; (nullable) when HELD: for when it runs here after all
 * @holder: the node that has it, maybe this one, when HELD
 * @ref: by which its lost owner knew it, when HELD
 * @result: (transfer full): encoded, when RESULT
 *
 * The answer to what hints know of a job.
 */
typedef struct
{
  SatinLookKind kind;
  gpointer hints;
  SatinNodeId holder;
  SatinJobRef ref;
  GBytes *result;
} SatinLook;

/* What becomes of a job with hints, for who counts that. */
typedef enum
{
  SATIN_AGAIN_LOST,     /* it was lost, just now; the value is the node that had it */
  SATIN_AGAIN_EXPORTED, /* the value is how long that node had it, us */
  SATIN_AGAIN_QUEUED,   /* its grace is over: it may begin, or is with another node */
  SATIN_AGAIN_RAN, /* it, or a part of it that has hints too, has run; the value is how long, us */
} SatinAgain;

/* What became of an input: @error (nullable): %NULL: it is the same, or nobody knew it before. */
typedef void (*SatinInputFunc) (const GError *error, gpointer user_data);

/**
 * SatinRecoveryHost:
 * @has_ref: whether this node still waits for the job that it exported under this name
 * @drop: nobody wants the orphan
 * @save: the finished children of the orphan, which runs still, are to be told by ended(); after
 * the last comes saved()
 * @walk: all that is finished here and passes @filter is to be told by finished(); after the last
 * comes walked(). @is_end: and the workers stop where they are, for good. Not again before that
 * @fetched: what fetch() asked for; @result %NULL: it is not to be had, and its owner runs the job
 * again
 *
 * What the core does for the part.
 */
typedef struct
{
  gsize struct_size;
  gboolean (*has_ref) (gpointer host, gint32 index, gint64 generation);
  void (*drop) (gpointer host, guint64 import_id);
  void (*save) (gpointer host, guint64 import_id);
  void (*walk) (gpointer host, gboolean is_end, SatinFilter *filter);
  void (*fetched) (gpointer host, guint64 import_id, GBytes *result);
} SatinRecoveryHost;

/* Begins the structure of whatever provides the interface. */
typedef struct _SatinRecovery SatinRecovery;

/**
 * SatinRecoveryOps:
 * @attach: the core is there; @host %NULL: it is gone. Both are borrowed
 * @grace_us: how long a lost job waits for hints before it runs again
 * @lost: the thief of a job is lost; @hints (transfer full) (nullable) are those that it was
 * exported with. Returns (transfer full): hints for it, maybe these
 * @root: hints for the root job, which begins at this node, anew or with what is known of an
 * earlier run. (transfer full) (nullable): %NULL: nothing is known
 * @pack: the job with @hints is exported to @to: what the thief is to know of them, at most
 *   %SATIN_HINTS_MAX_BYTES
 * @send_back: as pack, for a job that came from @to under that name, and that goes back there
 * undone
 * @unpack: a job came with packed hints; its owner knows it by @ref. Returns (transfer full)
 *   (nullable): %NULL when they cannot be read
 * @unref: any thread; the job is over with the last one
 * @look: what is known of the child with that @number in the frame of the job with @hints; on a
 *   worker's thread, any of them
 * @look_self: likewise of that job itself: HELD, RESULT or NOTHING
 * @orphan: the owner of a job here is gone
 * @orphan_over: it has ended
 * @orphan_gone: it is not there any more: adopted, or dropped
 * @returned: the job with @hints was exported and is here again undone
 * @give_back: the job with @hints came from another node and goes back there undone. (transfer
 *   full); any thread
 * @tell: (nullable): what has become of the job with @hints; any thread
 * @describe: (nullable): the lost job with @hints is this one, before they are looked at
 * @ended: (nullable): a job of another node has ended here, is an orphan that ended before, or is a
 *   child of one that is saved
 * @saved: (nullable): all finished children of the orphan were told of
 * @has_all: all that hints lead to is on this node, so nobody waits because of them, and jobs with
 *   hints begin where any others may
 * @backup_bytes: (nullable): bytes of results that may be kept here for when the master is lost,
 * beside those of orphans
 * @root_wait_us: (nullable): how long the root job is to wait, after which this is asked again; 0:
 * it may begin. Negative with @error: it cannot, and the run ends
 * @root_over_us: (nullable): likewise the end of the run, when the root job has ended; @is_well:
 * without an error
 * @finished: (nullable): a job that walk() found, or a child of the root job, which may spawn more
 * @walked: (nullable): all that walk() found was told
 * @input: (nullable): a job here has named an input, with a SHA-256 of its bytes; calls @done once,
 *   maybe at once, on the loop
 * @fetch: (nullable): another node wants the result of the job that its hints call @ref, and that
 *   is no orphan of the core. fetched() follows with @import_id, not inside this call. %FALSE: the
 *   part does not know the job
 *
 * What the part does for the core.
 */
typedef struct
{
  gsize struct_size;
  void (*attach) (SatinRecovery *self, const SatinRecoveryHost *host_ops, gpointer host);
  gint64 (*grace_us) (SatinRecovery *self);
  gpointer (*lost) (SatinRecovery *self, gint32 index, gint64 generation, gpointer hints);
  gpointer (*root) (SatinRecovery *self);
  GBytes *(*pack) (SatinRecovery *self, gpointer hints, SatinNodeId to, gint32 index,
                   gint64 generation);
  GBytes *(*send_back) (SatinRecovery *self, gpointer hints, SatinNodeId to, gint32 index,
                        gint64 generation);
  gpointer (*unpack) (SatinRecovery *self, const guint8 *bytes, gsize n_bytes,
                      const SatinJobRef *ref);
  void (*unref) (gpointer hints);
  void (*look) (gpointer hints, guint32 number, const SatinTask *task, gconstpointer args,
                SatinLook *ret_look);
  void (*look_self) (gpointer hints, SatinLook *ret_look);
  void (*orphan) (SatinRecovery *self, const SatinOrphan *orphan);
  void (*orphan_over) (SatinRecovery *self, guint64 import_id, gsize n_bytes);
  void (*orphan_gone) (SatinRecovery *self, guint64 import_id);
  void (*returned) (gpointer hints);
  void (*give_back) (gpointer hints);
  void (*tell) (gpointer hints, SatinAgain what, gint64 value);
  void (*describe) (gpointer hints, const SatinTask *task, GBytes *args, gint32 n_levels);
  void (*ended) (SatinRecovery *self, const SatinEnded *ended);
  void (*saved) (SatinRecovery *self, guint64 import_id);
  gboolean has_all;
  gsize (*backup_bytes) (SatinRecovery *self);
  gint64 (*root_wait_us) (SatinRecovery *self, GError **error);
  gint64 (*root_over_us) (SatinRecovery *self, gboolean is_well);
  void (*finished) (SatinRecovery *self, const SatinFinished *finished);
  void (*walked) (SatinRecovery *self, gboolean is_end);
  gboolean (*fetch) (SatinRecovery *self, const SatinJobRef *ref, guint64 import_id);
  void (*input) (SatinRecovery *self, const char *name, const guint8 *digest, SatinInputFunc done,
                 gpointer user_data);
} SatinRecoveryOps;

struct _SatinRecovery
{
  const SatinRecoveryOps *ops; /* (borrowed, static) */
};

/* Tells a part that wants to hear it. */
static inline void
satin_recovery_tell (const SatinRecoveryOps *ops, gpointer hints, SatinAgain what, gint64 value)
{
  if (SATIN_HAS (ops, tell))
    ops->tell (hints, what, value);
}

G_END_DECLS
