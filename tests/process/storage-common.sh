# storage-common.sh - servers on loopback and small disks, for tests of storages; sourced by bash
#
# A test starts a server of its own in its own folder, on a free port, and ends it. If the test
# needs a server that is not installed, or a disk that only root can make, it is skipped, and says
# why.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "${BASH_SOURCE[0]}")/test-command-common.sh"

export SATIN_PLUGIN_PATH
mounted=
server_pids=
within= # the words before a server's command: where it runs
trap 'end_servers; end_mounts; kill -KILL $(jobs -p) 2>/dev/null; rm -rf "$test_dir"' EXIT

end_servers() {
  local pid
  for pid in $server_pids; do
    kill_tree "$pid"
  done
}

end_mounts() {
  local folder
  cd / || exit 1
  for folder in $mounted; do
    umount -l "$folder"
  done
}

# kill_tree PID: kills a process and all it started, at once.
kill_tree() {
  local child
  kill -STOP "$1" 2>/dev/null
  for child in $(ps -o pid= --ppid "$1"); do
    kill_tree "$child"
  done
  kill -KILL "$1" 2>/dev/null
}

# need_program PATH PACKAGE: skips the whole test if the program is not installed.
need_program() {
  command -v "$1" >/dev/null || skip_all "$1 is not installed; it is in the package $2"
}

# free_port: prints a port that is free now.
free_port() {
  python3 -c '
import socket
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    print(s.getsockname()[1])'
}

# answers PORT: a server listens at this port.
answers() {
  $within bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1"' - "$1" 2>/dev/null
}

# start_server PORT COMMAND...: starts a server and waits until it answers; sets server_pid, leaves
# server.log. COMMAND must not make itself a daemon.
start_server() {
  local port=$1
  shift
  $within "$@" >>server.log 2>&1 </dev/null &
  server_pid=$!
  server_pids="$server_pids $server_pid"
  until_true answers "$port" || skip_all "$1 does not answer: $(tail -n 1 server.log)"
}

# kill_server: kills the server that was started last and all its children, as a power cut would.
kill_server() {
  kill_tree "$server_pid"
  wait "$server_pid" 2>/dev/null
}

# make_small_disk SIZE: mounts a file system of that size; sets small_disk. Fails unless this is
# root.
make_small_disk() {
  small_disk=$test_dir/small-disk
  mkdir -p "$small_disk"
  mount -t tmpfs -o "size=$1" tmpfs "$small_disk" 2>/dev/null || return 1
  mounted="$mounted $small_disk"
}

# all_kept: satin conformance found no broken rule and skipped none.
all_kept() {
  is_status 0 && ! grep -qE '^not ok|# SKIP' out
}

# make_file PATH BYTES: makes a file of so many random bytes.
make_file() {
  head -c "$2" /dev/urandom >"$1"
}

# make_keys: makes a key for the server and one for the user, in keys/. A test calls this once.
make_keys() {
  mkdir -p -m 700 keys
  ssh-keygen -q -t ed25519 -N '' -f keys/host
  ssh-keygen -q -t ed25519 -N '' -f keys/user
  cp keys/user.pub keys/authorized
}

# start_sshd [OPTION [LINE...]]: starts an sshd for this user on loopback. OPTION is for
# sftp-server; the LINEs go into the configuration. Sets ssh_port, which stays the same when sshd is
# started again, and known_hosts, a file with its key. SHLVL tells a user's bash that it is no login,
# so that it does not read ~/.bashrc, which may take a second or more on each connection.
start_sshd() {
  local options=${1-} sshd
  shift
  sshd=$(command -v sshd || echo /usr/sbin/sshd)
  [ -x "$sshd" ] || skip_all "sshd is not installed; it is in the package openssh-server"
  [ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
  ssh_port=${ssh_port:-$(free_port)}
  known_hosts=$test_dir/keys/known_hosts
  cat >sshd_config <<END
ListenAddress ${ssh_listen:-127.0.0.1}
Port $ssh_port
HostKey $test_dir/keys/host
AuthorizedKeysFile $test_dir/keys/authorized
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxStartups 100
LogLevel ERROR
UseDNS no
SetEnv SHLVL=1
Subsystem sftp ${sftp_server:-internal-sftp} $options
$(printf '%s\n' "$@")
END
  echo "[127.0.0.1]:$ssh_port $(cut -d ' ' -f 1,2 keys/host.pub)" >"$known_hosts"
  start_server "$ssh_port" "$sshd" -D -e -f "$test_dir/sshd_config"
  # The parameters and the URI for a storage on this server.
  ssh_params="key=$test_dir/keys/user known-hosts=$known_hosts"
  ssh_uri=sftp://$(id -un)@127.0.0.1:$ssh_port$test_dir
}
