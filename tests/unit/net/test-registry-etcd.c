/* test-registry-etcd.c - tests the plugin registry-etcd, with a store in memory and a manual clock
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "etcd-world.h"

/* ---- joining ---- */

static void
test_first_joins_alone (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *node = open_node (world, "fib");

  assert_told (world, node, "registered 2 self 1 others master 0; complete");
  g_assert_true (fake_store_has (world->store, "/satin/run/member/1"));
  g_assert_true (fake_store_has (world->store, "/satin/run/life/1"));
}

static void
test_view_then_events (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = open_node (world, "fib");

  assert_told (world, second, "registered 3 self 2 others 1 master 0; complete");
  assert_told (world, first, "joined 3 id 2 at pipe:2");
}

/* Both nodes read the same view, so one of their commits fails and is repeated. */
static void
test_two_at_once_get_two_numbers (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = open_node (world, "fib");
  RegistryNotes *second = open_node (world, "fib");

  assert_told (world, first,
               "registered 2 self 1 others master 0; complete; joined 3 id 2 at pipe:2");
  assert_told (world, second, "registered 3 self 2 others 1 master 0; complete");
}

static void
test_answer_lost_joins_once (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *node = open_node (world, "fib");

  for (guint i = 0; i < 12; i++)
    {
      fake_store_set_mood (world->store, i % 2 == 0 ? FAKE_UP : FAKE_DEAF);
      advance (world, 30000);
    }
  fake_store_set_mood (world->store, FAKE_UP);
  advance (world, SECOND_US);
  assert_told (world, node, "registered 2 self 1 others master 0; complete");
}

static void
test_other_program_is_refused (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *other;

  join (world);
  other = open_node (world, "uts");
  assert_told (world, other, "over with error 5");
  g_assert_nonnull (strstr (other->why, "\"fib\""));
}

static void
test_first_build_of_each_machine_decides (void)
{
  static const char *const builds[] = { "x86-64:0a", "arm64:0a", "arm64:0a", "x86-64:0a" };
  g_autoptr (World) world = world_new ();
  RegistryNotes *other;

  for (guint i = 0; i < G_N_ELEMENTS (builds); i++)
    {
      world->build = builds[i];
      RegistryNotes *node = open_node (world, "fib");
      g_autofree char *expected = g_strdup_printf (" self %u ", i + 1);
      advance (world, SECOND_US);
      g_assert_nonnull (strstr (registry_notes_take (node), expected));
    }
  world->build = "arm64:0b";
  other = open_node (world, "fib");
  assert_told (world, other, "over with error 5");
  g_assert_nonnull (strstr (other->why, "arm64:0a"));
  g_assert_nonnull (strstr (other->why, "arm64:0b"));
}

static void
test_no_store_fails_in_time (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *node;

  fake_store_set_mood (world->store, FAKE_DOWN);
  node = open_node (world, "fib");
  advance (world, 4 * SECOND_US);
  assert_told (world, node, "");
  advance (world, SECOND_US);
  assert_told (world, node, "over with error 10");
  g_assert_nonnull (strstr (node->why, "quorum"));
}

/* When all members are dead, the next node begins the run anew, with any program, and gets a higher
 * number. */
static void
test_run_of_the_dead_begins_anew (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);
  RegistryNotes *third;

  first->ops->abandon (g_steal_pointer (&first->registry));
  second->ops->abandon (g_steal_pointer (&second->registry));
  advance (world, (LEASE_S + 1) * SECOND_US);
  third = open_node (world, "uts");
  advance (world, 2 * SECOND_US);
  assert_told (world, third, "");
  advance (world, SECOND_US);
  assert_told (world, third, "registered 5 self 3 others master 0; complete");
  g_assert_false (fake_store_has (world->store, "/satin/run/member/1"));
}

/* ---- leaving and dying ---- */

