# test-command-conformance.sh - satin conformance: which cases it runs, its output and exit status
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

n_lines() { [ "$(grep -cE "$2" out)" -eq "$1" ]; }

run "$satin" conformance policy-rs
kept() { is_status 0 && ! grep -q '^not ok' out; }
check "a plugin that keeps the rules has status 0" kept
planned() { [ "$(head -n 1 out)" = "1..$(grep -cE '^(not )?ok ' out)" ]; }
check "the plan comes first" planned
run "$satin" conformance "$(find "$SATIN_PLUGIN_PATH" -name 'policy-rs.so')" wait=1ms
check "a plugin is found by its path" is_status 0
cp "$(find "$SATIN_PLUGIN_PATH" -name 'policy-rs.so')" .
run "$satin" conformance policy-rs.so
check "a plugin is found beside" is_status 0
run "$satin" conformance --filter policy/limits policy-rs
filtered() { is_status 0 && n_lines 0 '^ok .* policy/c' && ! n_lines 0 '^ok .* policy/limits/'; }
check "the filter chooses cases" filtered
run "$satin" conformance --filter bogus policy-rs
check "a filter without a case is wrong usage" is_status 2

run "$satin" conformance policy-mw
broken() { is_status 1 && ! n_lines 0 '^not ok .* policy/choice/everybody-is-asked' && grep -q '^# ' out; }
check "a broken rule has status 1 and says why" broken
grep '^not ok' out | sed 's/^not ok [0-9]* \(.*\)/\1 it asks the master only/' >exceptions
run "$satin" conformance --except exceptions policy-mw
excepted() { is_status 0 && ! n_lines 0 '^ok .*# SKIP it asks the master only'; }
check "what is excepted is skipped with its reason" excepted
run "$satin" conformance --except exceptions policy-rs
check "an exception that is kept is broken" is_status 1
echo 'policy/choice/bogus no reason' >exceptions
run "$satin" conformance --except exceptions policy-rs
check "an exception of no case is wrong usage" is_status 2
echo 'policy/choice/the-only-node-is-asked' >exceptions
run "$satin" conformance --except exceptions policy-rs
check "an exception without a reason is wrong usage" is_status 2

run "$satin" conformance storage-file
not_begun() { is_status 2 && [ ! -s out ] && says err "give uri="; }
check "a suite that cannot begin prints no plan" not_begun
run "$satin" conformance storage-file uri=file:/dev/null/folder
never_opens() { is_status 2 && n_lines 1 '^not ok ' && n_lines 1 '^Bail out! ' && says err "does not open with these parameters"; }
check "a plugin that never opens is told once" never_opens

run "$satin" conformance
check "a missing plugin is wrong usage" is_status 2
run "$satin" conformance bogus
check "a word that is no plugin is wrong usage" is_status 2
run "$satin" conformance policy-bogus
check "an absent plugin has its own status" is_status 11
run "$satin" conformance policy-rs bogus=1
check "a wrong parameter is wrong usage" is_status 2
run "$satin" conformance policy-rs patience=bogus
check "a wrong patience is wrong usage" is_status 2
run "$satin" conformance policy-rs seeds=0
check "a wrong number of seeds is wrong usage" is_status 2
run "$satin" conformance launcher-slurm
check "a kind without rules is wrong usage" is_status 2
finish
