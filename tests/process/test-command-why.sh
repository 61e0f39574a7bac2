# test-command-why.sh - what a run waits for: satin why, and the message of a run that stands still
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

run "$satin" why
check "without a run it has a status of its own" is_status 11
run "$satin" run --stall soon "$node" exit 0
check "a time that is none is refused" is_status 2

# A job waits for ever. It writes the number of its process into a file.
start "$satin" run -n 3 -w 1 --stall 2s --journal none "$node" hang hung
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
run "$satin" why
from_root() { is_status 0 && grep -q '^From the root job down:' out && grep -q 'the root job, began' out; }
check "the text begins with the root job" from_root
stalled() { grep -q 'no job has ended for .* the run waits for task hung (depth 13' run.err; }
check "the run says by itself what it waits for" until_true stalled

# Another node stands still. It has no job that the run waits for longer, but it does not answer.
stopped=$(pids_of "not n['master'] and n['pid'] != $(cat hung)" | cut -d ' ' -f 1)
if [ -n "$stopped" ]; then
  kill -STOP "$stopped"
  silent() { why_query "len(s['silent']) == 1"; }
  check "a node that does not answer is named" silent
  run "$satin" why
  check "and its process" grep -q "process $stopped on" out
  kill -CONT "$stopped"
else
  skip "a node that does not answer is named" "the job hangs on the last node"
  skip "and its process" "the job hangs on the last node"
fi
stop_and_wait INT "$pid"
check "nothing is left" nothing_left
finish
