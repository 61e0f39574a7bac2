/* test-registry-hub.c - tests how a node joins, lives, leaves and ends with a hub
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "registry-host.h"

#define SECOND WORLD_SECOND_US

static const SatinHubOptions two_seconds = { .heartbeat_us = SECOND / 2, .death_us = 2 * SECOND };

static void
test_states_end_in_done (void)
{
  for (guint to = 0; to < CLIENT_N_STATES; to++)
    {
      g_assert_false (client_state_may (CLIENT_DONE, to));
      g_assert_true (to == CLIENT_DONE || client_state_may (to, CLIENT_DONE));
      g_assert_cmpint (client_state_may (CLIENT_LEAVING, to), ==, to == CLIENT_DONE);
    }
}

/* ---- joining ---- */

static void
test_registered_comes_first_with_the_whole_view (void)
{
  World *world = world_new (NULL);
  Host *first = host_join (world);
  Host *second;

  first->notes.ops->elect (first->notes.registry);
  second = host_new (world);
  assert_told (second, "registered 3 self 2 others 1 master 1; complete");
  host_free (second);
  host_free (first);
  world_free (world);
}

static void
test_changes_are_told_with_their_views (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);
  End *second = world_add_node (world);
  End *third = world_add_node (world);

  end_send (second, HUB_MESSAGE_ELECT, NULL);
  end_send (third, HUB_MESSAGE_LEAVE, NULL);
  satin_hub_process_ended (world->hub, second->host, second->pid, "killed");
  assert_told (host, "joined 2 id 2 at pipe:x; joined 3 id 3 at pipe:x; elected 4 id 2 term 1; "
                     "left 5 id 3; died 6 id 2");
  host_free (host);
  world_free (world);
}

static void
test_signal_that_killed_is_told_before_the_death (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);
  End *second = world_add_node (world);

  satin_hub_process_killed (world->hub, second->host, second->pid, 11, "killed");
  assert_told (host, "joined 2 id 2 at pipe:x; killed 2 by 11; died 3 id 2");
  host_free (host);
  world_free (world);
}

static void
test_what_ended_a_machine_is_told_before_the_death (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);
  End *second = end_new (world, SATIN_ROLE_NODE);

  second->host = "c9";
  second->is_beating = TRUE;
  end_connect (second);
  end_join (second);
  satin_hub_host_killed (world->hub, "c9", SATIN_DEATH_OUT_OF_MEMORY, "it needed more memory");
  g_autofree char *expected = g_strdup_printf (
      "joined 2 id 2 at pipe:x; killed 2 by %d; died 3 id 2", SATIN_DEATH_OUT_OF_MEMORY);
  assert_told (host, expected);
  host_free (host);
  world_free (world);
}

/* The plugin must not call a function behind the end of the host's table. */
static void
test_host_that_is_older_is_not_told_what_it_does_not_know (void)
{
  World *world = world_new (NULL);
  Host *host = host_new_older (world, G_STRUCT_OFFSET (SatinRegistryEvents, killed));

  host_heard (host);
  End *second = world_add_node (world);
  satin_hub_process_killed (world->hub, second->host, second->pid, 11, "killed");
  assert_told (host, "joined 2 id 2 at pipe:x; died 3 id 2");
  host_free (host);
  world_free (world);
}

static void
test_complete_comes_when_the_closed_world_is (void)
{
  SatinHubOptions options = { .n_nodes = 2 };
  World *world = world_new (&options);
  Host *host = host_new (world);

  assert_told (host, "registered 1 self 1 others master 0");
  world_add_node (world);
  assert_told (host, "joined 2 id 2 at pipe:x; complete");
  host_free (host);
  world_free (world);
}

static void
test_hub_that_comes_later_is_found (void)
{
  World *world = world_new (NULL);
  Host *host;

  pipe_network_refuse (world->network, "hub", TRUE);
  host = host_new (world);
  world_advance (world, 5 * SECOND);
  assert_told (host, "");
  pipe_network_refuse (world->network, "hub", FALSE);
  world_advance (world, SECOND);
  assert_told (host, "registered 1 self 1 others master 0; complete");
  host_free (host);
  world_free (world);
}

static void
test_no_hub_within_the_time_is_the_end (void)
{
  World *world = world_new (NULL);
  Host *host;
  g_autofree char *expected = g_strdup_printf ("over with error %d", SATIN_ERROR_UNREACHABLE);

  pipe_network_refuse (world->network, "hub", TRUE);
  host = host_new (world);
  world_advance (world, 10 * SECOND - 1);
  assert_told (host, "");
  world_advance (world, 1);
  assert_told (host, expected);
  g_assert_nonnull (strstr (host->notes.why, "pipe:hub"));
  host_free (host);
  world_free (world);
}

