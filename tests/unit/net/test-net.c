/* test-net.c - tests membership: the view and its changes, signals, joining and leaving
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net/private.h"
#include "net-world.h"

#include <string.h>

#define SECOND G_USEC_PER_SEC

#define assert_view(world, i, expected)                                                            \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree char *view_ = net_world_view (world, i);                                            \
    g_assert_cmpstr (view_, ==, expected);                                                         \
  }                                                                                                \
  G_STMT_END

/* ---- states ---- */

static void
test_closed_is_final (NetWorld *world, gconstpointer unused)
{
  for (NetState to = NET_JOINING; to < NET_N_STATES; to++)
    g_assert_false (net_state_may (NET_CLOSED, to));
}

static void
test_no_state_goes_back (NetWorld *world, gconstpointer unused)
{
  for (NetState from = NET_JOINING; from < NET_N_STATES; from++)
    for (NetState to = NET_JOINING; to <= from; to++)
      g_assert_false (net_state_may (from, to));
}

/* ---- the view ---- */

static void
test_each_sees_the_others_by_rising_number (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 3);
  assert_view (world, 1, "1 of 2 3 master 0 term 0");
  assert_view (world, 2, "2 of 1 3 master 0 term 0");
  assert_view (world, 3, "3 of 1 2 master 0 term 0");
}

static void
test_equal_view_numbers_mean_the_same_members (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 3);
  g_assert_cmpuint (satin_peers_get_view (world->nodes[1].peers)->number, ==,
                    satin_peers_get_view (world->nodes[3].peers)->number);
}

static void
test_who_joins_later_is_told_of (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 1);
  net_world_start (world, 2, "west");
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "joined 2,");
  g_assert_cmpstr (world->nodes[2].changes->str, ==, "");
  g_assert_cmpstr (satin_view_find (satin_peers_get_view (world->nodes[1].peers), 2)->cluster, ==,
                   "west");
}

static void
test_who_dies_is_out_of_the_view_when_it_is_told (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 3);
  fake_registry_kill (world->registry, 2);
  net_world_run (world, 0);
  assert_view (world, 1, "1 of 3 master 0 term 0");
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "died 2,");
}

static void
test_signal_of_a_death_is_in_the_view_while_it_is_told (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 4);
  fake_registry_set_death_signal (world->registry, 11);
  fake_registry_kill (world->registry, 2);
  net_world_run (world, 0);
  fake_registry_set_death_signal (world->registry, 0);
  fake_registry_kill (world->registry, 3);
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "died 2 by 11,died 3,");
}

static void
test_cluster_of_who_is_gone_is_in_the_view_while_it_is_told (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 1);
  net_world_start (world, 2, "west");
  net_world_run (world, 0);
  fake_registry_kill (world->registry, 2);
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[1].gone_cluster, ==, "west");
  g_assert_null (satin_peers_get_view (world->nodes[1].peers)->gone_cluster);
}

static void
test_first_offer_makes_the_master (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  satin_net_elect (world->nodes[2].net);
  satin_net_elect (world->nodes[1].net);
  net_world_run (world, 0);
  assert_view (world, 1, "1 of 2 master 2 term 1");
  assert_view (world, 2, "2 of 1 master 2 term 1");
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "master 2,");
  g_assert_cmpstr (world->nodes[2].changes->str, ==, "master 2,");
}

static void
test_dead_master_is_no_master (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  satin_net_elect (world->nodes[2].net);
  net_world_run (world, 0);
  fake_registry_kill (world->registry, 2);
  net_world_run (world, 0);
  assert_view (world, 1, "1 of master 0 term 1");
}

static void
test_who_joins_late_knows_the_master (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 1);
  satin_net_elect (world->nodes[1].net);
  net_world_run (world, 0);
  net_world_start (world, 2, NULL);
  net_world_run (world, 0);
  assert_view (world, 2, "2 of 1 master 1 term 1");
}

/* ---- leaving ---- */

