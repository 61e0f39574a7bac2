/* gateway.c - an SSH session with a gateway: its requests, its beginning and its end
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gateway-private.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* ---- reports to the loop ---- */

typedef struct
{
  Gateway *gateway; /* (borrowed): lives until GATEWAY_ENDED, the last report */
  GatewayVerdict verdict;
  guint64 dial;
  GError *error; /* (owned) (nullable) */
} PostedVerdict;

static void
told (gpointer user_data)
{
  PostedVerdict *self = user_data;
  Gateway *gateway = self->gateway;
  gateway->func (gateway, self->verdict, self->dial, self->error, gateway->user_data);
  g_clear_error (&self->error);
  g_free (self);
}

void
gateway_tell (Gateway *self, GatewayVerdict verdict, guint64 dial, const GError *error)
{
  PostedVerdict *posted = g_new0 (PostedVerdict, 1);
  posted->gateway = self;
  posted->verdict = verdict;
  posted->dial = dial;
  posted->error = error != NULL ? g_error_copy (error) : NULL;
  satin_loop_post (self->loop, told, posted);
}

/* ---- requests ---- */

/* Writes the data that opens a channel to @host. The format is that of RFC 4254, section 7.2:
 * string host, uint32 port, then the originator's address (string) and port (uint32). */
static void
write_message (GatewayRequest *self, const char *host, guint16 port)
{
  static const char here[] = "127.0.0.1";
  guint32 n_host = (guint32)strlen (host), n_here = (guint32)strlen (here);
  guint32 numbers[] = { GUINT32_TO_BE (n_host), GUINT32_TO_BE (port), GUINT32_TO_BE (n_here), 0 };
  GByteArray *message = g_byte_array_new ();
  g_byte_array_append (message, (const guint8 *)&numbers[0], sizeof numbers[0]);
  g_byte_array_append (message, (const guint8 *)host, n_host);
  g_byte_array_append (message, (const guint8 *)&numbers[1], 2 * sizeof numbers[1]);
  g_byte_array_append (message, (const guint8 *)here, n_here);
  g_byte_array_append (message, (const guint8 *)&numbers[3], sizeof numbers[3]);
  self->n_message = message->len;
  self->message = (char *)g_byte_array_free (message, FALSE);
}

void
gateway_request_free (GatewayRequest *self)
{
  close (self->fd);
  g_free (self->name);
  g_free (self->message);
  g_free (self);
}

gboolean
gateway_request (Gateway *self, guint64 dial, const Target *target, int fd)
{
  GatewayRequest *request = g_new0 (GatewayRequest, 1);
  request->dial = dial;
  request->fd = fd;
  request->name = g_strdup_printf ("%s:%u", target->host, target->port);
  write_message (request, target->host, target->port);
  pthread_mutex_lock (&self->lock);
  gboolean is_taken = !self->is_retired;
  if (is_taken)
    g_queue_push_tail (&self->requests, request);
  pthread_mutex_unlock (&self->lock);
  if (is_taken)
    {
      eventfd_write (self->wake_fd, 1);
      return TRUE;
    }
  request->fd = -1;
  gateway_request_free (request);
  return FALSE;
}

void
gateway_retire (Gateway *self)
{
  pthread_mutex_lock (&self->lock);
  self->is_retired = TRUE;
  pthread_mutex_unlock (&self->lock);
}

/* ---- the end ---- */

static void
refuse_all (Gateway *self, GQueue *requests, const GError *error)
{
  GatewayRequest *request;
  while ((request = g_queue_pop_head (requests)) != NULL)
    {
      gateway_tell (self, GATEWAY_REFUSED, request->dial, error);
      gateway_request_free (request);
    }
}

void
gateway_end (Gateway *self, const GError *error)
{
  g_autoptr (GError) over =
      g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED, "the session with %s is over", self->login);
  const GError *why = error != NULL ? error : over;
  gateway_retire (self);
  if (self->opening != NULL)
    g_queue_push_head (&self->waiting, g_steal_pointer (&self->opening));
  refuse_all (self, &self->waiting, why);
  refuse_all (self, &self->requests, why);
  gateway_tell (self, GATEWAY_ENDED, 0, error);
}

void
gateway_give_up (Gateway *self, GError *error)
{
  gateway_end (self, error);
  g_error_free (error);
}

void
gateway_stop (Gateway *self)
{
  eventfd_write (self->stop_fd, 1);
}

static gboolean
check_stop (gpointer data, GError **error)
{
  const Gateway *self = data;
  struct pollfd stopped = { .fd = self->stop_fd, .events = POLLIN };
  if (poll (&stopped, 1, 0) == 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_CANCELLED, "the session with %s was stopped",
               self->login);
  return FALSE;
}

/* ---- the beginning ---- */

static gpointer
run (gpointer user_data)
{
  Gateway *self = user_data;
  g_autoptr (GError) error = NULL;
  self->session = ssh_session_open (&self->server, &self->interrupt, &error);
  if (self->session != NULL)
    {
      ssh_session_begun (self->session, NULL);
      gateway_serve (self, &error);
    }
  g_clear_pointer (&self->session, ssh_session_close);
  gateway_end (self, error);
  return NULL;
}

void
gateway_start (Gateway *self, struct addrinfo *addresses)
{
  self->server.addresses = addresses;
  int status = pthread_create (&self->thread, NULL, run, self);
  self->has_thread = status == 0;
  if (status == 0)
    return;
  gateway_give_up (self, g_error_new (SATIN_ERROR, SATIN_ERROR_IO,
                                      "cannot make a thread for the session with %s: %s",
                                      self->login, g_strerror (status)));
}

static void
free_tunnel (gpointer tunnel)
{
  tunnel_free (tunnel);
}

static SshAddress *
copy_address (const SshAddress *address)
{
  SshAddress *copy = g_new0 (SshAddress, 1);
  copy->uri = g_strdup (address->uri);
  copy->user = g_strdup (address->user);
  copy->host = g_strdup (address->host);
  copy->port = address->port;
  copy->path = g_strdup (address->path);
  copy->known = g_strdup (address->known);
  return copy;
}

Gateway *
gateway_new (SatinLoop *loop, const Target *target, const SatinParams *params, GatewayFunc func,
             gpointer user_data, GError **error)
{
  Gateway *self = g_new0 (Gateway, 1);
  self->loop = loop;
  self->func = func;
  self->user_data = user_data;
  self->login = g_strdup (target->login);
  self->linger_us = satin_params_get_duration_us (params, "linger");
  ssh_server_init (&self->server, copy_address (target->gateway), params, "forwarding");
  self->stop_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  self->wake_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  self->interrupt = (SshInterrupt){ .fd = self->stop_fd, .check = check_stop, .data = self };
  pthread_mutex_init (&self->lock, NULL);
  self->tunnels = g_ptr_array_new_with_free_func (free_tunnel);
  g_queue_init (&self->requests);
  g_queue_init (&self->waiting);
  if (self->stop_fd >= 0 && self->wake_fd >= 0)
    return self;
  stream_set_errno (error, errno, "cannot make an eventfd");
  gateway_free (self);
  return NULL;
}

void
gateway_free (Gateway *self)
{
  if (self->has_thread)
    pthread_join (self->thread, NULL);
  if (self->stop_fd >= 0)
    close (self->stop_fd);
  if (self->wake_fd >= 0)
    close (self->wake_fd);
  g_ptr_array_unref (self->tunnels);
  pthread_mutex_destroy (&self->lock);
  ssh_server_clear (&self->server);
  g_free (self->login);
  g_free (self);
}

const char *
gateway_get_login (const Gateway *self)
{
  return self->login;
}
