/* test-registry-hub-lost.c - tests a node whose hub is lost, comes back, or breaks the protocol
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "impostor.h"

#define SECOND WORLD_SECOND_US

static const SatinHubOptions two_seconds = { .heartbeat_us = SECOND / 2, .death_us = 2 * SECOND };

static gboolean
is_open (const Host *host)
{
  const Client *client = host->notes.registry;
  return client->link != NULL && satin_link_is_open (client->link);
}

/* The join arrives, but its answer is lost, and neither side notices that the link is broken. */
static void
test_lost_answer_to_a_join (void)
{
  World *world = world_new (NULL);
  Host *host = host_new (world);

  pipe_network_set_delay (world->network, 1000);
  while (!is_open (host))
    world_advance (world, 100);
  pipe_network_lose (world->network, "hub", NULL, TRUE);
  world_advance (world, SECOND);
  pipe_network_lose (world->network, "hub", NULL, FALSE);
  assert_told (host, "");
  world_advance (world, 3 * SECOND);
  g_assert_cmpstr (host_heard (host), !=, "");
  host_free (host);
  world_free (world);
}

/* ---- the hub is lost ---- */

static void
test_short_break_is_not_told (void)
{
  World *world = world_new (&two_seconds);
  Host *host = host_join (world);

  world_advance (world, 2 * SECOND);
  pipe_network_break (world->network, NULL, "hub");
  world_advance (world, 10 * SECOND);
  assert_told (host, "");
  assert_holder (world, "1 joined");
  host_free (host);
  world_free (world);
}

static void
test_unsure_is_told_once_for_each_loss (void)
{
  World *world = world_new (&two_seconds);
  Host *host = host_join (world);

  for (guint i = 0; i < 2; i++)
    {
      world_advance (world, 2 * SECOND);
      world_lose_hub (world);
      world_advance (world, 60 * SECOND);
      assert_told (host, "unsure");
      world_start_hub (world, FALSE);
      world_advance (world, 2 * SECOND);
      assert_told (host, "");
    }
  host_free (host);
  world_free (world);
}

static void
test_restarted_hub_changes_nothing_when_all_come_back (void)
{
  World *world = world_new (&two_seconds);
  Host *hosts[3];

  for (guint i = 0; i < 3; i++)
    hosts[i] = host_join (world);
  hosts[1]->notes.ops->elect (hosts[1]->notes.registry);
  for (guint i = 0; i < 3; i++)
    host_heard (hosts[i]);
  world_lose_hub (world);
  world_start_hub (world, FALSE);
  world_advance (world, 10 * SECOND);
  for (guint i = 0; i < 3; i++)
    assert_told (hosts[i], "");
  hosts[0]->notes.ops->leave (hosts[0]->notes.registry);
  assert_told (hosts[0], "over");
  g_assert_nonnull (strstr (host_heard (hosts[2]), "id 1"));
  host_free (hosts[0]);
  host_free (hosts[1]);
  host_free (hosts[2]);
  world_free (world);
}

/* While the link is broken, node 2 (the master) dies and node 3 joins. */
static void
test_difference_is_told_deaths_first (void)
{
  World *world = world_new (&two_seconds);
  Host *host = host_join (world);
  End *master = world_add_node (world);

  end_send (master, HUB_MESSAGE_ELECT, NULL);
  world_advance (world, 2 * SECOND);
  host_heard (host);
  pipe_network_refuse (world->network, "hub", TRUE);
  pipe_network_break (world->network, NULL, "hub");
  assert_told (host, "unsure");
  pipe_network_refuse (world->network, "hub", FALSE);
  satin_hub_process_ended (world->hub, master->host, master->pid, "killed");
  world_add_node (world);
  assert_told (host, "");
  world_advance (world, SECOND / 2);
  assert_told (host, "died 5 id 2; joined 5 id 3 at pipe:x");
  host_free (host);
  world_free (world);
}

static void
test_mute_hub_is_dialed_anew (void)
{
  World *world = world_new (&two_seconds);
  Host *host = host_join (world);
  guint n_dialed = pipe_network_n_dialed (world->network);

  pipe_network_lose (world->network, "hub", NULL, TRUE);
  world_advance (world, 2 * SECOND);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, n_dialed);
  world_advance (world, SECOND);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), >, n_dialed);
  host_free (host);
  world_free (world);
}

