/* checkpoint.h - results of a run in files that outlive all its nodes
 *
 * A checkpoint is a folder of *logs*. A log is written by one node, from its beginning to its end,
 * and never changed; who writes next, after a crash or in another run, begins a new one. So nobody
 * needs to know where a log of another writer really ends.
 *
 *   HEAD     whose it is: run, program, root job
 *   RESULT   of a job that has ended, with its key and its place in the tree; any number of them
 *   OBJECT   a shared object's state; any number of them
 *   COVERS   all that counts of other logs is in this one, or in others that are there: those may
 *            be removed, or are gone
 *
 * What is damaged is left out, and said: each record has check sums of its own, which hold for
 * this log only, and a marker, by which the next one is found.
 *
 * Format: docs/checkpoint-internals.md. Threads: one at a time for all that one storage is used by.
 * Functions with a storage read or write and block until that is done.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/core/recovery.h>
#include <satin/ft/storage.h>

G_BEGIN_DECLS

/* The version of the format. Logs of another version are refused. */
#define SATIN_CHECKPOINT_VERSION 3
/* Of run, program, root and key. */
#define SATIN_CHECKPOINT_ID_BYTES 16
/* Bounds of one record. A storage that cannot append has less room for a result or a state:
 * SATIN_STORAGE_BLOCK_MAX for the record and the log's HEAD. */
#define SATIN_CHECKPOINT_HEAD_MAX_BYTES   ((gsize)64 << 10)
#define SATIN_CHECKPOINT_RESULT_MAX_BYTES ((gsize)1 << 30)

/* clang-format off */
/* What the program has read: @digest is a SHA-256. */
SATIN_RECORD (SatinCheckpointInput, (string, name), (bytes, digest))
/* @run: ids of nodes mean something within it only. @program: digest of the table of tasks; @root: of the root job with
 * its arguments; @name and @arguments: the same for people. @term: of the master. @made_us: wall clock, microseconds since
 * 1970, for people. @build: as satin/base/build.h says; empty: not known. @inputs: all that were named before the log
 * was begun. */
SATIN_RECORD (SatinCheckpointHead, (int, version), (bytes, run), (bytes, program), (bytes, root), (string, name),
              (string, arguments), (int, term), (int, node), (long, made_us), (string, build),
              (array_record, inputs, SatinCheckpointInput))
/* @node: on which it was kept. @lineage: a SatinLineage, encoded; nothing when there are no hops. @path: from the last hop,
 * or else the root, to the job. */
SATIN_RECORD (SatinCheckpointResult, (bytes, key), (string, task), (int, node), (bytes, lineage), (bytes, path))
/* @object: its id, which is made of @type and @name; @version: of the state, which is the body. */
SATIN_RECORD (SatinCheckpointObject, (long, object), (string, type), (string, name), (long, version))
/* @names: of logs. */
SATIN_RECORD (SatinCheckpointCovers, (array_string, names))
/* clang-format on */

/**
 * SatinCheckpointLog:
 * @name: (owned): "satin-NUMBER-NODE.log", decimal, 10 digits each, so that names sort
 * @number: higher is later
 * @node: who has written it
 * @size_bytes: when it was listed; 0 for one that is being written
 * @seed: of its check sums, once its HEAD is known
 *
 * One log.
 */
typedef struct
{
  char *name;
  guint64 number;
  SatinNodeId node;
  guint64 size_bytes;
  guint32 seed;
} SatinCheckpointLog;

/* Whether a log may have that name. */
SATIN_API gboolean satin_checkpoint_log_name_is_valid (const char *name);

/**
 * satin_checkpoint_list:
 *
 * The logs in the folder, by number and node; other files are passed over.
 *
 * Returns: (transfer full) (element-type SatinCheckpointLog) (nullable): %NULL with the storage's
 *   @error
 */
SATIN_API GPtrArray *satin_checkpoint_list (SatinStorage *storage, GError **error);

/**
 * SatinCheckpointPlace:
 * @log: (borrowed): from whom the place is from; its seed is known
 * @offset: of the record
 * @n_head: bytes of the record's head
 * @n_result: bytes of the result, or of the state
 *
 * Where a result, or an object, lies.
 */
