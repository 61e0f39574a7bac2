/* test-hub.c - tests who is in the run: joining, leaving, elections, signals, the end
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "hub-world.h"

/* ---- joining ---- */

static void
test_first_is_alone (void)
{
  World *world = world_new (NULL);
  End *node = end_new (world, SATIN_ROLE_NODE);

  end_connect (node);
  end_join (node);
  assert_heard (node, "welcome 1 self 1 members complete");
  assert_holder (world, "1 joined");
  world_free (world);
}

static void
test_view_is_atomic (void)
{
  World *world = world_new (NULL);
  End *first = world_add_node (world);
  End *second = world_add_node (world);
  End *third = end_new (world, SATIN_ROLE_NODE);

  end_send (second, HUB_MESSAGE_ELECT, NULL);
  end_heard (first);
  end_connect (third);
  end_join (third);
  assert_heard (third, "welcome 4 self 3 members 1 2 master 2 term 1 complete");
  assert_heard (first, "joined 4 id 3");
  end_send (first, HUB_MESSAGE_LEAVE, NULL);
  assert_heard (third, "left 5 id 1");
  world_free (world);
}

static void
test_numbers_are_never_given_twice (void)
{
  World *world = world_new (NULL);
  End *first = world_add_node (world);
  End *second = world_add_node (world);

  end_send (second, HUB_MESSAGE_LEAVE, NULL);
  satin_hub_process_ended (world->hub, first->host, first->pid, "killed");
  world_settle (world);
  g_assert_cmpint (world_add_node (world)->id, ==, 3);
  world_free (world);
}

/* The welcome of the first join may have been lost. The process must not become two members. */
static void
test_process_that_joins_again_is_one_member (void)
{
  World *world = world_new (NULL);
  End *other = world_add_node (world);
  End *node = world_add_node (world);

  end_break (node);
  end_heard (other);
  end_connect (node);
  end_join (node);
  assert_heard (other, "joined 3 id 3; died 4 id 2");
  world_free (world);
}

static void
test_other_process_at_another_address_is_another_member (void)
{
  World *world = world_new (NULL);
  End *node = world_add_node (world);
  End *twin = end_new (world, SATIN_ROLE_NODE);

  twin->pid = node->pid;
  twin->address = "pipe:y";
  end_connect (twin);
  end_join (twin);
  assert_heard (node, "joined 2 id 2");
  world_free (world);
}

static void
test_other_program_is_refused (void)
{
  World *world = world_new (NULL);
  End *other = end_new (world, SATIN_ROLE_NODE);

  world_add_node (world);
  g_free ((char *)other->program.name);
  other->program.name = g_strdup ("nqueens");
  end_connect (other);
  assert_heard (other, "down PROGRAM");
  g_assert_nonnull (strstr (other->why, "\"fib\""));
  g_assert_nonnull (strstr (other->why, "\"nqueens\""));
  world_free (world);
}

static void
test_other_build_is_refused (void)
{
  World *world = world_new (NULL);
  End *other = end_new (world, SATIN_ROLE_NODE);

  world_add_node (world);
  other->program.digest[15] = 1;
  end_connect (other);
  assert_heard (other, "down PROGRAM");
  world_free (world);
}

/* Each kind of machine has builds of its own: the first node of a kind decides for that kind. */
static void
test_first_build_of_each_machine_decides (void)
{
  static const char *const builds[] = { "x86-64:0a", "arm64:0a", "arm64:0a", "x86-64:0a" };
  World *world = world_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (builds); i++)
    {
      End *end = end_new (world, SATIN_ROLE_NODE);
      end->program.build = builds[i];
      end_connect (end);
      end_join (end);
      g_assert_cmpuint (end->id, ==, i + 1);
    }
  End *other = end_new (world, SATIN_ROLE_NODE);
  other->program.build = "arm64:0b";
  end_connect (other);
  assert_heard (other, "down PROGRAM");
  g_assert_nonnull (strstr (other->why, "arm64:0a"));
  g_assert_nonnull (strstr (other->why, "arm64:0b"));
  world_free (world);
}

/* Both nodes said hello before the run had a program. */
static void
test_program_is_looked_at_again_when_joining (void)
{
  World *world = world_new (NULL);
  End *other = end_new (world, SATIN_ROLE_NODE);

  other->program.digest[0] = 1;
  end_connect (other);
  world_add_node (world);
  end_join (other);
  assert_heard (other, "down PROGRAM");
  world_free (world);
}

static void
test_program_is_not_fixed_by_a_mere_hello (void)
{
  World *world = world_new (NULL);
  End *other = end_new (world, SATIN_ROLE_NODE);

  other->program.digest[0] = 1;
  end_connect (other);
  end_break (other);
  g_assert_cmpint (world_add_node (world)->id, ==, 1);
  world_free (world);
}

