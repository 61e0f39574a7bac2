# namespaces.sh - hosts and networks for a test, made of network namespaces; sourced by bash
#
# A host is a namespace whose name is "h" and the name of the host, after the test's mark. A network
# is a namespace with a bridge in it. All tests on a machine see the same namespaces, so each test
# has a mark of its own in their names, and removes them. Needs root.
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

# add_switch NAME: makes a network, a namespace with a bridge in it.
add_switch() {
  ip netns add "$mark-$1" && ip -n "$mark-$1" link add lan type bridge \
    && ip -n "$mark-$1" link set lan up
}

# plug SWITCH PORT OTHER DEVICE: lays a cable from the port of a network to the device of namespace
# OTHER.
plug() {
  ip link add "$4" netns "$mark-$3" type veth peer name "$2" netns "$mark-$1" \
    && ip -n "$mark-$1" link set "$2" master lan up
}

# on HOST COMMAND...: runs the command on the host.
on() {
  local host=$1
  shift
  ip netns exec "$mark-h$host" "$@"
}