static void
test_leaving_well_is_left (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  second->ops->leave (second->registry);
  assert_told (world, second, "over");
  assert_told (world, first, "left 4 id 2");
  g_assert_false (fake_store_has (world->store, "/satin/run/life/2"));
}

static void
test_all_leave_at_once (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *nodes[] = { join (world), join (world), join (world) };

  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    nodes[i]->ops->leave (nodes[i]->registry);
  advance (world, 0);
  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    g_assert_null (nodes[i]->registry);
}

static void
test_silence_is_death (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  second->ops->abandon (g_steal_pointer (&second->registry));
  advance (world, (LEASE_S - 2) * SECOND_US);
  assert_told (world, first, "");
  advance (world, 4 * SECOND_US);
  assert_told (world, first, "died 4 id 2");
}

/* The living member with the lowest number is the first to remove dead members. Nodes 1 and 2 are
 * dead, so this is node 3. */
static void
test_dead_are_removed_by_whoever_is_left (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);
  RegistryNotes *third = join (world);

  first->ops->abandon (g_steal_pointer (&first->registry));
  second->ops->abandon (g_steal_pointer (&second->registry));
  advance (world, (LEASE_S + 2) * SECOND_US);
  assert_told (world, third, "died 5 id 1; died 6 id 2");
}

static void
test_node_in_touch_comes_back (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  fake_store_expire (world->store, 2);
  advance (world, 3 * LEASE_S * SECOND_US);
  assert_told (world, second, "");
  assert_told (world, first, "");
  g_assert_true (fake_store_has (world->store, "/satin/run/life/2"));
  second->ops->abandon (g_steal_pointer (&second->registry));
  advance (world, (LEASE_S + 2) * SECOND_US);
  assert_told (world, first, "died 4 id 2");
}

static void
test_deleted_life_comes_back (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  fake_store_put (world->store, "/satin/run/life/2", NULL);
  advance (world, 3 * LEASE_S * SECOND_US);
  assert_told (world, second, "");
  assert_told (world, first, "");
  g_assert_true (fake_store_has (world->store, "/satin/run/life/2"));
}

/* An etcd that was stopped does this: when it continues, it ends all leases before it hears of
 * nodes. */
static void
test_paused_store_kills_nobody (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *nodes[] = { join (world), join (world), join (world) };

  fake_store_set_mood (world->store, FAKE_DOWN);
  advance (world, (LEASE_S + 2) * SECOND_US);
  for (gint64 lease = 1; lease <= 3; lease++)
    fake_store_expire (world->store, lease);
  fake_store_set_mood (world->store, FAKE_UP);
  advance (world, 3 * LEASE_S * SECOND_US);
  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    assert_told (world, nodes[i], "unsure");
  nodes[2]->ops->leave (nodes[2]->registry);
  assert_told (world, nodes[0], "left 5 id 3");
}

/* After the store was away, a node without a life key has more time than usual to come back. */
static void
test_after_a_pause_there_is_more_time (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  fake_store_set_mood (world->store, FAKE_DOWN);
  advance (world, (LEASE_S + 2) * SECOND_US);
  fake_store_expire (world->store, 2);
  second->ops->abandon (g_steal_pointer (&second->registry));
  fake_store_set_mood (world->store, FAKE_UP);
  advance (world, (LEASE_S - 1) * SECOND_US);
  assert_told (world, first, "unsure");
  advance (world, 3 * SECOND_US);
  assert_told (world, first, "died 4 id 2");
}

/* No member has a life key while the store is away, but all will come back. A newcomer that did not
 * wait for them would begin the run anew. */
static void
test_newcomer_waits_for_those_who_come_back (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second;

  fake_store_set_mood (world->store, FAKE_DOWN);
  advance (world, (LEASE_S + 2) * SECOND_US);
  fake_store_expire (world->store, 1);
  second = open_node (world, "fib");
  fake_store_set_mood (world->store, FAKE_UP);
  advance (world, 4 * SECOND_US);
  assert_told (world, first, "unsure; joined 3 id 2 at pipe:2");
  assert_told (world, second, "registered 3 self 2 others 1 master 0; complete");
}

