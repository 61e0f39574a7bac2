# test-command-common.sh - cases, runs and waiting, for the tests of the command; sourced by bash
#
# The environment has SATIN_TEST_COMMAND (the command satin), SATIN_TEST_NODE (test-command-node),
# SATIN_APP_PATH and SATIN_PLUGIN_PATH. Each test has its own folder, so that many tests can run
# side by side. The folder's name is also a mark in the environment of all processes of the test, by
# which nodes that were left behind are found.
#
# SPDX-License-Identifier: Apache-2.0

unset SATIN_PARTS SATIN_WORKERS SATIN_POLICY
test_dir=$(mktemp -d /tmp/satin-test-XXXXXX)
export XDG_RUNTIME_DIR=$test_dir/run
export XDG_STATE_HOME=$test_dir/state
export SATIN_TEST_MARK=$test_dir
mkdir -m 700 "$XDG_RUNTIME_DIR"
cd "$test_dir" || exit 1
trap 'kill -KILL $(jobs -p) 2>/dev/null; rm -rf "$test_dir"' EXIT
satin=$SATIN_TEST_COMMAND
node=$SATIN_TEST_NODE
patience_s=60
limit_s=30
n_cases=0
helper_pid=

# check NAME COMMAND...: a case, which passes if COMMAND succeeds.
check() {
  local name=$1
  shift
  n_cases=$((n_cases + 1))
  if "$@"; then
    echo "ok $n_cases $name"
  else
    echo "not ok $n_cases $name"
    sed 's/^/# out: /' out 2>/dev/null
    sed 's/^/# err: /' err 2>/dev/null
    echo "# status: $status, took $took_ms ms"
  fi
}

# skip NAME REASON: a case that cannot be tried on this machine or in this build.
skip() {
  n_cases=$((n_cases + 1))
  echo "ok $n_cases $1 # SKIP $2"
}

# skip_all REASON: ends the whole test, as skipped.
skip_all() {
  echo "1..0 # SKIP $1"
  exit 0
}

finish() {
  echo "1..$n_cases"
}

now_ms() {
  echo $((${EPOCHREALTIME/[.,]/} / 1000))
}

# run COMMAND...: runs it to its end, for at most limit_s; sets status and took_ms. Its output is in
# out and err.
run() {
  local from
  from=$(now_ms)
  timeout -k 5 "$limit_s" "$@" >out 2>err </dev/null
  status=$?
  took_ms=$(($(now_ms) - from))
}

# run_to_pipe COMMAND...: runs it like run, with a reader at the named pipe "pipe". What came through
# the pipe is in piped.
run_to_pipe() {
  local reader
  rm -f pipe
  mkfifo pipe
  timeout -k 5 "$limit_s" cat pipe >piped &
  reader=$!
  run "$@"
  wait "$reader"
}

# came_through TEXT: the pipe of run_to_pipe is still there, and TEXT came through it.
came_through() { is_status 0 && [ -p pipe ] && grep -qF -- "$1" piped; }

# sleep_for TIME: sets work, the words of a program whose jobs sleep for TIME in all and need hardly
# any processor time, and result, its output. With a sanitizer it is three times as long, because
# all that the test does meanwhile takes longer.
sleep_for() {
  local time=$1
  [ -z "$(sanitizer_of "$satin")" ] || time=$((3 * ${1%s}))s
  work=(tree --sleep --grain 20ms "$time")
  result=$(SATIN_WORKERS=1 "$SATIN_APP_PATH/tree/tree" --grain 20ms "$time")
}

# check_answer HOW NAME PROGRAM ARGUMENT...: a case. The program prints the same under "satin HOW"
# and alone.
check_answer() {
  local how=$1 name=$2 program=$3
  shift 3
  SATIN_WORKERS=2 "$SATIN_APP_PATH/$program/$program" "$@" >expected 2>/dev/null </dev/null
  # shellcheck disable=SC2086
  run "$satin" $how "$program" "$@"
  same_output() { is_status 0 && [ -s expected ] && cmp -s expected out; }
  check "$name" same_output
}

