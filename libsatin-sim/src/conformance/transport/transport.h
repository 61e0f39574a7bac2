/* transport.h - the rules of a transport, by topic
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "conformance/private.h"

/* contract.c */
void transport_closes_at_once (Case *c);
void transport_refuses_wrong_addresses (Case *c);
void transport_refuses_to_listen_at_wrong_addresses (Case *c);
void transport_has_independent_handles (Case *c);
void transport_opens_or_refuses_any_loop (Case *c);
void transport_refuses_a_taken_address (Case *c);
void transport_frees_its_address (Case *c);
void transport_keeps_accepted_links (Case *c);
void transport_accepts_nobody_after_unlisten (Case *c);
void transport_links (Case *c);
void transport_finds_nobody (Case *c);

/* bytes.c */
void transport_carries_nothing (Case *c);
void transport_carries_a_byte (Case *c);
void transport_carries_64_kib (Case *c);
void transport_carries_4_mib (Case *c);
void transport_keeps_the_order (Case *c);
void transport_carries_both_ways (Case *c);
void transport_keeps_what_is_sent (Case *c);
void transport_keeps_links_apart (Case *c);

/* flow.c */
void transport_receives_nothing_when_paused (Case *c);
void transport_pauses_at_each_piece (Case *c);
void transport_lets_the_queue_grow (Case *c);
void transport_tells_drained (Case *c);
void transport_tells_no_drained_of_little (Case *c);

/* end.c */
void transport_delivers_before_shut (Case *c);
void transport_receives_nothing_after_shut (Case *c);
void transport_shuts_on_both_sides (Case *c);
void transport_drops_when_shut_before_up (Case *c);
void transport_gives_up_who_does_not_read (Case *c);
void transport_drop_is_cancelled (Case *c);
void transport_drop_ends_the_other_side (Case *c);
void transport_drops_before_up (Case *c);
void transport_drops_inside_received (Case *c);
void transport_paused_end_hears_of_a_drop (Case *c);
void transport_close_ends_links (Case *c);
void transport_close_ends_dialing (Case *c);

/* secret.c */
void transport_wants_a_secret (Case *c);
void transport_goes_without_when_told_to (Case *c);
void transport_refuses_another_secret (Case *c);
void transport_refuses_who_has_none (Case *c);
void transport_goes_to_nobody_who_has_none (Case *c);
void transport_accepts_either_key (Case *c);
void transport_tells_a_cut_from_an_end (Case *c);
