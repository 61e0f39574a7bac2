# test-storage-sftp-logins-rules.sh - the storage "sftp" keeps all rules when it makes every new file for two logins
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-common.sh"
make_keys
start_sshd
mkdir folder
limit_s=1500
run "$satin" conformance storage-sftp $ssh_params "uri=$ssh_uri/folder" helped-from=1 seeds=1
check "all rules are kept" all_kept
check "what the rules were tried with is gone" test -z "$(ls -A folder)"
finish
