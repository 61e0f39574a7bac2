/* frame.h - frames into bytes, and bytes of any cut into frames
 *
 * The layout is in satin/net/wire.h. The reader never allocates from a length
 * that was only announced: its buffer grows as bytes arrive.
 *
 * Threads: the owner's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/transport.h>
#include <satin/net/wire.h>

G_BEGIN_DECLS

/* The largest payload of a frame, bytes: a message and what a channel adds to it. */
#define SATIN_FRAME_PAYLOAD_MAX_BYTES (((gsize)64 << 20) + 62)

/* From this size on a payload is sent by reference, behind bytes of its own for the head. */
#define SATIN_FRAME_LARGE_BYTES ((gsize)16 << 10)

typedef struct
{
  SatinFrameKind kind;
  guint channel;
  GBytes *payload; /* (owned) */
} SatinFrame;

/* Writes the 6 bytes in front of a payload. */
void satin_frame_write_head (guint8 *head, SatinFrameKind kind, guint channel, gsize payload_bytes);

/* A frame in one piece. Returns: (transfer full) */
GBytes *satin_frame_join (SatinFrameKind kind, guint channel, GBytes *payload);

/* A frame in one piece around a record, encoded in place. Returns: (transfer full) */
GBytes *satin_frame_from_record (SatinFrameKind kind, guint channel, const SatinRecord *record,
                                 gconstpointer data);

/**
 * SatinFrameReader:
 * @is_greeting: only a hello or a goodbye below %SATIN_HANDSHAKE_MAX_BYTES is taken; else what came
 *   is called "not a Satin peer"
 * @may_be_early: a message that was sent right behind the hello is taken as well
 *
 * Zeroed is ready for use; the rest is its own.
 */
typedef struct
{
  guint is_greeting : 1;
  guint may_be_early : 1;
  guint8 n_head; /* how much of the head is there */
  guint8 head[SATIN_FRAME_HEAD_BYTES];
  guint32 payload_bytes; /* once the head is there */
  GByteArray *payload;   /* (owned) (nullable): what is there of a payload that came in parts */
} SatinFrameReader;

typedef enum
{
  SATIN_FRAME_READ_MORE,   /* all bytes were taken, no frame is complete */
  SATIN_FRAME_READ_FRAME,  /* one frame; call again for the rest */
  SATIN_FRAME_READ_FAILED, /* these are no frames */
} SatinFrameReadResult;

/**
 * satin_frame_reader_read:
 * @ret_n_used: (out): how many of @bytes were taken
 * @ret_frame: (out): for %SATIN_FRAME_READ_FRAME; free its payload
 * @error: %SATIN_ERROR_FORMAT for an impossible length, kind or channel; %SATIN_ERROR_LIMIT for a
 *   frame above the cap
 *
 * Takes bytes up to the end of one frame.
 *
 * Cost: one copy of the payload.
 */
SatinFrameReadResult satin_frame_reader_read (SatinFrameReader *self, const guint8 *bytes,
                                              gsize n_bytes, gsize *ret_n_used,
                                              SatinFrame *ret_frame, GError **error);

/* Whether a frame has begun and is not complete. */
gboolean satin_frame_reader_is_inside (const SatinFrameReader *self);
void satin_frame_reader_clear (SatinFrameReader *self);

G_END_DECLS
