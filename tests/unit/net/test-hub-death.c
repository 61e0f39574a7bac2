/* test-hub-death.c - tests when the hub declares a member dead, and how it treats the dead
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "hub-world.h"

#define SECOND WORLD_SECOND_US

static const SatinHubOptions two_seconds = { .heartbeat_us = SECOND / 2, .death_us = 2 * SECOND };

/* ---- silence ---- */

static void
test_silence_is_death (void)
{
  World *world = world_new (&two_seconds);
  End *silent = world_add_node (world);
  End *other = world_add_node (world);

  silent->is_beating = FALSE;
  world_advance (world, 3 * SECOND);
  assert_heard (other, "died 3 id 1");
  assert_heard (silent, "joined 2 id 2; down FENCED");
  assert_holder (world, "1 joined; 2 joined; 1 died");
  world_free (world);
}

static void
test_silence_below_the_limit_is_life (void)
{
  World *world = world_new (&two_seconds);
  End *silent = world_add_node (world);

  silent->is_beating = FALSE;
  for (guint i = 0; i < 5; i++)
    {
      world_advance (world, two_seconds.death_us - SECOND / 10);
      end_send (silent, HUB_MESSAGE_HEARTBEAT, NULL);
    }
  assert_heard (silent, "");
  world_free (world);
}

static void
test_heartbeats_keep_alive (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);

  world_advance (world, 60 * SECOND);
  assert_heard (node, "");
  world_free (world);
}

/* A node that sends heartbeats and reads nothing costs the hub no memory for the answers. */
static void
test_heartbeats_do_not_fill_the_queue (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);
  HubMember *member = hub_member_find (world->hub, node->id);

  satin_link_pause (node->link, TRUE);
  for (guint i = 0; i < 100000; i++)
    {
      end_send (node, HUB_MESSAGE_HEARTBEAT, NULL);
      if (i % 1000 == 0)
        world_settle (world);
    }
  g_assert_cmpuint (satin_link_queued_bytes (member->connection->link), <,
                    SATIN_LINK_ANSWER_MAX_BYTES + 100);
  world_free (world);
}

static void
test_death_is_seen_soon_after_the_limit (void)
{
  World *world = world_new (&two_seconds);
  End *silent = world_add_node (world);

  world_add_node (world);
  end_heard (silent);
  silent->is_beating = FALSE;
  world_advance (world, two_seconds.death_us + SECOND / 2);
  assert_heard (silent, "down FENCED");
  world_free (world);
}

/* ---- the hub itself stood still ---- */

static void
test_time_the_hub_slept_is_no_silence (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);

  world_advance (world, SECOND);
  world_freeze (world, 60 * SECOND);
  world_advance (world, SECOND);
  assert_heard (node, "");
  assert_holder (world, "1 joined");
  world_free (world);
}

static void
test_many_short_sleeps_are_no_silence (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);

  node->is_beating = FALSE;
  for (guint i = 0; i < 10; i++)
    {
      world_freeze (world, SECOND);
      world_advance (world, SECOND / 10);
    }
  assert_heard (node, "");
  world_free (world);
}

static void
test_one_that_is_silent_dies_also_after_a_sleep (void)
{
  World *world = world_new (&two_seconds);
  End *silent = world_add_node (world);

  world_add_node (world);
  end_heard (silent);
  silent->is_beating = FALSE;
  world_advance (world, SECOND);
  world_freeze (world, 60 * SECOND);
  world_advance (world, 3 * SECOND);
  assert_heard (silent, "down FENCED");
  world_free (world);
}

static void
test_sleep_does_not_end_a_short_grace (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);

  end_break (node);
  world_freeze (world, 60 * SECOND);
  world_advance (world, SECOND / 2);
  assert_holder (world, "1 joined");
  world_free (world);
}

/* ---- all are silent at once ---- */

/* Returns: a world with two nodes that send nothing */
static World *
make_silence (End **ret_one, End **ret_other)
{
  World *world = world_new (&two_seconds);

  *ret_one = world_add_node (world);
  *ret_other = world_add_node (world);
  (*ret_one)->is_beating = FALSE;
  (*ret_other)->is_beating = FALSE;
  end_heard (*ret_one);
  world_heard (world);
  return world;
}

