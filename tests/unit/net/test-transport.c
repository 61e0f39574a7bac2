/* test-transport.c - tests the promises of every transport over real sockets
 *
 * Each claim is checked for unix sockets, for plain TCP and for TLS.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream-world.h"

#include <string.h>

static void
assert_received (Side *side, GBytes *expected)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (expected, &n_bytes);
  g_assert_cmpmem (side->received->data, side->received->len, bytes, n_bytes);
}

static void
test_bytes_arrive_unchanged_and_in_order (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  g_autoptr (GBytes) sent = world_pattern ((gsize)8 << 20);
  gsize offset = 0;
  while (offset < g_bytes_get_size (sent))
    {
      gsize n_bytes = (gsize)g_test_rand_int_range (1, 1 << g_test_rand_int_range (1, 18));
      n_bytes = MIN (n_bytes, g_bytes_get_size (sent) - offset);
      g_autoptr (GBytes) piece = g_bytes_new_from_bytes (sent, offset, n_bytes);
      side_send_bytes (client, piece);
      offset += n_bytes;
    }
  world_run_until_received (server, g_bytes_get_size (sent));
  assert_received (server, sent);
  world_free (world);
}

static void
test_both_directions_work_at_once (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  g_autoptr (GBytes) there = world_pattern ((gsize)3 << 20);
  g_autoptr (GBytes) back = world_pattern ((gsize)3 << 20);
  side_send_bytes (client, there);
  side_send_bytes (server, back);
  world_run_until_received (server, g_bytes_get_size (there));
  world_run_until_received (client, g_bytes_get_size (back));
  assert_received (server, there);
  assert_received (client, back);
  world_free (world);
}

static void
test_what_is_sent_before_up_arrives (gconstpointer kind)
{
  World *world = world_new (kind);
  world_listen (world);
  Side *client = world_connect (world, world->uri);
  /* More bytes than a side may send before the handshake is over; they follow it without a gap. */
  g_autoptr (GBytes) sent = world_pattern (4 * SATIN_HANDSHAKE_MAX_BYTES);
  side_send_bytes (client, sent);
  while (world->accepted->len == 0 && client->n_down == 0)
    g_main_context_iteration (world->context, TRUE);
  g_assert_cmpuint (world->accepted->len, ==, 1);
  Side *server = world->accepted->pdata[0];
  world_run_until_received (server, g_bytes_get_size (sent));
  assert_received (server, sent);
  world_free (world);
}

static void
test_a_message_is_written_within_send (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  side_send (client, "now", 3);
  g_assert_cmpuint (world->ops.queued_bytes (client->link), ==, 0);
  world_free (world);
}

static void
test_shut_delivers_what_is_queued (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  g_autoptr (GBytes) sent = world_pattern ((gsize)5 << 20);
  side_send_bytes (client, sent);
  side_shut (client);
  world_run_until_down (server, -1);
  world_run_until_down (client, -1);
  assert_received (server, sent);
  world_free (world);
}

static void
test_shut_receives_nothing_any_more (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  side_shut (client);
  side_send (server, "late", 4);
  world_run_until_down (client, -1);
  g_assert_cmpuint (client->received->len, ==, 0);
  world_free (world);
}

static void
test_both_may_shut_at_once (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  side_shut (client);
  side_shut (server);
  world_run_until_down (client, -1);
  world_run_until_down (server, -1);
  world_free (world);
}

static void
test_shut_before_up_is_cancelled (gconstpointer kind)
{
  World *world = world_new (kind);
  world_listen (world);
  Side *client = world_connect (world, world->uri);
  side_shut (client);
  world_run_until_down (client, SATIN_ERROR_CANCELLED);
  g_assert_cmpuint (client->n_up, ==, 0);
  world_free (world);
}

static void
test_drop_is_cancelled_here (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  side_drop (client);
  g_assert_cmpuint (client->n_down, ==, 0);
  world_run_until_down (client, SATIN_ERROR_CANCELLED);
  world_free (world);
}

static gboolean
is_over (gpointer data)
{
  return ((Side *)data)->n_down == 1;
}

static void
test_drop_ends_the_other_side (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  side_drop (client);
  world_run_until (world, is_over, server);
  world_free (world);
}

static void
test_drop_with_unread_bytes_is_an_error_there (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  side_pause (server, TRUE);
  side_send (client, "unread", 6);
  world_settle (world);
  side_drop (server);
  world_run_until_down (client, SATIN_ERROR_CLOSED);
  world_free (world);
}

static void
test_paused_link_hears_of_a_break (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  side_pause (client, TRUE);
  side_pause (server, TRUE);
  side_send (client, "unread", 6);
  world_settle (world);
  side_drop (server);
  world_run_until_down (client, SATIN_ERROR_CLOSED);
  world_free (world);
}

static void
test_drop_inside_received_is_allowed (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  server->is_dropping = TRUE;
  side_send (client, "x", 1);
  world_run_until_down (server, SATIN_ERROR_CANCELLED);
  world_free (world);
}