# is_routed: locusroute ended well, and printed its circuit and four iterations.
is_routed() {
  is_status 0 && [ "$(wc -l <out)" = 5 ] && says out "bnrE, 420 wires" && says out "iteration 4: height"
}

# start COMMAND...: starts it in the background; sets pid. Its output is in out and err, which are
# there at once: a test may move them before the command has begun.
start() {
  rm -f out err
  { "$@" </dev/null & } >out 2>err
  pid=$!
}

# start_hub ARGUMENT...: starts satin hub; sets hub_pid and uri.
start_hub() {
  rm -f uri hub.err
  "$satin" hub "$@" >uri 2>hub.err </dev/null &
  hub_pid=$!
  until_true test -s uri
  uri=$(cat uri)
}

# wait_for_hub: waits for the hub's end, and kills it after patience_s; sets hub_status.
wait_for_hub() {
  pid=$hub_pid
  until_true has_ended || kill -KILL "$hub_pid"
  wait "$hub_pid" 2>/dev/null
  hub_status=$?
}

# hurry HUB [CLUSTER]: brings a node with 16 workers to the run of the work that sleep_for chose, so
# that its rest takes less time. The run must not be closed: it was started with --listen, or with
# satin hub without --nodes. The node is no master while others live.
hurry() {
  "$satin" node --hub "$1" -w 16 ${2:+--cluster "$2"} "${work[@]}" >/dev/null 2>helper.err </dev/null &
  helper_pid=$!
}

# wait_for_end: waits for the end of the command that start began; sets status. Kills it after five
# times patience_s. If hurry brought a node, waits for the end of that, too.
wait_for_end() {
  local i
  for i in 1 2 3 4 5; do
    until_true has_ended && break
  done
  [ "$i" -lt 5 ] || kill -KILL "$pid"
  wait "$pid" 2>/dev/null
  status=$?
  [ -z "$helper_pid" ] || wait "$helper_pid" 2>/dev/null
  helper_pid=
}

# aside NAME COMMAND...: runs a function beside the test, in the folder NAME. It has runs of its own,
# which the rest of the test does not see, and no node of it is one of the test.
aside() {
  local name=$1
  shift
  mkdir "$name"
  mkdir -m 700 "$name/run"
  (
    test_dir=$test_dir/$name
    export XDG_RUNTIME_DIR=$test_dir/run XDG_STATE_HOME=$test_dir/state SATIN_TEST_MARK=$test_dir
    cd "$test_dir" || exit 1
    trap 'kill -KILL $(jobs -p) 2>/dev/null' EXIT
    "$@"
    echo "$status $took_ms" >end
  ) >"$name/log" 2>&1 &
  asides[$name]=$!
}
declare -A asides

# bring NAME: waits for the end of what aside began; sets status and took_ms, and brings its out and
# err.
bring() {
  wait "${asides[$1]}" 2>/dev/null
  sed 's/^/# /' "$1/log"
  rm -f out err
  mv "$1/out" "$1/err" .
  status=
  read -r status took_ms <"$1/end"
}

# stop_and_wait SIGNAL PID: sends SIGNAL to PID, and waits for the end of the command that start
# began; sets status and took_ms.
stop_and_wait() {
  local from
  from=$(now_ms)
  kill "-$1" "$2"
  until_true has_ended || kill -KILL "$pid"
  wait "$pid" 2>/dev/null
  status=$?
  took_ms=$(($(now_ms) - from))
}

# at_terminal KEYS TEXT COMMAND...: runs it at a new terminal of 100 columns. Presses KEYS when the
# terminal shows TEXT. Leaves the terminal's output in out; sets status.
at_terminal() {
  timeout -k 5 30 python3 - "$@" >out 2>err <<'END'
import fcntl, os, pty, struct, sys, termios
keys, text, command = sys.argv[1].encode(), sys.argv[2].encode(), sys.argv[3:]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    os.execv(command[0], command)
got = b""
while True:
    try:
        chunk = os.read(fd, 4096)
    except OSError:
        break
    if not chunk:
        break
    got += chunk
    if keys and text in got:
        os.write(fd, keys)
        keys = b""
sys.stdout.buffer.write(got)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
  status=$?
}