typedef struct
{
  const SatinCheckpointLog *log;
  guint64 offset;
  guint32 n_head;
  guint64 n_result;
} SatinCheckpointPlace;

/* ---- reading a log ---- */

/**
 * SatinCheckpointScanFuncs:
 * @head: (nullable): comes first; %FALSE: the log is not wanted, nothing else is told of it. Of
 *   another version than %SATIN_CHECKPOINT_VERSION only the version is known
 * @result: (nullable): @place is valid during the call
 * @object: (nullable): likewise
 * @covers: (nullable)
 * @damaged: (nullable): bytes that no record could be made of
 *
 * What satin_checkpoint_scan() finds, in the log's order.
 */
typedef struct
{
  gboolean (*head) (const SatinCheckpointHead *head, gpointer user_data);
  void (*result) (const SatinCheckpointResult *result, const SatinCheckpointPlace *place,
                  gpointer user_data);
  void (*object) (const SatinCheckpointObject *object, const SatinCheckpointPlace *place,
                  gpointer user_data);
  void (*covers) (const SatinCheckpointCovers *covers, gpointer user_data);
  void (*damaged) (guint64 offset, guint64 n_bytes, gpointer user_data);
} SatinCheckpointScanFuncs;

/**
 * satin_checkpoint_scan:
 * @log: as listed
 * @is_whole: all bytes are read; else results and states above 1 MiB are passed over where the
 * storage can read from the middle, so that damage in them may go unseen until they are read
 * @error: the storage's; never for what the bytes are
 *
 * Reads a log from its beginning. One whose HEAD is damaged is all damage, as nobody can say whose
 * it is. A log that another node still writes may end with damage: its last record as far as
 * it is there.
 *
 * Memory: 1 MiB; 16 MiB when the storage cannot read from the middle.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_checkpoint_scan (SatinStorage *storage, const SatinCheckpointLog *log,
                                          gboolean is_whole, const SatinCheckpointScanFuncs *funcs,
                                          gpointer user_data, GError **error);

/* ---- the index: what counts ---- */

/* What counts of a checkpoint. */
typedef struct _SatinCheckpointIndex SatinCheckpointIndex;

/**
 * SatinCheckpointEntry:
 * @number: its name within the index, from 1, never used twice
 * @key: of the job
 * @node: on which it was kept; 0: of another run
 * @lineage: (owned) (nullable): a SatinLineage, encoded; %NULL when there are no hops
 * @path: (owned): from the last hop, or else the root
 * @place_in_tree: (owned): the path from the root
 * @task: (borrowed from the index): its task's name
 * @at: where the result lies
 * @object: (owned) (nullable): not %NULL: it is the state of a shared object, and of the above only
 *   @number and @at mean something
 *
 * A result that counts, or an object.
 */
typedef struct
{
  guint64 number;
  guint8 key[SATIN_CHECKPOINT_ID_BYTES];
  SatinNodeId node;
  GBytes *lineage;
  GBytes *path;
  GBytes *place_in_tree;
  const char *task;
  SatinCheckpointPlace at;
  SatinCheckpointObject *object;
} SatinCheckpointEntry;

/* Called for one entry, which is valid during the call. */
typedef void (*SatinCheckpointEntryFunc) (const SatinCheckpointEntry *entry, gpointer user_data);

/**
 * satin_checkpoint_index_new:
 * @run: (array fixed-size=16): of this run; results of others lose their hops
 *
 * All results that count, by their place in the tree, of all logs of one program and root, and of
 * each shared object the state that counts.
 *
 * A result that lies below another that was added later is redundant, as whoever resumes never asks
 * for it. (One that was added after the other belongs to a later round of a frame that syncs more
 * than once.) Of two with the same place and key the later one counts. Of an object the state of
 * the highest version counts, of several such the one that lies behind the others.
 *
 * Returns: (transfer full)
 */
