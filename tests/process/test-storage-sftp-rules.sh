# test-storage-sftp-rules.sh - the storage "sftp" keeps all rules, each request failing in turn, against sshd
#
#   test-storage-sftp-rules.sh              a server that can rename over a file, as OpenSSH's
#   test-storage-sftp-rules.sh versions     one that cannot
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-common.sh"
make_keys
[ "${1-}" = versions ] && option="-P posix-rename"
start_sshd "${option-}"
mkdir folder
limit_s=1500
run "$satin" conformance storage-sftp $ssh_params "uri=$ssh_uri/folder" seeds=2
check "all rules are kept" all_kept
check "what the rules were tried with is gone" test -z "$(ls -A folder)"
finish
