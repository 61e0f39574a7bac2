# test-command-status.sh - satin status: its output for one run, and for several runs
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

start "$satin" run --clusters a:1,b:2 "$node" forever
first=$pid
check "a run comes up" until_true is_up 3
run "$satin" status --json
query() { json_query "$1" <out >/dev/null; }
check "JSON names the program" query "s['program'] == 'test-command-node'"
check "JSON has one master" query "sum(n['master'] for n in s['nodes']) == 1"
check "JSON has the clusters" query "sorted(n['cluster'] for n in s['nodes']) == ['a', 'b', 'b']"
check "JSON has different numbers and processes" \
  query "len({n['node'] for n in s['nodes']}) == len({n['pid'] for n in s['nodes']}) == 3"
check "JSON has figures that add up" \
  query "s['totals']['workers'] == sum(n['figures']['workers'] for n in s['nodes']) == 3"
busy() { status_query "s['totals']['jobs'] > 0" >/dev/null; }
check "jobs are counted while it runs" until_true busy
run "$satin" status
check "the table has a line for each node" test "$(grep -c member out)" -eq 3
check "the table names the master" test "$(grep -c master out)" -eq 1

start "$satin" run -n 1 --transport tcp "$node" forever
second=$pid
two_runs() { [ "$("$satin" status | grep -c -- '--hub')" -eq 2 ]; }
check "several runs are listed" until_true two_runs
run "$satin" status --json
check "several runs are listed as JSON" query "len(s['runs']) == 2"
options=$("$satin" status | grep -F "pid $second" | sed 's/.*--hub/--hub/')
# shellcheck disable=SC2086 # several words
shown() { run "$satin" status --json $options && is_status 0 && query "len(s['nodes']) == 1"; }
check "the list has what it takes to look at one, secret included" until_true shown
pid=$first stop_and_wait INT "$first"
pid=$second stop_and_wait INT "$second"
check "nothing is left" nothing_left
finish
