/* test-transport-tls.c - tests which sides are accepted, and which errors the others get
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "raw-tcp.h"
#include "slow-loop.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static SatinSecret *
new_secret (void)
{
  g_autoptr (GError) error = NULL;
  SatinSecret *secret = satin_secret_new_random (&error);
  g_assert_no_error (error);
  return secret;
}

/* Returns: a secret while it is changed: @first is used to connect, @second is accepted, too */
static SatinSecret *
new_pair (const SatinSecret *first, const SatinSecret *second)
{
  SatinSecret *pair = satin_secret_copy (first);
  memcpy (pair->keys[1], second->keys[0], SATIN_SECRET_KEY_BYTES);
  pair->n_keys = 2;
  return pair;
}

static void
check_linked (const SatinSecret *server_secret, const SatinSecret *client_secret)
{
  World *world = world_new_with_secrets (&world_tls, server_secret, client_secret);
  Side *client, *server;
  world_link (world, &client, &server);
  side_send (server, "hello", 5);
  world_run_until_received (client, 5);
  world_free (world);
}

/* Checks that the client gets SATIN_ERROR_SECRET with a message that contains @words, and that the
 * server receives nothing. */
static void
check_refused (const SatinSecret *server_secret, const SatinSecret *client_secret,
               const char *words)
{
  World *world = world_new_with_secrets (&world_tls, server_secret, client_secret);
  world_listen (world);
  Side *client = world_connect (world, world->uri);
  side_send (client, "hello", 5);
  world_run_until_down (client, SATIN_ERROR_SECRET);
  g_assert_nonnull (strstr (client->error->message, words));
  g_assert_null (strstr (client->error->message, "sslv3"));
  for (guint i = 0; i < world->accepted->len; i++)
    g_assert_cmpuint (((Side *)world->accepted->pdata[i])->received->len, ==, 0);
  world_free (world);
}

static void
test_wrong_secret_is_told_with_the_cure (void)
{
  g_autoptr (SatinSecret) one = new_secret ();
  g_autoptr (SatinSecret) two = new_secret ();
  check_refused (one, two, "another cluster secret: give both the same secret file");
}

static void
test_wrong_secret_is_never_accepted (void)
{
  g_autoptr (SatinSecret) one = new_secret ();
  g_autoptr (SatinSecret) two = new_secret ();
  World *world = world_new_with_secrets (&world_tls, one, two);
  world_listen (world);
  Side *client = world_connect (world, world->uri);
  world_run_until_down (client, SATIN_ERROR_SECRET);
  world_settle (world);
  g_assert_cmpuint (world->accepted->len, ==, 0);
  g_assert_cmpuint (client->n_up, ==, 0);
  world_free (world);
}

static void
test_old_key_is_accepted_during_a_change (void)
{
  g_autoptr (SatinSecret) old = new_secret ();
  g_autoptr (SatinSecret) fresh = new_secret ();
  g_autoptr (SatinSecret) both = new_pair (fresh, old);
  check_linked (both, old);
}

static void
test_new_key_is_accepted_during_a_change (void)
{
  g_autoptr (SatinSecret) old = new_secret ();
  g_autoptr (SatinSecret) fresh = new_secret ();
  g_autoptr (SatinSecret) both = new_pair (old, fresh);
  check_linked (both, fresh);
}

static void
test_first_key_is_used_to_connect (void)
{
  g_autoptr (SatinSecret) first = new_secret ();
  g_autoptr (SatinSecret) second = new_secret ();
  g_autoptr (SatinSecret) both = new_pair (first, second);
  check_linked (first, both);
  check_refused (second, both, "another cluster secret");
}

static void
test_insecure_client_is_told_to_use_the_secret (void)
{
  g_autoptr (SatinSecret) secret = new_secret ();
  check_refused (secret, NULL, "give this one the secret");
}

static void
test_insecure_server_is_told_of (void)
{
  g_autoptr (SatinSecret) secret = new_secret ();
  check_refused (NULL, secret, "the other side is insecure");
}

static void
test_insecure_server_hears_of_it_too (void)
{
  g_autoptr (SatinSecret) secret = new_secret ();
  World *world = world_new_with_secrets (&world_tls, NULL, secret);
  world_listen (world);
  world_connect (world, world->uri);
  while (world->accepted->len == 0)
    g_main_context_iteration (world->context, TRUE);
  Side *server = world->accepted->pdata[0];
  world_run_until_down (server, SATIN_ERROR_SECRET);
  g_assert_nonnull (strstr (server->error->message, "give this one the secret"));
  world_free (world);
}

