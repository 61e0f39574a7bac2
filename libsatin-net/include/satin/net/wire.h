/* wire.h - frames on a link, and the hello that begins one
 *
 * A link is a stream of frames, both ways:
 *
 *   offset  size  type    order   meaning
 *   0       4     uint32  little  length of what follows the length, 2 to 64 MiB + 64
 *   4       1     uint8           kind, see SatinFrameKind
 *   5       1     uint8           channel for SATIN_FRAME_MESSAGE and _EARLY, else 0
 *   6       n                     payload, an Avro record of the kind (or the channel's own bytes)
 *
 * The first frame of each side is the hello. Its payload begins with "SATN" and
 * the protocol version (uint16, little), which never change their place; the
 * SatinHello record follows. Who sees a version it does not speak, another
 * program or another run sends a goodbye that says so and closes.
 *
 * SATIN_FRAME_EARLY begins with the message's number (uint32, little), counted from 1 by its sender
 * for each receiver, and the number of the node that it is for (uint32, little). It may come before
 * the other side's hello has, so that its sender cannot know yet who answers at the address, and
 * may come again on the next link when this one did not open. What is for another node is ignored,
 * and what has a number that is no higher than one that came.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/base.h>

G_BEGIN_DECLS

/* The version of the protocol. Nodes of different versions refuse each other. */
#define SATIN_PROTOCOL_VERSION 3
/* The length of what comes before the payload of a frame. */
#define SATIN_FRAME_HEAD_BYTES 6

/* What a frame is. */
typedef enum
{
  SATIN_FRAME_HELLO = 1, /* who I am */
  SATIN_FRAME_GOODBYE,   /* why I close: SatinGoodbye */
  SATIN_FRAME_PING,      /* opaque payload of at most 16 bytes, sent back at once */
  SATIN_FRAME_PONG,      /* the answer to a PING, with its payload */
  SATIN_FRAME_MESSAGE,   /* for a channel */
  SATIN_FRAME_HUB,       /* between a node and the hub; satin/net/hub.h */
  SATIN_FRAME_EARLY,     /* as MESSAGE, after its number; may follow the hello at once */
} SatinFrameKind;

/* What the sender of a hello is. */
typedef enum
{
  SATIN_ROLE_NODE = 1, /* a member, or one that wants to be */
  SATIN_ROLE_HUB,      /* the registry */
  SATIN_ROLE_TOOL,     /* looks only: satin status */
} SatinRole;

/* clang-format off */
/* The first frame of each side: who it is. */
SATIN_RECORD (SatinHello,
              (int, role),           /* SatinRole */
              (int, record_format),  /* SATIN_RECORD_FORMAT */
              (bytes, run),          /* 16 bytes: the run; empty from a node that has not joined */
              (string, program),     /* name; empty from hub and tool */
              (bytes, digest),       /* 16 bytes: of the task table; empty from hub and tool */
              (long, node),          /* sender's number, 0 when it has none */
              (string, build))       /* satin/base/build.h; empty when it is not known */

/* The last frame of a side: why it closes the link. */
SATIN_RECORD (SatinGoodbye,
              (int, code),           /* SatinErrorCode, or -1 for good order */
              (string, message))
/* clang-format on */

/* How records are encoded: 1 is Avro binary. */
#define SATIN_RECORD_FORMAT 1

G_END_DECLS
