# test-command-terminal.sh - satin run at a terminal: the progress line, and Ctrl-C as a key
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

at_terminal "" "" "$satin" run -n 2 fib 24
check "a short run shows its result alone" last_is "fib(24) = 46368"
at_terminal "" "" "$satin" run -n 2 --quiet "$node" exit 4
check "the exit status is the program's at a terminal too" is_status 4
at_terminal $'\003' "satin: 2 nodes" "$satin" run -n 2 "$node" forever
check "Ctrl-C ends it with status 130" is_status 130
progress_shown() { grep -q 'satin: 2 nodes .* jobs/s .* steals  0:0' out; }
check "the line shows nodes, rate, steals and time" progress_shown
check "the line is gone at the end" last_is "satin: stopped by signal 2 (Interrupt)"
check "nothing is left" nothing_left
at_terminal "" "" "$satin" run -n 1 sh -c 'test -t 2 && echo is a terminal >&2; exec "$@"' sh "$node" exit 0
check "standard error of a node is a terminal too" last_is "is a terminal"
run "$satin" run -n 2 "$node" exit 0
check "there is no line without a terminal" test ! -s err
finish
