# podman-image.sh - an image of podman with a program and Satin; sourced by bash
#
# The image is imported from a folder with the program, the plugins and their libraries, at the same
# paths as here. Containers share the network and the folder of the run. All of podman's files are
# in the folder of the test.
#
# SPDX-License-Identifier: Apache-2.0

# put FILE: copies it into the image, with all libraries that it loads.
put() {
  local file
  for file in "$1" $(ldd "$1" | grep -o '/[^ )]*'); do
    [ -e "$test_dir/image$file" ] || cp -L --parents "$file" "$test_dir/image"
  done
}

# fill_image APPLICATION: fills the folder of the image. Sets contained, the program's path, which
# is the same in the image.
fill_image() {
  local file
  contained=$test_dir/bin/$1
  mkdir -p "$test_dir/bin" "$test_dir/image/usr/bin"
  ln -s usr/bin "$test_dir/image/bin"
  cp "$SATIN_APP_PATH/$1/$1" "$contained"
  for file in "$contained" "$(command -v sh)" "$(command -v env)" \
    $(find "$SATIN_PLUGIN_PATH" -name 'part-*.so' -o -name 'policy-*.so' -o -name 'registry-hub.so' -o -name 'transport-[tu]*.so'); do
    put "$file"
  done
  (cd image && mkdir -p tmp proc dev sys etc)
}

# write_pod: makes the script pod, which calls podman with folders of this test. crun refuses a
# machine with control groups of both versions, so as root the script hides the second version.
write_pod() {
  mkdir podman
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
}

# make_image APPLICATION: makes the image satin-test. Sets contained, and wrap: the words for
# --wrap. These words set limits, because podman would set higher ones than this user may have.
# Fails where podman cannot start a container, and sets pod_fault.
make_image() {
  local options limits="--ulimit nofile=1024:1024 --ulimit nproc=4096:4096"
  export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-$(ldd "$SATIN_APP_PATH/$1/$1" | sed -n 's/.* \(\/.*\)\/libsatin-.*/\1/p' | sort -u | paste -sd :)}
  pod_fault="podman is not installed: tools/install-packages test"
  command -v podman >/dev/null || return
  pod_fault="the libraries of sanitizers are not for containers"
  [ -z "$(sanitizer_of "$SATIN_APP_PATH/$1/$1")" ] || return
  fill_image "$1"
  write_pod
  tar -C image -c . | ./pod import - satin-test >import.log 2>&1
  pod_fault="podman cannot import an image: $(tail -n 1 import.log)"
  ./pod image exists satin-test 2>/dev/null || return
  options="run --rm --network host --cgroups=disabled $limits --preserve-fds=2 --env LD_LIBRARY_PATH=$LD_LIBRARY_PATH"
  # shellcheck disable=SC2086
  timeout 60 ./pod $options satin-test sh -c 'exit 7' 3</dev/null 4>/dev/null >try.log 2>&1
  [ $? = 7 ] || { pod_fault="podman cannot start a container here: $(tail -n 1 try.log)" && return 1; }
  wrap="$test_dir/pod $options --volume $XDG_RUNTIME_DIR:$XDG_RUNTIME_DIR satin-test"
}

# end_containers: removes all containers of the test.
end_containers() {
  [ ! -x "$test_dir/pod" ] || timeout 60 "$test_dir/pod" rm --all --force --time 0 >/dev/null 2>&1
}

# inside: prints the processes of nodes in containers.
inside() {
  local process
  for process in /proc/[0-9]*; do
    [ "$(readlink "$process/exe")" = "$contained" ] && echo "${process#/proc/}"
  done
}
