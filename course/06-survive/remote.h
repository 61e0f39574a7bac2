/* remote.h - messages between the simulator and the processes in which a student's survive.c runs
 *
 * The simulator and the process of a node take turns:
 *
 * - The simulator sends a call: a RemoteCall; and then the numbers of nodes, a message or a result.
 * - The process returns from the call: a RemoteReturn; the result, if the answer has one; and for
 *   each call of host_send() or host_wake() a RemoteAct, followed by the bytes of its message.
 *
 * Both sides are built on one machine from one header, so structures travel as they are in memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pipe.h"
#include "survive.h"

#include <string.h>

#define MOST_ACTS   MOST_SENDS
#define MOST_RETURN (MOST_RESULT + MOST_SENT + MOST_ACTS * sizeof (RemoteAct))

typedef enum
{
  REMOTE_NEW, /* n is the number of the node */
  REMOTE_MEMBERS,
  REMOTE_MESSAGE,
  REMOTE_TIMER,
  REMOTE_FINISHED,
  REMOTE_ORPHAN,
  REMOTE_ASK,
} RemoteKind;

typedef struct
{
  guint32 kind;
  guint32 n;       /* the sender of a message, or the number of nodes */
  guint64 n_bytes; /* what comes after it */
  Job job;
} RemoteCall;

typedef struct
{
  guint32 answer; /* an Orphan, or an Answer */
  guint32 n_result;
  guint64 n_bytes; /* what comes after it */
} RemoteReturn;

typedef struct
{
  guint32 is_wake; /* otherwise a message is sent */
  guint32 to;
  gint64 delay_us;
  guint64 n_bytes;
} RemoteAct;
