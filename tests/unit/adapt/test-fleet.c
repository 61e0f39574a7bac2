/* test-fleet.c - tests how machines come to a fleet and leave it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fleet/private.h"
#include "fleet-world.h"

#include "../core/counting-loop.h"

#define SECOND_US ((gint64)1000000)

static void
test_most (FleetWorld *self, gconstpointer with_provision)
{
  const FleetWish wishes[] = { { "a", 2 }, { "", 2 }, { "b", 9 }, { "c", 1 } };
  fleet_world_ask (self, 1, 1, wishes, G_N_ELEMENTS (wishes));
  fleet_world_assert_noted (self->told, "1: 2@a, 2: 2@, 3: 1@b");
  g_assert_cmpuint (satin_fleet_count_awaited (self->fleet), ==, 5);
  g_assert_cmpuint (satin_fleet_count (self->fleet), ==, 0);
  g_assert_cmpuint (satin_fleet_request (self->fleet, 1, "a"), ==, 0);
  fleet_world_refuse (self, 2);
  fleet_world_assert_noted (self->said, "\"2 machines cannot be had: it is full\"");
  g_assert_cmpuint (satin_fleet_request (self->fleet, 9, "a"), ==, 2);
  fleet_world_assert_noted (self->told, "4: 2@a");
}

static void
count_machine (const SatinMachine *machine, gpointer user_data)
{
  fleet_world_note (user_data, "%s@%s", machine->name, machine->cluster);
}

static void
test_granted (FleetWorld *self, gconstpointer with_provision)
{
  g_autoptr (GString) list = g_string_new (NULL);
  satin_fleet_request (self->fleet, 4, "");
  fleet_world_grant (self, 0);
  fleet_world_grant (self, 2);
  g_assert_cmpuint (satin_fleet_count (self->fleet), ==, 2);
  g_assert_cmpuint (satin_fleet_count_awaited (self->fleet), ==, 4);
  satin_fleet_joined (self->fleet, "m3");
  satin_fleet_joined (self->fleet, "some other host");
  g_assert_cmpuint (satin_fleet_count_awaited (self->fleet), ==, 3);
  g_assert_true (satin_fleet_has (self->fleet, "m3"));
  g_assert_false (satin_fleet_has (self->fleet, "m2"));
  satin_fleet_list (self->fleet, count_machine, list);
  g_assert_cmpstr (list->str, ==, "m1@a, m3@b");
  fleet_world_refuse (self, 2);
  satin_fleet_provision_host.ended ("m1", NULL, self->fleet);
  g_assert_cmpuint (satin_fleet_count (self->fleet), ==, 1);
  g_assert_cmpuint (satin_fleet_count_awaited (self->fleet), ==, 0);
}

/* A provisioner that polls a queue may report a machine after its node has joined. */
static void
test_granted_late (FleetWorld *self, gconstpointer with_provision)
{
  self->member = "m2";
  satin_fleet_request (self->fleet, 2, "");
  satin_fleet_joined (self->fleet, "m2");
  fleet_world_grant (self, 0);
  fleet_world_grant (self, 1);
  g_assert_true (satin_fleet_is_awaited (self->fleet, "m1"));
  g_assert_false (satin_fleet_is_awaited (self->fleet, "m2"));
  g_assert_cmpuint (satin_fleet_count_awaited (self->fleet), ==, 1);
  g_string_truncate (self->told, 0);
  counting_loop_advance (self->loop, SATIN_FLEET_JOIN_US);
  fleet_world_assert_noted (self->told, "back m1");
  satin_fleet_left (self->fleet, "m2");
  counting_loop_advance (self->loop, SATIN_FLEET_END_US);
  fleet_world_assert_noted (self->told, "back m2");
}

static void
test_ended (FleetWorld *self, gconstpointer with_provision)
{
  g_autoptr (GError) reason = g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED, "the node was lost");
  satin_fleet_request (self->fleet, 1, "");
  fleet_world_grant (self, 0);
  satin_fleet_provision_host.ended ("m1", reason, self->fleet);
  satin_fleet_provision_host.ended ("m2", NULL, self->fleet); /* it was never granted */
  fleet_world_assert_noted (self->said, "\"m1 is gone: the node was lost\"");
  fleet_world_assert_noted (self->gone, "m1, m2");
  g_assert_false (satin_fleet_has (self->fleet, "m1"));
  g_assert_cmpuint (satin_fleet_request (self->fleet, 9, ""), ==, 5);
}

