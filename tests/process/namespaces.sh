# namespaces.sh - hosts and networks of a test's own: network namespaces; sourced by bash
#
# A host is a namespace "h...", a network one with a bridge in it. They are the machine's, so each test
# has names of its own, and removes them. Needs root.
#
# SPDX-License-Identifier: Apache-2.0

mark=satin-$$

need_namespaces() {
  [ "$(id -u)" -eq 0 ] || skip_all "network namespaces need root"
  command -v ip >/dev/null || skip_all "ip is not there: install iproute2"
}

all_namespaces() { ip netns list 2>/dev/null | sed 's/ .*//' | grep "^$mark-"; }

remove_namespaces() {
  local name
  for name in $(all_namespaces); do
    # shellcheck disable=SC2046 # several
    kill -KILL $(ip netns pids "$name") 2>/dev/null
    ip netns del "$name"
  done
}
trap 'remove_namespaces; rm -rf "$test_dir"' EXIT

# add_switch NAME: a namespace with a bridge in it.
add_switch() {
  ip netns add "$mark-$1" && ip -n "$mark-$1" link add lan type bridge \
    && ip -n "$mark-$1" link set lan up
}

# plug SWITCH PORT OTHER DEVICE: a cable from the switch's port to the other's device.
plug() {
  ip link add "$4" netns "$mark-$3" type veth peer name "$2" netns "$mark-$1" \
    && ip -n "$mark-$1" link set "$2" master lan up
}

# on HOST COMMAND...
on() {
  local host=$1
  shift
  ip netns exec "$mark-h$host" "$@"
}
