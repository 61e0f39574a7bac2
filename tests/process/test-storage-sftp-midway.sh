# test-storage-sftp-midway.sh - the storage "sftp" while its writer dies, or its server refuses, at
# each request of a replace
#
# Each request takes connections of its own, which takes long. So this is in the suite rules.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-servers.sh"
unset SSH_AUTH_SOCK
export HOME=$test_dir/home
mkdir -p -m 700 home/.ssh
make_keys
start_sshd
uri=$ssh_uri/folder

# begin_replace WHAT N: starts a writer that replaces a file, while the server does WHAT ("stop" or
# "refuse") at request N. Returns when the writer has come to request N, or has ended.
begin_replace() {
  echo "$1 $2" >midway
  start "$drive" "$uri" $ssh_params -- replace
  until_true is_midway
  rm midway
}
is_midway() { [ -e midway.reached ] || has_ended; }

# goes_on: the folder has a whole file, the old one or the new one; the next writer can replace it,
# and writes the old one again. All of that goes over one connection, because connections are slow.
goes_on() {
  drive_ends 0 "$uri" $ssh_params -- read list replace read list write=5000 || return 1
  case $(awk '/^(read|list):/ { printf "%s ", $2 }' out) in
  "5000 5000 1000 1000 " | "1000 1000 1000 1000 ") [ "$(ls -A folder)" = drive ] ;;
  *) return 1 ;;
  esac
}

# each_death_is_survived: kills a writer before its first request, the next writer before its second
# request, and so on. Sets states: the files that each killed writer left.
each_death_is_survived() {
  local n
  states=
  for ((n = 1; n < 100; n++)); do
    begin_replace stop $n || return 1
    if [ ! -e midway.reached ]; then
      wait "$pid"
      return
    fi
    kill -KILL "$pid"
    wait "$pid" 2>/dev/null
    rm midway.reached
    states="$states $(ls -A folder | paste -sd ,)"
    goes_on || return 1
  done
  return 1
}

# each_refusal_is_survived: the server refuses a writer's first request, the next writer's second
# request, and so on.
each_refusal_is_survived() {
  local n
  for ((n = 1; n < 100; n++)); do
    begin_replace refuse $n || return 1
    wait_for_end
    [ -e midway.reached ] || return "$status"
    rm midway.reached
    goes_on || return 1
  done
  return 1
}

"$drive" "$uri" $ssh_params -- write=5000 >/dev/null
kill_server
sftp_server="python3 $(dirname "$0")/sftp-midway.py $test_dir/midway"
start_sshd
check "a writer killed before any request of a replace leaves a whole file, and the next one goes on" \
  each_death_is_survived
saw() { [[ "$states " == *" $1 "* ]]; }
check "one was killed with the new file beside the old one" saw .drive~new,drive
check "one with the old one out of the way and the new one not yet in its place" saw .drive~new,.drive~old
check "one with the old one not yet removed" saw .drive~old,drive
check "so does one that the server refuses any request" each_refusal_is_survived
kill_server
finish
