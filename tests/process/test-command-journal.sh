# test-command-journal.sh - the journal of a run: written, listed, printed, read by other programs, drawn
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

runs=$XDG_STATE_HOME/satin/runs
# events QUERY: whether a Python expression over s, the list of all events, is true.
events() {
  "$satin" journal cat --json >events.json && sed 's/$/,/' events.json | sed '1s/^/[/; $s/,$/]/' | json_query "$1" >/dev/null
}

run "$satin" run --clusters a:2,b:2 --stats-json stats.json fib 25
check "a run goes well" is_status 0
check "and leaves one journal" test "$("$satin" journal list | wc -l)" -eq 1
check "which is named for its time and program" grep -qxE "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9-]{8}-fib  fib [0-9 ]*" <("$satin" journal list)
check "which belongs to its owner alone" test "$(stat -c %a "$runs/latest/run.avro")" = 600
check "its first event names the program" events "s[0]['kind'] == 'run' and s[0]['text'] == 'fib 25' and s[0]['values']['version'] == 1"
check "its last event is the end" events "s[-1]['kind'] == 'end' and s[-1]['values']['exit_status'] == 0"
check "all nodes joined once" events "sorted(e['node'] for e in s if e['kind'] == 'joined') == [1, 2, 3, 4]"
check "with their clusters" events "sorted(e['text'][0] for e in s if e['kind'] == 'joined') == ['a', 'a', 'b', 'b']"
check "one of them is the master" events "[e['values']['term'] for e in s if e['kind'] == 'master'] == [1]"
check "times rise" events "all(a['time_us'] <= b['time_us'] for a, b in zip(s, s[1:]))"

# The last value of each figure of each node, summed up, is what --stats says.
cat >compare.py <<'END'
import json, sys
last, nodes = {}, json.load(open('stats.json'))
for line in open('events.json'):
    event = json.loads(line)
    if event['kind'] == 'summary':
        last.setdefault(event['node'], {}).update(event['values'])
totals = {}
for values in last.values():
    for name, value in values.items():
        totals[name] = totals.get(name, 0) + value
wrong = {n: (v, totals.get(n)) for n, v in nodes['totals'].items() if n in totals and totals[n] != v}
print("#", wrong)
sys.exit(bool(wrong) or 'jobs' not in totals)
END
check "its sums are those of --stats-json" python3 compare.py
csv_is_whole() {
  [ "$("$satin" journal cat --csv | head -n 1)" = time_us,node,kind,text,name,value ] \
    && "$satin" journal cat --csv | python3 -c 'import csv, sys; sys.exit(any(len(r) != 6 for r in csv.reader(sys.stdin)))'
}
check "as CSV it has six columns" csv_is_whole
check "as text it has a line an event" test "$("$satin" journal cat | wc -l)" -eq "$(wc -l <events.json)"

mkdir "$runs/9999-01-01T00-00-00-other" && cp "$runs/latest/run.avro" "$runs/9999-01-01T00-00-00-other"
ln -sfn nothing "$runs/latest"
check "without the link the newest name counts" grep -q 'fib 25' <("$satin" journal cat)
echo damaged >"$runs/9999-01-01T00-00-00-other/run.avro"
ln -sfn "$("$satin" journal list | head -n 1 | cut -d ' ' -f 1)" "$runs/latest"
check "the latest run is the one that the link names" grep -q 'fib 25' <("$satin" journal cat)
rm -r "$runs/9999-01-01T00-00-00-other"

# ---- standard error ----
cat >talker <<END
#!/bin/sh
echo "starts in \$\$" >&2
exec "\$@"
END
chmod +x talker
run "$satin" run -n 3 ./talker "$node" exit 0
check "what nodes write on standard error goes to the command's" test "$(grep -c '^starts in [0-9]*$' err)" -eq 3
check "and into the journal, with the number of the node" events \
  "sorted(e['node'] for e in s if e['kind'] == 'output' and e['text'].startswith('starts in ')) == [1, 2, 3]"
check "which is the node of that process" events \
  "all(e['text'] == 'starts in %d' % j['values']['pid'] for e in s if e['kind'] == 'output' for j in s if j['kind'] == 'joined' and j['node'] == e['node'])"
run "$satin" run -n 2 sh -c 'seq 3000 >&2; exec "$0" "$@"' "$node" exit 0
check "no line is lost that a process writes before it is a node" events \
  "[len([e for e in s if e['kind'] == 'output' and e['node'] == n]) for n in (1, 2)] == [3000, 3000]"
