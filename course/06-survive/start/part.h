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

/* Your Survive, and the lock that is held during each call of it, because workers call
 * survive_ask(). Jobs that run again keep references until they end. */
typedef struct
{
  pthread_mutex_t lock;
  /* guarded by lock */
  guint n_refs;
  Survive *survive;  /* (owned) (nullable): NULL when the part has stopped */
  SatinLoop *loop;   /* (borrowed) valid while @survive is set */
  gboolean is_asked; /* survive_ask() runs now */
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
  Shared *shared;     /* (owned) a reference */
  gsize n_left;       /* how many bytes the current call may still send */
  guint n_sends_left; /* how many messages it may still send */
  gint64 n_messages, n_bytes;
  SatinDoneFunc done; /* the part has stopped */
  gpointer done_data;
};

extern const SatinRecoveryOps recovery_ops;

/* Takes the lock for a call of the Survive. Returns: the Survive, and then end_call() must follow;
 * or %NULL, without the lock, when the part has stopped */
Survive *begin_call (Host *self);
void end_call (Host *self);

Shared *shared_new (SatinLoop *loop);
Shared *shared_ref (Shared *self);
/* Threads: any. */
void shared_unref (Shared *self);
