/* end.c - rules: how a link ends, by shut, drop, or the close of its transport
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net.h"
#include "transport.h"

#include <string.h>

void
transport_delivers_before_shut (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  g_autoptr (GBytes) sent = net_pattern ((gsize)4 << 20, 9);
  end_send (client, sent);
  end_shut (client);
  if (!net_wait_down (server, -1))
    return;
  net_expect_received (server, sent);
  net_wait_down (client, -1);
}

void
transport_receives_nothing_after_shut (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  end_shut (client);
  end_send_text (server, "late");
  net_wait_down (client, -1);
  CASE_EXPECT (c, client->received->len == 0, "a link that was shut received %u bytes",
               client->received->len);
}

void
transport_shuts_on_both_sides (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  end_shut (client);
  end_shut (server);
  net_wait_down (client, -1);
  net_wait_down (server, -1);
}

void
transport_drops_when_shut_before_up (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  if (net == NULL || !net_listen (net))
    return;
  End *client = net_connect (net, net->uri);
  if (client == NULL)
    return;
  end_shut (client);
  net_wait_down (client, SATIN_ERROR_CANCELLED);
  CASE_EXPECT (c, client->n_up == 0, "a link came up after it was shut");
}

/* Whether the plugin has a parameter of this name and type. */
static gboolean
has_param (const Case *c, const char *key, SatinParamType type)
{
  const SatinParam *param = satin_plugin_get_desc (c->plugin)->params;
  for (; param != NULL && param->key != NULL; param++)
    if (g_str_equal (param->key, key))
      return param->type == type;
  return FALSE;
}

/* Returns: (transfer full): the parameters of the case, with @assignment added */
static SatinParams *
add_param (const Case *c, const char *assignment)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  for (guint i = 0; c->assignments[i] != NULL; i++)
    g_ptr_array_add (all, (gpointer)c->assignments[i]);
  g_ptr_array_add (all, (gpointer)assignment);
  g_ptr_array_add (all, NULL);
  return satin_params_parse (satin_plugin_get_desc (c->plugin)->params,
                             (const char *const *)all->pdata, NULL);
}

void
transport_gives_up_who_does_not_read (Case *c)
{
  if (!has_param (c, "shut-timeout", SATIN_PARAM_DURATION))
    {
      case_skip (c, "it has no parameter shut-timeout to make the wait short");
      return;
    }
  g_autoptr (SatinParams) params = add_param (c, "shut-timeout=200ms");
  g_autoptr (Net) net = net_new_empty (c);
  End *client, *server;
  if (net == NULL || !net_open (net, SERVER, params, net->secret, FALSE, NULL)
      || !net_open (net, CLIENT, params, net->secret, FALSE, NULL)
      || !net_link (net, &client, &server))
    return;
  g_autoptr (GBytes) much = net_pattern (MUCH_BYTES, 10);
  end_pause (server, TRUE);
  end_send (client, much);
  end_shut (client);
  net_wait_down (client, SATIN_ERROR_TIMEOUT);
}

void
transport_drop_is_cancelled (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  end_drop (client);
  net_wait_down (client, SATIN_ERROR_CANCELLED);
}

void
transport_drop_ends_the_other_side (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  end_drop (client);
  net_wait_down (server, -2);
}

void
transport_drops_before_up (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  if (net == NULL || !net_listen (net))
    return;
  End *client = net_connect (net, net->uri);
  if (client == NULL)
    return;
  end_drop (client);
  net_wait_down (client, SATIN_ERROR_CANCELLED);
  CASE_EXPECT (c, client->n_up == 0, "a link came up after it was dropped");
}

void
transport_drops_inside_received (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  server->is_dropping = TRUE;
  end_send_text (client, "drop");
  net_wait_down (server, SATIN_ERROR_CANCELLED);
}

void
transport_paused_end_hears_of_a_drop (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  end_pause (client, TRUE);
  end_pause (server, TRUE);
  end_send_text (client, "unread");
  net_linger (net);
  end_drop (server);
  net_wait_down (client, SATIN_ERROR_CLOSED);
}

void
transport_close_ends_links (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  for (guint i = 0; i < 3; i++)
    if (net == NULL || !net_link (net, &client, &server))
      return;
  net_close (net, SERVER);
  for (guint i = 0; i < 3; i++)
    if (!net_wait_down (g_ptr_array_index (net->accepted, i), SATIN_ERROR_CANCELLED)
        || !net_wait_down (g_ptr_array_index (net->dialed, i), -2))
      return;
}

void
transport_close_ends_dialing (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  if (net == NULL || !net_listen (net))
    return;
  End *client = net_connect (net, net->uri);
  if (client == NULL)
    return;
  net_close (net, CLIENT);
  net_wait_down (client, SATIN_ERROR_CANCELLED);
}
