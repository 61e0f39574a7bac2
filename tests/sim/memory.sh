# memory.sh - measures the memory of a simulated node: memory.sh NODES HEAP-BYTES BYTES
#
# The column heap_bytes of --csv is the memory that malloc() has from the system when a run ends. It
# has the nodes, their links, the messages on their way, and free blocks in between, but not the
# workers' stacks and deques. The column peak_bytes is the most memory of the process, with all of
# these. The first run has nodes that know few others, the second one has the default options.
#
# SPDX-License-Identifier: Apache-2.0
set -u
satin=$SATIN_TEST_COMMAND
nodes=$1
max_heap_bytes=$2
max_bytes=$3
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
# With huge pages malloc() takes memory in steps of 2 MB, which would be 1,000 bytes for each node.
export GLIBC_TUNABLES=glibc.malloc.hugetlb=0
status=0

# Runs a tree with half a second of work for each node: simulate OPTION...
simulate() {
  "$satin" sim "$@" --csv "$folder/figures.csv" tree "$((nodes / 2))s" >"$folder/said" 2>&1 && return 0
  sed 's/^/# /' "$folder/said"
  return 1
}

figure() {
  awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
    NR == 2 { print $column }' "$folder/figures.csv"
}

# Says whether a node takes at most so many bytes: tell NUMBER NAME COLUMN MAX-BYTES
tell() {
  local each=$(($(figure "$3") / nodes))
  echo "# $each bytes"
  if [ "$each" -eq 0 ]; then
    echo "ok $1 $2 # SKIP this build has another malloc(), which does not say what it has"
  elif [ "$each" -gt "$4" ]; then
    echo "not ok $1 $2"
    status=1
  else
    echo "ok $1 $2"
  fi
}

echo 1..2
name="one of $nodes nodes takes at most $max_heap_bytes bytes beyond its stack"
if simulate --clusters "2x$((nodes / 2))" --view 6 --policy crs:wait=1ms,max-wait=20ms; then
  tell 1 "$name" heap_bytes "$max_heap_bytes"
else
  echo "not ok 1 $name"
  status=1
fi
name="with the default options it takes at most $max_bytes bytes of all memory"
if [ "$(figure heap_bytes)" = 0 ]; then
  echo "ok 2 $name # SKIP this build has another malloc(), which may take more"
elif simulate --clusters "1x$nodes"; then
  tell 2 "$name" peak_bytes "$max_bytes"
else
  echo "not ok 2 $name"
  status=1
fi
exit "$status"
