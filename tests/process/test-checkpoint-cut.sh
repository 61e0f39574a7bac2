# test-checkpoint-cut.sh - a run whose checkpoint's server cannot be reached any more: packets get
# lost, and no answer comes
#
# The server is on a host of its own. The test pulls that host's cable. Needs root.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/ssh-namespaces.sh"

make_world 11
kill_host 11 KILL
echo "Subsystem sftp internal-sftp" >>sshd-11
start_host 11
uri=sftp://$(id -un)@$(host_address 11):$ssh_port$test_dir/hosts/11/folder
has_stored() { status_query "$(sum_of checkpoint.stored) >= $1" >/dev/null; }
plug_in() { ip -n "$mark-h11" link set eth0 up; }

# begin: starts a run of three nodes on host 1, which stay connected when the server's cable is
# pulled.
begin() {
  start on 1 "$satin" run -n 3 -w 1 --stats-json figures --checkpoint "$uri" --checkpoint-every 100ms \
    --checkpoint-storage "${ssh_params},timeout=2s" "${work[@]}"
  until_true has_stored 20
}
is_right() { is_status 0 && says out "$result"; }
nobody_died() { ! grep -q 'declared dead' err; }

sleep_for 40s
begin
cut_link 11
check "a server that is not reached any more is told of" until_true grep -q 'results wait until it can be written' err
plug_in
check "and that it is again" until_true grep -q 'it can be written again' err
wait_for_end
check "the run goes on meanwhile, to the same result" is_right
check "and no node was taken for dead" nobody_died
check "the checkpoint is removed in the end" test -z "$(ls -A hosts/11/folder)"

sleep_for 24s
begin
cut_link 11
wait_for_end
check "a server that never comes back does not keep the run from its end" is_right
check "nor a node from its heartbeats" nobody_died
check "which leaves its logs there, and says so" grep -q "$(host_address 11)" err
remove_namespaces
check "nothing is left here" nothing_left
finish