SATIN_API SatinCheckpointIndex *satin_checkpoint_index_new (const guint8 *run);
/* Entries that it gave are gone too. @self: (nullable) */
SATIN_API void satin_checkpoint_index_free (SatinCheckpointIndex *self);

/**
 * satin_checkpoint_index_add:
 * @run: (array fixed-size=16): of the log that it is in
 * @result: copied
 * @at: where it is; the log is copied
 *
 * Adds a result, and drops what it makes redundant. One that was written is added once it is
 * synced, since what it makes redundant may be gone with the next compaction.
 *
 * Cost: O(log count) for each of them.
 *
 * Returns: (transfer none) (nullable): valid until it is removed or redundant; %NULL when its place
 *   in the tree is not known, as its lineage is not rooted, or makes no sense
 */
SATIN_API const SatinCheckpointEntry *
satin_checkpoint_index_add (SatinCheckpointIndex *self, const guint8 *run,
                            const SatinCheckpointResult *result, const SatinCheckpointPlace *at);

/**
 * satin_checkpoint_index_add_object:
 * @object: copied
 * @at: where it is; the log is copied
 *
 * Adds an object's state, as satin_checkpoint_index_add() adds a result.
 *
 * Returns: (transfer none) (nullable): valid until it is removed or another counts; %NULL when
 *   another counts that is there
 */
SATIN_API const SatinCheckpointEntry *
satin_checkpoint_index_add_object (SatinCheckpointIndex *self, const SatinCheckpointObject *object,
                                   const SatinCheckpointPlace *at);
/* The state of that object. Returns: (nullable) as above */
SATIN_API const SatinCheckpointEntry *
satin_checkpoint_index_find_object (SatinCheckpointIndex *self, gint64 object);
/* The object with the next higher id, without a sign; 0: the first. Returns: (nullable) as above */
SATIN_API const SatinCheckpointEntry *
satin_checkpoint_index_next_object (SatinCheckpointIndex *self, gint64 object);

/* Returns: (transfer none) (nullable): valid until it is removed or redundant */
SATIN_API const SatinCheckpointEntry *satin_checkpoint_index_find (SatinCheckpointIndex *self,
                                                                   guint64 number);
/* As satin_checkpoint_index_find(): the one with the place and key of @result. */
SATIN_API const SatinCheckpointEntry *
satin_checkpoint_index_find_same (SatinCheckpointIndex *self, const SatinCheckpointResult *result);

/**
 * satin_checkpoint_index_move:
 * @lineage: (nullable): %NULL when there are no hops
 * @path: from the last hop, or else the root
 *
 * It is known where the job with that number is kept now: another node has it, or its lineage has
 * changed. Its place in the tree has not. Nothing happens when there is none with that number.
 */
SATIN_API void satin_checkpoint_index_move (SatinCheckpointIndex *self, guint64 number,
                                            SatinNodeId node, GBytes *lineage, GBytes *path);

/* Nothing happens when there is none with that number. */
SATIN_API void satin_checkpoint_index_remove (SatinCheckpointIndex *self, guint64 number);
/* By number, results and objects. @func must not change the index. */
SATIN_API void satin_checkpoint_index_foreach (SatinCheckpointIndex *self,
                                               SatinCheckpointEntryFunc func, gpointer user_data);
/**
 * satin_checkpoint_index_get_inputs:
 *
 * The inputs that the logs' HEADs name, each once. A name can have more than one digest when a run
 * was told to go on with other inputs.
 *
 * Returns: (transfer none) (element-type SatinCheckpointInput): in the order of the logs
 */
SATIN_API const GArray *satin_checkpoint_index_get_inputs (const SatinCheckpointIndex *self);
/* Of results. */
SATIN_API guint satin_checkpoint_index_count (const SatinCheckpointIndex *self);
/* Of shared objects. */
SATIN_API guint satin_checkpoint_index_count_objects (const SatinCheckpointIndex *self);
/* Of the records that count, as they are in logs. */
SATIN_API guint64 satin_checkpoint_index_bytes (const SatinCheckpointIndex *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinCheckpointIndex, satin_checkpoint_index_free)

