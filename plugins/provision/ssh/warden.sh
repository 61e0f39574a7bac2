# warden.sh - runs on a host: starts commands, ends them, and leaves nothing behind
#
# This script is the warden. script.c puts lines before it that set the variables nonce, parent,
# limit_s, patience_s, size and digest (see ScriptPlace in script.h), and the positional parameters:
# folders that earlier wardens may have left here.
#
# Orders come on standard input, a line each. The warden ends all commands and itself when its input
# ends, or when it got no order "alive" for between once and twice limit_s. The archive must arrive
# within patience_s.
#
#   start NUMBER SECRET SCRIPT   starts command NUMBER; SECRET and SCRIPT are in base64, "-" for no
#                                secret
#   term NUMBER PID              sends SIGTERM to the command's process group
#   kill NUMBER PID              sends SIGKILL to that group
#   alive                        asks for the answer "alive"
#
# Answers are lines on standard output:
#
#   hello NONCE                  the warden runs; lines before this one come from the login
#   folder FOLDER                the warden writes only there; it reads the archive next
#   ready                        the archive is unpacked
#   failed REASON                nothing can be started here
#   runs NUMBER PID              the command is about to begin; PID leads its process group
#   refused NUMBER REASON        the command could not be started
#   ended NUMBER STATUS SAID     the command's exit status, and the end of its standard error in
#                                base64
#   alive
#   gone                         all commands have ended, and the folder is removed
#
# Each command has a guard, a process that runs guard() below. Only the warden has the writing end
# of a pipe that all guards read. So the guards notice when the warden ends, whatever the cause. A
# mark in the environment of each process (SATIN_SSH_MACHINE) shows which command has started the
# process.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094,SC2154
set -u
exec 4<&0 </dev/null
mask=$(umask)
umask 077
folder='' watchdog=''

say() { printf '%s\n' "$*"; }

# sweep MARK: kills all processes that have the mark; takes some seconds at most.
sweep() {
  round=0
  while [ "$round" -lt 50 ]; do
    pids=$(grep -lsF "SATIN_SSH_MACHINE=$1/" /proc/[0-9]*/environ | cut -d / -f 3)
    [ -n "$pids" ] || return 0
    # shellcheck disable=SC2086
    kill -s KILL $pids 2>/dev/null
    round=$((round + 1))
    [ "$round" -lt 3 ] || sleep 0.1
  done
}

finish() {
  trap : HUP INT TERM ALRM
  exec 9>&-
  [ -z "$watchdog" ] || kill -s KILL -- "-$watchdog" "$watchdog" 2>/dev/null
  wait
  if [ -n "$folder" ]; then
    sweep "$folder"
    rm -rf "$folder"
    [ ! -e "$folder" ] || exit 1
  fi
  say gone
  exit 0
}

fail() {
  say "failed $*"
  finish
}

# Unpacks the archive, unless one of its names is not plain; the sender makes plain names only.
unpack() {
  why=$(timeout "$patience_s" head -c "$size" <&4 2>&1 >"$folder/archive") || fail "cannot write to $folder: $why"
  sum=$(sha256sum <"$folder/archive")
  [ "${sum%% *}" = "$digest" ] \
    || fail "the program was changed on its way: SHA-256 was $digest, and is ${sum%% *} here"
  names=$(tar -tPzf "$folder/archive" 2>&1) || fail "cannot read the archive: $names"
  ! printf '%s\n' "$names" | grep -q -e / -e '^\.\{1,2\}$' || fail "the archive has a name with a folder"
  why=$(tar -xozf "$folder/archive" -C "$folder/files" 2>&1) || fail "cannot write to $folder: $why"
  rm -f "$folder/archive"
}

# Ends the warden if it got no order "alive" for too long. If the warden was killed, removes its
# folder.
# shellcheck disable=SC2016
watchdog_script='trap "is_heard=1" USR1; is_heard=1; echo ready; exec >/dev/null 2>&1
while sleep "$1"; do
  kill -0 "$2" || { rm -rf "$3"; exit; }
  [ "$is_heard" = 1 ] || kill -s ALRM "$2"
  is_heard=0
