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

for n in 1 2 4; do
  start "$satin" run -n "$n" -w 1 tree --sleep --grain 20ms 6s
  until_true is_up "$n"
  # shellcheck disable=SC2046
  stand_still 8 $(pids_of True)
  wait_for_end
  right() { is_status 0 && says out "tree: 470 leaves"; }
  check "$n nodes that all stand still for 8 s go on" right
  check "and none of $n was declared dead" test ! -s err
done

# A master that is declared dead must not print the answer, too, if it lives.
start "$satin" run -n 3 -w 1 tree --sleep --grain 20ms 6s
until_true is_up 3
stopped=$(pid_of master)
kill -STOP "$stopped"
once() { is_status 0 && says out "tree: 470 leaves" && says err "(pid $stopped) was declared dead"; }
wait_for_end
check "a master that is declared dead and lives prints no second answer" once

start_hub --listen tcp://127.0.0.1:0 --nodes 3 --new-secret key
start "$satin" run --hub "$uri" --secret-file key -n 3 -w 1 tree --sleep --grain 20ms 6s
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
finish