static void
test_leaving_one_is_marked_in_every_view (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  satin_net_leaving (world->nodes[2].net, 1);
  net_world_run (world, 0);
  g_assert_true (satin_view_find (satin_peers_get_view (world->nodes[1].peers), 2)->is_leaving);
  g_assert_false (satin_peers_get_view (world->nodes[1].peers)->is_leaving);
  g_assert_true (satin_peers_get_view (world->nodes[2].peers)->is_leaving);
  g_assert_false (satin_view_find (satin_peers_get_view (world->nodes[2].peers), 1)->is_leaving);
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "leaving 2,");
  g_assert_cmpstr (world->nodes[2].changes->str, ==, "leaving 2,");
}

static void
test_who_joins_late_knows_the_leaving_ones (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 1);
  satin_net_leaving (world->nodes[1].net, 1);
  net_world_start (world, 2, NULL);
  net_world_run (world, 0);
  g_assert_true (satin_view_find (satin_peers_get_view (world->nodes[2].peers), 1)->is_leaving);
  g_assert_cmpstr (world->nodes[2].changes->str, ==, "");
}

static void
test_registry_without_leaving_tells_nobody (NetWorld *world, gconstpointer unused)
{
  SatinRegistryOps ops = fake_registry_ops;

  ops.leaving = NULL;
  world->registry_ops = &ops;
  net_world_join (world, 2);
  satin_net_leaving (world->nodes[2].net, 1);
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "");
}

/* ---- listeners ---- */

typedef struct
{
  SatinPeers *peers;
  guint own_id;
  guint other_id;
  guint n_heard;
} Remover;

static void
remove_both (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
  Remover *self = user_data;

  self->n_heard++;
  satin_peers_remove_change_func (self->peers, self->own_id);
  satin_peers_remove_change_func (self->peers, self->other_id);
}

static void
count_change (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
  ++*(guint *)user_data;
}

static void
test_listener_removed_by_another_hears_nothing (NetWorld *world, gconstpointer unused)
{
  Remover remover = { 0 };
  guint n_heard = 0;

  net_world_join (world, 1);
  remover.peers = world->nodes[1].peers;
  remover.own_id = satin_peers_add_change_func (remover.peers, remove_both, &remover);
  remover.other_id = satin_peers_add_change_func (remover.peers, count_change, &n_heard);
  net_world_start (world, 2, NULL);
  net_world_start (world, 3, NULL);
  net_world_run (world, 0);
  g_assert_cmpuint (remover.n_heard, ==, 1);
  g_assert_cmpuint (n_heard, ==, 0);
}

/* ---- signals and figures ---- */

static void
test_complete_is_passed_on (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  fake_registry_complete (world->registry);
  net_world_run (world, 0);
  g_assert_cmpuint (world->nodes[1].n_complete, ==, 1);
  g_assert_cmpuint (world->nodes[2].n_complete, ==, 1);
}

static void
test_word_to_all_reaches_the_sender_too (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  satin_net_signal (world->nodes[1].net, 0, "stop", NULL);
  satin_net_signal (world->nodes[1].net, 2, "leave", NULL);
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[1].words->str, ==, "stop,");
  g_assert_cmpstr (world->nodes[2].words->str, ==, "stop,leave,");
}

static void
test_end_of_the_run_is_a_word_to_all (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  satin_net_end_run (world->nodes[1].net, 3, "done");
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[1].words->str, ==, "over,");
  g_assert_cmpstr (world->nodes[2].words->str, ==, "over,");
}

static void
test_report_reaches_the_registry (NetWorld *world, gconstpointer unused)
{
  SatinFigure figures[] = { { .name = "a", .value = 1 }, { .name = "b", .value = -2 } };
  SatinReport report = { .figures = figures, .n_figures = 2 };

  net_world_join (world, 1);
  fake_registry_ask (world->registry, 1);
  net_world_run (world, 0);
  g_assert_cmpuint (world->nodes[1].n_asked, ==, 1);
  satin_net_report (world->nodes[1].net, &report);
  g_assert_cmpstr (fake_registry_get_report (world->registry), ==, "a=1,b=-2,");
}

typedef struct
{
  const char *name;
  gint64 value;
} Wanted;

static void
take_figure (const char *name, gint64 value, gpointer user_data)
{
  Wanted *wanted = user_data;

  if (strcmp (name, wanted->name) == 0)
    wanted->value = value;
}

