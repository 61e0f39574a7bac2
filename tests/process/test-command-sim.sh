# test-command-sim.sh - satin sim: right results, the same run for the same seed, wrong options
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

# A simulated run does not free what it has when it is over.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

# check_same NAME PROGRAM ARGUMENT...: a case. The program prints the same in a simulated run and
# alone.
check_same() {
  check_answer "sim --clusters 3,2 --workers 2" "$@"
}

# trace OPTION...: prints the digest of a simulated run's trace.
trace() {
  run "$satin" sim --clusters 2x3 "$@" tree 200ms
  sed -n 's/.* trace \([0-9a-f]\{16\}\)$/\1/p' err
}

# wrong NAME TEXT OPTION...: a case. The options are refused as wrong usage, and TEXT is printed
# once.
wrong() {
  local name=$1 text=$2
  shift 2
  run "$satin" sim "$@" fib 3
  wrong_usage() { is_status 2 && says err "$text" && [ ! -s out ]; }
  check "$name" wrong_usage
}

# Prints columns of a simulated run of one node with one worker: message_columns NS
message_columns() {
  run "$satin" sim --clusters 1x1 --message-ns "$1" --csv figures.csv tree 10s
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
    NR == 2 { print $column["makespan_s"], $column["work_s"], $column["message_s"] }' figures.csv
}
# The worker always works, so each message makes the run longer.
messages_take_time() {
  [ "$(message_columns 0)" = "10.003111 10.003111 0.000000" ] \
    && message_columns 1000000 | awk '{ exit !($3 > 0.01 && $2 == 10.003111 && $1 == $2 + $3) }'
}
check "messages take their time from the only worker, to the microsecond" messages_take_time

check_same "fib is right" fib 20
check_same "nqueens is right" nqueens 9
check_same "uts is right" uts --type 1 --shape 3 --depth 6 --branching 3
check_same "uts is right with more children than a stack has room for" uts T3 -b 60000 -q 0
check_same "knapsack is right" knapsack --generate 20 --grain 1000
check_same "setcover is right" setcover --generate 50x100 --max-cost 1 --grain 100
check_same "othello is right" othello --random 14 --grain 8 --position-ns 60
check_same "and with one table for all nodes" othello --random 14 --grain 8 --position-ns 60 --table local
check_same "and when no move aborts others" othello --random 14 --grain 8 --position-ns 60 --aborts off
check_same "locusroute is right" locusroute --grain 1 --place-ns 5
run "$satin" sim --clusters 3,2 --workers 2 locusroute --costs shared --place-ns 100
check "and with shared costs" is_routed
check_same "primefactors is right" primefactors 576460752303423487 --grain 10000
check_same "and with a range" primefactors 1..10000 --grain 1000
check_same "barnes-hut is right" barnes-hut --bodies 1000 --iterations 3 --grain 50
check_same "and with trees in jobs" barnes-hut --bodies 1000 --iterations 3 --grain 50 --send-trees
check_same "and without a tree" barnes-hut --bodies 500 --iterations 2 --grain 50 --direct
check_same "sat is right" sat --generate pigeon:6 --budget 50 --conflict-time 10us --clauses 0
check_same "and when its jobs share clauses" sat --generate uniform:150,700,3,1 --budget 50 --conflict-time 10us --clauses 8
check_same "tree is right" tree 500ms
check_same "and when the best leaf is shared" tree --best 1000000 --shared 20s
for shape in queens:10 raytracer:5 tsp:12 knapsack:20; do
  check_same "and in the shape $shape" tree --shape $shape 20s
done
"$SATIN_APP_PATH/raytracer/raytracer" --scene balls:2 --size 64x48 -o plain.png >/dev/null 2>&1
run "$satin" sim --clusters 3,2 raytracer --scene balls:2 --size 64x48 -o simulated.png
same_picture() { is_status 0 && [ -s plain.png ] && cmp -s plain.png simulated.png; }
check "raytracer draws the same picture" same_picture
run "$satin" sim --clusters 1x1 awari 0
check "the root job of awari finds the moves of a whole level" grep -qF ", 1 job, " err
check_same "awari is right" awari 6 --grain 100
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

# makespan OPTION...: prints the simulated time that a tree of 1 s of work takes, in microseconds.
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