static void
test_a_hub_is_refused (void)
{
  World *world = world_new (NULL);
  End *other = end_new (world, SATIN_ROLE_HUB);

  end_connect (other);
  assert_heard (other, "down INVALID");
  world_free (world);
}

static void
test_link_without_join_is_closed (void)
{
  World *world = world_new (NULL);
  End *node = end_new (world, SATIN_ROLE_NODE);

  end_connect (node);
  world_advance (world, HUB_LINK_PATIENCE_US);
  assert_heard (node, "");
  world_advance (world, WORLD_SECOND_US);
  assert_heard (node, "down TIMEOUT");
  world_free (world);
}

/* ---- bad messages ---- */

static void
test_garbage_takes_its_own_link_only (void)
{
  World *world = world_new (NULL);
  End *good = world_add_node (world);
  End *bad = world_add_node (world);

  end_heard (good);
  end_send_garbage (bad, "\x01garbage");
  g_assert_nonnull (strstr (end_heard (bad), "down "));
  g_assert_null (bad->link);
  assert_heard (good, "");
  end_send (good, HUB_MESSAGE_ELECT, NULL);
  assert_heard (good, "elected 3 id 1 term 1");
  world_free (world);
}

static void
test_second_join_closes_the_link (void)
{
  World *world = world_new (NULL);
  End *node = world_add_node (world);

  end_join (node);
  assert_heard (node, "down FORMAT");
  world_free (world);
}

static void
test_message_before_join_closes_the_link (void)
{
  World *world = world_new (NULL);
  End *node = end_new (world, SATIN_ROLE_NODE);

  end_connect (node);
  end_send (node, HUB_MESSAGE_ELECT, NULL);
  assert_heard (node, "down FORMAT");
  world_free (world);
}

static void
test_tool_may_not_join (void)
{
  World *world = world_new (NULL);
  End *tool = end_new (world, SATIN_ROLE_TOOL);

  end_connect (tool);
  end_join (tool);
  assert_heard (tool, "down FORMAT");
  assert_holder (world, "");
  world_free (world);
}

static void
test_node_may_not_speak_as_hub (void)
{
  World *world = world_new (NULL);
  End *good = world_add_node (world);
  End *bad = world_add_node (world);
  HubGone gone = { 3, 1 };

  end_heard (good);
  end_send (bad, HUB_MESSAGE_DIED, &gone);
  assert_heard (bad, "down FORMAT");
  assert_heard (good, "");
  world_free (world);
}

static void
test_one_that_does_not_read_loses_its_link (void)
{
  World *world = world_new (NULL);
  End *deaf = world_add_node (world);
  g_autofree guint8 *much = g_malloc0 (HUB_MAX_PAYLOAD_BYTES);
  HubSignal signal = {
    .to = 1, .word = "much", .payload = much, .n_payload = HUB_MAX_PAYLOAD_BYTES
  };
  End *loud = world_add_node (world);

  satin_link_pause (deaf->link, TRUE);
  for (guint i = 0; i <= HUB_MAX_QUEUED_BYTES / HUB_MAX_PAYLOAD_BYTES; i++)
    end_send (loud, HUB_MESSAGE_SIGNAL, &signal);
  g_assert_null (deaf->link);
  g_assert_nonnull (loud->link);
  world_free (world);
}

/* ---- leaving ---- */

static void
test_leaver_is_answered_and_others_hear (void)
{
  World *world = world_new (NULL);
  End *stays = world_add_node (world);
  End *leaves = world_add_node (world);

  end_heard (stays);
  end_send (leaves, HUB_MESSAGE_LEAVE, NULL);
  assert_heard (leaves, "left 3 id 2; down in good order");
  assert_heard (stays, "left 3 id 2");
  assert_holder (world, "1 joined; 2 joined; 2 left");
  world_free (world);
}

/* ---- electing ---- */

static void
test_first_offer_wins (void)
{
  World *world = world_new (NULL);
  End *first = world_add_node (world);
  End *second = world_add_node (world);

  end_heard (first);
  end_send (second, HUB_MESSAGE_ELECT, NULL);
  end_send (first, HUB_MESSAGE_ELECT, NULL);
  assert_heard (first, "elected 3 id 2 term 1");
  assert_heard (second, "elected 3 id 2 term 1");
  world_free (world);
}

/* The master has ended the run and left. An offer that comes then would run the root job again. */
static void
test_no_master_when_the_run_is_over (void)
{
  World *world = world_new (NULL);
  End *first = world_add_node (world);
  End *second = world_add_node (world);

  end_send (first, HUB_MESSAGE_ELECT, NULL);
  satin_hub_end (world->hub, 0, NULL);
  end_send (first, HUB_MESSAGE_LEAVE, NULL);
  end_heard (second);
  end_send (second, HUB_MESSAGE_ELECT, NULL);
  assert_heard (second, "");
  world_free (world);
}

