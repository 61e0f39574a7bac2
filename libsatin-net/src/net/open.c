/* open.c - begins a node's membership: opens transports and the registry, and listens
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

#define MAX_LINKS_DEFAULT           256
#define REGISTRY_TIMEOUT_DEFAULT_US ((gint64)600000000)

SatinTransport *
net_transport (SatinNet *self, const char *uri, GError **error)
{
  SatinTransportContext context = {
    .struct_size = sizeof context,
    .loop = self->loop,
    .secret = self->secret,
    .is_insecure = self->is_insecure,
  };
  const NetRoute *route = net_routes_find_through (self->routes, uri);
  g_autofree char *key = route != NULL ? g_strdup (route->gateway) : net_uri_scheme (uri, error);
  SatinTransport *transport;

  if (key == NULL)
    return NULL;
  transport = g_tree_lookup (self->transports, key);
  if (transport != NULL)
    return transport;
  if (self->transport_ops != NULL)
    transport = satin_transport_new_with_ops (self->transport_ops, &context, error);
  else
    transport = satin_transport_new_with_params (uri, route != NULL ? route->params : NULL,
                                                 &context, error);
  if (transport == NULL)
    return NULL;
  self->n_transports++;
  g_tree_insert (self->transports, g_steal_pointer (&key), transport);
  return transport;
}

/* Checks the kind of an address that a peer has told. Otherwise a peer could make this node use any
 * transport, such as log in to a machine of the peer's choice over ssh. */
gboolean
net_may_dial (SatinNet *self, const char *uri, GError **error)
{
  g_autofree char *way = net_uri_way (uri);

  for (guint i = 0; way != NULL && i < self->ways->len; i++)
    if (strcmp (way, g_ptr_array_index (self->ways, i)) == 0)
      return TRUE;
  g_set_error (
      error, SATIN_ERROR, SATIN_ERROR_INVALID,
      "this node was not told to dial addresses like %s: let both nodes listen at one kind "
      "of address, or name the way with --gateway",
      uri);
  return FALSE;
}

static void
allow_way (SatinNet *self, const char *uri)
{
  char *way = net_uri_way (uri);

  if (way != NULL)
    g_ptr_array_add (self->ways, way);
}

static int
compare_schemes (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return strcmp (a, b);
}

/* Loads the registry plugin that @text names. @text: "NAME" or "NAME:key=value,..." */
static gboolean
load_registry (SatinNet *self, const char *text, GError **error)
{
  const SatinPlugin *plugin =
      satin_plugin_load_spec (SATIN_PLUGIN_REGISTRY, text, &self->registry_params, error);

  if (plugin == NULL
      || !satin_plugin_copy_ops (plugin, satin_registry_required, &self->registry_ops,
                                 sizeof self->registry_ops, error))
    return FALSE;
  self->is_registry_hub = strcmp (satin_plugin_get_desc (plugin)->name, "hub") == 0;
  return TRUE;
}

static gboolean
find_registry (SatinNet *self, const SatinNetOptions *options, GError **error)
{
  if (options->registry_ops == NULL)
    return load_registry (self, options->registry != NULL ? options->registry : "hub", error);
  memcpy (&self->registry_ops, options->registry_ops,
          MIN (options->registry_ops->struct_size, sizeof self->registry_ops));
  self->is_registry_hub = TRUE;
  return TRUE;
}

/* Opens the transports of all gateways now, so that the user hears of wrong parameters at once, not
 * when a peer cannot be reached. */
static gboolean
open_gateways (SatinNet *self, const char *text, GError **error)
{
  self->routes = net_routes_parse (text, error);
  for (guint i = 0; self->routes != NULL && i < self->routes->len; i++)
    {
      const NetRoute *route = g_ptr_array_index (self->routes, i);
      g_autofree char *uri = g_strconcat (route->gateway, "/", NULL);

      if (net_transport (self, uri, error) == NULL)
        {
          g_prefix_error (error, "gateway of cluster %s: ", route->cluster);
          return FALSE;
        }
      allow_way (self, uri);
    }
  return self->routes != NULL;
}

