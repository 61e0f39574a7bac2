# test-provision-ssh-hosts.sh - satin run on three hosts that are reached by ssh, until one is lost
#
# Each host is a network namespace with an sshd of its own. Needs root.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/ssh-namespaces.sh"

make_world 11 21 31
for n in 11 21 31; do
  echo "$(host_address $n):$ssh_port cluster=c$((n / 10)) slots=2"
done >hosts.txt
ssh=ssh:hosts=$test_dir/hosts.txt,$ssh_params,timeout=3s
on_host() { pids_of "n['host'].startswith('$(host_address "$1"):')"; }
clusters_are() { status_query "sorted(n['cluster'] for n in s['nodes'] if n['state'] == 'member') == $1" >/dev/null; }

SATIN_WORKERS=1 "$SATIN_APP_PATH/tree/tree" --grain 200ms 160s >expected
# One node runs on host 1 in the middle, two on each other host. The jobs sleep, so the run takes as
# long on a busy machine.
start on 1 "$satin" run --listen tcp://10.79.0.1:7000 --provision "$ssh" --min 6 --workers 1 -n 1 tree --sleep --grain 200ms 160s
mv err run.err
check "hosts give machines, whose nodes join" until_true clusters_are "['', 'c1', 'c1', 'c2', 'c2', 'c3', 'c3']"
brought() {
  local n
  for n in 11 21 31; do
    grep -q "$test_dir/hosts/$n/.*/part-net.so" "/proc/$(on_host $n | cut -d ' ' -f 1)/maps" \
      && grep -q "$test_dir/hosts/$n/.*/tree" "/proc/$(on_host $n | cut -d ' ' -f 1)/maps" || return 1
  done
}
check "they run the program that was brought along, with what it needs" brought
no_secret() {
  ! grep -qzF "$(cat "$XDG_RUNTIME_DIR"/satin-run-*/secret)" /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null
}
check "the secret is in no argument or variable" no_secret

# Host 31 is lost: its cable is pulled, and all its processes are killed.
cut_link 31
kill -KILL $(runs_on 31) $(sshd_of 31) 2>/dev/null
wait "${host_pids[31]}" 2>/dev/null
rm -rf hosts/31/*
check "a host is lost, and its machines are" until_true grep -q "$(host_address 31):$ssh_port.*silent for 3 s" run.err
lost() { status_query "s['died'] == 2" >/dev/null; }
check "their nodes are declared dead" until_true lost
went_on() { clusters_are "['', 'c1', 'c1', 'c2', 'c2']"; }
check "the others go on" until_true went_on
check "which is said why" until_true grep -q 'machines cannot be had' run.err
wait_for_end
right() { is_status 0 && cmp -s out expected; }
check "the result is right" right
check "nothing is left on the other hosts: no process, no folder" is_clean 11 21
named() { grep -q "left behind.*hosts/31/.* on $(host_address 31)" run.err; }
check "what may be left on the lost one is said" named
remove_namespaces
check "nor here" nothing_left
finish