static void
test_no_secret_and_no_leave_to_go_without_is_refused (void)
{
  g_autoptr (GError) error = NULL;
  World *world = world_new (&world_plain);
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_TRANSPORT, "tcp", &error);
  g_autoptr (SatinParams) params =
      satin_params_parse (satin_plugin_get_desc (plugin)->params, NULL, &error);
  g_assert_no_error (error);
  SatinTransportContext context = { .struct_size = sizeof context, .loop = world->loop };
  g_assert_null (world->ops.open (&context, params, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_SECRET);
  world_free (world);
}

static void
test_garbage_is_dropped (gconstpointer garbage)
{
  World *world = world_new (&world_tls);
  world_listen (world);
  int fd = raw_tcp_connect (world->uri);
  raw_tcp_write (fd, garbage, strlen (garbage));
  g_autoptr (GByteArray) said = raw_tcp_read_to_end (world, fd);
  g_assert_cmpuint (world->accepted->len, ==, 0);
  close (fd);
  world_free (world);
}

static void
test_garbage_in_a_tls_record_is_dropped (void)
{
  guint8 record[5 + 256] = { 0x16, 0x03, 0x01, 0x01, 0x00 };
  memset (record + 5, 0xff, 256);
  World *world = world_new (&world_tls);
  world_listen (world);
  int fd = raw_tcp_connect (world->uri);
  raw_tcp_write (fd, record, sizeof record);
  g_autoptr (GByteArray) said = raw_tcp_read_to_end (world, fd);
  g_assert_cmpuint (world->accepted->len, ==, 0);
  close (fd);
  world_free (world);
}

static void
test_server_that_speaks_no_tls_is_told_of (void)
{
  World *world = world_new (&world_tls);
  g_autofree char *uri = NULL;
  int listener = raw_tcp_listen (1, &uri);
  Side *client = world_connect (world, uri);
  int fd = raw_tcp_accept (world, listener);
  raw_tcp_write (fd, "220 mail.example ESMTP\r\n", 24);
  world_run_until_down (client, SATIN_ERROR_FORMAT);
  g_assert_nonnull (strstr (client->error->message, "does not speak TLS"));
  close (fd);
  close (listener);
  world_free (world);
}

static void
test_server_that_hangs_up_is_told_of (void)
{
  World *world = world_new (&world_tls);
  g_autofree char *uri = NULL;
  int listener = raw_tcp_listen (1, &uri);
  Side *client = world_connect (world, uri);
  close (raw_tcp_accept (world, listener));
  world_run_until_down (client, SATIN_ERROR_CLOSED);
  close (listener);
  world_free (world);
}

static void
test_silent_stranger_is_dropped_after_the_deadline (void)
{
  SatinLoop *loop = slow_loop_new ();
  World *world = world_new_in_loop (&world_tls, loop);
  world_listen (world);
  int fd = raw_tcp_connect (world->uri);
  char byte;
  world_settle (world);
  slow_loop_advance (loop, SATIN_HANDSHAKE_TIMEOUT_US - 1);
  world_settle (world);
  g_assert_cmpint (recv (fd, &byte, 1, MSG_DONTWAIT), ==, -1);
  slow_loop_advance (loop, 1);
  g_autoptr (GByteArray) said = raw_tcp_read_to_end (world, fd);
  g_assert_cmpuint (said->len, ==, 0);
  close (fd);
  world_free (world);
}

static void
test_silent_server_is_given_up_after_the_deadline (void)
{
  SatinLoop *loop = slow_loop_new ();
  World *world = world_new_in_loop (&world_tls, loop);
  g_autofree char *uri = NULL;
  int listener = raw_tcp_listen (1, &uri);
  Side *client = world_connect (world, uri);
  int fd = raw_tcp_accept (world, listener);
  world_settle (world);
  slow_loop_advance (loop, SATIN_HANDSHAKE_TIMEOUT_US);
  world_run_until_down (client, SATIN_ERROR_TIMEOUT);
  close (fd);
  close (listener);
  world_free (world);
}

