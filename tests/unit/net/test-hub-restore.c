/* test-hub-restore.c - tests a hub that takes the place of a hub that was lost
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "hub-world.h"

#define SECOND WORLD_SECOND_US
#define GAP    HUB_RESTORE_GAP

static const SatinHubOptions two_seconds = { .heartbeat_us = SECOND / 2, .death_us = 2 * SECOND };

/* Returns: a world with three members, whose view has number 4; node 2 is the master. The hub was
 * lost and replaced by a new one. */
static World *
world_after_loss (End *ret_nodes[3])
{
  World *world = world_new (&two_seconds);

  for (guint i = 0; i < 3; i++)
    ret_nodes[i] = world_add_node (world);
  end_send (ret_nodes[1], HUB_MESSAGE_ELECT, NULL);
  world_lose_hub (world);
  world_start_hub (world, FALSE);
  world_heard (world);
  for (guint i = 0; i < 3; i++)
    end_heard (ret_nodes[i]);
  return world;
}

static void
come_back (End *node)
{
  static const gint64 others[3][2] = { { 2, 3 }, { 1, 3 }, { 1, 2 } };

  end_connect (node);
  end_return (node, 4, 3, 2, 1, others[node->id - 1], 2);
}

static void
test_members_keep_number_run_and_master (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);
  g_autofree guint8 *run = g_memdup2 (nodes[0]->run, HUB_RUN_BYTES);

  come_back (nodes[0]);
  assert_heard (nodes[0], "welcome +0 self 1 members 2 3 master 2 term 1 complete");
  g_assert_cmpmem (nodes[0]->run, HUB_RUN_BYTES, run, HUB_RUN_BYTES);
  world_free (world);
}

static void
test_nobody_dies_when_all_come_back (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);

  for (guint i = 0; i < 3; i++)
    {
      come_back (nodes[i]);
      end_heard (nodes[i]);
      world_advance (world, SECOND / 2);
    }
  world_advance (world, 10 * SECOND);
  for (guint i = 0; i < 3; i++)
    assert_heard (nodes[i], "");
  assert_holder (world, "");
  world_free (world);
}

static void
test_nobody_dies_during_the_grace (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);

  for (guint i = 0; i < 3; i++)
    come_back (nodes[i]);
  end_heard (nodes[0]);
  end_break (nodes[2]);
  world_advance (world, HUB_SHORT_GRACE_US + SECOND / 2);
  assert_heard (nodes[0], "");
  world_advance (world, SECOND);
  assert_heard (nodes[0], "died +1 id 3");
  world_free (world);
}

static void
test_broken_link_during_the_grace_changes_nothing (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);
  const gint64 others[] = { 1, 2 };

  for (guint i = 0; i < 3; i++)
    come_back (nodes[i]);
  end_heard (nodes[0]);
  end_break (nodes[2]);
  end_connect (nodes[2]);
  end_return (nodes[2], nodes[2]->first_view, 3, 2, 1, others, 2);
  assert_heard (nodes[2], "welcome +0 self 3 members 1 2 master 2 term 1 complete");
  assert_heard (nodes[0], "");
  world_free (world);
}

static void
test_missing_one_is_dead_after_the_grace (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);

  come_back (nodes[0]);
  come_back (nodes[1]);
  end_heard (nodes[0]);
  world_advance (world, two_seconds.death_us - SECOND / 10);
  assert_heard (nodes[0], "");
  world_advance (world, SECOND);
  assert_heard (nodes[0], "died +1 id 3");
  assert_holder (world, "3 died");
  world_free (world);
}

static void
test_sleep_of_the_hub_does_not_end_the_grace (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);

  come_back (nodes[0]);
  world_freeze (world, 60 * SECOND);
  world_advance (world, SECOND);
  come_back (nodes[2]);
  world_advance (world, SECOND);
  g_assert_null (strstr (end_heard (nodes[0]), "id 3"));
  world_free (world);
}

