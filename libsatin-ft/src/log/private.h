/* private.h - frames of records, and a window on a log
 *
 * offset     size     what, numbers little-endian
 *      0        4     marker: 'S' 'a' 't' and the kind
 *      4        4     n_head, bytes of the head
 *      8        8     n_body, bytes of the result, or of the object's state; 0 for other kinds
 *     16        4     CRC-32C of bytes 0 to 15 and the head, begun with the log's seed; 0 for HEAD
 *     20   n_head     the record that the kind says, Avro
 *     ..   n_body     the result, or the state
 *     ..        4     CRC-32C of that, begun with the sum at 16; only when n_body is not 0
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/checkpoint.h>

#define CHECKPOINT_FRAME_BYTES 20u
#define CHECKPOINT_SUM_BYTES   4u
/* The largest frame with its head. */
#define CHECKPOINT_TOP_MAX_BYTES (CHECKPOINT_FRAME_BYTES + SATIN_CHECKPOINT_HEAD_MAX_BYTES)
/* What is read at once. */
#define CHECKPOINT_READ_BYTES ((gsize)1 << 20)

typedef enum
{
  CHECKPOINT_HEAD = 'H',
  CHECKPOINT_RESULT = 'R',
  CHECKPOINT_OBJECT = 'O',
  CHECKPOINT_COVERS = 'C',
} CheckpointKind;

/* What the first 20 bytes of a record say. */
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
/* The highest number of a log. A file that is named as one and has a higher number is none: behind
 * it there would be no name left. */
#define CHECKPOINT_NUMBER_MAX ((guint64)8999999999)

SatinCheckpointLog *checkpoint_log_new (guint64 number, SatinNodeId node);
SatinCheckpointLog *checkpoint_log_copy (const SatinCheckpointLog *self);
/* Whose it is decides what its sums begin with. */
void checkpoint_log_set_seed (SatinCheckpointLog *self, const SatinCheckpointHead *head);

/* Adds the frame and the head of a record, whose sizes are within the bounds. Returns: their sum,
 * with which the body's begins */
guint32 checkpoint_frame_append (GByteArray *out, CheckpointKind kind, const SatinRecord *record,
                                 gconstpointer data, guint64 n_body, guint32 seed);
void checkpoint_sum_append (GByteArray *out, guint32 sum);
guint32 checkpoint_sum_read (const guint8 *bytes);
/* Returns: FALSE when @bytes, 20 of them, begin no record */
gboolean checkpoint_frame_parse (const guint8 *bytes, CheckpointFrame *ret_frame);
/* Whether the sum over @top, the frame and its head, is right. */
gboolean checkpoint_frame_is_right (const CheckpointFrame *self, const guint8 *top, guint32 seed);
/* Of the whole record. */
guint64 checkpoint_frame_bytes (guint64 n_head, guint64 n_body);
/* Of the record at @place. */
guint64 checkpoint_place_bytes (const SatinCheckpointPlace *place);
/* Decodes a record's head. Returns: FALSE when it makes no sense; else clear it */
gboolean checkpoint_decode_head (const guint8 *bytes, gsize n_bytes, SatinCheckpointHead *ret_head);
gboolean checkpoint_decode_result (const guint8 *bytes, gsize n_bytes,
                                   SatinCheckpointResult *ret_result);

/* ---- inputs.c: arrays of SatinCheckpointInput ---- */

/* Returns: (transfer full): with copies of @inputs */
GArray *checkpoint_inputs_new (const SatinCheckpointInput *inputs, gsize n);
/* Whether the input is in the list, with the same digest. */
gboolean checkpoint_inputs_has (const GArray *list, const SatinCheckpointInput *input);
/* Adds a copy, unless there is the same. Returns: whether it did */
gboolean checkpoint_inputs_add (GArray *list, const SatinCheckpointInput *input);
/* As checkpoint_inputs_add(), and removes others of that name. */
gboolean checkpoint_inputs_replace (GArray *list, const SatinCheckpointInput *input);
/* Returns: (nullable): the first that has the name of @input, and another digest */
const SatinCheckpointInput *checkpoint_inputs_find_other (const SatinCheckpointInput *inputs,
                                                          gsize n,
                                                          const SatinCheckpointInput *input);
