/* session.c - a secure link to an SSH server and its SFTP subsystem
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "session.h"
#include "connect.h"
#include "known-hosts.h"
#include "login.h"

#include <errno.h>
#include <poll.h>
#include <satin/base/atomic.h>
#include <sys/socket.h>
#include <unistd.h>

/* Signs of life are asked for so often in the time that the server may be silent. */
#define KEEPALIVES 3

/* So long libssh2 may ask again by itself before it is looked whether that is still wanted. */
#define ASK_ON_US (G_USEC_PER_SEC / 10)

struct _Session
{
  const Server *server; /* (borrowed) */
  StorageCalls *calls;  /* (borrowed) */
  int fd;               /* (owned) */
  LIBSSH2_SESSION *ssh; /* (owned) */
  LIBSSH2_SFTP *sftp;   /* (owned) (nullable): when the subsystem has begun */
  gint64 heard_us;      /* when the server last sent something, or was asked to */
};

static void
init_once (void)
{
  libssh2_init (0);
}

LIBSSH2_SESSION *
session_get_ssh (Session *self)
{
  return self->ssh;
}

LIBSSH2_SFTP *
session_get_sftp (Session *self)
{
  return self->sftp;
}

int
session_get_failure (Session *self)
{
  return libssh2_session_last_errno (self->ssh);
}

/* ---- waiting ---- */

static short
wanted_events (Session *self)
{
  int directions = libssh2_session_block_directions (self->ssh);
  short events = POLLIN;
  if ((directions & LIBSSH2_SESSION_BLOCK_OUTBOUND) != 0)
    events |= POLLOUT;
  return events;
}

/* Not while a packet is half out, which would be torn. One that has begun the subsystem may be at
 * work and have nothing to tell yet. */
static void
ask_for_life (Session *self)
{
  int next_s;
  if (self->sftp != NULL
      && (libssh2_session_block_directions (self->ssh) & LIBSSH2_SESSION_BLOCK_OUTBOUND) == 0)
    libssh2_keepalive_send (self->ssh, &next_s);
}

static gint64
get_patience_us (const Session *self)
{
  return self->heard_us + self->server->timeout_us - g_get_monotonic_time ();
}

/* Returns: %FALSE with @error when the server was silent too long, or it was interrupted */
static gboolean
may_wait (Session *self, GError **error)
{
  if (get_patience_us (self) > 0)
    return storage_calls_check (self->calls, error);
  gboolean is_asked_for_sftp = self->sftp == NULL && libssh2_userauth_authenticated (self->ssh);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
               "%s: the server was silent for %.0f s; %s, or is timeout too short?",
               self->server->address->known, (double)self->server->timeout_us / G_USEC_PER_SEC,
               is_asked_for_sftp ? "does it offer SFTP" : "is it up");
  return FALSE;
}

/* Waits until libssh2 can go on. Returns: %FALSE with @error when it is not worth it any more */
static gboolean
wait_for_server (Session *self, GError **error)
{
  struct pollfd fds[] = { { .fd = self->fd, .events = wanted_events (self) },
                          { .fd = storage_calls_get_fd (self->calls), .events = POLLIN } };
  while (may_wait (self, error))
    {
      gint64 wait_us = MIN (get_patience_us (self), self->server->timeout_us / KEEPALIVES);
      int n = poll (fds, G_N_ELEMENTS (fds), (int)(MAX (wait_us, 0) / 1000) + 1);
      if (n > 0 && fds[0].revents != 0)
        return TRUE;
      if (n == 0)
        ask_for_life (self);
    }
  return FALSE;
}

/* Nothing more can come of the subsystem, or it is not waited for any more. */
static gboolean
is_over (Session *self)
{
  struct pollfd interrupted = { .fd = storage_calls_get_fd (self->calls), .events = POLLIN };
  if (self->sftp != NULL && libssh2_channel_eof (libssh2_sftp_get_channel (self->sftp)))
    return TRUE;
  return g_get_monotonic_time () - self->heard_us > ASK_ON_US
         && (get_patience_us (self) <= 0 || poll (&interrupted, 1, 0) > 0);
}

/* How libssh2 receives. In the middle of an answer, and when it closes a channel, it asks again and
 * again without coming back to us, even when the subsystem has ended: these ends are found here. */
