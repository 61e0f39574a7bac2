/* wire.h - frames on a link, and the hello that begins one
 *
 * A link carries a stream of frames in both directions:
 *
 *   offset  size  type    order   meaning
 *   0       4     uint32  little  length of what follows the length, 2 to 64 MiB + 64
 *   4       1     uint8           kind, see SatinFrameKind
 *   5       1     uint8           channel for SATIN_FRAME_MESSAGE and _EARLY, else 0
 *   6       n                     payload, an Avro record of the kind (or the channel's own bytes)
 *
 * The first frame of each side is its hello, or a goodbye if it refuses the link. The payload of a
 * hello begins with "SATN" and the protocol version (uint16, little). Both are at this place in
 * every version. The SatinHello record follows. A side that receives an unknown version, another
 * program or another run sends a goodbye with the reason and closes.
 *
 * The payload of SATIN_FRAME_EARLY begins with the number of the message (uint32, little), which
 * its sender counts from 1 for each receiver, and the number of the receiving node (uint32,
 * little). The frame may arrive before the other side has sent its hello. So the sender does not
 * know yet which node answers at the address. If the link does not open, the sender may send the
 * message again on the next link. The receiver ignores a message for another node, and a message
 * whose number is not higher than the last number from the same sender.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/base.h>

G_BEGIN_DECLS

/* The protocol version. Nodes of different versions refuse each other. */
#define SATIN_PROTOCOL_VERSION 4
/* The number of bytes before the payload of a frame. */
#define SATIN_FRAME_HEAD_BYTES 6

/* The kind of a frame. */
typedef enum
{
  SATIN_FRAME_HELLO = 1, /* the sender's identity: SatinHello */
  SATIN_FRAME_GOODBYE,   /* why the sender closes the link: SatinGoodbye */
  SATIN_FRAME_PING,      /* a payload of at most 16 bytes, which the receiver sends back at once */
  SATIN_FRAME_PONG,      /* the answer to a PING, with the same payload */
  SATIN_FRAME_MESSAGE,   /* a message for a channel */
  SATIN_FRAME_HUB,       /* between the hub and a node or a tool; satin/net/hub.h */
  SATIN_FRAME_EARLY,     /* a MESSAGE with a number in front; may follow the hello at once */
} SatinFrameKind;

/* The role of a hello's sender. */
typedef enum
{
  SATIN_ROLE_NODE = 1, /* a member, or a node that wants to join */
  SATIN_ROLE_HUB,      /* the registry */
  SATIN_ROLE_TOOL,     /* only asks and sends words, like satin status */
} SatinRole;

/* clang-format off */
/* Identifies the sender. It is the first frame of each side that does not refuse the link. */
SATIN_RECORD (SatinHello,
              (int, role),           /* SatinRole */
              (int, record_format),  /* SATIN_RECORD_FORMAT */
              (bytes, run),          /* 16 bytes; empty when the sender has not joined */
              (string, program),     /* name; empty from hub and tool */
              (bytes, digest),       /* 16 bytes, of the task table; empty from hub, tool */
              (long, node),          /* the sender's number, 0 when it has none */
              (string, build))       /* satin/base/build.h; empty when unknown */

/* The last frame of each side. It says why the sender closes the link. */
SATIN_RECORD (SatinGoodbye,
              (int, code),           /* SatinErrorCode, or -1 for a close in good order */
              (string, message))
/* clang-format on */

/* The encoding of records: 1 is Avro binary. */
#define SATIN_RECORD_FORMAT 1

G_END_DECLS
