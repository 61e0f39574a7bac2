# memory.sh - measures the memory of a simulated node: memory.sh NODES BYTES
#
# The column heap_bytes of --csv is the memory that malloc() has from the system when a run ends. It
# has the nodes, their links, the messages on their way, and free blocks in between, but not the
# workers' stacks and deques.
#
# SPDX-License-Identifier: Apache-2.0
set -u
satin=$SATIN_TEST_COMMAND
nodes=$1
max_bytes=$2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
# With huge pages malloc() takes memory in steps of 2 MB, which would be 1,000 bytes for each node.
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