static void
test_own_sleep_does_not_make_the_hub_mute (void)
{
  World *world = world_new (&two_seconds);
  Host *host = host_join (world);
  guint n_dialed = pipe_network_n_dialed (world->network);

  world_freeze (world, 60 * SECOND);
  world_advance (world, 5 * SECOND);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, n_dialed);
  assert_told (host, "");
  host_free (host);
  world_free (world);
}

static void
test_declared_dead_is_fenced (void)
{
  World *world = world_new (&two_seconds);
  Host *host = host_join (world);
  g_autofree char *expected = g_strdup_printf ("over with error %d", SATIN_ERROR_FENCED);

  satin_hub_process_ended (world->hub, "here", 1, "it was thought");
  assert_told (host, expected);
  host_free (host);
  world_free (world);
}

static void
test_declared_dead_while_away_is_fenced (void)
{
  World *world = world_new (&two_seconds);
  Host *host = host_join (world);
  g_autofree char *expected = g_strdup_printf ("unsure; over with error %d", SATIN_ERROR_FENCED);

  pipe_network_refuse (world->network, "hub", TRUE);
  pipe_network_break (world->network, NULL, "hub");
  world_advance (world, 5 * SECOND);
  pipe_network_refuse (world->network, "hub", FALSE);
  world_advance (world, 2 * SECOND);
  assert_told (host, expected);
  host_free (host);
  world_free (world);
}

/* ---- electing ---- */

static void
test_offer_while_the_hub_is_lost_is_told_later (void)
{
  World *world = world_new (&two_seconds);
  Host *host = host_join (world);

  world_lose_hub (world);
  world_advance (world, SECOND);
  host->notes.ops->elect (host->notes.registry);
  world_start_hub (world, FALSE);
  world_advance (world, 4 * SECOND);
  g_assert_nonnull (strstr (host_heard (host), "id 1 term"));
  host_free (host);
  world_free (world);
}

static void
test_offer_after_the_death_of_the_master_is_told (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);
  End *master = world_add_node (world);

  end_send (master, HUB_MESSAGE_ELECT, NULL);
  satin_hub_process_ended (world->hub, master->host, master->pid, "killed");
  host_heard (host);
  host->notes.ops->elect (host->notes.registry);
  assert_told (host, "elected 5 id 1 term 2");
  host_free (host);
  world_free (world);
}

/* ---- a hub that breaks the protocol ---- */

static void
test_no_answer_to_a_return (void)
{
  World *world = world_new (NULL);
  Impostor impostor = { 0 };
  Host *host = host_join_impostor (world, &impostor);

  satin_link_drop (impostor.link);
  world_advance (world, 9 * SECOND);
  g_assert_cmpuint (impostor.n_links, ==, 2);
  world_advance (world, 3 * SECOND);
  g_assert_cmpuint (impostor.n_links, ==, 3);
  host_free (host);
  satin_listener_stop (impostor.listener);
  world_free (world);
}

static void
write_wait (const SatinWait *wait, gpointer user_data)
{
  g_assert_cmpuint (wait->deadline, !=, 0);
  g_string_append_printf (user_data, "%s,", wait->what);
}

static void
assert_waits (Host *host, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  host->notes.ops->waits (host->notes.registry, write_wait, text);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_each_wait_has_a_deadline (void)
{
  World *world = world_new (NULL);
  Host *host = host_new (world);

  assert_waits (host, "the hub's answer,");
  world_settle (world);
  assert_waits (host, "a sign of life from the hub,");
  world_lose_hub (world);
  world_settle (world);
  assert_waits (host, "the next link to the hub,");
  host_free (host);
  world_free (world);
}

/* Checks that a message with @body makes the host drop the link, and that the host reports nothing.
 */
static void
assert_not_taken (HubMessageType type, gconstpointer body)
{
  World *world = world_new (NULL);
  Impostor impostor = { 0 };
  Host *host = host_join_impostor (world, &impostor);

  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_WARNING, "the hub at pipe:hub: *");
  impostor_send (&impostor, world, type, body);
  g_test_assert_expected_messages ();
  g_assert_null (impostor.link);
  assert_told (host, "");
  world_advance (world, SECOND);
  g_assert_cmpuint (impostor.n_links, >=, 2);
  host_free (host);
  satin_listener_stop (impostor.listener);
  world_free (world);
}

static void
test_view_that_is_left_out_is_noticed (void)
{
  HubJoined joined = { 3, { 2, "", "", "", 1 } };
  assert_not_taken (HUB_MESSAGE_JOINED, &joined);
}