static void
test_silence_that_all_share_is_no_death (void)
{
  End *one, *other;
  World *world = make_silence (&one, &other);

  world_advance (world, 15 * two_seconds.death_us / 2);
  assert_holder (world, "");
  one->is_beating = TRUE;
  other->is_beating = TRUE;
  world_advance (world, 60 * SECOND);
  assert_heard (one, "");
  assert_heard (other, "");
  world_free (world);
}

static void
test_silence_of_the_only_node_is_no_death (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);

  node->is_beating = FALSE;
  world_advance (world, 5 * two_seconds.death_us);
  assert_heard (node, "");
  world_free (world);
}

static void
test_others_have_time_when_one_is_heard_again (void)
{
  End *one, *other;
  World *world = make_silence (&one, &other);

  world_advance (world, 5 * two_seconds.death_us);
  one->is_beating = TRUE;
  world_advance (world, two_seconds.death_us - SECOND / 2);
  assert_holder (world, "");
  world_advance (world, SECOND);
  assert_holder (world, "2 died");
  assert_heard (one, "died 3 id 2");
  world_free (world);
}

static void
test_silence_that_all_share_ends (void)
{
  End *one, *other;
  World *world = make_silence (&one, &other);

  world_advance (world, HUB_DOUBT_DEATHS * two_seconds.death_us);
  assert_holder (world, "");
  world_advance (world, 2 * two_seconds.death_us);
  assert_holder (world, "1 died; 2 died");
  world_free (world);
}

static void
test_a_confirmed_death_does_not_wait (void)
{
  End *one, *other;
  World *world = make_silence (&one, &other);

  world_advance (world, 2 * two_seconds.death_us);
  satin_hub_process_ended (world->hub, "host", one->pid, "killed");
  assert_holder (world, "1 died");
  world_free (world);
}

static void
test_a_second_silence_that_all_share_counts_anew (void)
{
  End *one, *other;
  World *world = make_silence (&one, &other);

  for (guint i = 0; i < 3; i++)
    {
      one->is_beating = other->is_beating = FALSE;
      world_advance (world, 8 * two_seconds.death_us);
      one->is_beating = other->is_beating = TRUE;
      world_advance (world, SECOND);
    }
  assert_holder (world, "");
  world_free (world);
}

/* The hub stood still for so long that its nodes gave up and broke their links. */
static void
test_links_that_broke_while_the_hub_slept_have_time (void)
{
  World *world = world_new (&two_seconds);
  End *one = world_add_node (world);
  End *other = world_add_node (world);

  world_heard (world);
  world_freeze (world, 60 * SECOND);
  end_break (one);
  end_break (other);
  world_advance (world, two_seconds.death_us - SECOND / 4);
  assert_holder (world, "");
  world_free (world);
}

/* ---- a link broke ---- */

static void
test_broken_link_is_not_death_at_once (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);

  end_break (node);
  world_advance (world, HUB_SHORT_GRACE_US - SECOND / 10);
  assert_holder (world, "1 joined");
  world_free (world);
}

static void
test_grace_begins_when_the_link_breaks (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);

  node->is_beating = FALSE;
  world_advance (world, two_seconds.death_us - SECOND / 10);
  end_break (node);
  world_advance (world, HUB_SHORT_GRACE_US - SECOND / 10);
  assert_holder (world, "1 joined");
  world_free (world);
}

static void
test_back_within_the_grace_is_the_same_member (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);
  End *other = world_add_node (world);
  const gint64 others[] = { 2 };

  end_break (node);
  world_advance (world, SECOND / 2);
  end_connect (node);
  end_return (node, 2, 2, 0, 0, others, 1);
  assert_heard (node, "welcome 2 self 1 members 2 complete");
  world_advance (world, 10 * SECOND);
  assert_heard (other, "");
  world_free (world);
}

static void
test_not_back_within_the_grace_is_death (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);
  End *other = world_add_node (world);

  end_break (node);
  world_advance (world, HUB_SHORT_GRACE_US + SECOND / 2);
  assert_heard (other, "died 3 id 1");
  world_free (world);
}