static gint64
figure_of (NetWorld *world, guint i, const char *name)
{
  Wanted wanted = { .name = name, .value = -1 };

  satin_net_figures (world->nodes[i].net, take_figure, &wanted);
  return wanted.value;
}

static void
test_traffic_between_clusters_counts_as_wan (NetWorld *world, gconstpointer unused)
{
  net_world_start (world, 1, "east");
  net_world_start (world, 2, "east");
  net_world_start (world, 3, "west");
  net_world_run (world, 0);
  net_world_send_size (world, 1, 2, 1000);
  net_world_send_size (world, 1, 3, 20000);
  net_world_run (world, 0);
  g_assert_cmpint (figure_of (world, 1, "net.sent-lan"), >, 1000);
  g_assert_cmpint (figure_of (world, 1, "net.sent-lan"), <, 2000);
  g_assert_cmpint (figure_of (world, 1, "net.sent-wan"), >, 20000);
  g_assert_cmpint (figure_of (world, 2, "net.received-lan"), >, 1000);
  g_assert_cmpint (figure_of (world, 3, "net.received-wan"), >, 20000);
  g_assert_cmpint (figure_of (world, 3, "net.received-lan"), ==, 0);
  g_assert_cmpint (figure_of (world, 1, "net.links"), ==, 2);
  g_assert_cmpint (figure_of (world, 1, "net.messages"), ==, 2);
}

static void
test_traffic_of_links_that_are_gone_still_counts (NetWorld *world, gconstpointer unused)
{
  gint64 sent;

  net_world_join (world, 2);
  net_world_send_size (world, 1, 2, 1000);
  net_world_run (world, 0);
  sent = figure_of (world, 1, "net.sent-lan");
  pipe_network_break (world->network, NULL, NULL);
  net_world_run (world, 0);
  g_assert_cmpint (figure_of (world, 1, "net.links"), ==, 0);
  g_assert_cmpint (figure_of (world, 1, "net.sent-lan"), ==, sent);
}

/* ---- the end ---- */

static void
test_refusal_is_the_end_with_its_error (NetWorld *world, gconstpointer unused)
{
  net_world_start (world, 1, NULL);
  fake_registry_end_member (world->registry, 1, SATIN_ERROR_PROGRAM);
  net_world_run (world, 0);
  g_assert_cmpuint (world->nodes[1].n_over, ==, 1);
  g_assert_error (world->nodes[1].error, SATIN_ERROR, SATIN_ERROR_PROGRAM);
}

static void
test_leaving_is_in_good_order_for_the_others (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 1000);
  net_world_join (world, 3);
  net_world_send (world, 1, 2, "a");
  net_world_send (world, 3, 1, "b");
  net_world_run (world, SECOND);
  net_world_leave (world, 1);
  g_assert_cmpuint (world->nodes[1].n_left, ==, 0);
  net_world_run (world, SECOND);
  g_assert_cmpuint (world->nodes[1].n_left, ==, 1);
  g_assert_cmpuint (world->nodes[1].n_over, ==, 0);
  g_assert_cmpstr (world->nodes[2].changes->str, ==, "left 1,");
  g_assert_cmpstr (world->nodes[3].changes->str, ==, "left 1,");
  g_assert_cmpuint (pipe_network_n_links (world->network), ==, 0);
}

static void
test_leaving_sends_what_waits (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 1000);
  net_world_join (world, 2);
  for (guint i = 0; i < 3; i++)
    net_world_send (world, 1, 2, "x");
  net_world_leave (world, 1);
  g_assert_false (net_world_send (world, 1, 2, "too late"));
  net_world_run (world, SECOND);
  g_assert_cmpuint (world->nodes[1].n_left, ==, 1);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:x,1:x,1:x,");
  g_assert_cmpstr (world->nodes[2].changes->str, ==, "left 1,");
}

static void
test_all_may_leave_at_once (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 1000);
  net_world_join (world, 4);
  for (guint from = 1; from <= 4; from++)
    for (guint to = 1; to <= 4; to++)
      net_world_send (world, from, to, "x");
  net_world_run (world, SECOND);
  for (guint i = 1; i <= 4; i++)
    net_world_leave (world, i);
  net_world_run (world, SECOND);
  for (guint i = 1; i <= 4; i++)
    {
      g_assert_cmpuint (world->nodes[i].n_left, ==, 1);
      g_assert_null (strstr (world->nodes[i].changes->str, "broken"));
    }
}

