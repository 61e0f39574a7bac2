# memory.sh - what a simulated node costs: memory.sh NODES BYTES
#
# The column heap_bytes of --csv tells what malloc() has of the system at the end of a run. That is all that nodes, their
# links and what is under way take beyond their workers' stacks and deques, with what lies free in between.
#
# SPDX-License-Identifier: Apache-2.0
set -u
satin=$SATIN_TEST_COMMAND
nodes=$1
max_bytes=$2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
# With huge pages malloc() has the system's memory in steps of 2 MB, a thousand bytes of a node.
export GLIBC_TUNABLES=glibc.malloc.hugetlb=0

echo 1..1
name="one of $nodes nodes takes at most $max_bytes bytes beyond its stack"
if ! "$satin" sim --clusters "2x$((nodes / 2))" --view 6 --policy crs:wait=1ms,max-wait=20ms --csv "$folder/figures.csv" \
  tree "${nodes}s" >"$folder/said" 2>&1; then
  sed 's/^/# /' "$folder/said"
  echo "not ok 1 $name"
  exit 1
fi
heap_bytes=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "heap_bytes") column = i }
  NR == 2 { print $column }' "$folder/figures.csv")
if [ "$heap_bytes" -eq 0 ]; then
  echo "ok 1 $name # SKIP this build has another malloc(), which does not say what it has"
  exit 0
fi
echo "# $((heap_bytes / nodes)) bytes"
if [ "$((heap_bytes / nodes))" -gt "$max_bytes" ]; then
  echo "not ok 1 $name"
  exit 1
fi
echo "ok 1 $name"