/* The handshake is well formed and never ends: a hello of 130,000 bytes in records of 1,000. */
static void
test_stranger_may_not_send_for_ever (void)
{
  static const guint8 record_head[5] = { 0x16, 0x03, 0x01, 0x03, 0xe8 };
  static const guint8 hello_head[6] = { 0x01, 0x01, 0xfb, 0xd0, 0x03, 0x03 };
  guint8 record[1005] = { 0 };
  World *world = world_new (&world_tls);
  world_listen (world);
  int fd = raw_tcp_connect (world->uri);
  memcpy (record, record_head, sizeof record_head);
  gsize n_bytes = 0;
  gssize n_sent = 1;
  while (n_sent > 0 && n_bytes < 130000)
    {
      memset (record + 5, 0, 1000);
      if (n_bytes == 0)
        memcpy (record + 5, hello_head, sizeof hello_head);
      n_sent = send (fd, record, sizeof record, MSG_NOSIGNAL);
      n_bytes += n_sent > 0 ? (gsize)n_sent : 0;
      world_settle (world);
    }
  g_assert_cmpuint (n_bytes, >=, SATIN_HANDSHAKE_MAX_BYTES);
  g_assert_cmpuint (n_bytes, <=, SATIN_HANDSHAKE_MAX_BYTES + 4 * sizeof record);
  g_assert_cmpuint (world->accepted->len, ==, 0);
  close (fd);
  world_free (world);
}

#define N_STRANGERS (SATIN_HANDSHAKE_MAX_PENDING + 10)

static void
test_many_silent_strangers_lock_nobody_out (void)
{
  SatinLoop *loop = slow_loop_new ();
  World *world = world_new_in_loop (&world_tls, loop);
  int fds[N_STRANGERS];
  world_listen (world);
  for (guint i = 0; i < N_STRANGERS; i++)
    fds[i] = raw_tcp_connect (world->uri);
  Side *client = world_connect (world, world->uri);
  world_settle (world);
  g_assert_cmpuint (client->n_up, ==, 0);
  for (guint i = 0; i < 12; i++)
    {
      slow_loop_advance (loop, 100000);
      world_settle (world);
    }
  g_assert_cmpuint (client->n_up, ==, 1);
  for (guint i = 0; i < N_STRANGERS; i++)
    close (fds[i]);
  world_free (world);
}

static void
test_drop_is_told_from_a_good_end (gconstpointer kind)
{
  World *world = world_new (kind);
  Side *client, *server;
  world_link (world, &client, &server);
  side_drop (server);
  world_run_until_down (client, SATIN_ERROR_CLOSED);
  world_free (world);
}

/* A man in the middle, who passes on the bytes of a link between client and server. */
typedef struct
{
  World *world;
  int listener;
  int near;
  int far;
  GByteArray *seen;    /* (owned): all bytes from the client */
  gsize n_hello_bytes; /* the length of the client's hello in @seen */
  Side *client;
  Side *server;
} Middle;

static void
middle_pump (Middle *self, gboolean is_flipped)
{
  world_settle (self->world);
  raw_tcp_pump (self->near, self->far, self->seen, is_flipped);
  raw_tcp_pump (self->far, self->near, NULL, FALSE);
  world_settle (self->world);
}

static void
middle_open (Middle *self)
{
  g_autofree char *uri = NULL;
  *self = (Middle){ .world = world_new (&world_tls), .seen = g_byte_array_new () };
  world_listen (self->world);
  self->listener = raw_tcp_listen (1, &uri);
  self->far = raw_tcp_connect (self->world->uri);
  self->client = world_connect (self->world, uri);
  self->near = raw_tcp_accept (self->world, self->listener);
  while (self->seen->len == 0)
    middle_pump (self, FALSE);
  self->n_hello_bytes = self->seen->len;
  while (self->world->accepted->len == 0)
    middle_pump (self, FALSE);
  self->server = self->world->accepted->pdata[0];
}

static void
middle_close (Middle *self)
{
  close (self->near);
  close (self->far);
  close (self->listener);
  g_byte_array_unref (self->seen);
  world_free (self->world);
}

static void
test_what_is_sent_cannot_be_read_underway (void)
{
  static const char words[] = "nobody but us knows this";
  Middle middle;
  middle_open (&middle);
  side_send (middle.client, words, sizeof words);
  while (middle.server->received->len < sizeof words)
    middle_pump (&middle, FALSE);
  g_assert_cmpmem (middle.server->received->data, middle.server->received->len, words,
                   sizeof words);
  g_assert_null (memmem (middle.seen->data, middle.seen->len, words, sizeof words));
  middle_close (&middle);
}

