/* ssh-session.h - an encrypted session with an SSH server, logged in
 *
 * All waits for the server work in the same way. A wait ends with an error when the server was
 * silent for too long, or by an interrupt. After ssh_session_begun(), a long wait asks the server
 * for a sign of life, which tells a slow server from a dead one. After an error, only
 * ssh_session_hang_up() and ssh_session_close() may be called.
 *
 * A call of libssh2 is repeated until it is done:
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

/* How another thread ends a wait. */
typedef struct
{
  int fd; /* (borrowed): becomes readable when a wait may have to end */
  /* Returns: %FALSE with @error when the wait must end */
  gboolean (*check) (gpointer data, GError **error);
  gpointer data;
} SshInterrupt;

typedef struct _SshSession SshSession;

/* Connects, checks the server's key and logs in. @interrupt: borrowed for the session's life.
 * Returns: (transfer full) (nullable): %NULL with @error, such as %SATIN_ERROR_UNREACHABLE, or
 * %SATIN_ERROR_SECRET when the server's key or the login is refused */
SshSession *ssh_session_open (const SshServer *server, const SshInterrupt *interrupt,
                              GError **error);
/* Notes that the service for which the plugin uses the session, for example SFTP, has started. From
 * now on a long wait asks the server for signs of life, because the server may be busy. @channel:
 * (nullable): the service is over when this channel ends */
void ssh_session_begun (SshSession *self, LIBSSH2_CHANNEL *channel);
void ssh_session_close (SshSession *self);
/* Disconnects, so that freeing libssh2's objects does not wait for the server. */
void ssh_session_hang_up (SshSession *self);

/* Whether the connection is still open. Call it only while no operation is in progress. */
gboolean ssh_session_is_alive (const SshSession *self);

/* Restarts the clock of the server's silence, because it is expected to answer from now on. */
void ssh_session_expect (SshSession *self);
/* How much longer the server may be silent; below 0 when it was silent for too long. */
gint64 ssh_session_get_patience_us (const SshSession *self);
/* Asks the server for a sign of life. Does nothing while another packet is half sent or the socket
 * is full, because half a packet would corrupt the stream. */
void ssh_session_ask_for_life (SshSession *self);
/* Sets @error when the server was silent for too long. Returns: %TRUE when it was not */
gboolean ssh_session_check_silence (SshSession *self, GError **error);

LIBSSH2_SESSION *ssh_session_get_ssh (SshSession *self);
int ssh_session_get_fd (const SshSession *self);
/* @status: the result of a libssh2 function. If it is EAGAIN, waits for the server. Returns: %TRUE
 * when the function must be called again */
gboolean ssh_session_again (SshSession *self, gssize status, GError **error);
/* The status of the last libssh2 function, for functions that return %NULL on failure. */
int ssh_session_get_failure (SshSession *self);
/* Sets @error for a failed @status, unless ssh_session_again() has set it. Returns: %TRUE when
 * @status is no error */
gboolean ssh_session_succeeded (SshSession *self, gssize status, const char *what, GError **error);
