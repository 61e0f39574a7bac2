/* transport.c - loads a transport, listens and connects with it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

/* The shortest time between two warnings about dropped links. */
#define TELL_DROPPED_US ((gint64)60000000)

struct _SatinListener
{
  SatinTransport *transport;     /* (borrowed) */
  gpointer handle;               /* (owned by the transport) */
  const SatinIdentity *identity; /* (borrowed) */
  SatinAcceptFunc accept;
  gpointer user_data;
  char *uri;               /* (owned) */
  char *name;              /* (owned) the other side's name in messages, for incoming links */
  guint n_dropped;         /* links dropped since the last warning */
  SatinTimerId tell_timer; /* runs until the next warning is allowed */
};

/* ---- transports ---- */

static void
listener_free (gpointer data)
{
  SatinListener *self = data;

  satin_loop_timer_cancel (self->transport->loop, &self->tell_timer);
  g_free (self->uri);
  g_free (self->name);
  g_free (self);
}

static SatinTransport *
transport_open (const SatinPlugin *plugin, const SatinTransportOps *ops, const SatinParam *table,
                const char *params, const SatinTransportContext *context, GError **error)
{
  SatinTransport *self = g_new0 (SatinTransport, 1);

  self->ops = *ops;
  self->loop = context->loop;
  self->listeners = g_ptr_array_new_with_free_func (listener_free);
  self->params = satin_params_parse_text (table, params, error);
  if (self->params != NULL)
    self->handle = self->ops.open (context, self->params, error);
  if (self->handle != NULL)
    return self;
  satin_plugin_explain (plugin, error);
  g_ptr_array_unref (self->listeners);
  satin_params_free (self->params);
  g_free (self);
  return NULL;
}

/**
 * satin_transport_new:
 * @uri: any address with the transport's scheme, "tcp://host:1", "unix:/path"
 * @context: copied; its pointers are borrowed
 * @error: as for satin_plugin_load_for_uri() and the plugin's open
 *
 * Loads the transport for the scheme of @uri and opens it.
 *
 * Threads: the loop's. Cost: file operations the first time.
 *
 * Returns: (transfer full): close with satin_transport_close(), or %NULL with @error set
 */
SatinTransport *
satin_transport_new (const char *uri, const SatinTransportContext *context, GError **error)
{
  return satin_transport_new_with_params (uri, NULL, context, error);
}

SatinTransport *
satin_transport_new_with_params (const char *uri, const char *params,
                                 const SatinTransportContext *context, GError **error)
{
  const SatinPlugin *plugin;
  SatinTransportOps ops;

  g_return_val_if_fail (uri != NULL && context != NULL && context->loop != NULL, NULL);

  plugin = satin_plugin_load_for_uri (SATIN_PLUGIN_TRANSPORT, uri, error);
  if (plugin == NULL
      || !satin_plugin_copy_ops (plugin, satin_transport_required, &ops, sizeof ops, error))
    return NULL;
  return transport_open (plugin, &ops, satin_plugin_get_desc (plugin)->params, params, context,
                         error);
}

SatinTransport *
satin_transport_new_with_ops (const SatinTransportOps *ops, const SatinTransportContext *context,
                              GError **error)
{
  SatinTransportOps copy = { 0 };

  g_return_val_if_fail (ops != NULL && context != NULL && context->loop != NULL, NULL);

  memcpy (&copy, ops, MIN (ops->struct_size, sizeof copy));
  return transport_open (NULL, &copy, NULL, NULL, context, error);
}

static void
on_closed (const GError *error, gpointer user_data)
{
  SatinTransport *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;

  g_ptr_array_unref (self->listeners);
  satin_params_free (self->params);
  g_clear_pointer (&self->goodbye, g_bytes_unref);
  g_free (self);
  if (done != NULL)
    done (error, done_data);
}

/**
 * satin_transport_close:
 * @done: (nullable): runs once, on the loop, not inside this call
 *
 * Drops all links and stops all listeners. Each link's down runs before @done. The caller must not
 * use the listeners or the transport after this call.
 */
void
satin_transport_close (SatinTransport *self, SatinDoneFunc done, gpointer user_data)
{
  g_return_if_fail (self != NULL);

  self->done = done;
  self->done_data = user_data;
  self->ops.close (self->handle, on_closed, self);
}

