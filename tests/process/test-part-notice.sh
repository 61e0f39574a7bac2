# test-part-notice.sh - machines are taken back: nodes hear of it from metadata servers, and leave
#
# SATIN_TEST_DRIVE is notice-drive, SATIN_TEST_METADATA notice-metadata.py.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
export http_proxy=http://127.0.0.1:9 # nothing is there; the part uses no proxy

# begin_cloud NAME: starts the server of that cloud; sets port.
begin_cloud() {
  [ -z "$cloud_pid" ] || { kill "$cloud_pid"; wait "$cloud_pid" 2>/dev/null; }
  rm -rf cloud && mkdir cloud
  "$SATIN_TEST_METADATA" "$1" "$test_dir/cloud" 2>cloud.err &
  cloud_pid=$!
  until_true test -s cloud/port
  port=$(cat cloud/port)
}
put() { echo "$2" >"cloud/$1.new" && mv "cloud/$1.new" "cloud/$1"; }
given() { wc -l 2>/dev/null <cloud/given || echo 0; }
given_are() { [ "$(given)" -eq "$1" ]; }
figure() { json_query "$(sum_of "$1") $2" <figures >/dev/null; }

# begin_run NODES DEPTH MS [PARAMETERS]: begins a run whose leaves are counted, when all nodes are
# there.
begin_run() {
  rm -f counted counted.go figures
  start "$satin" run -n "$1" -w 1 --journal "$test_dir/journal-$((n_runs += 1))" --stats-json figures \
    --with "notice:url=http://127.0.0.1:$port,every=200ms${4:+,$4}" "$SATIN_TEST_DRIVE" "$test_dir/counted" "$2" "$3"
  n_leaves=$((1 << $2))
  until_true is_up "$1"
  touch counted.go
}
right() { is_status 0 && says out "$n_leaves leaves"; }
once() { [ "$(stat -c %s counted)" -eq "$n_leaves" ]; }
left_are() { [ "$(grep -c 'left the run' err)" -eq "$1" ]; }
told_are() { [ "$(grep -cE "node [0-9]+ has [0-9]+ s to leave: $2" err)" -eq "$1" ]; }
in_journal() { "$satin" journal cat "$test_dir/journal-$n_runs" | grep -qE "s to leave: $1"; }

# ---- each cloud, found out ----
# try_cloud NAME TEXT: two of five machines are taken away.
try_cloud() {
  begin_cloud "$1"
  begin_run 5 9 50
  until_true test -s counted
  put budget 2
  wait_for_end
  check "$1: two of five machines are taken away, and the answer is right" right
  check "$1: two nodes had a notice and left" given_are 2
  check "$1: the terminal says so" told_are 2 "$2"
  check "$1: they left in good order" left_are 2
  check "$1: the journal says so" in_journal "$2"
  check "$1: no leaf was computed twice" once
  check "$1: the figures say how many came" figure notice.came "== 2"
}
try_cloud ec2 'EC2 takes its machine away \(terminate\)'
try_cloud gcp 'GCP takes its machine away \(preempted\)'
try_cloud azure 'Azure takes its machine away \(Preempt\)'

begin_cloud ec2
begin_run 2 8 50 rebalance=yes
put budget 1
wait_for_end
check "a recommendation to rebalance counts if the user wants it" right
recommended() { given_are 1 && grep -q 'EC2 takes its machine away\|EC2 may soon take' err; }
check "and that is said" recommended

# ---- twenty notices ----
begin_cloud ec2
begin_run 24 10 100 cloud=ec2
until_true test -s counted
for i in $(seq 20); do
  put budget "$i"
  sleep 0.15
done
wait_for_end
check "20 of 24 machines are taken away one after the other, and the answer is right" right
check "all 20 had a notice" given_are 20
check "all 20 left in good order" left_are 20
check "no leaf was computed twice" once

begin_cloud gcp
begin_run 8 9 60 cloud=gcp
until_true test -s counted
put budget 7
wait_for_end
check "7 of 8 at once: the answer is right" right
check "7 left" left_are 7
check "no leaf was computed twice" once

# ---- the only node ----
begin_cloud ec2
put budget 1
begin_run 1 6 30 cloud=ec2
wait_for_end
check "the only node stays, and the answer is right" right
check "it says what would help" grep -q 'or start another node: then this node leaves' err

begin_cloud ec2
rm -f counted
touch counted.go
start "$satin" run -n 1 -w 1 --checkpoint file:ck --checkpoint-every 10s --with "notice:url=http://127.0.0.1:$port,every=200ms" \
  "$SATIN_TEST_DRIVE" "$test_dir/counted" 7 50
until_true is_up 1
until_true test -s counted
put budget 1
wait_for_end
check "the only node of a run with a checkpoint stores its results" is_status 28
run "$satin" run -n 1 -w 1 --checkpoint file:ck "$SATIN_TEST_DRIVE" "$test_dir/counted" 7 50
n_leaves=128
check "the next run continues from there" right
check "no leaf was computed twice" once

# ---- servers that fail ----
# try_fault MODE TEXT: a server that fails does not disturb the run.
try_fault() {
  begin_cloud ec2
  put mode "$1"
  begin_run 2 7 40 cloud=ec2,timeout=300ms
  wait_for_end
  check "$1: the answer is right" right
  check "$1: nobody leaves" left_are 0
  check "$1: each node says it once" [ "$(grep -c "metadata server of ec2: .*$2.*no notice can come" err)" -eq 2 ]
  check "$1: the figures count the failures" figure notice.failed ">= 6"
}
try_fault 500 "with status 500"
try_fault hang "timed out"
try_fault huge "longer than 65536 bytes"
try_fault bad "an answer that makes no sense"
try_fault reject "with status 401"

begin_cloud ec2
put mode 500
begin_run 3 9 60 cloud=ec2
until_true grep -q 'no notice can come' err
put mode quiet
check "a server that answers again is said" until_true grep -q 'answers again' err
put mode expired
put budget 1
wait_for_end
check "tokens that expire are renewed, and the answer is right" right
check "the notice came" left_are 1

# ---- no cloud ----
kill "$cloud_pid"
wait "$cloud_pid" 2>/dev/null
cloud_pid=
begin_run 2 7 40
wait_for_end
check "on a machine of no cloud the answer is right" right
check "nothing is said" test ! -s err
few() { figure notice.asked "== 4" && figure notice.came "== 0 or True"; }
check "and each node asked twice" few

# ---- a machine is asked for in its place ----
begin_cloud ec2
start "$satin" run -n 1 -w 1 --provision local:max=6 --min 2 --with "notice:url=http://127.0.0.1:$port,every=200ms" "$node" forever
run_pid=$pid
until_true is_up 3
put budget 2
gone_are() { status_query "sum(n['state'] == 'left' for n in s['nodes']) == $1" >/dev/null; }
check "machines that are taken away leave the run" until_true gone_are 2
given_back() { until_true is_up 3 || until_true is_up 2; }
check "others are asked for in their place" given_back
pid=$run_pid stop_and_wait INT "$run_pid"
check "nothing is left" nothing_left

# ---- wrong usage ----
# wrong PARAMETERS TEXT: the part refuses them.
wrong() {
  run "$satin" run -n 1 --with "notice:$1" "$node" exit 0
  refused() { is_status 2 && grep -qF "$2" err; }
  check "$1 is refused" refused "$1" "$2"
}
wrong cloud=aws "choose one of auto, ec2, gcp and azure"
wrong url=file:///etc/passwd "give an address that begins with http://"
wrong every=1ms "give a time from 100ms to 60s"
wrong timeout=2h "give a time from 100ms to 60s"
finish
