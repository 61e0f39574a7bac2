/* session.c - a secure link to an SSH server, over which bytes go to its SFTP subsystem and back
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

/* What the server may send before it is told that there is room again. */
#define WINDOW_BYTES (8u << 20)
#define PACKET_BYTES 32768u

/* Signs of life are asked for so often in the time that the server may be silent. */
#define KEEPALIVES 3

struct _Session
{
  const Server *server;     /* (borrowed) */
  StorageCalls *calls;      /* (borrowed) */
  int fd;                   /* (owned) */
  LIBSSH2_SESSION *ssh;     /* (owned) (nullable) */
  LIBSSH2_CHANNEL *channel; /* (owned by ssh) (nullable) */
  gboolean may_work;        /* silence is no sign of its end, when it answers to that */
  gint64 heard_us;          /* when the server last sent something */
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

/* Not while a packet is half out, which would be torn. */
static void
ask_for_life (Session *self)
{
  int next_s;
  if (self->may_work
      && (libssh2_session_block_directions (self->ssh) & LIBSSH2_SESSION_BLOCK_OUTBOUND) == 0)
    libssh2_keepalive_send (self->ssh, &next_s);
}

/* Waits until libssh2 can go on. Returns: %FALSE with @error when it was interrupted or the server
 * was silent too long */
static gboolean
wait_for_server (Session *self, GError **error)
{
  struct pollfd fds[] = { { .fd = self->fd, .events = wanted_events (self) },
                          { .fd = storage_calls_get_fd (self->calls), .events = POLLIN } };
  gint64 timeout_us = self->server->timeout_us;
  for (;;)
    {
      gint64 silent_us = g_get_monotonic_time () - self->heard_us;
      if (silent_us >= timeout_us)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                       "%s: the server was silent for %.0f s; is it up, or is timeout too short?",
                       self->server->address->known, (double)timeout_us / G_USEC_PER_SEC);
          return FALSE;
        }
      gint64 wait_us = MIN (timeout_us - silent_us, timeout_us / KEEPALIVES);
      int n = poll (fds, G_N_ELEMENTS (fds), (int)(wait_us / 1000) + 1);
      if (n > 0 && fds[1].revents != 0 && !storage_calls_check (self->calls, error))
        return FALSE;
      if (n > 0 && (fds[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0)
        self->heard_us = g_get_monotonic_time ();
      if (n > 0 && fds[0].revents != 0)
        return TRUE;
      if (n == 0)
        ask_for_life (self);
    }
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
  if (status == LIBSSH2_ERROR_EAGAIN)
    return FALSE;
  libssh2_session_last_error (self->ssh, &message, NULL, 0);
  g_set_error (error, SATIN_ERROR,
               self->channel != NULL ? SATIN_ERROR_CLOSED : SATIN_ERROR_UNREACHABLE,
               "%s: cannot %s: %s", self->server->address->known, what,
               message != NULL && *message != '\0' ? message : "the server hung up");
  return FALSE;
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
open_channel (Session *self, GError **error)
{
  LIBSSH2_CHANNEL *channel;
  int status;
  do
    {
      channel = libssh2_channel_open_ex (self->ssh, "session", sizeof "session" - 1, WINDOW_BYTES,
                                         PACKET_BYTES, NULL, 0);
      status = channel != NULL ? 0 : libssh2_session_last_errno (self->ssh);
    }
  while (session_again (self, status, error));
  if (!session_succeeded (self, status, "open a channel", error))
    return FALSE;
  libssh2_channel_handle_extended_data (channel, LIBSSH2_CHANNEL_EXTENDED_DATA_IGNORE);
  do
    status = libssh2_channel_subsystem (channel, "sftp");
  while (session_again (self, status, error));
  if (!session_succeeded (self, status, "begin the subsystem sftp, does the server offer it?",
                          error))
    return FALSE;
  self->channel = channel;
  return TRUE;
}

static gboolean
begin (Session *self, GError **error)
{
  const Server *server = self->server;
  g_autoptr (KnownHosts) known = known_hosts_read (self->ssh, server->known_hosts, error);
  return known != NULL && known_hosts_prefer (known, self->ssh, server->address)
         && shake_hands (self, error)
         && known_hosts_check (known, self->ssh, server->address, error)
         && login (self, server, error) && open_channel (self, error);
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
  self->heard_us = g_get_monotonic_time ();
  self->ssh = libssh2_session_init ();
  if (self->ssh == NULL)
    g_error ("libssh2 has no memory for a session");
  libssh2_session_set_blocking (self->ssh, 0);
  libssh2_keepalive_config (self->ssh, 1, 1);
  if (begin (self, error))
    return self;
  session_close (self);
  return NULL;
}

/* The socket is shut first, so that nothing libssh2 does at the end can wait for the server. */
void
session_close (Session *self)
{
  if (self == NULL)
    return;
  libssh2_session_disconnect (self->ssh, "done");
  shutdown (self->fd, SHUT_RDWR);
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
session_let_work (Session *self)
{
  self->may_work = TRUE;
}

/* ---- bytes ---- */

gboolean
session_send (Session *self, const guint8 *bytes, gsize n_bytes, GError **error)
{
  self->heard_us = g_get_monotonic_time ();
  for (gsize done = 0; done < n_bytes;)
    {
      gssize n;
      do
        n = libssh2_channel_write (self->channel, (const char *)bytes + done, n_bytes - done);
      while (session_again (self, n, error));
      if (!session_succeeded (self, n, "send", error))
        return FALSE;
      done += (gsize)n;
    }
  return TRUE;
}

gsize
session_receive (Session *self, guint8 *buffer, gsize n_bytes, GError **error)
{
  gssize n;
  self->heard_us = g_get_monotonic_time ();
  do
    n = libssh2_channel_read (self->channel, (char *)buffer, n_bytes);
  while (session_again (self, n, error));
  if (!session_succeeded (self, n, "receive", error))
    return 0;
  if (n == 0)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_CLOSED, "%s: the server hung up",
                 self->server->address->known);
  return (gsize)n;
}
