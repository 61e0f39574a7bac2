# chroot.sh - a bare Debian 12 in a folder, and cases in it; sourced by bash
#
# test_dir is a new folder; root is the system's folder in it. The system comes from the same mirror
# as the packages of this machine. All mounts are in a mount namespace of the test (unshare -m), so
# nothing stays mounted when the test is killed.
#
# SPDX-License-Identifier: Apache-2.0

# skip_all REASON: ends the test, as skipped.
skip_all() {
  echo "1..0 # SKIP $1"
  exit 0
}

# need COMMAND...: skips the test if this user is not root or a command is missing.
need() {
  local command
  [ "$(id -u)" -eq 0 ] || skip_all "only root can make a chroot"
  for command in debootstrap unshare "$@"; do
    command -v "$command" >/dev/null || skip_all "$command is not installed: tools/install-packages packages"
  done
}

# check NAME COMMAND...: a case, which passes if COMMAND succeeds. Its output is in the log.
check() {
  local name=$1
  shift
  n_cases=$((n_cases + 1))
  if "$@" >"$test_dir/log" 2>&1 </dev/null; then
    echo "ok $n_cases $name"
  else
    echo "not ok $n_cases $name"
    tail -n 40 "$test_dir/log" | sed 's/^/# /'
  fi
}

finish() {
  echo "1..$n_cases"
}

# find_mirror: prints the address from which apt gets the packages of Debian 12 on this machine.
find_mirror() {
  # shellcheck disable=SC2016 # apt replaces these words
  apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    sed -n 's/^bookworm //p' | head -n 1
}

# make_root PACKAGE...: makes the bare system, with these packages.
make_root() {
  local mirror
  mirror=$(find_mirror)
  [ -n "$mirror" ] || skip_all "apt knows no mirror of Debian 12"
  if ! timeout -k 5 1200 debootstrap --variant=minbase ${1:+--include="$(IFS=, && echo "$*")"} bookworm "$root" \
    "$mirror" >"$test_dir/debootstrap.log" 2>&1; then
    sed 's/^/# /' "$test_dir/debootstrap.log" | tail -n 20
    skip_all "debootstrap cannot make a Debian 12"
  fi
  mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount -t tmpfs tmpfs "$root/tmp"
}

# inside COMMAND...: runs it in the system, as root, with an environment of its own.
inside() {
  timeout -k 5 900 chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root \
    DEBIAN_FRONTEND=noninteractive XDG_RUNTIME_DIR=/tmp XDG_STATE_HOME=/tmp/state "$@"
}

# says TEXT COMMAND...: the command prints TEXT and nothing else on standard output.
says() {
  local text=$1 answer
  shift
  answer=$("$@") || return 1
  echo "$answer"
  [ "$answer" = "$text" ]
}

# The script starts itself again in a mount namespace of its own.
if [ "${SATIN_TEST_IN_NAMESPACE:-}" != yes ]; then
  need "${needed[@]}"
  SATIN_TEST_IN_NAMESPACE=yes exec unshare --mount --propagation private bash "$0" "$@"
fi
n_cases=0
test_dir=$(mktemp -d /tmp/satin-packages-XXXXXX)
root=$test_dir/root
# --one-file-system: if an unmount fails, /dev of this machine is left alone.
trap 'umount -R "$root/proc" "$root/dev" "$root/tmp" 2>/dev/null; rm -rf --one-file-system "$test_dir"' EXIT
trap 'exit 143' TERM INT HUP
