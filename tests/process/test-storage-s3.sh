# test-storage-s3.sh - the storage "s3" with Swift's s3api: rules, deaths, two writers, full folders,
# keys and clocks
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-servers.sh"

need_plugin storage-s3
rules_plugin=storage-s3
limit_s=100
make_server_folder swift
served=$test_dir/swift
port=$(free_port)
uri=s3+http://127.0.0.1:$port/bucket/folder
options=(timeout=20s)

# ---- a server without conditions ----

start_swift
families="open names append read list replace remove keep interrupt"
check "a server keeps all rules" rules_kept "$uri" "${options[@]}"
check "many blocks are as they were written, and replaced" \
  drive_ends 0 "$uri" "${options[@]}" -- write=40M more=70000 more=20M read replace read remove
check "the bucket itself is a folder, too" \
  drive_ends 0 "s3+http://127.0.0.1:$port/bucket" "${options[@]}" -- write=10 more=20 read list remove
check "a folder's name may have any characters" \
  drive_ends 0 "$uri/a%20b+%C3%A4%26" "${options[@]}" -- write=10 more=20 read replace remove
check "more than the capacity is a limit" drive_ends 0 "$uri" "${options[@]}" capacity=1000 -- \
  write=2000 fails=$status_limit write=900 read more=200 fails=$status_limit read remove
finish
