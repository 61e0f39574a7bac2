/* flow.c - rules: a reader that pauses slows the writer down, and no bytes are lost
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net.h"
#include "transport.h"

void
transport_receives_nothing_when_paused (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  end_pause (server, TRUE);
  end_send_text (client, "wait");
  net_linger (net);
  CASE_EXPECT (c, server->received->len == 0, "a paused link received %u bytes",
               server->received->len);
  end_pause (server, FALSE);
  net_wait_received (server, 4);
}

typedef struct
{
  End *end;
  guint n_bytes;
} Progress;

static gboolean
has_more (gpointer data)
{
  const Progress *progress = data;
  return progress->end->received->len > progress->n_bytes || progress->end->n_down > 0;
}

void
transport_pauses_at_each_piece (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  g_autoptr (GBytes) sent = net_pattern (1000000, 6);
  server->is_pausing = TRUE;
  end_send (client, sent);
  while (server->received->len < g_bytes_get_size (sent) && server->n_down == 0)
    {
      Progress progress = { server, server->received->len };
      end_pause (server, FALSE);
      if (!net_wait (net, has_more, &progress, "going on after a pause"))
        return;
    }
  net_expect_received (server, sent);
}

static gboolean
is_queue_empty (gpointer data)
{
  return end_queued_bytes (data) == 0;
}

void
transport_lets_the_queue_grow (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  CASE_EXPECT (c, end_queued_bytes (client) == 0, "a fresh link has queued bytes");
  g_autoptr (GBytes) sent = net_pattern (MUCH_BYTES, 7);
  end_pause (server, TRUE);
  end_send (client, sent);
  net_linger (net);
  gsize n_queued_bytes = end_queued_bytes (client);
  CASE_EXPECT (c, n_queued_bytes > 0 && n_queued_bytes <= MUCH_BYTES,
               "with %" G_GSIZE_FORMAT " bytes sent to a paused reader, %" G_GSIZE_FORMAT
               " are said to be queued",
               MUCH_BYTES, n_queued_bytes);
  end_pause (server, FALSE);
  if (net_wait_received (server, MUCH_BYTES) && net_expect_received (server, sent))
    net_wait (net, is_queue_empty, client, "that no byte is queued when all have arrived");
}

static gboolean
has_drained (gpointer data)
{
  return ((End *)data)->n_drained > 0;
}

void
transport_tells_drained (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  g_autoptr (GBytes) sent = net_pattern (MUCH_BYTES, 8);
  end_pause (server, TRUE);
  end_send (client, sent);
  net_linger (net);
  CASE_EXPECT (c, client->n_drained == 0, "drained is told while the reader is paused");
  end_pause (server, FALSE);
  if (!net_wait (net, has_drained, client, "drained after a full queue was read"))
    return;
  net_linger (net);
  CASE_EXPECT (c, client->n_drained == 1, "drained is told %u times for one full queue",
               client->n_drained);
}

void
transport_tells_no_drained_of_little (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  for (guint i = 0; i < 100; i++)
    end_send_text (client, "little");
  net_wait_received (server, 600);
  net_linger (net);
  CASE_EXPECT (c, client->n_drained == 0, "drained is told though the queue was never full");
}
