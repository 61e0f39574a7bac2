# adaptation-world.sh - a small real run whose machines turn out bad; sourced by bash
#
# There are four clusters of hosts, which are reached by ssh. Each host has a share of a processor.
# The run begins with one node of its own and with six machines: two in "narrow", two in "loaded"
# and two in "lost". When all have joined, the link to "narrow" loses bandwidth, other programs use
# the processors of the hosts in "loaded", and the nodes in "lost" are killed. The hosts in "spare"
# are used only if the run adapts. Needs root.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "${BASH_SOURCE[0]}")/ssh-namespaces.sh"
. "$(dirname "${BASH_SOURCE[0]}")/cpu-limits.sh"
. "$(dirname "${BASH_SOURCE[0]}")/nodes-log.sh"
trap 'end_servers; remove_namespaces; remove_cpu_groups; kill -KILL $(jobs -p) 2>/dev/null; rm -rf "$test_dir"' EXIT

names=("" narrow loaded lost spare)
world_hosts="11 12 21 22 31 32 41 42 43 44"
share_percent=25
narrow_rate=4mbit
n_loads=4
# The shared tree is sent to each node in each iteration, so nodes behind a slow link wait for it.
world_program=(barnes-hut --theta 0.1 --bodies 20000 --grain 250)

# make_adaptation_world: makes the hosts, and sets ssh, the provisioner of their machines. Skips the
# test if this machine does not allow that.
make_adaptation_world() {
  local n
  command -v tc >/dev/null || skip_all "tc is not there: install iproute2"
  need_namespaces
  need_cpu_limits
  # shellcheck disable=SC2086 # several
  make_world $world_hosts
  for n in $world_hosts; do
    limit_cpu "$n" $share_percent "${host_pids[n]}" || skip_all "a control group cannot be made"
    echo "$(host_address "$n"):$ssh_port cluster=${names[n / 10]} speed=1"
  done >hosts.txt
  ssh=ssh:hosts=$test_dir/hosts.txt,$ssh_params
}

# describe_nodes: prints how many members each cluster has, or nothing when that is not known.
describe_nodes() {
  local now
  now=$(status_query "' '.join('%s %d' % (c or 'own', len([n for n in s['nodes'] if n['state'] == 'member' and n['cluster'] == c]))
    for c in ('', 'narrow', 'loaded', 'lost', 'spare'))")
  [ "$now" = False ] || echo "$now"
}

# begin_world ITERATIONS OPTION...: starts the run and asks for its six machines; sets pid.
begin_world() {
  local name
  begin_log
  start on 1 "$satin" run --listen tcp://10.79.0.1:7000 --provision "$ssh" --min 0 --max 6 -n 1 --workers 1 "${@:2}" \
    "${world_program[@]}" --iterations "$1"
  mv err run.err
  until_true is_up 1 && limit_cpu 1 $share_percent "$(pid_of master)"
  for name in narrow loaded lost; do
    until_true on 1 "$satin" nodes add 2 --cluster $name >/dev/null 2>&1
  done
}

begun() { [ "$nodes_now" = "own 1 narrow 2 loaded 2 lost 2 spare 0" ]; }

# Fails when the run does not answer in time, as may happen on a busy machine.
find_victims() { victims=$(pids_of "n['cluster'] == 'lost'"); }

# spoil_world: makes the machines in "narrow", "loaded" and "lost" bad.
spoil_world() {
  limit_link 1 $narrow_rate
  load_cpu 21 $n_loads
  load_cpu 22 $n_loads
  # shellcheck disable=SC2086 # several
  until_true find_victims && kill -KILL $victims
  note "all of that goes bad"
}

# end_world: ends the hosts; fails if a network or control group is left on this machine.
end_world() {
  end_servers
  remove_namespaces
  remove_cpu_groups
  [ -z "$(all_namespaces)" ] && ! ls -d "$cpu_root/$mark"-* >/dev/null 2>&1
}
