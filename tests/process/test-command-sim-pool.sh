# test-command-sim-pool.sh - satin sim --pool: simulated machines that a run may ask for
#
# SPDX-License-Identifier: Apache-2.0
source_dir=$(cd "$(dirname "$0")" && pwd)
. "$source_dir/test-command-common.sh"

# A simulated run does not free what it has when it is over.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

# simulate OPTION...: simulates a tree of 200 s of work, which begins on two clusters of four nodes.
simulate() {
  rm -f run.log report
  run "$satin" sim --clusters 4,4 --log run.log --with adapt:period=2s,say=yes "$@" tree 200s
}
result=$("$SATIN_APP_PATH/tree/tree" 200s)
is_right() { is_status 0 && [ "$(cat out)" = "$result" ]; }
trace() { sed -n 's/.* trace \([0-9a-f]\{16\}\)$/\1/p' err; }
# makespan: prints the time that the run took, in milliseconds.
makespan() { sed -n 's/.*: \([0-9]*\)\.\([0-9]\{3\}\)[0-9]* s,.*/\1\2/p' err; }
# workers: prints how many nodes did work.
workers() { sed -n 's/^[0-9.]* \(node[0-9]*\) work .*/\1/p' run.log | sort -u | wc -l; }
# first_work N: prints when node N began to work, in whole seconds.
first_work() { awk -v name="node$1" '$2 == name && $3 == "work" { printf "%d", $1; exit }' run.log; }
has() { grep -qE -- "$1" "$2"; }
lacks() { ! has "$@"; }

simulate
check "a run without a pool keeps its nodes" [ "$(workers)" -eq 8 ]
check "and nothing is decided" lacks 'asks|leaves' err

simulate --pool 3x12
wide=$(trace)
check "the result is right with a pool" is_right
check "the run begins on its clusters" has 'adaptation: 8 nodes' err
check "it asks for more" has 'asks for 8 machines in c1$' err
check "which come and work" [ "$(workers)" -gt 8 ]
check "when they have started" [ "$(first_work 9)" -eq 3 ]
simulate --pool 3x12
check "the same seed is the same run" [ "$(trace)" = "$wide" ]
simulate --pool 3x12 --start-delay 3s
check "the start may take longer" [ "$(first_work 9)" -eq 5 ]
simulate --pool 3x12 --most 10
check "there are no more nodes than --most" [ "$(workers)" -eq 10 ]
simulate --pool 4,4
check "there are no more nodes than machines" [ "$(workers)" -eq 8 ]

simulate --pool 4,4 --events '3s crash cluster c2'
check "the registry hears that a machine has crashed" has 'registry says c2-1 is gone: it crashed' run.log
check "and does not get it again" [ "$(workers)" -eq 8 ]
simulate --pool 4,4 --events '3s leave cluster c2'
check "the machine of a node that has left can be had again" has 'asks for 4 machines in c2' err
check "and is a new node" [ "$(workers)" -eq 12 ]
simulate --pool 4,4 --events '3s offer 4 cluster c3' --speeds 1,1,2
check "machines that are offered later are asked for" has 'asks for 4 machines in c3' err
check "and come" [ "$(workers)" -eq 12 ]

simulate --pool 4,4 --most 8 --events '0s speed cluster c2 0.25'
check "a load on the processors of a cluster is seen" has 'efficiency 0\.6' err
simulate --events '0s speed node 8 0.1'
check "and on those of a node" has 'efficiency 0\.8' err
simulate --events '1s bandwidth cluster c2 1K'
slow=$(makespan)
check "a run with a slow uplink is right" is_right
simulate --events '1s bandwidth cluster c2 1K; 2s bandwidth cluster c2 100M'
check "and faster when that is over" [ "$slow" -gt "$(makespan)" ]
simulate --events '1s latency cluster c2 2s'
check "a run with a far cluster is right" is_right
check "and slower" [ "$(makespan)" -gt 26000 ]

run "$satin" sim --clusters 4,4 --pool 3x4 --with adapt:nonsense=1 tree 1s
check "what all nodes refuse is said once" [ "$(grep -c nonsense err)" -eq 1 ]
check "and ends the run" is_status 2

# wrong NAME TEXT OPTION...: a case. The options are refused as wrong usage, and TEXT is printed
# once.
wrong() {
  local name=$1 text=$2
  shift 2
  run "$satin" sim --clusters 4,4 "$@" fib 3
  wrong_usage() { is_status 2 && says err "$text" && [ ! -s out ]; }
  check "$name" wrong_usage
}
wrong "a pool that is none is wrong usage" "pool=x is not of the form" --pool x
wrong "a pool has what the run begins with" "fewer machines in cluster c2" --pool 4
wrong "--most is not less than that" "most=7 is less" --pool 2x4 --most 7
wrong "machines are offered to a run with a pool" "give --pool" --events '1s offer 4 cluster c1'
wrong "a load leaves a share" "'2' is no share of a speed" --events '1s speed node 3 2'
wrong "an uplink is a cluster's" "write bandwidth cluster cN" --events '1s bandwidth node 3 4K'
finish
