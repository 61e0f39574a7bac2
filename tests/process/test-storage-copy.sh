# test-storage-copy.sh - satin copy to and from a real sshd, which may be killed or stand still
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-common.sh"
make_keys
start_sshd
mkdir from
make_file from/large 20000000
make_file from/small 1000
params=${ssh_params// /,}
limit_s=100
[ "$(sanitizer_of "$satin")" != libtsan ] || limit_s=400

run "$satin" copy --to "$params" "file:$test_dir/from/" "$ssh_uri/there/"
copied() { is_status 0 && cmp -s from/large there/large && cmp -s from/small there/small; }
check "a folder is copied to a server" copied
run "$satin" copy --from "$params" "$ssh_uri/there/" "file:$test_dir/back/"
back() { is_status 0 && cmp -s from/large back/large && cmp -s from/small back/small; }
check "and back" back
rm -rf back
run "$satin" copy --from "$params" --to "$params" "$ssh_uri/there/large" "$ssh_uri/back/"
between() { is_status 0 && cmp -s from/large back/large; }
check "and from server to server" between

rm -rf there
start "$satin" copy --to "$params,fault.hang-call=3" "file:$test_dir/from/large" "fault+$ssh_uri/there/"
copy_pid=$pid
# has_bytes N: the files in the folder "there" have more than N bytes.
has_bytes() { [ "$(du -sb there 2>/dev/null | cut -f 1)" -gt "$1" ]; } 2>/dev/null
until_true has_bytes 1000000
stop_and_wait INT "$copy_pid"
stopped() { is_status 130 && [ ! -e there/large ]; }
check "Ctrl-C leaves no half file there" stopped

run "$satin" copy --to "$params" "file:$test_dir/from/large" "$ssh_uri/there/"
check "the same command goes on where it was" cmp -s from/large there/large
rm -rf there
# A copy that is to be disturbed waits before each block, so that it does not end before that.
make_file from/huge 150000000
start "$satin" copy --to "$params,delay.time=100ms" "file:$test_dir/from/huge" "delay+$ssh_uri/there/"
copy_pid=$pid
until_true has_bytes 8000000
kill_server
pid=$copy_pid
until_true has_ended
wait "$pid"
status=$?
broken() { [ "$status" -ne 0 ] && [ "$status" -lt 128 ] && [ ! -e there/huge ] && grep -q "127.0.0.1.:$ssh_port" err; }
check "a server that is killed ends the copy with an error that names it" broken
start_sshd
run "$satin" copy --to "$params" "file:$test_dir/from/huge" "$ssh_uri/there/"
went_on() { is_status 0 && cmp -s from/huge there/huge && ! grep -q '150 MB' out; }
check "with a new server the same command goes on where it was" went_on

# ---- a server that stands still ----
# serving: prints the processes that serve the only client. The last one reads and writes the files.
serving() {
  local pid=$server_pid
  while pid=$(ps -o pid= --ppid "$pid" | head -n 1 | tr -d ' ') && [ -n "$pid" ]; do
    echo "$pid"
  done
}
# begin_huge PARAMETERS: starts a large copy, and waits until 8 MB are copied.
begin_huge() {
  rm -rf there
  start "$satin" copy --to "$params$1,delay.time=100ms" "file:$test_dir/from/huge" "delay+$ssh_uri/there/"
  until_true has_bytes 8000000
}
wait_for_copy() {
  until_true has_ended
  wait "$pid"
  status=$?
}

begin_huge ,timeout=5s
worker=$(serving | tail -n 1)
kill -STOP "$worker"
sleep 8
kill -CONT "$worker"
wait_for_copy
slow() { is_status 0 && cmp -s from/huge there/huge; }
check "a server that is slow and gives signs of life is waited for" slow
begin_huge ,timeout=1s
workers=$(serving)
kill -STOP $workers
wait_for_copy
kill -CONT $workers
silent() { is_status 21 && grep -q 'the server was silent for 1 s' err; }
check "a server that gives none is given up" silent
begin_huge ""
workers=$(serving)
kill -STOP $workers
stop_and_wait INT "$pid"
kill -CONT $workers
prompt() { is_status 130 && [ "$took_ms" -lt 10000 ] && [ ! -e there/huge ]; }
check "Ctrl-C is not kept waiting by a server that stands still" prompt
finish
