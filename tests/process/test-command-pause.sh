# test-command-pause.sh - satin run and satin hub: nodes and hubs that stand still for a while are
# not lost
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

# stand_still SECONDS PID...: stops all these processes at the same time, and lets them continue.
stand_still() {
  local seconds=$1
  shift
  kill -STOP "$@"
  sleep "$seconds"
  kill -CONT "$@"
}

# Most of the time all these runs wait, so they run side by side. Each has work for 8 s.
right() { is_status 0 && says out "$result"; }
pause_all() {
  start "$satin" run -n "$1" -w 1 "${work[@]}"
  until_true is_up "$1"
  # shellcheck disable=SC2046
  stand_still 8 $(pids_of True)
  wait_for_end
}
for n in 1 2 4; do
  sleep_for "$((8 * n))s"
  aside "all$n" pause_all "$n"
done
# A master that is declared dead must not print the answer, too, if it lives.
sleep_for 24s
pause_master() {
  start "$satin" run -n 3 -w 1 "${work[@]}"
  until_true is_up 3
  pid_of master >master
  kill -STOP "$(cat master)"
  wait_for_end
}
aside master pause_master

start_hub --listen tcp://127.0.0.1:0 --nodes 3 --new-secret key
start "$satin" run --hub "$uri" --secret-file key -n 3 -w 1 "${work[@]}"
all_up() {
  status_query "len(s['nodes']) == 3 and any(n['master'] for n in s['nodes'])" --hub "$uri" --secret-file key >/dev/null
}
until_true all_up
stand_still 8 "$hub_pid"
wait_for_end
check "a hub that stands still for 8 s and goes on loses no run" right
check "and declares nobody dead" test "$(grep -c 'declared dead' err)" -eq 0
wait_for_hub
hub_ended_well() { [ "$hub_status" -eq 0 ]; }
check "the hub ends well" hub_ended_well

for n in 1 2 4; do
  bring "all$n"
  sleep_for "$((8 * n))s"
  check "$n nodes that all stand still for 8 s go on" right
  check "and none of $n was declared dead" test ! -s err
done
bring master
sleep_for 24s
once() { right && says err "(pid $(cat master/master)) was declared dead"; }
check "a master that is declared dead and lives prints no second answer" once
finish
