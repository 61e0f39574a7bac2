/* session-private.h - the structure behind session.h
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "session.h"
#include "ssh-session.h"

#include <satin/base/atomic.h>

struct _Session
{
  /* Set before the thread begins. */
  SatinLoop *loop;    /* (borrowed) */
  SessionPlace place; /* its fields borrowed, but remains */
  char **remains;     /* (owned) */
  char *nonce;        /* (owned) */
  SessionFunc func;
  gpointer user_data;
  int stop_fd; /* (owned): can be read once it is to end */
  int wake_fd; /* (owned): there is an order */

  /* The loop's. */
  pthread_t thread;
  gboolean has_thread;

  /* Under @lock. */
  pthread_mutex_t lock;
  GQueue orders; /* of (owned) char* */

  /* The thread's. */
  SshInterrupt interrupt;
  SshSession *ssh;          /* (owned) (nullable) */
  LIBSSH2_CHANNEL *channel; /* (borrowed from ssh) (nullable) */
  gint64 deadline_us;       /* of what is being done */
  GQueue sending;           /* of (owned) char*: orders that were not sent yet */
  gsize n_sent;             /* bytes of the first one */
  gint64 asked_us;          /* when the warden was last asked whether it is alive */
  GString *input;           /* (owned): what came and is no whole line */
  GString *complaints;      /* (owned): the end of what came on standard error */
  char *folder;             /* (owned) (nullable): the warden's */
  char *failure;            /* (owned) (nullable): what the warden said of it */
  gboolean is_ended;        /* the warden's output has ended */
  gboolean is_gone;         /* it has said so */
};

/* ---- session-talk.c: on the thread ---- */

/* Connects and greets. Returns: %FALSE with @error */
gboolean session_begin (Session *self, GError **error);
/* Until it is to end. Returns: %FALSE with @error when the connection or the warden is lost */
gboolean session_serve (Session *self, GError **error);
/* Tells the warden to end and waits for that. */
void session_part (Session *self);

/* ---- session.c: on the thread ---- */

gboolean session_is_closing (const Session *self);
/* (nullable): an order that waits. */
char *session_take_order (Session *self);
void session_tell (Session *self, SessionNewsKind kind, const Answer *answer, const char *text,
                   const GError *error);
