# test-transport-ssh-rules.sh - the transport "ssh", with a real sshd, keeps all rules
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-common.sh"
make_keys
start_sshd
limit_s=400
run "$satin" conformance --except "$(dirname "$0")/transport-ssh.except" transport-ssh patience=30s \
  $ssh_params "uri=ssh://$(id -un)@127.0.0.1:$ssh_port/127.0.0.1:0"
check "all rules are kept but what sshd does not tell" is_status 0
finish
