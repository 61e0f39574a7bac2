/* dial.c - connects a link to a TCP address
 *
 * A name can have many addresses, and some of them may not answer. So the next address is tried
 * when an attempt fails, or when it has been silent for STAGGER_US. A silent attempt continues
 * beside the next one. The first attempt that connects wins ("happy eyeballs"). The link's connect
 * timeout covers all of this.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dial.h"

#include "resolve.h"
#include "tune.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define STAGGER_US ((gint64)250000)

typedef struct
{
  Stream *stream;   /* (borrowed) */
  StreamLink *link; /* (borrowed): it owns this Dialer */
  char *host;       /* (owned) */
  gint64 keepalive_us;
  TcpResolve *resolve;         /* (nullable): while the name is looked up */
  struct addrinfo *addresses;  /* (owned) */
  const struct addrinfo *next; /* (nullable): the address to try next */
  GQueue attempts;             /* of (owned) Attempt that wait for an answer */
  SatinTimerId stagger;
  GError *error; /* (owned) (nullable): of the last attempt that failed */
} Dialer;

typedef struct
{
  StreamWatch watch;
  Dialer *dialer; /* (borrowed) */
  char *address;  /* (owned) */
} Attempt;

static void try_next (gpointer user_data);

static void
attempt_free (gpointer user_data)
{
  Attempt *self = user_data;
  stream_watch_close (&self->watch);
  g_free (self->address);
  g_free (self);
}

static void
dialer_cancel (gpointer user_data)
{
  Dialer *self = user_data;
  if (self->resolve != NULL)
    tcp_resolve_cancel (self->resolve);
  satin_loop_timer_cancel (stream_get_loop (self->stream), &self->stagger);
  g_queue_clear_full (&self->attempts, attempt_free);
  if (self->addresses != NULL)
    freeaddrinfo (self->addresses);
  g_clear_error (&self->error);
  g_free (self->host);
  g_free (self);
}

static void
note_failure (Dialer *self, const char *address, int connect_errno)
{
  g_autofree char *what = g_strdup_printf ("cannot connect to %s", address);
  g_clear_error (&self->error);
  stream_set_errno (&self->error, connect_errno, what);
}

/* Whether a socket is connected to itself. A socket that connects to a port of its own machine may
 * get that same port as its source, and then connects to itself if nobody listens there. */
static gboolean
is_own_echo (int fd)
{
  struct sockaddr_storage here = { 0 };
  struct sockaddr_storage there = { 0 };
  socklen_t here_length = sizeof here;
  socklen_t there_length = sizeof there;
  return getsockname (fd, (struct sockaddr *)&here, &here_length) == 0
         && getpeername (fd, (struct sockaddr *)&there, &there_length) == 0
         && here_length == there_length && memcmp (&here, &there, here_length) == 0;
}

static void
attempt_ready (StreamWatch *watch)
{
  Attempt *self = (Attempt *)watch;
  Dialer *dialer = self->dialer;
  if (!watch->is_writable)
    return;
  int connect_errno = 0;
  socklen_t length = sizeof connect_errno;
  if (getsockopt (watch->fd, SOL_SOCKET, SO_ERROR, &connect_errno, &length) < 0)
    connect_errno = errno;
  if (connect_errno == 0 && is_own_echo (watch->fd))
    connect_errno = ECONNREFUSED;
  if (connect_errno == 0)
    {
      stream_link_connected (dialer->link, stream_watch_take_fd (watch)); /* frees the dialer */
      return;
    }
  note_failure (dialer, self->address, connect_errno);
  g_queue_remove (&dialer->attempts, self);
  attempt_free (self);
  try_next (dialer);
}

/* Returns: FALSE when the attempt failed within the call */
static gboolean
begin_attempt (Dialer *self, const struct addrinfo *address)
{
  g_autofree char *name = tcp_address_format (address->ai_addr);
  int fd = socket (address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd >= 0)
    tcp_tune (fd, self->keepalive_us);
  if (fd < 0 || (connect (fd, address->ai_addr, address->ai_addrlen) < 0 && errno != EINPROGRESS))
    {
      note_failure (self, name, errno);
      if (fd >= 0)
        close (fd);
      return FALSE;
    }
  Attempt *attempt = g_new0 (Attempt, 1);
  attempt->dialer = self;
  attempt->address = g_steal_pointer (&name);
  stream_watch_init (&attempt->watch, self->stream, attempt_ready);
  g_clear_error (&self->error);
  if (!stream_watch_open (&attempt->watch, fd, &self->error))
    {
      attempt_free (attempt);
      return FALSE;
    }
  stream_watch_await_room (&attempt->watch);
  g_queue_push_tail (&self->attempts, attempt);
  return TRUE;
}

static void
try_next (gpointer user_data)
{
  Dialer *self = user_data;
  SatinLoop *loop = stream_get_loop (self->stream);
  satin_loop_timer_cancel (loop, &self->stagger);
  gboolean has_begun = FALSE;
  while (self->next != NULL && !has_begun)
    {
      has_begun = begin_attempt (self, self->next);
      self->next = self->next->ai_next;
    }
  if (self->next != NULL)
    self->stagger = satin_loop_timer_add (loop, STAGGER_US, try_next, self);
  else if (self->attempts.length == 0)
    stream_link_fail (self->link, g_steal_pointer (&self->error)); /* frees the dialer */
}

static void
begin_attempts (Dialer *self, struct addrinfo *addresses)
{
  self->addresses = addresses;
  self->next = addresses;
  try_next (self);
}

static void
resolved (struct addrinfo *addresses, int status, gpointer user_data)
{
  Dialer *self = user_data;
  self->resolve = NULL;
  if (status == 0)
    begin_attempts (self, addresses);
  else
    stream_link_fail (self->link, g_error_new (SATIN_ERROR, SATIN_ERROR_UNREACHABLE,
                                               "cannot find the address of host %s: %s", self->host,
                                               gai_strerror (status)));
}

void
tcp_dial (Stream *stream, StreamLink *link, const char *host, guint16 port, gint64 keepalive_us)
{
  Dialer *self = g_new0 (Dialer, 1);
  self->stream = stream;
  self->link = link;
  self->host = g_strdup (host);
  self->keepalive_us = keepalive_us;
  g_queue_init (&self->attempts);
  stream_link_set_dialer (link, self, dialer_cancel);
  struct addrinfo *numeric = tcp_address_from_number (host, port);
  if (numeric != NULL)
    {
      begin_attempts (self, numeric);
      return;
    }
  GError *error = NULL;
  self->resolve = tcp_resolve_start (stream, host, port, resolved, self, &error);
  if (self->resolve == NULL)
    stream_link_fail (link, error); /* frees the dialer */
}
