/* private.h - the layout of records in a log, and the functions that the sources of logs share
 *
 * offset     size     meaning; numbers are little-endian
 *      0        4     marker: 'S' 'a' 't' and the kind
 *      4        4     n_head, bytes of the head
 *      8        8     n_body, bytes of the result, or of the object's state; 0 for other kinds
 *     16        4     CRC-32C of bytes 0 to 15 and the head; starts from the log's seed; from 0
 *                     in the HEAD record
 *     20   n_head     the head: the Avro record of this kind
 *     ..   n_body     the body: the result, or the state
 *     ..        4     CRC-32C of the body; starts from the sum at 16; absent when n_body is 0
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/checkpoint-program.h>

#define CHECKPOINT_FRAME_BYTES 20u
#define CHECKPOINT_SUM_BYTES   4u
/* The largest frame with its head. */
#define CHECKPOINT_TOP_MAX_BYTES (CHECKPOINT_FRAME_BYTES + SATIN_CHECKPOINT_HEAD_MAX_BYTES)
/* How many bytes are read at once from a storage that can read from the middle. A scan may skip
 * larger bodies. */
#define CHECKPOINT_READ_BYTES ((gsize)1 << 20)

typedef enum
{
  CHECKPOINT_HEAD = 'H',
  CHECKPOINT_TASKS = 'T',
  CHECKPOINT_RESULT = 'R',
  CHECKPOINT_OBJECT = 'O',
  CHECKPOINT_COVERS = 'C',
} CheckpointKind;

/* The first 20 bytes of a record. */
typedef struct
{
  CheckpointKind kind;
  guint32 n_head;
  guint64 n_body;
  guint32 sum;
} CheckpointFrame;

/* ---- log.c ---- */

void checkpoint_log_clear (SatinCheckpointLog *self);
void checkpoint_log_free (SatinCheckpointLog *self);
/* The highest number of a log. A file with a higher number in its name is not a log. If it were
 * one, no number would be left for the next log. */
#define CHECKPOINT_NUMBER_MAX ((guint64)8999999999)

SatinCheckpointLog *checkpoint_log_new (guint64 number, SatinNodeId node);
SatinCheckpointLog *checkpoint_log_copy (const SatinCheckpointLog *self);
/* Computes the seed of the log's sums from its HEAD and its name. */
void checkpoint_log_set_seed (SatinCheckpointLog *self, const SatinCheckpointHead *head);

/* Appends the frame and the head of a record, whose sizes must be within the limits. Returns: their
 * sum, from which the body's sum starts */
guint32 checkpoint_frame_append (GByteArray *out, CheckpointKind kind, const SatinRecord *record,
                                 gconstpointer data, guint64 n_body, guint32 seed);
void checkpoint_sum_append (GByteArray *out, guint32 sum);
guint32 checkpoint_sum_read (const guint8 *bytes);
/* Parses the 20 @bytes of a frame. Returns: FALSE when no record begins with them */
gboolean checkpoint_frame_parse (const guint8 *bytes, CheckpointFrame *ret_frame);
/* Whether the sum in the frame is right. @top: the frame and the head behind it */
gboolean checkpoint_frame_is_right (const CheckpointFrame *self, const guint8 *top, guint32 seed);
/* The size of a whole record. */
guint64 checkpoint_frame_bytes (guint64 n_head, guint64 n_body);
/* The size of the record at @place. */
guint64 checkpoint_place_bytes (const SatinCheckpointPlace *place);
/* Whether this library reads logs of that version. */
gboolean checkpoint_version_is_known (gint32 version);
/* Decodes the head of a HEAD record. If it is of another version, only the version is set. Returns:
 * FALSE when the head is malformed; else the caller clears @ret_head */
gboolean checkpoint_decode_head (const guint8 *bytes, gsize n_bytes, SatinCheckpointHead *ret_head);
/* Decodes the head of a RESULT record of any version. The caller clears @ret_stored. */
gboolean checkpoint_decode_result (const guint8 *bytes, gsize n_bytes,
                                   SatinCheckpointStored *ret_stored);

/* ---- scan.c ---- */

/* Like SatinCheckpointScanFuncs, with all that logs of version 4 have. @begin: @tasks is NULL when
 * the log does not have them. */
