# test-provision-slurm-adapt.sh - an adaptive run asks Slurm for machines, and loses some of them
#
# The program runs until the file "enough" exists. On a busy machine nodes differ in speed, so the
# adaptation's parameters make it ask for more nodes however little work they do, and let it tell no
# node to leave.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/slurm-cluster.sh"
. "$(dirname "$0")/nodes-log.sh"

n_least=2
n_most=4
watch_s=60
start_slurm
mkdir -m 700 staging

describe_nodes() {
  local now
  now=$(status_query "', '.join([n['host'] if n['cluster'] else 'own' for n in s['nodes'] if n['state'] == 'member'])")
  [ "$now" = False ] || echo "$now"
}

# has_machines N: N machines of Slurm are members now.
has_machines() { [ "$(grep -o 'job ' <<<"$nodes_now" | wc -l)" -eq "$1" ]; }

# choose_machine: chooses a machine that is a member; sets job and slurm_node.
choose_machine() {
  local machine=${nodes_now#*job }
  machine=${machine%%,*}
  job=${machine% on *}
  slurm_node=${machine#* on }
}

# has_left: the node of the chosen machine has left in good order, and its Slurm job ended well.
has_left() {
  status_query "[n for n in s['nodes'] if n['host'] == 'job $job on $slurm_node' and n['state'] == 'left']" >/dev/null \
    && [ "$(squeue -h -t all -j "$job" -o %T)" = COMPLETED ]
}

# is_replaced: another machine has come in the place of the chosen one.
is_replaced() { has_machines $n_most && [[ $nodes_now != *"job $job on"* ]]; }

begin_log
start "$satin" run --provision "slurm:poll=200ms,folder=$test_dir/staging" --min $n_least --max $n_most -n 1 \
  --workers 1 --adapt=learning:min=0,max=0.1,far=1 --period 1s --stats-json figures "$node" until "$test_dir/enough"
check "a run asks Slurm for more machines than its least, by itself, and gets them" watch_until has_machines $n_most

choose_machine
note "job $job is preempted"
sbatch -p high -w "$slurm_node" --exclusive -o /dev/null --wrap 'exec sleep 600' >/dev/null
check "the node of a job that Slurm preempts leaves in good order" watch_until has_left
check "it was told that it would be" grep -q "job $job on $slurm_node will be taken away in .*: its node leaves" err
check "and the run asks for another in its place" watch_until is_replaced

choose_machine
note "$slurm_node is drained"
scontrol update nodename="$slurm_node" state=DRAIN reason=test
check "the node of one that is drained leaves in good order" watch_until has_left
check "and the run asks for another in its place, too" watch_until is_replaced

touch enough
wait_for_end
right() { is_status 0 && says out "all jobs were counted once"; }
check "the result is right" right
# The adaptation asks for the machines above the least, and again for each of the two that left. It
# may ask more often, until the Slurm job of a leaving node has ended.
asked() { json_query "s['totals']['adapt.asked'] >= $n_most - $n_least + 2" <figures >/dev/null; }
check "all but the least were asked for by the adaptation" asked
nobody_lost() { json_query "s['left'] == 1 + $n_most + 2 and s['died'] == 0" <figures >/dev/null; }
check "all that were there have left, and nobody was lost" nobody_lost
cancel_own_jobs
all_is_clean() { no_jobs && [ -z "$(ls -A staging)" ] && nothing_left; }
check "nothing is left: no job, file or process" until_true all_is_clean
sed 's/^/# /' nodes.log
finish
