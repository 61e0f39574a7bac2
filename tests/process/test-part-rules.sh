# test-part-rules.sh - the rules of the parts net, which needs a hub, and notice, if it is built
#
#   test-part-rules.sh [notice]
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
limit_s=250
no_rule_broken() { is_status 0 && ! grep -q '^not ok' out && grep -q '^ok' out; }
is_skipped() { [ "$(grep -c "$1.*# SKIP" out)" -gt 0 ]; }

hub=unix:$test_dir/hub
run "$satin" conformance part-net "uri=$hub" "hub=$hub" patience=20s
check "net keeps the rules of parts" no_rule_broken
check "it meets no other nodes, because it provides them" is_skipped part/meet/

run "$satin" conformance part-net "uri=unix:$test_dir/no/hub" "hub=$hub"
hubless() { is_status 1 && grep -qF "no hub starts" out; }
check "a hub that does not start is told" hubless

if [ "$1" = notice ]; then
  run "$satin" conformance part-notice url=http://127.0.0.1:9 patience=20s
  check "notice keeps the rules of parts" no_rule_broken
else
  skip "notice keeps the rules of parts" "the part is not built here"
fi
finish