static void
test_what_happened_meanwhile_is_in_the_new_view (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);
  End *other = world_add_node (world);
  const gint64 others[] = { 2 };

  end_break (node);
  world_add_node (world);
  end_send (other, HUB_MESSAGE_ELECT, NULL);
  end_connect (node);
  end_return (node, 2, 2, 0, 0, others, 1);
  assert_heard (node, "welcome 4 self 1 members 2 3 master 2 term 1 complete");
  world_free (world);
}

static void
test_new_link_replaces_one_that_seems_open (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);
  SatinLink *old = node->link;

  end_connect (node);
  end_return (node, 1, 1, 0, 0, NULL, 0);
  assert_heard (node, "welcome 1 self 1 members complete");
  g_assert_true (node->link != old);
  world_advance (world, 10 * SECOND);
  assert_holder (world, "1 joined");
  world_free (world);
}

/* ---- fenced ---- */

static void
test_dead_one_that_comes_back_is_fenced (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);

  end_break (node);
  world_advance (world, 3 * SECOND);
  end_connect (node);
  end_return (node, 1, 1, 0, 0, NULL, 0);
  assert_heard (node, "down FENCED");
  g_assert_nonnull (strstr (node->why, "node 1 was declared dead"));
  world_free (world);
}

static void
test_other_process_with_the_number_is_fenced (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);
  End *impostor = end_new (world, SATIN_ROLE_NODE);

  impostor->id = node->id;
  memcpy (impostor->run, node->run, HUB_RUN_BYTES);
  end_connect (impostor);
  end_return (impostor, 1, 1, 0, 0, NULL, 0);
  assert_heard (impostor, "down FENCED");
  assert_heard (node, "");
  world_free (world);
}

static void
test_node_of_another_run_is_fenced (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);

  end_break (node);
  node->run[3] ^= 1;
  end_connect (node);
  end_return (node, 1, 1, 0, 0, NULL, 0);
  assert_heard (node, "down FENCED");
  world_free (world);
}

/* ---- suspected ---- */

static void
test_suspect_that_answers_lives (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);
  End *other = world_add_node (world);
  HubNumber suspect = { 1 };

  end_heard (node);
  end_send (other, HUB_MESSAGE_SUSPECT, &suspect);
  world_advance (world, 10 * SECOND);
  assert_heard (node, "");
  world_free (world);
}

/* The node sends no heartbeats, so only its answer to the ping can save it. */
static void
test_suspect_is_pinged (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);
  End *other = world_add_node (world);
  HubNumber suspect = { 1 };

  end_heard (node);
  node->is_beating = FALSE;
  pipe_network_set_delay (world->network, SECOND / 100);
  end_send (other, HUB_MESSAGE_SUSPECT, &suspect);
  world_advance (world, HUB_SHORT_GRACE_US + SECOND / 2);
  assert_heard (node, "");
  world_free (world);
}

static void
test_silent_suspect_dies_early (void)
{
  SatinHubOptions options = { .death_us = 60 * SECOND };
  World *world = world_new (&options);
  End *silent = world_add_node (world);
  End *other = world_add_node (world);
  HubNumber suspect = { 1 };

  silent->is_beating = FALSE;
  world_advance (world, SECOND);
  satin_link_pause (silent->link, TRUE);
  end_send (other, HUB_MESSAGE_SUSPECT, &suspect);
  world_advance (world, HUB_SHORT_GRACE_US + SECOND / 2);
  assert_heard (other, "died 3 id 1");
  world_free (world);
}

