# test-command-migrate.sh - a run goes on with other nodes: satin migrate
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

# clusters_of STATE: prints the clusters of the nodes in that state, one letter each, sorted.
clusters_of() { status_query "''.join(sorted(n['cluster'] for n in s['nodes'] if n['state'] == '$1'))"; }
are() { [ "$(clusters_of "$1")" = "$2" ]; }

start "$satin" run --clusters a:2,b:1 "$node" forever
until_true is_up 3
run_pid=$pid
mv err run.err
run "$satin" migrate --from a --to c
migrated() { is_status 0 && says out "2 nodes of c joined, 2 of a left"; }
check "as many nodes come as leave" migrated
told() { [ "$(grep -c 'joined$' out)" -eq 2 ] && [ "$(grep -c '[0-9] left$' out)" -eq 2 ]; }
check "each of them is told of" told
check "the others go on" are member bcc
check "the old ones are gone" are left aa
check "the run says that they left" test "$(grep -c 'left the run' run.err)" -eq 2
run "$satin" migrate --from b --to c -n 2 --quiet
check "more may come than leave" are member cccc
quiet() { is_status 0 && [ ! -s out ]; }
check "nothing is said when that is wanted" quiet

run "$satin" migrate --from b --to c
unknown() { is_status 11 && says err 'no node and no cluster "b"' && are member cccc; }
check "from an unknown cluster nobody comes" unknown
run "$satin" migrate --from c --to c
check "from a cluster to itself is wrong usage" is_status 2
run "$satin" migrate --from c
named() { is_status 2 && says err "name both clusters"; }
check "both clusters must be named" named
run "$satin" migrate --from c --to d -n 5000
check "too many nodes are wrong usage" is_status 2
run "$satin" migrate --from c --to d --deadline 2h
check "too long a deadline is wrong usage" is_status 2
pid=$run_pid stop_and_wait INT "$run_pid"
check "nothing is left when the run is stopped" nothing_left

# The program is replaced by a script that is no Satin program, so new nodes cannot join.
cp "$node" ./mine
start "$satin" run --clusters a:1,b:1 ./mine forever
until_true is_up 2
run_pid=$pid
mv err run.err
printf '#!/bin/sh\nexit 3\n' >other
chmod +x other
mv other mine
run "$satin" migrate --from a --to c -n 2 --join-timeout 500ms
late() { is_status 21 && says err "0 of 2 new nodes joined within 0.5 s, so nobody leaves"; }
check "new nodes that do not join are told of" late
check "nobody leaves then" are member ab
ended() { [ "$(grep -c 'ended with exit status 3 before it joined the run; the others go on' run.err)" -eq 2 ]; }
check "the run says what became of them, and goes on" ended
pid=$run_pid stop_and_wait INT "$run_pid"

sleep_for 24s
start "$satin" run --clusters a:2,b:2 "${work[@]}"
until_true is_up 4
mv out run.out
run "$satin" migrate --from "$(status_query "[n['cluster'] for n in s['nodes'] if n['master']][0]")" --to c
check "the master's cluster may leave" is_status 0
until_true has_ended
wait "$pid"
status=$?
right() { is_status 0 && says run.out "$result"; }
check "the result comes where the run's output goes" right
check "nothing is left of a run that went elsewhere" nothing_left

start_hub --listen "unix:$test_dir/here"
start "$satin" node --hub "$uri" --cluster a "$node" forever
member() { status_query "len(s['nodes']) == 1" --hub "$uri" >/dev/null; }
until_true member
run "$satin" migrate --from a --to b
refused() { is_status 2 && says err "no new nodes, so nobody leaves" && grep -q "starts no nodes" err; }
check "satin hub starts no nodes, and says so" refused
kill -TERM "$hub_pid"
wait_for_hub
until_true no_nodes

run "$satin" migrate --from a --to b
check "without a run there is nothing to move" is_status 11
check "nothing is left" nothing_left
finish
