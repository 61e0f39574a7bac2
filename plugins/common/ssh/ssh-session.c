/* ssh-session.c - an encrypted session with an SSH server, logged in
 *
 * The "service" is what the plugin uses the session for, for example SFTP.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ssh-session.h"
#include "ssh-connect.h"
#include "ssh-known-hosts.h"
#include "ssh-login.h"

#include <errno.h>
#include <poll.h>
#include <satin/base/atomic.h>
#include <sys/socket.h>
#include <unistd.h>

/* How often the server is asked for a sign of life within the time that it may be silent. libssh2
 * asks every 2 s at most. */
#define KEEPALIVES 3

/* After how long a silence of the server receive() checks whether the wait must end. */
#define ASK_ON_US (G_USEC_PER_SEC / 10)

struct _SshSession
{
  const SshServer *server;       /* (borrowed) */
  const SshInterrupt *interrupt; /* (borrowed) */
  int fd;                        /* (owned) */
  LIBSSH2_SESSION *ssh;          /* (owned) */
  gboolean has_begun;            /* the service has started */
  LIBSSH2_CHANNEL *channel;      /* (borrowed) (nullable): its end is the end of the service */
  gint64 heard_us; /* when the server last sent something, or ssh_session_expect() was called */
};

static void
init_once (void)
{
  libssh2_init (0);
}

LIBSSH2_SESSION *
ssh_session_get_ssh (SshSession *self)
{
  return self->ssh;
}

int
ssh_session_get_fd (const SshSession *self)
{
  return self->fd;
}

void
ssh_session_begun (SshSession *self, LIBSSH2_CHANNEL *channel)
{
  self->has_begun = TRUE;
  self->channel = channel;
}

int
ssh_session_get_failure (SshSession *self)
{
  return libssh2_session_last_errno (self->ssh);
}

/* ---- waiting ---- */

static short
wanted_events (SshSession *self)
{
  int directions = libssh2_session_block_directions (self->ssh);
  short events = POLLIN;
  if ((directions & LIBSSH2_SESSION_BLOCK_OUTBOUND) != 0)
    events |= POLLOUT;
  return events;
}

void
ssh_session_ask_for_life (SshSession *self)
{
  int next_s;
  struct pollfd room = { .fd = self->fd, .events = POLLOUT };
  if (poll (&room, 1, 0) > 0
      && (libssh2_session_block_directions (self->ssh) & LIBSSH2_SESSION_BLOCK_OUTBOUND) == 0)
    libssh2_keepalive_send (self->ssh, &next_s);
}

gint64
ssh_session_get_patience_us (const SshSession *self)
{
  return self->heard_us + self->server->timeout_us - g_get_monotonic_time ();
}

gboolean
ssh_session_check_silence (SshSession *self, GError **error)
{
  if (ssh_session_get_patience_us (self) > 0)
    return TRUE;
  gboolean is_asked = !self->has_begun && libssh2_userauth_authenticated (self->ssh);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
               "%s: the server was silent for %.0f s; %s%s, or is timeout too short?",
               self->server->address->known, (double)self->server->timeout_us / G_USEC_PER_SEC,
               is_asked ? "does it offer " : "is it up", is_asked ? self->server->service : "");
  return FALSE;
}

/* Returns: %FALSE with @error when the server was silent for too long, or the wait was
 * interrupted */
static gboolean
may_wait (SshSession *self, GError **error)
{
  return ssh_session_check_silence (self, error)
         && self->interrupt->check (self->interrupt->data, error);
}

/* Waits until libssh2 can continue. Returns: %FALSE with @error when the wait must end */
static gboolean
wait_for_server (SshSession *self, GError **error)
{
  struct pollfd fds[] = { { .fd = self->fd, .events = wanted_events (self) },
                          { .fd = self->interrupt->fd, .events = POLLIN } };
  while (may_wait (self, error))
    {
      gint64 wait_us =
          MIN (ssh_session_get_patience_us (self), self->server->timeout_us / KEEPALIVES);
      int n = poll (fds, G_N_ELEMENTS (fds), (int)(MAX (wait_us, 0) / 1000) + 1);
      if (n > 0 && fds[0].revents != 0)
        return TRUE;
      if (n == 0 && self->has_begun)
        ssh_session_ask_for_life (self);
    }
  return FALSE;
}

