# test-command-podman.sh - nodes in containers of podman: an image with the program and Satin
#
# It is skipped where podman cannot start a container.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
. "$(dirname "$0")/podman-image.sh"

trap 'end_containers; kill -KILL $(jobs -p) 2>/dev/null; cd / && rm -rf "$test_dir"' EXIT
make_image tree || skip_all "$pod_fault"
program=$contained
none_inside() { [ -z "$(inside)" ]; }
no_containers() { none_inside && [ -z "$(timeout 60 ./pod ps --all --quiet)" ]; }
answer() { is_status 0 && says out "$result"; }

result=$(SATIN_WORKERS=1 "$program" --grain 20ms 1s)
work=("$program" --sleep --grain 20ms 1s)
run "$satin" run -n 2 --wrap "$wrap" "${work[@]}"
check "nodes in containers have the right result" answer
check "and no container is left" until_true no_containers
run "$satin" run -n 2 --transport tcp --wrap "$wrap" "${work[@]}"
check "they read the secret" answer
run "$satin" run -n 1 --before "sh -c 'exit 9'" --wrap "$wrap" "${work[@]}"
check "the command before runs outside, and its failure ends the start" is_status 9

result=$(SATIN_WORKERS=1 "$program" --grain 20ms 60s)
work=("$program" --sleep --grain 20ms 60s)
start "$satin" run -n 3 --wrap "$wrap" "${work[@]}"
run_pid=$pid
check "three join" until_true is_up 3
kill -KILL "$(inside | tail -n 1)"
check "a node that is killed in its container is told of as killed" until_true killed_are 1
until_true is_up 2
kill -KILL "$(pids_of "not n['master']" | cut -d ' ' -f 1)"
one_inside() { [ "$(inside | wc -l)" -eq 1 ]; }
check "a podman that is killed leaves no node behind" until_true one_inside
pid=$run_pid wait_for_end
check "and the run ends with the right result" answer
check "and nothing is left inside" until_true none_inside

start "$satin" run -n 2 --wrap "$wrap" "$program" --sleep --grain 20ms 600s
until_true is_up 2
stop_and_wait INT "$pid"
check "Ctrl-C ends the containers" is_status 130
check "and nothing is left" until_true none_inside
start "$satin" run -n 2 --wrap "$wrap" "$program" --sleep --grain 20ms 600s
until_true is_up 2
kill -KILL "$pid"
wait "$pid" 2>/dev/null
check "a command that is killed leaves no node in a container" until_true none_inside
rm -rf "${XDG_RUNTIME_DIR:?}"/satin-*

start "$satin" run -n 1 --provision local:max=1,"wrap=$wrap" --min 1 "$program" --sleep --grain 20ms 600s
run_pid=$pid
check "a machine is a container" until_true is_up 2
one_in() { [ "$(inside | wc -l)" -eq 2 ]; }
check "beside a node that is none" one_in
pid=$run_pid stop_and_wait TERM "$run_pid"
check "the run gives it back" until_true none_inside
finish
