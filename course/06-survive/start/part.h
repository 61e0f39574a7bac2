/* part.h - the part "survive": what part.c and recovery.c share
 *
 * Threads: the loop's thread, except where stated.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "survive.h"

#include <pthread.h>
#include <satin/base/node.h>
#include <satin/core/recovery.h>

/* Your Survive, and a lock around each call of it, because workers ask. Jobs that run again keep it
 * until they end. */
typedef struct
{
  pthread_mutex_t lock;
  /* guarded by lock */
  guint n_refs;
  Survive *survive;  /* (owned) (nullable): NULL when the part has stopped */
  SatinLoop *loop;   /* (borrowed) valid while @survive is set */
  gboolean is_asked; /* survive_ask() runs */
  gint64 n_asked, n_found;
} Shared;

struct _Host
{
  SatinRecovery recovery; /* the interface for the core; must be the first field */
  SatinNode *node;        /* (borrowed) */
  SatinPeers *peers;      /* (borrowed) (nullable) */
  guint change_id;
  const SatinRecoveryHost *core_ops; /* (borrowed) */
  gpointer core;                     /* (borrowed) (nullable) */
  SatinTimerId timer;
  Shared *shared; /* (owned) a reference */
  gsize n_left;   /* how many bytes and messages the current call may still send */
  guint n_sends_left;
  gint64 n_messages, n_bytes;
  SatinDoneFunc done; /* of the end of the part */
  gpointer done_data;
};

extern const SatinRecoveryOps recovery_ops;

/* Begins a call of the Survive. Returns: it; end_call() must follow unless it is NULL */
Survive *begin_call (Host *self);
void end_call (Host *self);

Shared *shared_new (SatinLoop *loop);
Shared *shared_ref (Shared *self);
/* Threads: any. */
void shared_unref (Shared *self);
