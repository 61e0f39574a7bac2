# test-command-recovery.sh - satin run: the result is right although nodes are killed, stopped and
# started in the middle of the run
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
ulimit -c 0

# The programs and their results. They run long enough that nodes can be killed before the end.
fib=(fib 42)
fib_result="fib(42) = 267914296"
sleep_for 16s
picture=(--scene balls:5 --size 640x480 --samples 2)
# With a sanitizer programs are slower, most of all with ThreadSanitizer, so they get smaller
# inputs.
sanitizer=$(sanitizer_of "$satin")
if [ -n "$sanitizer" ]; then
  fib=(fib 41)
  fib_result="fib(41) = 165580141"
  if [ "$sanitizer" = libtsan ]; then
    fib=(fib 37)
    fib_result="fib(37) = 24157817"
  fi
  picture=(--scene balls:4 --size 320x240 --samples 2)
fi

# kill_others N: kills N nodes that are not the master; sets killed.
kill_others() {
  killed=$(pids_of 'not n["master"]' | cut -d ' ' -f "1-$1")
  # shellcheck disable=SC2086 # several
  kill -KILL $killed
}

ended_well() { is_status 0 && says out "$1"; }

# ---- nodes are killed ----

start "$satin" run -n 4 --stats "${fib[@]}"
until_true is_up 4
kill_others 1
wait_for_end
check "one of four killed: fib is right" ended_well "$fib_result"
check "--stats tells what it cost" grep -qE '^recovery: .* jobs? ran again' err
check "one of four killed is said" killed_are 1

start "$satin" run -n 4 --listen "unix:$test_dir/hub" "${work[@]}"
until_true is_up 4
kill_others 2
until_true is_up 2
hurry "unix:$test_dir/hub"
wait_for_end
check "two of four killed: the result is right" ended_well "$result"

start "$satin" run -n 4 --listen "unix:$test_dir/hub" "${work[@]}"
until_true is_up 4
kill_others 3
until_true is_up 1
hurry "unix:$test_dir/hub"
wait_for_end
check "three of four killed: the result is right" ended_well "$result"
check "three of four killed are said" killed_are 3

"$SATIN_APP_PATH/raytracer/raytracer" --sequential "${picture[@]}" >picture
start "$satin" run -n 4 raytracer "${picture[@]}"
until_true is_up 4
kill -KILL "$(pid_of master)"
wait_for_end
same_picture() { is_status 0 && cmp -s out picture; }
check "the master killed: the picture is the same" same_picture

start "$satin" run -n 4 --listen "unix:$test_dir/hub" "${work[@]}"
until_true is_up 4
kill -KILL "$(pid_of master)"
another_master() { status_query "len([n for n in s['nodes'] if n['master'] and n['state'] == 'member']) == 1" >/dev/null; }
until_true another_master
kill -KILL "$(pids_of 'n["master"]')"
until_true is_up 2
hurry "unix:$test_dir/hub"
wait_for_end
check "two masters killed one after the other: the result is right" ended_well "$result"
check "nothing is left" nothing_left

# ---- a program that iterates ----

iterations="tree --sleep --grain 5ms --iterations 20 600ms"
# shellcheck disable=SC2086 # words
expected=$("$SATIN_APP_PATH/tree/"${iterations/--sleep/})
rm -f figures
# shellcheck disable=SC2086 # words
start "$satin" run -n 4 --stats-json figures $iterations
three_kept() { status_query "$(sum_of recovery.backups) >= 3" >/dev/null; }
until_true three_kept
kill -KILL "$(pid_of master)"
wait_for_end
check "the master killed after three iterations: the tree is right" ended_well "$expected"
found_again() { json_query "$(sum_of recovery.adopted) >= 3" <figures; }
check "and they were not done again" found_again

# ---- a program that shares ----

shared="tree --sleep --grain 5ms --iterations 5 --best 1000000 --shared 10s"
# shellcheck disable=SC2086 # words
expected=$("$SATIN_APP_PATH/tree/"${shared/--sleep/})
rm -f figures
# shellcheck disable=SC2086 # words
start "$satin" run -n 4 --stats-json figures $shared
three_replicas() { status_query "$(sum_of objects.fetched) >= 3" >/dev/null; }
until_true three_replicas
kill -KILL "$(pid_of master)"
wait_for_end
check "who made what is shared killed: the best is found" ended_well "$expected"
all_share() { json_query "$(sum_of objects.applied) >= 3 and $(sum_of objects.unsent) == 0" <figures; }
check "and all were told of what was better" all_share

# ---- how soon ----

