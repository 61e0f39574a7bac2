# test-command-provision.sh - satin run --provision: machines are asked for, lost, replaced and
# given back
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

# nodes_are N: the run has N members, one of them the master. died_are N: N nodes were lost.
nodes_are() { is_up "$1"; }
died_are() { status_query "s['died'] == $1" >/dev/null; }
# machine_pids: prints the process ids of members on machines. A machine's name is their host.
machine_pids() { pids_of "n['host'] != '$(hostname)'"; }
kill_one() { kill -KILL "$(machine_pids | cut -d ' ' -f 1)"; }
interrupt() { pid=$run_pid stop_and_wait INT "$run_pid"; }

# ---- machines that are processes of this computer ----
check_answer "run --provision local:max=3 --min 3" "a run with machines has the right result" nqueens 12
run "$satin" run --provision local:max=3 --min 2 -n 2 --stats-json stats nqueens 14
four() { json_query "len(s['nodes']) == 4 and all(n['state'] == 'left' for n in s['nodes'])" <stats >/dev/null; }
four_nodes() { is_status 0 && says out "nqueens(14) = 365596" && four; }
check "nodes of its own and machines run it together, and all leave" four_nodes
check "a run that is over leaves nothing" nothing_left

start "$satin" run --provision local:max=3,cluster=east --min 2 "$node" forever
run_pid=$pid
until_true mv err run.err 2>/dev/null
check "the least machines are asked for beside one node of its own" until_true nodes_are 3
in_cluster() { [ "$(pids_of "n['cluster'] == 'east'" | wc -w)" -eq 2 ]; }
check "they are of the provisioner's cluster" in_cluster
kill_one
lost_at_once() { patience_s=4 until_true died_are 1; }
check "the hub knows at once that a machine is gone" lost_at_once
check "who went is said" until_true grep -q -- '-[12] was killed by signal 9' run.err
check "another is asked for in its place" until_true nodes_are 3
kill_one
again() { until_true died_are 2 && until_true nodes_are 3; }
check "and again" again
interrupt
check "Ctrl-C ends it with status 130" is_status 130
check "and gives all machines back" nothing_left

# ---- machines are killed ----
sleep_for 24s
start "$satin" run --provision local:max=4 --min 3 "${work[@]}"
until_true nodes_are 4
for _ in 1 2 3; do
  kill_one 2>/dev/null
  sleep 0.7
done
wait_for_end
right() { is_status 0 && says out "$result"; }
check "machines are killed and come, and the result is right" right
killed() { grep -q 'killed by signal 9' err; }
check "some were killed" killed
start "$satin" run --provision local:max=2 --min 2 "${work[@]}"
until_true nodes_are 3
kill -KILL "$(pids_of "n['host'] == '$(hostname)'")"
wait_for_end
check "the only node of its own is killed, and the machines go on" right
check "nothing is left of them" nothing_left

# ---- adaptation ----
start "$satin" run --provision local:max=8 --min 1 --max 3 --adapt=thresholds:max=0.05,min=0.01 --period 500ms tree --sleep --grain 20ms 600s
run_pid=$pid
check "machines are added while they are of use" until_true nodes_are 4
sleep 2
check "up to the most, and no more" nodes_are 4
decides() { status_query "$(sum_of adapt.asked) >= 2 and $(sum_of adapt.periods) >= 2" >/dev/null; }
check "by the part that adapts" decides
interrupt
check "nothing is left of it" nothing_left
run "$satin" run --provision local --adapt --period 200ms fib 24
check "--adapt alone takes no word away" says out "fib(24) = 46368"

# ---- wrong usage, and too few machines ----
refused() { is_status "$1" && says err "$2"; }
wrong() {
  local status_wanted=$1 words=$2 text=$3
  # shellcheck disable=SC2086
  run "$satin" run $words fib 20
  check "$words is refused" refused "$status_wanted" "$text"
}
wrong 2 "--min 2" "say with --provision where they come from"
wrong 2 "--adapt" "say with --provision where they come from"
wrong 2 "--provision local --min 3 --max 2" "--min 3 is more than --max 2"
wrong 2 "--provision local --min -1" "--min wants a whole number"
wrong 2 "--provision local --max 0" "--max wants a whole number"
wrong 2 "--provision local:max=many" "'many' is not a whole number"
wrong 2 "--provision local:color=red" "color"
wrong 11 "--provision nowhere" "provision-nowhere.so"
wrong 11 "--provision exec:script=/no/such" "there is no script /no/such"
wrong 2 "--provision local --period 1s" "--period is how often --adapt decides"
wrong 2 "--provision local --adapt --period 1ms" "--period is from 100ms to 24h"
wrong 11 "--provision local --adapt=nothing" "adaptation-nothing.so"
wrong 2 "--provision local --adapt --with adapt" "choose one of --adapt and --with adapt"
wrong 2 "--provision local --hub unix:/nowhere" "leave --hub and --registry out"
wrong 2 "--provision local --registry etcd://nowhere/run --insecure" "leave --hub and --registry out"
wrong 2 "--provision exec:script=/bin/true --transport unix" "cannot reach a hub that is for this machine alone"
run "$satin" run --provision local:max=1 --min 3 nqueens 13
full() { is_status 0 && says out "nqueens(13) = 73712" && grep -q "2 machines cannot be had" err; }
check "a run goes on with what it can have, and says what it cannot" full
"$satin" journal cat --csv nqueens >events
counted() { [ "$(awk -F, -v name="$1" '$3 == "machines" && $(NF-1) == name { sum += $NF } END { print sum + 0 }' events)" -ge "$2" ]; }
machines_known() { counted asked 3 && counted came 1 && counted refused 2 && counted gone 1 \
  && grep -q 'machines,"*2 machines refused: no more than 1' events; }
