/* session.h - a connection with a host, its warden there, and the thread that talks to it
 *
 *   connecting      the address is looked up, the keys are checked; can be interrupted
 *   greeting        the warden is started, gets the archive and says that it is ready; can be
 *                   interrupted, but not while something is being sent
 *   serving         orders go to the warden, answers come back
 *   parting         the warden's input has ended; it ends all that it started and says so
 *
 * The warden is a shell script that starts and ends commands on the host (warden.sh). Each phase
 * but serving takes a bounded time. If the connection breaks, the warden ends everything by itself.
 *
 * Threads: the loop's, unless something else is said.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pack.h"
#include "script.h"
#include "ssh-server.h"

#include <satin/base/loop.h>

typedef struct _Session Session;

/**
 * SessionPlace:
 * @server: (borrowed): used by this session only, until its end
 * @name: (borrowed): the host's name, for messages
 * @parent: (borrowed): folder on the host for the warden's own folder, "" for the folder of
 *   temporary files
 * @pack: (borrowed) (nullable): the files to bring to the host
 * @remains: (array zero-terminated=1): folders that earlier wardens may have left; they are removed
 * @patience_us: how long the session may take to get ready
 *
 * The host, and what the session needs to prepare it.
 */
typedef struct
{
  SshServer *server;
  const char *name;
  const char *parent;
  Pack *pack;
  const char *const *remains;
  gint64 patience_us;
} SessionPlace;

typedef enum
{
  SESSION_READY,  /* @text: the warden's folder */
  SESSION_ANSWER, /* @answer: a machine runs, was refused, or has ended */
  SESSION_OVER,   /* the last event; free the session then. @text (nullable): a folder that may be
                     left. @error (nullable): why it ended, if nobody closed it */
} SessionEventKind;

typedef struct
{
  SessionEventKind kind;
  Answer answer;
  const char *text;
  const GError *error;
} SessionEvent;

typedef void (*SessionFunc) (Session *session, const SessionEvent *event, gpointer user_data);

/* Begins a session. Returns: (transfer full): SESSION_OVER follows in any case, as its last
 * event */
Session *session_new (SatinLoop *loop, const SessionPlace *place, SessionFunc func,
                      gpointer user_data);
/* Sends an order; only after SESSION_READY. @order: (transfer full): a line */
void session_order (Session *self, char *order);
/* Ends the session in good order, or stops connecting. */
void session_close (Session *self);
/* May be called only after SESSION_OVER. */
void session_free (Session *self);
