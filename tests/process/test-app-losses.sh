# test-app-losses.sh - an application prints the same as in plain C: on several nodes, when nodes are
# killed in the middle of a run, in a simulated run, and from a checkpoint
#
# The argument is the application: test-app-losses.sh semigroups
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
ulimit -c 0
# A simulated run does not free what it has when it is over.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
limit_s=120
sanitizer=$(sanitizer_of "$satin")

is_expected() { is_status 0 && [ -s expected ] && cmp -s out expected; }

# is_shared N: the run has N members, and each has run jobs. Sets master and others, their process
# ids.
is_shared() {
  local pids
  pids=$(status_query "' '.join(str(n['pid']) for n in sorted(s['nodes'], key=lambda n: not n['master'])
    if n['state'] == 'member' and n['figures']['jobs'] > 0)")
  master=${pids%% *}
  others=${pids#* }
  [ "$(wc -w <<<"$pids")" -eq "$1" ]
}
is_shared_or_over() { is_shared "$1" || has_ended; }

# loses WHO: kills the "master" or one of the "others" in the middle of a run, whose output must be
# right. If a run is over before that, another one is tried.
loses() {
  for _ in 1 2 3 4 5; do
    start "$satin" run -n 4 -w 1 "${program[@]}"
    until_true is_shared_or_over 4
    local pids=${!1}
    kill -KILL "${pids%% *}" 2>/dev/null
    wait_for_end
    is_expected || return
    ! killed_are 1 || return 0
  done
  return 1
}

# goes_on: all processes of a run with a checkpoint are killed. A run on two nodes goes on from
# there, and its output is right.
goes_on() {
  local folder=$test_dir/checkpoint
  local checkpoint=(--checkpoint "file:$folder" --checkpoint-every 50ms)
  has_stored_or_is_over() {
    status_query "$(sum_of checkpoint.stored) >= 5" >/dev/null || has_ended
  }
  rm -rf "$folder"
  for _ in 1 2 3 4 5; do
    start "$satin" run -n 3 -w 1 "${checkpoint[@]}" "${program[@]}"
    until_true has_stored_or_is_over
    # shellcheck disable=SC2046
    kill -KILL "$pid" $(pids_of True) 2>/dev/null
    wait_for_end
    until_true no_nodes
    [ -z "$(ls "$folder")" ] || break
  done
  [ -n "$(ls "$folder")" ] || return
  # The second run stores rarely, because some programs have large results.
  run "$satin" run -n 2 -w 1 --stats-json figures "${checkpoint[@]}" --checkpoint-every 1s \
    "${program[@]}"
  is_expected && json_query "$(sum_of checkpoint.fetched) > 0" <figures >/dev/null
}

# survives PROGRAM ARGUMENT...: the program's cases with real processes.
survives() {
  program=("$@")
  "$SATIN_APP_PATH/$1/$1" "${@:2}" --sequential >expected 2>/dev/null </dev/null
  check "$1 is right when a node is killed" loses others
  check "$1 is right when the master is killed" loses master
  check "$1 goes on from its checkpoint when all processes are killed" goes_on
}

# proves KIND OPTION...: cubes writes a good proof, although a node is killed.
proves() {
  program=(cubes --generate "$1" "${@:2}" --proof proof.drat)
  "$SATIN_APP_PATH/cubes/cubes" --generate "$1" --write formula.cnf
  loses others && "$SATIN_TEST_RUP" formula.cnf proof.drat >/dev/null
}

# same PROGRAM ARGUMENT...: the program is right on four nodes, and in a simulated run whose nodes
# crash.
same() {
  check_answer "run -n 4" "four nodes print the same: $*" "$@"
  check_answer "sim --clusters 3,2 --workers 2 --spawn-ns 100000 --faults crash:2,leave:2,master:1,join:3 --seed 3" \
    "so do simulated nodes that are lost" "$@"
}

# Sanitizers make programs 5 to 25 times slower, so they get smaller inputs.
case $1 in
  semigroups)
    same semigroups 25 --grain 1000
    [ -n "$sanitizer" ] && genus=34 || genus=39
    survives semigroups $genus --grain 10000
    ;;
  polycubes)
    same polycubes 9 --grain 1000
    [ -n "$sanitizer" ] && n=12 || n=13
    survives polycubes $n --grain 100000
    ;;
  ida)
    same ida korf:12 --threshold 10
    [ -n "$sanitizer" ] && start=(korf:85 --threshold 99) || start=(korf:2 --threshold 99)
    survives ida "${start[@]}"
    ;;
  integrate)
    same integrate chirp --to 20
    [ -n "$sanitizer" ] && end=200 || end=300
    survives integrate chirp --to $end --tolerance 1e-8
    ;;
  strassen)
    same strassen 64 --leaf 8
    [ -n "$sanitizer" ] && size=512 || size=1024
    survives strassen $size --leaf 64
    ;;
  fft)
    same fft 4096 --leaf 64 --rounds 2
    [ -n "$sanitizer" ] && rounds=5 || rounds=50
    survives fft 65536 --leaf 512 --rounds $rounds
    ;;
  cubes)
    same cubes --generate pigeon:7 --cubes 8 --conflicts 100 --conflict-time 1ms
    [ -n "$sanitizer" ] && holes=8 || holes=9
    survives cubes --generate pigeon:$holes --cubes 32 --conflicts 200
    check "the proof is good when a node is killed" proves pigeon:$((holes - 1)) --cubes 16 --conflicts 200
    ;;
  pathtracer)
    scene=$SATIN_TEST_SCENES/knot.gltf
    same pathtracer "$scene" --size 64x48 --samples 2 --tile 8 --pixel-time 1ms
    [ -n "$sanitizer" ] && samples=4 || samples=40
    survives pathtracer "$scene" --size 256x192 --samples $samples --tile 16 --owners owners.png
    ;;
  align)
    same align --generate 40 --length 40 --grain 10000
    [ -n "$sanitizer" ] && n=100 || n=300
    survives align --generate $n
    ;;
  awari)
    same awari 8 --grain 500
    [ -n "$sanitizer" ] && n=11 || n=14
    survives awari $n
    ;;
  grammar)
    same grammar --generate 2,12,150 --grain 50
    [ -n "$sanitizer" ] && numbers=2,16,200 || numbers=1,12,100
    survives grammar --generate $numbers
    ;;
  maxclique)
    same maxclique --generate brock:200,17,65,1 --grain 500 --node-time 100us
    [ -n "$sanitizer" ] && kind=brock:200,21,75,1 || kind=random:300,70,1
    survives maxclique --generate $kind --grain 500
    ;;
esac

check "nothing is left" nothing_left
finish
