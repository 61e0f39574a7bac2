# test-command-checkpoint-run.sh - satin run --checkpoint: a killed or stopped run resumes later
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-common.sh"
. "$(dirname "$0")/checkpoint-common.sh"
ulimit -c 0

folder=$test_dir/checkpoint
checkpoint=(--checkpoint "file:$folder" --checkpoint-every 100ms)
was_stopped() { is_status 28 && says err "its results are in file:$folder; the same program with the same checkpoint goes on"; }

# A storage that hangs is given 15 s. Meanwhile other cases run.
aside hangs run "$satin" run -n 2 --checkpoint sim:hangs --checkpoint-storage hang-open=1 fib 20
aside hangs-later run "$satin" run -n 2 --checkpoint sim:hangs --checkpoint-storage hang-open=2 fib 20

sleep_for 20s
program=("${work[@]}")
draw_undisturbed

# ---- killed ----

start_picture 4
sleep "0.$((RANDOM % 6))"
stop_and_wait KILL "$pid"
until_true no_nodes
check "all killed: logs are left" test -n "$(ls "$folder")"
rm -rf kept && cp -r "$folder" kept

run "$satin" run -n 2 "${checkpoint[@]}" tree --sleep 1s
other_arguments() { is_status 2 && says err "${work[*]:1}" && says err "--sleep 1s"; }
check "other arguments are refused, and both are told" other_arguments
run "$satin" run -n 2 "${checkpoint[@]}" fib 20
other_program() { is_status 15 && says err "is of the program tree and this is fib"; }
check "another program is refused" other_program
check "and nothing of the logs is lost" diff -r -x 'satin-lease-*' kept "$folder"

resume 2
check "resumed on two nodes: the result is the same" is_whole
check "and less was done" is_less
check "a run that ends well removes its logs" is_removed "$folder"

# ---- stopped ----

start_picture 4
mv err run.err
"$satin" leave 1 2 3 4 >leave.out 2>&1
check "satin leave of all nodes is refused, and names satin stop" \
  grep -q 'no node would stay to continue the run: satin stop stores what is finished' leave.out
"$satin" stop --wait >stop.out 2>&1
wait_for_end
mv run.err err
check "satin stop ends the run, which says where the results are" was_stopped
check "satin stop --wait waits for that" grep -q 'the run is over' stop.out
check "nothing is left but the logs" nothing_left
resume 4
check "resumed after a stop: the result is the same" is_whole
check "and less was done after a stop" is_less

start_picture 2
mv err run.err
"$satin" stop >stop.out 2>&1
wait_for_end
mv run.err err
check "satin stop without --wait stops too" was_stopped
check "and says that it asked" grep -q 'the run was asked to stop' stop.out

start_picture 3
stop_and_wait INT "$pid"
check "Ctrl-C once stores" was_stopped
check "and says so" says err "storing what is finished; Ctrl-C again ends at once"
resume 2
check "resumed after three stops: the result is the same" is_whole
check "all logs are removed then" is_removed "$folder"
start_picture 3
stop_and_wait TERM "$pid"
check "SIGTERM to the command stores too" was_stopped
only_stores() { says err "storing what is finished" && ! grep -q 'Ctrl-C' err; }
check "and speaks of no Ctrl-C" only_stores
resume 2
check "resumed after that: the result is the same" is_whole

# ---- two at once ----

both=$test_dir/both
tree=(--checkpoint "file:$both" --checkpoint-every 100ms tree --sleep --grain 100ms 60s)
has_lease() { [ -n "$(ls "$both" 2>/dev/null | grep '^satin-lease-')" ]; }
start "$satin" run -n 2 "${tree[@]}"
until_true has_lease
"$satin" run -n 2 "${tree[@]}" >second.out 2>second.err
second=$?
is_refused() { [ "$second" -eq 2 ] && grep -q 'it is in use by node [0-9]* of tree --sleep' second.err; }
check "a second run in the folder is refused, and told who has it" is_refused
sed 's/^/# /' second.err
"$satin" checkpoint compact "file:$both" >compact.out 2>&1
check "satin checkpoint compact sees the run" grep -q 'it is in use by node [0-9]* of tree --sleep' compact.out
stop_and_wait KILL "$pid"
until_true no_nodes
start "$satin" run -n 2 "${tree[@]}"
check "after a kill the next one looks first whether the run is gone" \
  until_true grep -q 'the run that used it last may still be there' err
