# ssh-hosts.sh - hosts with an sshd each, at addresses of loopback; sourced by bash
#
# Host N is 127.0.0.N, unless the test uses ssh-namespaces.sh. A command that is started there by
# ssh has TMPDIR=hosts/N, where it writes its files, and SATIN_TEST_HOST in its environment, by
# which its processes are found.
#
# SPDX-License-Identifier: Apache-2.0
declare -F need_program >/dev/null || . "$(dirname "${BASH_SOURCE[0]}")/storage-common.sh"

make_keys
ssh_port=$(free_port)
known_hosts=$test_dir/keys/known_hosts
ssh_params=key=$test_dir/keys/user,known-hosts=$known_hosts
host_pids=()

# host_address N: prints the address of host N's sshd. host_within N: prints the words that go
# before a command to run it on host N.
host_address() { echo "127.0.0.$1"; }
host_within() { :; }

# make_host N [LINE...]: makes host N's folder and the configuration of its sshd. The configuration
# begins with the LINEs, and sets the variables in host_env for commands.
make_host() {
  local n=$1 address
  address=$(host_address "$1")
  shift
  mkdir -p "hosts/$n"
  cat >"sshd-$n" <<END
$(printf '%s\n' "$@")
ListenAddress $address
Port $ssh_port
HostKey $test_dir/keys/host
AuthorizedKeysFile $test_dir/keys/authorized
SetEnv TMPDIR=$test_dir/hosts/$n SATIN_TEST_HOST=$test_dir/hosts/$n ${host_env-}
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
LogLevel ERROR
UseDNS no
END
  grep -qsF "[$address]" "$known_hosts" \
    || echo "[$address]:$ssh_port $(cut -d ' ' -f 1,2 keys/host.pub)" >>"$known_hosts"
}

host_answers() {
  # shellcheck disable=SC2046 # several words, or none
  $(host_within "$1") bash -c 'exec 3<>"/dev/tcp/$1/$2"' - "$(host_address "$1")" "$ssh_port" 2>/dev/null
}

# start_host N: starts host N's sshd, or starts it again.
start_host() {
  local sshd
  sshd=$(command -v sshd || echo /usr/sbin/sshd)
  [ -x "$sshd" ] || skip_all "sshd is not installed; it is in the package openssh-server"
  [ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
  # shellcheck disable=SC2046 # several words, or none
  $(host_within "$1") "$sshd" -D -e -f "$test_dir/sshd-$1" >>"sshd-$1.log" 2>&1 </dev/null &
  host_pids[$1]=$!
  server_pids="$server_pids $!"
  until_true host_answers "$1" || skip_all "sshd does not answer: $(tail -n 1 "sshd-$1.log")"
}

# sshd_of N: prints the processes of host N's sshd, without the commands that it has started.
sshd_of() {
  local pid=${host_pids[$1]} sessions
  sessions=$(pgrep -P "$pid" -x sshd)
  echo "$pid" $sessions $([ -z "$sessions" ] || pgrep -P "${sessions//$'\n'/,}" -x sshd)
}

# kill_host N SIGNAL: sends a signal to host N's sshd and its sessions, but not to their commands.
kill_host() {
  kill "-$2" $(sshd_of "$1")
  [ "$2" != KILL ] || wait "${host_pids[$1]}" 2>/dev/null
}

# kill_sessions N: kills the sessions of host N. Its sshd lives, and accepts new ones.
kill_sessions() {
  local pid
  for pid in $(sshd_of "$1"); do
    [ "$pid" = "${host_pids[$1]}" ] || kill -KILL "$pid"
  done
}

# runs_on N: prints the processes on host N that were started by ssh.
runs_on() {
  grep -lszxF "SATIN_TEST_HOST=$test_dir/hosts/$1" /proc/[0-9]*/environ | cut -d / -f 3
}

# is_clean N...: the hosts have neither processes nor files.
is_clean() {
  local n
  for n; do
    [ -z "$(ls -A "$test_dir/hosts/$n")" ] && [ -z "$(runs_on "$n")" ] || return 1
  done
}
