# test-command-podman.sh - nodes in containers of podman: an image with the program and Satin
#
# The image is imported from a folder with the program, the plugins and their libraries, at the same
# paths as here. The containers share the network and the folder of the run. The test brings its own
# folders for images, and is skipped where podman cannot start a container.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

command -v podman >/dev/null || skip_all "podman is not installed: tools/install-packages test"
[ -z "$(sanitizer_of "$node")" ] || skip_all "the libraries of sanitizers are not for containers"
plugins=$SATIN_PLUGIN_PATH
program=$test_dir/bin/tree
mkdir -p "$test_dir/bin" "$test_dir/image/usr/bin"
ln -s usr/bin "$test_dir/image/bin"
cp "$SATIN_APP_PATH/tree/tree" "$program"

# put FILE: copies it into the image, with all libraries that it loads.
put() {
  local file
  for file in "$1" $(ldd "$1" | grep -o '/[^ )]*'); do
    [ -e "$test_dir/image$file" ] || cp -L --parents "$file" "$test_dir/image"
  done
}
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-$(ldd "$SATIN_APP_PATH/tree/tree" | sed -n 's/.* \(\/.*\)\/libsatin-.*/\1/p' | sort -u | paste -sd :)}
for file in "$program" "$(command -v sh)" "$(command -v env)" \
  $(find "$plugins" -name 'part-*.so' -o -name 'policy-*.so' -o -name 'registry-hub.so' -o -name 'transport-[tu]*.so'); do
  put "$file"
done
mkdir -p image/tmp image/proc image/dev image/sys image/etc

# The script pod calls podman with folders of this test. Limits that this user may not raise are
# given. crun refuses a machine with control groups of both versions, so it does not see the second.
cat >pod <<END
#!/bin/sh
root=$test_dir/podman
set -- --root \$root/images --runroot \$root/run --tmpdir \$root/tmp --storage-driver vfs \\
  --cgroup-manager cgroupfs --events-backend none --log-level error "\$@"
if [ "\$(id -u)" = 0 ] && [ -e /sys/fs/cgroup/unified ]; then
  exec unshare --mount sh -c 'umount /sys/fs/cgroup/unified; exec podman "\$@"' sh "\$@"
fi
exec podman "\$@"
END
chmod +x pod
mkdir podman
leave() {
  timeout 60 ./pod rm --all --force --time 0 >/dev/null 2>&1
  kill -KILL $(jobs -p) 2>/dev/null
  cd / && rm -rf "$test_dir"
}
trap leave EXIT
tar -C image -c . | ./pod import - satin-test >import.log 2>&1 || skip_all "podman cannot import an image: $(tail -n 1 import.log)"
limits="--ulimit nofile=1024:1024 --ulimit nproc=4096:4096"
options="run --rm --network host --cgroups=disabled $limits --preserve-fds=2 --env LD_LIBRARY_PATH=$LD_LIBRARY_PATH"
# shellcheck disable=SC2086
timeout 60 ./pod $options satin-test env true 3</dev/null 4>/dev/null >try.log 2>&1
# shellcheck disable=SC2086
timeout 60 ./pod $options satin-test sh -c 'exit 7' 3</dev/null 4>/dev/null >try.log 2>&1
[ $? = 7 ] || skip_all "podman cannot start a container here: $(tail -n 1 try.log)"
wrap="$test_dir/pod $options --volume $XDG_RUNTIME_DIR:$XDG_RUNTIME_DIR satin-test"

# inside: prints the processes of nodes in containers.
inside() {
  local process
  for process in /proc/[0-9]*; do
    [ "$(readlink "$process/exe")" = "$program" ] && echo "${process#/proc/}"
  done
}
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
