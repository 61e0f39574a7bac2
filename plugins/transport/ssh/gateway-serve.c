/* gateway-serve.c - the session's thread: opens channels, copies bytes, closes channels
 *
 * libssh2 can have one unfinished packet on its way out, for all channels together. If a call
 * returns EAGAIN after half of its packet was sent, the same call must be repeated before any other
 * call that sends. Such a call is remembered as "blocked", and nothing else is tried until it is
 * done.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gateway-private.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>

/* How often the gateway is asked for a sign of life within the time that it may be silent. libssh2
 * asks every 2 s at most. */
#define KEEPALIVES 3

/* The most rounds, in each of which every tunnel makes one step, before the sockets are polled
 * again. */
#define MAX_ROUNDS 16

/* Indices of the polled descriptors; those of the tunnels follow. */
enum
{
  FD_STOP,
  FD_WAKE,
  FD_SSH,
  FD_OPENING,
  N_FDS,
};

static gboolean
is_blocked (const Gateway *self)
{
  return self->blocked != NULL || self->is_opening_blocked;
}

static gboolean
is_half_out (Gateway *self, gssize status)
{
  int directions = libssh2_session_block_directions (ssh_session_get_ssh (self->session));
  return status == LIBSSH2_ERROR_EAGAIN && (directions & LIBSSH2_SESSION_BLOCK_OUTBOUND) != 0;
}

static gboolean
has_failed (gssize status)
{
  return status < 0 && status != LIBSSH2_ERROR_EAGAIN;
}

/* ---- tunnels ---- */

/* Makes one step, and remembers it if it is blocked. Returns: the result of libssh2 */
static gssize
try_step (Gateway *self, Tunnel *tunnel, TunnelStep step)
{
  gssize status = step (tunnel);
  gboolean is_out = is_half_out (self, status);
  self->blocked = is_out ? step : NULL;
  self->blocked_tunnel = is_out ? tunnel : NULL;
  if (tunnel->channel == NULL)
    g_ptr_array_remove (self->tunnels, tunnel);
  return status;
}

/* Each tunnel makes one step. @ret_is_more: a step succeeded, so there may be more to do. Returns:
 * %FALSE with @error when the session is broken */
static gboolean
step_all (Gateway *self, gint64 now_us, gboolean *ret_is_more, GError **error)
{
  for (guint i = 0; i < self->tunnels->len && !is_blocked (self);)
    {
      Tunnel *tunnel = g_ptr_array_index (self->tunnels, i);
      TunnelStep step = tunnel_next_step (tunnel, now_us);
      guint n_tunnels = self->tunnels->len;
      gssize status = step != NULL ? try_step (self, tunnel, step) : LIBSSH2_ERROR_EAGAIN;
      if (has_failed (status))
        return ssh_session_succeeded (self->session, status, "carry a link's bytes", error);
      *ret_is_more |= status >= 0;
      i += self->tunnels->len == n_tunnels;
    }
  return TRUE;
}

/* Makes libssh2 read all packets that the gateway sent, for all channels. */
static gssize
step_receive (Tunnel *tunnel)
{
  return libssh2_channel_wait_eof (tunnel->channel);
}

static gboolean
receive (Gateway *self, GError **error)
{
  for (guint i = 0; i < self->tunnels->len && !is_blocked (self); i++)
    {
      gssize status = try_step (self, g_ptr_array_index (self->tunnels, i), step_receive);
      if (has_failed (status))
        return ssh_session_succeeded (self->session, status, "hear from the gateway", error);
      /* EAGAIN means that libssh2 has read everything. On a channel whose end has arrived, the call
       * returns before it reads, so the next channel is tried. */
      if (status == LIBSSH2_ERROR_EAGAIN)
        return TRUE;
    }
  return TRUE;
}

/* ---- opening ---- */

static GatewayRequest *
take_request (Gateway *self)
{
  pthread_mutex_lock (&self->lock);
  GatewayRequest *request = g_queue_pop_head (&self->requests);
  pthread_mutex_unlock (&self->lock);
  return request;
}

static void
take_requests (Gateway *self)
{
  GatewayRequest *request;
  eventfd_t n_wakes;
  eventfd_read (self->wake_fd, &n_wakes);
  while ((request = take_request (self)) != NULL)
    g_queue_push_tail (&self->waiting, request);
}

static void
opened (Gateway *self, LIBSSH2_CHANNEL *channel)
{
  GatewayRequest *request = g_steal_pointer (&self->opening);
  g_ptr_array_add (self->tunnels, tunnel_new (channel, request->fd));
  request->fd = -1;
  gateway_tell (self, GATEWAY_OPENED, request->dial, NULL);
  gateway_request_free (request);
}

