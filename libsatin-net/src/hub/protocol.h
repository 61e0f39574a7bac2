/* protocol.h - what nodes and tools say to the hub, and what it answers
 *
 * Each frame of kind SATIN_FRAME_HUB carries one message:
 *
 *   offset  size  type    meaning
 *   0       1     uint8   HubMessageType
 *   1       n             the Avro record of that type, see the table; nothing when it has none
 *
 *   type          from      record          meaning
 *   1  JOIN       node      HubJoin         let me in (number 0), or take me back
 *   2  WELCOME    hub       HubWelcome      one atomic view; again when the hub lost its place
 *   3  JOINED     hub       HubJoined       a higher view: one member more
 *   4  LEFT       hub       HubGone         a higher view: left in good order; to the leaver: done
 *   5  DIED       hub       HubGone         a higher view: declared dead, maybe by which signal
 *   6  ELECTED    hub       HubElected      a higher view: the master, with a higher term
 *   7  COMPLETE   hub                       closed world: all that were announced have joined
 *   8  SIGNAL     all       HubSignal       a word; the hub passes it on
 *   9  HEARTBEAT  node, hub                 I live; the hub answers with the same
 *   10 ELECT      node                      I offer to be master
 *   11 SUSPECT    node      HubNumber       that one does not answer me
 *   12 ASK        hub                       tell your figures
 *   13 REPORT     node      SatinReport     my figures
 *   14 ASK_STATUS tool      HubAskStatus    tell me of the run
 *   15 STATUS     hub       SatinRunStatus  the answer
 *   16 LEAVE      node                      I leave in good order
 *   17 END        node      SatinRunEnd     master: the run is over
 *   18 OVER       hub       SatinRunEnd     the run is over: report and leave
 *   19 PARTIAL    hub                       from now on others join whom you are not told of
 *   20 INTRODUCE  node      HubNumber       who is that? JOINED follows, or UNKNOWN
 *   21 UNKNOWN    hub       HubNumber       no member, and it will not be one any more
 *   22 SAY_LEAVING node     SatinLeave      I will leave within that time, give me no more work
 *   23 LEAVING    hub       HubGone         a higher view: that member will leave soon, maybe you
 *
 * Every string, list and message is bounded; what is over its bound, out of its
 * range or from the wrong side takes the link down and nothing else.
 *
 * This file and protocol.c are compiled into libsatin-net and into the plugin registry-hub.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/address.h>
#include <satin/net/hub.h>

G_BEGIN_DECLS

#define HUB_RUN_BYTES         16
#define HUB_MAX_MEMBERS       16384
#define HUB_MAX_LABEL_BYTES   255 /* cluster, host */
#define HUB_MAX_ADDRESS_BYTES SATIN_ADDRESS_MAX_BYTES
#define HUB_MAX_WORD_BYTES    63
#define HUB_MAX_PAYLOAD_BYTES ((gsize)1 << 20)
/* So many numbers of those that are gone a node tells a new hub, the last ones. */
#define HUB_MAX_KNOWN_GONE   65536
#define HUB_MAX_REPORT_BYTES ((gsize)8 << 10)
#define HUB_MAX_TEXT_BYTES   4095
#define HUB_MAX_SIGNAL       127
/* Numbers, views and terms that come from outside stay below these, so that counting on never
 * wraps. */
#define HUB_MAX_NUMBER  ((gint64)G_MAXINT32)
#define HUB_MAX_COUNTER ((gint64)1 << 60)

/* How long a member whose link broke may take to come back, and a suspect to answer. */
#define HUB_SHORT_GRACE_US ((gint64)1000000)

/* clang-format off */

/* One member, as it stands in a view. */
SATIN_RECORD (HubNode,
              (long, id), (string, cluster), (string, address), (string, host), (long, pid),
              (boolean, is_leaving)) /* in a join: as far as its sender knows; of no account */

/* A new node has member.id 0 and leaves all behind @member empty. A node that comes back tells
 * what it knows, so that a hub that was started anew can learn it. */
