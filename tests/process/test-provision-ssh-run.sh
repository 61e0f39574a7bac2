# test-provision-ssh-run.sh - satin run with machines on hosts that are reached by ssh
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/ssh-hosts.sh"

for n in 2 3; do
  make_host $n
  start_host $n
done
printf '%s\n' "127.0.0.2:$ssh_port cluster=left slots=2" "127.0.0.3:$ssh_port cluster=right slots=2" >hosts.txt
ssh=ssh:hosts=$test_dir/hosts.txt,$ssh_params
on_host() { pids_of "n['host'].startswith('127.0.0.$1:')"; }
all_is_clean() { is_clean 2 3 && nothing_left; }

start "$satin" run --provision "$ssh" --min 2 --workers 1 "$node" forever
run_pid=$pid
until_true mv err run.err 2>/dev/null
check "hosts give machines, whose nodes join" until_true is_up 3
clusters() { status_query "sorted(n['cluster'] for n in s['nodes']) == ['', 'left', 'right']" >/dev/null; }
check "in their clusters" clusters
brought() { grep -q "$test_dir/hosts/2/.*/part-net.so" "/proc/$(on_host 2)/maps"; }
check "they use what was brought along" brought
kill -KILL "$(on_host 2)"
again() { until_true grep -q 'killed by signal 9\|exit status 137' run.err && until_true is_up 3; }
check "one whose node is killed is replaced" again
run "$satin" nodes add 1 --cluster right
added() { until_true is_up 4 && [ "$(on_host 3 | wc -w)" -ge 1 ]; }
check "one more comes" added
kill_host 3 KILL
elsewhere() { until_true grep -q '127.0.0.3:' run.err && until_true is_up 3; }
check "a host that is lost is done without" elsewhere
start_host 3
pid=$run_pid stop_and_wait INT "$run_pid"
check "Ctrl-C ends it with status 130" is_status 130
check "and leaves nothing on the hosts" until_true all_is_clean

run "$satin" run --provision "$ssh" --min 4 --workers 1 nqueens 15
right() { is_status 0 && says out "nqueens(15) = 2279184"; }
check "the result is right" right
check "and nothing is left" until_true all_is_clean

cat >talker <<END
#!/bin/sh
[ -n "\$SLURM_JOB_ID\$SATIN_SSH_MACHINE" ] || exec "$SATIN_TEST_NODE" "\$@"
echo first words >&2
echo last words >&2
exit 3
END
chmod +x talker
start "$satin" run --provision "$ssh" --min 1 -n 1 ./talker forever
check "the last lines of a node that fails are printed" until_true grep -q ": first words\$" err
check "the last one with the reason" until_true grep -q "ended with exit status 3: last words" err
stop_and_wait INT "$pid"
check "and all are in the journal" test "$("$satin" journal cat | grep -c "output  .* words")" -ge 2
check "and nothing is left" until_true all_is_clean

# ---- a wrapper around a node, and a command before it ----
variable_of() { tr '\0' '\n' <"/proc/$1/environ" | sed -n "s/^$2=//p"; }
names() { for it in $(on_host 2) $(on_host 3); do echo "$(variable_of "$it" NAME),$(variable_of "$it" PART)"; done | sort | tr '\n' ' '; }
start "$satin" run --wrap "env NAME=unused" --before 'export PART={number}' \
  --provision "$ssh,wrap=env NAME='{cluster} {number}'" --min 2 "$node" forever
run_pid=$pid
until_true is_up 3
named() { [ "$(names)" = "left 1,1 right 1,1 " ] || { echo "# $(names)"; false; }; }
check "machines have a wrapper and a command before, with their cluster and number" named
pid=$run_pid stop_and_wait INT "$run_pid"
start "$satin" run --provision "$ssh,before=sh -c 'exit 5'" --min 1 -n 1 "$node" forever
check "a command before that fails is named" until_true grep -q "which runs before the node, ended with status 5" err
stop_and_wait INT "$pid"
check "and nothing is left" until_true all_is_clean
finish
