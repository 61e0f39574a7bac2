/* test-replicas-digest.c - tests that replicas become equal, whatever messages were lost
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "replicas-world.h"

/* Long enough for every node to compare its objects with those of several other nodes. */
#define LONG_US (12 * WORLD_DIGEST_US)
#define SOON_US ((gint64)50000)

/* Sets the value on node @at, and loses the updates to all other nodes. */
static void
set_alone (ReplicasWorld *world, SatinNodeId at, const SatinObjectType *type, gint64 value)
{
  world->lost = REPLICAS_UPDATES;
  replicas_world_set (world, at, type, value);
  replicas_world_advance (world, 2 * WORLD_FAR_US);
  world->lost = 0;
}

static void
check_all (ReplicasWorld *world, const SatinObjectType *type, gint64 value)
{
  for (guint i = 0; i < world->n_nodes; i++)
    if (world->nodes[i].replicas != NULL)
      g_assert_cmpint (replicas_world_get (world, i + 1, type), ==, value);
}

static void
test_a_lost_update_is_found (void)
{
  ReplicasWorld *world = replicas_world_new ("aaaa");
  replicas_world_create_all (world, &top_type, 1);
  set_alone (world, 2, &top_type, 7);
  g_assert_cmpint (replicas_world_get (world, 3, &top_type), ==, 1);
  replicas_world_set (world, 1, &top_type, 2);
  replicas_world_advance (world, LONG_US);
  check_all (world, &top_type, 7);
  replicas_world_free (world);
}

static void
test_it_is_found_between_clusters (void)
{
  ReplicasWorld *world = replicas_world_new ("aabbcc");
  replicas_world_create_all (world, &top_type, 1);
  replicas_world_set (world, 1, &top_type, 2);
  replicas_world_advance (world, SOON_US);
  set_alone (world, 6, &top_type, 7);
  replicas_world_advance (world, 2 * LONG_US);
  check_all (world, &top_type, 7);
  for (guint i = 0; i < world->sent->len; i++)
    {
      const WorldMessage *message = &g_array_index (world->sent, WorldMessage, i);
      gboolean is_near = (message->from - 1) / 2 == (message->to - 1) / 2;
      g_assert_true (is_near || message->kind != REPLICAS_DIGEST
                     || (message->from % 2 == 1 && message->to % 2 == 1));
    }
  replicas_world_free (world);
}

/* Each of the two nodes has a value that the other node lacks. */
static void
test_types_that_merge_lose_nothing (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_create_all (world, &top_type, 1);
  set_alone (world, 1, &top_type, 7);
  set_alone (world, 1, &top_type, 7);
  set_alone (world, 2, &top_type, 9);
  replicas_world_advance (world, LONG_US);
  check_all (world, &top_type, 9);
  replicas_world_free (world);
}

static void
test_the_higher_version_counts (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_create_all (world, &page_type, 1);
  for (guint i = 0; i < 5; i++)
    set_alone (world, 1, &page_type, 3);
  set_alone (world, 2, &page_type, 4);
  replicas_world_advance (world, LONG_US);
  check_all (world, &page_type, 4);
  replicas_world_free (world);
}

/* Tries ten values: with a single one, the comparison of hashes could be right by chance. */
static void
test_without_versions_more_updates_count (void)
{
  for (gint64 value = 2; value < 12; value++)
    {
      ReplicasWorld *world = replicas_world_new ("aa");
      replicas_world_create_all (world, &note_type, 1);
      set_alone (world, 1, &note_type, 3);
      set_alone (world, 1, &note_type, value);
      set_alone (world, 2, &note_type, 1000);
      replicas_world_advance (world, LONG_US);
      check_all (world, &note_type, value);
      replicas_world_free (world);
    }
}

/* Node 2 fetches the object from node 1, and with it the number of updates that node 1 has applied.
 * Node 3 has applied fewer updates. */
static void
test_what_was_fetched_has_had_its_updates (void)
{
  for (gint64 value = 2; value < 12; value++)
    {
      ReplicasWorld *world = replicas_world_new ("aaa");
      replicas_world_create (world, 1, &note_type, 1);
      replicas_world_create (world, 3, &note_type, 1);
      set_alone (world, 1, &note_type, 3);
      set_alone (world, 1, &note_type, value);
      set_alone (world, 3, &note_type, 1000);
      replicas_world_want (world, 2, 1, &note_type);
      replicas_world_advance (world, SOON_US);
      replicas_world_kill (world, 1);
      replicas_world_advance (world, LONG_US);
      check_all (world, &note_type, value);
      replicas_world_free (world);
    }
}

