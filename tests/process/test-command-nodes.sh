# test-command-nodes.sh - satin nodes: lists, adds and removes nodes of a run
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

# members_are N: the run has N members. machines_are N: satin nodes list has N machines whose nodes
# are members. only_machines_are N: the same, and no other machine.
members_are() { is_up "$1"; }
nodes_query() { "$satin" nodes list --json 2>/dev/null | json_query "$1"; }
machines_are() { nodes_query "len([m for m in s['machines'] if m['state'] == 'member']) == $1" >/dev/null; }
only_machines_are() { nodes_query "[m['state'] for m in s['machines']] == ['member'] * $1" >/dev/null; }
interrupt() { pid=$run_pid stop_and_wait INT "$run_pid"; }
asked_for() { is_status 0 && says out "$1"; }
refused() { is_status "$1" && says err "$2"; }

# ---- a run with machines ----
start "$satin" run --provision local:max=4,cluster=east --min 1 --max 3 "$node" forever
run_pid=$pid
until_true mv err run.err 2>/dev/null
until_true members_are 2
run "$satin" nodes list
listed() {
  is_status 0 && says out "2 nodes; 1 machine of local:max=4,cluster=east, from 1 to 3" \
    && grep -qE '^ +2  [^ ]+-1 +east +member$' out && grep -qE '^ +1 .* - +master +member$' out
}
check "nodes are listed with machine, cluster, role and state" listed
run "$satin" nodes add 2
check "machines can be asked for" asked_for "2 machines were asked for"
check "they join" until_true members_are 4
check "the holder knows them" until_true machines_are 3
run "$satin" nodes add 1
check "more than the most are refused" refused 14 "the run may have 3 machines at most (--max), which leaves room for 0, not 1"
number=$(status_query "[n['node'] for n in s['nodes'] if n['host'].endswith('-2')][0]")
run "$satin" nodes remove "$number" --wait --deadline 500ms
removed() { is_status 0 && says out "node $number left"; }
check "a node is removed" removed
check "its machine is given back" until_true only_machines_are 2
run "$satin" nodes add 1 --cluster west
check "a cluster may be named" asked_for "1 machine was asked for"
check "that the provisioner has not is said where the run is" until_true grep -q "1 machine cannot be had" run.err
run "$satin" nodes remove --wait --deadline 500ms east
all_removed() { is_status 0 && [ "$(grep -c 'left$' out)" -eq 2 ]; }
check "all of a cluster are removed" all_removed
check "below the least another is asked for" until_true only_machines_are 1
run "$satin" nodes list --json
is_json() { json_query "s['least'] == 1 and s['most'] == 3 and s['asked-for'] == 0 and s['provision'].startswith('local')" <out >/dev/null; }
check "programs read it as JSON" is_json
interrupt
check "nothing is left" nothing_left

# ---- machines that are awaited ----
cat >script <<'SCRIPT'
#!/bin/sh
# The first machine does nothing, the others take their time.
case $1 in
  start) case $2 in *-1) exit 0 ;; *) sleep 30 ;; esac ;;
  list) ls machines | grep -- -1 ;;
esac
exit 0
SCRIPT
chmod +x script
start "$satin" run --provision exec:script=./script,poll=20s --min 2 "$node" forever
run_pid=$pid
until_true members_are 1
starting() {
  "$satin" nodes list >out 2>err
  grep -qE '^ +- +satin-[0-9a-f]+-1 .* starting$' out && grep -q ', 1 asked for' out
}
check "machines are shown before their nodes are there" until_true starting
interrupt
check "nothing is left of machines that never came" nothing_left

# ---- a run without machines ----
start "$satin" run --clusters a:1 "$node" forever
run_pid=$pid
until_true members_are 1
run "$satin" nodes add --cluster b 2
check "a run without machines starts processes" asked_for "2 nodes were asked for"
check "which join" until_true members_are 3
run "$satin" nodes list
plain() { is_status 0 && says out "3 nodes" && ! grep -q machines out && [ "$(grep -c ' b ' out)" -eq 2 ]; }
check "and are listed" plain
run "$satin" nodes remove --wait --deadline 500ms b
check "nodes of any run can be removed" all_removed
run "$satin" nodes remove nowhere
check "what is not there is named" refused 11 'no node and no cluster "nowhere"'
interrupt

start_hub --listen "unix:$test_dir/here"
start "$satin" node --hub "$uri" "$node" forever
member() { status_query "len(s['nodes']) == 1" --hub "$uri" >/dev/null; }
until_true member
run "$satin" nodes add 1 --hub "$uri"
check "satin hub starts no nodes, and says so" refused 2 "starts no nodes"
kill -TERM "$hub_pid"
wait_for_hub
until_true no_nodes

# ---- wrong usage ----
run "$satin" nodes
check "a verb is needed" is_status 2
run "$satin" nodes paint
check "one that it has" refused 2 'there is no "paint" for nodes'
run "$satin" nodes add
check "how many must be said" is_status 2
run "$satin" nodes add many
check "with a number" refused 2 'give a whole number from 1 to 4096, not "many"'
run "$satin" nodes add 5000
check "that a run may have" is_status 2
run "$satin" nodes list
check "without a run there is nothing to list" is_status 11
check "nothing is left" nothing_left
finish
