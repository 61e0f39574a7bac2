# test-storage-sftp.sh - the storage "sftp" with a real sshd: keys, broken links, and full
# disks
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-servers.sh"
need_program sftp openssh-client
unset SSH_AUTH_SOCK
export HOME=$test_dir/home
mkdir -p -m 700 home/.ssh
make_keys
start_sshd

# try [PARAMETER...]: opens the folder and lists it.
try() {
  run "$satin" conformance --filter storage/open/what storage-sftp "uri=$ssh_uri/folder" "$@"
}
refused() { is_status 2 && grep -qF -- "$1" out; }

try $ssh_params
made() { is_status 0 && [ "$(stat -c %a folder)" = 700 ]; }
check "a folder that is not there is made, for its owner alone" made
try $ssh_params make=no
check "a folder that is there need not be made" is_status 0

# ---- the server's key ----
try "key=$test_dir/keys/user"
check "an unknown server is refused with its fingerprint" refused "$(ssh-keygen -lf keys/host.pub | cut -d ' ' -f 2)"
check "and with the cure" refused "ssh-keyscan -t ed25519 -p $ssh_port 127.0.0.1 >> $HOME/.ssh/known_hosts"
sh -c "$(grep -o 'ssh-keyscan.*' out) 2>/dev/null"
try "key=$test_dir/keys/user"
check "the cure helps" is_status 0
ssh-keygen -q -H -f "$HOME/.ssh/known_hosts" >/dev/null 2>&1
try "key=$test_dir/keys/user"
check "a hashed name is known" is_status 0
ssh-keygen -q -t ed25519 -N '' -f keys/other
sed "s|^\(.*\]:$ssh_port\) .*|\1 $(cut -d ' ' -f 1,2 keys/other.pub)|" "$known_hosts" >changed
try "key=$test_dir/keys/user" "known-hosts=$test_dir/changed"
check "a server whose key has changed is refused" refused "Somebody may be posing as the server"
check "and told how to forget the old key" refused "ssh-keygen -R [127.0.0.1]:$ssh_port"
(sed 's/^/@revoked /' "$known_hosts"; cat "$known_hosts") >revoked
try "key=$test_dir/keys/user" "known-hosts=$test_dir/revoked"
check "a server whose key is revoked is refused" refused "is revoked in"

# ---- the user's keys and passwords ----
try "key=$test_dir/keys/other" "known-hosts=$known_hosts"
check "a wrong key is refused and named" refused "$test_dir/keys/other"
try "known-hosts=$known_hosts"
check "without any key the cure is told" refused "there is no agent and no key in ~/.ssh"
cp keys/user home/.ssh/id_ed25519
try "known-hosts=$known_hosts"
check "the usual key is found" is_status 0
chmod 644 home/.ssh/id_ed25519
try "known-hosts=$known_hosts"
check "a key that others may read is refused" refused "run chmod 600 on it"
rm home/.ssh/id_ed25519
ssh-keygen -q -t ecdsa -N '' -f home/.ssh/id_ecdsa
cat home/.ssh/id_ecdsa.pub >>keys/authorized
# libssh2 1.10 leaks 24 bytes when it reads an ecdsa key from a file.
ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 try "known-hosts=$known_hosts"
check "an ecdsa key is as good" is_status 0
rm home/.ssh/id_ecdsa
ssh-keygen -q -t ed25519 -N secret -f keys/locked
cat keys/locked.pub >>keys/authorized
try "key=$test_dir/keys/locked" "known-hosts=$known_hosts"
check "a key with a passphrase is sent to the agent" refused "give that one to ssh-agent"
eval "$(ssh-agent -s)" >/dev/null
server_pids="$server_pids $SSH_AGENT_PID"
ssh-add -q keys/user
try "known-hosts=$known_hosts"
check "the agent's keys are used" is_status 0
ssh-add -q -D
try "known-hosts=$known_hosts"
check "an agent without a key is named" refused "agent (0 keys)"
unset SSH_AUTH_SOCK
try "key=$test_dir/none" "known-hosts=$known_hosts"
check "a key that is not there is named" refused "cannot open the key $test_dir/none"

run "$satin" conformance --filter storage/open/what storage-sftp "uri=sftp://ann:hunter2@127.0.0.1:$ssh_port/x"
hidden() { is_status 2 && grep -q 'password-file=FILE' out && ! grep -q hunter2 out err; }
check "a password in a URI is refused and not repeated" hidden
echo hunter2 >password
chmod 644 password
try "password-file=$test_dir/password" "known-hosts=$known_hosts"
check "a password file that others may read is refused" refused "run chmod 600 on it"
chmod 600 password
try "password-file=$test_dir/password" "known-hosts=$known_hosts"
wrong() { refused "password:" && ! grep -q hunter2 out err; }
check "a wrong password is refused and not repeated" wrong

