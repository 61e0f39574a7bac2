# test-storage-sftp-logins.sh - two logins of the storage "sftp" that read one file, or make a new one
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-servers.sh"
need_program sftp openssh-client
unset SSH_AUTH_SOCK
limit_s=60
make_keys
sftp_server=/usr/lib/openssh/sftp-server
start_sshd
uri=$ssh_uri/folder
folder=$test_dir/folder
options=($ssh_params)

# both_work: two logins have moved some of what is large.
both_work() {
  local pid n=0
  for pid in $(subsystems); do
    has_moved "$pid" 30000000 && n=$((n + 1))
  done
  [ "$n" -eq 2 ]
}

# start_both STEP: a step of 1 GB, begun, with two logins at work.
start_both() {
  start "$drive" "$uri" "${options[@]}" -- "$1"
  until_true both_work
}

# login_dies N STEP: of two at work, the one that logged in as the Nth ends: the step fails at once, or, when that one had no
# part just then, goes on.
login_dies() {
  start_both "$2"
  stop_and_wait KILL "$(subsystems | sed -n "$1p")"
  [ "$took_ms" -lt 30000 ] && { is_status 22 || { is_status 0 && grep -q "1073741824 bytes" out; }; }
}

# ---- a file that is made ----
# other_sees: who looks at a file that is being made finds what is sure of it.
other_sees() {
  local file size
  start_both write=1G
  kill -STOP "$pid"
  file=$(ls -A folder)
  "$drive" "$uri" "${options[@]}" -- list read >seen 2>&1
  kill -CONT "$pid"
  wait_for_end
  size=${file#.drive~}
  is_status 0 && [ "$size" -gt 0 ] && grep -q "^list: $size bytes" seen && grep -q "^read: $size bytes" seen
}
check "who looks at a file that two logins make finds what is sure of it" other_sees
is_plain() { [ "$(ls -A folder)" = drive ] && drive_ends 0 "$uri" "${options[@]}" -- read list; }
check "with sync it gets its name, with all bytes in their places" is_plain
check "to a file that was synced one login appends" drive_ends 0 "$uri" "${options[@]}" -- more=40M read

# Kills writers at any time; counts those that left more than was sure.
each_writer_leaves_no_hole() {
  local i file size
  n_unsure=0
  for i in 1 2 3 4 5 6; do
    "$drive" "$uri" "${options[@]}" -- remove
    start_both write=1G
    sleep "0.0$((i * 7 % 10))"
    kill -KILL "$pid"
    wait "$pid" 2>/dev/null
    file=$(ls -A folder)
    size=$(stat -c %s "folder/$file")
    [ "$size" -gt "${file#.drive~}" ] && n_unsure=$((n_unsure + 1))
    is_whole_prefix || return 1
  done 2>/dev/null
}
check "a writer that dies while two logins write leaves no hole" each_writer_leaves_no_hole
saw_unsure() { [ "$n_unsure" -gt 0 ]; }
check "some of them had written more than was sure" saw_unsure
for n in 1 2; do
  drive_ends 0 "$uri" "${options[@]}" -- remove
  check "login $n of two that write may end at any time" login_dies $n write=1G
  check "which leaves no hole either" is_whole_prefix
done

# Kills one before each of its calls in turn, which makes a file of 5000 bytes.
each_death_is_survived() {
  local call
  for ((call = 1; call < 60; call++)); do
    "$drive" "$uri" "${options[@]}" -- remove || return 1
    start "$drive" "$uri" "${options[@]}" helped-from=1 hang-call=$call -- write=5000
    until_true hangs
    has_ended && return 0
    kill -KILL "$pid"
    wait "$pid" 2>/dev/null
    states="$states $(ls -A folder | paste -sd ,)"
    drive_ends 0 "$uri" "${options[@]}" -- more=3000 read replace read && is_plain || return 1
  done
  return 1
}
check "a writer killed before any call leaves what the next one goes on with" each_death_is_survived
saw() { [[ "$states " == *" $1 "* ]]; }
check "one was killed when nothing was sure" saw .drive~0
check "one when all was done" saw drive

full_case="a disk that gets full while two logins write is a limit, and what was sure stays"
if make_small_disk 400M; then
  uri=$ssh_uri/small-disk
  run "$drive" "$uri" "${options[@]}" -- write=1G
  check "$full_case" is_status $status_limit
  is_there() { drive_ends 0 "$uri" "${options[@]}" -- list read && grep -q "^read: [0-9]\{9\} bytes" out; }
  check "and is read" is_there
  check "and when it is gone there is room again" drive_ends 0 "$uri" "${options[@]}" -- write=300M read
  uri=$ssh_uri/folder
else
  skip "$full_case" "only root can mount a small disk"
fi

mkdir source
make_file source/large 600000000
copy=("$satin" copy --to "${ssh_params/ /,}" "file:$test_dir/source/large" "$ssh_uri/copied/")
start "${copy[@]}"
until_true both_work
kill -KILL "$pid"
wait "$pid" 2>/dev/null
run "${copy[@]}"
is_copied() { is_status 0 && cmp source/large copied/large; }
check "a copy that was killed is taken up again" is_copied

# ---- a file that is read ----
run "$drive" "$uri" "${options[@]}" -- write=1G
for n in 1 2; do
  check "login $n of two that read may end at any time" login_dies $n read
done
check "with one alone the same bytes are read" drive_ends 0 "$uri" "${options[@]}" helped-from=0 -- read
stops_at_once() { drive_ends 0 "$uri" "${options[@]}" -- interrupt=400 read fails=$status_timeout read && [ "$took_ms" -lt 20000 ]; }
check "an interrupt ends both, and reading goes on after it" stops_at_once
changed_s() { stat -c %Y folder/drive; }
replaced_is_newer() {
  local before i
  for i in 1 2 3; do
    before=$(changed_s)
    drive_ends 0 "$uri" "${options[@]}" -- replace && [ "$(changed_s)" -gt "$before" ] || return 1
  done
}
check "what replaces a file was changed later, also within a second" replaced_is_newer
drive_ends 0 "$uri" "${options[@]}" -- remove
check "nothing is left" folder_is_clean "$folder"
finish