run "$satin" run -n 2 sh -c 'echo "no node: $0" >&2; exit 3' fib
check "a process that never joins is shown too" says err "no node: fib"
check "its words come before those of the command" test "$(head -n 1 err)" = "no node: fib"
check "and are in the journal of the run" events "[e['node'] for e in s if e['kind'] == 'output'] == [0]"

# ---- other readers ----
cat >read.py <<'END'
import json, sys
import avro.datafile, avro.io
reader = avro.datafile.DataFileReader(open(sys.argv[1], 'rb'), avro.io.DatumReader())
sys.exit(list(reader) != [json.loads(line) for line in open('events.json')])
END
for reader in avrocat "/usr/bin/python3 read.py"; do
  case_name="${reader%% *} reads it"
  # shellcheck disable=SC2086
  if [ "$reader" = avrocat ]; then
    command -v avrocat >/dev/null || { skip "$case_name" "there is no avrocat"; continue; }
    check "$case_name" test "$(avrocat "$runs/latest/run.avro" | grep -c '"kind"')" -eq "$(wc -l <events.json)"
  else
    /usr/bin/python3 -c 'import avro' 2>/dev/null || { skip "$case_name" "there is no python3-avro"; continue; }
    check "$case_name" $reader "$runs/latest/run.avro"
  fi
done

# ---- the report ----
run "$satin" report -o page.html latest
check "a report of the latest run is made" is_status 0
run "$satin" report -o page.html fib
check "a report is made" is_status 0
mkdir "$runs/2020-01-01T00-00-00-nothing"
for form in --json --csv; do
  run "$satin" journal list $form
  refused_form() { is_status 2 && says err "$form is for cat" && [ ! -s out ]; }
  check "a list in the form $form is refused" refused_form
done
check "a folder without a journal is not listed" test -z "$("$satin" journal list | grep nothing)"
rmdir "$runs/2020-01-01T00-00-00-nothing"
is_page() { grep -q '</html>' page.html && grep -q 'fib 25' page.html && ! grep -qE 'src="|href="[^d]' page.html; }
check "as one file that needs no other" is_page
run "$satin" report -o two.html fib fib
check "two runs can be compared" grep -q '"other":{' two.html
run "$satin" report -o two.html fib nowhere
check "both must be there" is_status 11
echo program >fib
run "$satin" report -o page.html fib
check "a program of that name in the folder is not taken for it" is_status 0
rm fib
run "$satin" report -o /nowhere/page.html
check "a report that cannot be written is an error" is_status 27
run_to_pipe "$satin" report -o pipe fib
check "a report goes through a pipe" came_through '</html>'
ln -s /dev/stdout link
run "$satin" report -o link fib
on_stdout() { is_status 0 && [ -L link ] && head -n 1 out | grep -qi '^<!doctype html>' && [ "$(tail -n 1 out)" = link ]; }
check "a link to standard output stays, and the report is there" on_stdout

# ---- losses and messages ----
limit_s=60
start "$satin" run -n 3 -w 1 tree --sleep --grain 100ms 24s
until_true is_up 3
has_begun() { status_query "sum(n['figures'].get('jobs', 0) for n in s['nodes']) > 3" >/dev/null; }
until_true has_begun
victim=$(status_query "[n['pid'] for n in s['nodes'] if not n['master']][0]")
kill -KILL "$victim"
wait_for_end
check "a run in which a node was lost ends well" is_status 0
check "the journal says which" events "[e['text'] for e in s if e['kind'] == 'state' and e['text'] == 'died'] == ['died']"
check "how that was found" events "['was killed by signal 9' in e['text'] for e in s if e['kind'] == 'loss'] == [True]"
check "and what the user was told, as a warning" events "[e['values'].get('is_warning') for e in s if e['kind'] == 'note' and 'was killed by signal 9' in e['text']] == [1]"

# ---- simulated ----
run "$satin" sim --clusters 2x2 --journal sim.avro fib 16
check "a simulated run has a journal too" is_status 0
sim_events() { "$satin" journal cat --json sim.avro | sed 's/$/,/' | sed '1s/^/[/; $s/,$/]/' | json_query "$1" >/dev/null; }
check "it says so" sim_events "s[0]['values']['is_simulated'] == 1 and s[-1]['kind'] == 'end'"
check "it has all nodes" sim_events "sorted(e['node'] for e in s if e['kind'] == 'joined') == [1, 2, 3, 4]"
check "and what they did" sim_events "sum(e['values'].get('jobs', 0) for e in s if e['kind'] == 'summary') >= 3192"

