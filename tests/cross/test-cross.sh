# test-cross.sh - runs on machines of different kinds: test-cross.sh MACHINE FOLDER
#
# Builds Satin for MACHINE in FOLDER (tests/cross/build). qemu runs those programs as processes of
# this machine; they are "theirs", and the programs of this build are "ours". Processes of both
# sides join runs as nodes, masters and hub, and some are killed. Results, pictures and simulated
# runs of each side alone are compared. The test is skipped if a tool for the build is missing.
#
# SPDX-License-Identifier: Apache-2.0
machine=$1
folder=$2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
"$here/build" "$machine" "$folder" >"$folder/log" 2>&1
case $? in
  0) ;;
  77)
    echo "1..0 # SKIP $(tail -n 1 "$folder/log")"
    exit 0
    ;;
  *)
    sed 's/^/# /' "$folder/log"
    echo "Bail out! Satin cannot be built for $machine"
    exit 1
    ;;
esac
folder=$(cd "$folder" && pwd)
. "$here/../process/test-command-common.sh"
patience_s=300
programs="barnes-hut fib nqueens raytracer tree uts"

# make_foreign: makes scripts foreign/NAME that run a program of the other machine under qemu, with
# its own plugins. The system cannot run these programs itself, so satin run gets the scripts.
make_foreign() {
  local name
  mkdir foreign
  for name in satin $programs; do
    cat >"foreign/$name" <<END
#!/bin/sh
export SATIN_PLUGIN_PATH='$folder/build/plugins'
exec $qemu '$folder/build/apps/$name/$name' "\$@"
END
    chmod 755 "foreign/$name"
  done
}

qemu=$(sed -n "s/^exe_wrapper = \['\(.*\)', '-L', sysroot\]/\1/p" "$folder/cross.ini")
qemu="$qemu -L '$folder/sysroot'"
make_foreign

# path_of SIDE PROGRAM: prints the path of the program of SIDE, "ours" or "theirs", for satin run.
path_of() {
  [ "$1" = ours ] && echo "$2" || echo "foreign/$2"
}

# bring SIDE PROGRAM ARGUMENT...: starts one more node of the hub's run, in a cluster named SIDE.
bring() {
  local side=$1 program
  program=$(path_of "$1" "$2")
  shift 2
  "$satin" run --hub "$uri" "${security[@]}" --clusters "$side:1" "$program" "$@" \
    >"out.${#pids[@]}" 2>"err.${#pids[@]}" </dev/null &
  pids+=($!)
}

query() {
  status_query "$1" --hub "$uri" "${security[@]}"
}

has_master() { query "any(n['master'] for n in s['nodes'])" >/dev/null; }

# begin SIDE PROGRAM ARGUMENT...: starts a run with two nodes of each side, whose master is on SIDE.
begin() {
  local first=$1 side
  shift
  pids=()
  bring "$first" "$@"
  until_true has_master
  for side in theirs ours $([ "$first" = ours ] && echo theirs || echo ours); do
    bring "$side" "$@"
  done
}

# complete: waits for all nodes and the hub. Leaves the nodes' output in out; sets status to the
# hub's exit status, which is that of the program.
complete() {
  local each from
  from=$(now_ms)
  for each in "${pids[@]}"; do
    pid=$each
    until_true has_ended || kill -KILL "$pid"
    wait "$pid" 2>/dev/null
  done
  wait_for_hub
  status=$hub_status
  took_ms=$(($(now_ms) - from))
  cat out.* >out
  cat err.* hub.err >err
  rm -f out.* err.*
}

# prints TEXT: the run ended well, printed TEXT once, and both sides ran jobs.
prints() {
  is_status 0 && [ "$(cat out)" = "$1" ] && json_query "all(sum(n['figures'].get('jobs', 0) \
    for n in s['nodes'] if n['cluster'] == side) > 0 for side in ('ours', 'theirs'))" <stats >/dev/null
}

# over KIND: starts a hub with $satin, for links of the kind "tls", "plain" or "unix".
over() {
  rm -f key stats
  case $1 in
    tls)
      start_hub --listen tcp://127.0.0.1:0 --new-secret key --stats-json stats
      security=(--secret-file key)
      ;;
    plain)
      start_hub --listen tcp://127.0.0.1:0 --insecure --stats-json stats
      security=(--insecure)
      ;;
    unix)
      start_hub --listen "unix:$test_dir/hub" --stats-json stats
      security=()
      ;;
  esac
}

# ---- each side alone ----

run "$satin" run -n 1 raytracer --size 160x120
picture=$(cat out)
draws_it() { is_status 0 && [ -n "$picture" ] && [ "$(cat out)" = "$picture" ]; }
run foreign/raytracer --size 160x120
check "a picture is the same to the last bit" draws_it
stars=$("$SATIN_APP_PATH/barnes-hut/barnes-hut" --bodies 500 --iterations 5)
run foreign/barnes-hut --bodies 500 --iterations 5
moves_them() { is_status 0 && [ -n "$stars" ] && [ "$(cat out)" = "$stars" ]; }
check "stars move to the same places, to the last bit" moves_them
run foreign/satin run -n 2 foreign/nqueens 11
counts_queens() { is_status 0 && [ "$(cat out)" = "nqueens(11) = 2680" ]; }
check "a run of their own is right" counts_queens