static void
test_dialing_slows_down (void)
{
  World *world = world_new (NULL);
  Host *host;

  pipe_network_refuse (world->network, "hub", TRUE);
  host = host_new (world);
  world_advance (world, 10 * SECOND - 1);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), >=, 10);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), <=, 30);
  host_free (host);
  world_free (world);
}

static void
test_refusal_is_the_end_at_once (void)
{
  World *world = world_new (NULL);
  Host *host;
  g_autofree char *expected = g_strdup_printf ("over with error %d", SATIN_ERROR_PROGRAM);

  world_add_node (world);
  host = host_new_for (world, "nqueens");
  assert_told (host, expected);
  g_assert_nonnull (strstr (host->notes.why, "\"fib\""));
  host_free (host);
  world_free (world);
}

static void
test_closed_run_is_the_end_at_once (void)
{
  SatinHubOptions options = { .n_nodes = 1 };
  World *world = world_new (&options);
  g_autofree char *expected = g_strdup_printf ("over with error %d", SATIN_ERROR_LIMIT);
  Host *host;

  world_add_node (world);
  host = host_new (world);
  assert_told (host, expected);
  host_free (host);
  world_free (world);
}

static void
test_wrong_address_does_not_open (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);
  g_autoptr (GError) error = NULL;

  g_assert_null (host_open (host, "nonsense", "fib", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  host_free (host);
  world_free (world);
}

/* ---- being a member ---- */

static void
test_heartbeats_keep_it_alive (void)
{
  World *world = world_new (&two_seconds);
  Host *host = host_join (world);

  world_advance (world, 60 * SECOND);
  assert_told (host, "");
  assert_holder (world, "1 joined");
  host_free (host);
  world_free (world);
}

static void
test_signals_go_both_ways (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);
  End *other = world_add_node (world);
  g_autoptr (GBytes) payload = g_bytes_new ("now", 3);

  host_heard (host);
  host->notes.ops->signal (host->notes.registry, other->id, "leave", payload);
  host->notes.ops->signal (host->notes.registry, 0, "stop", NULL);
  world_settle (world);
  assert_heard (other, "signal leave now; signal stop ");
  assert_told (host, "signal stop ");
  host_free (host);
  world_free (world);
}

static void
test_suspicion_reaches_the_hub (void)
{
  SatinHubOptions options = { .death_us = 60 * SECOND };
  World *world = world_new (&options);
  Host *host = host_join (world);
  End *silent = world_add_node (world);

  silent->is_beating = FALSE;
  satin_link_pause (silent->link, TRUE);
  world_advance (world, SECOND);
  host_heard (host);
  host->notes.ops->suspect (host->notes.registry, silent->id);
  world_advance (world, 2 * SECOND);
  assert_told (host, "died 3 id 2");
  host_free (host);
  world_free (world);
}

static void
note_figures (const SatinRunStatus *status, gpointer user_data)
{
  for (gsize i = 0; i < status->n_nodes; i++)
    g_string_append_printf (user_data, "%s %" G_GSIZE_FORMAT ";", status->nodes[i].state,
                            status->nodes[i].n_figures);
}

static void
test_asked_for_figures_it_reports (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);
  g_autoptr (GString) log = g_string_new (NULL);

  host->notes.is_reporting = TRUE;
  satin_hub_ask_status (world->hub, SECOND, note_figures, log);
  assert_told (host, "asked");
  g_assert_cmpstr (log->str, ==, "member 1;");
  host_free (host);
  world_free (world);
}

static void
test_report_that_is_too_large_stays_here (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);
  g_autofree guint8 *much = g_malloc0 (HUB_MAX_REPORT_BYTES + 1);
  g_autoptr (GBytes) bytes = g_bytes_new (much, HUB_MAX_REPORT_BYTES + 1);

  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_WARNING, "a report of * bytes is not sent*");
  host->notes.ops->report (host->notes.registry, bytes);
  g_test_assert_expected_messages ();
  world_advance (world, SECOND);
  assert_told (host, "");
  host_free (host);
  world_free (world);
}

/* ---- leaving ---- */

static void
test_leaver_is_told_over_when_it_was_answered (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);
  End *other = world_add_node (world);

  host_heard (host);
  host->notes.ops->leave (host->notes.registry);
  g_assert_nonnull (host->notes.registry);
  assert_told (host, "over");
  assert_heard (other, "left 3 id 1");
  host_free (host);
  world_free (world);
}

static void
test_leaving_before_joining_is_over_at_once (void)
{
  World *world = world_new (NULL);
  Host *host = host_new (world);

  host->notes.ops->leave (host->notes.registry);
  g_assert_nonnull (host->notes.registry);
  assert_told (host, "over");
  host_free (host);
  world_free (world);
}