static void
test_unreachable_peer_holds_leaving_two_seconds (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  pipe_network_refuse (world->network, "n2", TRUE);
  net_world_send (world, 1, 2, "x");
  net_world_leave (world, 1);
  net_world_run (world, NET_CLOSE_TIMEOUT_US - 1);
  g_assert_cmpuint (world->nodes[1].n_left, ==, 0);
  net_world_run (world, 1);
  g_assert_cmpuint (world->nodes[1].n_left, ==, 1);
}

static void
test_unreachable_peer_does_not_hold_leaving_after_the_end (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  pipe_network_refuse (world->network, "n2", TRUE);
  net_world_send (world, 1, 2, "x");
  satin_net_end_run (world->nodes[2].net, 0, NULL);
  net_world_run (world, 0);
  net_world_leave (world, 1);
  net_world_run (world, 0);
  g_assert_cmpuint (world->nodes[1].n_left, ==, 1);
}

static void
test_silent_registry_does_not_hold_leaving_for_ever (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 1);
  fake_registry_ignore_leave (world->registry);
  net_world_leave (world, 1);
  net_world_run (world, NET_LEAVE_TIMEOUT_US);
  g_assert_cmpuint (world->nodes[1].n_left, ==, 1);
}

static void
test_leaving_before_joining_is_possible (NetWorld *world, gconstpointer unused)
{
  net_world_start (world, 1, NULL);
  net_world_leave (world, 1);
  net_world_run (world, 0);
  g_assert_cmpuint (world->nodes[1].n_left, ==, 1);
  g_assert_cmpuint (world->nodes[1].n_joined, ==, 0);
}

static void
test_leaving_after_the_registry_ended_is_possible (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  net_world_send (world, 1, 2, "x");
  net_world_run (world, 0);
  fake_registry_end_member (world->registry, 1, SATIN_ERROR_FENCED);
  net_world_run (world, 0);
  net_world_leave (world, 1);
  net_world_run (world, 4 * SECOND);
  g_assert_cmpuint (world->nodes[1].n_left, ==, 1);
  g_assert_cmpuint (world->nodes[1].n_over, ==, 1);
}

static void
test_vanishing_breaks_the_links (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  net_world_send (world, 1, 2, "x");
  net_world_run (world, 0);
  net_world_free_node (world, 1);
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[2].changes->str, ==, "broken 1,");
  g_assert_cmpstr (fake_registry_get_suspects (world->registry), ==, "2 suspects 1,");
}

/* ---- where to listen ---- */

static void
check_pick (NetWorld *world, const char *registry_uri, const char *pattern)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = net_pick_listen_uri (world->loop, registry_uri, 42, &error);

  g_assert_no_error (error);
  g_assert_true (g_pattern_match_simple (pattern, uri));
}

static void
test_listens_where_it_suits_the_registry (NetWorld *world, gconstpointer unused)
{
  check_pick (world, "unix:/run/x/hub", "unix:/run/x/node-42-????????");
  check_pick (world, "unix:/hub", "unix:/node-42-????????");
  check_pick (world, "tcp://127.0.0.1:7000", "tcp://127.0.0.1:0");
  check_pick (world, "tcp://localhost:7000", "tcp://127.0.0.1:0");
  check_pick (world, "tcp://[::1]:7000", "tcp://127.0.0.1:0");
  check_pick (world, "tcp://head:7000", "tcp://0.0.0.0:0");
  check_pick (world, "tcp://localhost.example.org:7000", "tcp://0.0.0.0:0");
  check_pick (world, "tcp://127.example.org:7000", "tcp://0.0.0.0:0");
  check_pick (world, "etcd://127.0.0.1:1,[::1]:2/run", "tcp://127.0.0.1:0");
  check_pick (world, "etcd://127.0.0.1:1,e2:2/run", "tcp://0.0.0.0:0");
  check_pick (world, "http://etcd:2379", "tcp://0.0.0.0:0");
}

