# test-packages.sh - builds Satin's Debian packages, and installs them on a bare Debian 12
#
#   test-packages.sh SOURCE_ROOT
#
# Lintian must be silent. In a new Debian 12, apt install of the packages is the only step before
# satin run works; a program is built with libsatin-dev; a release with the next version replaces
# this one; and after a purge nothing is left. The test needs root, debootstrap and the mirror of
# apt, and takes some minutes.
#
# SPDX-License-Identifier: Apache-2.0
source_root=$1
here=$(cd "$(dirname "$0")" && pwd)
needed=(dh dpkg-buildpackage fakeroot lintian sphinx-build doxygen)
. "$here/chroot.sh"
# What a user installs for running and for building programs; the other packages come with these.
chosen="satin libsatin-dev"
plugins="satin-plugin-curl satin-plugin-etcd satin-plugin-gridftp satin-plugin-pmix satin-plugin-slurm satin-plugin-ssh"

# build: builds all packages of a copy of the source.
build() {
  mkdir "$test_dir/build" "$test_dir/build/satin"
  (cd "$source_root" && { git ls-files -z --cached --others --exclude-standard 2>/dev/null || find . -type f -print0; } |
    tar --create --null --files-from=-) | tar --extract -C "$test_dir/build/satin"
  cd "$test_dir/build/satin" || return 1
  [ ! -d /usr/lib/ccache ] || PATH=/usr/lib/ccache:$PATH
  DEB_BUILD_OPTIONS="nocheck parallel=2" dpkg-buildpackage -us -uc -b
}

# is_clean: lintian finds neither errors nor warnings, and no override is unused.
is_clean() {
  lintian --allow-root --no-tag-display-limit --fail-on error,warning --profile debian "$test_dir"/build/*.changes
}

# copy_debs FROM: puts the packages into the folder /debs of the system, without debug symbols.
copy_debs() {
  rm -rf "$root/debs"
  mkdir "$root/debs"
  cp "$1"/*.deb "$root/debs/"
  rm -f "$root"/debs/*-dbgsym_*
}

# installs NAME...: apt installs these packages, all libraries and satin-plugins, and nothing that
# is only recommended.
installs() {
  local files=() name
  for name; do files+=("/debs/${name}_*.deb"); done
  inside sh -c "apt-get install --yes --quiet --no-install-recommends \
    /debs/libsatin-*0_*.deb /debs/satin-plugins_*.deb ${files[*]}"
}

# is_lean: the base installation has brought in nothing of Globus, Slurm, libssh2 and libcurl.
is_lean() {
  ! inside dpkg-query --show | grep -E '^(libglobus|slurm|libssh2|libcurl)'
}

# builds_program: a program is built with libsatin-dev, and runs alone and on two nodes.
builds_program() {
  cp "$here/fib.c" "$root/tmp/"
  inside sh -c 'cd /tmp && cc -Wall -Werror fib.c $(pkg-config --cflags --libs satin-core) -o fib' || return 1
  says 832040 inside /tmp/fib 30 && says 832040 inside satin run -n 2 /tmp/fib 30
}

# passes_own: the tests that autopkgtest would run pass.
passes_own() {
  local name
  for name in run build; do
    cp "$source_root/debian/tests/$name" "$root/tmp/$name" && inside sh "/tmp/$name" || return 1
  done
}

# has_plugins: satin inspect opens each plugin.
has_plugins() {
  local name
  for name in provision-slurm provision-ssh transport-ssh storage-sftp registry-etcd part-notice storage-curl storage-gridftp; do
    inside satin inspect $name || return 1
  done
}

# make_next: makes the packages of the next version from those of this one.
make_next() {
  local deb folder=$test_dir/next
  next=${version%.*}.$((${version##*.} + 1))
  mkdir "$folder"
  for deb in "$root"/debs/*.deb; do
    rm -rf "$folder/tree"
    dpkg-deb -R "$deb" "$folder/tree"
    sed -i -E "s/^Version: .*/Version: $next/; s/\(= [0-9.]+\)/(= $next)/g" "$folder/tree/DEBIAN/control"
    dpkg-deb --root-owner-group -b "$folder/tree" "$folder/$(basename "$deb" | sed "s/_${version}_/_${next}_/")" || return 1
  done
  rm -rf "$folder/tree"
}

# list_versions: prints Satin's packages, their versions and states, also if only their settings are
# there.
list_versions() {
  inside dpkg-query --show --showformat='${Package} ${Version} ${db:Status-Status}\n' |
    grep satin | grep -v ' not-installed$'
}

# is_next: there are as many packages as before, and all have the next version.
is_next() {
  list_versions >"$test_dir/versions"
  cat "$test_dir/versions"
  [ "$(wc -l <"$test_dir/versions")" -eq "$n_packages" ] && ! grep -v " $next installed$" "$test_dir/versions"
}

# nothing_left: neither a file with Satin's name nor a trace in the list of packages.
nothing_left() {
  (cd "$root" && find . -xdev \( -path ./debs -o -path ./tmp -o -path ./proc -o -path ./dev \) -prune -o -iname '*satin*' -print) \
    >"$test_dir/left"
  list_versions >>"$test_dir/left"
  cat "$test_dir/left"
  [ ! -s "$test_dir/left" ]
}

purges() {
  # shellcheck disable=SC2046 # several packages
  inside apt-get purge --yes --quiet $(list_versions | cut -d ' ' -f 1)
}

check "the packages are built" build
check "lintian finds nothing" is_clean
version=$(dpkg-parsechangelog -l "$source_root/debian/changelog" -S Version)
make_root gcc libc6-dev pkg-config
inside apt-get update >"$test_dir/log" 2>&1
copy_debs "$test_dir/build"
# shellcheck disable=SC2086 # several names
check "apt installs them" installs $chosen
check "a base installation is lean" is_lean
check "satin run works without another step" says "fib(30) = 832040" inside satin run -n 2 fib 30
check "satin run uses all cores" says "fib(40) = 102334155" inside satin run fib 40
check "a program is built with libsatin-dev" builds_program
check "the tests for autopkgtest pass" passes_own
# shellcheck disable=SC2086
check "apt installs the other plugins" installs $chosen $plugins
check "satin inspect opens them" has_plugins
n_packages=$(list_versions | wc -l)
check "packages of the next version are made" make_next
copy_debs "$test_dir/next"
# shellcheck disable=SC2086
check "apt upgrades to the next version" installs $chosen $plugins
check "every package is the next version" is_next
check "satin run works after the upgrade" says "fib(30) = 832040" inside satin run -n 2 fib 30
check "apt purges them" purges
check "nothing is left" nothing_left
finish