static void
refused (Gateway *self)
{
  GatewayRequest *request = g_steal_pointer (&self->opening);
  char *message = NULL;
  libssh2_session_last_error (ssh_session_get_ssh (self->session), &message, NULL, 0);
  g_autoptr (GError) error =
      g_error_new (SATIN_ERROR, SATIN_ERROR_UNREACHABLE,
                   "the gateway %s does not connect to %s (%s): does a node listen there, and does "
                   "its sshd allow it (AllowTcpForwarding, PermitOpen)?",
                   self->login, request->name, message);
  gateway_tell (self, GATEWAY_REFUSED, request->dial, error);
  gateway_request_free (request);
}

/* Returns: %FALSE with @error when the session is broken */
static gboolean
open_channel (Gateway *self, GError **error)
{
  static const char kind[] = "direct-tcpip";
  LIBSSH2_SESSION *ssh = ssh_session_get_ssh (self->session);
  const GatewayRequest *request = self->opening;
  LIBSSH2_CHANNEL *channel =
      libssh2_channel_open_ex (ssh, kind, sizeof kind - 1, TUNNEL_WINDOW_BYTES, TUNNEL_PACKET_BYTES,
                               request->message, (guint)request->n_message);
  gssize status = channel != NULL ? 0 : ssh_session_get_failure (self->session);
  self->is_opening_blocked = is_half_out (self, status);
  if (channel != NULL)
    opened (self, channel);
  else if (status == LIBSSH2_ERROR_CHANNEL_FAILURE || status == LIBSSH2_ERROR_TIMEOUT)
    refused (self);
  else if (status != LIBSSH2_ERROR_EAGAIN)
    return ssh_session_succeeded (self->session, status, "open a channel", error);
  return TRUE;
}

static gboolean
open_channels (Gateway *self, gint64 now_us, GError **error)
{
  gboolean may_go_on = TRUE;
  while (may_go_on && self->blocked == NULL)
    {
      if (self->opening == NULL)
        {
          self->opening = g_queue_pop_head (&self->waiting);
          if (self->opening == NULL)
            return TRUE;
          self->opening->asked_us = now_us;
          ssh_session_expect (self->session);
        }
      if (!open_channel (self, error))
        return FALSE;
      may_go_on = self->opening == NULL;
    }
  return TRUE;
}

/* Called when the gateway waits for a host that does not answer. Returns all other requests, so
 * that they need not wait as well, and makes the session take no more. */
static void
hand_back (Gateway *self)
{
  GatewayRequest *request;
  gateway_retire (self);
  take_requests (self);
  while ((request = g_queue_pop_head (&self->waiting)) != NULL)
    {
      gateway_tell (self, GATEWAY_RETURNED, request->dial, NULL);
      gateway_request_free (request);
    }
}

/* ---- waiting ---- */

static gboolean
is_idle (const Gateway *self)
{
  return self->tunnels->len == 0 && self->opening == NULL && self->waiting.length == 0;
}

/* Returns: when to wake up if nothing arrives */
static gint64
get_deadline_us (Gateway *self, gint64 now_us)
{
  gint64 until_us = now_us + self->server.timeout_us / KEEPALIVES;
  if (self->has_more)
    return now_us;
  if (is_idle (self))
    return self->idle_us + self->linger_us;
  if (self->opening != NULL && self->opening->asked_us + GATEWAY_ASKING_US > now_us)
    until_us = MIN (until_us, self->opening->asked_us + GATEWAY_ASKING_US);
  for (guint i = 0; i < self->tunnels->len; i++)
    {
      const Tunnel *tunnel = g_ptr_array_index (self->tunnels, i);
      if (tunnel->is_gone && tunnel->give_up_us > now_us)
        until_us = MIN (until_us, tunnel->give_up_us);
    }
  return until_us;
}

/* Returns: the poll() events to wait for on the session's socket. Without links, nothing needs to
 * be read, so only the end of the connection matters */
static short
get_session_events (const Gateway *self)
{
  if (is_idle (self))
    return POLLRDHUP;
  return is_blocked (self) ? POLLIN | POLLOUT : POLLIN;
}

/* Polls all descriptors. Returns: (transfer full): the poll results */
static GArray *
wait_for_something (Gateway *self, gint64 now_us)
{
  guint n_fds = N_FDS + self->tunnels->len;
  GArray *fds = g_array_sized_new (FALSE, TRUE, sizeof (struct pollfd), n_fds);
  g_array_set_size (fds, n_fds);
  struct pollfd *at = (struct pollfd *)(gpointer)fds->data;
  at[FD_STOP] = (struct pollfd){ .fd = self->stop_fd, .events = POLLIN };
  at[FD_WAKE] = (struct pollfd){ .fd = self->wake_fd, .events = POLLIN };
  at[FD_SSH] = (struct pollfd){ .fd = ssh_session_get_fd (self->session),
                                .events = get_session_events (self) };
  at[FD_OPENING] =
      (struct pollfd){ .fd = self->opening != NULL && !self->opening->is_left ? self->opening->fd
                                                                              : -1 };
  for (guint i = 0; i < self->tunnels->len; i++)
    {
      const Tunnel *tunnel = g_ptr_array_index (self->tunnels, i);
      at[N_FDS + i] = (struct pollfd){ .fd = tunnel->is_gone ? -1 : tunnel->fd,
                                       .events = tunnel_get_events (tunnel) };
    }
  gint64 wait_us = MAX (get_deadline_us (self, now_us) - now_us, 0);
  poll (at, n_fds, (int)MIN (wait_us / 1000 + 1, G_MAXINT));
  return fds;
}

