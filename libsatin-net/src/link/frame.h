/* frame.h - writes frames as bytes, and finds the frames in received bytes
 *
 * The layout is in satin/net/wire.h. The received bytes may be cut anywhere. The reader's buffer
 * grows as bytes arrive, so a peer cannot make the reader allocate much memory by announcing a
 * large length.
 *
 * Threads: the owner's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/transport.h>
#include <satin/net/wire.h>

G_BEGIN_DECLS

/* The largest payload of a frame, bytes: the largest message and the bytes that a channel adds. */
#define SATIN_FRAME_PAYLOAD_MAX_BYTES (((gsize)64 << 20) + 62)

/* A payload of this size or more is not copied: the head is sent first, then the payload itself. */
#define SATIN_FRAME_LARGE_BYTES ((gsize)16 << 10)

typedef struct
{
  SatinFrameKind kind;
  guint channel;
  GBytes *payload; /* (owned) */
} SatinFrame;

/* Writes the 6 bytes in front of a payload. */
void satin_frame_write_head (guint8 *head, SatinFrameKind kind, guint channel, gsize payload_bytes);

/* Makes a frame in one piece. Returns: (transfer full) */
GBytes *satin_frame_join (SatinFrameKind kind, guint channel, GBytes *payload);

/* Makes a frame in one piece whose payload is a record. Returns: (transfer full) */
GBytes *satin_frame_from_record (SatinFrameKind kind, guint channel, const SatinRecord *record,
                                 gconstpointer data);

/**
 * SatinFrameReader:
 * @is_greeting: the link is not accepted yet. The reader takes only a hello or a goodbye, of at
 *   most %SATIN_HANDSHAKE_MAX_BYTES, and fails with "not a Satin peer" for other frames
 * @may_be_early: while @is_greeting, the reader takes early messages too
 *
 * Cuts received bytes into frames. A zeroed structure is ready for use. The other fields are
 * private.
 */
typedef struct
{
  guint is_greeting : 1;
  guint may_be_early : 1;
  guint8 n_head; /* bytes of the head that have arrived */
  guint8 head[SATIN_FRAME_HEAD_BYTES];
  guint32 payload_bytes; /* set when the head is complete */
  GByteArray *payload;   /* (owned) (nullable): the first part of an incomplete payload */
} SatinFrameReader;

typedef enum
{
  SATIN_FRAME_READ_MORE,   /* all bytes were taken, no frame is complete */
  SATIN_FRAME_READ_FRAME,  /* one frame is complete; call again for the remaining bytes */
  SATIN_FRAME_READ_FAILED, /* the bytes are not frames */
} SatinFrameReadResult;

/**
 * satin_frame_reader_read:
 * @ret_n_used: (out): how many of @bytes were taken
 * @ret_frame: (out): set for %SATIN_FRAME_READ_FRAME; the caller frees its payload
 * @error: %SATIN_ERROR_FORMAT for an impossible length, kind or channel; %SATIN_ERROR_LIMIT for a
 *   frame above the limit
 *
 * Takes bytes up to the end of one frame.
 *
 * Cost: one copy of the payload.
 */
SatinFrameReadResult satin_frame_reader_read (SatinFrameReader *self, const guint8 *bytes,
                                              gsize n_bytes, gsize *ret_n_used,
                                              SatinFrame *ret_frame, GError **error);

/* Whether the bytes so far end inside a frame. */
gboolean satin_frame_reader_is_inside (const SatinFrameReader *self);
void satin_frame_reader_clear (SatinFrameReader *self);

G_END_DECLS
