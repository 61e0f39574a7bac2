/* session-private.h - the structure behind session.h
 *
 * The warden is a script that runs on the host, and starts and ends commands there (warden.sh).
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
  SessionPlace place; /* its fields are borrowed, except @remains */
  char **remains;     /* (owned) */
  char *nonce;        /* (owned) */
  SessionFunc func;
  gpointer user_data;
  int stop_fd; /* (owned): written when the session must end */
  int wake_fd; /* (owned): written when there is an order */

  /* Used by the loop only. */
  pthread_t thread;
  gboolean has_thread;

  /* Guarded by @lock. */
  pthread_mutex_t lock;
  GQueue orders; /* of (owned) char* */

  /* Used by the thread only. */
  SshInterrupt interrupt;
  SshSession *ssh;          /* (owned) (nullable) */
  LIBSSH2_CHANNEL *channel; /* (borrowed from ssh) (nullable) */
  gint64 deadline_us;       /* of the current step */
  GQueue sending;           /* of (owned) char*: orders that were not sent yet */
  gsize n_sent;             /* sent bytes of the first order */
  gboolean is_sending;      /* libssh2 may hold a part of the first order in a packet */
  gint64 asked_us;          /* when the warden was last asked whether it is alive */
  GString *input;           /* (owned): received, not a whole line yet */
  GString *complaints;      /* (owned): the end of the standard error */
  char *folder;             /* (owned) (nullable): the warden's folder */
  char *failure;     /* (owned) (nullable): the reason that the warden gave for its failure */
  gboolean is_ended; /* the warden's output has ended */
  gboolean is_gone;  /* the warden has said that it is gone */
};

/* ---- session-talk.c: on the thread ---- */

/* Connects, starts the warden and waits until it is ready. Returns: %FALSE with @error */
gboolean session_begin (Session *self, GError **error);
/* Serves orders and answers until the session must end. Returns: %FALSE with @error when the
 * connection or the warden is lost */
gboolean session_serve (Session *self, GError **error);
/* Tells the warden to end, and waits for its end for a bounded time. */
void session_part (Session *self);

/* ---- session-words.c: on the thread ---- */

/* The check function of SshInterrupt. @data: the session. Returns: %FALSE with @error when the wait
 * must end */
gboolean session_check (gpointer data, GError **error);
void session_may_interrupt (Session *self, gboolean may);
/* Reads what has arrived. Returns: the result of libssh2_channel_read(); 0 only at the end */
gssize session_read (Session *self);
/* Returns: (transfer full) (nullable): the next line, in UTF-8; %NULL when no whole line has
 * arrived */
char *session_take_line (Session *self);
/* Waits for a line. Returns: (transfer full) (nullable): %NULL with @error, or, at the end of the
 * output, without @error */
char *session_hear (Session *self, GError **error);
/* Notes the folder, the failure and the end that an answer reports. */
void session_note (Session *self, const Answer *answer);
/* Waits for an answer of this kind. Returns: %FALSE with @error */
gboolean session_hear_answer (Session *self, AnswerKind kind, GError **error);
/* Sets @error to the reason why the warden has ended. Returns: %FALSE */
gboolean session_refuse_end (Session *self, GError **error);
/* Like libssh2_channel_write(), but returns LIBSSH2_ERROR_EAGAIN, not 0, when the window is
 * full. */
gssize session_write (Session *self, const char *bytes, gsize n_bytes);
/* Writes all bytes. Returns: %FALSE with @error */
gboolean session_say (Session *self, const char *bytes, gsize n_bytes, GError **error);

/* ---- session.c: on the thread ---- */

gboolean session_is_closing (const Session *self);
/* Returns: (transfer full) (nullable): the next order, %NULL when there is none */
char *session_take_order (Session *self);
void session_tell (Session *self, SessionEventKind kind, const Answer *answer, const char *text,
                   const GError *error);
