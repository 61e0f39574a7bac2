/* checkpoint-program.h - the program of a checkpoint: its tasks, and what its results belong to
 *
 * Logs of version 4 have the program's table of tasks, and with each result its arguments and the
 * time. So other programs can read the results, and a run can say how the tasks of another build
 * differ from its own.
 *
 * Threads: as for satin/ft/checkpoint.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/core/program.h>
#include <satin/ft/checkpoint.h>

G_BEGIN_DECLS

/* Longer arguments are not stored: they would make the checkpoint much larger than the results. */
#define SATIN_CHECKPOINT_ARGUMENTS_MAX_BYTES ((gsize)4 << 10)

/* A job's result with what a log of version 4 says of it. @stored_us: when the coordinator got it,
 * wall clock, microseconds since 1970; 0: not known. @arguments: the job's arguments, encoded;
 * empty when they were too long to be stored, or the log is of version 3. A job may also have no
 * arguments: satin_checkpoint_has_arguments() tells the difference. */
SATIN_RECORD (SatinCheckpointStored, (record, result, SatinCheckpointResult), (long, stored_us),
              (bytes, arguments))

/* Whether the arguments of the job are in @stored: whether its key is their digest. */
SATIN_API gboolean satin_checkpoint_has_arguments (const SatinCheckpointStored *stored);

/**
 * satin_checkpoint_read_beginning:
 * @log: a log from satin_checkpoint_list()
 * @ret_head: (out): the log's HEAD; clear it with satin_record_clear()
 * @ret_tasks: (out): the program's tasks; clear it too. It has no tasks when the log is of version
 *   3, or its table is damaged or was larger than 64 KiB
 * @error: the storage's; %SATIN_ERROR_FORMAT when the HEAD is damaged, %SATIN_ERROR_PROTOCOL when
 *   it is of a version that this library does not read
 *
 * Reads which run, program and root job a log belongs to, and the program's tasks.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_checkpoint_read_beginning (SatinStorage *storage,
                                                    const SatinCheckpointLog *log,
                                                    SatinCheckpointHead *ret_head,
                                                    SatinTaskTable *ret_tasks, GError **error);

/**
 * satin_checkpoint_read_for:
 * @tasks: the tasks of the program that wants the results, and their version
 *
 * Like satin_checkpoint_read() with a HEAD, but compares versions of the results, too:
 *
 * - If logs and @tasks have the same version, the build does not matter.
 * - If both have a version and they differ, the error is %SATIN_ERROR_PROGRAM.
 * - Otherwise the build must be the same.
 *
 * When the tasks differ, the error says which of them have changed.
 *
 * Returns: (transfer full) (nullable): %NULL with @error
 */
SATIN_API SatinCheckpointIndex *
satin_checkpoint_read_for (SatinStorage *storage, const SatinCheckpointHead *head,
                           const SatinTaskTable *tasks, SatinCheckpointProgressFunc progress,
                           gpointer user_data, SatinCheckpointSummary *ret_summary, GError **error);

/**
 * satin_checkpoint_compare_tasks:
 * @before: (nullable): the tasks in a log
 * @now: the tasks of the program
 *
 * Describes the difference between two tables of tasks in one line: "task area is new; task walk:
 * argument n is long and was int". A long text is cut.
 *
 * Returns: (transfer full) (nullable): %NULL when the tables are equal; also when @before is not
 *   known, has no tasks, or is malformed
 */
SATIN_API char *satin_checkpoint_compare_tasks (const SatinTaskTable *before,
                                                const SatinTaskTable *now);

/**
 * SatinCheckpointConversion:
 * @n_carried: results that were carried over
 * @n_left: results that could not be carried over, so that their jobs run again; and shared objects
 *   that could not be copied
 * @reason: (owned) (nullable): why the first of these was left out, in one line; free it with
 *   g_free()
 *
 * What satin_checkpoint_convert() has done.
 */
typedef struct
{
  guint n_carried;
  guint n_left;
  char *reason;
} SatinCheckpointConversion;

/**
 * satin_checkpoint_convert:
 * @storage: nobody else may write there
 * @head: the HEAD of the new logs: of the program as it is now
 * @tasks: its tasks
 * @progress: (nullable): called now and then
 * @ret_conversion: (out): set on success
 * @error: the storage's; %SATIN_ERROR_PROGRAM when the logs do not say which types their results
 *   have, or have another version of results than @tasks; %SATIN_ERROR_FORMAT or
 *   %SATIN_ERROR_LIMIT when a table of tasks is not valid
 *
 * Carries over the results of earlier builds of the program, whose tasks had other arguments or
 * results. Arguments and results are converted by satin_record_convert(). The results are written
 * into new logs and read back, and then the old logs are removed. A result stays where it is in the
 * tree of jobs; its key is made of the new arguments. Shared objects are copied.
 *
 * Results are left out if they are damaged or become too large, if their task is gone, if a field
 * has become a kind to which its value cannot be converted, or if the arguments of their task have
 * changed and were too long to be stored. Logs of other programs and of runs with other arguments
 * stay as they are. Builds are carried over one after the other: after an error, the logs of the
 * build that caused it and of the builds after it stay as they are.
 *
 * Cost: O(bytes of all logs). Returns: %FALSE with @error
 */
SATIN_API gboolean satin_checkpoint_convert (SatinStorage *storage, const SatinCheckpointHead *head,
                                             const SatinTaskTable *tasks,
                                             SatinCheckpointProgressFunc progress,
                                             gpointer user_data,
                                             SatinCheckpointConversion *ret_conversion,
                                             GError **error);

/* Reads results that an index lists. Faster than satin_checkpoint_read_result() when the results of
 * one log come one after the other, in the order of their offsets. */
typedef struct _SatinCheckpointReader SatinCheckpointReader;

/* @storage: (borrowed): outlives the reader. Returns: (transfer full) */
SATIN_API SatinCheckpointReader *satin_checkpoint_reader_new (SatinStorage *storage);
/* @self: (nullable) */
SATIN_API void satin_checkpoint_reader_free (SatinCheckpointReader *self);
/**
 * satin_checkpoint_reader_read:
 * @entry: of an index; not of an object
 * @ret_stored: (out): what the log says of the result; clear it with satin_record_clear()
 * @error: as for satin_checkpoint_read_result()
 *
 * Returns: (transfer full) (nullable): the result, encoded; %NULL with @error
 */
SATIN_API GBytes *satin_checkpoint_reader_read (SatinCheckpointReader *self,
                                                const SatinCheckpointEntry *entry,
                                                SatinCheckpointStored *ret_stored, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinCheckpointReader, satin_checkpoint_reader_free)

/**
 * satin_checkpoint_writer_set_tasks:
 * @tasks: copied: the program's tasks. If they take more than 64 KiB, logs get only their version
 *
 * Puts the tasks at the beginning of each log. Call it once, before the first result or object.
 */
SATIN_API void satin_checkpoint_writer_set_tasks (SatinCheckpointWriter *self,
                                                  const SatinTaskTable *tasks);
/* Like satin_checkpoint_writer_add(), with the time and the arguments. */
SATIN_API gboolean satin_checkpoint_writer_add_stored (SatinCheckpointWriter *self,
                                                       const SatinCheckpointStored *stored,
                                                       const guint8 *bytes, gsize n_bytes,
                                                       SatinCheckpointPlace *ret_place,
                                                       GError **error);
/* Puts the tasks into the new logs. Call it before the first step. */
SATIN_API void satin_checkpoint_compaction_set_tasks (SatinCheckpointCompaction *self,
                                                      const SatinTaskTable *tasks);

G_END_DECLS