goes_on() { status_query "$(sum_of checkpoint.stored) >= 1" >/dev/null; }
check "and goes on then" until_true goes_on
stop_and_wait KILL "$pid"
until_true no_nodes

# ---- a storage that hangs ----

bring hangs
hangs() { is_status 21 && says err "it could not be opened within 15 s"; }
check "a run whose storage hangs for all nodes is refused in time" hangs
bring hangs-later
check "a thread that hangs does not keep a run from its end" is_status 0

# A worker cannot stop before its job ends.
start "$satin" run -n 2 "${checkpoint[@]}" tree --sleep --grain 60s 240s
has_begun() { status_query "$(sum_of jobs) >= 3" >/dev/null; }
until_true has_begun
kill -INT "$pid"
until_true grep -q 'Ctrl-C again' err
stop_and_wait INT "$pid"
check "Ctrl-C twice ends at once" is_status 130
check "and leaves no process and no folder of the run" nothing_left

# ---- a full disk ----

# Large results: small ones would fit into the rest of the last page of a full disk.
program=(raytracer "${picture[@]}")
# The run before may have begun a log, which another program may not use.
rm -rf "$folder"
draw_undisturbed
start_picture 4
stop_and_wait KILL "$pid"
until_true no_nodes
rm -rf kept
mv "$folder" kept
# Without the lease the next run begins at once, and does not wait to see whether the killed one
# lives.
rm kept/satin-lease-*

full_case="a full disk is told of once, and the run goes on without"
if make_small_disk 256K; then
  run "$satin" run -n 3 -w 1 --checkpoint "file:$small_disk/folder" --checkpoint-every 100ms "${program[@]}"
  full_told() { is_whole && [ "$(grep -c 'results wait' err)" -eq 1 ] && [ -z "$(ls -A "$small_disk/folder")" ]; }
  check "$full_case" full_told
else
  skip "$full_case" "only root can mount a small disk"
fi

# resume_from_small: resumes on the small disk from the logs that the killed run had left.
resume_from_small() {
  run "$satin" run -n 2 --stats-json figures --checkpoint "file:$small_disk/folder" --checkpoint-every 100ms \
    "${program[@]}"
}
went_on() {
  is_whole && says err 'results wait until it can be written' && json_query "$(sum_of checkpoint.fetched) > 0" <figures >/dev/null
}

