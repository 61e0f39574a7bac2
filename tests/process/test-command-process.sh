# test-command-process.sh - jobs that end or harm their process, and answers that cannot be written
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
prog=$SATIN_TEST_PROCESS_NODE
export SATIN_WORKERS=2
ulimit -c 0

# no_answer STATUS TEXT: the command ended with STATUS, printed no result, and said TEXT.
no_answer() { is_status "$1" && [ ! -s out ] && grep -qF -- "$2" err; }

run "$prog" exit 0
check "a job that calls exit (0) is no success" no_answer 25 "exit (0) was called"
check "a job that calls exit is named" grep -qE "in or below the job task (root|deed) \(" err
run "$prog" exit 3
check "a job that calls exit (3) ends its program with 3" no_answer 3 "exit (3) was called"
run "$prog" root 0
check "a root job that calls exit (0) is no success" no_answer 25 "exit (0) was called"
run "$prog" thread
check "a job that ends its thread ends its program" no_answer 25 "ended its worker's thread"
run "$prog" fork
check "a child that a job forks may exit" grep -qx 64 out

run "$satin" run -n 3 "$prog" exit 0
check "a run whose job calls exit (0) does not end with 0" no_answer 25 "exit (0) was called"
run "$satin" run -n 3 "$prog" _exit 0
check "a run whose job calls _exit (0) does not end with 0" no_answer 25 "did a job call _exit (0)?"
run "$satin" run -n 3 "$prog" root 0
check "a run whose root job calls exit (0) does not end with 0" no_answer 25 "exit (0) was called"
run "$satin" run -n 3 "$prog" thread
check "a run whose job ends its thread ends" no_answer 25 "ended its worker's thread"
closed() { ! is_status 0 && [ ! -s out ] && grep -qF "must only close descriptors that it has opened" err; }
close_all="a run whose job closes all descriptors ends and says why"
if [ "$(sanitizer_of "$satin")" = libtsan ]; then
  skip "$close_all" "ThreadSanitizer ends the node at the first"
else
  run "$satin" run -n 3 "$prog" close
  check "$close_all" closed
fi
run "$satin" run -n 3 "$prog" fork
check "a child that a node's job forks may exit" grep -qx 64 out
check "nothing is left" nothing_left

# at_hub ARGUMENT...: runs satin run with these arguments at a hub of another command. In the end
# the hub has lost all its nodes.
at_hub() {
  start_hub --listen "unix:$test_dir/hub"
  run "$satin" run --hub "$uri" "$@"
  kill -TERM "$hub_pid" 2>/dev/null
  wait_for_hub
}
unexplained() { no_answer 25 "did a job call _exit (0)? A job ends by return, and fails by satin_fail ()"; }
at_hub -n 3 "$prog" _exit 0
check "a run at a hub of others whose job calls _exit (0) does not end with 0" unexplained
at_hub -n 1 "$prog" _exit 0
check "nor does it on one node" unexplained
at_hub -n 1 "$(type -P true)"
check "nor does a program that is no node" unexplained
at_hub -n 3 "$prog" fork
check "a run at a hub of others that ends well ends with 0" grep -qx 64 out

# One node leaves in good order. Then the other node's job ends its process.
start_hub --listen "unix:$test_dir/hub"
start "$satin" run --hub "$uri" -n 2 "$prog" late go
until_true is_up 2
"$satin" leave --hub "$uri" --wait "$(status_query "[n['node'] for n in s['nodes'] if not n['master']][0]")" >/dev/null
touch go
wait_for_end
check "nor does a run when the other node had left" unexplained
kill -TERM "$hub_pid" 2>/dev/null
wait_for_hub
check "nothing is left of runs at a hub of others" nothing_left

# full COMMAND...: runs it with a standard output that accepts no byte.
full() { run bash -c '"$@" >/dev/full' - "$@"; }
not_written() { is_status 27 && grep -qE "No space left on device|a write has failed" err; }
full "$SATIN_APP_PATH/nqueens/nqueens" 8
check "a program whose answer cannot be written fails" not_written
full "$satin" run -n 2 nqueens 8
check "a run whose answer cannot be written fails" not_written
full "$satin" run -n 2 --checkpoint file:ck --checkpoint-every 50ms nqueens 14
check "a run with a checkpoint whose answer cannot be written fails" not_written
check "the checkpoint of an answer that was not written stays" test -n "$(ls ck/satin-*.log)"
run "$satin" run -n 2 --checkpoint file:ck nqueens 14
check "the answer is written at the next try" grep -qx "nqueens(14) = 365596" out
ln -s /dev/full full.json
run "$satin" run -n 2 --stats-json full.json nqueens 8
no_figures() { is_status 27 && grep -qF "cannot write the figures" err; }
check "figures that cannot be written make the status" no_figures
full "$satin" --version
check "a command whose output cannot be written fails" not_written

# Sanitizers need a large part of the address space, and must be loaded before the library of
# faketime.
if [ -z "$(sanitizer_of "$satin")" ]; then
  # few_addresses COMMAND...: runs it with 16 workers in an address space of 4 GiB.
  few_addresses() { SATIN_WORKERS=16 run bash -c 'ulimit -v 4194304; exec "$@"' - "$@"; }
  few_addresses "$SATIN_APP_PATH/nqueens/nqueens" 10
  check "16 workers have 4 GiB of addresses" grep -qx "nqueens(10) = 724" out
  few_addresses "$prog" none
  check "16 workers with large jobs have 4 GiB of addresses" grep -qx 64 out

  # faketime moves all clocks of the processes to a date.
  for date in "1960-01-01" "2040-01-01" "2250-01-01"; do
    run faketime "$date" "$satin" run -n 2 nqueens 11
    check "a clock of $date does not stop a run" grep -qx "nqueens(11) = 2680" out
  done
fi
finish