static void
test_new_numbers_lie_behind_the_gap (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);
  End *fresh;

  for (guint i = 0; i < 3; i++)
    come_back (nodes[i]);
  world_advance (world, 3 * SECOND);
  fresh = world_add_node (world);
  g_assert_cmpint (fresh->id, >, 3 + GAP);
  world_free (world);
}

static void
test_new_one_waits_for_the_grace (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);
  End *fresh;

  for (guint i = 0; i < 3; i++)
    come_back (nodes[i]);
  fresh = world_add_node (world);
  world_advance (world, two_seconds.death_us - SECOND / 10);
  assert_heard (fresh, "");
  g_assert_cmpint (fresh->id, ==, 0);
  world_advance (world, SECOND);
  g_assert_cmpint (fresh->id, >, 3 + GAP);
  world_free (world);
}

static void
test_restarted_hub_keeps_a_new_one_waiting_for_old_ones (void)
{
  World *world = world_new (&two_seconds);
  End *old = world_add_node (world);
  End *fresh;

  world_lose_hub (world);
  world_start_hub (world, TRUE);
  fresh = world_add_node (world);
  end_heard (old);
  end_connect (old);
  end_return (old, 1, 1, 0, 0, NULL, 0);
  g_assert_nonnull (strstr (end_heard (old), "self 1"));
  world_advance (world, 3 * SECOND);
  g_assert_cmpint (fresh->id, >, 1 + GAP);
  world_free (world);
}

/* Returns: a world with a restarted hub, to which only the new node @ret_fresh came */
static World *
world_begun_anew (End **ret_fresh)
{
  World *world = world_new (&two_seconds);

  world_lose_hub (world);
  world_start_hub (world, TRUE);
  *ret_fresh = world_add_node (world);
  world_advance (world, 3 * SECOND);
  return world;
}

static void
test_restarted_hub_begins_anew_when_nobody_comes (void)
{
  End *fresh;
  World *world = world_begun_anew (&fresh);

  g_assert_true (g_str_has_suffix (end_heard (fresh), " members complete"));
  world_free (world);
}

/* A number that a node of the lost hub has had is not given again. */
static void
test_run_that_begins_anew_has_its_numbers_and_terms_behind_the_gap (void)
{
  End *fresh;
  World *world = world_begun_anew (&fresh);

  g_assert_cmpint (fresh->id, >, GAP);
  end_heard (fresh);
  end_send (fresh, HUB_MESSAGE_ELECT, NULL);
  g_assert_cmpstr (end_heard (fresh), !=, "");
  g_assert_cmpint (fresh->first_view, >, GAP);
  g_assert_cmpint (fresh->first_term, >, GAP);
  world_free (world);
}

/* Node 1 saw the death of node 3 (in view 5), but node 2 did not. */
static void
test_who_is_gone_for_one_is_gone_for_all (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);
  const gint64 only_two[] = { 2 };

  come_back (nodes[1]);
  come_back (nodes[2]);
  end_heard (nodes[1]);
  end_heard (nodes[2]);
  end_connect (nodes[0]);
  end_return (nodes[0], 5, 3, 2, 1, only_two, 1);
  g_assert_nonnull (strstr (end_heard (nodes[0]), "self 1 members 2 master"));
  g_assert_nonnull (strstr (end_heard (nodes[1]), "self 2 members 1 master"));
  assert_heard (nodes[2], "down FENCED");
  world_free (world);
}

/* Here node 1, which saw the death of node 3, returns first. */
static void
test_who_is_gone_does_not_come_back (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);
  const gint64 only_two[] = { 2 };

  end_connect (nodes[0]);
  end_return (nodes[0], 5, 3, 2, 1, only_two, 1);
  end_heard (nodes[0]);
  come_back (nodes[1]);
  g_assert_nonnull (strstr (end_heard (nodes[1]), "self 2 members 1 master"));
  come_back (nodes[2]);
  assert_heard (nodes[2], "down FENCED");
  assert_heard (nodes[0], "");
  world_free (world);
}

