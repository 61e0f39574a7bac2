# test-command-sim.sh - satin sim: results as without it, the same run for the same seed, wrong options
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

# What stands when a simulated run is over is left to the end of the process.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

# check_same NAME PROGRAM ARGUMENT...: what it prints in a world is what it prints by itself.
check_same() {
  local name=$1 program=$2
  shift 2
  SATIN_WORKERS=2 "$SATIN_APP_PATH/$program/$program" "$@" >expected 2>/dev/null </dev/null
  run "$satin" sim --clusters 3,2 --workers 2 "$program" "$@"
  same_output() { is_status 0 && [ -s expected ] && cmp -s expected out; }
  check "$name" same_output
}

# trace OPTION...: the digest of a run.
trace() {
  run "$satin" sim --clusters 2x3 "$@" tree 200ms
  sed -n 's/.* trace \([0-9a-f]\{16\}\)$/\1/p' err
}

# wrong NAME TEXT OPTION...: wrong usage, and said once.
wrong() {
  local name=$1 text=$2
  shift 2
  run "$satin" sim "$@" fib 3
  wrong_usage() { is_status 2 && says err "$text" && [ ! -s out ]; }
  check "$name" wrong_usage
}

check_same "fib is right" fib 20
check_same "nqueens is right" nqueens 9
check_same "uts is right" uts --type 1 --shape 3 --depth 6 --branching 3
check_same "uts is right with more children than a stack has room for" uts T3 -b 60000 -q 0
check_same "tree is right" tree 500ms
for shape in queens:10 raytracer:5 tsp:12 knapsack:20; do
  check_same "and in the shape $shape" tree --shape $shape 20s
done
"$SATIN_APP_PATH/raytracer/raytracer" --scene balls:2 --size 64x48 -o plain.png >/dev/null 2>&1
run "$satin" sim --clusters 3,2 raytracer --scene balls:2 --size 64x48 -o simulated.png
same_picture() { is_status 0 && [ -s plain.png ] && cmp -s plain.png simulated.png; }
check "raytracer draws the same picture" same_picture
for policy in acrs chs cls crs mw rp rs; do
  run "$satin" sim --clusters 2x2 --policy $policy nqueens 8
  right_queens() { is_status 0 && grep -q '= 92$' out; }
  check "the policy $policy gives the right result" right_queens
done
run "$satin" sim --clusters 4 --speeds 0.5 --lan 1ms --jitter 0 --spawn-ns 50 --stack 128K \
  --deque 128 --lan-bandwidth 1M fib 15
check "all that a world has can be set" is_status 0

first=$(trace --seed 5)
[ -n "$first" ]
check "a run tells its trace" test -n "$first"
check "the same seed gives the same trace" test "$(trace --seed 5)" = "$first"
check "another seed gives another trace" test "$(trace --seed 6)" != "$first"
check "another latency gives another trace" test "$(trace --seed 5 --wan 6ms)" != "$first"
check "a program's own environment changes nothing" \
  test "$(SATIN_WORKERS=7 SATIN_STACK=1G trace --seed 5)" = "$first"

# makespan OPTION...: of a tree of a second, in microseconds.
makespan() {
  rm -f figures.csv
  run "$satin" sim --clusters 1x4 --csv figures.csv "$@" tree 1s
  awk -F, 'NR == 2 { printf "%.0f", $1 * 1000000 }' figures.csv
}
usual=$(makespan)
check "a tree of a second takes four workers a quarter and a little" \
  test "$usual" -gt 250000 -a "$usual" -lt 400000
half=$(makespan --speeds 0.5)
check "half the speed takes twice as long" \
  test "$half" -gt $((usual * 17 / 10)) -a "$half" -lt $((usual * 23 / 10))
more=$(makespan --workers 2)
check "twice as many workers are faster" test "$more" -lt $((usual * 7 / 10))

run "$satin" sim --csv figures.csv fib 10
two_lines() {
  is_status 0 && [ "$(wc -l <figures.csv)" -eq 2 ] &&
    [ "$(head -n 1 figures.csv | cut -d, -f1-3)" = makespan_s,efficiency,work_s ]
}
check "--csv writes a header and a line" two_lines
as_many_values() { [ "$(awk -F, '{ print NF }' figures.csv | sort -u | wc -l)" -eq 1 ]; }
check "the line has a value for each word of the header" as_many_values
same_trace() { says err "trace $(tail -n 1 figures.csv | grep -oE '[0-9a-f]{16}')"; }
check "the line has the trace that was told" same_trace

wrong "an unknown option is wrong usage" "--bogus" --bogus
wrong "a time without unit is wrong usage" "lan" --lan 5
wrong "a size that is none is wrong usage" "wan-bandwidth" --wan-bandwidth fast
wrong "no workers are wrong usage" "workers=0" --workers 0
wrong "a number of workers that is none is wrong usage" "workers" --workers few
wrong "a speed of 0 is wrong usage" "speeds=0" --speeds 0
wrong "a list of speeds that is none is wrong usage" "speeds=1," --speeds 1,
wrong "a seed below 0 is wrong usage" "seed=-1" --seed -1
wrong "spawns that cost nothing are wrong usage" "spawn-ns=0" --spawn-ns 0
wrong "a stack that is too small is wrong usage" "stack" --stack 1K
wrong "a deque that is too small is wrong usage" "deque=1" --deque 1
wrong "clusters that are none are wrong usage" "clusters=four" --clusters four
wrong "empty clusters are wrong usage" "clusters=2x0" --clusters 2x0
wrong "too much jitter is wrong usage" "jitter=5" --jitter 5
wrong "a number of faults that is none is wrong usage" "crash:-1: give crash:0 to crash:10000" --faults crash:-1
run "$satin" sim --policy none fib 3
check "an absent policy has its own status" is_status 11
run "$satin" sim --policy crs:bogus=1 fib 3
check "a wrong parameter of the policy is wrong usage" is_status 2
run "$satin" sim
check "a missing program is wrong usage" is_status 2
run "$satin" sim no-such-program
check "an absent program has its own status" is_status 11
run "$satin" sim --deadline 1s tree 100s
late() { is_status 21 && says err "did not end"; }
check "a run past its deadline has failed" late
run "$satin" sim --work 1s tree 2000s
slow() { is_status 25 && says err "the root job takes too long" && says err "waits for results of lent jobs"; }
check "a run that takes far longer than its work has failed" slow
run "$satin" sim --work 2000s tree 2000s
in_time() { is_status 0; }
check "a run that takes no longer than its work is right" in_time
run "$satin" sim "$node" fail
check "the exit status is the program's" is_status 25
check "nothing is left" nothing_left
finish
