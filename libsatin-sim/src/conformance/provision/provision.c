/* provision.c - the rules of a provision plugin
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "provision.h"

#include "fleet.h"

/* The case of each rule that always holds. The other cases have watched these rules; if none of
 * those cases ran, some machines are requested and watched here. */
static void
check_always (Case *c)
{
  g_autoptr (Fleet) fleet = c->watch->is_exercised ? NULL : fleet_new (c, BODY_STAYS);
  if (fleet == NULL || !fleet_get (fleet, 3))
    return;
  fleet_withdraw (fleet, fleet_granted (fleet, 0)->name, c->patience_us);
  fleet_wait (fleet, fleet_has_ended, fleet_granted (fleet, 0), "the end of a machine");
  fleet_cancel (fleet, fleet_request (fleet, 1, ""));
}

/* clang-format off */
static const Rule rules[] = {
  { "provision/open/it-opens-and-closes-again-and-again", provision_opens_again },
  { "provision/open/handles-are-independent", provision_has_independent_handles },
  { "provision/open/any-loop-is-served-or-refused", provision_opens_or_refuses_any_loop },
  { "provision/open/missing-program-is-refused", provision_refuses_missing_program },
  { "provision/open/missing-file-is-refused", provision_refuses_missing_file },
  { "provision/open/command-that-cannot-be-started-is-told", provision_tells_of_a_command_that_cannot_start },
  { "provision/open/offers-are-sane", provision_offers_are_sane },
  { "provision/start/each-machine-runs-the-command-once", provision_runs_the_command },
  { "provision/start/arguments-stay-as-they-are", provision_keeps_arguments },
  { "provision/start/names-are-put-in", provision_puts_names_in },
  { "provision/start/variables-are-added", provision_adds_variables },
  { "provision/start/program-is-there", provision_brings_the_program },
  { "provision/start/what-open-was-given-is-copied", provision_copies_the_start },
  { "provision/start/secret-is-at-descriptor-3", provision_hands_over_the_secret },
  { "provision/start/secret-is-nowhere-else", provision_hides_the_secret },
  { "provision/start/nothing-is-read-without-a-secret", provision_has_no_secret },
  { "provision/request/each-is-answered", provision_grants_for_requests },
  { "provision/request/cluster-that-is-offered-is-granted", provision_gives_clusters },
  { "provision/request/unknown-cluster-is-refused", provision_refuses_unknown_clusters },
  { "provision/request/too-many-are-refused", provision_refuses_too_many },
  { "provision/request/names-are-new", provision_gives_new_names },
  { "provision/request/many-at-once-are-no-trouble", provision_gives_many },
  { "provision/cancel/what-was-not-granted-is-refused", provision_cancels },
  { "provision/cancel/what-was-granted-stays", provision_cancel_keeps_the_granted },
  { "provision/cancel/unknown-request-is-no-trouble", provision_cancels_nothing },
  { "provision/list/tells-who-is-there", provision_lists },
  { "provision/end/status-0-has-no-reason", provision_ends_well },
  { "provision/end/another-status-is-a-reason", provision_tells_failures },
  { "provision/end/signal-is-a-reason", provision_tells_signals },
  { "provision/end/children-go-with-their-command", provision_ends_children_of_the_ended },
  { "provision/withdraw/command-is-told-at-once", provision_tells_the_withdrawn },
  { "provision/withdraw/who-ignores-it-is-killed-at-the-deadline", provision_kills_at_the_deadline },
  { "provision/withdraw/children-are-killed-at-the-deadline", provision_kills_children_at_the_deadline },
  { "provision/withdraw/nobody-is-killed-before-the-deadline", provision_waits_for_the_deadline },
  { "provision/withdraw/earliest-deadline-holds", provision_takes_the_earliest_deadline },
  { "provision/withdraw/others-stay", provision_withdraws_one_alone },
  { "provision/withdraw/who-is-not-there-is-no-trouble", provision_withdraws_nobody },
  { "provision/close/requests-are-answered", provision_closes_while_requesting },
  { "provision/close/commands-are-told", provision_closes_with_machines },
  { "provision/close/who-ignores-it-is-killed", provision_close_kills },
  { RULE_INSIDE, check_always },
  { RULE_THREAD, check_always },
  { RULE_ONCE, check_always },
  { RULE_NAMES, check_always },
  { RULE_FIT, check_always },
  { RULE_CANCEL, check_always },
  { RULE_ERROR, check_always },
  { RULE_CLOSED, check_always },
  { RULE_LEFT, check_always },
};
/* clang-format on */

const Suite conformance_provision = { SATIN_PLUGIN_PROVISION, rules, G_N_ELEMENTS (rules) };