# ---- a hub of its own ----
"$satin" hub --listen "unix:$test_dir/here" --nodes 1 >hub.out 2>hub.err &
hub=$!
until_true grep -q unix: hub.out
run "$satin" node --hub "$(cat hub.out)" --with details fib 20
wait "$hub"
check "satin hub keeps a journal of its run" test -s "$runs/latest/run.avro"
check "with its node and its end" events "[e['node'] for e in s if e['kind'] == 'joined'] == [1] and s[-1]['kind'] == 'end'"
check "and with the part that satin node was given" events "any('details.sent' in e['values'] for e in s)"
check "and what it told the user" events "[e['text'] for e in s if e['kind'] == 'note'][0] == 'node 1 joined'"
check "which is named for the hub" grep -q -- '-hub  satin hub --listen ' <("$satin" journal list)

# ---- where it is kept ----
run "$satin" run -n 2 --journal mine fib 20
check "--journal names a folder" test -s mine/run.avro
check "satin journal cat takes that" grep -q 'fib 20' <("$satin" journal cat mine)
run "$satin" run -n 2 --journal mine fib 20
kept() { is_status 2 && says err "there is a journal in mine already: name another folder"; }
check "a journal is not written over" kept
n_before=$("$satin" journal list | wc -l)
run "$satin" run -n 2 --journal none fib 20
check "--journal none writes none" test "$("$satin" journal list | wc -l)" -eq "$n_before"
: >file
run env XDG_STATE_HOME="$test_dir/file" "$satin" run -n 2 fib 20
goes_without() { is_status 0 && says err "this run has no journal" && says err "--journal none"; }
check "a run whose journal cannot be made goes on, and says so" goes_without
run "$satin" journal cat nowhere
check "a run that is not there is an error that says where to look" says err "satin journal list names all"

# ---- a trace ----
run "$satin" sim --clusters 2x2 --events '1s crash node 4; 2s crash master' --journal sim.avro tree 20s
run "$satin" trace -o trace.json sim.avro
check "a trace is made" is_status 0
in_trace() { json_query "$1" <trace.json >/dev/null; }
check "each node is a thread" in_trace \
  "len({e['tid'] for e in s['traceEvents'] if e['name'] == 'thread_name'}) == 4"
check "it was a member for some time" in_trace \
  "len([e for e in s['traceEvents'] if e['name'] == 'member' and e['dur'] > 0]) == 4"
check "two were masters, one after the other" in_trace \
  "(lambda m: len(m) == 2 and m[0]['ts'] + m[0]['dur'] <= m[1]['ts'])(sorted((e for e in \
  s['traceEvents'] if e['name'].startswith('master')), key=lambda e: e['ts']))"
check "the shares of each moment make 100 %" in_trace \
  "all(abs(sum(e['args'].values()) - 100) < 0.01 for e in s['traceEvents'] if 'share' in e['name'])"
run "$satin" trace --paje -o trace.paje sim.avro
check "a trace for ViTE is made" is_status 0
# Each line after the definitions has its kind and its time. Then a line for a new container has the
# alias of that container; any other line has a type and a container.
paje_is_sound() {
  python3 - <<'END'
import shlex
lines = [shlex.split(line) for line in open('trace.paje') if line[0] not in '%']
events = [words for words in lines if words[0] in ('4', '5', '6', '7', '8')]
times = [float(words[1]) for words in events]
assert times == sorted(times) and times[-1] > 0, 'times are out of order'
containers, types = {'0'}, {words[1] for words in lines if words[0] in ('0', '1', '2', '3')}
for words in events:
    kind, _, first, second = words[:4]
    if kind == '4':
        assert second in types and words[4] in containers, words
        containers.add(first)
    else:
        assert first in types and second in containers, words
nodes = {words[2] for words in events if words[0] == '4' and words[3] == 'Node'}
assert len(nodes) == 4, nodes
for node in nodes:
    shares = [float(w[4]) for w in events if w[0] == '7' and w[2:4] == ['Jobs', node]]
    assert shares and all(0 <= share <= 100 for share in shares), (node, shares)
masters = [words[3] for words in events if words[0] == '6' and words[4].startswith('master')]
assert len(masters) == 2, masters
END
}
check "its lines are in order and name what was created" paje_is_sound