typedef struct
{
  gboolean (*begin) (const SatinCheckpointHead *head, const SatinTaskTable *tasks,
                     gpointer user_data);
  void (*result) (const SatinCheckpointStored *stored, const SatinCheckpointPlace *place,
                  gpointer user_data);
  void (*object) (const SatinCheckpointObject *object, const SatinCheckpointPlace *place,
                  gpointer user_data);
  void (*covers) (const SatinCheckpointCovers *covers, gpointer user_data);
  void (*damaged) (guint64 offset, guint64 n_bytes, gpointer user_data);
} CheckpointScanFuncs;

/* Like satin_checkpoint_scan(). All of @funcs are nullable. */
gboolean checkpoint_scan (SatinStorage *storage, const SatinCheckpointLog *log, gboolean is_whole,
                          const CheckpointScanFuncs *funcs, gpointer user_data, GError **error);
/* Whether the log begins with a HEAD that can be read. Returns: FALSE with @error */
gboolean checkpoint_scan_has_head (SatinStorage *storage, const SatinCheckpointLog *log,
                                   gboolean *ret_is_there, GError **error);

/* ---- inputs.c: arrays of SatinCheckpointInput ---- */

/* Returns: (transfer full): a list with copies of @inputs */
GArray *checkpoint_inputs_new (const SatinCheckpointInput *inputs, gsize n);
/* Whether the list has this name with this digest. */
gboolean checkpoint_inputs_has (const GArray *list, const SatinCheckpointInput *input);
/* Adds a copy, unless the list has this name with this digest. Returns: whether it was added */
gboolean checkpoint_inputs_add (GArray *list, const SatinCheckpointInput *input);
/* Like checkpoint_inputs_add(), but also removes inputs of this name with another digest. */
gboolean checkpoint_inputs_replace (GArray *list, const SatinCheckpointInput *input);
/* Returns: (nullable): the first input with the name of @input and another digest */
const SatinCheckpointInput *checkpoint_inputs_find_other (const SatinCheckpointInput *inputs,
                                                          gsize n,
                                                          const SatinCheckpointInput *input);
/* Returns: (transfer full): the error that input @named differs from @stored */
GError *checkpoint_input_error (const SatinCheckpointInput *stored,
                                const SatinCheckpointInput *named);

/* ---- window.c ---- */

/* A part of a log in memory. It is read as it is needed. */
typedef struct
{
  SatinStorage *storage; /* (borrowed) */
  const char *name;      /* (borrowed): the log's name */
  guint64 size_bytes;    /* where to stop reading; lowered when the log turns out to be shorter */
  guint8 *buffer;        /* (owned) */
  gsize n_buffer;
  guint64 offset; /* of the buffer's first byte, in the log */
  gsize n_bytes;  /* bytes in the buffer */
} CheckpointWindow;

void checkpoint_window_init (CheckpointWindow *self, SatinStorage *storage,
                             const SatinCheckpointLog *log, guint64 size_bytes);
void checkpoint_window_clear (CheckpointWindow *self);

/* Gets the bytes from @offset on. @n_bytes: how many are needed, at most CHECKPOINT_TOP_MAX_BYTES.
 * @ret_n_bytes: how many there are: as many or more, or fewer at the log's end. Returns:
 * (nullable): valid until the next call; NULL with @error */
const guint8 *checkpoint_window_get (CheckpointWindow *self, guint64 offset, gsize n_bytes,
                                     gsize *ret_n_bytes, GError **error);

/* Checks whether the body at @offset is there and has the right sum. Returns: FALSE with @error */
gboolean checkpoint_window_check_body (CheckpointWindow *self, guint64 offset,
                                       const CheckpointFrame *frame, gboolean *ret_is_right,
                                       GError **error);
/* Checks whether the frame and the head of @entry are at @place. @ret_sum: set when they are: the
 * sum from which the body's sum starts. @ret_stored: (nullable): set when they are, and @entry is a
 * result; the caller clears it. Returns: FALSE with @error */
gboolean checkpoint_window_check_top (CheckpointWindow *self, const SatinCheckpointPlace *place,
                                      const SatinCheckpointEntry *entry, guint32 *ret_sum,
                                      SatinCheckpointStored *ret_stored, gboolean *ret_is_right,
                                      GError **error);

/* ---- read.c ---- */

/* Like satin_checkpoint_read_for(), but reads only these logs. @head, @tasks: (nullable) */
SatinCheckpointIndex *
checkpoint_read_logs (SatinStorage *storage, const GPtrArray *logs, const SatinCheckpointHead *head,
                      const SatinTaskTable *tasks, SatinCheckpointProgressFunc progress,
                      gpointer user_data, SatinCheckpointSummary *ret_summary, GError **error);