static void
test_machines_are_reported (FleetWorld *self, gconstpointer with_provision)
{
  g_autoptr (GError) reason = g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED, "the node was lost");
  satin_fleet_request (self->fleet, 3, "a");
  satin_fleet_request (self->fleet, 1, "");
  fleet_world_assert_noted (
      self->machines,
      "asked 3 \"asked for 3 machines in cluster a\", asked 1 \"asked for 1 machine\"");
  fleet_world_grant (self, 0);
  fleet_world_refuse (self, 2);
  fleet_world_refuse (self, 1);
  fleet_world_assert_noted (self->machines, "came 1 \"m1 came, in cluster a\", "
                                            "refused 2 \"2 machines refused: it is full\", "
                                            "refused 1 \"1 machine refused: it is full\"");
  satin_fleet_provision_host.ended ("m1", reason, self->fleet);
  satin_fleet_provision_host.ended ("m2", NULL, self->fleet); /* it was never granted */
  fleet_world_assert_noted (self->machines, "gone 1 \"m1 is gone: the node was lost\"");
}

static void
test_lack_of_memory (FleetWorld *self, gconstpointer with_provision)
{
  g_autoptr (GError) reason = g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT, "it needed more memory");
  satin_fleet_request (self->fleet, 1, "");
  fleet_world_grant (self, 0);
  satin_fleet_provision_host.ended ("m1", reason, self->fleet);
  g_autofree char *expected = g_strdup_printf ("m1 by %d", SATIN_DEATH_OUT_OF_MEMORY);
  fleet_world_assert_noted (self->gone, expected);
}

static void
test_never_joins (FleetWorld *self, gconstpointer with_provision)
{
  satin_fleet_request (self->fleet, 3, "");
  fleet_world_grant (self, 0);
  counting_loop_advance (self->loop, 10 * SECOND_US);
  fleet_world_grant (self, 1);
  fleet_world_grant (self, 2);
  satin_fleet_joined (self->fleet, "m2");
  g_string_truncate (self->told, 0);
  counting_loop_advance (self->loop, SATIN_FLEET_JOIN_US - 10 * SECOND_US - 1);
  fleet_world_assert_noted (self->told, "");
  counting_loop_advance (self->loop, 1);
  fleet_world_assert_noted (self->told, "back m1");
  fleet_world_assert_noted (self->said,
                            "\"m1 was there for 120 s, but no node of it joined: it is given "
                            "back\"");
  counting_loop_advance (self->loop, 10 * SECOND_US);
  fleet_world_assert_noted (self->told, "back m3");
  counting_loop_advance (self->loop, 1000 * SECOND_US);
  fleet_world_assert_noted (self->told, ""); /* it was given back only once */
  satin_fleet_provision_host.ended ("m1", NULL, self->fleet);
  satin_fleet_provision_host.ended ("m3", NULL, self->fleet);
  g_assert_cmpuint (satin_fleet_count_awaited (self->fleet), ==, 0);
}

/* The node is gone, but other processes of the machine may still run. */
static void
test_node_is_gone (FleetWorld *self, gconstpointer with_provision)
{
  satin_fleet_request (self->fleet, 3, "");
  for (guint i = 0; i < 3; i++)
    fleet_world_grant (self, i);
  satin_fleet_joined (self->fleet, "m1");
  satin_fleet_joined (self->fleet, "m2");
  g_string_truncate (self->told, 0);
  satin_fleet_left (self->fleet, "m1");
  satin_fleet_left (self->fleet, "m2");
  satin_fleet_left (self->fleet, "some other host");
  satin_fleet_provision_host.ended ("m1", NULL, self->fleet);
  counting_loop_advance (self->loop, SATIN_FLEET_END_US - 1);
  fleet_world_assert_noted (self->told, "");
  counting_loop_advance (self->loop, 1);
  fleet_world_assert_noted (self->told, "back m2");
  counting_loop_advance (self->loop, SATIN_FLEET_JOIN_US - SATIN_FLEET_END_US);
  fleet_world_assert_noted (self->told, "back m3");
}

static void
test_room (FleetWorld *self, gconstpointer with_provision)
{
  self->fleet->options.n_own = 2;
  g_assert_cmpuint (satin_fleet_count_room (self->fleet), ==, 3);
  g_assert_cmpuint (satin_fleet_request (self->fleet, 9, ""), ==, 3);
  g_assert_cmpuint (satin_fleet_count_room (self->fleet), ==, 0);
}

static void
test_notice (FleetWorld *self, gconstpointer with_provision)
{
  satin_fleet_request (self->fleet, 1, "");
  fleet_world_grant (self, 0);
  satin_fleet_provision_host.notice ("m1", 20 * SECOND_US, self->fleet);
  fleet_world_assert_noted (self->said, "\"m1 will be taken away in 20.0 s: its node leaves\", "
                                        "leave m1 in 20 s");
}

