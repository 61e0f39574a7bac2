/* ssh-session.h - a secure link to an SSH server, logged in
 *
 * All waiting is in one place: for the socket, with a bound on the server's silence, and for an
 * interrupt. While it waits long, the server is asked for a sign of life, so that one that is slow
 * is told from one that is gone. After an error the session is good for nothing but
 * ssh_session_close().
 *
 * A call of libssh2 is made again until it is done:
 *
 *     do
 *       status = libssh2_sftp_fsync (handle);
 *     while (ssh_session_again (session, status, error));
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ssh-server.h"

#include <libssh2.h>

/* How waiting is ended from outside. */
typedef struct
{
  int fd; /* (borrowed): can be read then */
  /* Returns: %FALSE with @error when the waiting is to end */
  gboolean (*check) (gpointer data, GError **error);
  gpointer data;
} SshInterrupt;

typedef struct _SshSession SshSession;

/* Connects, checks the server's key and logs in. @interrupt: borrowed for the session's life.
 * Returns: (transfer full) (nullable): %NULL with %SATIN_ERROR_UNREACHABLE, or %SATIN_ERROR_SECRET
 * when one of the keys is refused */
SshSession *ssh_session_open (const SshServer *server, const SshInterrupt *interrupt,
                              GError **error);
/* The service that was asked for has begun, and from now on the server may be at work and have
 * nothing to tell yet. @channel: (nullable): whose end is that of all */
void ssh_session_begun (SshSession *self, LIBSSH2_CHANNEL *channel);
void ssh_session_close (SshSession *self);
/* The server hears nothing more: what libssh2 has to free does not wait for it. */
void ssh_session_hang_up (SshSession *self);

/* Whether the server has not hung up while nothing was asked of it. */
gboolean ssh_session_is_alive (const SshSession *self);

/* From now on the server is to say something. */
void ssh_session_expect (SshSession *self);
/* How long it still may be silent; may be below 0. */
gint64 ssh_session_get_patience_us (const SshSession *self);
/* Asks the server for a sign of life, unless a packet is half out or would be, which would be torn.
 */
void ssh_session_ask_for_life (SshSession *self);
/* Sets @error when the server was silent too long. Returns: %TRUE when it was not */
gboolean ssh_session_check_silence (SshSession *self, GError **error);

LIBSSH2_SESSION *ssh_session_get_ssh (SshSession *self);
int ssh_session_get_fd (const SshSession *self);
/* @status: what a function of libssh2 returned. Waits when it has to be called again. Returns:
 * %TRUE when it is to be called again */
gboolean ssh_session_again (SshSession *self, gssize status, GError **error);
/* The same status of a function that returned no more than %NULL. */
int ssh_session_get_failure (SshSession *self);
/* Sets @error, if ssh_session_again() did not. Returns: %TRUE when @status is no error */
gboolean ssh_session_succeeded (SshSession *self, gssize status, const char *what, GError **error);