static void
test_what_is_large_is_not_compared_while_it_changes (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  g_autofree guint8 *text = g_malloc0 (100000);
  const page_state state = { .value = 1, .text = text, .n_text = 100000 };
  for (guint i = 0; i < 2; i++)
    satin_objects_create (world->nodes[i].objects, &page_type, "it", &state, NULL);
  replicas_world_set (world, 1, &page_type, 2);
  replicas_world_advance (world, LONG_US);
  for (gint64 value = 3; value < 60; value++)
    {
      set_alone (world, 1, &page_type, value);
      replicas_world_advance (world, 100000);
    }
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_FETCH, 0, 0), ==, 0);
  replicas_world_advance (world, LONG_US);
  check_all (world, &page_type, 59);
  replicas_world_free (world);
}

static void
test_what_is_changed_in_place_is_not_compared (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_create_all (world, &board_type, 1);
  set_alone (world, 1, &board_type, 7);
  replicas_world_advance (world, LONG_US);
  g_assert_cmpint (replicas_world_get (world, 2, &board_type), ==, 1);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_DIGEST, 0, 0), ==, 0);
  replicas_world_free (world);
}

static void
test_at_last_chance_decides_the_same_everywhere (void)
{
  ReplicasWorld *world = replicas_world_new ("aaa");
  replicas_world_create_all (world, &note_type, 1);
  for (SatinNodeId id = 1; id <= 3; id++)
    set_alone (world, id, &note_type, 10 + id);
  replicas_world_advance (world, LONG_US);
  check_all (world, &note_type, replicas_world_get (world, 1, &note_type));
  replicas_world_free (world);
}

static void
test_what_is_alike_does_not_travel (void)
{
  ReplicasWorld *world = replicas_world_new ("aab");
  replicas_world_create_all (world, &top_type, 1);
  replicas_world_set (world, 1, &top_type, 7);
  replicas_world_advance (world, LONG_US);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_DIGEST, 0, 0), >, 10);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_FETCH, 0, 0), ==, 0);
  replicas_world_free (world);
}

static void
test_who_has_no_replica_does_not_compare (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_create (world, 1, &top_type, 1);
  replicas_world_set (world, 1, &top_type, 7);
  replicas_world_advance (world, LONG_US);
  g_assert_cmpint (replicas_world_get (world, 2, &top_type), ==, -1);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_DIGEST, 2, 0), ==, 0);
  replicas_world_free (world);
}

/* Returns: how long it takes until the next digest. @dead: a node that dies before that; 0: none */
static gint64
measure_digest_us (SatinNodeId dead)
{
  ReplicasWorld *world = replicas_world_new ("aaa");
  replicas_world_create_all (world, &top_type, 1);
  replicas_world_set (world, 1, &top_type, 7);
  replicas_world_advance (world, SOON_US);
  if (dead != 0)
    replicas_world_kill (world, dead);
  gint64 since_us = satin_loop_now_us (world->loop);
  while (replicas_world_count_sent (world, REPLICAS_DIGEST, 0, 0) == 0)
    replicas_world_advance (world, 1000);
  gint64 time_us = satin_loop_now_us (world->loop) - since_us;
  replicas_world_free (world);
  return time_us;
}

static void
test_after_a_loss_nodes_compare_soon (void)
{
  g_assert_cmpint (measure_digest_us (0), >, WORLD_DIGEST_US / 4);
  g_assert_cmpint (measure_digest_us (3), <=, WORLD_DIGEST_US / 8 + 1000);
}

/* The new master never had the object. Without asking the other nodes, it would create the object
 * again, with its initial value. */
static void
test_a_new_master_asks_what_others_have (void)
{
  ReplicasWorld *world = replicas_world_new ("aaabb");
  for (SatinNodeId id = 1; id <= 5; id++)
    if (id != 2)
      replicas_world_create (world, id, &top_type, 1);
  replicas_world_set (world, 1, &top_type, 7);
  replicas_world_advance (world, SOON_US);
  replicas_world_kill (world, 1);
  fake_net_set_term (world->net, 2);
  fake_net_set_master (world->net, 2);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 2, &top_type), ==, 7);
  replicas_world_free (world);
}

/* A new master without objects does not know that other nodes have some. It asks when it creates
 * its first object. */
