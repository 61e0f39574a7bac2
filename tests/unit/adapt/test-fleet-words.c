/* test-fleet-words.c - tests which requests of coordinators a fleet obeys
 *
 * A request has the term of its coordinator, and a number.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fleet-world.h"

#define N_RANDOM 5000

static void
test_state (FleetWorld *self, gconstpointer with_provision)
{
  self->n_offers = 2;
  fleet_world_look (self, 1);
  fleet_world_assert_noted (self->said, "state 1.0 awaits 0 of 2 to 5, 2 offers");
  fleet_world_ask_for (self, 1, 1, 2, "a");
  fleet_world_look (self, 1);
  fleet_world_assert_noted (self->said, "state 1.1 awaits 2 of 2 to 5, 2 offers");
  fleet_world_assert_noted (self->told, "1: 2@a");
  fleet_world_look (self, 3);
  fleet_world_assert_noted (self->said, "state 3.0 awaits 2 of 2 to 5, 2 offers");
}

static void
test_asked_twice (FleetWorld *self, gconstpointer with_provision)
{
  fleet_world_ask_for (self, 1, 1, 1, "a");
  fleet_world_ask_for (self, 1, 1, 1, "a");
  fleet_world_ask_for (self, 1, 3, 1, "b");
  fleet_world_ask_for (self, 1, 2, 1, "c");
  fleet_world_assert_noted (self->told, "1: 1@a, 2: 1@b");
}

static void
test_earlier_term (FleetWorld *self, gconstpointer with_provision)
{
  fleet_world_ask_for (self, 2, 1, 1, "a");
  fleet_world_ask_for (self, 1, 9, 1, "b");
  fleet_world_ask_for (self, -1, 9, 1, "b");
  fleet_world_ask_for (self, 3, 1, 1, "c");
  fleet_world_ask_for (self, 2, 2, 1, "b");
  fleet_world_assert_noted (self->told, "1: 1@a, 2: 1@c");
}

/* A new coordinator asks for the fleet's state first. From then on, the fleet ignores the requests
 * of earlier terms. */
static void
test_look_ends_a_term (FleetWorld *self, gconstpointer with_provision)
{
  fleet_world_ask_for (self, 1, 1, 1, "a");
  fleet_world_look (self, 2);
  fleet_world_ask_for (self, 1, 2, 1, "b");
  fleet_world_look (self, 1); /* the old coordinator learns the new term */
  fleet_world_assert_noted (self->told, "1: 1@a");
  fleet_world_assert_noted (self->said, "state 2.0 awaits 1 of 2 to 5, 0 offers, "
                                        "state 2.0 awaits 1 of 2 to 5, 0 offers");
}

/* ---- requests that make no sense ---- */

static void
test_impossible_wishes (FleetWorld *self, gconstpointer with_provision)
{
  const FleetWish wishes[] = { { "a", 0 }, { "b", -1 }, { "c", G_MININT32 }, { "d", G_MAXINT32 } };
  fleet_world_ask (self, 1, 1, wishes, G_N_ELEMENTS (wishes));
  fleet_world_assert_noted (self->told, "1: 5@d");
  fleet_world_ask_for (self, 1, G_MININT64, 1, "a");
  fleet_world_ask_for (self, G_MININT64, 1, 1, "a");
  fleet_world_look (self, G_MININT64);
  fleet_world_assert_noted (self->said, "state 1.1 awaits 5 of 2 to 5, 0 offers");
  fleet_world_assert_noted (self->told, "");
}

static void
test_many_offers (FleetWorld *self, gconstpointer with_provision)
{
  self->n_offers = 2 * FLEET_MAX_CLUSTERS;
  fleet_world_look (self, 1);
  g_autofree char *expected =
      g_strdup_printf ("state 1.0 awaits 0 of 2 to 5, %d offers", FLEET_MAX_CLUSTERS);
  fleet_world_assert_noted (self->said, expected);
}

static void
test_damaged_words (FleetWorld *self, gconstpointer with_provision)
{
  const FleetWish wish = { "a", 0 };
  const FleetAsk message = { 1, 1, &wish, 1 };
  g_autoptr (GBytes) whole = satin_record_to_bytes (&FleetAsk_record, &message);
  gsize n_whole;
  const guint8 *bytes = g_bytes_get_data (whole, &n_whole);
  for (guint i = 0; i < N_RANDOM; i++)
    {
      g_autofree guint8 *copy = g_memdup2 (bytes, n_whole);
      gsize n_bytes = (gsize)g_test_rand_int_range (0, (gint32)n_whole);
      g_autoptr (GBytes) payload = g_bytes_new (copy, n_bytes);
      satin_fleet_told (self->fleet, FLEET_WORLD_COORDINATOR, SATIN_FLEET_ASK, payload);
    }
  satin_fleet_told (self->fleet, FLEET_WORLD_COORDINATOR, SATIN_FLEET_ASK, NULL);
  satin_fleet_told (self->fleet, FLEET_WORLD_COORDINATOR, "dance", whole);
  satin_fleet_told (self->fleet, FLEET_WORLD_COORDINATOR, SATIN_FLEET_STATE, whole);
  fleet_world_assert_noted (self->told, "");
  fleet_world_ask_for (self, 1, 1, 1, "a"); /* no damaged request counts as the first */
  fleet_world_assert_noted (self->told, "1: 1@a");
}

#define ADD(path, test)                                                                            \
  g_test_add ("/adapt/fleet/" path, FleetWorld, "fake", fleet_world_open, test, fleet_world_close)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("says-what-it-has", test_state);
  ADD ("what-is-asked-twice-is-done-once", test_asked_twice);
  ADD ("earlier-terms-ask-in-vain", test_earlier_term);
  ADD ("who-looks-ends-earlier-terms", test_look_ends_a_term);
  ADD ("impossible-wishes-are-none", test_impossible_wishes);
  ADD ("offers-are-bounded", test_many_offers);
  ADD ("damaged-words-change-nothing", test_damaged_words);
  return g_test_run ();
}
