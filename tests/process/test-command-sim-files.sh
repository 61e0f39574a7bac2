# test-command-sim-files.sh - satin sim: the files that show what happened in a run
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

# A simulated run does not free what it has when it is over.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

json() { json_query "$1" <run.json >/dev/null; }
events() { json "[e for e in s['traceEvents'] if $1]"; }
# lines PATTERN N: N lines of the log match PATTERN.
lines() { [ "$(grep -cE -- "$1" run.log)" -eq "$2" ]; }
# figure N: prints the N-th figure of the run from run.csv.
figure() { tail -n 1 run.csv | cut -d, -f"$1"; }
same_end() { [ "$(grep trace err)" = "$(cat plain)" ]; }

run "$satin" sim --clusters 2,3 nqueens 9
check "a run that is not looked at goes well" is_status 0
grep trace err >plain

run "$satin" sim --clusters 2,3 --trace run.json --log run.log --csv run.csv nqueens 9
check "a run that is traced goes well" is_status 0
check "and is the same run" same_end
check "the trace is JSON and complete" json "s['otherData']['lost'] == 0"
check "the trace has a lane for each node" json "sorted(e['args']['name'] for e in s['traceEvents'] \
  if e['name'] == 'thread_name') == ['node %d' % i for i in range(1, 6)] + ['registry']"
check "each lane is a node's of its own, in its cluster's process" json "sorted((e['pid'], e['tid']) \
  for e in s['traceEvents'] if e['name'] == 'thread_name')[:5] == [(1, 1), (1, 2), (2, 3), (2, 4), (2, 5)]"
check "work takes time" json "all(e['dur'] > 0 for e in s['traceEvents'] if e['name'] == 'work')"
check "more than one node works" json "len({e['tid'] for e in s['traceEvents'] if e['name'] == 'work'}) > 1"
check "no work of a lane begins before the one before has ended" json "all(a[1] <= b[0] \
  for t in range(1, 6) for w in [sorted((e['ts'], e['ts'] + e['dur']) for e in s['traceEvents'] \
  if e['name'] == 'work' and e['tid'] == t)] for a, b in zip(w, w[1:]))"
check "every arrow that begins ends, later" json "(lambda b, e: len(b) > 0 and b.keys() == e.keys() \
  and all(b[i] < e[i] for i in b))(*({x['id']: x['ts'] for x in s['traceEvents'] if x['ph'] == p} \
  for p in 'sf'))"
check "the log has a line for each work" lines '^[0-9.]+ node[1-5] work until [0-9.]+$' \
  "$(json_query "len([e for e in s['traceEvents'] if e['name'] == 'work'])" <run.json)"
check "and for each message" lines ' send [0-9]+ bytes to .*, there at [0-9.]+$' \
  "$(json_query "len([e for e in s['traceEvents'] if e['ph'] == 's'])" <run.json)"
check "steals are told by where the victim was" [ "$(head -n 1 run.csv | cut -d, -f5,6)" = steals_lan,steals_wan ]
check "some came from the own cluster" [ "$(figure 5)" -gt 0 ]

run "$satin" sim --clusters 2 --workers 3 --trace run.json nqueens 8
check "each worker of a node has a lane" json "len([e for e in s['traceEvents'] \
  if e['name'] == 'thread_name' and e['args']['name'].endswith(', worker 3')]) == 2"
run "$satin" sim --clusters 3 --faults crash:1 --trace run.json --log run.log nqueens 12
check "a crash is in the trace" events "e['name'] == 'crash'"
check "and in the log" lines ' crash$' 1
run "$satin" sim --deadline 2ms --trace run.json nqueens 12
check "a run that does not end fails" is_status 21
check "and is in the trace all the same" events "e['name'] == 'send'"
for option in csv figures trace log; do
  run "$satin" sim --$option nowhere/file nqueens 6
  check "a place where --$option cannot be written is an error" says err "cannot write nowhere/file: No such file"
  check "before anything is run" [ ! -s out ]
done
mkdir folder
run "$satin" sim --csv folder nqueens 6
check "so is a folder in place of a file" says err "cannot write folder: Is a directory"
check "and it is noticed before anything is run" [ ! -s out ]
run "$satin" sim --deadline 1ms --csv new.csv nqueens 12
check "what is only tried is not left behind" [ ! -e new.csv ]


# through_pipe OPTION TEXT: a case. The file of OPTION has TEXT, and may be a pipe.
through_pipe() {
  run_to_pipe "$satin" sim "--$1" pipe nqueens 6
  check "what --$1 writes goes through a pipe" came_through "$2"
}
through_pipe csv makespan_s,efficiency,
through_pipe figures "jobs "
through_pipe trace traceEvents
ln -s /dev/stdout link
run "$satin" sim --csv link nqueens 6
both_printed() { is_status 0 && [ -L link ] && says out "nqueens(6) = 4" && says out "makespan_s,"; }
check "what --csv writes to standard output follows the answer" both_printed

# Thieves say how much of their jobs is done. So the master's estimate follows the time: from 20 %
# to 90 % of the run, it may be wrong by 15 % of the run.
near_time() {
  "$satin" journal cat --csv progress |
    awk -F, -v end=100 '$5 == "progress-permille" {
      share = $6 / 10; time = 100 * $1 / 1e6 / end; n++
      if (time > 20 && time < 90 && (share < time - 15 || share > time + 15)) { print; n = -1000 } }
      END { exit n < 50 }'
}
run "$satin" sim --clusters 1x4 --journal progress tree --grain 5ms 400s
check "the progress follows the time" near_time

if command -v gnuplot >/dev/null; then
  run "$satin" sim --clusters 2,3 --policy "rs" --plot run.svg nqueens 9
  check "a run that is drawn goes well" is_status 0
  check "the picture is SVG" python3 -c "import xml.etree.ElementTree as e; \
    assert e.parse('run.svg').getroot().tag.endswith('svg')"
  check "the title says what was run" says run.svg "nqueens on 2,3 nodes, latency 50 us in a cluster, 5 ms between, policy rs"
  check "each cluster is named" says run.svg "cluster 2"
  through_pipe plot "</svg>"
  run "$satin" sim --plot nowhere/run.svg nqueens 6
  check "a picture that cannot be written is an error" says err "cannot write nowhere/run.svg"
  check "before anything is run" [ ! -s out ]
fi
run "$satin" sim sweep --plot run.svg nqueens 6
check "a sweep draws nothing" is_status 2
run "$satin" sim sweep --journal seeds nqueens 6
check "and writes no journal" says err "are for one seed"
mkdir empty
run env PATH="$test_dir/empty" "$satin" sim --plot no.svg nqueens 6
check "without gnuplot the error tells what to install" says err "gnuplot-nox"
check "and nothing is run" [ ! -s out ]
finish