static LIBSSH2_RECV_FUNC (receive)
{
  Session *self = *abstract;
  gssize n = recv (socket, buffer, length, flags);
  int failure = errno;
  if (n > 0)
    self->heard_us = g_get_monotonic_time ();
  if (n >= 0)
    return n;
  return failure == EAGAIN && is_over (self) ? -ECONNABORTED : -failure;
}

gboolean
session_again (Session *self, gssize status, GError **error)
{
  return status == LIBSSH2_ERROR_EAGAIN && wait_for_server (self, error);
}

gboolean
session_succeeded (Session *self, gssize status, const char *what, GError **error)
{
  char *message = NULL;
  if (status >= 0)
    return TRUE;
  SatinErrorCode code = self->sftp == NULL                ? SATIN_ERROR_UNREACHABLE
                        : status == LIBSSH2_ERROR_TIMEOUT ? SATIN_ERROR_TIMEOUT
                                                          : SATIN_ERROR_CLOSED;
  if (status == LIBSSH2_ERROR_EAGAIN || !may_wait (self, error))
    return FALSE;
  libssh2_session_last_error (self->ssh, &message, NULL, 0);
  g_set_error (error, SATIN_ERROR, code, "%s: cannot %s: %s", self->server->address->known, what,
               message != NULL && *message != '\0' ? message : "the server hung up");
  return FALSE;
}

void
session_fail_format (Session *self, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "%s: the server's answer is none of SFTP; does it print something at login?",
               self->server->address->known);
}

/* ---- opening ---- */

static gboolean
shake_hands (Session *self, GError **error)
{
  int status;
  do
    status = libssh2_session_handshake (self->ssh, self->fd);
  while (session_again (self, status, error));
  return session_succeeded (self, status, "make a secure link", error);
}

static gboolean
begin_sftp (Session *self, GError **error)
{
  int status;
  do
    {
      self->sftp = libssh2_sftp_init (self->ssh);
      status = self->sftp != NULL ? 0 : session_get_failure (self);
    }
  while (session_again (self, status, error));
  if (status != LIBSSH2_ERROR_CHANNEL_PACKET_EXCEEDED)
    return session_succeeded (self, status, "begin SFTP, does the server offer it?", error);
  session_fail_format (self, error);
  return FALSE;
}

static gboolean
begin (Session *self, GError **error)
{
  const Server *server = self->server;
  g_autoptr (KnownHosts) known = known_hosts_read (self->ssh, server->known_hosts, error);
  return known != NULL && known_hosts_prefer (known, self->ssh, server->address)
         && shake_hands (self, error)
         && known_hosts_check (known, self->ssh, server->address, error)
         && login (self, server, error) && begin_sftp (self, error);
}

Session *
session_open (const Server *server, StorageCalls *calls, GError **error)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, init_once);
  int fd = connect_to (server, calls, error);
  if (fd < 0)
    return NULL;
  Session *self = g_new0 (Session, 1);
  self->server = server;
  self->calls = calls;
  self->fd = fd;
  self->ssh = libssh2_session_init_ex (NULL, NULL, NULL, self);
  if (self->ssh == NULL)
    g_error ("libssh2 has no memory for a session");
  libssh2_session_callback_set (self->ssh, LIBSSH2_CALLBACK_RECV, (void *)receive);
  session_expect (self);
  libssh2_session_set_blocking (self->ssh, 0);
  libssh2_keepalive_config (self->ssh, 1, 1);
  if (begin (self, error))
    return self;
  session_close (self);
  return NULL;
}

void
session_hang_up (Session *self)
{
  libssh2_session_disconnect (self->ssh, "done");
  shutdown (self->fd, SHUT_RDWR);
}

void
session_close (Session *self)
{
  if (self == NULL)
    return;
  session_hang_up (self);
  while (self->sftp != NULL && libssh2_sftp_shutdown (self->sftp) == LIBSSH2_ERROR_EAGAIN)
    ;
  while (libssh2_session_free (self->ssh) == LIBSSH2_ERROR_EAGAIN)
    ;
  close (self->fd);
  g_free (self);
}

gboolean
session_is_alive (const Session *self)
{
  struct pollfd closed = { .fd = self->fd, .events = POLLRDHUP };
  return poll (&closed, 1, 0) == 0;
}

void
session_expect (Session *self)
{
  self->heard_us = g_get_monotonic_time ();
}
