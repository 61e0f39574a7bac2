/* registry.c - the suite of registry plugins: its rules in the order they are checked
 *
 * If no URI is given, the suite starts a hub of its own for each case; the plugin must then serve
 * the scheme "hub", or have the name "hub". With a URI of the scheme "sim", the suite does the same
 * in a simulated world. With any other URI, the cases use the registry at that URI, one after the
 * other. The last of these cases ends the run of the registry. Between the cases the registry has
 * no members, and must continue.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "registry.h"

/* The case of each rule that always holds. The other cases have watched these rules; if none of
 * those cases ran, this function elects a master and watches. */
static void
check_always (Case *c)
{
  g_autoptr (Roll) roll = c->watch->is_exercised ? NULL : roll_new (c, 2);
  if (roll == NULL)
    return;
  member_elect (roll_get (roll, 0));
  roll_settle (roll);
}

/* clang-format off */
static const Rule rules[] = {
  { "registry/open/wrong-address-does-not-become-a-member", registry_rule_open_wrong },
  { "registry/join/first-view-has-the-others-only", registry_rule_join_others },
  { "registry/join/all-see-all", registry_rule_join_all },
  { "registry/join/members-are-told-as-they-joined", registry_rule_join_strings },
  { "registry/join/run-is-one-for-all", registry_rule_join_run },
  { "registry/join/complete-comes-in-an-open-world", registry_rule_join_complete },
  { "registry/join/numbers-grow", registry_rule_join_numbers },
  { "registry/leave/others-hear-left", registry_rule_leave_left },
  { "registry/leave/over-has-no-error", registry_rule_leave_over },
  { "registry/leaving/all-hear-it-once-and-it-stays", registry_rule_leaving_all },
  { "registry/leaving/late-comer-learns-of-it", registry_rule_leaving_late },
  { "registry/leaving/leaving-one-is-not-elected", registry_rule_leaving_elect },
  { "registry/leaving/master-is-master-until-it-has-left", registry_rule_leaving_master },
  { "registry/leaving/then-others-hear-left", registry_rule_leaving_left },
  { "registry/death/others-hear-died", registry_rule_death_died },
  { "registry/death/others-hear-which-signal-it-was", registry_rule_death_signal },
  { "registry/death/no-signal-is-told-when-there-was-none", registry_rule_death_no_signal },
  { "registry/death/suspected-node-that-lives-stays", registry_rule_suspect_living },
  { "registry/introduce/number-never-given-is-unknown", registry_rule_introduce_never },
  { "registry/introduce/one-that-left-is-unknown", registry_rule_introduce_left },
  { "registry/introduce/one-that-died-is-unknown", registry_rule_introduce_died },
  { "registry/elect/all-hear-one-master-and-term", registry_rule_elect_all },
  { "registry/elect/first-offer-wins", registry_rule_elect_first },
  { "registry/elect/next-master-has-a-higher-term", registry_rule_elect_next },
  { "registry/elect/late-comer-learns-of-the-master", registry_rule_elect_late },
  { "registry/signal/to-one-reaches-that-one-once", registry_rule_signal_one },
  { "registry/signal/to-all-reaches-all-and-the-sender-once", registry_rule_signal_all },
  { "registry/signal/words-stay-in-order", registry_rule_signal_order },
  { "registry/signal/payload-stays-as-it-is", registry_rule_signal_payload },
  { "registry/signal/to-nobody-is-no-trouble", registry_rule_signal_stranger },
  { "registry/report/unasked-is-no-trouble", registry_rule_report_unasked },
  { "registry/end/all-hear-status-and-message", registry_rule_end_all },
  { "registry/end/nobody-joins-after-it", registry_rule_end_late },
  { RULE_INSIDE, check_always },
  { RULE_FIRST, check_always },
  { RULE_LAST, check_always },
  { RULE_GONE, check_always },
  { RULE_VIEW, check_always },
  { RULE_TERM, check_always },
  { RULE_NUMBERS, check_always },
  { RULE_FIT, check_always },
  { RULE_KILLED, check_always },
  { RULE_COMPLETE, check_always },
  { RULE_PARTIAL, check_always },
  { RULE_ERROR, check_always },
};
/* clang-format on */

static gboolean
check (const Case *common, GError **error)
{
  if (common->uri != NULL || roll_has_own_hub (common))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "the registry %s has to run somewhere: give uri=...",
               satin_plugin_get_desc (common->plugin)->name);
  return FALSE;
}

const Suite conformance_registry = {
  .kind = SATIN_PLUGIN_REGISTRY,
  .rules = rules,
  .n_rules = G_N_ELEMENTS (rules),
  .check = check,
};
