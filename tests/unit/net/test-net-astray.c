/* test-net-astray.c - tests members that the others cannot reach at the announced address
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net/private.h"
#include "net-world.h"
#include <string.h>

#define SECOND G_USEC_PER_SEC

static void
test_member_that_cannot_be_reached_is_asked_to_dial (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  pipe_network_refuse (world->network, "n2", TRUE);
  net_world_send (world, 1, 2, "waits");
  net_world_run (world, SECOND);
  g_assert_true (net_link_last (net_view_find (world->nodes[2].net, 1))->has_dialed);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:waits,");
}

/* Node 1 has no message to send, so it does not end. */
static void
test_who_is_never_reached_and_reaches_nobody_ends (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  pipe_network_refuse (world->network, "n1", TRUE);
  pipe_network_refuse (world->network, "n2", TRUE);
  net_world_send (world, 2, 1, "waits");
  net_world_run (world, 70 * SECOND);
  g_assert_no_error (world->nodes[2].error);
  net_world_run (world, 15 * SECOND);
  g_assert_error (world->nodes[2].error, SATIN_ERROR, SATIN_ERROR_UNREACHABLE);
  g_assert_nonnull (
      strstr (world->nodes[2].error->message, "no member has ever reached this node at"));
  g_assert_no_error (world->nodes[1].error);
}

/* The link breaks while no message waits, so nothing is dialed for a long time. */
static void
test_time_without_attempts_does_not_count (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  net_world_send (world, 2, 1, "first");
  net_world_run (world, SECOND);
  pipe_network_break (world->network, "n2", "n1");
  net_world_run (world, 100 * SECOND);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 1);
  pipe_network_refuse (world->network, "n1", TRUE);
  pipe_network_refuse (world->network, "n2", TRUE);
  net_world_send (world, 2, 1, "waits");
  net_world_run (world, 70 * SECOND);
  g_assert_no_error (world->nodes[2].error);
  net_world_run (world, 15 * SECOND);
  g_assert_error (world->nodes[2].error, SATIN_ERROR, SATIN_ERROR_UNREACHABLE);
}

/* An attempt without an answer takes 5 s. So a time limits the attempts, not their number. */
static void
test_slow_attempts_are_not_waited_for (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  pipe_network_lose (world->network, "n1", "n2", TRUE);
  pipe_network_lose (world->network, "n2", "n1", TRUE);
  net_world_send (world, 2, 1, "waits");
  net_world_run (world, 90 * SECOND);
  g_assert_error (world->nodes[2].error, SATIN_ERROR, SATIN_ERROR_UNREACHABLE);
}

#define WORLD_CASE(path, func)                                                                     \
  g_test_add ("/net/net-astray/" path, NetWorld, NULL, net_world_open, func, net_world_close)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  WORLD_CASE ("member-that-cannot-be-reached-is-asked-to-dial",
              test_member_that_cannot_be_reached_is_asked_to_dial);
  WORLD_CASE ("who-is-never-reached-and-reaches-nobody-ends",
              test_who_is_never_reached_and_reaches_nobody_ends);
  WORLD_CASE ("time-without-attempts-does-not-count", test_time_without_attempts_does_not_count);
  WORLD_CASE ("slow-attempts-are-not-waited-for", test_slow_attempts_are_not_waited_for);
  return g_test_run ();
}
