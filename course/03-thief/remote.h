/* remote.h - messages between the simulator and the processes in which a student's policy runs
 *
 * Both sides are built on one machine from one header, so structures travel as they are in memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pipe.h"

#include <satin/core/policy.h>

#define MOST_HANDLES 4096
/* A run ends when its policies were asked this often. An idle node asks its policy again after each
 * answer to a request. So a policy that never pauses between requests would be asked for as long as
 * the node is idle. */
#define MOST_QUESTIONS 1000000

typedef enum
{
  REMOTE_OPEN,
  REMOTE_CHOOSE,
  REMOTE_BALANCE,
  REMOTE_CLOSE,
} RemoteKind;

/* A call of an operation of one node's policy. @handle: which policy; @kind: a RemoteKind */
typedef struct
{
  guint32 handle;
  guint32 kind;
  SatinStealSituation situation; /* its pointers mean nothing */
  SatinVictim victims[SATIN_VICTIMS_MAX];
  guint offers[SATIN_OFFERS_MAX];
} RemoteQuestion;

typedef struct
{
  guint32 is_right; /* whether the operation has succeeded */
  SatinStealChoice choice;
} RemoteAnswer;
