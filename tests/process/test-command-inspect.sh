# test-command-inspect.sh - satin inspect, apps, help and version
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

query() { json_query "$1" <out >/dev/null; }

run "$satin" inspect --json
# Every plugin of the build tree lies in a folder named like it.
expected=$(find "$SATIN_PLUGIN_PATH" -name '*.so' | sed 's!.*/!!; s!\.so$!!' | sort | tr '\n' ' ')
all_listed() {
  [ -n "$expected" ] \
    && [ "$(json_query "''.join(sorted(p['kind'] + '-' + p['name'] + ' ' for p in s['plugins']))" <out)" = "$expected" ]
}
check "all plugins are listed" all_listed
check "none is broken" query "s['broken'] == []"
check "parameters have key, type, default and help" \
  query "all({'key', 'type', 'default', 'help'} <= q.keys() for p in s['plugins'] for q in p['parameters'])"
check "transports have schemes" \
  query "{'tcp', 'unix'} <= {c for p in s['plugins'] if p['kind'] == 'transport' for c in p['schemes']}"
run "$satin" inspect part-net
one_plugin() { is_status 0 && [ "$(grep -c '^part-net ' out)" -eq 1 ] && grep -q 'must be given' out; }
check "one plugin is shown with its parameters" one_plugin
run "$satin" inspect policy
check "a kind is shown" test "$(grep -c '^policy-' out)" -ge 2
run "$satin" inspect "$(find "$SATIN_PLUGIN_PATH" -name 'policy-rs.so')"
check "a plugin is found by its path" grep -q '^policy-rs ' out
run "$satin" inspect nothing
check "an unknown plugin has its own status" is_status 11
mkdir broken
echo "no shared object" >broken/policy-odd.so
SATIN_PLUGIN_PATH=$SATIN_PLUGIN_PATH:$test_dir/broken run "$satin" inspect
broken_named() { is_status 0 && [ "$(grep -c '^broken: .*policy-odd' out)" -eq 1 ]; }
check "a broken plugin is listed with the reason" broken_named
mkdir unfit
cp "$SATIN_TEST_UNFIT" unfit/policy-unfit.so
SATIN_PLUGIN_PATH=$SATIN_PLUGIN_PATH:$test_dir/unfit run "$satin" inspect
unfit_named() { is_status 0 && grep -q '^broken: .*policy-unfit.*it has no operation open, which each policy needs' out && ! grep -q '^policy-unfit ' out; }
check "so is one that lacks an operation" unfit_named
run "$satin" inspect unfit/policy-unfit.so
unfit_refused() { is_status 2 && says err "it has no operation open, which each policy needs"; }
check "which is refused when it is named" unfit_refused

run "$satin" apps
apps_listed() { is_status 0 && grep -q '^fib ' out && ! grep -q '^satin ' out; }
check "applications are listed, the command is not" apps_listed
mkdir -p mine/deep
ln -s /bin/true mine/deep/tool
SATIN_APP_PATH=$test_dir/mine run "$satin" apps
check "a folder of applications is searched one level deep" grep -q '^tool ' out

run "$satin" --version
check "version is printed" grep -qE '^satin [0-9]+\.[0-9]+' out
run "$satin" --help
check "help lists the commands" test "$(grep -cE '^  (run|hub|node|status|apps|inspect|conformance|bench) ' out)" -eq 8
for command in run hub node status apps inspect conformance bench; do
  run "$satin" help $command
  helps() { is_status 0 && grep -q '^Usage:' out && grep -q 'Example' out; }
  check "help of $command has examples" helps
done
run "$satin" bogus
check "an unknown command says the cure" grep -q -- "--help" err
check "an unknown command is wrong usage" is_status 2
run "$satin"
check "a missing command is wrong usage" is_status 2
run "$satin" status extra
check "a word too many is wrong usage" is_status 2
run "$satin" node fib 3
check "a node without a hub is wrong usage" is_status 2
finish