/* Returns: (transfer full): @stored differs from @named, of the same name */
GError *checkpoint_input_error (const SatinCheckpointInput *stored,
                                const SatinCheckpointInput *named);

/* ---- window.c ---- */

/* A part of a log in memory, read as it is needed. */
typedef struct
{
  SatinStorage *storage; /* (borrowed) */
  const char *name;      /* (borrowed): of the log */
  guint64 size_bytes;    /* nothing behind it is read; less when the log ends before */
  guint8 *buffer;        /* (owned) */
  gsize n_buffer;
  guint64 offset; /* of the buffer's first byte */
  gsize n_bytes;  /* in the buffer */
} CheckpointWindow;

void checkpoint_window_init (CheckpointWindow *self, SatinStorage *storage,
                             const SatinCheckpointLog *log, guint64 size_bytes);
void checkpoint_window_clear (CheckpointWindow *self);

/* The bytes from @offset on: @n_bytes of them, at most CHECKPOINT_TOP_MAX_BYTES, or less at the
 * log's end, or more. Returns: (nullable): valid until the next call; NULL with @error */
const guint8 *checkpoint_window_get (CheckpointWindow *self, guint64 offset, gsize n_bytes,
                                     gsize *ret_n_bytes, GError **error);

/* Whether the body at @offset is there and has the right sum. Returns: FALSE with @error */
gboolean checkpoint_window_check_body (CheckpointWindow *self, guint64 offset,
                                       const CheckpointFrame *frame, gboolean *ret_is_right,
                                       GError **error);
/* Whether frame and head of the result, or object, that @entry is of are at @place. @ret_sum: when
 * they are: for the body. Returns: FALSE with @error */
gboolean checkpoint_window_check_top (CheckpointWindow *self, const SatinCheckpointPlace *place,
                                      const SatinCheckpointEntry *entry, guint32 *ret_sum,
                                      gboolean *ret_is_right, GError **error);

/* ---- index.c ---- */

/* A log's HEAD names it; copied. */
void checkpoint_index_add_input (SatinCheckpointIndex *self, const SatinCheckpointInput *input);

/* Its record lies elsewhere now. */
void checkpoint_index_relocate (SatinCheckpointIndex *self, guint64 number,
                                const SatinCheckpointPlace *at);
/* Those in the log @name do not count. */
void checkpoint_index_remove_log (SatinCheckpointIndex *self, const char *name);

/* ---- writer.c ---- */

/* A result or an object in pieces: its record's beginning, with a head of that kind, then @n_body
 * bytes in all, then its end. Errors as of satin_checkpoint_writer_add(). */
gboolean checkpoint_writer_begin (SatinCheckpointWriter *self, CheckpointKind kind,
                                  gconstpointer head, guint64 n_body,
                                  SatinCheckpointPlace *ret_place, GError **error);
gboolean checkpoint_writer_add_piece (SatinCheckpointWriter *self, const guint8 *bytes,
                                      gsize n_bytes, GError **error);
/* @is_good: FALSE: what was read turned out to be damaged, and the record is taken back, or made
 * one that nobody believes when a part of it is in the log already. */
gboolean checkpoint_writer_end (SatinCheckpointWriter *self, gboolean is_good, GError **error);
gboolean checkpoint_writer_add_covers (SatinCheckpointWriter *self,
                                       const SatinCheckpointCovers *covers, GError **error);
/* (transfer none) (element-type SatinCheckpointLog): those that it has written to. */
const GPtrArray *checkpoint_writer_get_logs (const SatinCheckpointWriter *self);
