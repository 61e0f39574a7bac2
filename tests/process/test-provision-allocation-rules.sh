# test-provision-allocation-rules.sh - satin conformance of provision-allocation, in an allocation
# of a Slurm that has six nodes on this host
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/slurm-cluster.sh"

start_slurm
limit_s=400
printf '#!/bin/sh\n"%s" conformance provision-allocation\n' "$satin" >batch.sh
run sbatch --wait -N 3 -c 4 -o "$test_dir/job.out" -e "$test_dir/job.err" batch.sh
cp job.out out
kept() { is_status 0 && [ "$(grep -c '^ok' out)" -gt 40 ] && ! grep -q '^not ok' out; }
check "the plugin keeps the rules of its kind" kept
finish