static void
test_changed_byte_breaks_the_link (void)
{
  Middle middle;
  middle_open (&middle);
  side_send (middle.client, "pay 10", 6);
  while (middle.server->n_down == 0)
    middle_pump (&middle, TRUE);
  g_assert_error (middle.server->error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_cmpuint (middle.server->received->len, ==, 0);
  middle_pump (&middle, FALSE);
  world_run_until_down (middle.client, SATIN_ERROR_CLOSED);
  middle_close (&middle);
}

static void
test_cut_is_told_from_a_good_end (void)
{
  Middle middle;
  middle_open (&middle);
  shutdown (middle.far, SHUT_WR);
  world_run_until_down (middle.server, SATIN_ERROR_CLOSED);
  middle_close (&middle);
}

static void
test_recorded_link_cannot_be_played_again (void)
{
  Middle middle;
  middle_open (&middle);
  side_send (middle.client, "add one", 7);
  while (middle.server->received->len < 7)
    middle_pump (&middle, FALSE);
  int fd = raw_tcp_connect (middle.world->uri);
  raw_tcp_write (fd, middle.seen->data, middle.seen->len);
  g_autoptr (GByteArray) said = raw_tcp_read_to_end (middle.world, fd);
  g_assert_cmpuint (middle.world->accepted->len, ==, 1);
  close (fd);
  middle_close (&middle);
}

/* The stranger sends a hello, and resets the connection before the answer. */
static void
test_reset_during_the_handshake_is_survived (void)
{
  Middle middle;
  middle_open (&middle);
  int fd = raw_tcp_connect (middle.world->uri);
  struct linger none = { .l_onoff = 1 };
  raw_tcp_write (fd, middle.seen->data, middle.n_hello_bytes);
  setsockopt (fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  close (fd);
  world_settle (middle.world);
  g_assert_cmpuint (middle.world->accepted->len, ==, 1);
  side_send (middle.client, "still here", 10);
  while (middle.server->received->len < 10)
    middle_pump (&middle, FALSE);
  middle_close (&middle);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, test)            g_test_add_func ("/net/transport-tls/" claim, test)
#define ADD_DATA(claim, data, test) g_test_add_data_func ("/net/transport-tls/" claim, data, test)
  ADD ("wrong-secret-is-told-with-the-cure", test_wrong_secret_is_told_with_the_cure);
  ADD ("wrong-secret-is-never-accepted", test_wrong_secret_is_never_accepted);
  ADD ("old-key-is-accepted-during-a-change", test_old_key_is_accepted_during_a_change);
  ADD ("new-key-is-accepted-during-a-change", test_new_key_is_accepted_during_a_change);
  ADD ("first-key-is-used-to-connect", test_first_key_is_used_to_connect);
  ADD ("insecure-client-is-told-to-use-the-secret", test_insecure_client_is_told_to_use_the_secret);
  ADD ("insecure-server-is-told-of", test_insecure_server_is_told_of);
  ADD ("insecure-server-hears-of-it-too", test_insecure_server_hears_of_it_too);
  ADD ("no-secret-and-no-leave-to-go-without-is-refused",
       test_no_secret_and_no_leave_to_go_without_is_refused);
  ADD_DATA ("garbage-is-dropped/http", "GET / HTTP/1.1\r\n\r\n", test_garbage_is_dropped);
  ADD_DATA ("garbage-is-dropped/ssh", "SSH-2.0-x\r\n", test_garbage_is_dropped);
  ADD ("garbage-in-a-tls-record-is-dropped", test_garbage_in_a_tls_record_is_dropped);
  ADD ("server-that-speaks-no-tls-is-told-of", test_server_that_speaks_no_tls_is_told_of);
  ADD ("server-that-hangs-up-is-told-of", test_server_that_hangs_up_is_told_of);
  ADD ("silent-stranger-is-dropped-after-the-deadline",
       test_silent_stranger_is_dropped_after_the_deadline);
  ADD ("silent-server-is-given-up-after-the-deadline",
       test_silent_server_is_given_up_after_the_deadline);
  ADD ("stranger-may-not-send-for-ever", test_stranger_may_not_send_for_ever);
  ADD ("many-silent-strangers-lock-nobody-out", test_many_silent_strangers_lock_nobody_out);
  ADD_DATA ("drop-is-told-from-a-good-end/tls", &world_tls, test_drop_is_told_from_a_good_end);
  ADD_DATA ("drop-is-told-from-a-good-end/tcp", &world_plain, test_drop_is_told_from_a_good_end);
  ADD ("what-is-sent-cannot-be-read-underway", test_what_is_sent_cannot_be_read_underway);
  ADD ("changed-byte-breaks-the-link", test_changed_byte_breaks_the_link);
  ADD ("cut-is-told-from-a-good-end", test_cut_is_told_from_a_good_end);
  ADD ("recorded-link-cannot-be-played-again", test_recorded_link_cannot_be_played_again);
  ADD ("reset-during-the-handshake-is-survived", test_reset_during_the_handshake_is_survived);
  return g_test_run ();
}
