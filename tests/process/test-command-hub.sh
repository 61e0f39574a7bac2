# test-command-hub.sh - satin hub, node and status: a run that several commands join
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

hub_ended_with() { [ "$hub_status" -eq "$1" ]; }
is_mode_600() { [ "$(stat -c %a "$1")" = 600 ]; }

# Without a hub nobody declares the killed node dead. The other node waits for a sign of life of it
# for 30 s, and then gives up. Meanwhile the other cases run.
lose_hub_for_good() {
  start_hub --listen "unix:$test_dir/here"
  start "$satin" run --hub "$uri" --registry-timeout 3s -n 2 "$node" forever
  until_true is_up 2
  local victim
  victim=$(pid_of other)
  kill -KILL "$hub_pid"
  wait "$hub_pid" 2>/dev/null
  kill -KILL "$victim"
  wait_for_end
  no_nodes || echo left >>err
}
aside lost lose_hub_for_good

run "$satin" status
check "status without a run says so" is_status 11

start_hub --listen tcp://127.0.0.1:0 --nodes 3 --new-secret key
check "hub prints where it is" grep -q '^tcp://127.0.0.1:[0-9]*$' uri
check "a new secret is for its owner alone" is_mode_600 key
run "$satin" status --json
no_nodes_yet() { is_status 0 && json_query "s['nodes'] == [] and s['hub'] == '$uri'" <out >/dev/null; }
check "status finds a hub without nodes" no_nodes_yet

run "$satin" hub --listen "$uri" --secret-file key
check "a port that is used is refused with its own status" is_status 19
run "$satin" hub --new-secret key
check "a secret file is not overwritten" is_status 2
mkdir failed
no_new_secret() { is_status "$1" && [ ! -e new ] && [ -z "$(ls -A failed)" ]; }
run "$satin" hub --listen "unix:$test_dir/none/hub" --new-secret new --journal failed
check "a hub that cannot listen leaves no new secret" no_new_secret 27
run "$satin" hub --listen "$uri" --new-secret new --journal failed
check "nor does one whose port is used" no_new_secret 19
run "$satin" hub --listen nowhere:1 --new-secret new --journal failed
check "nor does one at an unknown kind of address" no_new_secret 11
for option in --stall --join-timeout; do
  run "$satin" hub --listen "unix:$test_dir/here" --new-secret new --journal failed $option xyz
  check "nor does one with a wrong $option, and there is no journal" no_new_secret 2
done
cp key loose && chmod 644 loose
run "$satin" run --hub "$uri" --secret-file loose -n 1 fib 3
readable_secret() { is_status 16 && says err "chmod 600"; }
check "a secret that others may read is refused with the cure" readable_secret
head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' >other
chmod 600 other
run "$satin" run --hub "$uri" --secret-file other -n 3 fib 3
wrong_secret() { is_status 16 && [ "$(grep -c secret err)" -eq 1 ] && [ "$took_ms" -lt 5000 ]; }
check "a wrong secret is said once, with its own status" wrong_secret
run "$satin" run --hub "$uri" -n 1 fib 3
check "a missing secret names the options" grep -q -- --secret-file err
run "$satin" status --hub "$uri" --secret-file other
check "status with a wrong secret has that status" is_status 16
run "$satin" status --hub tcp://127.0.0.1:1 --secret-file key
check "a hub that is not there has its own status" is_status 20

