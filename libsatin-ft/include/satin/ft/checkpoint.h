/* checkpoint.h - results of a run in files that outlive all its nodes
 *
 * A checkpoint is a folder of *logs*. One node writes a log from its beginning to its end; after
 * that nobody changes it. The next writer, after a crash or in another run, begins a new log. So
 * nobody needs to know where the log of another writer really ends.
 *
 *   HEAD     the run, the program and the root job that the log belongs to
 *   TASKS    the program's tasks; follows HEAD, if it is there
 *   RESULT   the result of a job, with the job's key and place in the tree; any number of them
 *   OBJECT   a shared object's state; any number of them
 *   COVERS   names logs that no longer count: all that is needed of them is also in this log or
 *            in other logs of the folder. They may be removed, or are gone already
 *
 * Readers leave damaged records out and report them. Each record has a marker, by which a reader
 * finds the next record, and check sums. All check sums but those of HEAD are valid in one log
 * only.
 *
 * Format: docs/checkpoint-internals.md. Threads: one at a time for everything that uses one
 * storage. Functions with a storage read or write, and block until that is done.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/core/recovery.h>
#include <satin/ft/storage.h>

G_BEGIN_DECLS

/* The version of the format, and the oldest version that is read. Logs of other versions are
 * refused. */
#define SATIN_CHECKPOINT_VERSION        4
#define SATIN_CHECKPOINT_OLDEST_VERSION 3
/* The length of a run, a program, a root and a key. */
#define SATIN_CHECKPOINT_ID_BYTES 16
/* The largest sizes of a record's head and of its body, which is a result or a state. In a storage
 * that cannot append, records must be smaller: a record and the log's HEAD together have at most
 * SATIN_STORAGE_BLOCK_MAX bytes.
 */
#define SATIN_CHECKPOINT_HEAD_MAX_BYTES   ((gsize)64 << 10)
#define SATIN_CHECKPOINT_RESULT_MAX_BYTES ((gsize)1 << 30)

/* clang-format off */
/* An input of the program: @digest is a SHA-256. */
SATIN_RECORD (SatinCheckpointInput, (string, name), (bytes, digest))
/* The beginning of a log. @run: the run, in which the node numbers of the log are valid. @program:
 * digest of the task table; @root: key of the root job with its arguments; @name and @arguments:
 * program and arguments as text, for people. @term: the master's term. @made_us: wall clock,
 * microseconds since 1970, for people. @build: as in satin/base/build.h, empty when unknown.
 * @inputs: all inputs that the program named before the log was begun. */
SATIN_RECORD (SatinCheckpointHead, (int, version), (bytes, run), (bytes, program), (bytes, root), (string, name),
              (string, arguments), (int, term), (int, node), (long, made_us), (string, build),
              (array_record, inputs, SatinCheckpointInput))
/* A job's result. @node: the node that had the result. @lineage: a SatinLineage, encoded; empty if
 * it has no hop (exported job). @path: the path to the job from the last hop; without hops, from
 * the root. */
SATIN_RECORD (SatinCheckpointResult, (bytes, key), (string, task), (int, node), (bytes, lineage), (bytes, path))
/* A shared object's state, which is the record's body. @object: the object's id, made of @type and
 * @name; @version: the version of the state. */
SATIN_RECORD (SatinCheckpointObject, (long, object), (string, type), (string, name), (long, version))
/* Logs that no longer count. @names: the names of these logs. */
SATIN_RECORD (SatinCheckpointCovers, (array_string, names))
/* clang-format on */

/**
 * SatinCheckpointLog:
 * @name: (owned): "satin-NUMBER-NODE.log" with 10 decimal digits each, so that names sort
 * @number: a later log has a higher number
 * @node: the node that wrote the log
 * @size_bytes: its size when it was listed; 0 for a log that is being written
 * @seed: the seed of the log's check sums, once the log's HEAD is known
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

/* Whether @name is a valid name of a log. */
SATIN_API gboolean satin_checkpoint_log_name_is_valid (const char *name);