/* Sets the error that the results in the log are of version @before, but the program's results are
 * of version @now. Returns: FALSE */
gboolean checkpoint_refuse_version (const char *log, const char *program, const char *before,
                                    const char *now, GError **error);

/* ---- index.c ---- */

/* Adds a copy of an input that the HEAD of a log names. */
void checkpoint_index_add_input (SatinCheckpointIndex *self, const SatinCheckpointInput *input);

/* Notes that the record of entry @number is at @at now. Nothing happens when the number is
 * unknown. */
void checkpoint_index_relocate (SatinCheckpointIndex *self, guint64 number,
                                const SatinCheckpointPlace *at);
/* Removes the entries in the log @name. */
void checkpoint_index_remove_log (SatinCheckpointIndex *self, const char *name);

/* ---- writer.c ---- */

/* The next three functions add a result or an object in pieces: the beginning of its record with
 * its head, then pieces of the body, @n_body bytes in all, then the end. Errors are those of
 * satin_checkpoint_writer_add(). */
gboolean checkpoint_writer_begin (SatinCheckpointWriter *self, CheckpointKind kind,
                                  gconstpointer head, guint64 n_body,
                                  SatinCheckpointPlace *ret_place, GError **error);
gboolean checkpoint_writer_add_piece (SatinCheckpointWriter *self, const guint8 *bytes,
                                      gsize n_bytes, GError **error);
/* @is_good: FALSE when the body turned out to be damaged. Then the record is removed from the
 * buffer; if a part of the record is in the log already, the record gets a wrong sum, so that
 * readers ignore it. */
gboolean checkpoint_writer_end (SatinCheckpointWriter *self, gboolean is_good, GError **error);
gboolean checkpoint_writer_add_covers (SatinCheckpointWriter *self,
                                       const SatinCheckpointCovers *covers, GError **error);
/* Removes the logs of this writer after an error, the last one first. The last log may contain
 * COVERS, and must not stay when a log with copies is gone. */
void checkpoint_writer_remove_logs (SatinCheckpointWriter *self);
/* Returns: (transfer none) (element-type SatinCheckpointLog): all logs of this writer so far */
const GPtrArray *checkpoint_writer_get_logs (const SatinCheckpointWriter *self);

/* ---- convert-logs.c ---- */

/* Finds, among @logs, those of the same program and root job as @now with other tasks. Removes logs
 * that an earlier conversion has covered. Returns: (transfer full) (element-type
 * SatinCheckpointLog): the logs are borrowed from @logs; NULL with @error */
GPtrArray *checkpoint_find_old_logs (SatinStorage *storage, const SatinCheckpointHead *now,
                                     const GPtrArray *logs, GError **error);
/* Moves the logs of the build that wrote the first log from @old to @ret_logs, which is empty.
 * @ret_tasks: the tasks of this build; the caller clears it, also after an error. Returns: FALSE
 * with @error */
gboolean checkpoint_take_build (SatinStorage *storage, GPtrArray *old, GPtrArray *ret_logs,
                                SatinTaskTable *ret_tasks, GError **error);

/* ---- convert-task.c ---- */

/* A program's table of tasks with the types that it names. */
typedef struct
{
  const SatinTaskTable *table; /* (borrowed) */
  SatinRecordSet *types;       /* (owned) */
} CheckpointTypes;

/* How the results of one task are carried over. */
typedef struct _CheckpointTaskPlan CheckpointTaskPlan;

/* A result that was carried over. */
typedef struct
{
  guint8 key[SATIN_CHECKPOINT_ID_BYTES];
  GBytes *arguments; /* (owned): empty when they are not stored */
  GBytes *result;    /* (owned) */
} CheckpointConverted;

/* @before, @now: (borrowed): outlive the plan. Returns: (transfer full) */
CheckpointTaskPlan *checkpoint_task_plan_new (const char *name, const CheckpointTypes *before,
                                              const CheckpointTypes *now);
void checkpoint_task_plan_free (gpointer plan);
/* Carries a result over. Returns: FALSE with the @error that says why that is not possible */
gboolean checkpoint_task_plan_convert (const CheckpointTaskPlan *self,
                                       const SatinCheckpointStored *stored, GBytes *result,
                                       CheckpointConverted *ret_converted, GError **error);