# last_is TEXT: the last line of the terminal is TEXT, without a rest of the progress line.
last_is() {
  [ "$(tr -d '\r' <out | sed 's/.*\x1b\[K//' | tail -n 1)" = "$1" ]
}

# sanitizer_of PROGRAM: prints libasan or libtsan if the program was built with one, else nothing.
sanitizer_of() {
  ldd "$1" | grep -o 'lib[at]san' | head -n 1
}

# has_ended: the process pid has ended. It may still be a zombie. It starts no process, because tests
# repeat it all the time.
has_ended() {
  local words
  { read -r words <"/proc/$pid/stat"; } 2>/dev/null || return 0
  # The state follows the name of the program, which is in parentheses.
  case ${words##*) } in
    [ZX]*) return 0 ;;
  esac
  return 1
}

# until_true COMMAND...: repeats it until it succeeds; fails after patience_s.
until_true() {
  local deadline_us=$((${EPOCHREALTIME/[.,]/} + patience_s * 1000000)) n=0
  until "$@"; do
    [ "${EPOCHREALTIME/[.,]/}" -lt $deadline_us ] || return 1
    # The command itself takes processor time from what is tested, so it runs often only at first.
    [ $((n += 1)) -lt 10 ] && sleep 0.02 || sleep 0.15
  done
}

# status_query EXPRESSION [OPTION...]: like json_query; s is the output of satin status --json.
status_query() {
  local expression=$1
  shift
  "$satin" status --json "$@" 2>/dev/null | json_query "$expression"
}

# json_query EXPRESSION: prints the value of a Python expression; fails if it is false. s in the
# expression is the JSON on standard input.
json_query() {
  python3 -I -S -c '
import json, sys
try:
    s = json.load(sys.stdin)
    value = eval(sys.argv[1])
except (ValueError, LookupError):
    value = False
print(value)
sys.exit(0 if value else 1)' "$1"
}

# is_up N: the run has N members, and one of them is the master.
is_up() {
  status_query "len([n for n in s['nodes'] if n['state'] == 'member']) == $1 and \
    any(n['master'] for n in s['nodes'])" >/dev/null
}

# pid_of WHICH: prints the process id of the master ("master") or of another node ("other").
pid_of() {
  local test='n["master"]'
  [ "$1" = master ] || test='not n["master"]'
  status_query "[n['pid'] for n in s['nodes'] if $test][0]"
}

# pids_of EXPRESSION: prints the process ids of the run's members n for which EXPRESSION holds.
pids_of() {
  status_query "' '.join(str(n['pid']) for n in s['nodes'] if n['state'] == 'member' and ($1))"
}

# sum_of FIGURE: prints a Python expression for the sum of a figure over all nodes of s.
sum_of() { printf "sum(n.get('figures', {}).get('%s', 0) for n in s['nodes'])" "$1"; }

# killed_are N: the run said of N nodes that they were killed.
killed_are() { [ "$(grep -c 'killed by signal 9' err)" -eq "$1" ]; }

# no_nodes: no node of this test lives. A node is known by SATIN_PARTS in its environment.
no_nodes() {
  local environment
  for environment in $(grep -lzxF "SATIN_TEST_MARK=$test_dir" /proc/[0-9]*/environ 2>/dev/null); do
    if grep -qz '^SATIN_PARTS=' "$environment" 2>/dev/null; then
      return 1
    fi
  done
  return 0
}

# nothing_left: no node of this test lives, and no folder of a run is left.
nothing_left() {
  no_nodes && [ -z "$(ls -A "$XDG_RUNTIME_DIR")" ]
}

is_status() {
  [ "$status" -eq "$1" ]
}

# says FILE TEXT: exactly one line of FILE has TEXT.
says() {
  [ "$(grep -cF -- "$2" "$1")" -eq 1 ]
}

# Programs with a sanitizer are much slower.
if [ -n "$(sanitizer_of "$satin")" ]; then
  patience_s=120
  limit_s=120
fi
