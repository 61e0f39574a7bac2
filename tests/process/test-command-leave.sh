# test-command-leave.sh - nodes leave a run: satin leave, SIGTERM
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

# number_of PID, state_of PID, other_member: as satin status has it.
number_of() { status_query "[n['node'] for n in s['nodes'] if n['pid'] == $1][0]"; }
state_of() { status_query "[n['state'] for n in s['nodes'] if n['pid'] == $1][0]"; }
other_member() {
  status_query "[n['pid'] for n in s['nodes'] if not n['master'] and n['state'] == 'member'][0]"
}
is_state() { [ "$(state_of "$1")" = "$2" ]; }
wait_for_end() {
  until_true has_ended
  wait "$pid"
  status=$?
}

# One job at a time, so that what the leaver has ends soon.
start "$satin" run -n 4 --policy mw nqueens 16
until_true is_up 4
leaver=$(pid_of other)
stop_and_wait TERM "$leaver"
left() { is_status 0 && says err "(pid $leaver) left the run"; }
check "SIGTERM lets a node leave, which is said" left
check "and nothing else is" test "$(wc -l <err)" -eq 1
check "the run that it left has the right result" says out "nqueens(16) = 14772512"
check "nothing is left of a run that nodes left" nothing_left

start "$satin" run --clusters a:2,b:2 "$node" forever
until_true is_up 4
run_pid=$pid
mv err run.err
master=$(pid_of master)
leaver=$(pid_of other)
run "$satin" leave --deadline 10m "$(number_of "$leaver")"
asked() { is_status 0 && grep -q 'was asked to leave' out; }
check "satin leave asks a node by its number" asked
check "satin status shows that it is leaving" until_true is_state "$leaver" leaving
ends() {
  kill -TERM "$leaver" 2>/dev/null
  is_state "$leaver" died
}
check "a second SIGTERM ends it" until_true ends
check "it is lost then" until_true grep -q "(pid $leaver.* was killed by signal 15" run.err

leaver=$(other_member)
number=$(number_of "$leaver")
run "$satin" leave --wait --deadline 200ms "$number"
waited() { is_status 0 && says out "node $number left"; }
check "satin leave --wait tells when it has left" waited
check "the command says so too" until_true grep -q "(pid $leaver.* left the run" run.err
run "$satin" leave "$number"
gone() { is_status 11 && says err "is out of the run already: it left"; }
check "who has left cannot leave" gone
run "$satin" leave "$(number_of "$master")"
stays() { is_status 2 && says err "is the master and cannot leave"; }
check "the master cannot leave" stays
kill -TERM "$master"
check "also by SIGTERM" is_state "$master" member
run "$satin" leave nowhere
unknown() { is_status 11 && says err 'no node and no cluster "nowhere"'; }
check "a cluster that is not there is named" unknown
run "$satin" leave
check "nobody to leave is wrong usage" is_status 2
run "$satin" leave --deadline 2h 1
check "too long a deadline is wrong usage" is_status 2
pid=$run_pid stop_and_wait INT "$run_pid"
check "nothing is left when nodes left and were killed" nothing_left

start "$satin" run --clusters a:2,b:3 --policy mw nqueens 16
until_true is_up 5
cluster=$(status_query "[n['cluster'] for n in s['nodes'] if not n['master']][0]")
mv err run.err
run "$satin" leave "$cluster"
check "satin leave takes the label of a cluster" asked
wait_for_end
check "the run goes on" is_status 0
run "$satin" leave 1
check "without a run there is nobody to leave" is_status 11
check "nothing is left" nothing_left
finish