static void
test_leaving_without_a_hub_takes_no_longer_than_its_time (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);

  world_lose_hub (world);
  world_advance (world, SECOND);
  host_heard (host);
  host->notes.ops->leave (host->notes.registry);
  world_advance (world, 5 * SECOND - 1);
  assert_told (host, "");
  world_advance (world, 1);
  assert_told (host, "over");
  host_free (host);
  world_free (world);
}

static void
test_leave_is_told_again_when_the_link_broke (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);
  End *other = world_add_node (world);

  host_heard (host);
  pipe_network_set_delay (world->network, SECOND / 100);
  host->notes.ops->leave (host->notes.registry);
  pipe_network_break (world->network, NULL, "hub");
  world_advance (world, SECOND);
  assert_told (host, "over");
  g_assert_null (other->link); /* the link of this node was broken, too */
  assert_holder (world, "1 joined; 2 joined; 1 left");
  host_free (host);
  world_free (world);
}

static void
test_abandoned_one_is_told_nothing_and_dies (void)
{
  World *world = world_new (&two_seconds);
  Host *host = host_join (world);

  host->notes.ops->abandon (g_steal_pointer (&host->notes.registry));
  world_advance (world, 3 * SECOND);
  assert_told (host, "");
  assert_holder (world, "1 joined; 1 died");
  host_free (host);
  world_free (world);
}

static void
test_abandoning_inside_an_event_is_allowed (void)
{
  World *world = world_new (NULL);
  Host *host = host_new (world);

  host->notes.is_abandoning = TRUE;
  assert_told (host, "registered 1 self 1 others master 0");
  host_free (host);
  world_free (world);
}

/* ---- the end ---- */

static void
test_end_is_told_to_all_and_figures_come_first (void)
{
  World *world = world_new (NULL);
  Host *master = host_join (world);
  Host *other = host_join (world);
  g_autoptr (GString) log = g_string_new (NULL);

  master->notes.is_reporting = TRUE;
  other->notes.is_reporting = TRUE;
  master->notes.ops->elect (master->notes.registry);
  host_heard (master);
  host_heard (other);
  master->notes.ops->end (master->notes.registry, 5, NULL);
  assert_told (master, "asked; end 5 ; over");
  assert_told (other, "asked; end 5 ; left 4 id 1; over");
  assert_holder (world, "1 joined; 2 joined; 1 left; 2 left; over 5");
  satin_hub_ask_status (world->hub, SECOND, note_figures, log);
  world_settle (world);
  g_assert_cmpstr (log->str, ==, "left 1;left 1;");
  host_free (other);
  host_free (master);
  world_free (world);
}

static void
test_host_that_reports_late_is_waited_for (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);

  satin_hub_end (world->hub, 0, NULL);
  assert_told (host, "asked; end 0 ");
  world_advance (world, SECOND / 4);
  registry_notes_report (&host->notes, 1);
  assert_told (host, "over");
  assert_holder (world, "1 joined; 1 left; over 0");
  host_free (host);
  world_free (world);
}

static void
test_host_that_does_not_report_leaves_all_the_same (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);

  satin_hub_end (world->hub, 0, NULL);
  assert_told (host, "asked; end 0 ");
  world_advance (world, 6 * SECOND / 10);
  assert_told (host, "over");
  assert_holder (world, "1 joined; 1 left; over 0");
  host_free (host);
  world_free (world);
}

static void
test_end_is_told_with_status_and_message (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);

  host->notes.is_reporting = TRUE;
  satin_hub_end (world->hub, 21, "too few nodes");
  assert_told (host, "asked; end 21 too few nodes; over");
  host_free (host);
  world_free (world);
}

/* The link broke before the hub could report the end. */
static void
test_end_is_told_to_one_who_comes_back (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);

  world_advance (world, SECOND);
  pipe_network_break (world->network, NULL, "hub");
  satin_hub_end (world->hub, 2, NULL);
  assert_told (host, "asked; end 2 ");
  host_free (host);
  world_free (world);
}

static void
test_end_is_told_also_when_the_hub_waits_no_more (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);

  pipe_network_refuse (world->network, "hub", TRUE);
  pipe_network_break (world->network, NULL, "hub");
  satin_hub_end (world->hub, 2, NULL);
  world_advance (world, 2 * SECOND);
  assert_holder (world, "1 joined; over 2");
  pipe_network_refuse (world->network, "hub", FALSE);
  world_advance (world, SECOND);
  assert_told (host, "unsure; end 2 ; over");
  host_free (host);
  world_free (world);
}

static void
test_end_while_the_hub_is_lost_is_told_later (void)
{
  World *world = world_new (&two_seconds);
  Host *host = host_join (world);

  host->notes.is_reporting = TRUE;
  host->notes.ops->elect (host->notes.registry);
  world_settle (world);
  world_lose_hub (world);
  world_advance (world, SECOND);
  host->notes.ops->end (host->notes.registry, 3, NULL);
  world_heard (world);
  world_start_hub (world, FALSE);
  world_advance (world, 2 * SECOND);
  assert_holder (world, "1 left; over 3");
  host_free (host);
  world_free (world);
}