check "its journal has what was asked for, what came, and why the rest did not" machines_known
check "nothing is left" nothing_left

# ---- machines that a script starts ----
export MACHINES=$test_dir/machines
mkdir "$MACHINES"
cat >script <<'SCRIPT'
#!/bin/bash
# Starts machines as processes of this computer. With $BRING set, the program and the files that are
# brought along are copied into that folder.
name=$2 home=$MACHINES/$2
case $1 in
  start)
    shift 3
    [ -z "$SLOW" ] || exec sleep 100
    mkdir "$home"
    [ -z "$BRING" ] || { mkdir -p "$BRING"; printf '%s\n' "$SATIN_PROGRAM" "$SATIN_FILES" | xargs cp -t "$BRING"; }
    setsid sh -c 'echo $$ >"$0/pid.new"; mv "$0/pid.new" "$0/pid"; exec "$@"' "$home" "$@" </dev/null >"$home/log" 2>&1 &
    until [ -e "$home/pid" ]; do sleep 0.01; done
    ;;
  list)
    for home in "$MACHINES"/*; do
      [ -e "$home/pid" ] || continue
      grep -qs '^State:\s[^ZX]' "/proc/$(cat "$home/pid")/status" && echo "${home##*/}" || echo "${home##*/} ended 1"
    done
    ;;
  stop)
    [ -z "$HANG" ] || exec sleep 100
    [ -e "$home/pid" ] || exit 0
    pid=$(cat "$home/pid")
    kill -TERM -- "-$pid" 2>/dev/null
    for ((left = $3; left > 0; left -= 20)); do grep -qs '^State:\s[^ZX]' "/proc/$pid/status" || break; sleep 0.02; done
    kill -KILL -- "-$pid" 2>/dev/null
    cat "$home/log" >>"$MACHINES.log"
    rm -r "$home"
    ;;
esac
exit 0
SCRIPT
chmod +x script
exec=exec:script=$test_dir/script,poll=100ms
no_machines() { [ -z "$(ls -A "$MACHINES")" ] && no_nodes; }

start "$satin" run --provision "$exec" --min 2 "$node" forever
run_pid=$pid
until_true mv err run.err 2>/dev/null
check "machines of a script join over TCP" until_true nodes_are 3
secret=$(cat "$XDG_RUNTIME_DIR"/satin-run-*/secret)
hidden() { ! grep -qzF "$secret" /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null; }
check "the secret is in no argument or variable" hidden
kill_one
script_again() { until_true died_are 1 && until_true nodes_are 3; }
check "one that is killed is asked for again" script_again
interrupt
check "Ctrl-C stops them all" no_machines
check "and leaves nothing" nothing_left

away=$test_dir/away
BRING=$away start env -u LD_LIBRARY_PATH "$satin" run --provision "$exec,program=$away/tree" --min 1 -n 1 "${work[@]}"
until_true nodes_are 2
maps=/proc/$(machine_pids)/maps
brought() { grep -q "$away/part-net.so" "$maps" && grep -q "$away/libsatin-core" "$maps" && ! grep -qE '(plugins|libsatin-[a-z]*)/[^ ]*\.so' "$maps"; }
check "a machine without Satin uses what was brought along" brought
wait_for_end
check "and the result is right" right
check "its machine is stopped" no_machines
check "and had nothing to say" test ! -s "$MACHINES.log"

SLOW=1 start "$satin" run --provision "$exec" --min 2 "$node" forever
run_pid=$pid
check "machines that do not come are told after 10 s" \
  until_true grep -q "2 of 2 machines of --provision .* are not there after 10 s" err
interrupt
check "Ctrl-C ends the wait" no_nodes

HANG=1 start "$satin" run --provision "$exec" --min 1 "$node" forever
run_pid=$pid
until_true nodes_are 2
kill -INT "$run_pid"
until_true grep -q "stopped by signal 2" err
sleep 0.3
interrupt
left() { is_status 130 && grep -q "what may be left: satin-" err && [ "$took_ms" -lt 5000 ]; }
check "Ctrl-C twice ends at once and says what may be left" left
check "the folder of the run is gone" test -z "$(ls -A "$XDG_RUNTIME_DIR")"
for home in "$MACHINES"/*; do "$test_dir/script" stop "${home##*/}" 100; done
check "what is left can be stopped by hand" until_true no_machines

finish
