/* test-fleet-keep.c - tests that a fleet asks again for machines that it must have
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fleet-world.h"

#include "../core/counting-loop.h"

#include <string.h>

static void
lose (FleetWorld *self, const char *name)
{
  g_autoptr (GError) reason = g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "was killed");
  satin_fleet_provision_host.ended (name, reason, self->fleet);
}

/* The provisioner grants the first @n of m1, m2, m3, and their nodes join. */
static void
grant (FleetWorld *self, guint n)
{
  static const char *const names[] = { "m1", "m2", "m3" };
  for (guint i = 0; i < n; i++)
    {
      fleet_world_grant (self, i);
      satin_fleet_joined (self->fleet, names[i]);
    }
}

static void
test_at_once (FleetWorld *self, gconstpointer with_provision)
{
  satin_fleet_keep (self->fleet, 3);
  fleet_world_assert_noted (self->told, "1: 3@");
  grant (self, 2);
  counting_loop_advance (self->loop, 10 * SATIN_FLEET_PAUSE_MOST_US);
  fleet_world_assert_noted (self->told, "");
}

static void
test_lost (FleetWorld *self, gconstpointer with_provision)
{
  satin_fleet_keep (self->fleet, 2);
  grant (self, 2);
  g_string_truncate (self->told, 0);
  lose (self, "m1");
  counting_loop_advance (self->loop, SATIN_FLEET_PAUSE_US - 1);
  fleet_world_assert_noted (self->told, "");
  counting_loop_advance (self->loop, 1);
  fleet_world_assert_noted (self->told, "2: 1@");
}

/* The fleet must have one machine, and has two. So it does not replace a lost one. */
static void
test_above (FleetWorld *self, gconstpointer with_provision)
{
  satin_fleet_keep (self->fleet, 1);
  satin_fleet_request (self->fleet, 1, "");
  grant (self, 2);
  g_string_truncate (self->told, 0);
  lose (self, "m1");
  counting_loop_advance (self->loop, 10 * SATIN_FLEET_PAUSE_MOST_US);
  fleet_world_assert_noted (self->told, "");
}

/* Refuses the request before each pause. Returns: the number of pauses */
static guint
refuse_until_pause_is_longest (FleetWorld *self)
{
  guint n = 0;
  for (gint64 pause_us = SATIN_FLEET_PAUSE_US; pause_us < SATIN_FLEET_PAUSE_MOST_US; pause_us *= 2)
    {
      fleet_world_refuse (self, 1);
      counting_loop_advance (self->loop, pause_us - 1);
      fleet_world_assert_noted (self->told, "");
      counting_loop_advance (self->loop, 1);
      g_assert_true (g_str_has_suffix (self->told->str, ": 1@"));
      g_string_truncate (self->told, 0);
      n++;
    }
  return n;
}

static void
test_pauses_grow (FleetWorld *self, gconstpointer with_provision)
{
  satin_fleet_keep (self->fleet, 1);
  fleet_world_assert_noted (self->told, "1: 1@");
  g_assert_cmpuint (refuse_until_pause_is_longest (self), ==, 6);
  for (guint i = 0; i < 3; i++)
    {
      fleet_world_refuse (self, 1);
      counting_loop_advance (self->loop, SATIN_FLEET_PAUSE_MOST_US - 1);
      fleet_world_assert_noted (self->told, "");
      counting_loop_advance (self->loop, 1);
      g_assert_true (g_str_has_suffix (self->told->str, ": 1@"));
      g_string_truncate (self->told, 0);
    }
}

static void
test_long_life (FleetWorld *self, gconstpointer with_provision)
{
  satin_fleet_keep (self->fleet, 1);
  g_string_truncate (self->told, 0);
  refuse_until_pause_is_longest (self);
  grant (self, 1);
  counting_loop_advance (self->loop, SATIN_FLEET_STABLE_US);
  lose (self, "m1");
  counting_loop_advance (self->loop, SATIN_FLEET_PAUSE_US);
  fleet_world_assert_noted (self->told, "8: 1@");
}

static void
test_said_once (FleetWorld *self, gconstpointer with_provision)
{
  satin_fleet_keep (self->fleet, 2);
  fleet_world_refuse (self, 2);
  fleet_world_assert_noted (self->said, "\"2 machines cannot be had: it is full\"");
  counting_loop_advance (self->loop, SATIN_FLEET_PAUSE_US);
  fleet_world_refuse (self, 2);
  fleet_world_assert_noted (self->said, "");
  counting_loop_advance (self->loop, 2 * SATIN_FLEET_PAUSE_US);
  grant (self, 1);
  fleet_world_refuse (self, 1);
  fleet_world_assert_noted (self->said, "\"1 machine cannot be had: it is full\"");
}

static void
note_closed (const GError *error, gpointer user_data)
{
  g_assert_no_error (error);
  ((FleetWorld *)user_data)->fleet = NULL;
}

static void
test_closed (FleetWorld *self, gconstpointer with_provision)
{
  satin_fleet_keep (self->fleet, 2);
  grant (self, 2);
  g_string_truncate (self->told, 0);
  lose (self, "m1");
  satin_fleet_close (self->fleet, note_closed, self);
  lose (self, "m2");
  counting_loop_advance (self->loop, SATIN_FLEET_PAUSE_MOST_US);
  g_assert_null (self->fleet);
  fleet_world_assert_noted (self->told, "close");
}

static void
count_wait (const SatinWait *wait, gpointer user_data)
{
  if (strcmp (wait->what, "machines to be asked for again") == 0)
    ++*(guint *)user_data;
}

static void
test_waits (FleetWorld *self, gconstpointer with_provision)
{
  guint n = 0;
  satin_fleet_keep (self->fleet, 1);
  satin_fleet_waits (self->fleet, count_wait, &n);
  g_assert_cmpuint (n, ==, 0);
  fleet_world_refuse (self, 1);
  satin_fleet_waits (self->fleet, count_wait, &n);
  g_assert_cmpuint (n, ==, 1);
}

#define ADD(path, test)                                                                            \
  g_test_add ("/adapt/fleet-keep/" path, FleetWorld, "fake", fleet_world_open, test,               \
              fleet_world_close)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("asks-at-once", test_at_once);
  ADD ("asks-again-for-what-is-lost", test_lost);
  ADD ("does-not-miss-what-is-above-the-least", test_above);
  ADD ("pauses-grow", test_pauses_grow);
  ADD ("pause-is-short-after-a-long-life", test_long_life);
  ADD ("same-refusal-is-said-once", test_said_once);
  ADD ("asks-for-nothing-when-closed", test_closed);
  ADD ("waits-have-a-deadline", test_waits);
  return g_test_run ();
}
