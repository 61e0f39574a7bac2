# test-image.sh - builds the image of packaging/oci with podman, and runs nodes in it
#
#   test-image.sh SOURCE_ROOT
#
# The image of Debian 12 that it begins with is made by debootstrap from the mirror of apt, so no
# registry of images is needed. The test needs root, podman and debootstrap, and takes many minutes.
# The recipe of Apptainer is built if Apptainer and the base image of Docker Hub are there.
#
# SPDX-License-Identifier: Apache-2.0
source_root=$1
here=$(cd "$(dirname "$0")" && pwd)
needed=(podman)
. "$here/chroot.sh"

# Control groups of both versions at once are refused by crun. This mount namespace is the test's
# own, so the second version goes away in it.
umount /sys/fs/cgroup/unified 2>/dev/null
pod() {
  podman --root "$test_dir/podman/images" --runroot "$test_dir/podman/run" --tmpdir "$test_dir/podman/tmp" \
    --storage-driver vfs --cgroup-manager cgroupfs --events-backend none --log-level error "$@"
}
mkdir "$test_dir/podman"

# copy_source: copies the source without what was built.
copy_source() {
  mkdir "$test_dir/source"
  (cd "$source_root" && { git ls-files -z --cached --others --exclude-standard 2>/dev/null || find . -type f -print0; } |
    tar --create --null --files-from=-) | tar --extract -C "$test_dir/source"
}

make_base() {
  tar --one-file-system -C "$root" -c . | pod import - satin-base
}

build() {
  pod build --isolation chroot --network host --build-arg BASE=localhost/satin-base -t satin-image \
    -f "$test_dir/source/packaging/oci/Containerfile" "$test_dir/source"
}

# in_image COMMAND...: runs the command in a container.
in_image() {
  timeout -k 5 300 podman --root "$test_dir/podman/images" --runroot "$test_dir/podman/run" \
    --tmpdir "$test_dir/podman/tmp" --storage-driver vfs --cgroup-manager cgroupfs --events-backend none \
    --log-level error run --rm --network host --cgroups=disabled --ulimit nofile=1024:1024 \
    --ulimit nproc=4096:4096 satin-image "$@"
}

is_small() {
  ! in_image sh -c 'command -v gcc || command -v meson'
}

make_root
check "the source is copied" copy_source
check "podman imports a bare Debian 12" make_base
pod run --rm --network host --cgroups=disabled --ulimit nofile=1024:1024 --ulimit nproc=4096:4096 \
  satin-base true >"$test_dir/log" 2>&1 || skip_all "podman cannot start a container here: $(tail -n 1 "$test_dir/log")"
check "podman builds the image" build
check "two nodes run in a container" says "fib(25) = 75025" in_image satin run -q -n 2 fib 25
check "the image has all plugins" in_image satin inspect
check "and no compiler" is_small
if command -v apptainer >/dev/null; then
  check "apptainer builds the image" sh -c "cd '$test_dir/source' && apptainer build '$test_dir/satin.sif' packaging/apptainer/satin.def"
  check "and two nodes run in it" says "fib(25) = 75025" apptainer exec "$test_dir/satin.sif" satin run -q -n 2 fib 25
else
  n_cases=$((n_cases + 1))
  echo "ok $n_cases apptainer builds the image # SKIP apptainer is not installed"
fi
finish