static void
test_unknown_scheme_asks_for_an_address (NetWorld *world, gconstpointer unused)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (net_pick_listen_uri (world->loop, "smoke:signal", 42, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

static void
test_taken_address_is_refused_at_once (NetWorld *world, gconstpointer unused)
{
  SatinNetOptions options = {
    .registry_uri = "pipe:hub",
    .listen_uri = "pipe:n1",
    .transport_ops = &pipe_transport_ops,
    .registry_ops = &fake_registry_ops,
  };
  const SatinNetEvents none = { 0 };
  g_autoptr (GError) error = NULL;

  net_world_join (world, 1);
  g_assert_null (satin_net_new (world->loop, &world->program, &options, &none, NULL, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_ADDRESS_IN_USE);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*func) (NetWorld *, gconstpointer);
  } cases[] = {
    { "closed-is-final", test_closed_is_final },
    { "no-state-goes-back", test_no_state_goes_back },
    { "each-sees-the-others-by-rising-number", test_each_sees_the_others_by_rising_number },
    { "equal-view-numbers-mean-the-same-members", test_equal_view_numbers_mean_the_same_members },
    { "who-joins-later-is-told-of", test_who_joins_later_is_told_of },
    { "who-dies-is-out-of-the-view-when-it-is-told",
      test_who_dies_is_out_of_the_view_when_it_is_told },
    { "signal-of-a-death-is-in-the-view-while-it-is-told",
      test_signal_of_a_death_is_in_the_view_while_it_is_told },
    { "cluster-of-who-is-gone-is-in-the-view-while-it-is-told",
      test_cluster_of_who_is_gone_is_in_the_view_while_it_is_told },
    { "first-offer-makes-the-master", test_first_offer_makes_the_master },
    { "dead-master-is-no-master", test_dead_master_is_no_master },
    { "who-joins-late-knows-the-master", test_who_joins_late_knows_the_master },
    { "leaving-one-is-marked-in-every-view", test_leaving_one_is_marked_in_every_view },
    { "who-joins-late-knows-the-leaving-ones", test_who_joins_late_knows_the_leaving_ones },
    { "registry-without-leaving-tells-nobody", test_registry_without_leaving_tells_nobody },
    { "listener-removed-by-another-hears-nothing", test_listener_removed_by_another_hears_nothing },
    { "complete-is-passed-on", test_complete_is_passed_on },
    { "word-to-all-reaches-the-sender-too", test_word_to_all_reaches_the_sender_too },
    { "end-of-the-run-is-a-word-to-all", test_end_of_the_run_is_a_word_to_all },
    { "report-reaches-the-registry", test_report_reaches_the_registry },
    { "traffic-between-clusters-counts-as-wan", test_traffic_between_clusters_counts_as_wan },
    { "traffic-of-links-that-are-gone-still-counts",
      test_traffic_of_links_that_are_gone_still_counts },
    { "refusal-is-the-end-with-its-error", test_refusal_is_the_end_with_its_error },
    { "leaving-is-in-good-order-for-the-others", test_leaving_is_in_good_order_for_the_others },
    { "leaving-sends-what-waits", test_leaving_sends_what_waits },
    { "all-may-leave-at-once", test_all_may_leave_at_once },
    { "unreachable-peer-holds-leaving-two-seconds",
      test_unreachable_peer_holds_leaving_two_seconds },
    { "unreachable-peer-does-not-hold-leaving-after-the-end",
      test_unreachable_peer_does_not_hold_leaving_after_the_end },
    { "silent-registry-does-not-hold-leaving-for-ever",
      test_silent_registry_does_not_hold_leaving_for_ever },
    { "leaving-before-joining-is-possible", test_leaving_before_joining_is_possible },
    { "leaving-after-the-registry-ended-is-possible",
      test_leaving_after_the_registry_ended_is_possible },
    { "vanishing-breaks-the-links", test_vanishing_breaks_the_links },
    { "listens-where-it-suits-the-registry", test_listens_where_it_suits_the_registry },
    { "unknown-scheme-asks-for-an-address", test_unknown_scheme_asks_for_an_address },
    { "taken-address-is-refused-at-once", test_taken_address_is_refused_at_once },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/net/net/", cases[i].name, NULL);

      g_test_add (path, NetWorld, NULL, net_world_open, cases[i].func, net_world_close);
    }
  return g_test_run ();
}