/* ---- the session's life ---- */

static gboolean
is_retired (Gateway *self)
{
  pthread_mutex_lock (&self->lock);
  gboolean is_retired = self->is_retired;
  pthread_mutex_unlock (&self->lock);
  return is_retired;
}

/* Whether the session is useless: no link waits for the channel that is being opened, there are no
 * tunnels, and no more requests can come. */
static gboolean
is_given_up (Gateway *self)
{
  return self->opening != NULL && self->opening->is_left && self->tunnels->len == 0
         && is_retired (self);
}

/* Makes the session take no more requests, if none is queued. Returns: %TRUE when none was queued
 */
static gboolean
may_end (Gateway *self)
{
  pthread_mutex_lock (&self->lock);
  self->is_retired |= self->requests.length == 0;
  gboolean may_end = self->requests.length == 0;
  pthread_mutex_unlock (&self->lock);
  return may_end;
}

/* Hands requests back, asks for a sign of life, or notices a silent gateway, when it is time.
 * Returns: %FALSE with @error when the gateway was silent for too long */
static gboolean
check_clock (Gateway *self, const struct pollfd *fds, gint64 now_us, GError **error)
{
  if (self->opening != NULL && now_us >= self->opening->asked_us + GATEWAY_ASKING_US)
    hand_back (self);
  if (fds[FD_SSH].revents != 0)
    return TRUE;
  if (ssh_session_get_patience_us (self->session)
      < self->server.timeout_us - self->server.timeout_us / KEEPALIVES)
    ssh_session_ask_for_life (self->session);
  return ssh_session_check_silence (self->session, error);
}

static void
serve_links (Gateway *self, const struct pollfd *fds, guint n_fds, gint64 now_us)
{
  for (guint i = 0; i < self->tunnels->len; i++)
    tunnel_serve_link (g_ptr_array_index (self->tunnels, i),
                       fds != NULL && N_FDS + i < n_fds ? fds[N_FDS + i].revents : 0, now_us);
}

static gboolean
serve_session (Gateway *self, gint64 now_us, GError **error)
{
  gssize status = self->blocked != NULL ? try_step (self, self->blocked_tunnel, self->blocked) : 0;
  if (has_failed (status))
    return ssh_session_succeeded (self->session, status, "carry a link's bytes", error);
  if (!open_channels (self, now_us, error) || !receive (self, error))
    return FALSE;
  self->has_more = TRUE;
  for (guint round = 0; round < MAX_ROUNDS && self->has_more; round++)
    {
      self->has_more = FALSE;
      serve_links (self, NULL, 0, now_us);
      if (!step_all (self, now_us, &self->has_more, error))
        return FALSE;
    }
  return TRUE;
}

/* One turn of a session without links. Returns: %TRUE when the session must end */
static gboolean
rest (Gateway *self, const struct pollfd *fds, gint64 now_us)
{
  ssh_session_expect (self->session);
  gboolean is_over = fds[FD_SSH].revents != 0 || now_us >= self->idle_us + self->linger_us;
  return (is_over || is_retired (self)) && may_end (self);
}

gboolean
gateway_serve (Gateway *self, GError **error)
{
  gint64 now_us = g_get_monotonic_time ();
  self->idle_us = now_us;
  while (TRUE)
    {
      g_autoptr (GArray) found = wait_for_something (self, now_us);
      const struct pollfd *fds = (const struct pollfd *)(gpointer)found->data;
      now_us = g_get_monotonic_time ();
      if (!self->interrupt.check (self->interrupt.data, error))
        return FALSE;
      take_requests (self);
      if (is_idle (self) && rest (self, fds, now_us))
        return TRUE;
      if (is_idle (self))
        continue;
      self->idle_us = now_us;
      if (self->opening != NULL)
        self->opening->is_left |= (fds[FD_OPENING].revents & POLLHUP) != 0;
      serve_links (self, fds, found->len, now_us);
      if (!serve_session (self, now_us, error) || !check_clock (self, fds, now_us, error))
        return FALSE;
      if (is_given_up (self))
        return TRUE;
    }
}
