# test-part-notice.sh - machines are taken back: nodes hear of it from metadata servers, and leave
#
# SATIN_TEST_DRIVE is notice-drive, SATIN_TEST_METADATA notice-metadata.py. The master is started
# first, so it has the first connection to the server. The server gives the master no notice, unless
# a case sets spared to 0.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
export http_proxy=http://127.0.0.1:9 # nothing is there; the part uses no proxy

# begin_cloud NAME: starts the server of that cloud; sets part, the parameters for it.
begin_cloud() {
  end_cloud
  rm -rf cloud && mkdir cloud
  "$SATIN_TEST_METADATA" "$1" "$test_dir/cloud" 2>cloud.err &
  cloud_pid=$!
  until_true test -s cloud/port
  part=notice:url=http://127.0.0.1:$(cat cloud/port),every=200ms
}
end_cloud() {
  [ -z "$cloud_pid" ] || { kill "$cloud_pid"; wait "$cloud_pid" 2>/dev/null; }
  cloud_pid=
}
put() { echo "$2" >"cloud/$1.new" && mv "cloud/$1.new" "cloud/$1"; }
given_are() { [ "$(cat cloud/given 2>/dev/null | wc -l)" -eq "$1" ]; }
figure() { json_query "$(sum_of "$1") $2" <figures >/dev/null; }

# Jobs of nodes that leave wait this long for what other nodes know of them. The machine of the test
# may be slow.
grace=ft:grace=1s

# begin_run NODES [PARAMETERS]: begins a run of NODES nodes.
begin_run() {
  rm -f counted counted.end figures
  start "$satin" run -n "$1" -w 1 --journal "$test_dir/journal-$((n_runs += 1))" --stats-json figures \
    --with "$grace" --with "$part${2:+,$2}" "$SATIN_TEST_DRIVE" "$test_dir/counted" 5 40
  until_true is_up "$1"
  until_true test -s counted
}
end_run() {
  touch counted.end
  wait_for_end
}
right() { is_status 0 && grep -qE '^[0-9]+ leaves$' out; }
# almost_once: hardly any leaf was computed twice. A node that leaves loses no finished result, but
# on a busy machine another node may begin a job again before it knows the job's result. With a
# sanitizer nodes need seconds for what takes milliseconds.
almost_once() {
  local n_computed n_leaves share=16
  [ -z "$(sanitizer_of "$satin")" ] || share=1
  n_computed=$(stat -c %s counted)
  n_leaves=$(cut -d ' ' -f 1 out)
  echo "# computed $n_computed of $n_leaves"
  [ "$n_computed" -ge "$n_leaves" ] && [ "$n_computed" -le $((n_leaves + n_leaves / share + 2)) ]
}
# unless_master_left: like almost_once, for cases in which the master stays. On a busy machine it may
# not be the first to reach the server, and is taken away. Then the next master begins the root job
# again, and how much is computed twice is not judged.
unless_master_left() {
  almost_once || { "$satin" journal cat "$test_dir/journal-$n_runs" | grep -qE 'master +term 2' && echo "# the master left"; }
}
left_are() { [ "$(grep -c 'left the run' err)" -eq "$1" ]; }
told_are() { [ "$(grep -cE "node [0-9]+ has [0-9]+ s to leave: $2" err)" -eq "$1" ]; }
in_journal() { "$satin" journal cat "$test_dir/journal-$n_runs" | grep -qE "s to leave: $1"; }

# ---- each cloud, found out ----
# try_cloud NAME TEXT: two of four machines are taken away.
try_cloud() {
  begin_cloud "$1"
  begin_run 4
  put budget 2
  check "$1: two of four nodes hear that their machines are taken away, and leave" until_true left_are 2
  end_run
  check "$1: the answer is right" right
  check "$1: hardly any leaf was computed twice" unless_master_left
  check "$1: the terminal says so" told_are 2 "$2"
  check "$1: the journal says so" in_journal "$2"
  check "$1: nobody else left" left_are 2
  # The last figures of a node that leaves may be lost.
  check "$1: the figures say that notices came" figure notice.came ">= 1"
}
try_cloud ec2 'EC2 takes its machine away \(terminate\)'
try_cloud gcp 'GCP takes its machine away \(preempted\)'
try_cloud azure 'Azure takes its machine away \(Preempt\)'

# ---- twenty notices ----
# Four nodes stay. Four times, five nodes come and hear that their machines are taken away.
begin_cloud ec2
put spared 0
start_hub --listen "unix:$test_dir/hub"
members_are() { status_query "len([n for n in s['nodes'] if n['state'] == 'member']) == $1" --hub "$uri" >/dev/null; }
rm -f counted counted.end
drive=(--with "$grace" "$SATIN_TEST_DRIVE" "$test_dir/counted" 5 40)
start "$satin" run --hub "$uri" -n 4 -w 1 "${drive[@]}"
stay_pid=$pid
until_true members_are 4
mv out stay.out
mv err stay.err
n_left=0
for i in 1 2 3 4; do
  start "$satin" run --hub "$uri" -n 5 -w 1 --with "$part,cloud=ec2" "${drive[@]}"
  until_true members_are 9
  put budget $((5 * i))
  wait_for_end
  n_left=$((n_left + $(grep -c 's to leave: EC2 takes its machine away' err)))
  is_status 0 || n_left=-100