throw_garbage() {
  local port=${uri##*:}
  head -c 5000 /dev/urandom 2>/dev/null >"/dev/tcp/127.0.0.1/$port"
  printf 'GET / HTTP/1.0\r\n\r\n' 2>/dev/null >"/dev/tcp/127.0.0.1/$port"
  printf '\026\003\001\000\005\001\000\000\001\003' 2>/dev/null >"/dev/tcp/127.0.0.1/$port"
  printf '' 2>/dev/null >"/dev/tcp/127.0.0.1/$port"
}
throw_garbage

start "$satin" run --hub "$uri" --secret-file key -n 2 fib 30
two_joined() { status_query "len(s['nodes']) == 2" --hub "$uri" --secret-file key >/dev/null; }
check "one command brings two nodes, after garbage at the port" until_true two_joined
run "$satin" node --hub "$uri" --secret-file key nqueens 6
wrong_program() { is_status 15 && says err "nqueens"; }
check "another program is refused with its own status" wrong_program
run "$satin" run --hub "$uri" --secret-file key -n 2 nqueens 6
wrong_programs() { is_status 15 && [ "$(grep -c 'the run.s program is' err)" -eq 1 ]; }
check "another program on several nodes is said once" wrong_programs
"$satin" node --hub "$uri" --secret-file key --workers 1 --cluster b fib 30 >node.out 2>node.err
node_status=$?
until_true has_ended
wait "$pid"
status=$?
one_result() { is_status 0 && [ $node_status -eq 0 ] && [ "$(cat out node.out)" = "fib(30) = 832040" ]; }
check "nodes of two commands compute one result" one_result
wait_for_hub
check "the hub ends with the run and its status" hub_ended_with 0
check "the hub tells who comes and goes" grep -q "node 3 joined" hub.err

start_hub --listen "unix:$test_dir/here" --nodes 2 --quiet
start "$satin" run --hub "$uri" -n 2 "$node" exit 9
until_true has_ended
wait "$pid"
status=$?
wait_for_hub
check "the hub ends with the exit status of the program" hub_ended_with 9
check "the command that brought the master too" is_status 9
check "a quiet hub says nothing" test ! -s hub.err

start_hub --listen "unix:$test_dir/here" --nodes 2
start "$satin" run --hub "$uri" -n 2 "$node" forever
running() { status_query "any(n['master'] for n in s['nodes'])" --hub "$uri" >/dev/null; }
until_true running
kill -TERM "$hub_pid"
wait_for_hub
check "a stopped hub ends with the signal's status" hub_ended_with 143
until_true has_ended
check "the nodes of a stopped hub end" no_nodes

# The old node stands still while the hub is replaced, so a new node asks to join before the old one
# is back.
members_of_hub() { status_query "[n['node'] for n in s['nodes'] if n['state'] == 'member']" --hub "$uri" --insecure; }
has_members() { [ "$(members_of_hub)" = "$1" ]; }
has_newcomer() { status_query "s['nodes'][-1]['node'] > 4096 and s['nodes'][0]['master']" --hub "$uri" --insecure >/dev/null; }
# lose_hub ADDRESS OPTION...: kills the hub of a run with one node, and starts another hub in its
# place. A new node comes to that hub before the old one does.
lose_hub() {
  local address=$1
  shift
  start_hub --listen "$address" --insecure
  "$satin" node --hub "$uri" --insecure "$node" forever >/dev/null 2>&1 &
  local old=$!
  until_true has_members "[1]"
  kill -KILL "$hub_pid"
  wait "$hub_pid" 2>/dev/null
  kill -STOP "$old"
  [ $# -eq 0 ] || rm -rf "$XDG_RUNTIME_DIR"/*
  start_hub --listen "$address" --insecure "$@"
  "$satin" node --hub "$uri" --insecure "$node" forever >/dev/null 2>&1 &
  sleep 1
  kill -CONT "$old"
}
lose_hub "unix:$test_dir/here"
check "a hub that is started again goes on with the run" until_true has_newcomer
check "and says so" grep -q "a hub was lost here" hub.err
kill -TERM "$hub_pid"
wait_for_hub
check "its nodes end with it" until_true no_nodes
lose_hub "unix:$test_dir/here" --restart
check "so does one that is told to" until_true has_newcomer
kill -TERM "$hub_pid"
wait_for_hub
check "and its nodes end with it" until_true no_nodes

start_hub --listen tcp://127.0.0.1:0 --insecure
port=${uri##*:}
kill -KILL "$hub_pid"
wait "$hub_pid" 2>/dev/null
start_hub --listen tcp://127.0.0.1:0 --insecure
replaces_none() { ! grep -q "a hub was lost here" hub.err; }
check "a hub at a port that the system chooses takes the place of none" replaces_none
kill -TERM "$hub_pid"
wait_for_hub
# The URI of such a hub is another than what --listen says.
lose_hub "tcp://0.0.0.0:$port"
check "a hub at all addresses goes on with the run of a lost one" until_true has_newcomer
kill -TERM "$hub_pid"
wait_for_hub
for address in "tcp://*:$port" "tcp://localhost:$port"; do
  start_hub --listen "$address" --insecure
  kill -KILL "$hub_pid"
  wait "$hub_pid" 2>/dev/null
  start_hub --listen "$address" --insecure
  check "and so does one at $address" grep -q "a hub was lost here" hub.err
  kill -TERM "$hub_pid"
  wait_for_hub
done
until_true no_nodes

# speak HEXADECIMAL: sends these bytes to the hub in place of a hello; prints its answer, if one
# comes within a second.
speak() {
  python3 -c '
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.settimeout(1)
s.connect(sys.argv[1])
s.sendall(bytes.fromhex(sys.argv[2]))
try:
    sys.stdout.buffer.write(s.recv(4096))
except OSError:
    pass' "${uri#unix:}" "$1"
}

start_hub --listen "unix:$test_dir/here" --nodes 2
start "$satin" run --hub "$uri" -n 2 "$node" forever
until_true running
# A frame of 8 bytes of kind 1, channel 0: "SATN", version 99.
speak 0800000001005341544e6300 >answer
check "another protocol version is answered in words" grep -aq version answer
speak ffffffff0100 >answer
speak 00000000 >answer
speak 0600000006004a4a4a4a >answer
check "after garbage at its socket a run goes on" running
stop_and_wait INT "$pid"
wait_for_hub

start_hub --listen "unix:$test_dir/here" --nodes 2 --join-timeout 200ms
wait_for_hub
check "a hub that waits in vain ends with its own status" hub_ended_with 21
start_hub --listen "unix:$test_dir/here" --nodes 2 --join-timeout 3s
"$satin" node --hub "$uri" "$node" forever >node.out 2>node.err </dev/null
node_status=$?
wait_for_hub
check "a node that waited in vain has the status of the hub" test "$node_status" -eq 21
check "and says why" grep -q "of 2 nodes" node.err
start "$satin" run --listen tcp://127.0.0.1:0 -n 1 "$node" forever
until_true grep -q "others join with" err
check "the words for others name a program that no name finds by its path" grep -q "others join with: .* $node \.\.\." err
eval "$(sed -n 's/.*satin node \(--hub [^ ]* --secret-file [^ ]*\).*/join="\1"/p' err)"
# shellcheck disable=SC2086 # options
"$satin" node $join --workers 1 "$node" forever >node.out 2>node.err </dev/null &
join_pid=$!
check "a node joins a run by the words that the command printed" until_true is_up 2
stop_and_wait INT "$pid"
pid=$join_pid
until_true has_ended
check "the end of the run is the end of that node" no_nodes

start_hub --listen "unix:$test_dir/here"
start "$satin" run --hub "$uri" -n 1 "$node" forever
until_true running
stop_and_wait INT "$pid"
check "Ctrl-C at a command that joined a run ends its nodes" no_nodes
wait_for_hub
check "a hub that all nodes have left ends with its own status" hub_ended_with 24
check "nothing is left" nothing_left

run "$satin" run --registry-timeout 0 -n 1 fib 3
refused_timeout() { is_status 2 && says err "--registry-timeout"; }
check "a registry timeout of 0 is refused" refused_timeout
bring lost
given_up() { is_status 20 && says err "registry-timeout" && says err "cannot be reached either"; }
check "a run that lost its hub for good, and then a node, gives up with its own status" given_up
none_left() { ! grep -q '^left' err; }
check "and leaves no process" none_left
finish
