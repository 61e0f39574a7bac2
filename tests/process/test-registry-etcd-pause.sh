# test-registry-etcd-pause.sh - a run whose etcd stands still, and whose keys a stranger changes
#
# The pause is longer than the longest lease. When etcd continues, all leases have run out, and it
# ends them before it hears from the nodes.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/registry-etcd-common.sh"
ulimit -c 0
limit_s=250

(umask 077 && od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >key)
(umask 077 && od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >other)
sleep_for 100s
lease_s=3
pause_s=6

start_etcds 1
place=etcd://$endpoints/pause

# said_by STATUS PATTERN FILE: a node ended with STATUS, and said PATTERN in FILE.
said_by() { [ "$node_status" -eq "$1" ] && grep -q -- "$2" "$3"; }

start "$satin" run --registry "$place" --registry-with lease=${lease_s}s --secret-file key -n 4 "${work[@]}"
until_true has_nodes pause 4
before=$(store_query pause 'sorted(pids.values())')
kill -STOP "${etcd_pids[0]}"
sleep $pause_s
kill -CONT "${etcd_pids[0]}"
is_healthy
until_true has_nodes pause 4
sleep 1
if has_ended; then
  skip "after a pause of etcd all nodes live" "the run was over before that"
else
  check "after a pause of etcd all nodes live" test "$(store_query pause 'sorted(pids.values())')" = "$before"
fi

old=$(store_query pause 'max(pids)')
ctl del "/satin/pause/life/$old" >/dev/null
if has_ended; then
  skip "a node whose life was deleted puts it again" "the run was over before that"
else
  check "a node whose life was deleted puts it again" until_true has_nodes pause 4
fi

ctl put /satin/pause/word/0 stop >/dev/null
ctl put "/satin/pause/member/$old" nobody >/dev/null
ctl put /satin/pause/view nothing >/dev/null
"$satin" node --registry "$place" --secret-file other "${work[@]}" >out-node 2>err-node </dev/null
node_status=$?
if has_ended; then
  skip "a node with another secret is refused" "the run was over before that"
else
  check "a node with another secret is refused" said_by $status_secret "same secret file" err-node
fi

wait_for_end
ended_well() { is_status 0 && says out "$result"; }
check "what a stranger writes is ignored: the result is right" ended_well
check "and nobody was fenced" test "$(grep -c 'declared dead' err)" -eq 0

"$satin" node --registry etcd://127.example.org/pause --secret-file key nqueens 8 >out-node 2>err-node </dev/null
node_status=$?
check "a store on another machine needs TLS, or --insecure" said_by $status_secret "etcds://.*--insecure" err-node
check "no node is left" no_nodes
finish
