# ssh-hosts.sh - hosts with an sshd each, at addresses of loopback; sourced by bash
#
# Host N is 127.0.0.N, unless ssh-namespaces.sh says otherwise. All that is written there by one
# that comes by ssh is in hosts/N, and all that runs there has SATIN_TEST_HOST in its environment.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "${BASH_SOURCE[0]}")/storage-common.sh"

make_keys
ssh_port=$(free_port)
known_hosts=$test_dir/keys/known_hosts
ssh_params=key=$test_dir/keys/user,known-hosts=$known_hosts
host_pids=()

# host_address N: where its sshd listens. host_within N: the words before a command that runs there.
host_address() { echo "127.0.0.$1"; }
host_within() { :; }

# make_host N [LINE...]: its folder and the configuration of its sshd, with LINEs first and the variables in host_env.
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

# start_host N: its sshd begins, or begins again.
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

# sshd_of N: the processes of sshd itself, not what they have started.
sshd_of() {
  local pid=${host_pids[$1]} sessions
  sessions=$(pgrep -P "$pid" -x sshd)
  echo "$pid" $sessions $([ -z "$sessions" ] || pgrep -P "${sessions//$'\n'/,}" -x sshd)
}

# kill_host N SIGNAL: sshd alone, with all its sessions.
kill_host() {
  kill "-$2" $(sshd_of "$1")
  [ "$2" != KILL ] || wait "${host_pids[$1]}" 2>/dev/null
}

# kill_sessions N: those who are served are not any more, and others can come.
kill_sessions() {
  local pid
  for pid in $(sshd_of "$1"); do
    [ "$pid" = "${host_pids[$1]}" ] || kill -KILL "$pid"
  done
}

# runs_on N: the processes that came by ssh.
runs_on() {
  grep -lszxF "SATIN_TEST_HOST=$test_dir/hosts/$1" /proc/[0-9]*/environ | cut -d / -f 3
}

# is_clean N...: nothing runs or lies there.
is_clean() {
  local n
  for n; do
    [ -z "$(ls -A "$test_dir/hosts/$n")" ] && [ -z "$(runs_on "$n")" ] || return 1
  done
}