/* Whether the service has ended, or the wait must end. */
static gboolean
is_over (SshSession *self)
{
  struct pollfd interrupted = { .fd = self->interrupt->fd, .events = POLLIN };
  if (self->channel != NULL && libssh2_channel_eof (self->channel))
    return TRUE;
  return g_get_monotonic_time () - self->heard_us > ASK_ON_US
         && (ssh_session_get_patience_us (self) <= 0 || poll (&interrupted, 1, 0) > 0);
}

/* Replaces recv() for libssh2. In the middle of an answer, and when it closes a channel, libssh2
 * repeats recv() without returning to us, even if the service has ended. So this function checks
 * for the end and fails then. */
static LIBSSH2_RECV_FUNC (receive)
{
  SshSession *self = *abstract;
  gssize n = recv (socket, buffer, length, flags);
  int failure = errno;
  if (n > 0)
    self->heard_us = g_get_monotonic_time ();
  if (n >= 0)
    return n;
  return failure == EAGAIN && is_over (self) ? -ECONNABORTED : -failure;
}

gboolean
ssh_session_again (SshSession *self, gssize status, GError **error)
{
  return status == LIBSSH2_ERROR_EAGAIN && wait_for_server (self, error);
}

gboolean
ssh_session_succeeded (SshSession *self, gssize status, const char *what, GError **error)
{
  char *message = NULL;
  if (status >= 0)
    return TRUE;
  SatinErrorCode code = !self->has_begun                  ? SATIN_ERROR_UNREACHABLE
                        : status == LIBSSH2_ERROR_TIMEOUT ? SATIN_ERROR_TIMEOUT
                                                          : SATIN_ERROR_CLOSED;
  if (status == LIBSSH2_ERROR_EAGAIN || !may_wait (self, error))
    return FALSE;
  libssh2_session_last_error (self->ssh, &message, NULL, 0);
  g_set_error (error, SATIN_ERROR, code, "%s: cannot %s: %s", self->server->address->known, what,
               message != NULL && *message != '\0' ? message : "the server hung up");
  return FALSE;
}

/* ---- opening ---- */

static gboolean
shake_hands (SshSession *self, GError **error)
{
  int status;
  do
    status = libssh2_session_handshake (self->ssh, self->fd);
  while (ssh_session_again (self, status, error));
  return ssh_session_succeeded (self, status, "make a secure link", error);
}

static gboolean
begin (SshSession *self, GError **error)
{
  const SshServer *server = self->server;
  g_autoptr (SshKnownHosts) known = ssh_known_hosts_read (self->ssh, server->known_hosts, error);
  return known != NULL && ssh_known_hosts_prefer (known, self->ssh, server->address)
         && shake_hands (self, error)
         && ssh_known_hosts_check (known, self->ssh, server->address, error)
         && ssh_login (self, server, error);
}

SshSession *
ssh_session_open (const SshServer *server, const SshInterrupt *interrupt, GError **error)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, init_once);
  int fd = ssh_connect_to (server, interrupt, error);
  if (fd < 0)
    return NULL;
  SshSession *self = g_new0 (SshSession, 1);
  self->server = server;
  self->interrupt = interrupt;
  self->fd = fd;
  self->ssh = libssh2_session_init_ex (NULL, NULL, NULL, self);
  if (self->ssh == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "libssh2 has no memory for a session");
      close (fd);
      g_free (self);
      return NULL;
    }
  libssh2_session_callback_set (self->ssh, LIBSSH2_CALLBACK_RECV, (void *)receive);
  ssh_session_expect (self);
  libssh2_session_set_blocking (self->ssh, 0);
  libssh2_keepalive_config (self->ssh, 1, 1);
  if (begin (self, error))
    return self;
  ssh_session_close (self);
  return NULL;
}

void
ssh_session_hang_up (SshSession *self)
{
  libssh2_session_disconnect (self->ssh, "done");
  shutdown (self->fd, SHUT_RDWR);
}

void
ssh_session_close (SshSession *self)
{
  if (self == NULL)
    return;
  ssh_session_hang_up (self);
  while (libssh2_session_free (self->ssh) == LIBSSH2_ERROR_EAGAIN)
    ;
  close (self->fd);
  g_free (self);
}

gboolean
ssh_session_is_alive (const SshSession *self)
{
  struct pollfd closed = { .fd = self->fd, .events = POLLRDHUP };
  return poll (&closed, 1, 0) == 0;
}

void
ssh_session_expect (SshSession *self)
{
  self->heard_us = g_get_monotonic_time ();
}