static void
test_next_offer_after_death_has_a_higher_term (void)
{
  World *world = world_new (NULL);
  End *first = world_add_node (world);
  End *second = world_add_node (world);

  end_send (first, HUB_MESSAGE_ELECT, NULL);
  end_heard (second);
  satin_hub_process_ended (world->hub, first->host, first->pid, "killed");
  end_send (second, HUB_MESSAGE_ELECT, NULL);
  assert_heard (second, "died 4 id 1; elected 5 id 2 term 2");
  world_free (world);
}

static void
test_no_master_after_it_left (void)
{
  World *world = world_new (NULL);
  End *first = world_add_node (world);
  End *late = end_new (world, SATIN_ROLE_NODE);

  end_send (first, HUB_MESSAGE_ELECT, NULL);
  end_send (first, HUB_MESSAGE_LEAVE, NULL);
  end_connect (late);
  end_join (late);
  assert_heard (late, "welcome 4 self 2 members complete");
  world_free (world);
}

/* ---- signals ---- */

static void
test_signal_reaches_one (void)
{
  World *world = world_new (NULL);
  End *from = world_add_node (world);
  End *to = world_add_node (world);
  HubSignal signal = { .to = 2, .word = "leave", .payload = (const guint8 *)"now", .n_payload = 3 };

  end_heard (from);
  end_send (from, HUB_MESSAGE_SIGNAL, &signal);
  assert_heard (to, "signal leave now");
  assert_heard (from, "");
  world_free (world);
}

static void
test_signal_to_all_reaches_the_sender_too (void)
{
  World *world = world_new (NULL);
  End *from = world_add_node (world);
  End *other = world_add_node (world);
  HubSignal signal = { .word = "stop" };

  end_heard (from);
  end_send (from, HUB_MESSAGE_SIGNAL, &signal);
  assert_heard (from, "signal stop ");
  assert_heard (other, "signal stop ");
  world_free (world);
}

static void
test_signal_to_nobody_is_dropped (void)
{
  World *world = world_new (NULL);
  End *from = world_add_node (world);
  HubSignal signal = { .to = 77, .word = "leave" };

  end_send (from, HUB_MESSAGE_SIGNAL, &signal);
  assert_heard (from, "");
  g_assert_nonnull (from->link);
  world_free (world);
}

static void
test_holder_and_tool_may_signal (void)
{
  World *world = world_new (NULL);
  End *node = world_add_node (world);
  End *tool = end_new (world, SATIN_ROLE_TOOL);
  HubSignal signal = { .to = 1, .word = "leave" };

  satin_hub_signal (world->hub, 0, "stop", NULL);
  end_connect (tool);
  end_send (tool, HUB_MESSAGE_SIGNAL, &signal);
  assert_heard (node, "signal stop ; signal leave ");
  world_free (world);
}

/* ---- the end ---- */

static void
test_only_the_master_ends (void)
{
  World *world = world_new (NULL);
  End *master = world_add_node (world);
  End *other = world_add_node (world);
  SatinRunEnd end = { 3, "wrong" };

  end_send (master, HUB_MESSAGE_ELECT, NULL);
  end_heard (master);
  end_send (other, HUB_MESSAGE_END, &end);
  assert_heard (master, "");
  end_send (master, HUB_MESSAGE_END, &end);
  assert_heard (master, "over 3 wrong");
  world_free (world);
}

static void
test_over_comes_when_all_have_left (void)
{
  World *world = world_new (NULL);
  End *first = world_add_node (world);
  End *second = world_add_node (world);

  satin_hub_end (world->hub, 0, NULL);
  world_settle (world);
  world_heard (world);
  end_send (first, HUB_MESSAGE_LEAVE, NULL);
  assert_holder (world, "1 left");
  end_send (second, HUB_MESSAGE_LEAVE, NULL);
  assert_holder (world, "2 left; over 0");
  world_free (world);
}

static void
test_over_waits_no_longer_than_its_patience (void)
{
  World *world = world_new (NULL);
  End *node = world_add_node (world);

  satin_hub_end (world->hub, 7, "stopped");
  world_advance (world, HUB_END_PATIENCE_US - 1);
  assert_holder (world, "1 joined");
  world_advance (world, 1);
  assert_holder (world, "over 7 stopped");
  assert_heard (node, "over 7 stopped; down in good order");
  world_free (world);
}

static void
test_over_of_an_empty_run_comes_soon (void)
{
  World *world = world_new (NULL);

  satin_hub_end (world->hub, 1, NULL);
  assert_holder (world, "");
  world_settle (world);
  assert_holder (world, "over 1");
  world_free (world);
}

