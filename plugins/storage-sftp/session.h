/* session.h - a secure link to an SSH server and its SFTP subsystem
 *
 * All waiting is in one place: for the socket, with a bound on the server's silence, and for an
 * interrupt. While it waits long, the server is asked for a sign of life, so that one that is slow
 * is told from one that is gone. After an error the session is good for nothing but
 * session_close().
 *
 * A call of libssh2 is made again until it is done:
 *
 *     do
 *       status = libssh2_sftp_fsync (handle);
 *     while (session_again (session, status, error));
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"
#include "storage-common.h"

#include <libssh2.h>
#include <libssh2_sftp.h>
#include <netdb.h>

/* How to reach a server and to be known there. */
typedef struct
{
  Address *address;           /* (owned) */
  struct addrinfo *addresses; /* (owned) (nullable): looked up once */
  char *known_hosts;          /* (owned): path */
  char *key;                  /* (owned): path, "" for the agent's and the usual ones */
  char *password_file;        /* (owned): path, "" for none */
  gint64 timeout_us;
} Server;

typedef struct _Session Session;

/* Connects, checks the server's key, logs in and begins the subsystem. Returns: (transfer full)
 * (nullable): %NULL with %SATIN_ERROR_UNREACHABLE, or %SATIN_ERROR_SECRET when one of the keys is
 * refused */
Session *session_open (const Server *server, StorageCalls *calls, GError **error);
void session_close (Session *self);
/* The server hears nothing more: what libssh2 has to free does not wait for it. */
void session_hang_up (Session *self);

/* Whether the server has not hung up while nothing was asked of it. */
gboolean session_is_alive (const Session *self);

/* From now on the server is to say something. */
void session_expect (Session *self);

LIBSSH2_SFTP *session_get_sftp (Session *self);
/* For what is before that (login.c, known-hosts.c). */
LIBSSH2_SESSION *session_get_ssh (Session *self);
/* @status: what a function of libssh2 returned. Waits when it has to be called again. Returns:
 * %TRUE when it is to be called again */
gboolean session_again (Session *self, gssize status, GError **error);
/* The same status of a function that returned no more than %NULL. */
int session_get_failure (Session *self);
/* Sets @error, if session_again() did not. Returns: %TRUE when @status is no error */
gboolean session_succeeded (Session *self, gssize status, const char *what, GError **error);
/* Sets @error for an answer that is none. */
void session_fail_format (Session *self, GError **error);
