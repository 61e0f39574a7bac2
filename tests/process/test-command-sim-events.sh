# test-command-sim-events.sh - satin sim --events: events at given times, and how much work they
# lose
#
# SPDX-License-Identifier: Apache-2.0
source_dir=$(cd "$(dirname "$0")" && pwd)
. "$source_dir/test-command-common.sh"
export PYTHONDONTWRITEBYTECODE=1

# A simulated run does not free what it has when it is over.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

# For the subprocesses of a sweep GLib starts a thread. Debian's GLib is built without
# ThreadSanitizer, so ThreadSanitizer does not see how the two threads synchronise.
export TSAN_OPTIONS=${TSAN_OPTIONS:+$TSAN_OPTIONS:}ignore_noninstrumented_modules=1

# simulate EVENTS OPTION...: simulates a tree of 20 s of work on two clusters of four nodes. Without
# events it takes 2.6 s.
simulate() {
  local events=$1
  shift
  rm -f run.csv run.log
  run "$satin" sim --clusters 2x4 --events "$events" --csv run.csv --log run.log "$@" tree 20s
}
# figure NAME: prints a time of the run from run.csv, in milliseconds.
figure() {
  awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
    NR == 2 { printf "%.0f", $column[name] * 1000 }' run.csv
}
is_right() { is_status 0 && [ "$(cat out)" = "$result" ]; }
# lines PATTERN N: N lines of the log match PATTERN.
lines() { [ "$(grep -cE -- "$1" run.log)" -eq "$2" ]; }
near() { [ "$1" -gt $(($2 * 97 / 100)) ] && [ "$1" -lt $(($2 * 103 / 100)) ]; }
trace() { sed -n 's/.* trace \([0-9a-f]\{16\}\)$/\1/p' err; }

# wrong NAME TEXT EVENTS: a case. The events are refused as wrong usage, and TEXT is printed once.
wrong() {
  run "$satin" sim --clusters 2x4 --events "$3" fib 3
  local text=$2
  wrong_usage() { is_status 2 && says err "$text" && [ ! -s out ]; }
  check "$1" wrong_usage
}

result=$("$SATIN_APP_PATH/tree/tree" 20s)
simulate ''
usual=$(figure makespan_s)
check "no events are a run like any other" is_right
check "what could have been done is the time of all nodes" near "$(figure available_s)" $((usual * 8))
check "what was done is the work" near "$(figure work_s)" 20000
check "nothing is lost" [ "$(figure lost_s)" -eq 0 ]

run "$satin" sim --clusters 1x1 --csv run.csv tree 20s
sequential=$(figure work_s)
simulate '1s crash cluster c2'
crashed=$(trace)
check "the result is right when a cluster crashes" is_right
check "all nodes of the cluster crash, at that time" lines '^1\.0[0-9]* node[5678] crash$' 4
check "and no others" lines ' crash$' 4
check "what is lost was done before" [ "$(figure lost_s)" -gt 0 -a "$(figure lost_s)" -lt 8000 ]
# Results that were on their way at the crash still arrive, so a little less may be done again.
check "and at least that is done again" [ "$(figure work_s)" -ge $((20000 + $(figure lost_s) * 95 / 100)) ]
check "they could do no more" near "$(figure available_s)" $((4 * 1000 + 4 * $(figure makespan_s)))
simulate '1s crash cluster c2'
check "the same events are the same run" [ "$(trace)" = "$crashed" ]
not_warned() { ! says err 'the run ended before'; }
check "events that happen are not mentioned" not_warned
simulate '1s crash cluster c2; 30s join 2 cluster c1; 31s crash master'
warned() { is_right && says err 'the run ended before 2 events: 30s join 2 cluster c1; 31s crash master'; }
check "events after the end of the run are named" warned
simulate '40s  crash cluster c2'
warned_once() { is_right && says err 'the run ended before 1 event: 40s crash cluster c2'; }
check "also a single one" warned_once
printf '# the second half\n\n1s  crash cluster c2 # is lost\n' >events
simulate @events
check "a file says the same" [ "$(trace)" = "$crashed" ]

