# test-command-gateway.sh - two clusters whose nodes reach each other only by ssh, through a gateway
#
# Each cluster is a network of two hosts. The gateway is a host of both networks. It forwards no
# packets, but runs sshd. The hub is in cluster a. Needs root, for network namespaces.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-common.sh"
. "$(dirname "$0")/namespaces.sh"
hub_uri=tcp://10.78.1.1:7000

# add_host NAME [NETWORK ADDRESS]...: makes a host with an interface in each network.
add_host() {
  local name=$1
  shift
  ip netns add "$mark-h$name" && ip -n "$mark-h$name" link set lo up || return 1
  while [ $# -gt 0 ]; do
    plug "$1" "p$name" "h$name" "eth$1" && ip -n "$mark-h$name" address add "$2/24" dev "eth$1" \
      && ip -n "$mark-h$name" link set "eth$1" up || return 1
    shift 2
  done
}

build_world() {
  add_switch a && add_switch b && add_host gate a 10.78.1.9 b 10.78.2.9 \
    && add_host a0 a 10.78.1.1 && add_host a1 a 10.78.1.2 \
    && add_host b0 b 10.78.2.1 && add_host b1 b 10.78.2.2
}

need_namespaces
trap 'end_servers; remove_namespaces; kill -KILL $(jobs -p) 2>/dev/null; rm -rf "$test_dir"' EXIT
build_world 2>why || skip_all "no network namespaces here: $(head -1 why)"
make_keys
within="ip netns exec $mark-hgate"
ssh_listen=0.0.0.0
start_gateway() {
  start_sshd
  echo "[10.78.1.9]:$ssh_port,[10.78.2.9]:$ssh_port $(cut -d ' ' -f 1,2 keys/host.pub)" >"$known_hosts"
}
start_gateway
login=",key=$test_dir/keys/user,known-hosts=$known_hosts,timeout=3s"
user=$(id -un)

# start_node HOST ARGUMENT...: starts a node on a host of cluster a or b, the first letter of HOST.
start_node() {
  local host=$1 gateway hub=$hub_uri
  if [ "${host%?}" = a ]; then
    gateway=b=ssh://$user@10.78.1.9:$ssh_port
  else
    gateway=a=ssh://$user@10.78.2.9:$ssh_port
    hub=ssh://$user@10.78.2.9:$ssh_port/10.78.1.1:7000
  fi
  shift
  on "$host" "$satin" node --hub "$hub" --secret-file key --cluster "${host%?}" -w 1 \
    --gateway "$gateway$login" "$@" >"$host.out" 2>"$host.err" </dev/null &
  pids+=($!)
}

start_run() {
  rm -f ./*.out ./*.err uri key
  on a0 "$satin" hub --listen "$hub_uri" --nodes 4 --new-secret key >uri 2>hub.err </dev/null &
  hub_pid=$!
  until_true test -s uri
  pids=()
  local host
  for host in a0 a1 b0 b1; do
    start_node "$host" "$@"
  done
}

# a_query EXPRESSION: a Python expression over the status from the hub.
a_query() {
  on a0 "$satin" status --json --hub "$hub_uri" --secret-file key 2>/dev/null | json_query "$1" >/dev/null
}

has_crossed() {
  a_query "$(sum_of net.received-wan) > $1"
}

# end_run: waits for the hub; sets status to the hub's, and leaves the nodes' output in out.
end_run() {
  local each
  for each in 1 2 3 4 5; do
    pid=$hub_pid
    until_true has_ended && break
  done
  [ "$each" -lt 5 ] || kill -KILL "$hub_pid"
  wait "$hub_pid"
  status=$?
  cat a?.out b?.out >out
  cat ./*.err >err
}

no_route() { ! on a0 bash -c 'exec 3<>/dev/tcp/10.78.2.1/22' 2>/dev/null; }
check "the clusters cannot connect to each other" no_route

sleep_for 30s
start_run "${work[@]}"
check "jobs and results cross the gateway" until_true has_crossed 1000
n_sessions() { ps -o pid= --ppid "$server_pid" | wc -l; }
one_each() { [ "$(n_sessions)" -le 4 ]; }
check "each node has one session" one_each
end_run
check "and the run ends well" is_status 0
check "with the right result, once" says out "$result"

start_run "${work[@]}"
until_true has_crossed 1000
kill_in_use() {
  [ "$(n_sessions)" -gt 0 ] || return 1
  kill_server
  return 0
}
check "sshd is killed in the middle of a run" kill_in_use
start_gateway
# Links come back, or nodes are declared dead. In both cases the result must be complete.
end_run
check "it is restarted, and the run ends well" is_status 0
check "with the right result, once" says out "$result"
remove_namespaces
check "no node is left" no_nodes
finish
