# test-storage-s3-rules.sh - the storage "s3", with Swift's s3api, keeps the rules that take long: many
# files, and calls that fail or are the last of their writer
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-servers.sh"

need_plugin storage-s3
rules_plugin=storage-s3
limit_s=800
make_server_folder swift
served=$test_dir/swift
port=$(free_port)
start_swift conditions
families="list fault crash"
check "all rules are kept" rules_kept "s3+http://127.0.0.1:$port/bucket/folder" timeout=20s
finish
