/* test-registry-etcd-trouble.c - tests a store that stands still, forgets, or has impossible values
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "etcd-world.h"

/* While the store has no quorum, no node can renew its lease, but no node dies. */
static void
test_no_quorum_kills_nobody (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  fake_store_set_mood (world->store, FAKE_DOWN);
  advance (world, 10 * LEASE_S * SECOND_US);
  assert_told (world, first, "unsure");
  assert_told (world, second, "unsure");
  fake_store_set_mood (world->store, FAKE_UP);
  advance (world, 10 * LEASE_S * SECOND_US);
  assert_told (world, first, "");
  second->ops->leave (second->registry);
  assert_told (world, first, "left 4 id 2");
}

static void
test_offer_waits_for_the_quorum (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);

  fake_store_set_mood (world->store, FAKE_DOWN);
  first->ops->elect (first->registry);
  advance (world, 3 * SECOND_US);
  assert_told (world, first, "unsure");
  fake_store_set_mood (world->store, FAKE_UP);
  advance (world, 2 * SECOND_US);
  assert_told (world, first, "elected 3 id 1 term 1");
}

static void
test_broken_watch_misses_nothing (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  second->ops->leave (second->registry);
  fake_store_break_watches (world->store);
  advance (world, 2 * SECOND_US);
  assert_told (world, first, "left 4 id 2");
}

/* The first node gets no events while node 2 leaves, and node 3 joins and is elected. Then it reads
 * all keys, and cannot tell that node 2 left in good order. */
static void
test_compacted_watch_is_told_the_difference (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);
  Client *deaf = first->registry;

  fake_store_ops.close (deaf->store);
  deaf->store = fake_store_connect (world->store); /* a new connection watches nothing */
  second->ops->leave (second->registry);
  advance (world, 0);
  RegistryNotes *third = join (world);
  third->ops->elect (third->registry);
  advance (world, 0);
  fake_store_compact (world->store);
  client_read (deaf);
  assert_told (world, first, "died 4 id 2; joined 5 id 3 at pipe:3; elected 6 id 3 term 1");
}

static void
test_compaction_while_broken_is_survived (void)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  fake_store_set_mood (world->store, FAKE_DEAF); /* watches are silent now */
  second->ops->leave (second->registry);
  advance (world, 0);
  fake_store_compact (world->store);
  fake_store_set_mood (world->store, FAKE_UP);
  advance (world, 2 * SECOND_US);
  g_assert_nonnull (strstr (heard (world, first), "4 id 2"));
  join (world);
}

static void
put_record (World *world, const char *key, const SatinRecord *record, gconstpointer data)
{
  g_autoptr (GBytes) value = satin_record_to_bytes (record, data);

  fake_store_put (world->store, key, value);
}

/* With such a view a node would join again and again, under numbers that no key can have. */
static void
test_view_out_of_range_ends_the_join (void)
{
  static const guint8 run[KEY_RUN_BYTES] = { 1 };
  const KeyView views[] = { { .highest = G_MAXINT64, .run = run, .n_run = sizeof run },
                            { .highest = G_MAXINT32, .run = run, .n_run = sizeof run },
                            { .highest = -2, .run = run, .n_run = sizeof run },
                            { .number = G_MAXINT64, .run = run, .n_run = sizeof run },
                            { .n_run = 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autoptr (World) world = world_new ();
      RegistryNotes *node;
      put_record (world, "/satin/run/view", &KeyView_record, &views[i]);
      node = open_node (world, "fib");
      assert_told (world, node, "over with error 6");
      g_assert_cmpuint (world->store->n_commits, ==, 0);
    }
}

static void
test_member_out_of_range_is_ignored (void)
{
  const KeyMember member = { .is_leaving = TRUE, .leave_within_us = G_MAXINT64 };
  g_autoptr (World) world = world_new ();
  RegistryNotes *first = join (world);

  g_test_expect_message ("satin-registry-etcd", G_LOG_LEVEL_WARNING, "*out of range*");
  put_record (world, "/satin/run/member/7", &KeyMember_record, &member);
  assert_told (world, first, "");
  g_test_assert_expected_messages ();
}

/* The key looks like the node's own, but no commit wrote it. The node begins the run anew. */
static void
test_member_without_a_view_is_swept_away (void)
{
  const KeyMember member = { .lease = 1 };
  g_autoptr (World) world = world_new ();
  RegistryNotes *node;

  put_record (world, "/satin/run/member/1", &KeyMember_record, &member);
  node = open_node (world, "fib");
  assert_told (world, node, "");
  advance (world, 4 * SECOND_US);
  assert_told (world, node, "registered 2 self 2 others master 0; complete");
}

#define CASE(path, function) g_test_add_func ("/net/registry-etcd-trouble/" path, function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("no-quorum-kills-nobody", test_no_quorum_kills_nobody);
  CASE ("offer-waits-for-the-quorum", test_offer_waits_for_the_quorum);
  CASE ("broken-watch-misses-nothing", test_broken_watch_misses_nothing);
  CASE ("difference-is-told-deaths-first", test_compacted_watch_is_told_the_difference);
  CASE ("compaction-is-survived", test_compaction_while_broken_is_survived);
  CASE ("view-out-of-range-ends-the-join", test_view_out_of_range_ends_the_join);
  CASE ("member-out-of-range-is-ignored", test_member_out_of_range_is_ignored);
  CASE ("member-without-a-view-is-swept-away", test_member_without_a_view_is_swept_away);
  return g_test_run ();
}