full_case="a run goes on from a disk that is full"
read_only_case="and from one that is read only"
if make_small_disk 8M; then
  cp -r kept "$small_disk/folder"
  mount -o "remount,size=$(df --output=used -B1 "$small_disk" | tail -n 1)" "$small_disk"
  resume_from_small
  check "$full_case" went_on
  mount -o remount,size=8M "$small_disk"
  cp kept/* "$small_disk/folder"
  mount -o remount,ro "$small_disk"
  resume_from_small
  check "$read_only_case" went_on
else
  skip "$full_case" "only root can mount a small disk"
  skip "$read_only_case" "only root can mount a small disk"
fi

# ---- refused ----

start "$satin" run -n 2 "$node" forever
until_true is_up 2
mv err run.err
"$satin" stop >out 2>err
status=$?
no_checkpoint() { is_status 2 && says err "the run has no checkpoint"; }
check "a run without a checkpoint is not stopped" no_checkpoint
check "and goes on" is_up 2
stop_and_wait INT "$pid"
check "Ctrl-C ends it at once" is_status 130
run "$satin" stop
check "without a run there is none to stop" is_status 11
run "$satin" run --no-recovery --checkpoint "file:$folder" fib 3
check "a checkpoint without recovery is refused" is_status 2
run "$satin" run --checkpoint-every 1s fib 3
check "a time without a checkpoint is refused" is_status 2
run "$satin" run --checkpoint "file:$folder" --checkpoint-every 0s fib 3
check "a time of nothing is refused" is_status 2
run "$satin" run --checkpoint "file:$folder" --checkpoint-size much fib 3
check "a size that is none is refused" is_status 2
run "$satin" run --checkpoint nowhere:/x fib 3
no_storage() { is_status 11 && says err "no storage plugin serves 'nowhere:'"; }
check "a storage that is not there is refused" no_storage
run "$satin" run --checkpoint "file:$folder" --checkpoint-storage wrong=1 fib 3
no_parameter() { is_status 2 && says err "storage-file: unknown parameter wrong"; }
check "parameters that the storage has not got are refused" no_parameter

# ---- from the working folder ----

run "$satin" run -n 2 --checkpoint "file:near by/../near%20by" fib 20
from_here() { is_status 0 && is_removed "$test_dir/near by"; }
check "a folder is one from where the command was started" from_here
run "$satin" run -n 2 --checkpoint "delay+fault+file:nearer" --checkpoint-storage delay.time=1ms,fault.fail-call=1000,capacity=1M fib 20
from_here_filtered() { is_status 0 && is_removed "$test_dir/nearer"; }
check "also when filters stand before it" from_here_filtered
run "$satin" run --checkpoint "fault+file:$folder" --checkpoint-storage fault.wrong=1 fib 3
no_filter_parameter() { is_status 2 && says err "filter-fault: unknown parameter wrong"; }
check "parameters that a filter has not got are refused" no_filter_parameter

# ---- by parts, and by hand ----

run "$satin" run -n 2 --with "ft:grace=30ms" --with "ft:checkpoint=file:$folder" fib 20
check "the part's own parameters do as well, each where it was given" is_status 0
run "$satin" run -n 2 --with "ft:checkpoint=fault+file:$folder,storage=fault.fail-call=1000\\,capacity=5M" fib 20
check "so do those of a storage and its filter" is_status 0

program=("${work[@]}")
draw_undisturbed

# start_by_hand: starts a hub and three nodes with the checkpoint, and waits until some results are
# stored; sets hub_pid and node_pids.
start_by_hand() {
  local i
  start_hub --listen "unix:$test_dir/hub" --nodes 3
  node_pids=
  for i in 1 2 3; do
    "$satin" node --hub "$uri" -w 1 "${checkpoint[@]}" "${program[@]}" >"node$i" 2>&1 </dev/null &
    node_pids="$node_pids $!"
  done
  until_true has_stored_by_hand
}
has_stored_by_hand() { status_query "$(sum_of checkpoint.stored) >= 20" --hub "$uri" >/dev/null; }

# hub_says_stopped: the hub ends with the run, and says where the results are.
hub_says_stopped() {
  wait_for_hub
  [ "$hub_status" -eq 28 ] && says hub.err "its results are in file:$folder"
}

start_by_hand
run "$satin" stop --wait --hub "$uri"
check "satin stop asks the hub that is named" is_status 0
check "a run of satin hub and satin node stops" hub_says_stopped

start_by_hand
# shellcheck disable=SC2086 # several
kill -TERM $node_pids
check "nodes that are all taken away at once store before they go" hub_says_stopped
check "and are gone" until_true no_nodes

start_by_hand
# shellcheck disable=SC2086 # several
kill -TERM "$hub_pid" $node_pids
check "and so with their hub" hub_says_stopped
resume 2
check "what was stored so is used by satin run" is_whole
check "and less was done after all that" is_less

start_by_hand
stop_hub_at_once() {
  kill -INT "$hub_pid"
  until_true grep -q 'Ctrl-C again' hub.err
  kill -INT "$hub_pid"
  wait_for_hub
  [ "$hub_status" -eq 130 ]
}
check "Ctrl-C twice ends the hub at once" stop_hub_at_once
check "and the nodes end" until_true no_nodes
finish
