# ssh-namespaces.sh - clusters of hosts with an sshd each, in networks made by the test; sourced by
# bash
#
# Host N is a network namespace with the address 10.79.0.N. Hosts from 10 on belong to cluster
# N / 10. One cable connects the network of each cluster with the network in the middle, where host
# 1 is. In all else hosts are as in ssh-hosts.sh. Needs root.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "${BASH_SOURCE[0]}")/ssh-hosts.sh"
. "$(dirname "${BASH_SOURCE[0]}")/namespaces.sh"
trap 'end_servers; remove_namespaces; kill -KILL $(jobs -p) 2>/dev/null; rm -rf "$test_dir"' EXIT

host_address() { echo "10.79.0.$1"; }
host_within() { echo "ip netns exec $mark-h$1"; }

add_cluster() {
  add_switch "c$1" && plug middle "to$1" "c$1" uplink && ip -n "$mark-c$1" link set uplink master lan up
}

# plug_host N SWITCH: makes host N, with a cable to the network SWITCH.
plug_host() {
  ip netns add "$mark-h$1" && plug "$2" "p$1" "h$1" eth0 \
    && ip -n "$mark-h$1" address add "$(host_address "$1")/24" dev eth0 \
    && ip -n "$mark-h$1" link set eth0 up && ip -n "$mark-h$1" link set lo up
}

# add_hosts N...: makes these hosts of clusters, and the networks of their clusters.
add_hosts() {
  local n
  for n; do
    ip netns list | grep -qw "$mark-c$((n / 10))" || add_cluster $((n / 10)) || return 1
    plug_host "$n" "c$((n / 10))" || return 1
  done
}

# make_world N...: makes host 1 in the middle, and the hosts N, and starts their sshd. Skips the
# test if this machine does not allow that.
make_world() {
  local n
  need_namespaces
  { add_switch middle && plug_host 1 middle && add_hosts "$@"; } 2>why \
    || skip_all "no network namespaces here: $(head -1 why)"
  for n; do
    make_host "$n"
    start_host "$n"
  done
}

# cut_link N: pulls host N's cable. limit_link C RATE: limits the rate between cluster C and the
# middle, in both directions.
cut_link() { ip -n "$mark-h$1" link set eth0 down; }
limit_link() {
  local end
  for end in "middle to$1" "c$1 uplink"; do
    # shellcheck disable=SC2086 # two words
    set -- "$1" "$2" $end
    tc -n "$mark-$3" qdisc replace dev "$4" root tbf rate "$2" burst 5kb latency 100ms || return 1
  done
}

# Like status_query in test-command-common.sh, but runs satin status on host 1, where the run is.
status_query() { on 1 "$satin" status --json 2>/dev/null | json_query "$1"; }