/* The client notices that it cannot write before it gets a turn to read. */
static void
test_last_words_arrive_though_writing_fails (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  side_send (server, "bye", 3);
  side_drop (server);
  for (guint i = 0; i < 3; i++)
    side_send (client, "are you there", 13);
  world_run_until (world, is_over, client);
  g_assert_cmpmem (client->received->data, client->received->len, "bye", 3);
  world_free (world);
}

static void
test_paused_link_receives_nothing (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  side_pause (server, TRUE);
  side_send (client, "wait", 4);
  world_settle (world);
  g_assert_cmpuint (server->received->len, ==, 0);
  side_pause (server, FALSE);
  world_run_until_received (server, 4);
  world_free (world);
}

static void
test_pausing_at_each_piece_loses_nothing (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  server->is_pausing = TRUE;
  g_autoptr (GBytes) sent = world_pattern (3000000);
  side_send_bytes (client, sent);
  while (server->received->len < g_bytes_get_size (sent))
    {
      gsize n_before = server->received->len;
      side_pause (server, FALSE);
      world_run_until_received (server, n_before + 1);
    }
  assert_received (server, sent);
  world_free (world);
}

static void
test_burst_of_any_size_arrives_after_a_pause (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  gsize n_bytes = 0;
  for (gsize size_bytes = 100000; size_bytes < 400000; size_bytes += 7000)
    {
      g_autoptr (GBytes) burst = world_pattern (size_bytes);
      side_pause (server, TRUE);
      side_send_bytes (client, burst);
      world_settle (world);
      side_pause (server, FALSE);
      n_bytes += size_bytes;
      world_run_until_received (server, n_bytes);
    }
  world_free (world);
}

static void
test_paused_reader_makes_the_queue_grow (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  side_pause (server, TRUE);
  g_autoptr (GBytes) sent = world_pattern ((gsize)32 << 20);
  side_send_bytes (client, sent);
  world_settle (world);
  g_assert_cmpuint (world->ops.queued_bytes (client->link), >, (gsize)4 << 20);
  g_assert_cmpuint (client->n_drained, ==, 0);
  side_pause (server, FALSE);
  world_run_until_received (server, g_bytes_get_size (sent));
  world_settle (world);
  g_assert_cmpuint (client->n_drained, ==, 1);
  assert_received (server, sent);
  world_free (world);
}

static void
test_small_queue_is_not_told_drained (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  g_autoptr (GBytes) sent = world_pattern (1000);
  for (guint i = 0; i < 100; i++)
    side_send_bytes (client, sent);
  world_run_until_received (server, 100000);
  g_assert_cmpuint (client->n_drained, ==, 0);
  world_free (world);
}

static void
test_nobody_there_is_unreachable (gconstpointer kind)
{
  World *world = world_new (kind);
  world_listen (world);
  world->ops.unlisten (world->listener);
  Side *client = world_connect (world, world->uri);
  g_assert_cmpuint (client->n_down, ==, 0);
  world_run_until_down (client, SATIN_ERROR_UNREACHABLE);
  g_assert_cmpuint (client->n_up, ==, 0);
  g_assert_nonnull (strstr (client->error->message, world->uri));
  world_free (world);
}

