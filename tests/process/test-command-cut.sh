# test-command-cut.sh - a cluster is cut off from the others and comes back
#
# There are three clusters of two hosts. Each host is a network namespace, each cluster has a
# bridge, and a cable connects each bridge with the one in the middle. Needs root.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
. "$(dirname "$0")/namespaces.sh"

hub_uri=tcp://10.77.0.1:7000

add_host() {
  local cluster=$1 host=$2
  ip netns add "$mark-h$cluster$host" && plug "c$cluster" "p$host" "h$cluster$host" eth0 \
    && ip -n "$mark-h$cluster$host" address add "10.77.0.$((cluster * 2 + host + 1))/24" dev eth0 \
    && ip -n "$mark-h$cluster$host" link set eth0 up && ip -n "$mark-h$cluster$host" link set lo up
}

build_world() {
  local cluster
  add_switch middle || return 1
  for cluster in 0 1 2; do
    add_switch "c$cluster" && plug middle "to$cluster" "c$cluster" uplink \
      && ip -n "$mark-c$cluster" link set uplink master lan up \
      && add_host "$cluster" 0 && add_host "$cluster" 1 || return 1
  done
}

need_namespaces
build_world 2>why || skip_all "no network namespaces here: $(head -1 why)"

members_are() {
  on 00 "$satin" status --json --hub "$hub_uri" --secret-file key 2>/dev/null \
    | json_query "len([n for n in s['nodes'] if n['state'] == 'member']) == $1" >/dev/null
}
# ended PID...: none of the processes lives.
ended() {
  local one
  for one in "$@"; do
    pid=$one
    has_ended || return 1
  done
}

on 00 "$satin" hub --listen "$hub_uri" --new-secret key >uri 2>hub.err </dev/null &
hub_pid=$!
until_true test -s uri
pids=()
sleep_for 180s
for place in 00 01 10 11 20 21; do
  on "$place" "$satin" node --hub "$hub_uri" --secret-file key --cluster "c${place%?}" -w 1 \
    "${work[@]}" >"$place.out" 2>"$place.err" </dev/null &
  pids+=($!)
done
check "six nodes of three clusters meet" until_true members_are 6

ip -n "$mark-middle" link set to2 down
check "a cluster that is cut off is declared dead" until_true members_are 4
still_there() { ! ended "${pids[4]}" && ! ended "${pids[5]}"; }
check "its nodes do not know that yet" still_there

ip -n "$mark-middle" link set to2 up
check "they end when they are back" until_true ended "${pids[4]}" "${pids[5]}"
statuses=()
for one in 4 5; do
  wait "${pids[one]}"
  statuses+=($?)
done
fenced() { [ "${statuses[*]}" = "23 23" ]; }
check "with the status of those who were declared dead" fenced
cat 20.err 21.err >err
# The two nodes hear that they are dead from the hub, or from a node of another cluster if they
# reach that node first.
told() { [ "$(grep -c 'was declared dead' err)" -eq 2 ]; }
check "and say so" told

# The rest of the work would take four nodes half a minute.
on 00 "$satin" node --hub "$hub_uri" --secret-file key --cluster c0 -w 16 "${work[@]}" >helper.out 2>helper.err </dev/null &
helper_pid=$!
for _ in 1 2 3 4 5; do
  until_true ended "${pids[@]:0:4}" "$helper_pid" "$hub_pid" && break
done
wait "$hub_pid"
status=$?
check "the side with the registry ends well" is_status 0
cat ./*.out >out
check "and has the right result, once" says out "$result"
cat ./*.err >err
[ "$(grep -c . out)" -eq 1 ] || cat out
remove_namespaces
check "no node is left" no_nodes
finish