static void
test_only_the_master_ends (void)
{
  World *world = world_new (NULL);
  Host *host = host_join (world);

  host->notes.ops->end (host->notes.registry, 3, NULL);
  world_advance (world, 3 * SECOND);
  assert_told (host, "");
  assert_holder (world, "1 joined");
  host_free (host);
  world_free (world);
}

static void
test_who_comes_after_the_end_hears_it (void)
{
  World *world = world_new (NULL);
  g_autofree char *expected = g_strdup_printf ("over with error %d", SATIN_ERROR_CLOSED);
  Host *host;

  satin_hub_end (world->hub, 0, NULL);
  world_settle (world);
  host = host_new (world);
  assert_told (host, expected);
  host_free (host);
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/net/registry-hub/" path, func)
  CLAIM ("states-end-in-done", test_states_end_in_done);
  CLAIM ("join/registered-comes-first-with-the-whole-view",
         test_registered_comes_first_with_the_whole_view);
  CLAIM ("join/changes-are-told-with-their-views", test_changes_are_told_with_their_views);
  CLAIM ("live/signal-that-killed-is-told-before-the-death",
         test_signal_that_killed_is_told_before_the_death);
  CLAIM ("live/host-that-is-older-is-not-told-what-it-does-not-know",
         test_host_that_is_older_is_not_told_what_it_does_not_know);
  CLAIM ("join/complete-comes-when-the-closed-world-is",
         test_complete_comes_when_the_closed_world_is);
  CLAIM ("join/hub-that-comes-later-is-found", test_hub_that_comes_later_is_found);
  CLAIM ("join/no-hub-within-the-time-is-the-end", test_no_hub_within_the_time_is_the_end);
  CLAIM ("join/dialing-slows-down", test_dialing_slows_down);
  CLAIM ("join/refusal-is-the-end-at-once", test_refusal_is_the_end_at_once);
  CLAIM ("join/closed-run-is-the-end-at-once", test_closed_run_is_the_end_at_once);
  CLAIM ("join/wrong-address-does-not-open", test_wrong_address_does_not_open);
  CLAIM ("live/heartbeats-keep-it-alive", test_heartbeats_keep_it_alive);
  CLAIM ("live/what-ended-a-machine-is-told-before-the-death",
         test_what_ended_a_machine_is_told_before_the_death);
  CLAIM ("live/signals-go-both-ways", test_signals_go_both_ways);
  CLAIM ("live/suspicion-reaches-the-hub", test_suspicion_reaches_the_hub);
  CLAIM ("live/asked-for-figures-it-reports", test_asked_for_figures_it_reports);
  CLAIM ("live/report-that-is-too-large-stays-here", test_report_that_is_too_large_stays_here);
  CLAIM ("leave/over-when-it-was-answered", test_leaver_is_told_over_when_it_was_answered);
  CLAIM ("leave/before-joining-is-over-at-once", test_leaving_before_joining_is_over_at_once);
  CLAIM ("leave/without-a-hub-takes-no-longer-than-its-time",
         test_leaving_without_a_hub_takes_no_longer_than_its_time);
  CLAIM ("leave/is-told-again-when-the-link-broke", test_leave_is_told_again_when_the_link_broke);
  CLAIM ("leave/abandoned-one-is-told-nothing-and-dies",
         test_abandoned_one_is_told_nothing_and_dies);
  CLAIM ("leave/abandoning-inside-an-event-is-allowed", test_abandoning_inside_an_event_is_allowed);
  CLAIM ("end/is-told-to-all-and-figures-come-first",
         test_end_is_told_to_all_and_figures_come_first);
  CLAIM ("end/host-that-reports-late-is-waited-for", test_host_that_reports_late_is_waited_for);
  CLAIM ("end/host-that-does-not-report-leaves-all-the-same",
         test_host_that_does_not_report_leaves_all_the_same);
  CLAIM ("end/is-told-with-status-and-message", test_end_is_told_with_status_and_message);
  CLAIM ("end/is-told-to-one-who-comes-back", test_end_is_told_to_one_who_comes_back);
  CLAIM ("end/is-told-also-when-the-hub-waits-no-more",
         test_end_is_told_also_when_the_hub_waits_no_more);
  CLAIM ("end/while-the-hub-is-lost-is-told-later", test_end_while_the_hub_is_lost_is_told_later);
  CLAIM ("end/only-the-master-ends", test_only_the_master_ends);
  CLAIM ("end/who-comes-after-it-hears-it", test_who_comes_after_the_end_hears_it);
  return g_test_run ();
}