/* The cloud has announced that it takes the machine m1 away. The fleet replaces m1 before it has
 * ended. */
static void
test_noticed (FleetWorld *self, gconstpointer with_provision)
{
  satin_fleet_keep (self->fleet, 1);
  fleet_world_grant (self, 0);
  satin_fleet_joined (self->fleet, "m1");
  g_string_truncate (self->told, 0);
  satin_fleet_noticed (self->fleet, "some other host");
  counting_loop_advance (self->loop, SATIN_FLEET_PAUSE_US);
  fleet_world_assert_noted (self->told, "");
  satin_fleet_noticed (self->fleet, "m1");
  satin_fleet_noticed (self->fleet, "m1");
  counting_loop_advance (self->loop, SATIN_FLEET_PAUSE_US);
  fleet_world_assert_noted (self->told, "2: 1@");
  fleet_world_grant (self, 1);
  satin_fleet_provision_host.ended ("m1", NULL, self->fleet);
  counting_loop_advance (self->loop, SATIN_FLEET_PAUSE_MOST_US);
  fleet_world_assert_noted (self->told, "");
}

static void
count_wait (const SatinWait *wait, gpointer user_data)
{
  g_assert_cmpuint (wait->deadline, !=, 0);
  ++*(guint *)user_data;
}

static void
test_waits (FleetWorld *self, gconstpointer with_provision)
{
  guint n = 0;
  satin_fleet_waits (self->fleet, count_wait, &n);
  g_assert_cmpuint (n, ==, 0);
  satin_fleet_request (self->fleet, 1, "");
  fleet_world_grant (self, 0);
  satin_fleet_waits (self->fleet, count_wait, &n);
  g_assert_cmpuint (n, ==, 1);
}

/* ---- the end ---- */

static void
note_closed (const GError *error, gpointer user_data)
{
  FleetWorld *self = user_data;
  g_assert_no_error (error);
  self->fleet = NULL;
}

static void
test_close (FleetWorld *self, gconstpointer with_provision)
{
  satin_fleet_request (self->fleet, 3, "");
  fleet_world_grant (self, 0);
  fleet_world_grant (self, 1);
  satin_fleet_close (self->fleet, note_closed, self);
  g_string_truncate (self->said, 0);
  fleet_world_look (self, 1);
  fleet_world_ask_for (self, 1, 1, 1, "a");
  g_assert_cmpuint (satin_fleet_request (self->fleet, 1, ""), ==, 0);
  satin_fleet_provision_host.ended ("m1", NULL, self->fleet);
  fleet_world_grant (self, 2); /* it was granted before the fleet closed */
  fleet_world_refuse (self, 1);
  fleet_world_assert_noted (self->told, "1: 3@, close");
  fleet_world_assert_noted (self->said, "");
  counting_loop_advance (self->loop, 0);
  g_assert_null (self->fleet);
}

static void
test_without_provision (FleetWorld *self, gconstpointer with_provision)
{
  fleet_world_look (self, 1);
  fleet_world_ask_for (self, 1, 1, 1, "a");
  g_assert_cmpuint (satin_fleet_request (self->fleet, 1, ""), ==, 0);
  fleet_world_assert_noted (self->said, "");
}

#define ADD(path, test)                                                                            \
  g_test_add ("/adapt/fleet/" path, FleetWorld, "fake", fleet_world_open, test, fleet_world_close)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("never-has-more-than-the-most", test_most);
  ADD ("granted-machines-are-awaited", test_granted);
  ADD ("machine-whose-node-was-here-before-is-not-awaited", test_granted_late);
  ADD ("ended-machines-are-forgotten", test_ended);
  ADD ("what-happens-to-machines-is-reported", test_machines_are_reported);
  ADD ("machine-whose-node-never-joins-goes-back", test_never_joins);
  ADD ("end-for-lack-of-memory-is-told-as-that", test_lack_of_memory);
  ADD ("machine-whose-node-is-gone-goes-back", test_node_is_gone);
  ADD ("own-nodes-take-room", test_room);
  ADD ("notice-makes-its-node-leave", test_notice);
  ADD ("another-machine-is-asked-for-at-a-notice", test_noticed);
  ADD ("waits-have-a-deadline", test_waits);
  ADD ("closes-with-machines", test_close);
  g_test_add ("/adapt/fleet/without-a-provisioner", FleetWorld, NULL, fleet_world_open,
              test_without_provision, fleet_world_close);
  return g_test_run ();
}
