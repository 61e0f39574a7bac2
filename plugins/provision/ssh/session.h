/* session.h - a connection with a host, its warden there, and the thread that talks to it
 *
 *   connecting      the address is looked up, the keys are checked; can be interrupted
 *   greeting        the warden is started, gets the archive and says that it is ready
 *   serving         orders go there, answers come back
 *   parting         its input has ended; it ends all that it started and says so
 *
 * Each takes a bounded time. When the connection breaks the warden does the same by itself.
 *
 * Threads: the loop's, where nothing else is said.
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
 * @server: (borrowed): nobody else uses it meanwhile
 * @name: (borrowed): of the host, for messages
 * @parent: (borrowed): folder there in which its own is made, "" for that of temporary files
 * @pack: (borrowed) (nullable): what is brought along
 * @remains: (array zero-terminated=1): folders that earlier ones may have left, to be removed
 * @patience_us: until when it is to be ready
 *
 * Where to go and what for.
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
  SESSION_READY,  /* @text: its folder there */
  SESSION_ANSWER, /* @answer is of a machine: it runs, is refused or has ended */
  SESSION_OVER,   /* last: it is to be freed. @text (nullable): the folder that it may have left.
                     @error (nullable): why, when nobody ended it */
} SessionEventKind;

typedef struct
{
  SessionEventKind kind;
  Answer answer;
  const char *text;
  const GError *error;
} SessionEvent;

typedef void (*SessionFunc) (Session *session, const SessionEvent *event, gpointer user_data);

/* Begins it. Returns: (transfer full): SESSION_OVER follows in any case, and nothing after it */
Session *session_new (SatinLoop *loop, const SessionPlace *place, SessionFunc func,
                      gpointer user_data);
/* @order: (transfer full): a line, when it is ready */
void session_order (Session *self, char *order);
/* Ends it in good order, or stops connecting. */
void session_close (Session *self);
/* After SESSION_OVER. */
void session_free (Session *self);
