/* session-talk.c - the phases of a session, on its thread
 *
 * libssh2 can have one unfinished packet on its way out. A packet that is half written must be
 * finished before anything else is sent. So only connecting and reading can be interrupted.
 *
 * The warden is a script that runs on the host, and starts and ends commands there (warden.sh).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "session-private.h"
#include "ssh-connect.h"

#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>

/* Bytes of the archive read at once. */
#define CHUNK_BYTES ((gsize)32768)

/* How often the warden is asked for a sign of life within the time that it may be silent. */
#define KEEPALIVES 3

/* How long the warden has at least to end all that it started. */
#define PARTING_MIN_US ((gint64)10 * G_USEC_PER_SEC)

/* ---- the beginning ---- */

static gboolean
connect_to (Session *self, GError **error)
{
  SshServer *server = self->place.server;
  self->interrupt = (SshInterrupt){ .check = session_check, .data = self };
  if (server->addresses != NULL)
    freeaddrinfo (g_steal_pointer (&server->addresses));
  session_may_interrupt (self, TRUE);
  if (session_check (self, error) && ssh_connect_look_up (server, error))
    self->ssh = ssh_session_open (server, &self->interrupt, error);
  session_may_interrupt (self, FALSE);
  if (self->ssh == NULL)
    return FALSE;
  ssh_session_begun (self->ssh, NULL);
  return TRUE;
}

static gboolean
open_channel (Session *self, GError **error)
{
  LIBSSH2_SESSION *ssh = ssh_session_get_ssh (self->ssh);
  int status;
  do
    {
      self->channel = libssh2_channel_open_session (ssh);
      status = self->channel != NULL ? 0 : ssh_session_get_failure (self->ssh);
    }
  while (ssh_session_again (self->ssh, status, error));
  if (!ssh_session_succeeded (self->ssh, status, "open a channel", error))
    return FALSE;
  do
    status = libssh2_channel_exec (self->channel, SCRIPT_COMMAND);
  while (ssh_session_again (self->ssh, status, error));
  return ssh_session_succeeded (self->ssh, status, "start a command", error);
}

static guint
to_seconds (gint64 time_us)
{
  return (guint)CLAMP (time_us / G_USEC_PER_SEC, 1, G_MAXINT);
}

static gboolean
greet (Session *self, GError **error)
{
  const SessionPlace *place = &self->place;
  const ScriptPlace warden = {
    .nonce = self->nonce,
    .parent = place->parent,
    .limit_s = to_seconds (place->server->timeout_us),
    .patience_s = to_seconds (place->patience_us),
    .size_bytes = place->pack != NULL ? pack_get_size (place->pack) : 0,
    .digest = place->pack != NULL ? pack_get_digest (place->pack) : "",
    .remains = (const char *const *)self->remains,
  };
  g_autofree char *beginning = script_begin (&warden);
  return session_say (self, beginning, strlen (beginning), error)
         && session_hear_answer (self, ANSWER_HELLO, error);
}

static gboolean
say_archive (Session *self, GError **error)
{
  const Pack *pack = self->place.pack;
  g_autofree char *buffer = g_malloc (CHUNK_BYTES);
  guint64 offset = 0, size_bytes = pack != NULL ? pack_get_size (pack) : 0;
  while (offset < size_bytes)
    {
      gssize n = pack_read (pack, offset, buffer, CHUNK_BYTES, error);
      if (n <= 0 || !session_say (self, buffer, (gsize)n, error))
        return FALSE;
      offset += (guint64)n;
      session_may_interrupt (self, TRUE);
      gboolean may_go_on = session_check (self, error);
      session_may_interrupt (self, FALSE);
      if (!may_go_on)
        return FALSE;
    }
  return TRUE;
}

/* Sends the archive. If that fails, waits for the warden's answer, because its reason says more
 * than a failed write. */
static gboolean
bring (Session *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  if (!say_archive (self, &local) && session_is_closing (self))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  return session_hear_answer (self, ANSWER_READY, error);
}

gboolean
session_begin (Session *self, GError **error)
{
  self->deadline_us = g_get_monotonic_time () + self->place.patience_us;
  if ((self->place.pack != NULL && !pack_make (self->place.pack, error))
      || !connect_to (self, error) || !open_channel (self, error) || !greet (self, error)
      || !bring (self, error))
    return FALSE;
  session_tell (self, SESSION_READY, NULL, self->folder, NULL);
  return TRUE;
}

/* ---- serving ---- */

static gboolean
is_half_out (Session *self)
{
  int directions = libssh2_session_block_directions (ssh_session_get_ssh (self->ssh));
  return (directions & LIBSSH2_SESSION_BLOCK_OUTBOUND) != 0;
}

/* Sends orders until the socket or the window is full. @ret_is_blocked: the socket is full.
 * Returns: %FALSE with @error */