/* The death of node 2 is committed before node 2 reaches the store again. */
static void
test_removed_node_is_fenced (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  fake_store_cut (world->store, 1, TRUE);
  advance (world, (LEASE_S + 3) * SECOND_US);
  assert_told (world, first, "died 4 id 2");
  fake_store_cut (world->store, 1, FALSE);
  advance (world, 2 * SECOND_US);
  assert_told (world, second, "unsure; over with error 13");
}

static void
test_suspected_living_one_stays (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  first->ops->suspect (first->registry, 2);
  advance (world, 3 * LEASE_S * SECOND_US);
  assert_told (world, first, "");
  g_assert_nonnull (second->registry);
}

static void
test_suspected_dead_one_dies_sooner (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  second->ops->abandon (g_steal_pointer (&second->registry));
  first->ops->suspect (first->registry, 2);
  advance (world, (LEASE_S / 2 + 1) * SECOND_US);
  assert_told (world, first, "died 4 id 2");
}

static void
test_leaving_is_told_to_all (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  second->ops->leaving (second->registry, 20 * SECOND_US);
  second->ops->leaving (second->registry, 20 * SECOND_US);
  assert_told (world, second, "leaving 4 id 2");
  assert_told (world, first, "leaving 4 id 2");
  second->ops->elect (second->registry);
  assert_told (world, second, "");
}

static void
test_leaving_one_that_stays_dies (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  second->ops->leaving (second->registry, 20 * SECOND_US);
  advance (world, 24 * SECOND_US);
  assert_told (world, first, "leaving 4 id 2");
  advance (world, 3 * SECOND_US);
  assert_told (world, first, "died 5 id 2");
  assert_told (world, second, "leaving 4 id 2; over with error 13");
}

/* ---- elections, signals, the end ---- */

static void
test_one_of_two_offers_wins (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  first->ops->elect (first->registry);
  second->ops->elect (second->registry);
  assert_told (world, first, "elected 4 id 1 term 1");
  assert_told (world, second, "elected 4 id 1 term 1");
}

static void
test_next_master_has_a_higher_term (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  first->ops->elect (first->registry);
  advance (world, 0);
  first->ops->leave (first->registry);
  advance (world, 0);
  second->ops->elect (second->registry);
  assert_told (world, second, "elected 4 id 1 term 1; left 5 id 1; elected 6 id 2 term 2");
}

static void
test_words_come_once_and_in_order (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  first->ops->signal (first->registry, 0, "a", NULL);
  first->ops->signal (first->registry, 2, "b", NULL);
  first->ops->signal (first->registry, 2, "c", NULL);
  first->ops->signal (first->registry, 99, "d", NULL);
  first->ops->signal (first->registry, 0, "e", NULL);
  assert_told (world, first, "signal a ; signal e ");
  assert_told (world, second, "signal a ; signal b ; signal c ; signal e ");
}

/* The word was written, but the answer was lost, so the node writes it again. */
static void
test_word_said_twice_is_heard_once (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  fake_store_set_mood (world->store, FAKE_DEAF);
  first->ops->signal (first->registry, 2, "a", NULL);
  advance (world, 0);
  fake_store_set_mood (world->store, FAKE_UP);
  advance (world, 2 * SECOND_US);
  assert_told (world, second, "signal a ");
}

static void
test_end_is_told_and_all_leave (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  first->ops->elect (first->registry);
  advance (world, 0);
  first->ops->end (first->registry, 3, "enough");
  assert_told (world, second, "elected 4 id 1 term 1; end 3 enough");
  advance (world, SECOND_US);
  g_assert_null (first->registry);
  g_assert_null (second->registry);
}

static void
test_only_the_master_ends (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);

  first->ops->end (first->registry, 3, "enough");
  assert_told (world, first, "");
}

