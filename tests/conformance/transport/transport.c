/* transport.c - the transport for tests: addresses, listeners, how links begin, how it closes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "transport.h"

#include <string.h>

#define SCHEME "conformance-memory:"

static GList *transports; /* of (borrowed) Transport */
static GList *listeners;  /* of (borrowed) Listener */
static guint n_opened;

Fault transport_fault;

#define NAME_OF(fault) #fault,
static const char *const fault_names[] = { FAULTS (NAME_OF) };

/* Sets transport_fault from the parameter "fault": "up-twice" means UP_TWICE. */
static gboolean
read_fault (const SatinParams *params, GError **error)
{
  const char *given = satin_params_get_string (params, "fault");
  g_autofree char *name = g_strdelimit (g_ascii_strup (given, -1), "-", '_');
  for (guint i = 0; i < N_FAULTS; i++)
    if (g_str_equal (fault_names[i], name))
      {
        transport_fault = i;
        return TRUE;
      }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "there is no fault \"%s\"", given);
  return FALSE;
}

static gboolean
check_secret (const SatinTransportContext *context, gboolean is_wanted, GError **error)
{
  if (!is_wanted || context->secret != NULL)
    return TRUE;
  if (context->is_insecure && !IS (OPENS_NEVER_INSECURELY))
    return TRUE;
  g_set_error (error, SATIN_ERROR,
               IS (OPENS_NOT_FOR_ANOTHER_REASON) ? SATIN_ERROR_INVALID : SATIN_ERROR_SECRET,
               "it needs a secret");
  return FALSE;
}

static gpointer
transport_open (const SatinTransportContext *context, const SatinParams *params, GError **error)
{
  gboolean is_between_hosts = satin_params_get_boolean (params, "between-hosts");
  if (!read_fault (params, error) || !check_secret (context, is_between_hosts, error))
    return NULL;
  if (IS (OPENS_NOT_AGAIN) && ++n_opened == 4)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "it was opened too often");
      return NULL;
    }
  Transport *self = g_new0 (Transport, 1);
  self->loop = context->loop;
  self->secret = is_between_hosts ? context->secret : NULL;
  self->shut_timeout_us = satin_params_get_duration_us (params, "shut-timeout");
  transports = g_list_prepend (transports, self);
  return self;
}

static void
listener_free (Listener *self)
{
  listeners = g_list_remove (listeners, self);
  self->transport->listeners = g_list_remove (self->transport->listeners, self);
  g_free (self->uri);
  g_free (self);
}

static void
tell_closed (gpointer user_data)
{
  Transport *self = user_data;
  if (!IS (NEVER_CLOSED) && !IS (CLOSED_BEFORE_DOWN)
      && !(IS (CLOSES_NOT_IN_ANY_LOOP) && satin_loop_get_context (self->loop) == NULL))
    self->done (NULL, self->done_data);
  if (IS (CLOSED_TWICE))
    self->done (NULL, self->done_data);
  g_free (self);
}

void
transport_check_closed (Transport *self)
{
  if (self->is_closing && self->links == NULL && !self->is_calling_early)
    {
      self->is_closing = FALSE;
      satin_loop_timer_add (self->loop, 0, tell_closed, self);
    }
}

static void
tell_closed_too_early (gpointer user_data)
{
  Transport *self = user_data;
  self->done (NULL, self->done_data);
  self->is_calling_early = FALSE;
  transport_check_closed (self);
}

static void
drop_all (GList *links)
{
  GList *next;
  for (GList *each = links; each != NULL; each = next)
    {
      Link *link = each->data;
      next = each->next;
      if (IS (CLOSE_IS_GOOD_ORDER))
        link_end (link, NULL);
      else if (!IS (CLOSE_FORGETS_DIALING) || link->is_up)
        link_drop (link);
      else
        link->is_over = TRUE;
      if (IS (FAILS_IN_ITS_OWN_WORDS) && link->peer != NULL && link->peer->error != NULL)
        link->peer->error->code = SATIN_ERROR_JOB;
    }
}

static void
transport_close (gpointer transport, SatinDoneFunc done, gpointer user_data)
{
  Transport *self = transport;
  self->is_closing = TRUE;
  self->done = done;
  self->done_data = user_data;
  transports = g_list_remove (transports, self);
  while (self->listeners != NULL)
    listener_free (self->listeners->data);
  if (IS (CLOSED_BEFORE_DOWN))
    {
      self->is_calling_early = TRUE;
      satin_loop_timer_add (self->loop, 0, tell_closed_too_early, self);
    }
  drop_all (self->links);
  for (GList *each = transports; IS (CLOSES_FOR_ALL) && each != NULL; each = each->next)
    drop_all (((Transport *)each->data)->links);
  transport_check_closed (self);
}

/* Returns: (nullable): the listener at @uri. With the fault @fault, a stopped listener counts
 * too. */
static Listener *
find_listener (const char *uri, Fault fault)
{
  for (GList *each = listeners; each != NULL; each = each->next)
    {
      Listener *listener = each->data;
      if (g_str_equal (listener->uri, uri) && (!listener->is_stopped || transport_fault == fault))
        return listener;
    }
  return NULL;
}

