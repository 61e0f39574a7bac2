# test-registry-etcd.sh - runs on three etcd servers: servers, nodes and masters are killed
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/registry-etcd-common.sh"
ulimit -c 0

# The run must last until all nodes have joined, and three processes have been killed.
sleep_for 60s

(umask 077 && od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >key)

# How long a server may take to answer: long, because this machine may be busy.
timeout=timeout=5s

# store_was_there: no node said that it could not reach the store.
store_was_there() { ! grep -q "the registry cannot be reached" err; }

# check_store NAME EXPRESSION: a case. EXPRESSION holds for the store's data of the run in the end.
# The case is skipped if the run was over too soon, or the store was too slow.
check_store() {
  if [ -z "$old" ]; then
    skip "$1" "the run was over before its nodes were killed"
  elif store_was_there; then
    check "$1" store_query "$run_name" "$2"
  else
    skip "$1" "the store got no processor for too long"
  fi
}

# start_run NAME: starts a run of four nodes on the three servers, and waits until all have joined.
start_run() {
  run_name=$1
  start "$satin" run --registry "etcd://$endpoints/$run_name" --registry-with "$lease,$timeout" \
    --secret-file key -n 4 "${work[@]}"
  until_true has_nodes "$run_name" 4
}

ended_well() { is_status 0 && says out "$result"; }

start_etcds 3

# ---- a server, a node and the master are killed ----

start_run kills
leader=$(etcd_leader)
kill -KILL "${etcd_pids[$leader]}"
until_true etcd_leader >/dev/null
old=$(store_query kills term)
other=$(store_query kills '[pid for id, pid in pids.items() if id != master][0]' 2>/dev/null)
master=$(store_query kills 'pids[master]' 2>/dev/null)
kill -KILL $other $master 2>/dev/null || old=
wait_for_end
check "etcd's leader, a node and the master killed: the result is right" ended_well
[ -z "$old" ] || check "the two nodes are said" killed_are 2
check_store "both are removed" "len(members) == 0 and has_end"
check_store "another master was elected, of a higher term" "term > $old"
begin_etcd "$leader"
until_true is_healthy

# ---- no quorum ----

sleep_for 30s
timeout=timeout=1s
start_run quorum
kill -STOP "${etcd_pids[0]}" "${etcd_pids[1]}"
is_store_missed() { ! store_was_there; }
until_true is_store_missed
kill -CONT "${etcd_pids[0]}" "${etcd_pids[1]}"
check "without a quorum the nodes say so" is_store_missed
wait_for_end
check "and the run goes on: the result is right" ended_well
check "and nobody is fenced" test "$(grep -c 'declared dead' err)" -eq 0

# ---- nodes by hand ----

work=(fib 36)
result="fib(36) = 14930352"

for i in 1 2 3; do
  "$satin" node --registry "etcd://$endpoints/hand" --registry-with "$lease" --secret-file key \
    --workers 1 "${work[@]}" >"out-$i" 2>"err-$i" </dev/null &
  hand_pids="$hand_pids $!"
done
# On a busy machine a node may come when the others have finished the run. It ends with
# status_closed.
status_closed=22
status=0
for hand_pid in $hand_pids; do
  wait "$hand_pid" || [ $? -eq $status_closed ] || status=1
done
cat out-? >out
cat err-? >err
check "nodes started one by one meet, and one tells the result" ended_well

check "no node is left" no_nodes
finish
