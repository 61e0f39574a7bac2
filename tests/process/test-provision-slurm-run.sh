# test-provision-slurm-run.sh - satin run with machines from a Slurm that has six nodes on this host
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/slurm-cluster.sh"

start_slurm
mkdir -m 700 staging
slurm=slurm:poll=200ms,folder=$test_dir/staging
on_machines() { pids_of "n['host'].startswith('job ')"; }
jobs_run() { [ "$(squeue -h -r -t running -o %i | wc -l)" -eq "$1" ]; }
all_is_clean() { no_jobs && [ -z "$(ls -A staging)" ] && nothing_left; }

sleep_for 1200s
start "$satin" run --provision "$slurm" --min 2 --max 4 "${work[@]}"
run_pid=$pid
until_true mv err run.err 2>/dev/null
check "Slurm gives machines, whose nodes join" until_true is_up 3
cluster() { status_query "sorted(n['cluster'] for n in s['nodes']) == ['', 'p', 'p']" >/dev/null; }
check "their cluster is the partition" cluster
threads() { for pid in $(on_machines); do [ "$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 | wc -l)" -ge 4 ] || return 1; done; }
check "they have a thread for each processor" threads
brought() { grep -q "$test_dir/staging/.*/files/part-net.so" "/proc/$(on_machines | cut -d ' ' -f 1)/maps"; }
check "they use what was brought along" brought
scancel "$(squeue -h -r -t running -o %i | head -n 1)"
again() { until_true grep -q "somebody cancelled it" run.err && until_true is_up 3; }
check "a job that is cancelled is replaced" again
run "$satin" nodes add 2 --cluster p
check "machines of a partition can be asked for" is_status 0
check "and join" until_true is_up 5
find_number() { number=$(status_query "[n['node'] for n in s['nodes'] if n['state'] == 'member' and n['cluster'] == 'p'][0]"); }
until_true find_number
run "$satin" nodes remove --wait --deadline 500ms "$number"
given_back() { is_status 0 && until_true jobs_run 3; }
check "a node that is removed gives its job back" given_back
scontrol update nodename="$(squeue -h -r -t running -o %N | head -n 1)" state=DRAIN reason=test
check "the node of a machine that is drained leaves" until_true grep -q "its node leaves" run.err
check "and its job ends" until_true jobs_run 2
for node in c1 c2 c3 c4 c5 c6; do scontrol update nodename=$node state=RESUME 2>/dev/null; done
pid=$run_pid stop_and_wait INT "$run_pid"
check "Ctrl-C ends it with status 130" is_status 130
check "and leaves no job, file or process" all_is_clean

run "$satin" run --provision "$slurm" --min 3 nqueens 15
right() { is_status 0 && says out "nqueens(15) = 2279184"; }
check "the result is right" right
check "and nothing is left" all_is_clean
start "$satin" run --provision "slurm:partition=nowhere,folder=$test_dir/staging" "${work[@]}"
check "a partition that is not there is told of" until_true grep -q "machine cannot be had: .*nvalid partition" err
stop_and_wait INT "$pid"
check "and the run goes on without, until it is stopped" is_status 130

cat >talker <<END
#!/bin/sh
[ -n "\$SLURM_JOB_ID\$SATIN_SSH_MACHINE" ] || exec "$SATIN_TEST_NODE" "\$@"
echo first words >&2
echo last words >&2
exit 3
END
chmod +x talker
start "$satin" run --provision "$slurm" --min 1 -n 1 ./talker forever
check "the last lines of a node that fails are printed" until_true grep -q ": first words\$" err
check "the last one with the reason" until_true grep -q "ended with status 3: last words" err
stop_and_wait INT "$pid"
check "and all are in the journal" test "$("$satin" journal cat | grep -c "output  .* words")" -ge 2
check "and nothing is left" until_true all_is_clean

# ---- a wrapper around a node, and a command before it ----
variable_of() { tr '\0' '\n' <"/proc/$1/environ" | sed -n "s/^$2=//p"; }
names() { for it in $(on_machines); do echo "$(variable_of "$it" NAME),$(variable_of "$it" PART)"; done | sort | tr '\n' ' '; }
start "$satin" run --wrap "env NAME=unused" --before 'export PART={number}' \
  --provision "$slurm,wrap=env NAME='{cluster} {number}'" --min 3 "$SATIN_TEST_NODE" forever
run_pid=$pid
until_true is_up 4
named() { [ "$(names)" = "p 1,1 p 2,2 p 3,3 " ] || { echo "# $(names)"; false; }; }
check "machines have a wrapper and a command before, with their cluster and number" named
pid=$run_pid stop_and_wait INT "$run_pid"
start "$satin" run --provision "$slurm,before=sh -c 'exit 5'" --min 1 -n 1 "$SATIN_TEST_NODE" forever
check "a command before that fails is named" until_true grep -q "which runs before the node, ended with status 5" err
stop_and_wait INT "$pid"
check "and nothing is left" until_true all_is_clean
finish
