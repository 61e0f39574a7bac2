# test-provision-slurm-losses.sh - runs whose nodes are jobs of Slurm: it drains, preempts and
# cancels them
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/registry-etcd-common.sh"
. "$(dirname "$0")/slurm-drive.sh"
. "$(dirname "$0")/checkpoint-common.sh"
trap 'end_slurm_jobs; end_servers; rm -rf "$etcd_data"; kill -KILL $(jobs -p) 2>/dev/null; rm -rf "$test_dir"' EXIT
ulimit -c 0

# The run must last until two nodes have left.
sleep_for 90s

(umask 077 && od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >key)
start_slurm

# machine_on NODE: prints the name of the machine that was granted on that node of Slurm.
machine_on() { grep -m 1 -E "^granted .* on $1\$" out | cut -d ' ' -f 4-; }

# was_completed NODE: the job on that node of Slurm has ended with status 0, says Slurm.
was_completed() { [ "$(squeue -h -r -t all -j "$(job_of "^granted .* on $1\$")" -o %T)" = COMPLETED ]; }

# begin_nodes OUTPUT OPTION... PROGRAM...: starts a driver whose machines are nodes of a run. Their
# output is in OUTPUT-*.
begin_nodes() {
  begin_drive "$quick,output=$test_dir/$1-%j.out" --secret-file key -- \
    "$satin" node --secret-fd 3 --cluster "{cluster}" --workers 1 "${@:2}"
}

# ---- one machine is drained, one is preempted ----

start_etcds 1
registry=(--registry "etcd://$endpoints/loans" --registry-with "$lease,timeout=5s")
"$satin" run "${registry[@]}" --secret-file key -n 1 "${work[@]}" >run.out 2>run.err </dev/null &
run_pid=$!
begin_nodes node "${registry[@]}" "${work[@]}"
order request 1 3
check "three jobs of Slurm join a run that was begun here" until_true has_nodes loans 4
scontrol update nodename=c1 state=DRAIN reason=test
sbatch -p high -w c2 --exclusive -o /dev/null --wrap 'exec sleep 600' >/dev/null
soon out '^notice [0-9]+ job [0-9_]+ on c1$' 1
order withdraw 20000 "$(machine_on c1)"
left() { soon out "^ended job [0-9_]+ on $1\$" 1 && was_completed "$1"; }
check "of a node that is drained the machine is given back: it leaves the run in good order" left c1
noticed() { count out '^notice [0-9]+ job [0-9_]+ on c2$' 1; }
check "one that is preempted leaves in good order by itself, in its grace time" left c2
check "and there was notice of it" noticed
order request 2 1
check "another job takes a place" until_true has_nodes loans 3
ended_well() { wait "$run_pid" && [ "$(cat run.out node-*.out | grep -v slurmstepd)" = "$result" ]; }
check "the result is right" ended_well
check "nobody was taken for dead" test "$(cat run.err node-*.out | grep -c 'declared dead')" -eq 0
cancel_own_jobs
scontrol update nodename=c1 state=RESUME
end_drive
check "nothing of it is left" all_is_clean

# ---- all machines are cancelled ----

draw_undisturbed
checkpoint=(--checkpoint "file:$test_dir/checkpoint" --checkpoint-every 100ms)

# begin_drawing OUTPUT: starts a hub, and asks for three machines of Slurm that draw the picture.
begin_drawing() {
  start_hub --listen tcp://127.0.0.1:0 --nodes 3 --secret-file key --stats-json figures
  begin_nodes "$1" --hub "$uri" "${checkpoint[@]}" raytracer "${picture[@]}"
  order request 1 3
}

# end_drawing: waits for the hub's end, as long as wait_for_end does; sets hub_status.
end_drawing() {
  local drive_pid=$pid
  pid=$hub_pid
  wait_for_end
  hub_status=$status
  pid=$drive_pid
}

# drawn_in OUTPUT: prints the program's result, which is in the output of the master.
drawn_in() { cat "$1"-*.out | grep '^raytracer: ' | grep -v '^raytracer: checkpoint '; }

begin_drawing first
until_true has_stored 20
scancel --user="$(id -un)"
check "all jobs are cancelled, which is told of each" soon out '^ended job .*: somebody cancelled it' 3
end_drive
kill "$hub_pid" 2>/dev/null
wait_for_hub
check "what was finished is in the checkpoint" test -n "$(ls checkpoint)"
check "and no picture is there" test -z "$(drawn_in first)"
begin_drawing second
end_drawing
soon out '^ended job [0-9_]+ on c[1-6]$' 3
is_drawn() { [ "$hub_status" = 0 ] && [ "$(drawn_in second)" = "$(cat picture)" ]; }
check "new jobs go on from there: the picture is the same" is_drawn
check "and less was drawn" is_less
end_drive
check "nothing is left of that either" all_is_clean
finish