/**
 * satin_checkpoint_list:
 * @error: the storage's
 *
 * Lists the logs in the folder, by number and node, and ignores other files.
 *
 * Returns: (transfer full) (element-type SatinCheckpointLog) (nullable): %NULL with @error
 */
SATIN_API GPtrArray *satin_checkpoint_list (SatinStorage *storage, GError **error);

/**
 * SatinCheckpointPlace:
 * @log: (borrowed): the log, from the index or writer that gave the place; its seed is known
 * @offset: the offset of the record in the log
 * @n_head: bytes of the record's head
 * @n_result: bytes of the result or the state
 *
 * The place of a result or an object.
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
 * @head: (nullable): the HEAD record, which comes first. When this function returns %FALSE, the
 *   scan ends. If this library does not read logs of the HEAD's version, only the version is set
 * @result: (nullable): a RESULT record; @place is valid during the call
 * @object: (nullable): an OBJECT record; @place is valid during the call
 * @covers: (nullable): a COVERS record
 * @damaged: (nullable): bytes that are no valid record
 *
 * The findings of satin_checkpoint_scan(), in the order of the log.
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
 * @log: a log from satin_checkpoint_list()
 * @is_whole: whether to read all bytes. Else results and states above 1 MiB are skipped when the
 *   storage can read from the middle; damage in them may stay unseen until they are read
 * @error: the storage's; never for the content of the log
 *
 * Reads a log from its beginning. If its HEAD is damaged, the whole log counts as damaged, because
 * its run is unknown. A log that another node still writes may end with an incomplete record, which
 * counts as damage.
 *
 * Memory: 1 MiB; 16 MiB when the storage cannot read from the middle.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_checkpoint_scan (SatinStorage *storage, const SatinCheckpointLog *log,
                                          gboolean is_whole, const SatinCheckpointScanFuncs *funcs,
                                          gpointer user_data, GError **error);

/* ---- the index: what counts ---- */

/* The records of a checkpoint that count. */
typedef struct _SatinCheckpointIndex SatinCheckpointIndex;

/**
 * SatinCheckpointEntry:
 * @number: identifies the entry in the index; from 1, never used twice
 * @key: the job's key
 * @node: the node that had the result; 0 when the result is from another run
 * @lineage: (owned) (nullable): a SatinLineage, encoded; %NULL without hops
 * @path: (owned): the path to the job from the last hop; without hops, from the root
 * @place_in_tree: (owned): the path to the job from the root
 * @task: (borrowed from the index): the task's name
 * @at: the place of the result or state
 * @object: (owned) (nullable): set when the entry is the state of a shared object. Then only
 *   @number and @at of the fields above are valid
 *
 * A result, or an object's state, that counts.
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

/* Receives one entry, which is valid during the call. */
typedef void (*SatinCheckpointEntryFunc) (const SatinCheckpointEntry *entry, gpointer user_data);

/**
 * satin_checkpoint_index_new:
 * @run: (array fixed-size=16): this run; results of other runs keep only their path from the root,
 *   because their lineages name nodes of those runs
 *
 * Makes an empty index. An index holds the results that count, by their place in the tree, of all
 * logs of one program and root. Of each shared object it holds the state that counts.
 *
 * A result is redundant when a result above it in the tree is added later: a run that resumes never
 * asks for it. (A result that is added after one above it stays: it belongs to a later round of a
 * frame that syncs more than once.) If two results have the same place and key, the one that was
 * added later counts. Of an object, the state of the highest version counts; of states with the
 * same version, the one in the later log, or later in the same log.
 *
 * Returns: (transfer full): free with satin_checkpoint_index_free()
 */
SATIN_API SatinCheckpointIndex *satin_checkpoint_index_new (const guint8 *run);
/* Frees the index and its entries. @self: (nullable) */
SATIN_API void satin_checkpoint_index_free (SatinCheckpointIndex *self);

/**
 * satin_checkpoint_index_add:
 * @run: (array fixed-size=16): the run of the log
 * @result: copied
 * @at: the place of the result; its log is copied
 *
 * Adds a result, and drops the results that it makes redundant. A writer must sync a result before
 * it adds it here, because the next compaction may remove what the result makes redundant.
 *
 * Cost: O(log count) for each result added or dropped.
 *
 * Returns: (transfer none) (nullable): valid until it is removed or redundant; %NULL when the place
 *   of the result in the tree is unknown: its lineage does not begin at the root, or its lineage or
 *   its path is not valid
 */