done'

# guard NUMBER SECRET SCRIPT: runs one command, and then ends all processes that the command has
# started.
guard() {
  trap : PIPE
  exec 4<&- 9>&-
  at=$folder/$1
  if ! why=$({ printf %s "$3" | base64 -d >"$at.sh" && mkfifo "$at.err"; } 2>&1); then
    rm -f "$at".*
    say "refused $1 cannot write to $folder: $why"
    return
  fi
  # Both ends of the pipe are opened here first: to open one end alone would wait for the second.
  exec 7<>"$at.err" 6<"$at.err"
  # shellcheck disable=SC2016
  setsid sh -c 'tail -c 2900 >"$1.last"; : >"$1.read"' sh "$at" <&6 6<&- 7<&- 8<&- 2>/dev/null &
  reader=$!
  exec 6<&-
  # shellcheck disable=SC2086
  if [ "$2" = - ]; then
    setsid $as_usual sh "$at.sh" "$at" "$mask" 3</dev/null 7<&- 8<&- &
  else
    printf %s "$2" 7<&- 8<&- | base64 -d 7<&- 8<&- | setsid $as_usual sh "$at.sh" "$at" "$mask" 3<&0 7<&- 8<&- &
  fi
  command=$!
  # Kills the command when the warden has ended.
  {
    read -r _ <&8
    round=0
    while [ "$round" -lt 100 ]; do
      kill -s KILL -- "-$command"
      round=$((round + 1))
      sleep 0.05
    done
  } 7<&- 2>/dev/null &
  watcher=$!
  exec 8<&-
  wait "$command"
  status=$?
  exec 7<&-
  kill -s KILL "$watcher" 2>/dev/null
  kill -s KILL -- "-$command" 2>/dev/null
  sweep "$at"
  round=0
  while [ ! -e "$at.read" ] && [ "$round" -lt 10 ]; do
    sleep 0.05
    round=$((round + 1))
  done
  said=$(base64 <"$at.last" 2>/dev/null | tr -d '\n')
  kill -s KILL -- "-$reader" "$reader" 2>/dev/null
  rm -f "$at".*
  say "ended $1 $status $said"
  kill -0 $$ 2>/dev/null || rm -rf "$folder"
}

trap : PIPE
trap finish HUP INT TERM ALRM
say "hello $nonce"
for old; do
  sweep "$old"
  rm -rf "$old"
done
folder=$(mktemp -d "${parent:-${TMPDIR:-/tmp}}/satin-ssh-XXXXXXXXXX" 2>&1) || {
  why=$folder folder=''
  fail "cannot make a folder: $why"
}
say "folder $folder"
why=$({ mkfifo "$folder/life" && mkdir "$folder/files"; } 2>&1) || fail "cannot write to $folder: $why"
exec 9<>"$folder/life" 8<"$folder/life"
rm -f "$folder/life"
[ "$size" = 0 ] || unpack
# A command in the background ignores SIGINT and SIGQUIT, unless env restores their defaults.
as_usual='env --default-signal=INT,QUIT'
$as_usual true 2>/dev/null || as_usual=''
setsid sh -c "$watchdog_script" sh "$limit_s" $$ "$folder" 4<&- 8<&- 9>&- &
watchdog=$!
while IFS=' ' read -r order number first second _ <&4; do
  case $order in
    start) guard "$number" "$first" "$second" & ;;
    term) [ ! -e "$folder/$number.sh" ] || kill -s TERM -- "-$first" 2>/dev/null ;;
    kill) [ ! -e "$folder/$number.sh" ] || kill -s KILL -- "-$first" 2>/dev/null ;;
    alive)
      kill -s USR1 "$watchdog"
      say alive
      ;;
  esac
done
finish