# With the policy mw all jobs come from the master, so no node has a job of a lost node.
simulate '1s crash node 7' --clusters 1x8 --policy mw --seed 2
lost=$(figure lost_s)
check "what is lost is done again, no more and no less" \
  [ "$lost" -gt 100 -a $(($(figure work_s) - 20000 - lost)) -lt 10 -a $(($(figure work_s) - 20000 - lost)) -gt -10 ]
# The same holds in each run that leaves no orphan. Runs with orphans report the probe
# steal.owner-lost, and are skipped.
n_equal=0
n_other=0
for ((seed = 1; seed <= 40; seed++)); do
  SATIN_WORLD="sim:clusters=1x4,seed=$seed,events=1500ms crash node 3,csv=run.csv,report=report" \
    "$SATIN_APP_PATH/tree/tree" 20s >out 2>err || continue
  grep -q '^steal.owner-lost ' report && continue
  more=$(($(figure work_s) - sequential - $(figure lost_s)))
  [ "$more" -ge -2 ] && [ "$more" -le 2 ] && n_equal=$((n_equal + 1)) || n_other=$((n_other + 1))
done
check "also in every run without orphans" [ "$n_equal" -gt 0 -a "$n_other" -eq 0 ]
simulate '1500ms crash node 7; 1s crash node 6'
check "single nodes crash" is_right
check "in the order of time" [ "$(grep ' crash$' run.log | cut -d' ' -f2 | tr '\n' ' ')" = "node6 node7 " ]
simulate '1s restart cluster c2'
check "the result is right when others take the place of a cluster" is_right
check "a cluster that restarts crashes" lines ' crash$' 4
check "and as many come" near "$(figure available_s)" $((8 * $(figure makespan_s)))
simulate '1s join 4 cluster c2'
check "the result is right when nodes join" is_right
check "nodes that join could work from then on" \
  near "$(figure available_s)" $((12 * $(figure makespan_s) - 4000))
check "it is faster" [ "$(figure makespan_s)" -lt $((usual * 9 / 10)) ]
simulate '1s join 2 cluster c3' --plot run.svg
check "nodes may join in a new cluster" is_right
simulate '1s join 2 cluster c3; 1500ms crash node 10'
check "nodes that joined can crash" lines ' node10 crash$' 1
simulate '500ms pause cluster c2; 1500ms resume cluster c2'
check "the result is right when a cluster pauses" is_right
check "nothing is lost by a pause" [ "$(figure lost_s)" -eq 0 ]
check "but its time" [ "$(figure makespan_s)" -gt $((usual + 300)) ]
simulate '1s leave cluster c2'
check "the result is right when a cluster leaves" is_right
check "what leaves in good order is hardly done again" [ "$(figure work_s)" -lt 21000 ]
check "nothing is lost by that" [ "$(figure lost_s)" -eq 0 ]
check "and it could do less" [ "$(figure available_s)" -lt $(($(figure makespan_s) * 8)) ]
simulate '1s leave cluster c2 1ms'
check "what a node has when its time to leave is over is lost" [ "$(figure lost_s)" -gt 0 ]
check "and done again" [ "$(figure work_s)" -gt 21000 ]
simulate '1s leave master'
check "the result is right when the master leaves" is_right
check "and almost nothing is done again" [ "$(figure work_s)" -lt 20600 ]
# one_by_one NODE...: prints events that ask these nodes to leave, one each millisecond. So each
# node has heard that the node before it leaves.
one_by_one() {
  local n=1000 node
  for node; do
    printf '%dms leave node %d;' $n "$node"
    n=$((n + 1))
  done
}
simulate "$(one_by_one 1 2 3 4 5 6 7 8)" --clusters 1x8
check "the last node stays" is_right
simulate "$(one_by_one 8 7 6 5 4 3 2 1)" --clusters 1x8
check "whichever it is" is_right
simulate '1s crash master'
check "the result is right when the master crashes" is_right
simulate '1000s crash node 2'
check "what is due when the run has ended does not happen" is_right

