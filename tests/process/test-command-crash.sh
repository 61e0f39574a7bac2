# test-command-crash.sh - a job that crashes whoever runs it is named, and the run ends by it
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
ulimit -c 0
bad=$SATIN_TEST_BAD_JOB
export SATIN_WORKERS=1

# names_culprit SIGNAL: the run failed, once, and said which job it was.
names_culprit() {
  is_status 25 && says err "number 41, bad 41" && says err "by signal $1 " \
    && [ "$(grep -c 'run it on one node in a debugger' err)" = 1 ] \
    && ! grep 'run it on one node' err | grep -q "number 4[02]\|number [0-35-9]"
}

named_at_first() { [ "$(grep -m 1 -c 'number 41, bad 41.* crashed node' err)" = 1 ]; }

for n in 2 3 4 6 8; do
  run "$satin" run -n $n "$bad" segv 64 41
  check "$n nodes: a job that crashes whoever runs it ends the run and is named" names_culprit 11
  check "$n nodes: it is named when it crashes first" named_at_first
done

for how in abort:6 bus:7 ill:4 fpe:8 trap:5; do
  run "$satin" run -n 3 "$bad" "${how%:*}" 64 41
  check "signal ${how#*:} is a crash" names_culprit "${how#*:}"
done

run "$satin" run --provision local:max=8 --min 3 --max 4 "$bad" segv 64 41
check "nodes on machines: the job is named" names_culprit 11

all_named() { is_status 25 && says err "task leaf (how \"all\""; }
run "$satin" run -n 3 "$bad" all 64 20
check "when each job crashes, the run ends with the name of one" all_named

# ---- a hub and nodes that come again and again ----

"$satin" hub --listen "unix:$test_dir/hub" >hub-out 2>hub-err &
hub=$!
until_true test -S hub
keep_coming() {
  local i
  for i in 1 2 3 4 5 6 7 8; do
    kill -0 $hub 2>/dev/null || return
    "$satin" node --hub "unix:$test_dir/hub" "$bad" segv 64 41 >/dev/null 2>>"nodes-$1"
    echo >>ended
  done
}
for i in 1 2 3 4; do
  keep_coming $i &
done
wait $hub
status=$?
check "nodes that come again: the hub ends with the status of a failed job" is_status 25
check "the hub says which job it was" says hub-err "number 41, bad 41"
wait
few_died() { [ "$(cat nodes-* | grep -c ' crashed node ')" -le 6 ]; }
check "no more than six nodes died" few_died

# ---- a signal that somebody sends is no job's fault ----

start "$satin" run -n 2 "$bad" none 64 41 100
until_true is_up 2
stop_and_wait SEGV "$(pid_of other)"
went_on() { is_status 0 && says out "64 leaves" && ! says err " crashed "; }
check "a node that somebody sends SIGSEGV is lost, and no job is blamed" went_on
finish
