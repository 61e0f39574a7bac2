# test-provision-allocation.sh - satin run --provision allocation, in jobs of a Slurm that has six
# nodes on this host
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/slurm-cluster.sh"

slurm_lines=TopologyPlugin=topology/tree
cat >topology.conf <<'END'
SwitchName=s1 Nodes=c[1-3]
SwitchName=s2 Nodes=c[4-6]
SwitchName=top Switches=s[1-2]
END
start_slurm
variable_of() { tr '\0' '\n' <"/proc/$1/environ" | sed -n "s/^$2=//p"; }
on_machines() { pids_of "n['host'].startswith('step ')"; }

# batch OPTIONS: runs the script on standard input as a batch job to its end; sets status and
# took_ms. Its output is in out and err. sbatch --wait would look only every ten seconds.
batch() {
  local from
  from=$(now_ms)
  { echo '#!/bin/bash' && cat && echo 'echo $? >job.status'; } >batch.sh
  rm -f job.status
  sbatch "$@" -o "$test_dir/out" -e "$test_dir/err" batch.sh >/dev/null
  until_true no_jobs
  status=$(cat job.status)
  took_ms=$(($(now_ms) - from))
}

# ---- a run on all hosts ----
sleep_for 600s
{ echo '#!/bin/bash' && echo "exec \"$satin\" run --provision allocation -w 2 ${work[*]}"; } >long.sh
sbatch -N 3 -c 4 -w c3,c4,c5 -o long.out -e long.err long.sh >/dev/null
check "each host of the allocation has a node" until_true is_up 4
names() { [ "$(status_query "' '.join(sorted(n['host'] for n in s['nodes'] if n['host'].startswith('step ')))")" = "step 1.0 on c3 step 1.0 on c4 step 1.0 on c5" ]; }
check "named after its step and its host" names
clusters() { status_query "sorted(n['cluster'] for n in s['nodes']) == ['', 's1', 's2', 's2']" >/dev/null; }
check "in the cluster of its switch" clusters
one_step() { [ "$(squeue -h -s -o %i | grep -c '^1\.[0-9]*$')" = 1 ]; }
check "one srun has started all of them" one_step
is_alone() { ! grep -qzE '^SLURM_(STEP_NUM_TASKS|PROCID)=' "/proc/$1/environ" && [ "$(variable_of "$1" SATIN_WORKERS)" = 2 ]; }
are_alone() { for pid in $(on_machines); do is_alone "$pid" || return 1; done; }
check "a node has its workers, and no variable that makes it one of several" are_alone
kill -KILL "$(on_machines | cut -d ' ' -f 1)"
is_replaced() { [ -n "$(pids_of "n['host'].startswith('step 1.1 on c')")" ]; }
again() { until_true grep -q "step 1.0 on c[345] ended with exit status 137" long.err && until_true is_replaced; }
check "a node that is killed is told of, and replaced on its host" again
number=$(status_query "[n['node'] for n in s['nodes'] if n['state'] == 'member' and n['host'].startswith('step ')][0]")
"$satin" leave "$number" >/dev/null 2>&1
has_left() { status_query "[n for n in s['nodes'] if n['node'] == $number and n['state'] == 'left']" >/dev/null; }
check "a node leaves when it is told to" until_true has_left
scancel --signal=INT --batch 1
check "SIGINT ends the run" until_true no_jobs
check "and leaves nothing" until_true nothing_left

# ---- results, and what is wrong ----
sleep_for 20s
batch -N 3 -c 4 <<END
"$satin" run --provision allocation ${work[*]}
END
right() { is_status 0 && [ "$(cat out)" = "$result" ] && [ ! -s err ]; }
check "the result is right, and nothing else is said" right
batch -N 2 <<END
"$satin" run --provision allocation --min 3 nqueens 9
END
too_many() { is_status 2 && grep -q -- "--min 3 is more than the 2 hosts of this allocation" err && [ "$took_ms" -lt 10000 ]; }
check "more machines than hosts are refused" too_many
batch -N 2 -c 4 <<END
srun --ntasks-per-node=1 sleep 60 &
sleep 1
"$satin" run --provision allocation:patience=1s --timeout 4s ${work[*]}
END
busy() { ! is_status 0 && grep -q "machines\? cannot be had: srun: error: .*Requested nodes are busy" err && [ "$took_ms" -lt 20000 ]; }
check "hosts that another step uses are told of" busy
run "$satin" run --provision allocation nqueens 9
nowhere() { is_status 11 && grep -q "there is no allocation here.*use it within salloc or sbatch" err; }
check "outside of an allocation it says so" nowhere

# ---- a wrapper around a node, and a command before it ----
sleep_for 600s
names() { for it in $(on_machines); do echo "$(variable_of "$it" NAME),$(variable_of "$it" PART)"; done | sort | tr '\n' ' '; }
{
  echo '#!/bin/bash'
  echo "exec \"$satin\" run --wrap 'env NAME=unused' --before 'export PART={number}' \\"
  echo "  --provision \"allocation:wrap=env NAME='{cluster} {number}'\" ${work[*]}"
} >long.sh
sbatch -N 3 -c 4 -w c3,c4,c5 -o long.out -e long.err long.sh >/dev/null
until_true is_up 4
named() { [ "$(names)" = "s1 1,1 s2 2,2 s2 3,3 " ] || { echo "# $(names)"; false; }; }
check "machines have a wrapper and a command before, with their cluster and number" named
scancel --signal=INT --batch "$(squeue -h -o %i)"
check "and nothing is left" until_true nothing_left
finish
