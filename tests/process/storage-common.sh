# storage-common.sh - what the tests of storages share: servers on loopback, full disks; sourced by bash
#
# A test starts a server of its own in its own folder, on a port that is free, and ends it. What
# cannot be had here (a server that is not installed, a disk that only root can make) is a reason to
# skip, and the reason is told.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "${BASH_SOURCE[0]}")/test-command-common.sh"

export SATIN_PLUGIN_PATH
mounted=
server_pids=
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

# skip_all REASON: ends the test, which is skipped.
skip_all() {
  echo "1..0 # SKIP $1"
  exit 0
}

# skip NAME REASON: one case that cannot be tried here.
skip() {
  n_cases=$((n_cases + 1))
  echo "ok $n_cases $1 # SKIP $2"
}

# need_program PATH PACKAGE: skips the whole test when it is not installed.
need_program() {
  command -v "$1" >/dev/null || skip_all "$1 is not installed; it is in the package $2"
}

# free_port: one that nobody listens on at this moment.
free_port() {
  python3 -c '
import socket
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    print(s.getsockname()[1])'
}

# answers PORT: somebody listens there.
answers() {
  (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# start_server PORT COMMAND...: begins a server in the foreground and waits until it
# answers; sets server_pid, leaves server.log.
start_server() {
  local port=$1
  shift
  "$@" >>server.log 2>&1 </dev/null &
  server_pid=$!
  server_pids="$server_pids $server_pid"
  until_true answers "$port" || skip_all "$1 does not answer: $(tail -n 1 server.log)"
}

# kill_server: kills the last one started and all that serves its clients, as a power cut does.
kill_server() {
  kill_tree "$server_pid"
  wait "$server_pid" 2>/dev/null
}

# make_small_disk SIZE: a file system of that size; sets small_disk. Fails when only root may do that.
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

# make_file PATH BYTES: one with random bytes.
make_file() {
  head -c "$2" /dev/urandom >"$1"
}
