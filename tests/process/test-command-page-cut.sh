# test-command-page-cut.sh - what the page and satin top say of a cluster that is cut off
#
# There are two clusters of two hosts, network namespaces with a cable between their networks. Needs
# root.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
. "$(dirname "$0")/namespaces.sh"

hub_uri=tcp://10.78.0.1:7000

# add_host CLUSTER N: makes host N of a network.
add_host() {
  ip netns add "$mark-h$2" && plug "c$1" "p$2" "h$2" eth0 \
    && ip -n "$mark-h$2" address add "10.78.0.$2/24" dev eth0 \
    && ip -n "$mark-h$2" link set eth0 up && ip -n "$mark-h$2" link set lo up
}

build_world() {
  add_switch c0 && add_switch c1 && plug c0 far c1 near && ip -n "$mark-c1" link set near master lan up \
    && add_host 0 1 && add_host 0 2 && add_host 1 3 && add_host 1 4
}

need_namespaces
build_world 2>why || skip_all "no network namespaces here: $(head -1 why)"

on 1 "$satin" hub --listen "$hub_uri" --nodes 4 --new-secret key --journal journal --stats-json stats.json \
  >uri 2>hub.err </dev/null &
hub_pid=$!
until_true test -s uri
sleep_for 36s
for place in 1 2 3 4; do
  on "$place" "$satin" node --hub "$hub_uri" --secret-file key --cluster "c$((place / 3))" -w 1 "${work[@]}" \
    >"$place.out" 2>"$place.err" </dev/null &
done
is_up_here() { on 1 "$satin" status --json --hub "$hub_uri" --secret-file key 2>/dev/null \
  | json_query "len([n for n in s['nodes'] if n['state'] == 'member']) == 4" >/dev/null; }
check "four nodes of two clusters meet" until_true is_up_here
on 1 "$satin" top -b -d 300ms --hub "$hub_uri" --secret-file key >top.out 2>top.err </dev/null &
until_true grep -q '^4 nodes' top.out

ip -n "$mark-c0" link set far down
check "satin top shows the two that are cut off as lost" until_true grep -q '^2 nodes, 0 left, 2 died' top.out
wait_for_hub
check "the run ends well" test "$hub_status" -eq 0
result_is_right() { [ "$(cat 1.out 2.out)" = "$result" ]; }
check "with the right result" result_is_right
run python3 "$(dirname "$0")/page-agrees.py" journal stats.json top.out
check "the page, the metrics and satin top agree with --stats-json" is_status 0
ip -n "$mark-c0" link set far up
remove_namespaces
check "no node is left" until_true no_nodes
finish
