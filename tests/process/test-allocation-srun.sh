# test-allocation-srun.sh - srun satin run, on a Slurm that has six nodes on this host
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/slurm-cluster.sh"
# libpmix does not free all that it allocates.
echo leak:libpmix >leaks
export LSAN_OPTIONS=suppressions=$test_dir/leaks:print_suppressions=0

slurm_lines=TopologyPlugin=topology/tree
cat >topology.conf <<'END'
SwitchName=s1 Nodes=c[1-3]
SwitchName=s2 Nodes=c[4-6]
SwitchName=top Switches=s[1-2]
END
start_slurm

# The script of each rank. It notes the rank's process id, by which the test kills a rank.
cat >rank.sh <<'END'
echo $$ >"pid.$SLURM_PROCID"
exec "$@"
END
no_meeting() { [ -z "$(ls -A . | grep '^\.satin-')" ]; }
variable_of() { tr '\0' '\n' <"/proc/$1/environ" | sed -n "s/^$2=//p"; }
# each_node TEST: TEST succeeds for the process id of each node of the run.
each_node() { for pid in $(pids_of True); do "$1" "$pid" || return 1; done; }
# begin SRUN_OPTIONS -- RUN_OPTIONS: starts a run that sleeps; sets srun_pid.
begin() {
  local options=()
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  rm -f pid.*
  start srun "${options[@]}" bash rank.sh "$satin" run "${@:2}" "${work[@]}"
  srun_pid=$pid
}

# interrupt: sends SIGINT to all tasks of the step that runs.
interrupt() { scancel --signal=INT "$(squeue -h -t running -o %i).0" 2>/dev/null; }

# ---- a run ----
run srun -N 6 -n 6 "$satin" run nqueens 10
once() { is_status 0 && [ "$(cat out)" = "nqueens(10) = 724" ]; }
check "six tasks are one run, whose output comes once" once
check "and whose ranks say nothing more" test ! -s err
check "the file of the meeting is gone" no_meeting

# ---- the nodes ----
sleep_for 60s
begin -N 2 -n 4 -w "c[3-4]" --
check "four ranks on two hosts are four nodes" until_true is_up 4
secret_is_hidden() { no_meeting && each_node has_no_secret; }
has_no_secret() { ! grep -qzF "$(cat "$XDG_RUNTIME_DIR"/satin-*/secret)" "/proc/$1/environ" "/proc/$1/cmdline"; }
check "the secret is in no file of the folder, no variable and no argument" secret_is_hidden
clusters() { status_query "sorted(n['cluster'] for n in s['nodes']) in [['s1', 's1', 's1', 's2'], ['s1', 's1', 's2', 's2'], ['s1', 's2', 's2', 's2']]" >/dev/null; }
check "the cluster of a node is the switch of its host" clusters
one_worker() { [ "$(variable_of "$1" SATIN_WORKERS)" = 1 ]; }
check "ranks of one host divide its processors" each_node one_worker
is_alone() { ! grep -qzE '^(SLURM_STEP_NUM_TASKS|SLURM_PROCID)=' "/proc/$1/environ" && grep -qz ^SLURM_JOB_ID= "/proc/$1/environ"; }
check "a node has no variable that makes it one of several" each_node is_alone
kill -KILL "$(pid_of other)"
check "a node that is killed is told of" until_true grep -q "killed by signal 9" err
interrupt
pid=$srun_pid wait_for_end
check "a signal to the step ends it with status 130" is_status 130
stopped_once() { [ "$(grep -c "stopped by signal 2" err)" = 1 ]; }
check "which one rank reports" stopped_once
check "and nothing is left" until_true nothing_left

# ---- ranks that are killed ----
sleep_for 12s
begin -n 6 --
until_true is_up 6
kill -KILL "$(cat pid.3)"
pid=$srun_pid wait_for_end
right() { [ "$(cat out)" = "$result" ]; }
check "a rank that is killed does not end the run, whose output comes once" right
status_of_srun() { is_status 137 && grep -q "task 3: Killed" err; }
check "srun ends with the status of the killed task" status_of_srun
begin -n 6 --
until_true is_up 6
kill -KILL "$(pgrep -P "$(cat pid.3)")"
pid=$srun_pid wait_for_end
right_and_zero() { is_status 0 && right; }
check "if only the node of a rank is killed, srun ends with the status of the run" right_and_zero
check "nothing is left" until_true nothing_left

