/* test-transport-tcp.c - tests TCP addresses, dialing, and listeners that lack descriptors
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "raw-tcp.h"
#include "slow-loop.h"

#include <fcntl.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const SatinLinkEvents no_link_events = { .struct_size = sizeof (SatinLinkEvents) };

static void
listen_at (World *world, const char *uri, GError **error)
{
  g_clear_pointer (&world->uri, g_free);
  world->listener =
      world->ops.listen (world->server, uri, &world_listen_events, world, &world->uri, error);
}

static void
check_reachable (World *world)
{
  Side *client, *server;
  world_link (world, &client, &server);
  side_send (client, "hello", 5);
  world_run_until_received (server, 5);
  world_free (world);
}

static void
test_port_0_picks_a_port (void)
{
  World *world = world_new (&world_plain);
  world_listen (world);
  g_assert_true (g_str_has_prefix (world->uri, "tcp://127.0.0.1:"));
  g_assert_cmpint (atoi (strrchr (world->uri, ':') + 1), >, 0);
  world_free (world);
}

static void
test_ipv6_works (void)
{
  g_autoptr (GError) error = NULL;
  World *world = world_new (&world_plain);
  listen_at (world, "tcp://[::1]:0", &error);
  if (error != NULL)
    {
      g_test_skip ("this machine has no IPv6");
      world_free (world);
      return;
    }
  g_assert_true (g_str_has_prefix (world->uri, "tcp://[::1]:"));
  check_reachable (world);
}

static void
test_wildcard_tells_where_it_is_reached (gconstpointer uri)
{
  g_autoptr (GError) error = NULL;
  World *world = world_new (&world_plain);
  listen_at (world, uri, &error);
  if (error != NULL && strchr (uri, '[') != NULL)
    {
      g_test_skip ("this machine has no IPv6");
      world_free (world);
      return;
    }
  g_assert_no_error (error);
  g_test_message ("reached at %s", world->uri);
  g_assert_null (strstr (world->uri, "0.0.0.0"));
  g_assert_null (strstr (world->uri, "::]"));
  g_assert_null (strchr (world->uri, '*'));
  check_reachable (world);
}

static void
test_advertised_host_is_told (void)
{
  g_autoptr (GError) error = NULL;
  World *world = world_new (&world_plain);
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_TRANSPORT, "tcp", &error);
  g_autoptr (SatinParams) params = satin_params_parse_text (satin_plugin_get_desc (plugin)->params,
                                                            "advertise=gate.example", &error);
  g_assert_no_error (error);
  SatinTransportContext context = { .struct_size = sizeof context,
                                    .loop = world->loop,
                                    .is_insecure = TRUE };
  world_close_server (world);
  world->server = world->ops.open (&context, params, &error);
  g_assert_no_error (error);
  world->n_closed--;
  listen_at (world, "tcp://127.0.0.1:0", &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (world->uri, "tcp://gate.example:"));
  world_free (world);
}

static void
test_address_of_another_machine_is_refused (void)
{
  g_autoptr (GError) error = NULL;
  World *world = world_new (&world_plain);
  listen_at (world, "tcp://198.51.100.77:0", &error);
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "198.51.100.77"));
  world_free (world);
}

static void
test_address_to_listen_at_cannot_be_dialed (gconstpointer uri)
{
  g_autoptr (GError) error = NULL;
  World *world = world_new (&world_plain);
  g_assert_null (world->ops.connect (world->client, uri, &no_link_events, NULL, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  world_free (world);
}

/* The server listens at IPv4 or at IPv6 only, but "localhost" may have an address of each. TCP
 * tries the wrong address first in one of the two cases. */
static void
test_every_address_of_a_name_is_tried (gconstpointer uri)
{
  g_autoptr (GError) error = NULL;
  World *world = world_new (&world_plain);
  listen_at (world, uri, &error);
  struct addrinfo hints = { .ai_family = strchr (uri, '[') != NULL ? AF_INET6 : AF_INET };
  struct addrinfo *addresses = NULL;
  if (error != NULL || getaddrinfo ("localhost", NULL, &hints, &addresses) != 0)
    {
      g_test_skip ("localhost has no such address here");
      world_free (world);
      return;
    }
  freeaddrinfo (addresses);
  g_autofree char *by_name =
      g_strdup_printf ("tcp://localhost:%d", atoi (strrchr (world->uri, ':') + 1));
  g_free (g_steal_pointer (&world->uri));
  world->uri = g_steal_pointer (&by_name);
  check_reachable (world);
}

static void
test_unknown_host_is_unreachable (void)
{
  World *world = world_new (&world_plain);
  /* A label cannot be this long, so no name server is asked. */
  Side *client = world_connect (world, "tcp://a-name-that-is-much-longer-than-the-sixty-three-"
                                       "characters-a-label-may-have-at-all:1");
  world_run_until_down (client, SATIN_ERROR_UNREACHABLE);
  g_assert_nonnull (strstr (client->error->message, "a-name-that-is"));
  world_free (world);
}

static void
test_drop_while_the_name_is_looked_up (void)
{
  World *world = world_new (&world_plain);
  Side *client = world_connect (world, "tcp://localhost:1");
  side_drop (client);
  world_run_until_down (client, SATIN_ERROR_CANCELLED);
  world_free (world);
}