run "$satin" sim --clusters 2x4 --figures figures.txt tree 1s
check "--figures writes what nodes tell" grep -qE '^jobs [0-9]+$' figures.txt
run "$satin" sim --clusters 2x4 --with nosuchpart:a=b tree 1s
check "--with loads a part" is_status 11
run "$satin" sim --clusters 2x4 --with ft:checkpoint=sim:disk,every=200ms --events '1s stop all' --csv figures.csv tree 16s
in_two_parts() { awk -F, 'NR == 2 && $3 + $15 > 16 && $3 + $15 < 16.1 && $16 >= 1 && $1 + $16 < 2.5 { n++ } END { exit n != 1 }' figures.csv; }
check "what is stopped goes on, and both parts are told of" in_two_parts
run "$satin" sim sweep --seeds 1..2 --clusters 2x4 --events '100ms crash node 7; 100ms crash node 8' tree 2s
swept() { is_status 0 && grep -qE 'event\.crash +4 in 2 seeds' out; }
check "a sweep has the same events in every seed" swept
run "$satin" sim sweep --seeds 7..7 --clusters 1x1 --events '100ms crash master' tree 2s
check "and prints them as a shell reads them" says out "--events '100ms crash master' --seed 7 tree 2s"

wrong "a time without unit is wrong usage" "'5' is not a duration" '5 crash node 1'
wrong "an unknown action is wrong usage" "'explode' is none of crash, restart, join, leave, pause, resume" '5s explode node 1'
wrong "a node that is not there is wrong usage" "'9' is no node: give 1 to 8" '5s crash node 9'
wrong "a cluster that is not there is wrong usage" "'c3' is no cluster: give c1 to c2" '5s crash cluster c3'
wrong "a target that is none is wrong usage" "'hub' is none of node N, cluster cN, master" '5s crash hub'
wrong "a join without a number is wrong usage" "write join N cluster cN" '5s join cluster c1'
wrong "a node cannot leave at once" "a node leaves within a time above 0" '5s leave node 3 0s'
wrong "a word too many is wrong usage" "'now' is a word too many" '5s crash master now'
wrong "the event that is wrong is named" "'6s crash': " '5s crash node 1; 6s crash'
wrong "what was not paused cannot resume" "was not paused before" '5s resume node 1; 6s pause node 1'
run "$satin" sim --events @nowhere fib 3
check "a file that is not there is an error" says err "cannot read nowhere"

# With a sanitizer these experiments take minutes.
limit_s=600
bench=$source_dir/../bench
run "$bench/losses" --satin "$satin" --programs tsp --strategies naive,ancestors --jobs 2 --csv losses.csv
check "the experiment of losing clusters runs" is_status 0
check "and has a line for each loss" [ "$(grep -c '^| [12] of [24] lost.*`ancestors`' out)" -eq 4 ]
check "in which something was lost and done again" [ "$(awk -F, '$1 == "other" && $8 > $6 && $10 > 0' losses.csv | wc -l)" -eq 2 ]
check "the strategies differ" [ "$(awk -F, '$1 == "other" { print $7 }' losses.csv | sort -u | wc -l)" -eq 2 ]
run "$bench/churn" --satin "$satin" --strategies ancestors --clusters 2x8 --losses 4 --work 40s --grain 10ms --jobs 2 --csv churn.csv
check "the experiment of losing nodes runs" is_status 0
check "its nodes are lost at times of their own" [ "$(awk -F, '$1 == 4 && $8 > 0 && $8 < 40' churn.csv | wc -l)" -eq 1 ]
run "$bench/checkpoint-runs" --satin "$satin" --programs queens --intervals 300 --jobs 2 --csv checkpoints.csv
check "the experiment of checkpoints runs" is_status 0
done_once() { awk -F, '$1 == "stop" && $7 + $8 < 16100 { n++ } END { exit n != 1 }' checkpoints.csv; }
check "in which nothing is done twice when all is stopped" done_once
run "$bench/speculation" --satin "$satin" --clusters 1x4,2x4 --jobs 2 --csv speculation.csv \
  --position=--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--X
check "the experiment of speculation runs" is_status 0
less_work() { awk -F, '$2 == "without aborts" { work = $6 } $2 == "with aborts" && $6 < work { n++ } END { exit n != 2 }' speculation.csv; }
check "in which aborts save work" less_work
check "nothing is left" nothing_left
finish
