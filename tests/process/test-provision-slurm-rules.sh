# test-provision-slurm-rules.sh - the provisioner "slurm", with a real Slurm, keeps all rules of
# provisioners
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/slurm-cluster.sh"

start_slurm
limit_s=500
mkdir -m 700 staging
run "$satin" conformance provision-slurm poll=100ms patience=30s "folder=$test_dir/staging"
kept() { is_status 0 && ! grep -q '^not ok' out; }
check "all rules are kept" kept
check "which are many" test "$(grep -c '^ok' out)" -gt 40
check "nothing is left in the folder" test -z "$(ls -A staging)"
finish