said_once() { is_status 2 && [ "$(grep -c "$1" err)" -eq 1 ]; }
# work OPTION...: prints how much work two clusters do to find the best leaf of a tree of 100 s of
# work, in milliseconds.
work() {
  rm -f figures.csv
  run "$satin" sim --clusters 2x8 --csv figures.csv --figures figures.txt "$@" tree --best 1000000 --shared 100s
  awk -F, 'NR == 2 { printf "%.0f", $3 * 1000 }' figures.csv
}
saving=$(work)
check "what is shared saves most of the work" test "$saving" -lt 12000
figure() { awk -v name="objects.$1" '$1 == name { print $2 }' figures.txt; }
check "updates go once to the other cluster, and to all of their own" \
  test "$(figure bytes-near)" -gt $((7 * $(figure bytes-far)))
check "the other nodes got it with a job" test "$(figure fetched)" -eq 15
check "late updates save less" test "$(work --with so:window=1s,far-window=2s)" -gt "$saving"
run "$satin" sim --with so:bytes=0 fib 3
check "a message of updates that may have no bytes is wrong usage" said_once "bytes=0"
run "$satin" sim --with so:bytes=64M fib 3
check "so is one that no message takes" said_once "bytes is above 64 MiB less 4 KiB"
run "$satin" sim --with so:bytes=32M fib 3
check "the largest message of updates may have many bytes" is_status 0

# searched on|off: prints the work of a search with aborts or without, in microseconds.
searched() {
  rm -f figures.csv
  run "$satin" sim --clusters 1x8 --csv figures.csv othello --random 16 --grain 8 --position-ns 60 --table local --aborts "$1"
  awk -F, 'NR == 2 { printf "%.0f", $3 * 1000000 }' figures.csv
}

# routed PLACE-NS BANDWIDTH: prints the time that locusroute takes, in per cent of the work. Each
# job that moves to another node brings the whole grid along.
routed() {
  rm -f figures.csv
  run "$satin" sim --clusters 1x4 --lan-bandwidth "$2" --csv figures.csv locusroute --circuit 600x60x1200 --iterations 2 --place-ns "$1"
  awk -F, 'NR == 2 { printf "%.0f", 100 * $1 / $3 }' figures.csv
}

# told ITERATIONS: prints how many bytes locusroute with shared costs sends. After some iterations
# hardly any wire changes its way.
told() {
  rm -f figures.csv
  run "$satin" sim --clusters 1x4 --csv figures.csv locusroute --costs shared --place-ns 100 --iterations "$1"
  awk -F, 'NR == 2 { print $8 }' figures.csv
}

# trace_with OPTION...: prints the trace of a search by othello.
trace_with() {
  run "$satin" sim --clusters 1x4 othello --random 12 --grain 8 --position-ns 60 "$@"
  grep -o 'trace [0-9a-f]*' err
}

half_case="a search whose moves abort others takes half the work"
stay_case="large jobs stay where the way takes longer than they do"
leave_case="and leave where it does not"
told_case="a wire that keeps its way is not told of"
shared_case="othello shares what it finds unless --table says otherwise"
share_by_default() {
  local plain shared local_
  plain=$(trace_with) shared=$(trace_with --table shared) local_=$(trace_with --table local)
  [ -n "$plain" ] && [ "$plain" = "$shared" ] && [ "$plain" != "$local_" ]
}
if [ "$(sanitizer_of "$satin")" != libtsan ]; then
  check "$half_case" test "$(searched on)" -lt $(($(searched off) / 2))
  check "$stay_case" test "$(routed 2 10M)" -lt 200
  check "$leave_case" test "$(routed 200 1G)" -lt 60
  check "$told_case" test "$(told 30)" -lt $(($(told 4) * 4))
  check "$shared_case" share_by_default
else
  # Simulated time does not depend on the build, so the other builds suffice.
  for case in "$half_case" "$stay_case" "$leave_case" "$told_case" "$shared_case"; do
    skip "$case" "ThreadSanitizer makes programs 25 times slower"
  done
