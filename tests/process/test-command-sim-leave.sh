# test-command-sim-leave.sh - nodes that leave in good order: what is finished is not computed again
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

# A simulated run does not free what it has when it is over.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

# The tree has 400 s of work, and nodes spend .03 s beside that. At most .2 % is done again.
once() {
  is_status 0 && awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
    NR == 2 { work = $column["work_s"]; print "# work " work " s"; exit !(work > 400 && work < 400.8) }' figures.csv
}

# leave NAME EVENTS SEED...: a case for each seed. Nodes that leave and join disturb a run of 9 nodes.
leave() {
  local name=$1 events=$2
  shift 2
  for seed; do
    run "$satin" sim --clusters 4,5 --wan 100us --jitter 0.5 --seed "$seed" --events "$events" \
      --csv figures.csv tree --grain 40ms 400s
    check "$name, seed $seed" once
  done
}

leave "a cluster leaves" "20s leave cluster c2" 1 2
leave "others join, and leave too" "20s leave cluster c2; 25s join 5 cluster c2; 30s leave cluster c2" 1 3 4
leave "and at once" "20s leave cluster c2; 20200ms join 5 cluster c2; 22s leave cluster c2; 22200ms join 5 cluster c2;\
  24s leave cluster c2; 24200ms join 5 cluster c2; 26s leave cluster c2" 4 5
leave "one shortly after the other" "20s leave node 7; 20001ms leave node 6; 20004ms leave node 8;\
  20010ms leave node 9; 22s join 4 cluster c2" 4 5
leave "the master leaves, and then its heirs" "20s leave node 1; 21s leave node 2; 22s leave node 3;\
  23s leave node 4; 24s leave node 5" 1 3 5
leave "all but one leave" "20s leave node 1; 20s leave node 2; 20s leave node 3; 23s leave cluster c2" 1 2 5
finish