begin -N 3 -n 3 --no-kill --
until_true is_up 3
scontrol update nodename=c3 state=DOWN reason=test
pid=$srun_pid wait_for_end
check "with --no-kill a host that is lost does not end the run" right
scontrol update nodename=c3 state=RESUME
until_true nodes_are idle 6
begin -n 3 --kill-on-bad-exit=1 --
until_true is_up 3
kill -KILL "$(cat pid.0)"
pid=$srun_pid wait_for_end
check "with --kill-on-bad-exit=1 the loss of rank 0 ends all ranks" is_status 137
check "and leaves no node" until_true no_nodes

# ---- processors ----
sleep_for 60s
begin -N 2 -n 2 -c 1 --
until_true is_up 2
check "--cpus-per-task is the number of workers" each_node one_worker
interrupt
pid=$srun_pid wait_for_end

# ---- one task, scripts, --launcher ----
run srun -n 1 "$satin" run -n 2 nqueens 9
nine() { is_status 0 && [ "$(cat out)" = "nqueens(9) = 352" ]; }
check "a single task runs as it does alone" nine
printf '#!/bin/sh\n"%s" run -n 2 nqueens 9\n' "$satin" >batch.sh
sbatch -n 4 -o out.batch batch.sh >/dev/null
batch() { until_true no_jobs && [ "$(cat out.batch)" = "nqueens(9) = 352" ]; }
check "so does a batch script without srun" batch
run srun -n 2 "$satin" run --launcher none -n 1 nqueens 9
twice() { is_status 0 && [ "$(grep -c "nqueens(9) = 352" out)" = 2 ]; }
check "with --launcher none each rank is a run" twice
run srun -n 2 sh -c '"$0" run nqueens 9; "$0" run nqueens 10' "$satin"
in_turn() { is_status 0 && [ "$(tr '\n' ' ' <out)" = "nqueens(9) = 352 nqueens(10) = 724 " ]; }
check "two runs of one step follow each other" in_turn

if [ -n "$(find "$SATIN_PLUGIN_PATH" -name launcher-pmix.so)" ] && srun --mpi=list 2>&1 | grep -q pmix; then
  # The PMIx servers of several hosts would use the same folder, so there is one host.
  run srun -N 1 -n 3 --mpi=pmix "$satin" run --launcher pmix nqueens 10
  check "with srun --mpi=pmix they meet through PMIx" once
else
  skip "with srun --mpi=pmix they meet through PMIx" "there is no launcher-pmix, or Slurm has no PMIx"
fi

# ---- what is wrong ----
run srun -n 2 "$satin" run -n 2 nqueens 9
refused() { is_status 2 && grep -q "was started 2 times together, and each is one node of the run: leave --nodes out" err; }
check "a number of nodes is refused" refused
run srun -n 3 "$satin" run nqueens x
status_once() { is_status 2 && [ "$(grep -c "is not a number" err)" = 1 ]; }
check "the exit status of the program is that of srun, and its message comes once" status_once
run srun -n 3 "$satin" run false
failed() { ! is_status 0 && grep -q "ended with exit status 1 before it joined the run" err && [ "$took_ms" -lt 10000 ]; }
check "a program that fails at once ends all ranks" failed
check "and nothing is left of it" no_meeting
run srun -n 2 "$satin" run --launcher slurm:folder=/nowhere,patience=1s nqueens 9
no_folder() { ! is_status 0 && grep -q "cannot make the file /nowhere" err && grep -q "rank 0 has not made the file.*within 1 s; do all hosts share this folder" err; }
check "a folder that is not there is told of" no_folder
run srun -n 3 "$satin" run --listen tcp://192.0.2.77:7000 nqueens 9
no_address() { ! is_status 0 && grep -q "192.0.2.77" err && [ "$(grep -c "rank 0 has failed; its message says why" err)" = 2 ] && [ "$took_ms" -lt 10000 ]; }
check "an address that rank 0 cannot have is told of, and ends all ranks" no_address
cat >far.sh <<'END'
[ "$SLURM_PROCID" = 0 ] || exec unshare --net "$@"
exec "$@"
END
run srun -n 2 bash far.sh "$satin" run --timeout 3s nqueens 9
cannot_reach() { ! is_status 0 && grep -q "cannot connect to tcp://" err && [ "$took_ms" -lt 10000 ]; }
check "a host that cannot reach rank 0 is told of" cannot_reach
check "and nothing is left of that" no_meeting
finish