SATIN_API const SatinCheckpointEntry *
satin_checkpoint_index_add (SatinCheckpointIndex *self, const guint8 *run,
                            const SatinCheckpointResult *result, const SatinCheckpointPlace *at);

/**
 * satin_checkpoint_index_add_object:
 * @object: copied
 * @at: the place of the state; its log is copied
 *
 * Adds the state of an object, unless the index has a state of this object that counts instead.
 *
 * Returns: (transfer none) (nullable): valid until it is removed or another state counts; %NULL
 *   when the state that was in the index counts
 */
SATIN_API const SatinCheckpointEntry *
satin_checkpoint_index_add_object (SatinCheckpointIndex *self, const SatinCheckpointObject *object,
                                   const SatinCheckpointPlace *at);
/* The entry of shared object @object. Returns: (transfer none) (nullable): valid until it is
 * removed or another state counts */
SATIN_API const SatinCheckpointEntry *
satin_checkpoint_index_find_object (SatinCheckpointIndex *self, gint64 object);
/* The entry of the object with the next higher id, compared as unsigned numbers; with @object 0 the
 * first one. Returns: (transfer none) (nullable): as satin_checkpoint_index_find_object() */
SATIN_API const SatinCheckpointEntry *
satin_checkpoint_index_next_object (SatinCheckpointIndex *self, gint64 object);

/* The entry with that number. Returns: (transfer none) (nullable): valid until it is removed or
 * redundant */
SATIN_API const SatinCheckpointEntry *satin_checkpoint_index_find (SatinCheckpointIndex *self,
                                                                   guint64 number);
/* Like satin_checkpoint_index_find(), but finds the entry with the place and key of @result. */
SATIN_API const SatinCheckpointEntry *
satin_checkpoint_index_find_same (SatinCheckpointIndex *self, const SatinCheckpointResult *result);

/**
 * satin_checkpoint_index_move:
 * @lineage: (nullable): %NULL without hops
 * @path: the path to the job from the last hop; without hops, from the root
 *
 * Notes that @node has the result with that number now, under @lineage. The place of the result in
 * the tree stays the same. Nothing happens when no result has this number.
 */
SATIN_API void satin_checkpoint_index_move (SatinCheckpointIndex *self, guint64 number,
                                            SatinNodeId node, GBytes *lineage, GBytes *path);

/* Removes the entry with that number. Nothing happens when the number is unknown. */
SATIN_API void satin_checkpoint_index_remove (SatinCheckpointIndex *self, guint64 number);
/* Calls @func for all results and objects, by number. @func must not change the index. */
SATIN_API void satin_checkpoint_index_foreach (SatinCheckpointIndex *self,
                                               SatinCheckpointEntryFunc func, gpointer user_data);
/**
 * satin_checkpoint_index_get_inputs:
 *
 * Lists the inputs in the HEADs of the logs, each once. A name can occur with more than one digest,
 * when a user let a run continue with other inputs.
 *
 * Returns: (transfer none) (element-type SatinCheckpointInput): in the order of the logs
 */
SATIN_API const GArray *satin_checkpoint_index_get_inputs (const SatinCheckpointIndex *self);
/* The number of results. */
SATIN_API guint satin_checkpoint_index_count (const SatinCheckpointIndex *self);
/* The number of shared objects. */
SATIN_API guint satin_checkpoint_index_count_objects (const SatinCheckpointIndex *self);
/* The size of the records that count, as they are in the logs. */
SATIN_API guint64 satin_checkpoint_index_bytes (const SatinCheckpointIndex *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinCheckpointIndex, satin_checkpoint_index_free)

/* ---- a checkpoint: the folder as a whole ---- */

