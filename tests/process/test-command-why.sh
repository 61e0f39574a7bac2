# test-command-why.sh - what a run waits for: satin why, and the message of a run that stands still
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

run "$satin" why
check "without a run it has a status of its own" is_status 11
run "$satin" run --stall soon "$node" exit 0
check "a time that is none is refused" is_status 2

# A job waits for ever. It writes the number of its process into a file.
start "$satin" run -n 3 -w 1 --stall 2s --journal kept "$node" hang hung
until_true test -s hung
mv err run.err 2>/dev/null
until_true is_up 3
why_query() { "$satin" why --json 2>>why.err | tee why.json | json_query "$1" >/dev/null; }
named() {
  why_query "s['end'] == 'running' and 'task hung (depth 13' in s['summary'] \
    and s['chain'][-1]['job'].startswith('task hung (depth 13') and s['chain'][-1]['worker'] >= 0"
}
check "a job that does not end is named, with its arguments" until_true named
found=$(json_query "s['chain'][-1]['node']" <why.json)
check "so is the node that has it" \
  test "$(status_query "[n['pid'] for n in s['nodes'] if n['node'] == $found][0]")" = "$(cat hung)"
check "and its process, for satin stacks" json_query "s['chain'][-1]['pid'] == $(cat hung) and s['chain'][-1]['host'] == '$(uname -n)'" <why.json
run "$satin" why
from_root() { is_status 0 && grep -q '^From the root job down:' out && grep -q 'the root job, began' out; }
check "the text begins with the root job" from_root
stalled() { grep -q 'no job has ended for .* the run waits for task hung (depth 13' run.err; }
check "the run says by itself what it waits for" until_true stalled
dumped_itself() {
  grep -q 'satin why tells more; the jobs of all nodes are in kept/run-dump.txt)' run.err \
    && grep -q 'running .* worker 0  task hung (depth 13' kept/run-dump.txt \
    && [ "$(grep -c '^node [1-3],.* process ' kept/run-dump.txt)" -eq 3 ]
}
check "and keeps a dump beside the journal" until_true dumped_itself

# satin dump names the same job, and satin stacks the C function that it is in.
run "$satin" dump
dumped() { is_status 0 && grep -q 'running .* worker 0  task hung (depth 13' out && grep -q '^node 3, ' out; }
check "a dump has the jobs of all nodes" dumped
run_to_pipe "$satin" dump -o pipe
check "a dump goes through a pipe" came_through "task hung (depth 13"
run "$satin" stacks "$(cat hung)"
if is_status 0; then
  check "the stack of a worker shows its task" grep -q '^    hung_run_' out
else
  skip "the stack of a worker shows its task" "$(tail -n 1 err)"
fi
forbidden="where tracing is forbidden, the message has a cure"
if [ "$(id -u)" -eq 0 ] && setpriv --bounding-set=-sys_ptrace true 2>/dev/null; then
  run setpriv --bounding-set=-sys_ptrace "$satin" stacks "$(cat hung)"
  has_cure() { is_status 27 && grep -qE 'ptrace_scope is|needs --cap-add SYS_PTRACE' err; }
  check "$forbidden" has_cure
else
  skip "$forbidden" "only root can give up the right to trace"
fi
run "$satin" stacks 4194999
check "a process that is not there is named as that" says err "there is no process 4194999"
kill -STOP "$pid"
limit_s=60
own_dump=$XDG_RUNTIME_DIR/satin-dump-$(cat hung).txt
kill -QUIT "$(cat hung)"
until_true test -s "$own_dump"
before=$(stat -c %i "$own_dump")
run "$satin" dump -o dump.txt
by_signal() {
  is_status 0 && grep -q '^No hub answers' dump.txt && [ "$(grep -c ' of test-command-node, process ' dump.txt)" -eq 3 ] &&
    grep -q 'running .* task hung (depth 13' dump.txt
}
check "without the hub the nodes write their dumps themselves" by_signal
renewed() { [ -s "$own_dump" ] && [ "$(stat -c %i "$own_dump")" != "$before" ] && [ "$(ls "$XDG_RUNTIME_DIR"/*.txt | wc -l)" -eq 1 ]; }
check "a dump that a person had asked for stays, renewed" renewed
run "$satin" why
why_silent() { ! is_status 0 && says err "; satin dump asks the nodes themselves"; }
check "why without the hub names the command that needs none" why_silent
kill -CONT "$pid"
until_true is_up 3

# Another node stands still, for less than the time after which it is declared dead.
stopped=$(pids_of "not n['master'] and n['pid'] != $(cat hung)" | cut -d ' ' -f 1)
if [ -n "$stopped" ]; then
  kill -STOP "$stopped"
  run "$satin" why --json
  kill -CONT "$stopped"
  check "a node that does not answer is named" json_query "len(s['silent']) == 1" <out
  until_true is_up 3
  echo old >"$XDG_RUNTIME_DIR/satin-dump-$stopped.txt"
  kill -STOP "$stopped"
  run "$satin" dump
  stays() {
    grep -q "process $stopped wrote no dump within 2 s; its state is T (stopped)" out \
      && [ "$(cat "$XDG_RUNTIME_DIR/satin-dump-$stopped.txt")" = old ]
  }
  check "a dump has the state of its process, and leaves an older one alone" stays
  kill -CONT "$stopped"
else
  skip "a node that does not answer is named" "the job hangs on the last node"
  skip "a dump has the state of its process, and leaves an older one alone" "the job hangs on the last node"
fi
stop_and_wait INT "$pid"
rm -f "$XDG_RUNTIME_DIR"/satin-dump-*.txt # of the node that went on later

# A program that handles SIGQUIT itself.
rm -f hung
SATIN_TEST_OWN_QUIT=yes start "$satin" run -n 1 -w 1 --journal none "$node" hang hung
until_true test -s hung
kill -STOP "$pid"
run "$satin" dump
spared() { grep -q "process $(cat hung) writes no dump" out && kill -0 "$(cat hung)"; }
check "a program that handles SIGQUIT itself does not get it" spared
run "$satin" stacks
listed() { grep -q "^process $(cat hung)" out || grep -q "process $(cat hung) cannot be traced" err; }
check "and is listed as a node" listed
kill -CONT "$pid"
stop_and_wait INT "$pid"
check "nothing is left" nothing_left
finish