done
twenty() { [ "$n_left" -eq 20 ] && given_are 20; }
check "20 machines are taken away, and their nodes end well" twenty
check "satin hub says so" [ "$(grep -c 's to leave: EC2' hub.err)" -eq 20 ]
pid=$stay_pid
end_run
mv stay.out out
mv stay.err err
check "the answer is right" right
check "hardly any leaf was computed twice" almost_once
wait_for_hub

# ---- all but one at once, the master too ----
begin_cloud gcp
put spared 0
begin_run 5 cloud=gcp
put budget 4
check "four of five, with the master, leave at once" until_true left_are 4
end_run
check "the answer is right" right

# ---- the only node ----
begin_cloud ec2
put spared 0
put budget 1
begin_run 1 cloud=ec2
check "the only node says what would help" until_true grep -q 'or start another node: then this node leaves' err
end_run
check "it stays, and the answer is right" right

begin_cloud ec2
put spared 0
rm -f counted counted.end
ck=(--checkpoint "file:$test_dir/ck" --checkpoint-every 10s)
start "$satin" run -n 1 -w 1 "${ck[@]}" --with "$part" "$SATIN_TEST_DRIVE" "$test_dir/counted" 8 40
until_true is_up 1
until_true test -s counted
put budget 1
wait_for_end
check "the only node of a run with a checkpoint stores its results" is_status 28
touch counted.end
run "$satin" run -n 1 -w 1 "${ck[@]}" "$SATIN_TEST_DRIVE" "$test_dir/counted" 8 40
check "the next run continues from there" right
check "hardly any leaf was computed twice" almost_once

# ---- servers that fail ----
# try_fault MODE TEXT [TIMEOUT]: a server that fails does not disturb the run.
try_fault() {
  begin_cloud ec2
  put mode "$1"
  begin_run 2 "cloud=ec2,timeout=${3:-5s}"
  told_once() { [ "$(grep -c "metadata server of ec2: .*$2.*no notice can come" err)" -eq 2 ]; }
  check "$1: each node says it" until_true told_once "$1" "$2"
  end_run
  check "$1: the answer is right" right
  check "$1: nobody leaves" left_are 0
  check "$1: it is said once" told_once "$1" "$2"
  check "$1: the figures count the failures" figure notice.failed ">= 6"
}
try_fault 500 "with status 500"
try_fault hang "timed out" 300ms
try_fault huge "longer than 65536 bytes"
try_fault bad "an answer that makes no sense"
try_fault reject "with status 401"

begin_cloud ec2
put mode 500
begin_run 2 cloud=ec2
until_true grep -q 'no notice can come' err
put mode expired
check "a server that answers again is said, though tokens expire" until_true grep -q 'answers again' err
put spared 0
put budget 1
check "the notice comes" until_true left_are 1
end_run
check "the answer is right" right

begin_cloud ec2
begin_run 2 rebalance=no
put mode rebalance
put budget 1
asks_on() { [ "$(wc -l <cloud/asked)" -gt 20 ]; }
until_true asks_on
check "a recommendation to rebalance does not count" given_are 0
end_run
put budget 0
begin_run 2 rebalance=yes
put budget 1
check "it counts if the user wants it" until_true told_are 1 "EC2 may soon take its machine away"
end_run
check "the answer is right" right

# ---- no cloud ----
end_cloud
begin_run 2
sleep 1
end_run
check "on a machine of no cloud the answer is right" right
check "nothing is said" test ! -s err
check "each node asks twice" figure notice.asked "== 4"

# ---- a machine is asked for in its place ----
begin_cloud ec2
start "$satin" run -n 1 -w 1 --provision local:max=4 --min 2 --with "$part" "$node" forever
run_pid=$pid
until_true is_up 3
put budget 1
gone_are() { status_query "sum(n['state'] == 'left' for n in s['nodes']) == $1" >/dev/null; }
check "a machine that is taken away leaves the run" until_true gone_are 1
check "another is asked for in its place" until_true is_up 3
pid=$run_pid stop_and_wait INT "$run_pid"
check "nothing is left" nothing_left

# ---- wrong usage ----
# wrong PARAMETERS TEXT: the part refuses these parameters, and says TEXT.
wrong() {
  run "$satin" run -n 1 --with "notice:$1" "$node" exit 0
  refused() { is_status 2 && grep -qF "$2" err; }
  check "$1 is refused" refused "$1" "$2"
}
wrong cloud=aws "choose one of auto, ec2, gcp and azure"
wrong url=file:///etc/passwd "give an address that begins with http://"
wrong every=1ms "give a time from 100ms to 60s"
wrong timeout=2h "give a time from 100ms to 60s"
end_cloud
finish
