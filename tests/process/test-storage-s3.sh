# test-storage-s3.sh - the storage "s3" with Swift's s3api: rules, deaths, two writers, a full folder,
# TLS
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-servers.sh"

need_plugin storage-s3
need_program openssl openssl
rules_plugin=storage-s3
limit_s=100
make_server_folder swift
served=$test_dir/swift
port=$(free_port)
uri=s3+http://127.0.0.1:$port/bucket/folder
options=(timeout=20s)

# ---- a server without conditions ----

start_swift
families="open names append read replace remove keep interrupt"
check "a server keeps the rules" rules_kept "$uri" "${options[@]}"
check "many blocks are as they were written, and replaced" \
  drive_ends 0 "$uri" "${options[@]}" -- write=40M more=70000 more=20M read replace read remove
check "the bucket itself is a folder, too" \
  drive_ends 0 "s3+http://127.0.0.1:$port/bucket" "${options[@]}" -- write=10 more=20 read list remove
check "a folder's name may have any characters" \
  drive_ends 0 "$uri/a%20b+%C3%A4%26" "${options[@]}" -- write=10 more=20 read replace remove
check "more than the capacity is a limit" drive_ends 0 "$uri" "${options[@]}" capacity=1000 -- \
  write=2000 fails=$status_limit write=900 read more=200 fails=$status_limit read remove

# large_copies: satin copy writes a file of more than 256 MiB, and reads it back. When it replaces
# large.satin-part by large, the server copies it in two parts.
large_copies() {
  make_file large 300000000
  run "$satin" copy "file:$test_dir/large" "$uri/" && is_status 0 \
    && run "$satin" copy "$uri/large" "file:$test_dir/back" && is_status 0 && cmp large back
}
check "a file that is copied in parts is as it was" large_copies
rm -f large back

# ---- deaths ----

# in_midst_of_more COMMAND: starts to append 200 MB to $uri. Runs COMMAND when the server has 40 MB
# of them.
in_midst_of_more() {
  local before
  before=$(du -sb "$served" | cut -f 1)
  start "$drive" "$uri" "${options[@]}" "${more[@]}" -- more=200M
  until_true is_larger "$served" $((before + 40000000))
  "$@"
  until_true has_ended || kill -KILL "$pid"
  wait "$pid" 2>/dev/null
  status=$?
}
"$drive" "$uri" "${options[@]}" -- write=5M more=5M >out 2>err
more=()
in_midst_of_more kill_writer
goes_on() { drive_ends 0 "$uri" "${options[@]}" -- read more=5M read && grep -q "$1" out; }
check "what a writer had synced is there after its death, and goes on" goes_on 'read: 15728640 bytes'
more=(retry=1s)
in_midst_of_more kill_server
has_broken_off() { [ "$status" -ge 10 ]; }
check "a server that dies is an error" has_broken_off
start_swift conditions
check "what was synced is there when it is back, and goes on" goes_on 'read: 20971520 bytes'

# ---- two writers, and a server with conditions ----

families="append replace keep"
check "a server with conditions keeps the rules, too" rules_kept "$uri" "${options[@]}"

# Each of six writers appends at the length that it has seen. Of the writers that have seen the same
# length, the server lets one in.
race() {
  local i n_done
  run "$drive" "$uri" "${options[@]}" -- write=1000 || return 1
  for i in 1 2 3 4 5 6; do
    ("$drive" "$uri" "${options[@]}" -- more=1000 more=1000 more=1000 >"race-$i" 2>&1) &
  done
  wait $(jobs -p | grep -vxF "$(echo $server_pids | tr ' ' '\n')")
  n_done=$(cat race-? | grep -c '^more')
  grep -h 'another writer' race-? | head -n 1 | sed 's/^/# /'
  run "$drive" "$uri" "${options[@]}" -- read
  [ "$n_done" -ge 3 ] && grep -q "^read: $((1000 + 1000 * n_done)) bytes" out
}
check "what writers have synced is never lost to another writer" race
check "a file of several objects is replaced with a condition" \
  drive_ends 0 "$uri" "${options[@]}" -- write=20M more=10 replace read remove
kill_server

# ---- TLS ----

make_authority known
make_authority stranger
make_certificate known server localhost
give_to_server server.pem server.key
start_swift conditions "tls=$test_dir/server.pem,$test_dir/server.key"
uri=s3+https://localhost:$port/bucket/folder
check "many encrypted blocks are as they were written" \
  drive_ends 0 "$uri" "${options[@]}" ca-file=known.pem -- write=20M more=70000 read remove
check "a server of a strange authority is refused" \
  drive_ends $status_secret "$uri" "${options[@]}" ca-file=stranger.pem
check "so it is when none is named" drive_ends $status_secret "$uri" "${options[@]}"
check "so is one with another name" drive_ends $status_secret \
  "s3+https://127.0.0.1:$port/bucket/folder" "${options[@]}" ca-file=known.pem
kill_server
check "nobody there is unreachable" \
  drive_ends $status_unreachable "$uri" "${options[@]}" retry=1s ca-file=known.pem
finish
