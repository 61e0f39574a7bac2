# test-command-kill.sh - satin run: signals to the command end a run at once, killed nodes do not end
# it, and nothing is left
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

# The end takes some 100 ms, and longer on a busy machine. Nodes that do not obey would take five
# seconds.
at_once() { is_status "$1" && [ "$took_ms" -lt 3000 ]; }

# The jobs compute: a worker that does so has to be ended, too.
start "$satin" run -n 4 "$node" spin
check "a run comes up" until_true is_up 4
stop_and_wait INT "$pid"
check "Ctrl-C ends it at once with status 130" at_once 130
check "Ctrl-C is the only thing said, no node was asked to leave" test "$(wc -l <err)" -eq 1
check "Ctrl-C leaves nothing" nothing_left

start "$satin" run -n 3 "$node" forever
until_true is_up 3
stop_and_wait TERM "$pid"
check "SIGTERM ends it at once with status 143" at_once 143
check "SIGTERM leaves nothing" nothing_left

start "$satin" run -n 4 --transport tcp "$node" forever
until_true is_up 4
stop_and_wait INT "$pid"
check "Ctrl-C ends a run over TCP at once" at_once 130
check "Ctrl-C over TCP leaves nothing" nothing_left

sleep_for 16s
start "$satin" run -n 4 "${work[@]}"
until_true is_up 4
victim=$(pid_of master)
stop_and_wait KILL "$victim"
master_lost() { says err "the master (pid $victim)" && says err "signal 9" && is_status 0; }
check "a killed master is named and the run goes on" master_lost
check "a killed master is the only thing said" test "$(wc -l <err)" -eq 1
check "a run that lost its master has the right result" says out "$result"
check "a killed master leaves nothing" nothing_left

start "$satin" run --clusters a:2,b:2 "${work[@]}"
until_true is_up 4
victim=$(pid_of other)
stop_and_wait ABRT "$victim"
node_lost() { says err "(pid $victim, cluster" && says err "signal 6" && is_status 0; }
check "a crashed node is named and the run goes on" node_lost
check "a crashed node is the only thing said" test "$(wc -l <err)" -eq 1
check "a run that lost a node has the right result" says out "$result"
check "a crashed node leaves nothing" nothing_left

# Two folders: one of a command that was killed right after it had made the folder, and one of a
# command that lives and holds the folder's lock.
mkdir -m 700 "$XDG_RUNTIME_DIR/satin-run-killed" "$XDG_RUNTIME_DIR/satin-run-alive"
touch -d "1 minute ago" "$XDG_RUNTIME_DIR"/satin-run-*
flock -F "$XDG_RUNTIME_DIR/satin-run-alive" sleep 60 &
locker=$!
is_held() { ! flock -n "$XDG_RUNTIME_DIR/satin-run-alive" true; }
until_true is_held
run "$satin" run -n 1 "$node" exit 0
check "the next command removes the folder of a killed one" test ! -e "$XDG_RUNTIME_DIR/satin-run-killed"
check "and not that of one that lives" test -e "$XDG_RUNTIME_DIR/satin-run-alive"
kill $locker 2>/dev/null
rmdir "$XDG_RUNTIME_DIR/satin-run-alive"

start "$satin" run -n 3 "$node" forever
until_true is_up 3
stop_and_wait KILL "$pid"
check "a killed command takes its nodes with it" until_true no_nodes
run "$satin" status
check "a killed command is no run any more" is_status 11
run "$satin" run -n 1 fib 3
check "the next command removes what a killed one left" nothing_left

run "$satin" run -n 2 --timeout 300ms "$node" forever
check "a run that takes too long ends with its own status" is_status 21
check "a run that takes too long leaves nothing" nothing_left

start "$satin" run -n 2 /bin/sleep 60
has_info() { ls "$XDG_RUNTIME_DIR"/satin-run-*/info >/dev/null 2>&1; }
until_true has_info
stop_and_wait INT "$pid"
check "Ctrl-C before the first node has joined ends it too" at_once 130
check "Ctrl-C before the first node has joined leaves nothing" nothing_left
finish
