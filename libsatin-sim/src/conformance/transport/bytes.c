/* bytes.c - rules: all sent bytes arrive, unchanged and in order
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net.h"
#include "transport.h"

#include <string.h>

static void
send_pattern (Case *c, gsize n_bytes)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  g_autoptr (GBytes) sent = net_pattern (n_bytes, 1);
  end_send (client, sent);
  if (net_wait_received (server, n_bytes))
    net_expect_received (server, sent);
}

/* Checks that a send of no bytes has no effect, before and after other sends. */
void
transport_carries_nothing (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  end_send_text (client, "");
  end_send_text (client, "ab");
  end_send_text (client, "");
  end_send_text (client, "c");
  g_autoptr (GBytes) expected = g_bytes_new_static ("abc", 3);
  if (!net_wait_received (server, 3))
    return;
  net_expect_received (server, expected);
  end_shut (client);
  net_wait_down (server, -1);
}

void
transport_carries_a_byte (Case *c)
{
  send_pattern (c, 1);
}

void
transport_carries_64_kib (Case *c)
{
  send_pattern (c, (gsize)64 << 10);
}

void
transport_carries_4_mib (Case *c)
{
  send_pattern (c, (gsize)4 << 20);
}

/* Sends the bytes in pieces of random sizes, mostly small, and turns the stage now and then. */
static void
send_pieces (Net *net, End *end, GBytes *bytes)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20061);
  gsize size_bytes = g_bytes_get_size (bytes);
  for (gsize offset = 0; offset < size_bytes;)
    {
      gsize n_bytes = (gsize)g_rand_int_range (random, 1, 1 << g_rand_int_range (random, 1, 16));
      n_bytes = MIN (n_bytes, size_bytes - offset);
      g_autoptr (GBytes) piece = g_bytes_new_from_bytes (bytes, offset, n_bytes);
      end_send (end, piece);
      offset += n_bytes;
      if (g_rand_int_range (random, 0, 8) == 0)
        stage_turn (net->stage);
    }
}

void
transport_keeps_the_order (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  g_autoptr (GBytes) sent = net_pattern ((gsize)2 << 20, 2);
  send_pieces (net, client, sent);
  if (net_wait_received (server, g_bytes_get_size (sent)))
    net_expect_received (server, sent);
}

void
transport_carries_both_ways (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  g_autoptr (GBytes) there = net_pattern ((gsize)3 << 20, 3);
  g_autoptr (GBytes) back = net_pattern ((gsize)2 << 20, 4);
  end_send (client, there);
  end_send (server, back);
  if (net_wait_received (server, g_bytes_get_size (there))
      && net_wait_received (client, g_bytes_get_size (back)))
    {
      net_expect_received (server, there);
      net_expect_received (client, back);
    }
}

#define KEPT_BYTES ((gsize)1 << 20)

/* Overwrites the memory of sent bytes when their last reference is gone, as a sender may do. */
static void
spoil (gpointer bytes)
{
  memset (bytes, 0xee, KEPT_BYTES);
}

/* Checks that the transport keeps a reference to sent bytes: the sender gives up its own reference
 * right after the send, while the reader is paused. */
void
transport_keeps_what_is_sent (Case *c)
{
  g_autoptr (GBytes) expected = net_pattern (KEPT_BYTES, 5);
  g_autofree guint8 *memory = g_memdup2 (g_bytes_get_data (expected, NULL), KEPT_BYTES);
  g_autoptr (Net) net = net_new (c);
  End *client, *server;
  if (net == NULL || !net_link (net, &client, &server))
    return;
  end_pause (server, TRUE);
  GBytes *sent = g_bytes_new_with_free_func (memory, KEPT_BYTES, spoil, memory);
  end_send (client, sent);
  g_bytes_unref (sent);
  end_pause (server, FALSE);
  if (net_wait_received (server, KEPT_BYTES))
    net_expect_received (server, expected);
}

/* Few enough for all handshakes to finish before their deadline on a busy machine. */
#define MANY_LINKS 30

typedef struct
{
  Net *net;
  guint n_links;
} Crowd;

/* Whether all links were accepted, and each accepted end has received one number. */
static gboolean
have_all_arrived (gpointer data)
{
  const Crowd *crowd = data;
  const GPtrArray *accepted = crowd->net->accepted;
  for (guint i = 0; i < accepted->len; i++)
    if (((End *)g_ptr_array_index (accepted, i))->received->len < sizeof (guint))
      return FALSE;
  return accepted->len >= crowd->n_links;
}

static gboolean
are_all_up (gpointer data)
{
  const Crowd *crowd = data;
  for (guint i = 0; i < crowd->n_links; i++)
    if (((End *)g_ptr_array_index (crowd->net->dialed, i))->n_up == 0)
      return FALSE;
  return TRUE;
}

void
transport_keeps_links_apart (Case *c)
{
  g_autoptr (Net) net = net_new (c);
  Crowd crowd = { net, MANY_LINKS };
  gboolean is_seen[MANY_LINKS] = { FALSE };
  if (net == NULL || !net_listen (net))
    return;
  for (guint i = 0; i < MANY_LINKS; i++)
    if (net_connect (net, net->uri) == NULL)
      return;
  if (!net_wait (net, are_all_up, &crowd, "up of many links at once"))
    return;
  for (guint i = 0; i < MANY_LINKS; i++)
    {
      g_autoptr (GBytes) number = g_bytes_new (&i, sizeof i);
      end_send (g_ptr_array_index (net->dialed, i), number);
    }
  if (!net_wait (net, have_all_arrived, &crowd, "the arrival of a number on each link"))
    return;
  for (guint i = 0; i < MANY_LINKS; i++)
    {
      guint number = MANY_LINKS;
      memcpy (&number, ((End *)g_ptr_array_index (net->accepted, i))->received->data,
              sizeof number);
      if (!CASE_EXPECT (c, number < MANY_LINKS && !is_seen[number],
                        "what was sent on one link arrived on another"))
        return;
      is_seen[number] = TRUE;
    }
}
