/* test-checkpoint-client-results.c - tests how the coordinator gives stored results to nodes
 *
 * Node 1 is the coordinator, node 2 the master.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coordinator-world.h"

static void
test_tells_of_the_dead (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  checkpoint_world_say_store (world, 4, 2, 2, 1, 0);
  checkpoint_world_settle (world);
  fake_net_remove (world->net, SENDER, SATIN_PEER_DIED);
  checkpoint_world_settle (world);
  g_assert_cmpuint (world->ft->orphans->len, ==, 1);
  tear_down ();
}

static void
test_who_left_took_its_results_along (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  fake_net_remove (world->net, SENDER, SATIN_PEER_LEFT);
  checkpoint_world_settle (world);
  g_assert_cmpuint (world->ft->orphans->len, ==, 0);
  tear_down ();
}

/* Node 1 asks for the only stored result. Returns: whether an answer will come */
static gboolean
fetch (void)
{
  const Orphan *orphan = g_ptr_array_index (world->ft->orphans, 0);
  const SatinJobRef ref = orphan->ref;
  return world->recovery->ops->fetch (world->recovery, &ref, 77);
}

static void
test_fetched (void)
{
  const gint32 n = 1;
  set_up ();
  g_assert_cmpint (store (n), ==, VERDICT_STORED);
  begin_another_run ();
  g_assert_true (fetch ());
  g_assert_cmpuint (world->n_fetched, ==, 0);
  checkpoint_world_settle (world);
  g_assert_cmpuint (world->n_fetched, ==, 1);
  g_assert_cmpmem (g_bytes_get_data (world->fetched, NULL), g_bytes_get_size (world->fetched), &n,
                   sizeof n);
  g_assert_cmpuint (world->ft->orphans->len, ==, 0);
  tear_down ();
}

/* Node 1 has joined after the election, so it got no event of that. */
static void
test_tells_again_after_a_master_that_was_there (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  checkpoint_world_free (world);
  world = checkpoint_world_new_again (4, NULL, 0);
  fake_net_set_master (world->net, MASTER);
  world->client->master = 0;
  satin_ft_set_peers (world->ft, NULL);
  satin_ft_set_peers (world->ft, fake_net_get_peers (world->net, 1));
  checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_BE, 1);
  checkpoint_world_settle (world);
  checkpoint_world_settle (world);
  g_assert_true (fetch ());
  checkpoint_world_settle (world);
  g_assert_cmpuint (world->ft->orphans->len, ==, 0);
  fake_net_remove (world->net, MASTER, SATIN_PEER_DIED);
  checkpoint_world_settle (world);
  g_assert_cmpuint (world->ft->orphans->len, ==, 1);
  tear_down ();
}

static void
test_told_counted (void)
{
  set_up ();
  store (1);
  store (2);
  gint64 n_bytes = checkpoint_world_figure (world, "checkpoint.bytes");
  begin_another_run ();
  g_assert_cmpint (store (3), ==, VERDICT_STORED);
  g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.told"), ==, 2);
  g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.found-bytes"), ==, n_bytes);
  tear_down ();
}

/* Hints call a result by a name. Each name is used only once, even when this node resigns and
 * becomes the coordinator again. */
static void
test_fetched_by_an_old_name (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  begin_another_run ();
  const SatinJobRef old = ((const Orphan *)g_ptr_array_index (world->ft->orphans, 0))->ref;
  checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_IS, SENDER);
  checkpoint_world_settle (world);
  g_assert_cmpuint (world->ft->orphans->len, ==, 0);
  be ();
  g_assert_cmpuint (world->ft->orphans->len, ==, 1);
  g_assert_false (world->recovery->ops->fetch (world->recovery, &old, 77));
  g_assert_true (fetch ());
  checkpoint_world_settle (world);
  g_assert_cmpuint (world->n_fetched, ==, 1);
  tear_down ();
}

/* The disk is full. Stored results can still be read, and new results wait for room. There is only
 * one warning: result 1 counts as stored because it is in a log already. That does not prove that
 * the storage can be written again. */
static void
test_full_disk (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  checkpoint_world_free (world);
  world = checkpoint_world_new_again (4, "capacity=1", 0);
  fake_net_set_master (world->net, MASTER);
  checkpoint_world_say_number (world, MASTER, CHECKPOINT_MESSAGE_TIME, 7);
  checkpoint_world_settle (world);
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "*no room*results wait until it can be*");
  be ();
  g_test_assert_expected_messages ();
  g_assert_cmpuint (world->ft->orphans->len, ==, 1);
  g_assert_true (fetch ());
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  g_assert_cmpint (store (2), ==, -1);
  g_assert_cmpuint (world->n_fetched, ==, 1);
  g_assert_nonnull (world->fetched);
  tear_down ();
}

static void
test_fetched_damaged (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  begin_another_run ();
  checkpoint_world_damage ();
  g_assert_true (fetch ());
  checkpoint_world_settle (world);
  g_assert_cmpuint (world->n_fetched, ==, 1);
  g_assert_null (world->fetched);
  tear_down ();
}

static void
test_fetch_of_an_orphan (void)
{
  const SatinJobRef ref = { SENDER, 3, 4 };
  set_up ();
  g_assert_false (world->recovery->ops->fetch (world->recovery, &ref, 77));
  tear_down ();
}

static void
test_removed (void)
{
  CheckpointStateMessage state;
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  checkpoint_world_say_number (world, MASTER, CHECKPOINT_MESSAGE_REMOVE, 0);
  checkpoint_world_settle (world);
  g_assert_true (checkpoint_world_hear (world, MASTER, CHECKPOINT_MESSAGE_REMOVED,
                                        &CheckpointStateMessage_record, &state));
  g_assert_cmpint (state.code, ==, -1);
  satin_record_clear (&CheckpointStateMessage_record, &state);
  g_assert_cmpuint (checkpoint_world_count_stored (world), ==, 0);
  tear_down ();
}

static void
test_nothing_after_the_end (void)
{
  set_up ();
  checkpoint_world_say_number (world, MASTER, CHECKPOINT_MESSAGE_REMOVE, 0);
  g_assert_cmpint (store (1), ==, VERDICT_FULL);
  g_assert_cmpuint (checkpoint_world_count_stored (world), ==, 0);
  tear_down ();
}

#define ADD(CLAIM, FUNC) g_test_add_func ("/ft/checkpoint-results/" CLAIM, FUNC)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("goes-on-from-a-disk-that-is-full", test_full_disk);
  ADD ("tells-of-results-of-the-dead", test_tells_of_the_dead);
  ADD ("results-of-who-left-are-elsewhere", test_who_left_took_its_results_along);
  ADD ("tells-again-after-a-master-that-was-there-when-it-joined",
       test_tells_again_after_a_master_that_was_there);
  ADD ("what-was-there-is-counted-apart", test_told_counted);
  ADD ("a-stored-result-is-fetched", test_fetched);
  ADD ("a-damaged-result-is-not", test_fetched_damaged);
  ADD ("an-old-name-is-no-other-result's", test_fetched_by_an_old_name);
  ADD ("an-orphan-of-the-core-is-not-its-business", test_fetch_of_an_orphan);
  ADD ("removes-all-at-the-end", test_removed);
  ADD ("nothing-is-written-after-the-end", test_nothing_after_the_end);
  return g_test_run ();
}
