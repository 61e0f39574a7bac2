# registry-etcd-common.sh - starts etcd servers for a test, and reads what they store of a run;
# sourced by bash
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "${BASH_SOURCE[0]}")/storage-servers.sh"

need_plugin registry-etcd
need_program etcd etcd-server
need_program etcdctl etcd-client

# The servers write into memory, because etcd waits for the disk at each write.
etcd_data=$(mktemp -d /dev/shm/satin-etcd-XXXXXX 2>/dev/null) || etcd_data=$test_dir/etcd
mkdir -p "$etcd_data"
trap 'end_servers; rm -rf "$etcd_data"; end_mounts; kill -KILL $(jobs -p) 2>/dev/null; rm -rf "$test_dir"' EXIT

# Long times, so that on a busy machine etcd elects no other leader and no node is declared dead.
etcd_patience=(--heartbeat-interval 200 --election-timeout 2000)
lease=lease=6s
export ETCDCTL_API=3

# choose_ports N: chooses client and peer ports for N servers; sets etcd_ports, etcd_peers,
# etcd_cluster and endpoints.
choose_ports() {
  local i
  etcd_ports=() etcd_peers=() etcd_cluster= endpoints=
  for ((i = 0; i < $1; i++)); do
    etcd_ports[i]=$(free_port)
    etcd_peers[i]=$(free_port)
    etcd_cluster+=${etcd_cluster:+,}n$i=http://127.0.0.1:${etcd_peers[i]}
    endpoints+=${endpoints:+,}127.0.0.1:${etcd_ports[i]}
  done
}

# begin_etcd I: starts server I, or starts it again with the data that it has; sets etcd_pids[I].
begin_etcd() {
  etcd --name "n$1" --data-dir "$etcd_data/n$1" "${etcd_patience[@]}" \
    --listen-client-urls "http://127.0.0.1:${etcd_ports[$1]}" \
    --advertise-client-urls "http://127.0.0.1:${etcd_ports[$1]}" \
    --listen-peer-urls "http://127.0.0.1:${etcd_peers[$1]}" \
    --initial-advertise-peer-urls "http://127.0.0.1:${etcd_peers[$1]}" \
    --initial-cluster "$etcd_cluster" >>"etcd-$1.log" 2>&1 </dev/null &
  etcd_pids[$1]=$!
  server_pids="$server_pids ${etcd_pids[$1]}"
}

# start_etcds N: starts N servers that form one store. Skips the test if they do not come up.
start_etcds() {
  local i
  choose_ports "$1"
  for ((i = 0; i < $1; i++)); do
    begin_etcd "$i"
  done
  until_true is_healthy || skip_all "etcd does not come up: $(tail -n 1 etcd-0.log)"
}

ctl() {
  etcdctl --endpoints "$endpoints" "$@" 2>/dev/null
}

# is_healthy: every server has a leader.
is_healthy() {
  ctl endpoint health >/dev/null
}

# etcd_leader: prints the number of the server that is the leader; fails if none is.
etcd_leader() {
  ctl endpoint status -w json | python3 -c '
import json, sys
ports = [int(word) for word in sys.argv[1:]]
for s in json.load(sys.stdin):
    status = s["Status"]
    if status["leader"] == status["header"]["member_id"]:
        print(ports.index(int(s["Endpoint"].rsplit(":", 1)[1])))
        sys.exit(0)
sys.exit(1)' "${etcd_ports[@]}"
}

# store_query RUN EXPRESSION: prints the value of a Python expression over the store's data of a
# run; fails if it is false. The expression may use master and term (numbers), members (a dictionary
# from node number to process id), pids (the same, of nodes that live) and has_end (the run is
# over).
store_query() {
  ctl get --prefix "/satin/$1/" -w json | python3 -c '
import base64, json, sys
prefix = "/satin/%s/" % sys.argv[1]
class Record:
    def __init__(self, data):
        self.data, self.at = data, 0
    def long(self):
        number, shift = 0, 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return (number >> 1) ^ -(number & 1)
    def text(self):
        n = self.long()
        self.at += n
        return self.data[self.at - n:self.at]
members, lives, master, term, has_end = {}, set(), 0, 0, False
for pair in json.load(sys.stdin).get("kvs", []):
    key = base64.b64decode(pair["key"]).decode()[len(prefix):]
    value = Record(base64.b64decode(pair.get("value", "")))
    if key == "view":
        master, term = [value.long() for i in range(6)][4:]
    elif key == "end":
        has_end = True
    elif key.startswith("life/"):
        lives.add(int(key[5:]))
    elif key.startswith("member/"):
        for i in range(3):
            value.text()
        members[int(key[7:])] = value.long()
pids = {id: pid for id, pid in members.items() if id in lives}
found = eval(sys.argv[2])
print(found)
sys.exit(0 if found else 1)' "$1" "$2"
}

# has_nodes RUN N: N nodes live, and one of them is the master.
has_nodes() {
  store_query "$1" "len(pids) == $2 and master in pids" >/dev/null
}
