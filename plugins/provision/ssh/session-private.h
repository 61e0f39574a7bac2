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

/* ---- session-words.c: on the thread ---- */

/* For waiting: %FALSE with @error when it is in vain. @data: the session */
gboolean session_check (gpointer data, GError **error);
void session_may_interrupt (Session *self, gboolean may);
/* Returns: what libssh2 does; 0 at the end */
gssize session_read (Session *self);
/* Returns: (transfer full) (nullable): the next line, in UTF-8; %NULL when none is whole */
char *session_take_line (Session *self);
/* Waits for a line. Returns: (transfer full) (nullable): %NULL with @error, or at the end */
char *session_hear (Session *self, GError **error);
/* What any answer changes. */
void session_note (Session *self, const Answer *answer);
/* Waits for that answer. Returns: %FALSE with @error */
gboolean session_hear_answer (Session *self, AnswerKind kind, GError **error);
/* Says why the warden has ended. Returns: %FALSE */
gboolean session_refuse_end (Session *self, GError **error);
/* As libssh2 writes, but a window that is full is to be waited for. */
gssize session_write (Session *self, const char *bytes, gsize n_bytes);
/* Writes all. Returns: %FALSE with @error */
gboolean session_say (Session *self, const char *bytes, gsize n_bytes, GError **error);

/* ---- session.c: on the thread ---- */

gboolean session_is_closing (const Session *self);
/* (nullable): an order that waits. */
char *session_take_order (Session *self);
void session_tell (Session *self, SessionEventKind kind, const Answer *answer, const char *text,
                   const GError *error);