# ---- details ----
run "$satin" sim --clusters 2x2 --wan 10ms --with details --journal sim.avro tree 20s
check "a simulated run can have details" is_status 0
run "$satin" trace -o trace.json sim.avro
details_are_sound() {
  python3 - <<'END'
import json
events = json.load(open('trace.json'))['traceEvents']
names = {e['tid']: e['args']['name'] for e in events if e['name'] == 'thread_name'}
ends = {e['ts'] + e['dur'] for e in events if e['ph'] == 'X' and e['tid'] < 10**8}
lanes = {}
for e in events:
    if e['ph'] == 'X' and e['tid'] >= 10**8:
        lanes.setdefault(e['tid'], []).append(e)
jobs = [e for lane in lanes.values() for e in lane if 'owner' in e['args']]
requests = [e for lane in lanes.values() for e in lane if 'victim' in e['args']]
assert jobs and requests, (len(jobs), len(requests))
assert all(e['name'].startswith('task tree ') for e in jobs), jobs[0]
assert all(0 <= e['args']['ran_us'] <= e['dur'] for e in jobs)
assert any(e['args']['jobs'] > 0 and e['dur'] >= 20000 for e in requests), 'no request went far'
for tid, lane in lanes.items():
    what = 'jobs' if 'owner' in lane[0]['args'] else 'requests'
    assert names[tid].startswith(f'node {(tid - 10**8) // 1000}: {what} '), (tid, names[tid])
    lane.sort(key=lambda e: e['ts'])
    assert all(a['ts'] + a['dur'] <= b['ts'] for a, b in zip(lane, lane[1:])), tid
    assert lane[0]['ts'] >= 0 and lane[-1]['ts'] + lane[-1]['dur'] <= max(ends), tid
END
}
check "its trace has the jobs and requests of each node, none over another" details_are_sound
run "$satin" report -o report.html sim.avro
check "the report leaves them out" test "$(grep -c told_us report.html)" -eq 0
run "$satin" run -n 3 --with details:min=0s tree 600ms --spin
check "a real run can have them, too" events \
  "{'job', 'request'} <= {e['kind'] for e in s} and all(e['values']['took_us'] >= 0 for e in s if e['kind'] == 'job')"
"$satin" page >page.out 2>/dev/null &
page_pid=$!
until_true grep -q ^http page.out
python3 - "$(cat page.out)" >page.events <<'END'
import sys, urllib.request
with urllib.request.urlopen(sys.argv[1] + 'events', timeout=20) as stream:
    print(next(line for line in stream if line.startswith(b'data:')).decode())
END
kill "$page_pid"
page_leaves_them_out() { grep -q '"long-job"' page.events && ! grep -qE '"job"|"request"' page.events; }
check "the page leaves them out as the report does" page_leaves_them_out
run "$satin" run -n 2 --with details:most=0 fib 20
check "a number that cannot be is refused" says err "most=0: give a number from 1 to 1000"
run "$satin" trace -o /nowhere/trace.json sim.avro
check "a trace that cannot be written is an error" is_status 27

# ---- the oldest go ----
for i in $(seq 1000 1509); do
  mkdir "$runs/2020-01-01T00-00-00-$i" && touch -d "2 hours ago" "$runs/2020-01-01T00-00-00-$i/run.avro"
done
n_before=$(ls -d "$runs"/*T*/ | wc -l)
run "$satin" run -n 1 fib 20
few() { [ "$n_before" -gt 510 ] && [ "$(ls -d "$runs"/*T*/ | wc -l)" -eq 501 ]; }
check "above 500 journals the oldest are removed" few
check "and not the newest" grep -q -- '-hub  satin hub' <("$satin" journal list)

# ---- a full disk ----
full_case="a run whose journal fills the disk goes on, and says so once"
mkdir small
if mount -t tmpfs -o size=64k tmpfs small 2>/dev/null; then
  # shellcheck disable=SC2016
  run "$satin" run -n 2 --journal small/run sh -c 'head -c 150000 /dev/urandom | base64 >&2; exec "$0" "$@"' "$node" exit 0
  filled() { is_status 0 && [ "$(grep -c 'satin run: the journal ends here: .*No space left on device' err)" -eq 1 ]; }
  check "$full_case" filled
  run "$satin" journal cat small/run
  up_to_there() { is_status 12 && says err "is damaged at byte" && [ "$(grep -c ' output ' out)" -gt 100 ]; }
  check "and the journal can be read up to there" up_to_there
  umount small
else
  skip "$full_case" "no file system can be mounted"
fi

# ---- damage ----
mkdir damaged
head -c "$(($(stat -c %s mine/run.avro) - 5))" mine/run.avro >damaged/run.avro
run "$satin" journal cat damaged
cut_is_told() { [ "$status" -ne 0 ] && says err "is damaged at byte" && grep -q 'fib 20' out; }
check "a journal that was cut is printed up to the cut" cut_is_told
run "$satin" report -o page.html damaged
check "and drawn" is_status 0
start "$satin" page damaged
until_true grep -q http: out
check "and served, and the command says where it ends" says err "; the page ends there"
stop_and_wait INT "$pid"
run "$satin" journal cat /bin/sh
check "a file of another kind is refused" says err "is not a journal"
run "$satin" report /dev/zero
check "and what is no file" says err "/dev/zero is not a file"
check "nothing is left" nothing_left
finish
