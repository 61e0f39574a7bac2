/* test-peers.c - tests finding a peer in a view, and that calls reach the implementation
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/peers.h>

/* An implementation that remembers the last call. */
typedef struct
{
  SatinPeers base;
  SatinView view;
  SatinNodeId to;
  SatinChannel channel;
  GBytes *payload;
  SatinPeersMessageFunc message_func;
  gpointer user_data;
  guint removed;
} FakePeers;

static const SatinView *
fake_get_view (SatinPeers *peers)
{
  return &((FakePeers *)peers)->view;
}

static gboolean
fake_send (SatinPeers *peers, SatinNodeId to, SatinChannel channel, GBytes *payload)
{
  FakePeers *self = (FakePeers *)peers;

  self->to = to;
  self->channel = channel;
  self->payload = payload;
  return to == 2;
}

static gsize
fake_queued_bytes (SatinPeers *peers, SatinNodeId to)
{
  return to * 100;
}

static void
fake_set_message_func (SatinPeers *peers, SatinChannel channel, SatinPeersMessageFunc func,
                       gpointer user_data)
{
  FakePeers *self = (FakePeers *)peers;

  self->channel = channel;
  self->message_func = func;
  self->user_data = user_data;
}

static guint
fake_add_change_func (SatinPeers *peers, SatinPeersChangeFunc func, gpointer user_data)
{
  ((FakePeers *)peers)->user_data = user_data;
  return 77;
}

static void
fake_remove_change_func (SatinPeers *peers, guint id)
{
  ((FakePeers *)peers)->removed = id;
}

static const SatinPeersOps fake_ops = {
  .struct_size = sizeof (SatinPeersOps),
  .get_view = fake_get_view,
  .send = fake_send,
  .queued_bytes = fake_queued_bytes,
  .set_message_func = fake_set_message_func,
  .add_change_func = fake_add_change_func,
  .remove_change_func = fake_remove_change_func,
};

static void
on_message (SatinNodeId from, GBytes *payload, gpointer user_data)
{
}

static void
on_change (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
}

/* Searches views of up to 16 members, with the ids 2, 4, 6 and so on, for every id in and around
 * them. */
static void
test_view_finds_members_and_nobody_else (void)
{
  SatinPeer peers[16];

  for (guint i = 0; i < G_N_ELEMENTS (peers); i++)
    peers[i] = (SatinPeer){ .id = 2 * (i + 1), .cluster = "" };
  for (guint n_peers = 0; n_peers <= G_N_ELEMENTS (peers); n_peers++)
    {
      SatinView view = { .n_peers = n_peers, .peers = peers };

      for (SatinNodeId id = 0; id <= 2 * n_peers + 2; id++)
        {
          gboolean is_member = id > 0 && id % 2 == 0 && id <= 2 * n_peers;

          g_assert_true (satin_view_find (&view, id) == (is_member ? &peers[id / 2 - 1] : NULL));
        }
    }
}

static void
test_view_finds_the_largest_id (void)
{
  SatinPeer peer = { .id = G_MAXUINT32, .cluster = "" };
  SatinView view = { .n_peers = 1, .peers = &peer };

  g_assert_true (satin_view_find (&view, G_MAXUINT32) == &peer);
}

static void
test_calls_reach_the_carrier (void)
{
  FakePeers fake = { .base = { &fake_ops } };
  g_autoptr (GBytes) payload = g_bytes_new_static ("x", 1);

  g_assert_true (satin_peers_get_view (&fake.base) == &fake.view);
  g_assert_true (satin_peers_send (&fake.base, 2, SATIN_CHANNEL_RUN, payload));
  g_assert_cmpuint (fake.to, ==, 2);
  g_assert_cmpint (fake.channel, ==, SATIN_CHANNEL_RUN);
  g_assert_true (fake.payload == payload);
  g_assert_false (satin_peers_send (&fake.base, 3, SATIN_CHANNEL_STEAL, payload));
  g_assert_cmpuint (satin_peers_queued_bytes (&fake.base, 5), ==, 500);
}

static void
test_listeners_reach_the_carrier (void)
{
  FakePeers fake = { .base = { &fake_ops } };
  int data = 0;

  satin_peers_set_message_func (&fake.base, SATIN_CHANNEL_ADAPT, on_message, &data);
  g_assert_cmpint (fake.channel, ==, SATIN_CHANNEL_ADAPT);
  g_assert_true (fake.message_func == on_message && fake.user_data == &data);
  satin_peers_set_message_func (&fake.base, SATIN_CHANNEL_ADAPT, NULL, NULL);
  g_assert_true (fake.message_func == NULL);
  g_assert_cmpuint (satin_peers_add_change_func (&fake.base, on_change, &data), ==, 77);
  satin_peers_remove_change_func (&fake.base, 77);
  g_assert_cmpuint (fake.removed, ==, 77);
}

static void
test_unknown_channel_is_a_programming_error (void)
{
  FakePeers fake = { .base = { &fake_ops } };
  g_autoptr (GBytes) payload = g_bytes_new_static ("x", 1);

  g_test_expect_message ("satin-base", G_LOG_LEVEL_CRITICAL, "*channel*");
  g_assert_false (satin_peers_send (&fake.base, 2, SATIN_N_CHANNELS, payload));
  g_test_assert_expected_messages ();
  g_assert_cmpuint (fake.to, ==, 0);
}

static void
test_message_over_the_limit_is_a_programming_error (void)
{
  FakePeers fake = { .base = { &fake_ops } };
  /* The bytes are never read, so the size may be false. */
  g_autoptr (GBytes) payload = g_bytes_new_static ("x", SATIN_MESSAGE_MAX_BYTES + 1);

  g_test_expect_message ("satin-base", G_LOG_LEVEL_CRITICAL, "*SATIN_MESSAGE_MAX_BYTES*");
  g_assert_false (satin_peers_send (&fake.base, 2, SATIN_CHANNEL_RUN, payload));
  g_test_assert_expected_messages ();
  g_assert_cmpuint (fake.to, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/base/peers/" name, func)
  ADD ("view-finds-members-and-nobody-else", test_view_finds_members_and_nobody_else);
  ADD ("view-finds-the-largest-id", test_view_finds_the_largest_id);
  ADD ("calls-reach-the-carrier", test_calls_reach_the_carrier);
  ADD ("listeners-reach-the-carrier", test_listeners_reach_the_carrier);
  ADD ("unknown-channel-is-a-programming-error", test_unknown_channel_is_a_programming_error);
  ADD ("message-over-the-limit-is-a-programming-error",
       test_message_over_the_limit_is_a_programming_error);
  return g_test_run ();
}