static gboolean
start_listening (SatinNet *self, const SatinNetOptions *options, GError **error)
{
  g_autofree char *uri = g_strdup (options->listen_uri);
  SatinTransport *transport;

  if (uri == NULL)
    uri = net_pick_listen_uri (self->loop, options->registry_uri, options->pid, error);
  transport = uri != NULL ? net_transport (self, uri, error) : NULL;
  if (transport == NULL)
    return FALSE;
  self->listener =
      satin_transport_listen (transport, uri, &self->identity, net_link_accept, self, error);
  if (self->listener == NULL)
    return FALSE;
  allow_way (self, uri);
  allow_way (self, satin_listener_get_uri (self->listener));
  if (satin_address_check (satin_listener_get_uri (self->listener), error))
    return TRUE;
  g_prefix_error (error, "the transport for %s: ", uri);
  return FALSE;
}

static gboolean
open_registry (SatinNet *self, const SatinNetOptions *options, GError **error)
{
  const char *address = satin_listener_get_uri (self->listener);
  SatinRegistryContext context = {
    .struct_size = sizeof context,
    .loop = self->loop,
    .uri = options->registry_uri,
    .program = &self->program,
    .cluster = self->cluster,
    .address = address,
    .host = options->host != NULL ? options->host : "",
    .pid = options->pid,
    .secret = self->secret,
    .is_insecure = self->is_insecure,
  };

  /* A hub uses links of the transport for the hub's address. Other registries have connections of
   * their own, and get the transport for this node's address. */
  context.transport =
      net_transport (self, self->is_registry_hub ? options->registry_uri : address, error);
  if (context.transport == NULL)
    return FALSE;
  if (self->is_registry_hub)
    allow_way (self, options->registry_uri);
  self->registry =
      self->registry_ops.open (&context, self->registry_params, &net_registry_events, self, error);
  if (self->registry == NULL)
    satin_plugin_explain (NULL, error);
  return self->registry != NULL;
}

/**
 * satin_net_new:
 * @loop: borrowed, outlives the net
 * @program: copied; its build and arguments are borrowed
 * @options: copied; tables of operations are borrowed
 * @events: copied; each may be %NULL
 * @error: from the transport, the registry or the check of an address; the message names which
 *
 * Listens, and asks the registry to let this node in; @joined or @over of @events follows. After a
 * failure the loop must run on until everything that was opened is closed.
 *
 * Returns: (transfer full): leave with satin_net_leave(), then satin_net_free(); or %NULL with
 *   @error set
 */
SatinNet *
satin_net_new (SatinLoop *loop, const SatinProgram *program, const SatinNetOptions *options,
               const SatinNetEvents *events, gpointer user_data, GError **error)
{
  SatinNet *self;

  g_return_val_if_fail (loop != NULL && program != NULL, NULL);
  g_return_val_if_fail (options != NULL && options->registry_uri != NULL, NULL);
  g_return_val_if_fail (events != NULL, NULL);

  self = g_new0 (SatinNet, 1);
  self->peers.ops = &net_peers_ops;
  self->loop = loop;
  self->events = *events;
  self->user_data = user_data;
  self->program = *program;
  self->program_name = g_strdup (program->name);
  self->program.name = self->program_name;
  self->secret = options->secret != NULL ? satin_secret_copy (options->secret) : NULL;
  self->is_insecure = options->is_insecure;
  self->transport_ops = options->transport_ops;
  self->max_links = options->max_links != 0 ? options->max_links : MAX_LINKS_DEFAULT;
  self->max_queue_bytes =
      options->max_queue_bytes != 0 ? options->max_queue_bytes : SATIN_LINK_QUEUE_MAX_BYTES;
  self->registry_timeout_us = options->registry_timeout_us != 0 ? options->registry_timeout_us
                                                                : REGISTRY_TIMEOUT_DEFAULT_US;
  self->cluster = g_strdup (options->cluster != NULL ? options->cluster : "");
  self->identity = (SatinIdentity){ .role = SATIN_ROLE_NODE, .program = &self->program };
  self->transports = g_tree_new_full (compare_schemes, NULL, g_free, NULL);
  self->ways = g_ptr_array_new_full (2, g_free);
  self->rows = g_array_new (FALSE, TRUE, sizeof (SatinPeer));
  self->members = g_ptr_array_new_with_free_func (net_peer_free);
  self->links = g_ptr_array_new_with_free_func (g_free);
  self->changes = g_array_new (FALSE, FALSE, sizeof (NetChange));
  self->view.cluster = self->cluster;
  if (open_gateways (self, options->gateways, error) && find_registry (self, options, error)
      && start_listening (self, options, error) && open_registry (self, options, error))
    return self;
  satin_net_free (self);
  return NULL;
}