fi

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
# The error for an unknown kind has all kinds.
wrong "an unknown kind of fault is wrong usage" "'bogus' is none of crash, " --faults bogus
kinds=$(sed -n "s/.* is none of \(.*\), early$/\1/p" err)
run "$satin" sim --help
names_all_kinds() { is_status 0 && [ -n "$kinds" ] && says out "of $kinds; early"; }
check "the help names all kinds of faults" names_all_kinds
run "$satin" sim --clusters 2x3 --with ft:bogus=1 fib 3
check "a wrong parameter of a part is wrong usage, and said once" said_once "unknown parameter bogus"
run "$satin" sim --clusters 2x3 --faults join:2,early --with ft:strategy=bogus fib 3
check "and so is one that only the part knows as wrong" said_once "strategy=bogus"
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
slow() { is_status 25 && says err "the root job takes too long" && says err "waits for results of exported jobs"; }
check "a run that takes far longer than its work has failed" slow
run "$satin" sim --work 2000s tree 2000s
in_time() { is_status 0; }
check "a run that takes no longer than its work is right" in_time
run "$satin" sim --clusters 1x4 --seed 3 --faults bad-job tree 10s
culprit() { sed -nE 's/^tree: (task tree \([^)]*\)) crashed node.*/\1/p' err | sort -u; }
named() {
  is_status 25 && [ ! -s out ] && [ "$(culprit | wc -l)" -eq 1 ] && [ "$(grep -c ' crashed node ' err)" -eq 3 ] \
    && grep -F "$(culprit), a part of the root job" err | grep -q "crashed 3 nodes that ran it"
}
check "a bad job crashes three nodes and is named" named
bad_sweep=(sim sweep --seeds 1..4 --clusters 1x3 --faults bad-job)
all_wrong() { is_status 1 && says out ": 4 failed"; }
all_right() { is_status 0 && says out ": 0 failed"; }
# sweep_says NAME CLAIM [OPTION...]: a case. CLAIM is true of a sweep with a bad job.
sweep_says() {
  if [ "$(sanitizer_of "$satin")" = libtsan ]; then
    skip "$1" "Debian's GLib is built without ThreadSanitizer, which does not see what orders its pool of threads"
  else
    run "$satin" "${bad_sweep[@]}" "${@:3}" tree 1s
    check "$1" "$2"
  fi
}
sweep_says "to a sweep a run with a bad job is wrong" all_wrong
sweep_says "unless it may fail so" all_right --or-fails "run it on one node in a debugger"
sweep_says "and says what it should" all_wrong --or-fails "what nobody says"
sweep_says "once" all_wrong --or-fails task
replays="to replay a seed, the printed command can be given to a shell as it is"
if [ "$(sanitizer_of "$satin")" = libtsan ]; then
  skip "$replays" "Debian's GLib is built without ThreadSanitizer"
else
  cat >"my program" <<'END'
#!/bin/sh
printf '%s|' "$@" >arguments
[ -z "$SATIN_WORLD" ]
END
  chmod +x "my program"
  run "$satin" sim sweep --seeds 7..7 --clusters 1x1 "./my program" --x=1 "two words" "it's" '$HOME' ""
  replayed() {
    local line
    line=$(sed -n 's/^ *satin sim \(.*\)$/\1/p' out)
    rm -f arguments
    says out ": 1 failed" && ! (eval "\"\$satin\" sim $line") 2>/dev/null \
      && [ "$(cat arguments)" = "--x=1|two words|it's|\$HOME||" ]
  }
  check "$replays" replayed
fi
for wrong in "--timeout 0" "--timeout -1" "--jobs 0"; do
  # shellcheck disable=SC2086
  run "$satin" sim sweep $wrong nqueens 6
  out_of_range() { is_status 2 && says err "${wrong% *} wants a whole number from 1 to "; }
  check "a sweep with $wrong is refused" out_of_range
done
run "$satin" sim "$node" fail
check "the exit status is the program's" is_status 25
check "nothing is left" nothing_left
# With this seed the run is stopped and resumes. In its second part, node 1 is out of the run before
# its root job ends.
run "$satin" sim --clusters 4x4 --wan 2ms --faults early,stop:6,hub:4,master:3,leave:6,join:6 --work 1000309us \
  --with ft:checkpoint=sim:disk,every=30ms,storage=delay=1ms --seed 554 tree 1s --grain 10ms
check "a node that is out of the run prints no answer" test "$(cat out)" = "tree: 155 leaves"
finish