static void
test_taken_address_is_refused (gconstpointer kind)
{
  World *world = world_new (kind);
  world_listen (world);
  g_autoptr (GError) error = NULL;
  char *uri = NULL;
  SatinListenEvents events = { .struct_size = sizeof (SatinListenEvents) };
  g_assert_null (world->ops.listen (world->client, world->uri, &events, NULL, &uri, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_ADDRESS_IN_USE);
  g_assert_nonnull (strstr (error->message, world->uri));
  g_assert_null (uri);
  world_free (world);
}

static void
test_address_is_free_after_unlisten (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  side_shut (client);
  world_run_until_down (client, -1);
  world->ops.unlisten (world->listener);
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = NULL;
  SatinListenEvents events = { .struct_size = sizeof (SatinListenEvents) };
  g_assert_nonnull (world->ops.listen (world->server, world->uri, &events, NULL, &uri, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (uri, ==, world->uri);
  world_free (world);
}

static void
test_accepted_links_outlive_unlisten (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  world->ops.unlisten (world->listener);
  world_settle (world);
  side_send (client, "still", 5);
  world_run_until_received (server, 5);
  world_free (world);
}

static void
test_close_ends_every_link (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  for (guint i = 0; i < 5; i++)
    world_link (world, &client, &server);
  world_close_server (world);
  for (guint i = 0; i < 5; i++)
    world_run_until_down (world->accepted->pdata[i], SATIN_ERROR_CANCELLED);
  world_free (world);
}

/* Few enough that all handshakes end before the deadline, even on a busy machine. */
#define MANY_LINKS 50

static void
test_many_links_at_once (gconstpointer kind)
{
  World *world = world_new (kind);
  world_listen (world);
  for (guint i = 0; i < MANY_LINKS; i++)
    side_send (world_connect (world, world->uri), &i, sizeof i);
  while (world->accepted->len < MANY_LINKS)
    g_main_context_iteration (world->context, TRUE);
  gboolean is_seen[MANY_LINKS] = { FALSE };
  for (guint i = 0; i < MANY_LINKS; i++)
    {
      Side *server = world->accepted->pdata[i];
      world_run_until_received (server, sizeof i);
      guint number;
      memcpy (&number, server->received->data, sizeof number);
      g_assert_false (is_seen[number]);
      is_seen[number] = TRUE;
    }
  world_free (world);
}

static void
test_wrong_address_is_invalid (gconstpointer kind)
{
  World *world = world_new (kind);
  static const char *const uris[] = {
    "",           "unix:",      "unix:relative", "tcp:",       "tcp://",       "tcp://h",
    "tcp://h:",   "tcp://:x",   "tcp://h:65536", "tcp://h:-1", "tcp://[::1:5", "tcp://[::1]",
    "tcp://h:1x", "unix:/tmp/", "tcp://h:1/x",   "http://h:1", "tcp://h: 1",   "tcp://a b:1"
  };
  static const SatinLinkEvents events = { .struct_size = sizeof (SatinLinkEvents) };
  for (guint i = 0; i < G_N_ELEMENTS (uris); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (world->ops.connect (world->client, uris[i], &events, NULL, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
    }
  world_free (world);
}

static void
test_loop_without_context_is_refused (gconstpointer kind)
{
  World *world = world_new (kind);
  g_autoptr (SatinLoop) manual = satin_loop_new_manual (1);
  SatinTransportContext context = { .struct_size = sizeof context,
                                    .loop = manual,
                                    .secret = world->secrets[0],
                                    .is_insecure = world->secrets[0] == NULL };
  g_autoptr (GError) error = NULL;
  const SatinPlugin *plugin =
      satin_plugin_load (SATIN_PLUGIN_TRANSPORT, world->kind->plugin, &error);
  g_autoptr (SatinParams) params =
      satin_params_parse (satin_plugin_get_desc (plugin)->params, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (world->ops.open (&context, params, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  world_free (world);
}

static const struct
{
  const char *claim;
  GTestDataFunc test;
} cases[] = {
  { "bytes-arrive-unchanged-and-in-order", test_bytes_arrive_unchanged_and_in_order },
  { "both-directions-work-at-once", test_both_directions_work_at_once },
  { "what-is-sent-before-up-arrives", test_what_is_sent_before_up_arrives },
  { "a-message-is-written-within-send", test_a_message_is_written_within_send },
  { "shut-delivers-what-is-queued", test_shut_delivers_what_is_queued },
  { "shut-receives-nothing-any-more", test_shut_receives_nothing_any_more },
  { "both-may-shut-at-once", test_both_may_shut_at_once },
  { "shut-before-up-is-cancelled", test_shut_before_up_is_cancelled },
  { "drop-is-cancelled-here", test_drop_is_cancelled_here },
  { "drop-ends-the-other-side", test_drop_ends_the_other_side },
  { "drop-with-unread-bytes-is-an-error-there", test_drop_with_unread_bytes_is_an_error_there },
  { "paused-link-hears-of-a-break", test_paused_link_hears_of_a_break },
  { "drop-inside-received-is-allowed", test_drop_inside_received_is_allowed },
  { "last-words-arrive-though-writing-fails", test_last_words_arrive_though_writing_fails },
  { "paused-link-receives-nothing", test_paused_link_receives_nothing },
  { "pausing-at-each-piece-loses-nothing", test_pausing_at_each_piece_loses_nothing },
  { "burst-of-any-size-arrives-after-a-pause", test_burst_of_any_size_arrives_after_a_pause },
  { "paused-reader-makes-the-queue-grow", test_paused_reader_makes_the_queue_grow },
  { "small-queue-is-not-told-drained", test_small_queue_is_not_told_drained },
  { "nobody-there-is-unreachable", test_nobody_there_is_unreachable },
  { "taken-address-is-refused", test_taken_address_is_refused },
  { "address-is-free-after-unlisten", test_address_is_free_after_unlisten },
  { "accepted-links-outlive-unlisten", test_accepted_links_outlive_unlisten },
  { "close-ends-every-link", test_close_ends_every_link },
  { "many-links-at-once", test_many_links_at_once },
  { "wrong-address-is-invalid", test_wrong_address_is_invalid },
  { "loop-without-context-is-refused", test_loop_without_context_is_refused },
};

int
main (int argc, char **argv)
{
  static const WorldKind *const kinds[] = { &world_unix, &world_plain, &world_tls };
  g_test_init (&argc, &argv, NULL);
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        g_autofree char *path =
            g_strdup_printf ("/net/transport/%s/%s", kinds[k]->name, cases[i].claim);
        g_test_add_data_func (path, kinds[k], cases[i].test);
      }
  return g_test_run ();
}