static gboolean
send_orders (Session *self, gboolean *ret_is_blocked, GError **error)
{
  char *order;
  while ((order = session_take_order (self)) != NULL)
    g_queue_push_tail (&self->sending, order);
  *ret_is_blocked = FALSE;
  while ((order = g_queue_peek_head (&self->sending)) != NULL)
    {
      gsize n_bytes = strlen (order);
      gssize n = session_write (self, order + self->n_sent, n_bytes - self->n_sent);
      self->is_sending = TRUE;
      if (n == LIBSSH2_ERROR_EAGAIN)
        {
          *ret_is_blocked = is_half_out (self);
          return TRUE;
        }
      if (n < 0)
        return ssh_session_succeeded (self->ssh, n, "send to the host", error);
      self->n_sent += (gsize)n;
      if (self->n_sent < n_bytes)
        continue;
      g_free (g_queue_pop_head (&self->sending));
      self->n_sent = 0;
      self->is_sending = FALSE;
    }
  return TRUE;
}

static gboolean
is_of_machine (AnswerKind kind)
{
  return kind == ANSWER_RUNS || kind == ANSWER_REFUSED || kind == ANSWER_ENDED;
}

/* Reads and passes on all answers that have arrived. Returns: %FALSE with @error */
static gboolean
hear_all (Session *self, GError **error)
{
  gssize n;
  while ((n = session_read (self)) > 0)
    {
      char *each;
      while ((each = session_take_line (self)) != NULL)
        {
          g_autofree char *line = each;
          const Answer answer = script_read (line, self->nonce);
          session_note (self, &answer);
          if (is_of_machine (answer.kind))
            session_tell (self, SESSION_ANSWER, &answer, NULL, NULL);
        }
      if (self->input->len <= SCRIPT_LINE_MAX)
        continue;
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "%s: its answers cannot be understood",
                   self->place.name);
      return FALSE;
    }
  if (n == 0)
    return session_refuse_end (self, error);
  return n == LIBSSH2_ERROR_EAGAIN
         || ssh_session_succeeded (self->ssh, n, "hear from the host", error);
}

static void
ask_for_life (Session *self, gint64 now_us)
{
  if (now_us < self->asked_us + self->place.server->timeout_us / KEEPALIVES)
    return;
  self->asked_us = now_us;
  g_queue_push_tail (&self->sending, g_strdup ("alive\n"));
}

static void
wait_for_something (Session *self, gboolean is_blocked)
{
  struct pollfd fds[] = {
    { .fd = ssh_session_get_fd (self->ssh), .events = is_blocked ? POLLIN | POLLOUT : POLLIN },
    { .fd = self->wake_fd, .events = POLLIN },
    { .fd = self->stop_fd, .events = POLLIN },
  };
  const gint64 timeout_us = self->place.server->timeout_us, now_us = g_get_monotonic_time ();
  gint64 wait_us = MIN (self->asked_us + timeout_us / KEEPALIVES - now_us,
                        ssh_session_get_patience_us (self->ssh));
  eventfd_t n_wakes;
  poll (fds, G_N_ELEMENTS (fds), (int)MIN (MAX (wait_us, 0) / 1000 + 1, G_MAXINT));
  eventfd_read (self->wake_fd, &n_wakes);
}

gboolean
session_serve (Session *self, GError **error)
{
  gboolean is_blocked = FALSE;
  self->deadline_us = G_MAXINT64;
  ssh_session_expect (self->ssh);
  while (!session_is_closing (self))
    {
      ask_for_life (self, g_get_monotonic_time ());
      if (!send_orders (self, &is_blocked, error) || !hear_all (self, error)
          || !ssh_session_check_silence (self->ssh, error))
        return FALSE;
      wait_for_something (self, is_blocked);
    }
  return TRUE;
}

/* ---- the end ---- */

/* Ends the warden's input. An order that is half sent is finished first, so that the end does not
 * come in the middle of a packet or a line. */
static gboolean
end_input (Session *self)
{
  const char *order = g_queue_peek_head (&self->sending);
  if (self->is_sending && order != NULL
      && !session_say (self, order + self->n_sent, strlen (order) - self->n_sent, NULL))
    return FALSE;
  int status;
  do
    status = libssh2_channel_send_eof (self->channel);
  while (ssh_session_again (self->ssh, status, NULL));
  return status == 0;
}

void
session_part (Session *self)
{
  const gint64 now_us = g_get_monotonic_time (), timeout_us = self->place.server->timeout_us;
  self->deadline_us = now_us + MAX (timeout_us, PARTING_MIN_US);
  ssh_session_expect (self->ssh);
  if (self->is_gone || self->is_ended || !end_input (self))
    return;
  while (!self->is_gone && !self->is_ended)
    {
      g_autofree char *line = session_hear (self, NULL);
      if (line == NULL)
        return;
      const Answer answer = script_read (line, self->nonce);
      session_note (self, &answer);
      if (is_of_machine (answer.kind))
        session_tell (self, SESSION_ANSWER, &answer, NULL, NULL);
    }
}