# ---- missing folders, missing servers, full disks ----
run "$satin" conformance --filter storage/open/what storage-sftp $ssh_params "uri=$ssh_uri/none/folder"
check "a folder above that is missing is not found" refused "there is no such file"
: >plain
run "$satin" conformance --filter storage/open/what storage-sftp $ssh_params "uri=$ssh_uri/plain"
check "a file is no folder" is_status 2
port=$ssh_port
ssh_port=$(free_port)
run "$satin" conformance --filter storage/open/what storage-sftp $ssh_params "uri=sftp://127.0.0.1:$ssh_port/x"
check "a server that is not there is named" refused "cannot connect to [127.0.0.1]:$ssh_port: Connection refused"
ssh_port=$port

full_case="a full disk is a limit, and what was written before stays"
if make_small_disk 8M; then
  run "$satin" conformance --filter storage/append/largest storage-sftp $ssh_params "uri=$ssh_uri/small-disk"
  full() { is_status 1 && grep -qF "no room is left on the server's disk" out; }
  check "$full_case" full
  run "$satin" conformance --filter storage/append/bytes storage-sftp $ssh_params "uri=$ssh_uri/small-disk"
  check "after it, smaller files have room again" is_status 0
else
  skip "$full_case" "only root can mount a small disk"
fi

# ---- links that break ----
uri=$ssh_uri/folder
folder=$test_dir/folder
options=($ssh_params)
deaths_kept start_sshd

# below PID: prints all descendants of the process.
below() {
  local child
  for child in $(ps -o pid= --ppid "$1"); do
    echo "$child"
    below "$child"
  done
}

# subsystems: prints the processes sftp-server of the last sshd. Needs $sftp_server to be that
# program.
subsystems() {
  ps -o pid=,comm= -p "$(below "$server_pid" | paste -sd ,)" | awk '$2 == "sftp-server" { print $1 }'
}

# has_moved PID BYTES: the process has read more than BYTES, from files or from its client.
has_moved() { awk -v least="$2" '$1 == "rchar:" && $2 > least { is_much = 1 } END { exit !is_much }' "/proc/$1/io"; } 2>/dev/null

kill_subsystem() { kill -KILL $(subsystems); }
one_reads() { has_moved "$(subsystems)" 100000000; }
hung_up() { is_status 22 && [ "$took_ms" -lt 30000 ]; }

sftp_server=/usr/lib/openssh/sftp-server
start_sshd
in_midst "$folder" kill_subsystem
check "a subsystem that ends while it is written to, with sshd alive, is an error at once" hung_up
run "$drive" "$uri" $ssh_params -- write=400M
start "$drive" "$uri" $ssh_params -- read
until_true one_reads
stop_and_wait KILL "$(subsystems)"
check "nor is one waited for that ends in the middle of an answer" hung_up

check "the same server goes on" drive_ends 0 "$uri" $ssh_params -- write=2M read remove
kill_server
unset sftp_server

# ---- a writer that died while it replaced a file ----

# is_whole BYTES...: the file has one of these sizes, can be read, and is listed once.
is_whole() {
  drive_ends 0 "$uri" $ssh_params -- read list || return 1
  for bytes in "$@"; do
    grep -q "^read: $bytes bytes" out && grep -q "^list: $bytes bytes" out && return 0
  done
  return 1
}

start_sshd
"$drive" "$uri" $ssh_params -- write=5000 >/dev/null
"$drive" "$uri" $ssh_params -- write=5000 >/dev/null
mv folder/drive folder/.drive~old
check "a file that a writer believed dead moved out of the way is found" is_whole 5000
check "and goes to its place" drive_ends 0 "$uri" $ssh_params -- more=3000 read replace read
is_clean() { [ "$(ls -A folder)" = drive ]; }
check "with nothing beside it" is_clean
drive_ends 0 "$uri" $ssh_params -- remove
kill_server

start_sshd "-P fsync"
try $ssh_params
check "a server that cannot be told to write to its disk is refused" refused "give without-fsync=yes"
try $ssh_params without-fsync=yes
check "unless that does not matter" is_status 0
kill_server
sftp_server="/bin/sh -c 'echo Welcome; exec /usr/lib/openssh/sftp-server'"
start_sshd
try $ssh_params
check "a login that prints something is told" refused "does it print something at login?"
kill_server
sftp_server="/bin/sh -c 'cat >/dev/null'"
start_sshd
try $ssh_params timeout=500ms
check "a server that lives but never answers is given up" refused "the server was silent for"
kill_server
sftp_server=/bin/false
start_sshd
try $ssh_params timeout=500ms
check "and one whose subsystem does not begin" refused "does it offer SFTP"
finish