static void
test_end_counts_once (void)
{
  World *world = world_new (NULL);

  satin_hub_end (world->hub, 1, NULL);
  satin_hub_end (world->hub, 2, NULL);
  world_advance (world, 3 * WORLD_SECOND_US);
  assert_holder (world, "over 1");
  world_free (world);
}

static void
test_who_comes_after_the_end_hears_it (void)
{
  World *world = world_new (NULL);
  End *late = end_new (world, SATIN_ROLE_NODE);

  satin_hub_end (world->hub, 4, "done");
  world_settle (world);
  end_connect (late);
  end_join (late);
  assert_heard (late, "over 4 done; down in good order");
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/hub/join/first-is-alone-in-view-1", test_first_is_alone);
  g_test_add_func ("/net/hub/join/view-is-atomic-and-events-follow-it", test_view_is_atomic);
  g_test_add_func ("/net/hub/join/numbers-are-never-given-twice",
                   test_numbers_are_never_given_twice);
  g_test_add_func ("/net/hub/join/process-that-joins-again-is-one-member",
                   test_process_that_joins_again_is_one_member);
  g_test_add_func ("/net/hub/join/process-at-another-address-is-another-member",
                   test_other_process_at_another_address_is_another_member);
  g_test_add_func ("/net/hub/join/other-program-is-refused-naming-both",
                   test_other_program_is_refused);
  g_test_add_func ("/net/hub/join/other-build-is-refused", test_other_build_is_refused);
  g_test_add_func ("/net/hub/join/first-build-of-each-machine-decides",
                   test_first_build_of_each_machine_decides);
  g_test_add_func ("/net/hub/join/program-is-looked-at-again-when-joining",
                   test_program_is_looked_at_again_when_joining);
  g_test_add_func ("/net/hub/join/program-is-not-fixed-by-a-mere-hello",
                   test_program_is_not_fixed_by_a_mere_hello);
  g_test_add_func ("/net/hub/join/a-hub-is-refused", test_a_hub_is_refused);
  g_test_add_func ("/net/hub/join/link-without-join-is-closed", test_link_without_join_is_closed);
  g_test_add_func ("/net/hub/bad/garbage-takes-its-own-link-only",
                   test_garbage_takes_its_own_link_only);
  g_test_add_func ("/net/hub/bad/second-join-closes-the-link", test_second_join_closes_the_link);
  g_test_add_func ("/net/hub/bad/message-before-join-closes-the-link",
                   test_message_before_join_closes_the_link);
  g_test_add_func ("/net/hub/bad/tool-may-not-join", test_tool_may_not_join);
  g_test_add_func ("/net/hub/bad/node-may-not-speak-as-hub", test_node_may_not_speak_as_hub);
  g_test_add_func ("/net/hub/bad/one-that-does-not-read-loses-its-link",
                   test_one_that_does_not_read_loses_its_link);
  g_test_add_func ("/net/hub/leave/leaver-is-answered-and-others-hear",
                   test_leaver_is_answered_and_others_hear);
  g_test_add_func ("/net/hub/elect/first-offer-wins", test_first_offer_wins);
  g_test_add_func ("/net/hub/elect/no-master-when-the-run-is-over",
                   test_no_master_when_the_run_is_over);
  g_test_add_func ("/net/hub/elect/next-offer-after-death-has-a-higher-term",
                   test_next_offer_after_death_has_a_higher_term);
  g_test_add_func ("/net/hub/elect/no-master-after-it-left", test_no_master_after_it_left);
  g_test_add_func ("/net/hub/signal/reaches-one", test_signal_reaches_one);
  g_test_add_func ("/net/hub/signal/to-all-reaches-the-sender-too",
                   test_signal_to_all_reaches_the_sender_too);
  g_test_add_func ("/net/hub/signal/to-nobody-is-dropped", test_signal_to_nobody_is_dropped);
  g_test_add_func ("/net/hub/signal/holder-and-tool-may", test_holder_and_tool_may_signal);
  g_test_add_func ("/net/hub/end/only-the-master-ends", test_only_the_master_ends);
  g_test_add_func ("/net/hub/end/over-comes-when-all-have-left",
                   test_over_comes_when_all_have_left);
  g_test_add_func ("/net/hub/end/over-waits-no-longer-than-its-patience",
                   test_over_waits_no_longer_than_its_patience);
  g_test_add_func ("/net/hub/end/over-of-an-empty-run-comes-soon",
                   test_over_of_an_empty_run_comes_soon);
  g_test_add_func ("/net/hub/end/counts-once", test_end_counts_once);
  g_test_add_func ("/net/hub/end/who-comes-after-it-hears-it",
                   test_who_comes_after_the_end_hears_it);
  return g_test_run ();
}