# queued_within MILLISECONDS: the first survivor queued lost jobs again no longer than this after
# the kill.
queued_within() {
  python3 - "$1" "$killed_at" log <<'END'
import datetime, re, sys
limit_ms, killed_at, path = float(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
day = datetime.datetime.fromtimestamp(killed_at).replace(hour=0, minute=0, second=0, microsecond=0)
times = []
for line in open(path, errors='replace'):
    match = re.search(r'(\d+):(\d+):(\d+\.\d+): \d+ lost jobs are queued again', line)
    if match:
        hours, minutes, seconds = (float(part) for part in match.groups()[:3])
        times.append(day.timestamp() + hours * 3600 + minutes * 60 + seconds - killed_at)
print('# queued again after ms:', ' '.join('%.1f' % (t * 1000) for t in times))
sys.exit(not times or min(times) * 1000 > limit_ms)
END
}

# kill_and_look: kills a node of a run; sets killed_at, and leaves the debug messages of the run in
# log.
kill_and_look() {
  rm -f out err log
  G_MESSAGES_DEBUG=satin-core "$satin" run -n 4 --listen "unix:$test_dir/hub" "${work[@]}" >out 2>log </dev/null &
  pid=$!
  until_true is_up 4
  killed=$(pids_of 'not n["master"]' | cut -d ' ' -f 1)
  killed_at=$(date +%s.%N)
  kill -KILL "$killed"
  until_true is_up 3
  hurry "unix:$test_dir/hub"
  wait_for_end
}

# A busy machine may delay one recovery. If recovery itself is slow, all five tries are.
is_soon() {
  for _ in 1 2 3 4 5; do
    kill_and_look
    if queued_within "$1"; then
      return 0
    fi
  done
  return 1
}
check "a killed node's jobs are queued again within 100 ms" is_soon "${SATIN_TEST_SOON_MS:-100}"

# ---- runs beside the next ones, which mostly wait ----

# start_hub ARGUMENT...: starts a hub whose socket is always at the same path; sets hub_pid.
start_hub() {
  "$satin" hub --listen "unix:$test_dir/hub" "$@" >uri 2>hub.err </dev/null &
  hub_pid=$!
  until_true test -s uri
}
end_hub() {
  kill -KILL "$hub_pid"
  wait "$hub_pid" 2>/dev/null
  rm -f uri
}
hub_has() { status_query "len([n for n in s['nodes'] if n['state'] == 'member']) == $1" --hub "unix:$test_dir/hub" >/dev/null; }

let_leave() {
  start "$satin" run -n 3 "${work[@]}"
  until_true is_up 3
  kill -TERM "$(pid_of other)"
  wait_for_end
}
lose_hub_for_good() {
  start_hub --nodes 3
  start "$satin" run --hub "unix:$test_dir/hub" -n 3 "${work[@]}"
  until_true hub_has 3
  end_hub
  wait_for_end
}
run_to_end() {
  start "$@"
  wait_for_end
}
aside leaves let_leave
aside hubless lose_hub_for_good
aside crashes run_to_end env SATIN_STACK=16M "$satin" run -n 5 "$node" crash crashes
aside root-crashes run_to_end "$satin" run -n 5 "$node" crash-root

# ---- nodes stand still ----

start "$satin" run -n 3 "${work[@]}"
until_true is_up 3
stopped=$(pid_of other)
kill -STOP "$stopped"
sleep 2
kill -CONT "$stopped"
wait_for_end
check "who stood still for 2 s is no loss" ended_well "$result"
check "and nothing is said of it" test ! -s err

start "$satin" run -n 3 "$node" forever
until_true is_up 3
stopped=$(pid_of other)
kill -STOP "$stopped"
two_left() { status_query "len([n for n in s['nodes'] if n['state'] == 'member']) == 2" >/dev/null; }
check "who stands still for longer is declared dead" until_true two_left
is_gone() { ! kill -0 "$stopped" 2>/dev/null; }
check "it is killed, so that it does nothing more for the run" until_true is_gone
check "and that is said" says err "(pid $stopped) was declared dead"
check "the others go on" is_up 2
stop_and_wait INT "$pid"

bring leaves
check "SIGTERM lets a node leave in good order" ended_well "$result"
check "and only that is said" test "$(grep -cv 'left the run' err)" -eq 0

# ---- nodes come ----

start "$satin" run -n 1 --listen "unix:$test_dir/hub" "${work[@]}"
until_true is_up 1
"$satin" node --hub "unix:$test_dir/hub" -w 1 "${work[@]}" >node.out 2>node.err </dev/null &
until_true is_up 2
kill -KILL "$(pid_of master)"
node_pid=$!
until_true is_up 1
hurry "unix:$test_dir/hub"
wait_for_end
wait "$node_pid"
took_over() { [ "$status" -eq 0 ] && [ "$(cat node.out)" = "$result" ]; }
check "a node that was started by hand takes over from the master" took_over

# ---- the hub ----

start_hub --nodes 3
start "$satin" run --hub "unix:$test_dir/hub" -n 3 "${work[@]}"
until_true hub_has 3
end_hub
start_hub --nodes 3
until_true hub_has 3
wait_for_end
check "the hub killed and started anew: the result is right" ended_well "$result"
pid=$hub_pid
wait_for_end
check "the new hub ends with the run" is_status 0

bring hubless
check "the hub killed for good: the result is right" ended_well "$result"
check "the nodes said that it was gone" grep -q "the registry cannot be reached" err
check "the master said what it could not do" says err "the other nodes are told directly"

# ---- a job that crashes every node that runs it ----

bring crashes
job_failed() { is_status 25 && says err 'task crash (path "crashes") crashed 3 nodes' && says err "the last by signal 6 (aborted)"; }
check "a job that crashes three nodes fails and is named" job_failed
crashed_three() { [ "$(stat -c %s crashes/crashes)" -eq 3 ]; }
check "it crashed three" crashed_three

bring root-crashes
root_failed() { is_status 25 && says err "crashed 3 masters, the last by signal 6 (aborted)"; }
check "a root job that crashes three masters fails and is named" root_failed

start "$satin" run --no-recovery -n 3 "$node" forever
until_true is_up 3
kill -KILL "$(pid_of master)"
wait_for_end
check "without recovery the loss of the master ends the run" is_status 24
run "$satin" run --no-recovery --with ft:grace=1ms -n 1 fib 3
check "recovery with and without is refused" is_status 2
check "nothing is left" nothing_left
finish
