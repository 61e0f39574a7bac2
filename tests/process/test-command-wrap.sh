# test-command-wrap.sh - a wrapper around a node, and a command before it: --wrap, --before, and the
# parameters of provisioners with these names
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

# inner_pids: prints the processes of the program $1 that are nodes: not wrappers, and not shells.
inner_pids() {
  local process
  for process in $(grep -lzxF "SATIN_TEST_MARK=$test_dir" /proc/[0-9]*/environ 2>/dev/null); do
    process=${process%/environ}
    [ "$(readlink "$process/exe")" = "$1" ] && echo "${process#/proc/}"
  done
}
no_inner() { [ -z "$(inner_pids "$1")" ]; }
# variable_of PID NAME: prints the value of a variable of the process.
variable_of() { tr '\0' '\n' <"/proc/$1/environ" | sed -n "s/^$2=//p"; }
refused() { is_status "$1" && says err "$2"; }
fib=$SATIN_APP_PATH/fib/fib
tree=$SATIN_APP_PATH/tree/tree

# ---- the answer, and the arguments ----
run "$satin" run -n 3 --wrap "env A='b c'" nqueens 9
queens() { is_status 0 && says out "nqueens(9) = 352"; }
check "nodes in a wrapper have the right result" queens
run "$satin" run -n 2 --wrap "env -i" --transport tcp fib 20
answer() { is_status 0 && says out "fib(20) = 6765"; }
check "a wrapper that drops the environment passes the secret and the variables" answer
run "$satin" run -n 2 --before "umask 077; echo noise" --wrap "nice -n 1" fib 20
quiet() { answer && [ "$(wc -l <out)" = 1 ]; }
check "what the command before prints is no answer" quiet
cat >show <<'END'
#!/bin/sh
printf '<%s>' "$@" >shown
END
chmod +x show
hard=("" "a b" "it's" '$HOME `id` "\' $'a\nb' "*" "{number}" "{cluster}" "ä→€" ";")
printf '<%s>' "${hard[@]}" >expected
run "$satin" run -n 1 --before "cd '$test_dir'; true" --wrap "env A=b" ./show "${hard[@]}"
check "arguments arrive as they are" cmp -s expected shown

# ---- the command before ----
run "$satin" run -n 2 --before "sh -c 'exit 5'" fib 20
failed() { refused 5 "satin: \"sh -c 'exit 5'\", which runs before the node, ended with status 5" && [ ! -s out ]; }
check "a command before that fails ends the start, and is named with its status" failed
said() { says err "ended with exit status 5 before it joined the run"; }
check "the run says so" said
run "$satin" run -n 2 --wrap "/no/such/wrapper" fib 20
check "a wrapper that is not there ends the start" refused 127 "/no/such/wrapper: not found"
run "$satin" run --wrap "env {node}" fib 20
check "a word in braces that is not known is refused" refused 2 "--wrap: {node} is not known: there are {cluster} and {number}"
run "$satin" run --before "echo {machine}" fib 20
check "and in the command before" refused 2 "--before: {machine} is not known: there are {cluster} and {number}"
run "$satin" run --provision "local:wrap=env {x}" fib 20
check "and in a provisioner's parameter" refused 2 "wrap: {x} is not known: there are {cluster} and {number}"
run "$satin" run --wrap "env 'a" fib 20
check "a quote that does not end is refused" refused 2 "--wrap: "

# ---- which node is which ----
start "$satin" run --clusters a:1,b:1 --wrap "env NAME={cluster}-{number}" --before 'export PART={cluster}' \
  --provision "local:max=1,cluster=c,wrap=env MINE=w{number}" --min 1 "$node" forever
run_pid=$pid
check "nodes here and on machines join" until_true is_up 3
names() { inner_pids "$node" | while read -r it; do echo "$(variable_of "$it" NAME),$(variable_of "$it" PART),$(variable_of "$it" MINE)"; done | sort | tr '\n' ' '; }
named() { [ "$(names)" = ",c,w1 a-1,a, b-2,b, " ] || { echo "# $(names)"; false; }; }
check "cluster and number are filled in; a parameter of the provisioner wins, and the other option holds" named
pid=$run_pid stop_and_wait INT "$run_pid"
check "Ctrl-C ends it" is_status 130
check "and nothing is left" nothing_left

# ---- a wrapper with another process between, outside of the node's process group ----
cat >far <<'END'
#!/bin/sh
# Starts the command in a session of its own, and ends as it has ended.
setsid "$@" <&0 &
child=$!
trap 'kill -TERM $child' TERM
while :; do
  wait $child
  status=$?
  kill -0 $child 2>/dev/null || exit $status
done
END
chmod +x far
far=$test_dir/far
sleep_for 60s
start "$satin" run -n 3 --listen "unix:$test_dir/hub" --wrap "$far" "${work[@]}"
run_pid=$pid
check "nodes in sessions of their own join" until_true is_up 3
outside() {
  local it
  [ "$(pids_of True | wc -w)" -eq 3 ] || return 1
  for it in $(pids_of True); do [ "$(cat "/proc/$it/comm")" = far ] || return 1; done
}
check "the run knows them by their wrappers" outside
kill -KILL "$(inner_pids "$tree" | head -n 1)"
check "a node that is killed in its wrapper is told of as killed" until_true killed_are 1
until_true is_up 2
kill -KILL "$(pids_of "not n['master']")"
two_left() { [ "$(inner_pids "$tree" | wc -l)" -eq 1 ]; }
check "a wrapper that is killed leaves no node behind" until_true two_left
hurry "unix:$test_dir/hub"
pid=$run_pid wait_for_end
right() { is_status 0 && says out "$result"; }
check "and the run ends with the right result" right
check "and nothing is left" nothing_left

start "$satin" run -n 2 --wrap "$far" "$node" forever
until_true is_up 2
kill -KILL "$pid"
wait "$pid" 2>/dev/null
check "a command that is killed leaves no node behind" until_true no_inner "$node"
rm -rf "${XDG_RUNTIME_DIR:?}"/*

# ---- a process number space of its own ----
own="unshare --user --map-root-user --pid --fork --kill-child --mount-proc"
if $own true 2>/dev/null; then
  start "$satin" run -n 3 --listen "unix:$test_dir/hub" --wrap "$own" "${work[@]}"
  until_true is_up 3
  ones() {
    local it
    for it in $(inner_pids "$tree"); do grep -q "^NSpid:.*\s1$" "/proc/$it/status" || return 1; done
    [ "$(inner_pids "$tree" | wc -l)" -eq 3 ]
  }
  check "nodes that are process 1 of their namespaces are told apart" ones
  kill -KILL "$(pid_of master)"
  until_true is_up 2
  hurry "unix:$test_dir/hub"
  wait_for_end
  check "the master's wrapper is killed, and the result is right" right
  check "and nothing is left" nothing_left
  start "$satin" run -n 2 --wrap "$own" "$node" forever
  until_true is_up 2
  stop_and_wait INT "$pid"
  check "Ctrl-C ends nodes that are process 1" is_status 130
  check "and nothing is left" nothing_left
else
  skip "nodes that are process 1 of their namespaces" "this user may make no namespaces"
fi

# ---- satin node ----
start_hub --nodes 2 --listen "unix:$XDG_RUNTIME_DIR/hub"
if [ -n "$uri" ]; then
  "$satin" node --hub "$uri" --wrap "env NAME={cluster}-{number}" --cluster east "$fib" 20 >out1 2>err1 </dev/null &
  first=$!
  "$satin" node --hub "$uri" --before "true" "$fib" 20 >out2 2>err2 </dev/null &
  wait "$first" $!
  pid=$hub_pid
fi
joined() { [ "$(cat out1 out2 | grep -c 'fib(20) = 6765')" -eq 1 ]; }
check "satin node has both options" joined
cat err1 err2 hub.err 2>/dev/null | sed 's/^/# /'
run "$satin" node --hub unix:/nowhere --insecure --wrap "env {nothing}" "$fib" 20
check "and refuses what satin run refuses" refused 2 "{nothing} is not known"

# ---- machines that a script starts ----
script=$(dirname "$0")/../../docs/examples/provision-script-local
export SATIN_STATE=$test_dir/machines
start "$satin" run --provision "exec:script=$script,max=2,poll=200ms" --wrap 'env NAME=m{number}' --before 'export PART={number}' --min 2 -n 1 "$node" forever
run_pid=$pid
check "machines of a script are wrapped, too" until_true is_up 3
numbers() { inner_pids "$node" | while read -r it; do echo "$(variable_of "$it" NAME)$(variable_of "$it" PART)"; done | sort | tr '\n' ' '; }
numbered() { [ "$(numbers)" = "m11 m11 m22 " ] || { echo "# $(numbers)"; false; }; }
check "each with its number" numbered
pid=$run_pid stop_and_wait INT "$run_pid"
check "and nothing is left" until_true nothing_left
finish