/* ---- a checkpoint: the folder as a whole ---- */

/**
 * SatinCheckpointSummary:
 * @n_logs: in the folder
 * @n_bytes: of them
 * @n_damaged: how many pieces of them could not be read
 * @n_damaged_bytes: of these
 * @last_number: the highest of a log; 0 when there is none
 *
 * What satin_checkpoint_read() has seen. Damage in logs that others cover is no matter.
 */
typedef struct
{
  guint n_logs;
  guint64 n_bytes;
  guint n_damaged;
  guint64 n_damaged_bytes;
  guint64 last_number;
} SatinCheckpointSummary;

/* @n_bytes of @n_total_bytes are read. */
typedef void (*SatinCheckpointProgressFunc) (guint64 n_bytes, guint64 n_total_bytes,
                                             gpointer user_data);

/**
 * satin_checkpoint_read:
 * @head: (nullable): what the logs must belong to: version, run, program, build, root and those of
 *   its inputs that they name, and name and arguments for messages; %NULL: the first log decides
 * @progress: (nullable): after each result that was found, and after each log
 * @ret_summary: (out) (optional)
 * @error: the storage's, or naming the log and what differs: %SATIN_ERROR_PROTOCOL the version,
 *   %SATIN_ERROR_PROGRAM the program or its build, %SATIN_ERROR_INVALID the arguments or an input
 *
 * Reads all logs into an index; what is in logs that others cover does not count. The index says
 * where results are, see satin_checkpoint_read_result(); large ones are passed over, as by
 * satin_checkpoint_scan().
 *
 * Returns: (transfer full) (nullable): %NULL with @error
 */
SATIN_API SatinCheckpointIndex *
satin_checkpoint_read (SatinStorage *storage, const SatinCheckpointHead *head,
                       SatinCheckpointProgressFunc progress, gpointer user_data,
                       SatinCheckpointSummary *ret_summary, GError **error);

/**
 * satin_checkpoint_read_result:
 * @entry: of an index
 * @error: %SATIN_ERROR_FORMAT when what is there is not that result: it is damaged; else the
 *   storage's
 *
 * Reads a result, or an object's state. Both check sums and the key, or id, are looked at.
 *
 * Returns: (transfer full) (nullable): encoded as its task's type, or its object's, says; %NULL
 *   with @error
 */
SATIN_API GBytes *satin_checkpoint_read_result (SatinStorage *storage,
                                                const SatinCheckpointEntry *entry, GError **error);

/* ---- writing ---- */

/* What writes the logs of one node. */
typedef struct _SatinCheckpointWriter SatinCheckpointWriter;

/**
 * satin_checkpoint_writer_new:
 * @storage: (borrowed): outlives it
 * @head: copied; at most %SATIN_CHECKPOINT_HEAD_MAX_BYTES when encoded. The logs' names have its
 * node
 * @number: of its first log, above that of any log there is
 *
 * Writes results. Nothing is written before the first one. It goes on to the next number by itself
 * where it must begin a new log: after an error, when asked to, and, in storages that cannot
 * append, after each sync.
 *
 * Returns: (transfer full)
 */
SATIN_API SatinCheckpointWriter *satin_checkpoint_writer_new (SatinStorage *storage,
                                                              const SatinCheckpointHead *head,
                                                              guint64 number);
/* What was not synced may be lost. */
SATIN_API void satin_checkpoint_writer_free (SatinCheckpointWriter *self);

/**
 * satin_checkpoint_writer_add:
 * @bytes: (array length=n_bytes): the result, encoded
 * @n_bytes: 0 is a result all the same
 * @ret_place: (out): where it is once it is synced; its log is valid until the writer is freed
 * @error: %SATIN_ERROR_INVALID when the record is larger than a record may be, or than the storage
 *   can take: then nothing else has changed. After any other, which is the storage's, all since the
 *   last sync must be added again: it goes into a new log
 *
 * Adds a result. Some MiB wait in memory before they are appended.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_checkpoint_writer_add (SatinCheckpointWriter *self,
                                                const SatinCheckpointResult *result,
                                                const guint8 *bytes, gsize n_bytes,
                                                SatinCheckpointPlace *ret_place, GError **error);

/* As satin_checkpoint_writer_add(), an object whose state @bytes are. */
SATIN_API gboolean satin_checkpoint_writer_add_object (SatinCheckpointWriter *self,
                                                       const SatinCheckpointObject *object,
                                                       const guint8 *bytes, gsize n_bytes,
                                                       SatinCheckpointPlace *ret_place,
                                                       GError **error);

