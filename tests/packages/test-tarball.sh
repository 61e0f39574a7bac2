# test-tarball.sh - packs the tarball of tools/make-tarball, and uses it without root
#
#   test-tarball.sh SOURCE_ROOT
#
# The tarball is unpacked by the user nobody, in a folder whose path has a space, on a bare Debian 12
# that has a compiler but none of the libraries that Satin needs. Programs run on nodes, and are
# built with the tarball's pkg-config files.
#
# SPDX-License-Identifier: Apache-2.0
source_root=$1
here=$(cd "$(dirname "$0")" && pwd)
needed=(meson patchelf setpriv zstd)
. "$here/chroot.sh"
place="/tmp/a place"

build() {
  [ ! -d /usr/lib/ccache ] || PATH=/usr/lib/ccache:$PATH
  meson setup "$test_dir/build" "$source_root" --prefix=/opt/satin --libdir=lib --buildtype=release \
    -Dtests=false -Dbench=false && ninja -C "$test_dir/build"
}

pack() {
  tarball=$("$source_root/tools/make-tarball" "$test_dir/build" "$test_dir" | tail -n 1) && [ -s "$tarball" ]
}

# as_nobody SCRIPT: a shell of the user nobody runs the script in the folder.
as_nobody() {
  inside setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME=/nonexistent XDG_RUNTIME_DIR="$place" \
    XDG_STATE_HOME="$place/state" sh -c 'cd "$0" && eval "$1"' "$place" "$1"
}

unpack() {
  inside mkdir "$place" && inside chown nobody:nogroup "$place" || return 1
  zstd --decompress --stdout "$tarball" >"$root/tmp/satin.tar"
  cp "$here/fib.c" "$root$place/"
  as_nobody 'umask 077 && tar xf /tmp/satin.tar && mv satin-* satin'
}

# finds_libraries: all libraries that the tarball's programs need are found: in the tarball, or as
# libraries of the C library.
finds_libraries() {
  as_nobody 'find satin/bin satin/lib satin/libexec -type f -perm -u+x -exec ldd {} +' >"$test_dir/ldd" || return 1
  ! grep 'not found' "$test_dir/ldd" || return 1
  ! grep '=> /' "$test_dir/ldd" | grep -vE '=> /tmp/a place/satin/|lib(c|m|dl|rt|pthread|resolv)\.so\.'
}

builds_program() {
  as_nobody 'export PKG_CONFIG_PATH="$PWD/satin/lib/pkgconfig"
    eval cc -Wall -Werror fib.c $(pkg-config --cflags --libs satin-core) -o fib' || return 1
  says 832040 as_nobody './fib 30' && says 832040 as_nobody 'satin/bin/satin run -n 2 ./fib 30'
}

# has_pkg_config: pkg-config finds the flags of all libraries in the tarball's files.
has_pkg_config() {
  as_nobody 'PKG_CONFIG_PATH="$PWD/satin/lib/pkgconfig" pkg-config --cflags --libs satin-sim satin-so satin-journal'
}

# opens_plugins: satin inspect opens each plugin of the tarball.
opens_plugins() {
  as_nobody 'for file in satin/lib/satin/plugins/*-*.so; do
    name=${file##*/} && satin/bin/satin inspect "${name%.so}" || exit 1
  done'
}

check "Satin is built" build
check "the tarball is made" pack
make_root gcc libc6-dev pkg-config
check "another user unpacks it in a path with a space" unpack
check "all libraries are in it, except the C library" finds_libraries
check "the plugins open" opens_plugins
check "satin run finds an application" says "fib(30) = 832040" as_nobody 'satin/bin/satin run -n 2 fib 30'
check "links over TLS work" says "fib(30) = 832040" as_nobody 'satin/bin/satin run -n 2 --transport tcp fib 30'
check "a program is built with its pkg-config files" builds_program
check "the other .pc files are whole" has_pkg_config
check "satin course finds its assignments" as_nobody 'satin/bin/satin course list | grep -w 01-integrate'
check "satin new-plugin finds its templates" as_nobody 'satin/bin/satin new-plugin policy mine'
finish