static gboolean
check_uri (const char *uri, gboolean is_lax, GError **error)
{
  if (is_lax || (g_str_has_prefix (uri, SCHEME) && strlen (uri) > strlen (SCHEME)))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s: not of the form " SCHEME "NAME", uri);
  return FALSE;
}

static gpointer
transport_listen (gpointer transport, const char *uri, const SatinListenEvents *events,
                  gpointer user_data, char **ret_uri, GError **error)
{
  Transport *self = transport;
  if (!check_uri (uri, IS (LISTENS_AT_ANYTHING), error))
    return NULL;
  if (find_listener (uri, KEEPS_ITS_ADDRESS) != NULL && !IS (SHARES_ADDRESSES))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_ADDRESS_IN_USE, "%s is in use: take another",
                   uri);
      return NULL;
    }
  Listener *listener = g_new0 (Listener, 1);
  listener->transport = self;
  listener->uri = g_strdup (uri);
  listener->events = events;
  listener->user_data = user_data;
  self->listeners = g_list_prepend (self->listeners, listener);
  listeners = g_list_prepend (listeners, listener);
  *ret_uri = g_strdup (uri);
  return listener;
}

static void
transport_unlisten (gpointer data)
{
  Listener *listener = data;
  if (IS (UNLISTEN_ENDS_LINKS))
    drop_all (listener->transport->links);
  if (IS (KEEPS_ITS_ADDRESS) || IS (ACCEPTS_AFTER_UNLISTEN))
    listener->is_stopped = TRUE;
  else
    listener_free (listener);
}

static gpointer
transport_connect (gpointer transport, const char *uri, const SatinLinkEvents *events,
                   gpointer user_data, GError **error)
{
  if (!check_uri (uri, IS (CONNECTS_TO_ANYTHING), error))
    return NULL;
  Link *link = link_new (transport, uri, events, user_data);
  if (IS (UP_INSIDE_CONNECT) && find_listener (uri, NONE) != NULL)
    transport_dial (link);
  link_wake (link);
  return link;
}

/* Whether a server with the secret @server accepts a client with the secret @client. */
static gboolean
is_taken (const SatinSecret *server, const SatinSecret *client)
{
  if (server == NULL && client == NULL)
    return TRUE;
  if (server == NULL)
    return IS (GOES_TO_WHO_HAS_NONE);
  if (client == NULL)
    return IS (TAKES_WHO_HAS_NONE);
  for (guint i = 0; i < (IS (TAKES_THE_FIRST_KEY_ONLY) ? 1 : server->n_keys); i++)
    if (memcmp (server->keys[i], client->keys[0], SATIN_SECRET_KEY_BYTES) == 0)
      return TRUE;
  return IS (TAKES_ANY_SECRET);
}

/* Returns: (transfer full) (nullable): why @link cannot come up */
static GError *
find_obstacle (const Link *link, const Listener *listener)
{
  if (listener == NULL)
    return g_error_new (SATIN_ERROR, SATIN_ERROR_UNREACHABLE, "nobody listens at %s", link->uri);
  if (!is_taken (listener->transport->secret, link->transport->secret))
    return g_error_new (SATIN_ERROR, SATIN_ERROR_SECRET, "%s has another secret", link->uri);
  return NULL;
}

static Link *
accept_link (Listener *listener, Link *other)
{
  Link *self = link_new (listener->transport, listener->uri, NULL, NULL);
  self->is_up = TRUE;
  self->peer = other;
  listener->events->accepted (listener, self, &self->events, &self->user_data, listener->user_data);
  return self;
}

void
transport_dial (Link *self)
{
  Listener *listener = find_listener (self->uri, ACCEPTS_AFTER_UNLISTEN);
  GError *obstacle = find_obstacle (self, listener);
  if (obstacle != NULL)
    {
      if (!(IS (FINDS_NOBODY_TOO_SLOWLY) && listener == NULL))
        link_end (self, obstacle);
      else
        g_clear_error (&obstacle);
      return;
    }
  if (IS (ACCEPTS_TWICE))
    accept_link (listener, NULL);
  self->peer = accept_link (listener, self);
  self->is_up = TRUE;
  if (IS (RECEIVES_BEFORE_UP))
    self->events->drained (self, self->user_data);
  self->events->up (self, self->user_data);
  if (IS (UP_TWICE))
    self->events->up (self, self->user_data);
  link_wake (self);
}

static const SatinTransportOps ops = {
  .struct_size = sizeof (SatinTransportOps),
  .open = transport_open,
  .close = transport_close,
  .listen = transport_listen,
  .unlisten = transport_unlisten,
  .connect = transport_connect,
  .send = link_send,
  .queued_bytes = link_queued_bytes,
  .pause = link_pause,
  .shut = link_shut,
  .drop = link_drop,
};

static const SatinParam params[] = {
  { "shut-timeout", SATIN_PARAM_DURATION, "5s", "how long to wait for a reader" },
  { "between-hosts", SATIN_PARAM_BOOLEAN, "no", "whether it wants a secret" },
  { "fault", SATIN_PARAM_STRING, "none", "the rule that it breaks" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

static const char *const schemes[] = { "conformance-memory", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_TRANSPORT,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "memory",
  .version = "0",
  .summary = "links inside one process, for tests",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