/* Node 3 leaves during the grace. Node 2 returns with a higher view number, which it has from
 * another hub that ran in between. The view of node 2 still has node 3. */
static void
test_who_left_during_the_grace_does_not_come_back (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);
  const gint64 others[] = { 1, 3 };

  come_back (nodes[2]);
  end_send (nodes[2], HUB_MESSAGE_LEAVE, NULL);
  end_connect (nodes[1]);
  end_return (nodes[1], 5000, 3, 2, 1, others, 2);
  g_assert_nonnull (strstr (end_heard (nodes[1]), "self 2 members 1 master"));
  world_free (world);
}

/* Node 3 joined so late that node 1 did not hear of it. */
static void
test_who_joined_unheard_stays (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);
  const gint64 only_two[] = { 2 };

  end_connect (nodes[0]);
  end_return (nodes[0], 2, 2, 0, 0, only_two, 1);
  end_heard (nodes[0]);
  come_back (nodes[2]);
  g_assert_nonnull (strstr (end_heard (nodes[2]), "self 3 members 1 2 master 2 term 1"));
  g_assert_nonnull (strstr (end_heard (nodes[0]), "self 1 members 2 3 master 2 term 1"));
  world_free (world);
}

static void
test_node_of_another_run_does_not_disturb (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);

  come_back (nodes[0]);
  end_heard (nodes[0]);
  nodes[1]->run[0] ^= 1;
  end_connect (nodes[1]);
  end_return (nodes[1], 999, 999, 0, 0, NULL, 0);
  assert_heard (nodes[1], "down FENCED");
  assert_heard (nodes[0], "");
  world_free (world);
}

static void
test_offers_wait_for_the_grace_and_the_term_grows (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);
  const gint64 others[] = { 3 };

  end_connect (nodes[0]);
  end_return (nodes[0], 5, 3, 0, 1, others, 1);
  end_heard (nodes[0]);
  end_send (nodes[0], HUB_MESSAGE_ELECT, NULL);
  world_advance (world, SECOND);
  assert_heard (nodes[0], "");
  world_advance (world, 3 * SECOND);
  g_assert_true (g_str_has_prefix (end_heard (nodes[0]), "elected +1 id 1 term +0;"));
  world_free (world);
}

/* The lost hub may have held an election of which no node that came back has heard. */
static void
test_first_term_known_lies_behind_the_gap_too (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);

  world_lose_hub (world);
  world_start_hub (world, FALSE);
  end_heard (node);
  end_connect (node);
  end_return (node, 1, 1, 0, 0, NULL, 0);
  end_heard (node);
  world_advance (world, 3 * SECOND);
  end_send (node, HUB_MESSAGE_ELECT, NULL);
  assert_heard (node, "elected +1 id 1 term +0");
  g_assert_cmpint (node->first_term, >, GAP);
  world_free (world);
}

static void
test_a_master_that_comes_back_stays_master (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);

  come_back (nodes[0]);
  come_back (nodes[1]);
  end_heard (nodes[0]);
  end_send (nodes[0], HUB_MESSAGE_ELECT, NULL);
  world_advance (world, 3 * SECOND);
  g_assert_null (strstr (end_heard (nodes[0]), "elected"));
  world_free (world);
}

static void
test_second_restart_is_as_good (void)
{
  End *nodes[3];
  World *world = world_after_loss (nodes);
  const gint64 others[] = { 2, 3 };

  for (guint i = 0; i < 3; i++)
    come_back (nodes[i]);
  world_advance (world, 3 * SECOND);
  world_lose_hub (world);
  world_start_hub (world, FALSE);
  end_heard (nodes[0]);
  end_connect (nodes[0]);
  end_return (nodes[0], 4 + GAP + 1, 3, 2, 1, others, 2);
  g_assert_nonnull (strstr (end_heard (nodes[0]), "self 1 members 2 3 master 2"));
  world_free (world);
}

