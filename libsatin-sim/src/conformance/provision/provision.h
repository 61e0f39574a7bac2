/* provision.h - the cases of the suite for provisioners
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "conformance/private.h"

/* open.c */
void provision_opens_again (Case *c);
void provision_has_independent_handles (Case *c);
void provision_opens_or_refuses_any_loop (Case *c);
void provision_refuses_missing_program (Case *c);
void provision_refuses_missing_file (Case *c);
void provision_tells_of_a_command_that_cannot_start (Case *c);
void provision_offers_are_sane (Case *c);

/* start.c */
void provision_runs_the_command (Case *c);
void provision_keeps_arguments (Case *c);
void provision_puts_names_in (Case *c);
void provision_adds_variables (Case *c);
void provision_brings_the_program (Case *c);
void provision_copies_the_start (Case *c);
void provision_hands_over_the_secret (Case *c);
void provision_hides_the_secret (Case *c);
void provision_has_no_secret (Case *c);

/* request.c */
void provision_grants_for_requests (Case *c);
void provision_gives_clusters (Case *c);
void provision_refuses_unknown_clusters (Case *c);
void provision_refuses_too_many (Case *c);
void provision_gives_new_names (Case *c);
void provision_gives_many (Case *c);
void provision_cancels (Case *c);
void provision_cancel_keeps_the_granted (Case *c);
void provision_cancels_nothing (Case *c);
void provision_lists (Case *c);

/* end.c */
void provision_ends_well (Case *c);
void provision_tells_failures (Case *c);
void provision_tells_signals (Case *c);
void provision_ends_children_of_the_ended (Case *c);
void provision_tells_the_withdrawn (Case *c);
void provision_kills_at_the_deadline (Case *c);
void provision_kills_children_at_the_deadline (Case *c);
void provision_waits_for_the_deadline (Case *c);
void provision_takes_the_earliest_deadline (Case *c);
void provision_withdraws_one_alone (Case *c);
void provision_withdraws_nobody (Case *c);
void provision_closes_while_requesting (Case *c);
void provision_closes_with_machines (Case *c);
void provision_close_kills (Case *c);