static void
test_close_while_the_name_is_looked_up (void)
{
  World *world = world_new (&world_plain);
  world_connect (world, "tcp://localhost:1");
  world_free (world);
}

static gboolean
is_down (gpointer data)
{
  return ((Side *)data)->n_down == 1;
}

static void
test_silent_address_times_out (void)
{
  SatinLoop *loop = slow_loop_new ();
  World *world = world_new_in_loop (&world_plain, loop);
  g_autofree char *uri = NULL;
  int listener = raw_tcp_listen (0, &uri);
  /* A listener does not answer when its queue is full. */
  int first = raw_tcp_connect (uri);
  Side *client = world_connect (world, uri);
  world_settle (world);
  if (client->n_up == 1)
    g_test_skip ("this system's queue of connections is longer than asked for");
  else
    {
      slow_loop_advance (loop, 4999999);
      world_settle (world);
      g_assert_cmpuint (client->n_down, ==, 0);
      slow_loop_advance (loop, 1);
      world_run_until (world, is_down, client);
      g_assert_error (client->error, SATIN_ERROR, SATIN_ERROR_TIMEOUT);
      g_assert_nonnull (strstr (client->error->message, uri));
    }
  close (first);
  close (listener);
  world_free (world);
}

static void
test_lack_of_descriptors_is_waited_for (void)
{
  SatinLoop *loop = slow_loop_new ();
  World *world = world_new_in_loop (&world_plain, loop);
  world_listen (world);
  Side *client = world_connect (world, world->uri);
  struct rlimit before, none;
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &before), ==, 0);
  none = before;
  int next = dup (STDIN_FILENO);
  close (next);
  none.rlim_cur = (rlim_t)next;
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &none), ==, 0);
  g_test_expect_message ("satin-transport", G_LOG_LEVEL_WARNING, "*cannot accept*ulimit -n*");
  /* This call returns only if the listener does not spin. */
  world_settle (world);
  g_test_assert_expected_messages ();
  g_assert_cmpuint (world->accepted->len, ==, 0);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &before), ==, 0);
  slow_loop_advance (loop, 100000);
  world_settle (world);
  g_assert_cmpuint (world->accepted->len, ==, 1);
  g_assert_cmpuint (client->n_up, ==, 1);
  world_free (world);
}

static void
test_programs_that_are_started_inherit_nothing (void)
{
  World *world = world_new (&world_tls);
  int before[1024];
  for (int fd = 3; fd < 1024; fd++)
    before[fd] = fcntl (fd, F_GETFD);
  Side *client, *server;
  world_link (world, &client, &server);
  for (int fd = 3; fd < 1024; fd++)
    {
      int flags = fcntl (fd, F_GETFD);
      g_assert_true (flags < 0 || before[fd] >= 0 || (flags & FD_CLOEXEC) != 0);
    }
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, test)            g_test_add_func ("/net/transport-tcp/" claim, test)
#define ADD_DATA(claim, data, test) g_test_add_data_func ("/net/transport-tcp/" claim, data, test)
  ADD ("port-0-picks-a-port", test_port_0_picks_a_port);
  ADD ("ipv6-works", test_ipv6_works);
  ADD_DATA ("wildcard-tells-where-it-is-reached/ipv4", "tcp://0.0.0.0:0",
            test_wildcard_tells_where_it_is_reached);
  ADD_DATA ("wildcard-tells-where-it-is-reached/ipv6", "tcp://[::]:0",
            test_wildcard_tells_where_it_is_reached);
  ADD_DATA ("wildcard-tells-where-it-is-reached/star", "tcp://*:0",
            test_wildcard_tells_where_it_is_reached);
  ADD ("advertised-host-is-told", test_advertised_host_is_told);
  ADD ("address-of-another-machine-is-refused", test_address_of_another_machine_is_refused);
  ADD_DATA ("address-to-listen-at-cannot-be-dialed/port-0", "tcp://127.0.0.1:0",
            test_address_to_listen_at_cannot_be_dialed);
  ADD_DATA ("address-to-listen-at-cannot-be-dialed/star", "tcp://*:7",
            test_address_to_listen_at_cannot_be_dialed);
  ADD_DATA ("every-address-of-a-name-is-tried/ipv4", "tcp://127.0.0.1:0",
            test_every_address_of_a_name_is_tried);
  ADD_DATA ("every-address-of-a-name-is-tried/ipv6", "tcp://[::1]:0",
            test_every_address_of_a_name_is_tried);
  ADD ("unknown-host-is-unreachable", test_unknown_host_is_unreachable);
  ADD ("drop-while-the-name-is-looked-up", test_drop_while_the_name_is_looked_up);
  ADD ("close-while-the-name-is-looked-up", test_close_while_the_name_is_looked_up);
  ADD ("silent-address-times-out", test_silent_address_times_out);
  ADD ("lack-of-descriptors-is-waited-for", test_lack_of_descriptors_is_waited_for);
  ADD ("programs-that-are-started-inherit-nothing", test_programs_that_are_started_inherit_nothing);
  return g_test_run ();
}