/**
 * satin_checkpoint_writer_sync:
 * @error: the storage's: all since the last sync must be added again
 *
 * All that was added is safe when this returns %TRUE.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_checkpoint_writer_sync (SatinCheckpointWriter *self, GError **error);

/**
 * satin_checkpoint_writer_begin_log:
 * @number: what it has at least; 0: the next one
 * @error: as for satin_checkpoint_writer_sync(), which this does first
 *
 * What follows goes into a new log.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_checkpoint_writer_begin_log (SatinCheckpointWriter *self, guint64 number,
                                                      GError **error);
/* The number that its next log will have, at least. */
SATIN_API guint64 satin_checkpoint_writer_get_next_number (const SatinCheckpointWriter *self);
/* Of all its logs so far, with what still waits. */
SATIN_API guint64 satin_checkpoint_writer_get_bytes (const SatinCheckpointWriter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinCheckpointWriter, satin_checkpoint_writer_free)

/* ---- compaction ---- */

/* A compaction between two steps. */
typedef struct _SatinCheckpointCompaction SatinCheckpointCompaction;

/**
 * satin_checkpoint_compaction_new:
 * @storage: (borrowed): outlives it
 * @index: (borrowed): likewise; of @head's run, with all that counts of @logs
 * @head: copied; of the new logs
 * @number: of its first log, above that of any log there is
 * @logs: (element-type SatinCheckpointLog): copied: what it is to replace; nobody writes to them
 *   any more
 *
 * Makes a checkpoint smaller: copies what counts in @logs into new logs, reads those again, writes
 * a COVERS record, and only then removes @logs. Others may write, and change the index, between
 * its steps; they begin a log of their own for that, see satin_checkpoint_compaction_get_end().
 *
 * Memory: 64 MiB at most, and 40 bytes for each result, beside the index.
 *
 * Returns: (transfer full)
 */
SATIN_API SatinCheckpointCompaction *
satin_checkpoint_compaction_new (SatinStorage *storage, SatinCheckpointIndex *index,
                                 const SatinCheckpointHead *head, guint64 number,
                                 const GPtrArray *logs);
/* One that is not over is given up: its new logs stay, and hold nothing but copies. */
SATIN_API void satin_checkpoint_compaction_free (SatinCheckpointCompaction *self);

/**
 * satin_checkpoint_compaction_step:
 * @ret_is_over: (out): whether that was the last step
 * @error: the storage's; %SATIN_ERROR_FORMAT when a new log is not read as it was written. Then
 *   @logs are all there and count as before, the new logs are removed as far as that can be done,
 *   and the compaction is over
 *
 * Moves or checks about 4 MiB, or removes one log. In the end the index says where results lie now.
 * A result that turns out to be damaged is dropped from it.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_checkpoint_compaction_step (SatinCheckpointCompaction *self,
                                                     gboolean *ret_is_over, GError **error);

/* The number that logs begun by others from now on have at least. */
SATIN_API guint64 satin_checkpoint_compaction_get_end (const SatinCheckpointCompaction *self);
/* How many results turned out to be damaged. */
SATIN_API guint satin_checkpoint_compaction_get_n_damaged (const SatinCheckpointCompaction *self);
/* How many bytes it has moved so far, and is to move in all. */
SATIN_API void satin_checkpoint_compaction_get_progress (const SatinCheckpointCompaction *self,
                                                         guint64 *ret_n_bytes,
                                                         guint64 *ret_n_total_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinCheckpointCompaction, satin_checkpoint_compaction_free)

G_END_DECLS
