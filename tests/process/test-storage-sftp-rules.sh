# test-storage-sftp-rules.sh - the storage "sftp", with a real sshd, keeps all rules, also while
# each operation fails in turn
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-common.sh"
make_keys
start_sshd
mkdir folder
limit_s=1500
run "$satin" conformance storage-sftp $ssh_params "uri=$ssh_uri/folder" seeds=2
check "all rules are kept" all_kept
check "what the rules were tried with is gone" test -z "$(ls -A folder)"
finish