/**
 * SatinCheckpointSummary:
 * @n_logs: the number of logs in the folder
 * @n_bytes: the size of these logs
 * @n_damaged: the number of pieces that could not be read
 * @n_damaged_bytes: the size of these pieces
 * @last_number: the highest number of a log; 0 without logs
 *
 * A summary of satin_checkpoint_read(). Damage in covered logs is not counted.
 */
typedef struct
{
  guint n_logs;
  guint64 n_bytes;
  guint n_damaged;
  guint64 n_damaged_bytes;
  guint64 last_number;
} SatinCheckpointSummary;

/* Reports progress: @n_bytes of @n_total_bytes are read. */
typedef void (*SatinCheckpointProgressFunc) (guint64 n_bytes, guint64 n_total_bytes,
                                             gpointer user_data);

/**
 * satin_checkpoint_read:
 * @head: (nullable): the logs must agree with it in program, root, build and in the inputs that
 *   both name; its name and arguments serve for messages, its run for the index. %NULL: all logs
 *   must agree with the first one in program and root
 * @progress: (nullable): called after each result or object that was found, and after each log
 * @ret_summary: (out) (optional)
 * @error: the storage's; or names the log and the reason: %SATIN_ERROR_PROTOCOL when this library
 *   does not read logs of its version, %SATIN_ERROR_PROGRAM when the program or its build differs,
 *   %SATIN_ERROR_INVALID when the arguments or an input differ
 *
 * Reads all logs into an index. Records in covered logs do not count. The index says where results
 * are, see satin_checkpoint_read_result(). Large results are skipped, as satin_checkpoint_scan()
 * does when it does not read the whole log.
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
 * @error: %SATIN_ERROR_FORMAT when the bytes there are not that result, because they are damaged;
 *   else the storage's
 *
 * Reads a result or an object's state. Checks both check sums and the key or the object's id.
 *
 * Returns: (transfer full) (nullable): encoded in the form of the task's or the object's type;
 *   %NULL with @error
 */
SATIN_API GBytes *satin_checkpoint_read_result (SatinStorage *storage,
                                                const SatinCheckpointEntry *entry, GError **error);

/* ---- writing ---- */

/* Writes the logs of one node. */
typedef struct _SatinCheckpointWriter SatinCheckpointWriter;

/**
 * satin_checkpoint_writer_new:
 * @storage: (borrowed): outlives the writer
 * @head: copied; at most %SATIN_CHECKPOINT_HEAD_MAX_BYTES when encoded. The names of the logs
 *   contain its node
 * @number: the number of the first log, above that of any existing log
 *
 * Makes a writer of results and objects. It writes nothing before the first result or object. It
 * begins a new log, with the next number, after an error, when the caller asks for a new log, and,
 * in a storage that cannot append, after each sync.
 *
 * Returns: (transfer full): free with satin_checkpoint_writer_free()
 */
SATIN_API SatinCheckpointWriter *satin_checkpoint_writer_new (SatinStorage *storage,
                                                              const SatinCheckpointHead *head,
                                                              guint64 number);
/* Frees the writer. Records that were not synced may be lost. @self: (nullable) */
SATIN_API void satin_checkpoint_writer_free (SatinCheckpointWriter *self);

/**
 * satin_checkpoint_writer_add:
 * @bytes: (array length=n_bytes): the result, encoded
 * @n_bytes: may be 0
 * @ret_place: (out): the place of the result once it is synced; its log is valid until the writer
 *   is freed
 * @error: %SATIN_ERROR_INVALID when the record is larger than a checkpoint or the storage allows:
 *   then nothing has changed. Any other error is the storage's, or %SATIN_ERROR_LIMIT when no
 *   higher log number is left. After it, the caller must add everything since the last sync again,
 *   and the writer puts it into a new log
 *
 * Adds a result. Up to some MiB wait in memory before they are appended.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_checkpoint_writer_add (SatinCheckpointWriter *self,
                                                const SatinCheckpointResult *result,
                                                const guint8 *bytes, gsize n_bytes,
                                                SatinCheckpointPlace *ret_place, GError **error);

/* Like satin_checkpoint_writer_add(), but adds an object with the state @bytes. */
SATIN_API gboolean satin_checkpoint_writer_add_object (SatinCheckpointWriter *self,
                                                       const SatinCheckpointObject *object,
                                                       const guint8 *bytes, gsize n_bytes,
                                                       SatinCheckpointPlace *ret_place,
                                                       GError **error);