static void
test_a_new_master_asks_when_it_has_objects (void)
{
  ReplicasWorld *world = replicas_world_new ("ab");
  world->cut = 1;
  replicas_world_create (world, 2, &top_type, 1);
  replicas_world_set (world, 2, &top_type, 7);
  replicas_world_advance (world, SOON_US);
  world->cut = 0;
  fake_net_set_term (world->net, 2);
  fake_net_set_master (world->net, 1);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_DIGEST, 1, 2), ==, 0);
  replicas_world_create (world, 1, &top_type, 1);
  replicas_world_set (world, 1, &top_type, 2);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 1, &top_type), ==, 7);
  replicas_world_free (world);
}

static void
test_what_it_made_anew_takes_over (void)
{
  ReplicasWorld *world = replicas_world_new ("ab");
  replicas_world_create (world, 2, &top_type, 1);
  replicas_world_set (world, 2, &top_type, 7);
  replicas_world_advance (world, SOON_US);
  fake_net_set_term (world->net, 2);
  fake_net_set_master (world->net, 1);
  replicas_world_create (world, 1, &top_type, 1);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 1, &top_type), ==, 7);
  replicas_world_free (world);
}

/* Does something by chance that a living node could do. */
static void
do_something (ReplicasWorld *world)
{
  SatinNodeId id = (SatinNodeId)g_test_rand_int_range (1, WORLD_MAX_NODES + 1);
  SatinNodeId other = (SatinNodeId)g_test_rand_int_range (1, WORLD_MAX_NODES + 1);
  if (world->nodes[id - 1].replicas == NULL || world->nodes[other - 1].replicas == NULL)
    return;
  gint what = g_test_rand_int_range (0, 100);
  if (replicas_world_get (world, id, &top_type) == -1)
    replicas_world_want (world, id, other, &top_type);
  else if (what < 90)
    replicas_world_set (world, id, &top_type, g_test_rand_int_range (0, 1000000));
  else if (what < 97 && id != other)
    fake_net_break_link (world->net, id, other);
  else if (what == 99 && id != 1)
    replicas_world_kill (world, id);
}

static void
test_all_agree_whatever_was_lost (void)
{
  for (guint i = 0; i < 20; i++)
    {
      ReplicasWorld *world = replicas_world_new ("aaabbbcc");
      replicas_world_create (world, 1, &top_type, 1);
      world->n_lost = g_test_rand_int_range (0, 60);
      world->is_doubling = g_test_rand_bit ();
      for (guint j = 0; j < 200; j++)
        {
          do_something (world);
          replicas_world_advance (world, g_test_rand_int_range (0, 10000));
        }
      world->n_lost = 0;
      replicas_world_advance (world, FETCH_MAX_SOURCES * FETCH_DEADLINE_US);
      for (guint id = 1; id <= world->n_nodes; id++)
        if (world->nodes[id - 1].replicas != NULL)
          replicas_world_want (world, id, 1, &top_type);
      replicas_world_advance (world, 3 * LONG_US);
      check_all (world, &top_type, replicas_world_get (world, 1, &top_type));
      replicas_world_free (world);
    }
}

#define CASE(name, test) g_test_add_func ("/so/replicas-digest/" name, test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("a-lost-update-is-found", test_a_lost_update_is_found);
  CASE ("it-is-found-between-clusters-by-their-relays", test_it_is_found_between_clusters);
  CASE ("types-that-merge-lose-nothing", test_types_that_merge_lose_nothing);
  CASE ("the-higher-version-counts", test_the_higher_version_counts);
  CASE ("without-versions-more-updates-count", test_without_versions_more_updates_count);
  CASE ("what-was-fetched-has-had-its-updates", test_what_was_fetched_has_had_its_updates);
  CASE ("what-is-large-is-not-compared-while-it-changes",
        test_what_is_large_is_not_compared_while_it_changes);
  CASE ("what-is-changed-in-place-is-not-compared", test_what_is_changed_in_place_is_not_compared);
  CASE ("at-last-chance-decides-the-same-everywhere",
        test_at_last_chance_decides_the_same_everywhere);
  CASE ("what-is-alike-does-not-travel", test_what_is_alike_does_not_travel);
  CASE ("who-has-no-replica-does-not-compare", test_who_has_no_replica_does_not_compare);
  CASE ("after-a-loss-nodes-compare-soon", test_after_a_loss_nodes_compare_soon);
  CASE ("a-new-master-asks-what-others-have", test_a_new_master_asks_what_others_have);
  CASE ("a-new-master-asks-when-it-has-objects", test_a_new_master_asks_when_it_has_objects);
  CASE ("what-it-made-anew-takes-over", test_what_it_made_anew_takes_over);
  CASE ("all-agree-whatever-was-lost", test_all_agree_whatever_was_lost);
  return g_test_run ();
}