static void
test_late_comer_is_told_of_the_end (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *late;

  first->ops->elect (first->registry);
  advance (world, 0);
  first->ops->end (first->registry, 3, "enough");
  advance (world, SECOND_US);
  late = open_node (world, "fib");
  assert_told (world, late, "over with error 12");
  g_assert_nonnull (strstr (late->why, "exit status 3: enough"));
}

static void
test_run_that_is_over_is_forgotten (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *next;

  first->ops->elect (first->registry);
  advance (world, 0);
  first->ops->end (first->registry, 0, "");
  advance (world, 61 * SECOND_US);
  g_assert_false (fake_store_has (world->store, "/satin/run/view"));
  next = open_node (world, "uts");
  assert_told (world, next, "registered 2 self 1 others master 0; complete");
}

/* ---- states ---- */

static void
test_state_table_ends_in_done (void)
{
  for (ClientState to = 0; to < CLIENT_N_STATES; to++)
    g_assert_false (client_state_may (CLIENT_DONE, to));
  g_assert_true (client_state_may (CLIENT_JOINING, CLIENT_MEMBER));
  g_assert_false (client_state_may (CLIENT_LEAVING, CLIENT_MEMBER));
}

#define CASE(path, function) g_test_add_func ("/net/registry-etcd/" path, function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("join/first-is-alone", test_first_joins_alone);
  CASE ("join/view-then-events", test_view_then_events);
  CASE ("join/two-at-once-get-two-numbers", test_two_at_once_get_two_numbers);
  CASE ("join/lost-answers-join-once", test_answer_lost_joins_once);
  CASE ("join/other-program-is-refused", test_other_program_is_refused);
  CASE ("join/first-build-of-each-machine-decides", test_first_build_of_each_machine_decides);
  CASE ("join/no-store-fails-in-time", test_no_store_fails_in_time);
  CASE ("join/run-of-the-dead-begins-anew", test_run_of_the_dead_begins_anew);
  CASE ("leave/is-left", test_leaving_well_is_left);
  CASE ("leave/all-at-once", test_all_leave_at_once);
  CASE ("death/silence-is-death", test_silence_is_death);
  CASE ("death/removed-by-whoever-is-left", test_dead_are_removed_by_whoever_is_left);
  CASE ("death/removed-node-is-fenced", test_removed_node_is_fenced);
  CASE ("return/node-in-touch-comes-back", test_node_in_touch_comes_back);
  CASE ("return/deleted-life-comes-back", test_deleted_life_comes_back);
  CASE ("return/paused-store-kills-nobody", test_paused_store_kills_nobody);
  CASE ("return/more-time-after-a-pause", test_after_a_pause_there_is_more_time);
  CASE ("return/newcomer-waits-for-those-who-come-back",
        test_newcomer_waits_for_those_who_come_back);
  CASE ("death/suspected-living-one-stays", test_suspected_living_one_stays);
  CASE ("death/suspected-dead-one-dies-sooner", test_suspected_dead_one_dies_sooner);
  CASE ("leaving/is-told-to-all", test_leaving_is_told_to_all);
  CASE ("leaving/one-that-stays-dies", test_leaving_one_that_stays_dies);
  CASE ("elect/one-of-two-offers-wins", test_one_of_two_offers_wins);
  CASE ("elect/next-has-a-higher-term", test_next_master_has_a_higher_term);
  CASE ("word/once-and-in-order", test_words_come_once_and_in_order);
  CASE ("word/said-twice-is-heard-once", test_word_said_twice_is_heard_once);
  CASE ("end/told-and-all-leave", test_end_is_told_and_all_leave);
  CASE ("end/by-the-master-only", test_only_the_master_ends);
  CASE ("end/late-comer-is-told", test_late_comer_is_told_of_the_end);
  CASE ("end/is-forgotten", test_run_that_is_over_is_forgotten);
  CASE ("state/done-is-final", test_state_table_ends_in_done);
  return g_test_run ();
}
