/* protocol.h - the messages between the hub and its nodes and tools
 *
 * Each frame of kind SATIN_FRAME_HUB carries one message:
 *
 *   offset  size  type    meaning
 *   0       1     uint8   HubMessageType
 *   1       n             the Avro record of that type, see the table; absent when it has none
 *
 *   type          from      record          meaning
 *   1  JOIN       node      HubJoin         the sender wants to join (number 0), or comes back
 *   2  WELCOME    hub       HubWelcome      one atomic view; sent again when the node comes back
 *   3  JOINED     hub       HubJoined       a higher view: there is one more member
 *   4  LEFT       hub       HubGone         a higher view: this member left; also answers LEAVE
 *   5  DIED       hub       HubGone         a higher view: this member was declared dead
 *   6  ELECTED    hub       HubElected      a higher view: the new master, and its term
 *   7  COMPLETE   hub                       closed run: all expected nodes have joined
 *   8  SIGNAL     all       HubSignal       a word for a node, all nodes or the hub's holder
 *   9  HEARTBEAT  node, hub                 the sender lives; the hub answers with the same
 *   10 ELECT      node                      the sender offers to be master
 *   11 SUSPECT    node      HubNumber       this member does not answer the sender
 *   12 ASK        hub       HubAsk          the receiver must send its figures
 *   13 REPORT     node      SatinReport     the sender's figures
 *   14 ASK_STATUS tool      HubAskStatus    asks for the status of the run
 *   15 STATUS     hub       SatinRunStatus  answers ASK_STATUS
 *   16 LEAVE      node                      the sender leaves in good order
 *   17 END        node      SatinRunEnd     the master ends the run
 *   18 OVER       hub       SatinRunEnd     the run is over: the receiver must report and leave
 *   19 PARTIAL    hub                       from now on the receiver does not hear of every join
 *   20 INTRODUCE  node      HubNumber       asks for this node; JOINED or UNKNOWN follows
 *   21 UNKNOWN    hub       HubNumber       this node is no member and will not be one again
 *   22 SAY_LEAVING node     SatinLeave      the sender will leave within this time
 *   23 LEAVING    hub       HubGone         a higher view: this member, maybe you, will leave soon
 *
 * Every string, list and message is bounded. A message that is over a bound, out of range or from
 * the wrong side takes the link down and has no other effect.
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
/* A node with a partial view tells a new hub which nodes it saw go: the last ones, at most this
 * many. */
#define HUB_MAX_KNOWN_GONE 65536
/* The most bytes of a node's figures. There are some 25 figures for each of nine clusters, with the
 * cluster's label in each name. */
#define HUB_MAX_FIGURES_BYTES ((gsize)40 << 10)
#define HUB_MAX_REPORT_BYTES  (HUB_MAX_FIGURES_BYTES + SATIN_DUMP_MAX_BYTES)
/* The most bytes of a status, and of all its dumps together. */
#define HUB_MAX_STATUS_BYTES SATIN_MESSAGE_MAX_BYTES
#define HUB_MAX_DUMPS_BYTES  ((gsize)16 << 20)
#define HUB_MAX_TEXT_BYTES   4095
#define HUB_MAX_SIGNAL       127
/* Limits for numbers, views and terms in received messages. They leave room, so that the hub's
 * counters never wrap. */
#define HUB_MAX_NUMBER  ((gint64)G_MAXINT32)
#define HUB_MAX_COUNTER ((gint64)1 << 60)

/* How long a member has to come back after its link broke, or to answer when it is suspected. */
#define HUB_SHORT_GRACE_US ((gint64)1000000)

/* clang-format off */

/* One member's entry in a view. */
SATIN_RECORD (HubNode,
              (long, id), (string, cluster), (string, address), (string, host), (long, pid),
              (boolean, is_leaving)) /* the hub ignores it in a join */

/* A new node has member.id 0 and leaves all fields after @member empty. A node that comes back
 * tells all that it knows, so that a new hub can learn it. */
SATIN_RECORD (HubJoin,
              (record, member, HubNode),
              (long, hub),                       /* the id of the hub that the sender last heard */
              (bytes, run),                      /* 16 bytes, or none */
              (long, highest),                   /* highest node number the sender has heard of */
              (long, view_number), (long, master), (long, term), (boolean, is_complete),
              (array_record, members, HubNode),  /* the other members of the sender's view */
              (boolean, is_partial), (array_int, gone)) /* if partial: nodes the sender saw go */

SATIN_RECORD (HubWelcome,
              (long, hub),                       /* the hub's random id */
              (bytes, run), (long, view_number), (long, self),
              (array_record, members, HubNode),  /* the other members */
              (long, master), (long, term), (boolean, is_complete),
              (boolean, is_partial),             /* the run has more members than these */
              (long, heartbeat_us), (long, death_us),
              (boolean, is_leaving))             /* the receiver is leaving */

SATIN_RECORD (HubJoined, (long, view_number), (record, member, HubNode))
/* @signal_number: the signal that ended a dead node's process; 0: none, or not known. */
SATIN_RECORD (HubGone, (long, view_number), (long, id), (int, signal_number))
SATIN_RECORD (HubElected, (long, view_number), (long, id), (long, term))
SATIN_RECORD (HubSignal, (long, to), (string, word), (bytes, payload))
SATIN_RECORD (HubNumber, (long, id))
/* @dump_bytes: the largest dump that the report may have; 0: it must have none */
SATIN_RECORD (HubAsk, (long, dump_bytes))
SATIN_RECORD (HubAskStatus, (long, timeout_us), (boolean, wants_dumps))

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

/* A parsed message. It owns the pointers in @body; free them with hub_message_clear(). */
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
    HubAsk ask;
    HubAskStatus ask_status;
    SatinRunStatus status;
    SatinRunEnd end;
    SatinLeave leave;
  } body;
} HubMessage;

/**
 * hub_message_encode:
 * @body: (nullable): the record of @type; %NULL when the type has none
 *
 * Returns: (transfer full): a frame's payload
 */
GBytes *hub_message_encode (HubMessageType type, gconstpointer body);
/* Like hub_message_encode(), for a body that is already encoded. Returns: (transfer full) */
GBytes *hub_message_wrap (HubMessageType type, GBytes *body);

/**
 * hub_message_parse:
 * @payload: from the network, may be hostile
 * @sender: the sender's role; messages that this role may not send are refused
 * @ret_message: (out caller-allocates): free with hub_message_clear(); untouched on failure
 * @error: %SATIN_ERROR_FORMAT, %SATIN_ERROR_TRUNCATED, or %SATIN_ERROR_LIMIT
 */
gboolean hub_message_parse (GBytes *payload, SatinRole sender, HubMessage *ret_message,
                            GError **error);
void hub_message_clear (HubMessage *message);

/* The name of @type in messages to people. */
const char *hub_message_name (HubMessageType type);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HubMessage, hub_message_clear)

G_END_DECLS
