/* contract.c - rules: opening, closing, addresses, how a link begins
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net.h"
#include "transport.h"

#include <string.h>

void
transport_closes_at_once (Case *c)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (Net) net = net_new (c);
      if (net == NULL || (i == 1 && !net_listen (net)))
        return;
    }
}

/* Addresses that no transport can accept. */
static const char *const wrong_uris[] = { "", "nowhere", "no-such-scheme://host:1" };

void
transport_refuses_wrong_addresses (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  for (guint i = 0; net != NULL && i < G_N_ELEMENTS (wrong_uris); i++)
    {
      g_autoptr (GError) error = NULL;
      End *end = end_new (&net->sides[CLIENT], net->dialed);
      gpointer link = net->ops.connect (net->sides[CLIENT].transport, wrong_uris[i],
                                        &net_link_events, end, &error);
      end->link = link;
      end->n_down += link == NULL;
      CASE_EXPECT (c, link == NULL, "connect to \"%s\" is begun", wrong_uris[i]);
      CASE_EXPECT (c, link != NULL || g_error_matches (error, SATIN_ERROR, SATIN_ERROR_INVALID),
                   "the error for \"%s\" is not that an argument is invalid: %s", wrong_uris[i],
                   error != NULL ? error->message : "there is none");
    }
}

void
transport_refuses_to_listen_at_wrong_addresses (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  for (guint i = 0; net != NULL && i < G_N_ELEMENTS (wrong_uris); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *uri = NULL;
      gpointer listener = net->ops.listen (net->sides[SERVER].transport, wrong_uris[i],
                                           &net_listen_events, net, &uri, &error);
      CASE_EXPECT (c, listener == NULL, "it listens at \"%s\"", wrong_uris[i]);
      CASE_EXPECT (c, listener != NULL || g_error_matches (error, SATIN_ERROR, SATIN_ERROR_INVALID),
                   "the error for \"%s\" is not that an argument is invalid: %s", wrong_uris[i],
                   error != NULL ? error->message : "there is none");
      CASE_EXPECT (c, listener != NULL || uri == NULL,
                   "an address is told though it does not listen");
    }
}

/* Checks that a link still works after two other transports of the plugin were closed. */
void
transport_has_independent_handles (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  g_autoptr (Net) other = net != NULL ? net_new (c) : NULL;
  End *client, *server;
  if (other == NULL || !net_link (net, &client, &server))
    return;
  net_close (other, CLIENT);
  net_close (other, SERVER);
  g_clear_pointer (&other, net_free);
  end_send_text (client, "still");
  net_wait_received (server, 5);
}

static void
on_manual_closed (const GError *error, gpointer user_data)
{
  *(gboolean *)user_data = TRUE;
}

/* Checks a loop that has no GMainContext: the transport must refuse it, or open and close on it. */
void
transport_opens_or_refuses_any_loop (Case *c)
{
  g_autoptr (SatinLoop) manual = satin_loop_new_manual (1);
  g_autoptr (SatinSecret) secret = satin_secret_new_random (NULL);
  g_autoptr (GError) error = NULL;
  SatinTransportContext context = { .struct_size = sizeof context,
                                    .loop = manual,
                                    .secret = secret };
  SatinTransportOps ops;
  gboolean is_closed = FALSE;
  satin_plugin_copy_ops (c->plugin, satin_transport_required, &ops, sizeof ops, NULL);
  gpointer transport = ops.open (&context, c->params, &error);
  if (transport == NULL)
    {
      CASE_EXPECT (c, g_error_matches (error, SATIN_ERROR, SATIN_ERROR_INVALID),
                   "a loop without a context is refused in other words than that it is invalid: %s",
                   error != NULL ? error->message : "without an error");
      return;
    }
  ops.close (transport, on_manual_closed, &is_closed);
  satin_loop_advance (manual, c->patience_us);
  CASE_EXPECT (c, is_closed, "it opens in a loop without a context, but cannot close there");
}

void
transport_refuses_a_taken_address (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = NULL;
  if (net == NULL || !net_listen (net))
    return;
  gpointer second = net->ops.listen (net->sides[CLIENT].transport, net->uri, &net_listen_events,
                                     net, &uri, &error);
  if (!CASE_EXPECT (c, second == NULL, "two listen at %s", net->uri)
      || !CASE_EXPECT (c, g_error_matches (error, SATIN_ERROR, SATIN_ERROR_ADDRESS_IN_USE),
                       "the error is not that the address is in use: %s",
                       error != NULL ? error->message : "there is none"))
    return;
  const char *colon = strchr (net->uri, ':');
  const char *address = colon + 1 + strspn (colon + 1, "/");
  CASE_EXPECT (c, strstr (error->message, address) != NULL, "the error does not name %s: %s",
               address, error->message);
}

void
transport_frees_its_address (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = NULL;
  if (net == NULL || !net_listen (net))
    return;
  net_unlisten (net);
  gpointer again = net->ops.listen (net->sides[SERVER].transport, net->uri, &net_listen_events, net,
                                    &uri, &error);
  CASE_EXPECT (c, again != NULL, "%s is not free after unlisten: %s", net->uri,
               error != NULL ? error->message : "there is no error");
}

void
transport_keeps_accepted_links (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  net_unlisten (net);
  net_linger (net);
  end_send_text (client, "still");
  net_wait_received (server, 5);
}

/* Expects that nobody listens at the address any more. */
static void
check_nobody_there (Net *net)
{
  Case *c = net->c;
  End *client = net_connect (net, net->uri);
  if (client == NULL || !net_wait_down (client, SATIN_ERROR_UNREACHABLE))
    return;
  CASE_EXPECT (c, client->n_up == 0, "the link came up");
  CASE_EXPECT (c, strstr (client->error->message, net->uri) != NULL,
               "the error does not name %s: %s", net->uri, client->error->message);
}

void
transport_finds_nobody (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  if (net == NULL || !net_listen (net))
    return;
  net_close (net, SERVER);
  net_linger (net);
  check_nobody_there (net);
}

void
transport_accepts_nobody_after_unlisten (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  if (net == NULL || !net_listen (net))
    return;
  net_unlisten (net);
  check_nobody_there (net);
  CASE_EXPECT (c, net->accepted->len == 0, "a link was accepted after unlisten");
}

void
transport_links (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  net_linger (net);
  CASE_EXPECT (c, net->accepted->len == 1, "one connect made %u links", net->accepted->len);
  CASE_EXPECT (c, client->n_down + server->n_down == 0,
               "the link came down though nobody ended it");
}