static void
test_cleared_suspect_has_its_whole_time_again (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);
  End *other = world_add_node (world);
  HubNumber suspect = { 1 };

  end_heard (node);
  end_send (other, HUB_MESSAGE_SUSPECT, &suspect);
  world_advance (world, SECOND);
  node->is_beating = FALSE;
  world_advance (world, two_seconds.death_us - SECOND / 2);
  assert_heard (node, "");
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/hub-death/silence/is-death", test_silence_is_death);
  g_test_add_func ("/net/hub-death/silence/below-the-limit-is-life",
                   test_silence_below_the_limit_is_life);
  g_test_add_func ("/net/hub-death/silence/heartbeats-keep-alive", test_heartbeats_keep_alive);
  g_test_add_func ("/net/hub-death/all/silence-that-all-share-is-no-death",
                   test_silence_that_all_share_is_no_death);
  g_test_add_func ("/net/hub-death/all/silence-of-the-only-node-is-no-death",
                   test_silence_of_the_only_node_is_no_death);
  g_test_add_func ("/net/hub-death/all/others-have-time-when-one-is-heard-again",
                   test_others_have_time_when_one_is_heard_again);
  g_test_add_func ("/net/hub-death/all/silence-that-all-share-ends",
                   test_silence_that_all_share_ends);
  g_test_add_func ("/net/hub-death/all/a-confirmed-death-does-not-wait",
                   test_a_confirmed_death_does_not_wait);
  g_test_add_func ("/net/hub-death/all/a-second-silence-that-all-share-counts-anew",
                   test_a_second_silence_that_all_share_counts_anew);
  g_test_add_func ("/net/hub-death/all/links-that-broke-while-the-hub-slept-have-time",
                   test_links_that_broke_while_the_hub_slept_have_time);
  g_test_add_func ("/net/hub-death/silence/heartbeats-do-not-fill-the-queue",
                   test_heartbeats_do_not_fill_the_queue);
  g_test_add_func ("/net/hub-death/silence/death-is-seen-soon-after-the-limit",
                   test_death_is_seen_soon_after_the_limit);
  g_test_add_func ("/net/hub-death/starved/time-the-hub-slept-is-no-silence",
                   test_time_the_hub_slept_is_no_silence);
  g_test_add_func ("/net/hub-death/starved/many-short-sleeps-are-no-silence",
                   test_many_short_sleeps_are_no_silence);
  g_test_add_func ("/net/hub-death/starved/one-that-is-silent-dies-also-after-a-sleep",
                   test_one_that_is_silent_dies_also_after_a_sleep);
  g_test_add_func ("/net/hub-death/starved/sleep-does-not-end-a-short-grace",
                   test_sleep_does_not_end_a_short_grace);
  g_test_add_func ("/net/hub-death/broken/is-not-death-at-once",
                   test_broken_link_is_not_death_at_once);
  g_test_add_func ("/net/hub-death/broken/grace-begins-when-the-link-breaks",
                   test_grace_begins_when_the_link_breaks);
  g_test_add_func ("/net/hub-death/broken/back-within-the-grace-is-the-same-member",
                   test_back_within_the_grace_is_the_same_member);
  g_test_add_func ("/net/hub-death/broken/not-back-within-the-grace-is-death",
                   test_not_back_within_the_grace_is_death);
  g_test_add_func ("/net/hub-death/broken/what-happened-meanwhile-is-in-the-new-view",
                   test_what_happened_meanwhile_is_in_the_new_view);
  g_test_add_func ("/net/hub-death/broken/new-link-replaces-one-that-seems-open",
                   test_new_link_replaces_one_that_seems_open);
  g_test_add_func ("/net/hub-death/fenced/dead-one-that-comes-back",
                   test_dead_one_that_comes_back_is_fenced);
  g_test_add_func ("/net/hub-death/fenced/other-process-with-the-number",
                   test_other_process_with_the_number_is_fenced);
  g_test_add_func ("/net/hub-death/fenced/node-of-another-run", test_node_of_another_run_is_fenced);
  g_test_add_func ("/net/hub-death/suspect/that-answers-lives", test_suspect_that_answers_lives);
  g_test_add_func ("/net/hub-death/suspect/is-pinged", test_suspect_is_pinged);
  g_test_add_func ("/net/hub-death/suspect/that-is-silent-dies-early",
                   test_silent_suspect_dies_early);
  g_test_add_func ("/net/hub-death/suspect/that-was-cleared-has-its-whole-time-again",
                   test_cleared_suspect_has_its_whole_time_again);
  return g_test_run ();
}