/* ---- listeners ---- */

/* Ignores the down of a link that was dropped at once, because the listener's owner gave it no
 * functions or because too many links wait to be greeted. */
static void
unwanted_down (SatinLink *link, const GError *error, gpointer user_data)
{
}

static const SatinLinkFuncs unwanted_funcs = { .down = unwanted_down };

static void
tell_dropped (gpointer user_data)
{
  SatinListener *self = user_data;

  self->tell_timer = 0;
  if (self->n_dropped == 0)
    return;
  g_warning ("%s: more than %d links wait to be greeted, %u more were dropped", self->uri,
             SATIN_HANDSHAKE_MAX_PENDING, self->n_dropped);
  self->n_dropped = 0;
  self->tell_timer =
      satin_loop_timer_add (self->transport->loop, TELL_DROPPED_US, tell_dropped, self);
}

/* Warns at once of the first dropped link. Counts the links that are dropped after it, for one
 * warning a minute. */
static void
note_dropped (SatinListener *self)
{
  if (self->tell_timer != 0)
    {
      self->n_dropped++;
      return;
    }
  g_warning ("%s: more than %d links wait to be greeted, one was dropped", self->uri,
             SATIN_HANDSHAKE_MAX_PENDING);
  self->tell_timer =
      satin_loop_timer_add (self->transport->loop, TELL_DROPPED_US, tell_dropped, self);
}

static void
on_accepted (gpointer handle, gpointer link_handle, const SatinLinkEvents **ret_events,
             gpointer *ret_user_data, gpointer user_data)
{
  SatinListener *self = user_data;
  SatinTransport *transport = self->transport;
  SatinLink *link = satin_link_new (transport, self->identity, self->name, FALSE);

  link->handle = link_handle;
  *ret_events = &satin_link_events;
  *ret_user_data = link;
  if (transport->n_greeting <= SATIN_HANDSHAKE_MAX_PENDING)
    self->accept (self, link, &link->funcs, &link->user_data, self->user_data);
  else
    note_dropped (self);
  if (link->funcs == NULL)
    {
      link->funcs = &unwanted_funcs;
      satin_link_drop (link);
    }
}

static const SatinListenEvents listen_events = { .struct_size = sizeof (SatinListenEvents),
                                                 .accepted = on_accepted };

SatinListener *
satin_transport_listen (SatinTransport *self, const char *uri, const SatinIdentity *identity,
                        SatinAcceptFunc accept, gpointer user_data, GError **error)
{
  SatinListener *listener;

  g_return_val_if_fail (self != NULL && uri != NULL, NULL);
  g_return_val_if_fail (identity != NULL && accept != NULL, NULL);

  listener = g_new0 (SatinListener, 1);
  listener->transport = self;
  listener->identity = identity;
  listener->accept = accept;
  listener->user_data = user_data;
  listener->handle =
      self->ops.listen (self->handle, uri, &listen_events, listener, &listener->uri, error);
  if (listener->handle == NULL)
    {
      listener_free (listener);
      return NULL;
    }
  listener->name = g_strdup_printf ("a peer at %s", listener->uri);
  g_ptr_array_add (self->listeners, listener);
  return listener;
}

const char *
satin_listener_get_uri (SatinListener *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->uri;
}

void
satin_listener_stop (SatinListener *self)
{
  g_return_if_fail (self != NULL);

  self->transport->ops.unlisten (self->handle);
  g_ptr_array_remove (self->transport->listeners, self);
}

SatinLink *
satin_transport_connect (SatinTransport *self, const char *uri, const SatinIdentity *identity,
                         const SatinLinkFuncs *funcs, gpointer user_data, GError **error)
{
  SatinLink *link;

  g_return_val_if_fail (self != NULL && uri != NULL, NULL);
  g_return_val_if_fail (identity != NULL && funcs != NULL, NULL);

  link = satin_link_new (self, identity, uri, TRUE);
  link->funcs = funcs;
  link->user_data = user_data;
  link->handle = self->ops.connect (self->handle, uri, &satin_link_events, link, error);
  if (link->handle != NULL)
    return link;
  satin_link_discard (link);
  return NULL;
}