SATIN_RECORD (HubJoin,
              (record, member, HubNode),
              (long, hub),                       /* the hub that it heard last */
              (bytes, run),                      /* 16 bytes, or none */
              (long, highest),                   /* the highest number it has heard of */
              (long, view_number), (long, master), (long, term), (boolean, is_complete),
              (array_record, members, HubNode),  /* the others of its view */
              (boolean, is_partial), (array_int, gone)) /* not all: then whom it saw go */

SATIN_RECORD (HubWelcome,
              (long, hub),                       /* random, another one for each hub */
              (bytes, run), (long, view_number), (long, self),
              (array_record, members, HubNode),  /* the others */
              (long, master), (long, term), (boolean, is_complete),
              (boolean, is_partial),             /* there are more */
              (long, heartbeat_us), (long, death_us),
              (boolean, is_leaving))             /* the one that is told */

SATIN_RECORD (HubJoined, (long, view_number), (record, member, HubNode))
/* @signal_number: that ended the process of one that died; 0: none, or it is not known. */
SATIN_RECORD (HubGone, (long, view_number), (long, id), (int, signal_number))
SATIN_RECORD (HubElected, (long, view_number), (long, id), (long, term))
SATIN_RECORD (HubSignal, (long, to), (string, word), (bytes, payload))
SATIN_RECORD (HubNumber, (long, id))
SATIN_RECORD (HubAskStatus, (long, timeout_us))

/* clang-format on */

typedef enum
{
  HUB_MESSAGE_JOIN = 1,
  HUB_MESSAGE_WELCOME,
  HUB_MESSAGE_JOINED,
  HUB_MESSAGE_LEFT,
  HUB_MESSAGE_DIED,
  HUB_MESSAGE_ELECTED,
  HUB_MESSAGE_COMPLETE,
  HUB_MESSAGE_SIGNAL,
  HUB_MESSAGE_HEARTBEAT,
  HUB_MESSAGE_ELECT,
  HUB_MESSAGE_SUSPECT,
  HUB_MESSAGE_ASK,
  HUB_MESSAGE_REPORT,
  HUB_MESSAGE_ASK_STATUS,
  HUB_MESSAGE_STATUS,
  HUB_MESSAGE_LEAVE,
  HUB_MESSAGE_END,
  HUB_MESSAGE_OVER,
  HUB_MESSAGE_PARTIAL,
  HUB_MESSAGE_INTRODUCE,
  HUB_MESSAGE_UNKNOWN,
  HUB_MESSAGE_SAY_LEAVING,
  HUB_MESSAGE_LEAVING,
  HUB_N_MESSAGES,
} HubMessageType;

/* A message that was parsed; the pointers in @body are owned by it: hub_message_clear(). */
typedef struct
{
  HubMessageType type;
  union
  {
    HubJoin join;
    HubWelcome welcome;
    HubJoined joined;
    HubGone gone;
    HubElected elected;
    HubSignal signal;
    HubNumber number;
    SatinReport report;
    HubAskStatus ask_status;
    SatinRunStatus status;
    SatinRunEnd end;
    SatinLeave leave;
  } body;
} HubMessage;

/**
 * hub_message_encode:
 * @body: (nullable): the record of @type; %NULL when it has none
 *
 * Returns: (transfer full): a frame's payload
 */
GBytes *hub_message_encode (HubMessageType type, gconstpointer body);
/* As hub_message_encode(), for a body that is encoded already. Returns: (transfer full) */
GBytes *hub_message_wrap (HubMessageType type, GBytes *body);

/**
 * hub_message_parse:
 * @payload: from anywhere, may be hostile
 * @sender: who sent it: only what this role may say is taken
 * @ret_message: (out caller-allocates): free with hub_message_clear(); untouched on failure
 * @error: %SATIN_ERROR_FORMAT, %SATIN_ERROR_TRUNCATED, or %SATIN_ERROR_LIMIT
 */
gboolean hub_message_parse (GBytes *payload, SatinRole sender, HubMessage *ret_message,
                            GError **error);
void hub_message_clear (HubMessage *message);

/* The word for @type in messages to people. */
const char *hub_message_name (HubMessageType type);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HubMessage, hub_message_clear)

G_END_DECLS