# traces SIDE OPTIONS PROGRAM ARGUMENT...: prints results and traces of simulated runs. A worker
# whose stack is half full behaves differently, and frames are larger on some machines. So the
# stacks are large enough that none is ever half full.
traces() {
  local side=$1 options=$2 program seed
  program=$(path_of "$1" "$3")
  shift 3
  for seed in 1 2 3 4 5; do
    # shellcheck disable=SC2086 # several options
    timeout -k 5 60 "$satin" sim --seed $seed --clusters 4x8 --wan 2ms --spawn-ns 200000 --faults swarm --stack 256K \
      $options "$program" "$@" 2>&1 | grep -E "trace|= |leaves"
  done
}

# simulates_alike OPTIONS PROGRAM ARGUMENT...: both sides have the same results and traces.
simulates_alike() {
  traces ours "$@" >out
  traces theirs "$@" >err
  [ "$(grep -c trace out)" -eq 5 ] && cmp -s out err
}

check "simulated runs of fib are the same to the last message" simulates_alike "" fib 15
check "simulated runs of uts are the same" simulates_alike "" uts T1 -d 4
check "simulated runs of uneven halves are the same" simulates_alike "" tree 10s
check "simulated runs of uneven queens are the same" simulates_alike "" tree --shape queens:10 100s
check "simulated runs with small views are the same" simulates_alike "--view 6" nqueens 8

# ---- both sides in one run ----

queens="nqueens(16) = 14772512"
over tls
begin ours nqueens 16
complete
check "our master and they count queens together, over TLS" prints "$queens"
over tls
begin theirs nqueens 16
complete
check "their master and we count queens together, over TLS" prints "$queens"
over plain
begin ours nqueens 16
complete
check "links without TLS do as well" prints "$queens"
satin=foreign/satin over tls
begin ours nqueens 16
complete
check "their hub serves both" prints "$queens"

run "$satin" run -n 4 raytracer --size 640x480 --samples 4
picture=$(cat out)
over tls
begin ours raytracer --size 640x480 --samples 4
complete
check "our master and they draw the picture that we draw alone" prints "$picture"
over unix
begin theirs raytracer --size 640x480 --samples 4
complete
check "their master and we draw it, over unix sockets" prints "$picture"

# has_victim SIDE: sets victim to a node of SIDE that is not the master and has stolen jobs.
has_victim() {
  victim=$(query "[n['pid'] for n in s['nodes'] if n['cluster'] == '$1' and not n['master'] \
    and n['figures'].get('steals.remote', 0) > 0][0]")
}

# lose SIDE: waits for the victim of has_victim, and kills it.
lose() {
  until_true has_victim "$1" && kill -KILL "$victim"
}

# lost_one TEXT: the run printed TEXT, although the hub counted one dead node.
lost_one() { prints "$1" && json_query "s['died'] == 1" <stats >/dev/null; }

over tls
begin ours nqueens 16
lose theirs
complete
check "a killed node of theirs changes nothing" lost_one "$queens"
over tls
begin theirs nqueens 16
lose ours
complete
check "a killed node of ours changes nothing" lost_one "$queens"
over tls
begin ours raytracer --size 640x480 --samples 4
lose theirs
complete
check "a killed node of theirs leaves no spot in the picture" lost_one "$picture"
over tls
begin theirs nqueens 16
until_true has_victim ours
kill -KILL "$(query "[n['pid'] for n in s['nodes'] if n['master']][0]")"
complete
check "one of the others takes the place of a killed master of theirs" lost_one "$queens"
check "nothing is left" nothing_left

# ---- unit tests ----

# list_tests: prints the unit tests of code that reads and writes bytes, counts or computes. Tests
# that start programs are left out, because the system cannot run programs of that machine.
list_tests() {
  local name
  meson test -C "$folder/build" --no-rebuild --suite unit --list 2>/dev/null |
    sed -n 's/^satin:unit \/ //p' | while read -r name; do
    case $name in
      core-table | sim-overflow | so-type) ;;
      record* | params | parse | peers | app-*) echo "$name" ;;
      net-* | core-steal* | core-jobs* | core-task | ft-* | so-* | sim-*) echo "$name" ;;
    esac
  done
}

# unit_tests_pass: runs these tests; leaves the output of failed ones in err.
unit_tests_pass() {
  local names
  names=$(list_tests)
  # shellcheck disable=SC2086 # a list
  meson test -C "$folder/build" --no-rebuild --num-processes 2 --timeout-multiplier 20 \
    --print-errorlogs $names >out 2>&1
  status=$?
  grep -vE ' (OK|SKIP) ' out >err
  : >out
  [ -n "$names" ] && is_status 0
}

check "the unit tests of records, wire and links pass" unit_tests_pass
finish