static void
test_closed_run_stays_complete (void)
{
  SatinHubOptions options = { .n_nodes = 2, .join_timeout_us = 5 * SECOND };
  World *world = world_new (&options);
  End *first = world_add_node (world);
  End *second = world_add_node (world);
  const gint64 others[] = { 2 };

  g_assert_true (second->is_member);
  world_lose_hub (world);
  world_start_hub (world, FALSE);
  end_heard (first);
  end_connect (first);
  /* The event "complete" did not reach this node, but its view has both members. */
  end_return (first, 2, 2, 0, 0, others, 1);
  g_assert_nonnull (strstr (end_heard (first), "complete"));
  world_advance (world, 4 * SECOND);
  assert_holder (world, "1 joined; 2 joined");
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/hub-restore/members-keep-number-run-and-master",
                   test_members_keep_number_run_and_master);
  g_test_add_func ("/net/hub-restore/nobody-dies-when-all-come-back",
                   test_nobody_dies_when_all_come_back);
  g_test_add_func ("/net/hub-restore/nobody-dies-during-the-grace",
                   test_nobody_dies_during_the_grace);
  g_test_add_func ("/net/hub-restore/broken-link-during-the-grace-changes-nothing",
                   test_broken_link_during_the_grace_changes_nothing);
  g_test_add_func ("/net/hub-restore/missing-one-is-dead-after-the-grace",
                   test_missing_one_is_dead_after_the_grace);
  g_test_add_func ("/net/hub-restore/sleep-of-the-hub-does-not-end-the-grace",
                   test_sleep_of_the_hub_does_not_end_the_grace);
  g_test_add_func ("/net/hub-restore/new-numbers-lie-behind-the-gap",
                   test_new_numbers_lie_behind_the_gap);
  g_test_add_func ("/net/hub-restore/new-one-waits-for-the-grace",
                   test_new_one_waits_for_the_grace);
  g_test_add_func ("/net/hub-restore/restarted-hub-keeps-a-new-one-waiting-for-old-ones",
                   test_restarted_hub_keeps_a_new_one_waiting_for_old_ones);
  g_test_add_func ("/net/hub-restore/restarted-hub-begins-anew-when-nobody-comes",
                   test_restarted_hub_begins_anew_when_nobody_comes);
  g_test_add_func ("/net/hub-restore/run-that-begins-anew-has-its-numbers-and-terms-behind-the-gap",
                   test_run_that_begins_anew_has_its_numbers_and_terms_behind_the_gap);
  g_test_add_func ("/net/hub-restore/who-is-gone-for-one-is-gone-for-all",
                   test_who_is_gone_for_one_is_gone_for_all);
  g_test_add_func ("/net/hub-restore/who-is-gone-does-not-come-back",
                   test_who_is_gone_does_not_come_back);
  g_test_add_func ("/net/hub-restore/who-left-during-the-grace-does-not-come-back",
                   test_who_left_during_the_grace_does_not_come_back);
  g_test_add_func ("/net/hub-restore/who-joined-unheard-stays", test_who_joined_unheard_stays);
  g_test_add_func ("/net/hub-restore/node-of-another-run-does-not-disturb",
                   test_node_of_another_run_does_not_disturb);
  g_test_add_func ("/net/hub-restore/offers-wait-for-the-grace-and-the-term-grows",
                   test_offers_wait_for_the_grace_and_the_term_grows);
  g_test_add_func ("/net/hub-restore/first-term-lies-behind-the-gap-too",
                   test_first_term_known_lies_behind_the_gap_too);
  g_test_add_func ("/net/hub-restore/a-master-that-comes-back-stays-master",
                   test_a_master_that_comes_back_stays_master);
  g_test_add_func ("/net/hub-restore/second-restart-is-as-good", test_second_restart_is_as_good);
  g_test_add_func ("/net/hub-restore/closed-run-stays-complete", test_closed_run_stays_complete);
  return g_test_run ();
}