/**
 * satin_checkpoint_writer_sync:
 * @error: the storage's; the caller must then add everything since the last sync again
 *
 * Makes everything that was added safe.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_checkpoint_writer_sync (SatinCheckpointWriter *self, GError **error);

/**
 * satin_checkpoint_writer_begin_log:
 * @number: the lowest number that the new log may have; 0 when any number will do
 * @error: as for satin_checkpoint_writer_sync(), which this function calls first
 *
 * Ends the current log. The next record begins a new one.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_checkpoint_writer_begin_log (SatinCheckpointWriter *self, guint64 number,
                                                      GError **error);
/* The number of the next log, unless satin_checkpoint_writer_begin_log() raises it. */
SATIN_API guint64 satin_checkpoint_writer_get_next_number (const SatinCheckpointWriter *self);
/* The size of all logs of the writer so far, with the bytes that still wait. */
SATIN_API guint64 satin_checkpoint_writer_get_bytes (const SatinCheckpointWriter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinCheckpointWriter, satin_checkpoint_writer_free)

/* ---- compaction ---- */

/* A compaction, which works in steps. */
typedef struct _SatinCheckpointCompaction SatinCheckpointCompaction;

/**
 * satin_checkpoint_compaction_new:
 * @storage: (borrowed): outlives the compaction
 * @index: (borrowed): outlives the compaction. The index must be of @head's run, and hold all
 *   records of @logs that count
 * @head: copied; the head of the new logs
 * @number: the number of the first new log, above that of any existing log
 * @logs: (element-type SatinCheckpointLog): copied: the logs to replace; nobody writes to them any
 *   more
 *
 * Makes a checkpoint smaller. A compaction copies the records of @logs that count into new logs,
 * reads the copies back, writes a COVERS record, and only then removes @logs. Between its steps,
 * other code may write records and change the index. Before that, the other code must begin a new
 * log whose number is satin_checkpoint_compaction_get_end() or higher.
 *
 * Memory: 64 MiB at most, and 40 bytes for each result, in addition to the index.
 *
 * Returns: (transfer full): free with satin_checkpoint_compaction_free()
 */
SATIN_API SatinCheckpointCompaction *
satin_checkpoint_compaction_new (SatinStorage *storage, SatinCheckpointIndex *index,
                                 const SatinCheckpointHead *head, guint64 number,
                                 const GPtrArray *logs);
/* Frees the compaction. If COVERS is not written yet, the old logs still count, and the new ones
 * stay and hold only copies. @self: (nullable) */
SATIN_API void satin_checkpoint_compaction_free (SatinCheckpointCompaction *self);

/**
 * satin_checkpoint_compaction_step:
 * @ret_is_over: (out): whether this was the last step
 * @error: the storage's; %SATIN_ERROR_FORMAT when a new log does not read back as it was written.
 *   Then the compaction is over: all of @logs are there and count as before, and the new logs are
 *   removed as far as possible
 *
 * Moves or checks about 4 MiB, or removes one log. After COVERS is written, the index has the new
 * places of the results. A damaged result is dropped from the index.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_checkpoint_compaction_step (SatinCheckpointCompaction *self,
                                                     gboolean *ret_is_over, GError **error);

/* The lowest number that other code may give to logs that it begins during the compaction. */
SATIN_API guint64 satin_checkpoint_compaction_get_end (const SatinCheckpointCompaction *self);
/* How many results or objects were damaged. */
SATIN_API guint satin_checkpoint_compaction_get_n_damaged (const SatinCheckpointCompaction *self);
/* How many bytes the compaction has moved so far, and will move in all. */
SATIN_API void satin_checkpoint_compaction_get_progress (const SatinCheckpointCompaction *self,
                                                         guint64 *ret_n_bytes,
                                                         guint64 *ret_n_total_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinCheckpointCompaction, satin_checkpoint_compaction_free)

G_END_DECLS