static void
test_number_given_twice_is_noticed (void)
{
  HubJoined joined = { 2, { 1, "", "", "", 1 } };
  assert_not_taken (HUB_MESSAGE_JOINED, &joined);
}

static void
test_term_that_does_not_grow_is_noticed (void)
{
  HubElected elected = { 2, 1, 0 };
  assert_not_taken (HUB_MESSAGE_ELECTED, &elected);
}

static void
test_leave_nobody_asked_for_is_noticed (void)
{
  HubGone gone = { 2, 1 };
  assert_not_taken (HUB_MESSAGE_LEFT, &gone);
}

static void
test_message_of_a_node_is_noticed (void)
{
  assert_not_taken (HUB_MESSAGE_ELECT, NULL);
}

/* Checks that the host, which wants to join, has reported that it and the hub do not understand
 * each other. */
static void
assert_stranger (World *world, Impostor *impostor, Host *host)
{
  g_autofree char *expected = g_strdup_printf ("over with error %d", SATIN_ERROR_PROTOCOL);

  assert_told (host, expected);
  g_assert_nonnull (strstr (host->notes.why, "pipe:hub"));
  g_assert_cmpuint (impostor->n_links, ==, 1);
  host_free (host);
  satin_listener_stop (impostor->listener);
  world_free (world);
}

static void
test_hub_that_cannot_read_the_join_is_the_end_at_once (void)
{
  World *world = world_new (NULL);
  Impostor impostor = { 0 };
  Host *host = host_meet_impostor (world, &impostor);
  g_autoptr (GError) error = g_error_new_literal (SATIN_ERROR, SATIN_ERROR_FORMAT, "too short");

  satin_link_close (impostor.link, error);
  world_settle (world);
  assert_stranger (world, &impostor, host);
}

static void
test_hub_that_cannot_be_read_is_the_end_at_once (void)
{
  World *world = world_new (NULL);
  Impostor impostor = { 0 };
  Host *host = host_meet_impostor (world, &impostor);

  impostor_send (&impostor, world, HUB_MESSAGE_ELECT, NULL);
  assert_stranger (world, &impostor, host);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/net/registry-hub/" path, func)
  CLAIM ("lost/answer-to-a-join-is-asked-for-again", test_lost_answer_to_a_join);
  CLAIM ("lost/short-break-is-not-told", test_short_break_is_not_told);
  CLAIM ("lost/unsure-is-told-once-for-each-loss", test_unsure_is_told_once_for_each_loss);
  CLAIM ("lost/restarted-hub-changes-nothing-when-all-come-back",
         test_restarted_hub_changes_nothing_when_all_come_back);
  CLAIM ("lost/difference-is-told", test_difference_is_told_deaths_first);
  CLAIM ("lost/mute-hub-is-dialed-anew", test_mute_hub_is_dialed_anew);
  CLAIM ("lost/own-sleep-does-not-make-the-hub-mute", test_own_sleep_does_not_make_the_hub_mute);
  CLAIM ("lost/declared-dead-is-fenced", test_declared_dead_is_fenced);
  CLAIM ("lost/declared-dead-while-away-is-fenced", test_declared_dead_while_away_is_fenced);
  CLAIM ("elect/offer-while-the-hub-is-lost-is-told-later",
         test_offer_while_the_hub_is_lost_is_told_later);
  CLAIM ("elect/offer-after-the-death-of-the-master-is-told",
         test_offer_after_the_death_of_the_master_is_told);
  CLAIM ("wrong/no-answer-to-a-return-is-noticed", test_no_answer_to_a_return);
  CLAIM ("lost/each-wait-has-a-deadline", test_each_wait_has_a_deadline);
  CLAIM ("wrong/view-that-is-left-out-is-noticed", test_view_that_is_left_out_is_noticed);
  CLAIM ("wrong/number-given-twice-is-noticed", test_number_given_twice_is_noticed);
  CLAIM ("wrong/term-that-does-not-grow-is-noticed", test_term_that_does_not_grow_is_noticed);
  CLAIM ("wrong/leave-nobody-asked-for-is-noticed", test_leave_nobody_asked_for_is_noticed);
  CLAIM ("wrong/message-of-a-node-is-noticed", test_message_of_a_node_is_noticed);
  CLAIM ("wrong/hub-that-cannot-read-the-join-is-the-end-at-once",
         test_hub_that_cannot_read_the_join_is_the_end_at_once);
  CLAIM ("wrong/hub-that-cannot-be-read-is-the-end-at-once",
         test_hub_that_cannot_be_read_is_the_end_at_once);
  return g_test_run ();
}
