/* secret.c - rules: without the cluster secret, nobody can link, or fake the end of a stream
 *
 * These rules apply to transports that need a secret, such as transports between hosts: a transport
 * that opens without a secret skips them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net.h"
#include "transport.h"

/* Whether the plugin refuses to open without a secret. Skips the case when it opens. */
static gboolean
needs_secret (Net *net)
{
  g_autoptr (GError) error = NULL;
  if (!net_open (net, CLIENT, net->c->params, NULL, FALSE, &error))
    return CASE_EXPECT (net->c, g_error_matches (error, SATIN_ERROR, SATIN_ERROR_SECRET),
                        "open without a secret fails for another reason: %s",
                        error != NULL ? error->message : "without an error");
  case_skip (net->c, "it opens without a secret, as a transport within one host may");
  return FALSE;
}

/* Opens both sides: each with its secret, or insecurely if its secret is %NULL. */
static gboolean
open_both (Net *net, const SatinSecret *server, const SatinSecret *client)
{
  g_autoptr (GError) error = NULL;
  return CASE_EXPECT (net->c,
                      net_open (net, SERVER, net->c->params, server, server == NULL, &error)
                          && net_open (net, CLIENT, net->c->params, client, client == NULL, &error),
                      "open failed: %s", error != NULL ? error->message : "without an error");
}

void
transport_wants_a_secret (Case *c)
{
  g_autoptr (Net) net = net_new_empty (c);
  if (net != NULL)
    needs_secret (net);
}

void
transport_goes_without_when_told_to (Case *c)
{
  g_autoptr (Net) net = net_new_empty (c);
  End *client, *server;
  if (net == NULL || !needs_secret (net) || !open_both (net, NULL, NULL)
      || !net_link (net, &client, &server))
    return;
  end_send_text (client, "plain");
  net_wait_received (server, 5);
}

static gboolean
is_decided (gpointer data)
{
  return ((End *)data)->n_up > 0 || ((End *)data)->n_down > 0;
}

/* Connects two sides whose secrets differ; %NULL: that side has no secret. A side that has a secret
 * must not let the link come up. Returns: the client's end, which is down; %NULL when it does not
 * go down, and the case is then broken */
static End *
connect_in_vain (Net *net, const SatinSecret *server, const SatinSecret *client)
{
  if (!open_both (net, server, client) || !net_listen (net))
    return NULL;
  End *end = net_connect (net, net->uri);
  if (end == NULL || !net_wait (net, is_decided, end, "up or down"))
    return NULL;
  end_send_text (end, "let me in");
  if (!net_wait_down (end, -2))
    return NULL;
  net_linger (net);
  CASE_EXPECT (net->c, client == NULL || end->n_up == 0, "the link came up");
  CASE_EXPECT (net->c, server == NULL || net->accepted->len == 0, "the link was accepted");
  return end;
}

void
transport_refuses_another_secret (Case *c)
{
  g_autoptr (Net) net = net_new_empty (c);
  g_autoptr (SatinSecret) other = satin_secret_new_random (NULL);
  if (net == NULL || !needs_secret (net))
    return;
  const End *end = connect_in_vain (net, net->secret, other);
  if (end != NULL && end->n_up == 0)
    CASE_EXPECT (c, g_error_matches (end->error, SATIN_ERROR, SATIN_ERROR_SECRET),
                 "the error is not that of a wrong secret: %s",
                 end->error != NULL ? end->error->message : "there is none");
}

void
transport_refuses_who_has_none (Case *c)
{
  g_autoptr (Net) net = net_new_empty (c);
  if (net != NULL && needs_secret (net))
    connect_in_vain (net, net->secret, NULL);
}

void
transport_goes_to_nobody_who_has_none (Case *c)
{
  g_autoptr (Net) net = net_new_empty (c);
  if (net != NULL && needs_secret (net))
    connect_in_vain (net, NULL, net->secret);
}

/* Checks that a server with two keys accepts both: while a secret is being changed, a server has
 * the old and the new key. */
void
transport_accepts_either_key (Case *c)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (Net) net = net_new_empty (c);
      g_autoptr (SatinSecret) both = satin_secret_new_random (NULL);
      End *client, *server;
      if (net == NULL || !needs_secret (net))
        return;
      both->n_keys = 2;
      for (guint k = 0; k < SATIN_SECRET_KEY_BYTES; k++)
        {
          both->keys[1][k] = both->keys[0][k];
          both->keys[i][k] = net->secret->keys[0][k];
        }
      if (!open_both (net, both, net->secret) || !net_link (net, &client, &server))
        return;
    }
}

/* Checks that a reader can tell a stream that was cut from one that was shut: when it was cut, down
 * comes with an error. */
void
transport_tells_a_cut_from_an_end (Case *c)
{
  g_autoptr (Net) net = net_new_empty (c);
  End *client, *server;
  if (net == NULL || !needs_secret (net) || !open_both (net, net->secret, net->secret)
      || !net_link (net, &client, &server))
    return;
  g_autoptr (GBytes) much = net_pattern (MUCH_BYTES, 11);
  end_pause (server, TRUE);
  end_send (client, much);
  net_linger (net);
  end_drop (client);
  end_pause (server, FALSE);
  if (net_wait_down (server, -2))
    CASE_EXPECT (c, server->error != NULL,
                 "a link that was dropped after %u of %" G_GSIZE_FORMAT
                 " bytes is down without an error",
                 server->received->len, MUCH_BYTES);
}
