# test-command-crash.sh - a job that crashes every node that runs it ends the run, and is named
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
ulimit -c 0
bad=$SATIN_TEST_BAD_JOB
export SATIN_WORKERS=1
# The sanitizer leaves signals of crashes to the program.
[ "$(sanitizer_of "$satin")" != libtsan ] || skip_all "ThreadSanitizer does not see that a signal handler tells the loop by a descriptor"
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0

# tells FILE PATTERN: FILE has the pattern at least once.
tells() {
  grep -q -- "$2" "$1"
}

# names_culprit SIGNAL: the run failed, and said once which job crashed the nodes, by which signal.
names_culprit() {
  is_status 25 && tells err "number 41, bad 41" && tells err "by signal $1 " \
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

all_named() { is_status 25 && tells err 'task leaf (how "all"' ; }
run "$satin" run -n 3 "$bad" all 64 20
check "when each job crashes, the run ends with the name of one" all_named

# ---- lack of memory ----

# make_group MIB: makes a control group that may use that much memory (with version 2: and no swap),
# and prints its folder. Fails if this user may not.
make_group() {
  local version=v2 folder=/sys/fs/cgroup
  [ -d /sys/fs/cgroup/memory ] && version=v1 && folder=/sys/fs/cgroup/memory$(sed -n 's/.*:memory://p' /proc/self/cgroup)
  [ $version = v2 ] && folder=$folder$(sed -n 's/^0:://p' /proc/self/cgroup)
  folder=$folder/satin-test-$$
  mkdir "$folder" 2>/dev/null || return 1
  if [ $version = v1 ]; then
    echo "$1M" >"$folder/memory.limit_in_bytes"
  else
    { echo "$1M" >"$folder/memory.max" && echo 0 >"$folder/memory.swap.max"; }
  fi 2>/dev/null || { rmdir "$folder"; return 1; }
  echo "$folder"
}

if group=$(make_group 300); then
  # shellcheck disable=SC2016
  run bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$satin" run -n 5 "$bad" memory 64 41
  rmdir "$group"
  # If each node that had the job was the master, the root job is named, which they all had.
  memory_named() { is_status 25 && tells err "for lack of memory" && tells err 'crashed [123] \(node\|master\)'; }
  check "a job that takes all memory ends the run and is named" memory_named
  check "the memory it had is told" tells err "killed by the kernel for lack of memory, having"
  near_limit="a node that is near its limit says so before, with its jobs"
  group=$(make_group 600)
  # shellcheck disable=SC2016
  run bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$satin" run --journal none -n 1 "$node" hold 545
  rmdir "$group"
  warned() { is_status 0 && tells err "of its limit of 600 MiB: the kernel may end it soon" && tells err "task root (argv"; }
  if [ -n "$(sanitizer_of "$satin")" ]; then
    skip "$near_limit" "sanitizers need an eighth of the memory more, or several times as much"
  else
    check "$near_limit" warned
  fi
else
  n_cases=$((n_cases + 1))
  echo "ok $n_cases a job that takes all memory ends the run and is named # SKIP no control group can be made"
fi

start "$satin" run -n 3 "$bad" none 64 41 100
until_true is_up 3
oom_score() { cat "/proc/$1/oom_score_adj"; }
die_first() {
  local node nodes
  nodes=$(pids_of True)
  for node in $nodes; do [ "$(oom_score "$node")" -gt "$(oom_score $$)" ] || return 1; done
  [ -n "$nodes" ]
}
check "for lack of memory the kernel kills a node before it kills satin run" die_first
stop_and_wait KILL "$(pid_of other)"
person_killed() { is_status 0 && says out "64 leaves" && ! tells err "memory"; }
check "a SIGKILL by a person is no lack of memory" person_killed
start "$satin" run --provision local:max=2 --min 2 --max 2 "$bad" none 64 41 100
until_true is_up 3
check "so it does with nodes of the provisioner local" die_first
wait_for_end

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
check "the hub says which job it was" tells hub-err "number 41, bad 41"
wait
few_died() { [ "$(cat nodes-* | grep -c ' crashed node ')" -le 6 ]; }
check "no more than six nodes died" few_died

# ---- a master that crashes, and nodes that joined after it was elected ----

"$satin" hub --listen "unix:$test_dir/late" >hub-out 2>hub-err &
hub=$!
until_true test -S late
come_late() {
  local i
  for i in 1 2 3 4 5; do
    kill -0 $hub 2>/dev/null || return
    "$satin" node --hub "unix:$test_dir/late" "$bad" root 1 0 500 >/dev/null 2>>"late-$1"
  done
}
come_late 1 &
until_true grep -q "node 1 joined" hub-err
come_late 2 &
late_s=0
while kill -0 $hub 2>/dev/null && [ $late_s -lt 60 ]; do
  sleep 1
  late_s=$((late_s + 1))
done
kill $hub 2>/dev/null
wait $hub
status=$?
check "late nodes count the crashes of masters: the run fails" is_status 25
check "and the hub says why" tells hub-err "the root job, .*root (argv.*crashed [123] master"
wait
few_masters() { [ "$(cat late-* | grep -c ' crashed node ')" -le 3 ]; }
check "no more than three masters died" few_masters

# ---- a signal that somebody sends is no job's fault ----

start "$satin" run -n 2 "$bad" none 64 41 100
until_true is_up 2
stop_and_wait SEGV "$(pid_of other)"
went_on() { is_status 0 && says out "64 leaves" && ! tells err " crashed "; }
check "a node that somebody sends SIGSEGV is lost, and no job is blamed" went_on
finish
