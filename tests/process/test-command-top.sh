# test-command-top.sh - satin top: the nodes of a run, in batch mode and at a terminal
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

run "$satin" top -b
check "without a run it has a status of its own" is_status 11
run "$satin" top -d 1ms
check "a delay that is too short is refused" is_status 2

start "$satin" run --clusters a:2,b:1 --journal none "$node" forever
until_true is_up 3
mv err run.err
run "$satin" top -b -n 2 -d 100ms
check "in batch mode it ends after so many screens" is_status 0
rows() { [ "$(grep -cE '^ +[1-3]\*? +[ab] +member +[0-9.]+ +[0-9.]+ +[0-9.]+ ' out)" -eq "$1" ]; }
check "each has a line for each node" rows 6
check "one of them is marked as the master" test "$(grep -cE '^ +[1-3]\* ' out)" -eq 2
check "no line has an escape" test -z "$(grep -l "$(printf '\033')" out)"
at_terminal q 'jobs/s' "$satin" top
check "at a terminal q ends it" is_status 0
redrawn() { grep -qF "$(printf '\033[?1049h')" out && grep -qF "$(printf '\033[?1049l')" out; }
check "and gives the screen back" redrawn
at_terminal "$(printf '\003')" 'jobs/s' "$satin" top
check "so does Ctrl-C" is_status 0
"$satin" top -b -d 100ms >top.out 2>top.err &
top=$!
until_true test -s top.out
kill -STOP "$pid"
check "a hub that does not answer is said" until_true grep -q 'satin: the hub does not answer (for [0-9]* s)' top.err
run "$satin" top -b -n 1
kill -CONT "$pid"
check "without any answer it has a status of its own" is_status 21
n_before=$(wc -l <top.out)
more() { [ "$(wc -l <top.out)" -gt "$n_before" ]; }
check "it goes on when the hub does" until_true more
stop_and_wait INT "$pid"
wait "$top"
ended() { [ "$1" -eq 0 ] && grep -q 'the run is over' top.err; }
check "it ends when the run is over" ended $?

# A hub that is killed and started again.
start_hub --listen "unix:$test_dir/hub" --nodes 1 --journal none
start "$satin" run --hub "$uri" -n 1 "$node" forever
until_true is_up 1
# The file is of the case before until the command has begun.
rm -f top.out
"$satin" top -b -d 100ms --hub "$uri" >top.out 2>top.err &
top=$!
until_true test -s top.out
kill -KILL "$hub_pid"
wait "$hub_pid" 2>/dev/null
check "a hub that was killed is waited for" until_true grep -q 'satin: the hub does not answer' top.err
start_hub --listen "unix:$test_dir/hub" --nodes 1 --journal none
n_before=$(wc -l <top.out)
check "it goes on when the hub is started again" until_true more
until_true is_up 1
kill -INT "$hub_pid"
wait_for_hub
wait "$top"
check "and ends with that hub" ended $?
wait_for_end
check "nothing is left" nothing_left
finish
