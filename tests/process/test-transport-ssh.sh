# test-transport-ssh.sh - the transport "ssh" with a real sshd: many links, keys, and an sshd that
# dies
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-common.sh"
make_keys
start_sshd
limit_s=100
gateway=ssh://$(id -un)@127.0.0.1:$ssh_port
drive=$SATIN_TEST_LINK_DRIVE
status_secret=16
status_unreachable=20

# drives STEP...: link-drive takes these steps with links through the gateway, without a failure.
drives() {
  run "$drive" "$gateway" $ssh_params -- "$@"
  is_status 0
}

# n_sessions: prints how many sessions sshd has.
n_sessions() {
  ps -o pid= --ppid "$server_pid" | wc -l
}

run "$satin" conformance --filter transport/bytes transport-ssh patience=30s $ssh_params "uri=$gateway/127.0.0.1:0"
check "the rules for bytes are kept" is_status 0

check "many links share a session and keep apart" drives links=20 carry=1000000
check "a link that is clogged does not stop the others" drives links=3 carry=1000 clog carry=20000000 unclog

# If the host key of a gateway is not known, the first error says how to add it.
ssh_params="key=$test_dir/keys/user known-hosts=/dev/null"
check "an unknown gateway is refused" drives refused=$status_secret
check "and the answer names the cure" grep -q 'ssh-keyscan' out
ssh-keygen -q -t ed25519 -N '' -f keys/stranger
ssh_params="key=$test_dir/keys/stranger known-hosts=$known_hosts"
check "a key that the gateway does not know is refused" drives refused=$status_secret
check "and the answer names the cure" grep -q 'authorized_keys' out
ssh_params="key=$test_dir/keys/user known-hosts=$known_hosts"

# killed_in_flood COMMAND...: runs COMMAND while links send as fast as they can. Every link must
# break, and none may deliver wrong bytes. Then the steps $after follow.
killed_in_flood() {
  start "$drive" "$gateway" $ssh_params timeout=2s -- links=5 flood forget "${after[@]}"
  until_true grep -q flooding out
  "$@"
  wait_for_end
  is_status 0
}
after=()
check "sshd killed in mid-transfer breaks its links and mixes none" killed_in_flood kill_server
after=(refused=$status_unreachable)
start_sshd
check "while it is away, nobody is reached" killed_in_flood kill_server
start_sshd
kill_sessions() { kill -KILL $(ps -o pid= --ppid "$server_pid"); }
after=(links=3 carry=100000)
check "after a broken session the next link opens another" killed_in_flood kill_sessions
stop_sessions() { kill -STOP $(ps -o pid= --ppid "$server_pid") $(ps -o pid= --ppid "$(ps -o pid= --ppid "$server_pid" | head -1)"); }
check "a session that is silent is given up, and another one opened" killed_in_flood stop_sessions
check "and its links say so" grep -q 'silent for 2 s' out
kill_server

start_sshd "" "AllowTcpForwarding no"
check "a gateway that forbids it is told so" drives refused=$status_unreachable
check "and the answer names the option" grep -q AllowTcpForwarding out
kill_server
start_sshd "" "RekeyLimit 1M"
# libssh2 1.10 leaks some bytes each time that keys are changed.
export LSAN_OPTIONS=detect_leaks=0
check "keys are changed in mid-transfer" drives links=2 carry=8000000
finish
