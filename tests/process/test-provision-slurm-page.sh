# test-provision-slurm-page.sh - what the page and satin top say when Slurm preempts a machine
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/slurm-cluster.sh"

grace_s=5
start_slurm
mkdir -m 700 staging
sleep_for 60s
start "$satin" run --provision "slurm:poll=200ms,folder=$test_dir/staging" --min 2 --max 2 --journal journal \
  --stats-json stats.json -w 1 "${work[@]}"
run_pid=$pid
until_true mv err run.err 2>/dev/null
check "Slurm gives two machines, whose nodes join" until_true is_up 3
"$satin" top -b -d 300ms >top.out 2>top.err </dev/null &
top_pid=$!
until_true grep -q '^3 nodes' top.out
taken=$(squeue -h -r -t running -o %N | head -n 1)
sbatch -p high -w "$taken" --exclusive -o /dev/null --wrap 'exec sleep 600' >/dev/null
check "satin top shows that the node of a preempted machine left" until_true grep -qE '[23] nodes, 1 left, 0 died' top.out
noted() { "$satin" journal cat journal | grep -q 'note .*its node leaves'; }
check "the journal says why" until_true noted
pid=$run_pid wait_for_end
check "the run ends well" is_status 0
check "with the right result" test "$(cat out)" = "$result"
wait "$top_pid"
run python3 "$(dirname "$0")/page-agrees.py" journal stats.json top.out
check "the page, the metrics and satin top agree with --stats-json" is_status 0
cancel_own_jobs
check "no job is left" until_true no_jobs
finish
