# test-provision-ssh-rules.sh - the provisioner "ssh" keeps all rules of provisioners, with three
# hosts that have an sshd each
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/ssh-hosts.sh"
limit_s=500
for n in 2 3 4; do
  make_host $n
  start_host $n
done
cat >hosts.txt <<END
127.0.0.2:$ssh_port cluster=near slots=2
127.0.0.3:$ssh_port cluster=far slots=3 speed=2
127.0.0.4:$ssh_port cluster=far slots=2
END
run "$satin" conformance provision-ssh "hosts=$test_dir/hosts.txt" "key=$test_dir/keys/user" "known-hosts=$known_hosts" \
  patience=60s "uri=$test_dir"
check "all rules are kept" all_kept
check "nothing is left on the hosts" is_clean 2 3 4
finish
