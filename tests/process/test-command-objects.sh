# test-command-objects.sh - satin run: programs that share objects or abort jobs lose nodes in the
# middle of a run, and print the same as in plain C
#
# The programs are knapsack and barnes-hut; with the argument "all", other applications too.
# SATIN_TEST_INSTANCES is the folder of the TSPLIB files.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
ulimit -c 0
cities=$SATIN_TEST_INSTANCES

# take PROGRAM ARGUMENT...: sets program, the program to run, and leaves its right output in
# expected.
take() {
  program=("$@")
  "$SATIN_APP_PATH/$1/$1" "${@:2}" --sequential >expected 2>/dev/null </dev/null
}

# is_shared N: the run has N members, and $figure is above 0 on each but the master: they have
# fetched shared objects. Sets master and others, their process ids.
is_shared() {
  local pids
  pids=$(status_query "' '.join(str(n['pid']) for n in sorted(s['nodes'], key=lambda n: not n['master'])
    if n['state'] == 'member' and (n['master'] or n['figures']['$figure'] > 0))")
  master=${pids%% *}
  others=${pids#* }
  [ "$(wc -w <<<"$pids")" -eq "$1" ]
}
is_shared_or_over() { is_shared "$1" || has_ended; }

# begin N [OPTION...]: runs the program on N nodes until they share the work.
begin() {
  start "$satin" run -n "$@" "${program[@]}"
  until_true is_shared_or_over "$1"
}

is_expected() { is_status 0 && [ -s expected ] && cmp -s out expected; }

# loses WHO: kills the "master" or one of the "others" in the middle of a run, whose output must be
# right. A lucky search may be over before that, so there are several tries.
loses() {
  for _ in 1 2 3 4 5; do
    begin 4
    local pids=${!1}
    kill -KILL "${pids%% *}" 2>/dev/null
    wait_for_end
    is_expected || return
    ! killed_are 1 || return 0
  done
  return 1
}

# survives NAME FIGURE PROGRAM ARGUMENT...: two cases. The program is right when a node is killed,
# and when the master is killed, which made the objects.
survives() {
  figure=$2
  take "${@:3}"
  check "$1 is right when a node is killed" loses others
  check "$1 is right when the master is killed" loses master
}

# ---- nodes are killed ----

# ASan makes programs 5 times slower and TSan 25 times, so they get smaller inputs.
sanitizer=$(sanitizer_of "$satin")
items=96
stars=(barnes-hut --iterations 40)
if [ -n "$sanitizer" ]; then
  [ "$sanitizer" = libasan ] && items=90 || items=91
  stars=(barnes-hut --iterations 15)
fi
knapsack=(knapsack --generate $items --kind strong --grain 1000)

survives "knapsack" objects.fetched "${knapsack[@]}"

# ---- nodes leave and come ----

begin 4
kill -TERM "${others%% *}"
wait_for_end
left() { is_expected && says err 'left the run' && killed_are 0; }
check "knapsack is right when a node leaves" left

begin 2 --listen "unix:$test_dir/hub" --stats-json figures
"$satin" node --hub "unix:$test_dir/hub" -w 1 "${program[@]}" >/dev/null 2>node.err </dev/null &
node_pid=$!
wait_for_end
wait "$node_pid"
helped() { is_expected && json_query "[n['figures']['$figure'] for n in s['nodes'] if n['pid'] == $node_pid][0] > 0" <figures >/dev/null; }
check "a node that comes has what is shared, and knapsack is right" helped

# ---- other programs ----

survives "barnes-hut" objects.fetched "${stars[@]}"
if [ "${1:-}" = all ]; then
  [ -n "$sanitizer" ] || survives "sat that aborts" objects.fetched sat --generate factor:4292870399 --budget 500
  survives "setcover" objects.fetched setcover --generate 100x300 --max-cost 1
  survives "tsp" objects.fetched tsp "$cities/gr96.tsp" --grain 10 --first-tour 2-opt
  survives "sat without a model" objects.fetched sat --generate uniform:275,1171,3,1 --budget 1000
  survives "othello" objects.fetched othello --random 19 --seed 2 --aborts on --table shared
fi

check "nothing is left" nothing_left
finish
