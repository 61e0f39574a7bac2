# test-storage-copy.sh - satin copy to and from a real sshd, also when it is killed on the way
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-common.sh"
make_keys
start_sshd
mkdir from
make_file from/large 60000000
make_file from/small 1000
params=${ssh_params// /,}
limit_s=100

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
start "$satin" copy --to "$params,hang-call=20" "file:$test_dir/from/large" "$ssh_uri/there/"
copy_pid=$pid
has_part() { [ "$(stat -c %s there/large.part 2>/dev/null || echo 0)" -gt 1000000 ]; }
until_true has_part
stop_and_wait INT "$copy_pid"
stopped() { is_status 130 && [ ! -e there/large ]; }
check "Ctrl-C leaves no half file there" stopped

run "$satin" copy --to "$params" "file:$test_dir/from/large" "$ssh_uri/there/"
check "the same command goes on where it was" cmp -s from/large there/large
rm -rf there
make_file from/huge 1000000000
start "$satin" copy --to "$params" "file:$test_dir/from/huge" "$ssh_uri/there/"
copy_pid=$pid
has_huge() { [ "$(stat -c %s there/huge.part 2>/dev/null || echo 0)" -gt 8000000 ]; }
until_true has_huge
kill_server
pid=$copy_pid
until_true has_ended
wait "$pid"
status=$?
broken() { [ "$status" -ne 0 ] && [ "$status" -lt 128 ] && [ ! -e there/huge ] && grep -q "127.0.0.1.:$ssh_port" err; }
check "a server that is killed ends the copy with an error that names it" broken
start_sshd
run "$satin" copy --to "$params" "file:$test_dir/from/huge" "$ssh_uri/there/"
went_on() { is_status 0 && cmp -s from/huge there/huge && ! grep -q '1.00 GB' out; }
check "with a new server the same command goes on where it was" went_on
finish
