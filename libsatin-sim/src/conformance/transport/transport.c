/* transport.c - the rules of a transport plugin
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "transport.h"

#include "net.h"

/* Opens some links and ends them, while the rules that always hold are watched. */
static void
exercise (Net *net)
{
  End *client, *server;
  if (!net_link (net, &client, &server))
    return;
  end_send_text (client, "there");
  end_send_text (server, "back");
  if (!net_wait_received (server, 5) || !net_wait_received (client, 4))
    return;
  end_shut (client);
  if (!net_wait_down (client, -2) || !net_wait_down (server, -2)
      || !net_link (net, &client, &server))
    return;
  end_drop (server);
  net_wait_down (client, -2);
}

/* The case of each rule that always holds. The other cases have watched these rules; if none of
 * those cases ran, exercise() is watched. */
static void
check_always (Case *c)
{
  g_autoptr (Net) net = c->watch->is_exercised ? NULL : net_new (c);
  if (net != NULL)
    exercise (net);
}

/* clang-format off */
static const Rule rules[] = {
  { "transport/contract/it-opens-and-closes-again-and-again", transport_closes_at_once },
  { "transport/contract/wrong-addresses-are-not-connected-to", transport_refuses_wrong_addresses },
  { "transport/contract/wrong-addresses-are-not-listened-at", transport_refuses_to_listen_at_wrong_addresses },
  { "transport/contract/handles-are-independent", transport_has_independent_handles },
  { "transport/contract/any-loop-is-served-or-refused", transport_opens_or_refuses_any_loop },
  { "transport/listen/a-taken-address-is-refused", transport_refuses_a_taken_address },
  { "transport/listen/the-address-is-free-after-unlisten", transport_frees_its_address },
  { "transport/listen/accepted-links-outlive-unlisten", transport_keeps_accepted_links },
  { "transport/listen/nobody-is-accepted-after-unlisten", transport_accepts_nobody_after_unlisten },
  { "transport/link/both-sides-come-up", transport_links },
  { "transport/link/nobody-there-is-unreachable", transport_finds_nobody },
  { "transport/bytes/no-bytes-are-nothing", transport_carries_nothing },
  { "transport/bytes/one-byte-arrives", transport_carries_a_byte },
  { "transport/bytes/64-kib-arrive", transport_carries_64_kib },
  { "transport/bytes/4-mib-arrive", transport_carries_4_mib },
  { "transport/bytes/many-pieces-arrive-in-order", transport_keeps_the_order },
  { "transport/bytes/both-directions-work-at-once", transport_carries_both_ways },
  { "transport/bytes/what-is-sent-is-kept-by-reference", transport_keeps_what_is_sent },
  { "transport/bytes/many-links-keep-apart", transport_keeps_links_apart },
  { "transport/flow/a-paused-link-receives-nothing", transport_receives_nothing_when_paused },
  { "transport/flow/pausing-at-each-piece-loses-nothing", transport_pauses_at_each_piece },
  { "transport/flow/a-paused-reader-makes-the-queue-grow", transport_lets_the_queue_grow },
  { "transport/flow/a-full-queue-is-told-drained-once", transport_tells_drained },
  { "transport/flow/a-small-queue-is-not-told-drained", transport_tells_no_drained_of_little },
  { "transport/shut/what-is-queued-is-delivered", transport_delivers_before_shut },
  { "transport/shut/nothing-is-received-any-more", transport_receives_nothing_after_shut },
  { "transport/shut/both-sides-may-shut-at-once", transport_shuts_on_both_sides },
  { "transport/shut/before-up-it-is-a-drop", transport_drops_when_shut_before_up },
  { "transport/shut/who-does-not-read-is-given-up", transport_gives_up_who_does_not_read },
  { "transport/drop/is-cancelled-on-this-side", transport_drop_is_cancelled },
  { "transport/drop/ends-the-other-side", transport_drop_ends_the_other_side },
  { "transport/drop/ends-dialing", transport_drops_before_up },
  { "transport/drop/is-allowed-inside-received", transport_drops_inside_received },
  { "transport/drop/is-heard-by-a-paused-link", transport_paused_end_hears_of_a_drop },
  { "transport/close/ends-every-link", transport_close_ends_links },
  { "transport/close/ends-dialing", transport_close_ends_dialing },
  { "transport/secret/it-does-not-open-without-one", transport_wants_a_secret },
  { "transport/secret/it-goes-without-when-told-to", transport_goes_without_when_told_to },
  { "transport/secret/another-one-is-refused", transport_refuses_another_secret },
  { "transport/secret/who-has-none-is-refused", transport_refuses_who_has_none },
  { "transport/secret/a-server-that-has-none-is-refused", transport_goes_to_nobody_who_has_none },
  { "transport/secret/either-key-is-accepted", transport_accepts_either_key },
  { "transport/secret/a-cut-is-told-from-an-end", transport_tells_a_cut_from_an_end },
  { RULE_INSIDE, check_always },
  { RULE_THREAD, check_always },
  { RULE_UP, check_always },
  { RULE_DOWN, check_always },
  { RULE_BYTES, check_always },
  { RULE_LINK, check_always },
  { RULE_ERROR, check_always },
  { RULE_CLOSED, check_always },
};
/* clang-format on */

const Suite conformance_transport = { SATIN_PLUGIN_TRANSPORT, rules, G_N_ELEMENTS (rules) };
