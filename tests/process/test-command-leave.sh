# test-command-leave.sh - nodes leave a run: satin leave, SIGTERM
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

# number_of PID, state_of PID: print the node's number and state. other_member: prints the process
# id of a member that is not the master.
number_of() { status_query "[n['node'] for n in s['nodes'] if n['pid'] == $1][0]"; }
state_of() { status_query "[n['state'] for n in s['nodes'] if n['pid'] == $1][0]"; }
other_member() {
  status_query "[n['pid'] for n in s['nodes'] if not n['master'] and n['state'] == 'member'][0]"
}
is_state() { [ "$(state_of "$1")" = "$2" ]; }

sleep_for 20s
start "$satin" run -n 4 "${work[@]}"
until_true is_up 4
mv out run.out
mv err run.err
leaver=$(pid_of other)
kill -TERM "$leaver"
is_going() { is_state "$leaver" leaving || is_state "$leaver" left; }
check "SIGTERM lets a node leave" until_true is_going
# Jobs that the node has begun may take as long as the run, so it gets a deadline.
run "$satin" leave --deadline 100ms "$(number_of "$leaver")"
wait_for_end
left() { is_status 0 && says run.err "(pid $leaver) left the run"; }
check "which is said" left
check "and nothing else is" test "$(wc -l <run.err)" -eq 1
check "the run that it left has the right result" says run.out "$result"
check "nothing is left of a run that nodes left" nothing_left

start "$satin" run --clusters a:2,b:2 "$node" forever
until_true is_up 4
run_pid=$pid
mv err run.err
master=$(pid_of master)
leaver=$master
run "$satin" leave --deadline 10m "$(number_of "$leaver")"
asked() { is_status 0 && grep -q 'was asked to leave' out; }
check "satin leave asks a node by its number" asked
check "satin status shows that it is leaving or has left" until_true is_going
has_master() { status_query "any(n['master'] and n['pid'] != $leaver for n in s['nodes'])" >/dev/null; }
check "another is the master" until_true has_master

leaver=$(other_member)
number=$(number_of "$leaver")
run "$satin" leave --wait --deadline 200ms "$number"
waited() { is_status 0 && says out "node $number left"; }
check "satin leave --wait tells when it has left" waited
check "the command says so too" until_true grep -q "(pid $leaver.* left the run" run.err
run "$satin" leave "$number"
gone() { is_status 11 && says err "is out of the run already: it left"; }
check "who has left cannot leave" gone
number=$(number_of "$(pid_of master)")
run "$satin" leave --wait --deadline 200ms "$number"
check "the master may leave" waited
last_is_master() { status_query "sum(n['state'] == 'member' and n['master'] for n in s['nodes']) == 1" >/dev/null; }
check "the last one takes its place" until_true last_is_master
last=$(pid_of master)
kill -TERM "$last"
check "who is the last stays" is_state "$last" member
run "$satin" leave nowhere
unknown() { is_status 11 && says err 'no node and no cluster "nowhere"'; }
check "a cluster that is not there is named" unknown
run "$satin" leave
check "nobody to leave is wrong usage" is_status 2
run "$satin" leave --deadline 2h 1
check "too long a deadline is wrong usage" is_status 2
pid=$run_pid stop_and_wait INT "$run_pid"
check "nothing is left when nodes left and were killed" nothing_left

start "$satin" run --clusters a:2,b:3 "${work[@]}"
until_true is_up 5
cluster=$(status_query "[n['cluster'] for n in s['nodes'] if not n['master']][0]")
mv err run.err
run "$satin" leave a b
nobody() { is_status 2 && says err "no node would stay to continue the run"; }
check "all nodes at once cannot leave" nobody
member=$(status_query "[n['node'] for n in s['nodes'] if n['cluster'] == '$cluster' and not n['master']][0]")
run "$satin" leave "$member" "$cluster" "$cluster"
check "satin leave takes the label of a cluster, also if its nodes are named before" asked
wait_for_end
check "the run goes on" is_status 0

start "$satin" run -n 1 "${work[@]}"
until_true is_up 1
kill -TERM "$(status_query "s['nodes'][0]['pid']")"
refused() { grep -q 'SIGTERM: no node would stay to continue the run' err; }
check "SIGTERM to the only node of a run without a checkpoint is answered" until_true refused
stop_and_wait INT "$pid"

"$satin" hub --listen "unix:$test_dir/here" >hub.out 2>hub.err &
hub_pid=$!
until_true grep -q unix: hub.out
uri=$(cat hub.out)
"$satin" node --hub "$uri" "$node" forever >/dev/null 2>&1 &
members() { status_query "len(s['nodes']) == $1 and s['nodes'][0]['master']" --hub "$uri" >/dev/null; }
until_true members 1
start "$satin" node --hub "$uri" "$node" forever
until_true members 2
run "$satin" leave --hub "$uri" --deadline 200ms 2
check "satin leave asks the hub that is named" asked
wait_for_end
check "the process of a node that left ends with status 0" is_status 0
told() { grep -q "node 2 is leaving" hub.err && grep -q "node 2 left" hub.err; }
check "satin hub tells of it" told
still_there() { status_query "s['nodes'][-1]['state'] == 'member'" --hub "$uri" >/dev/null; }
check "and the others go on" still_there
kill -TERM "$hub_pid"
check "the nodes of a stopped hub end" until_true no_nodes
wait "$hub_pid"

run "$satin" leave 1
check "without a run there is nobody to leave" is_status 11
check "nothing is left" nothing_left
finish
