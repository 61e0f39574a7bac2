# coordinator.sh - checks how many messages the coordinator of an adaptive run has
#
#   coordinator.sh CLUSTERS NODES MESSAGES
#
# Nodes send their figures to the first node of their cluster, and that node sends them on to the
# coordinator. So the coordinator has at most MESSAGES messages per second and cluster, however many
# NODES a cluster has. Plans, which it sends back, are included.
#
# SPDX-License-Identifier: Apache-2.0
set -u
satin=$SATIN_TEST_COMMAND
clusters=$1
nodes=$2
max_messages=$3
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

figure() { awk -v name="adapt.$1" '$1 == name { print $2 }' "$folder/figures"; }

echo 1..1
name="the coordinator of $clusters clusters with $nodes nodes each has at most $max_messages messages a second and cluster"
if ! "$satin" sim --clusters "${clusters}x$nodes" --view 16 --wan 5ms --with adapt:period=1s,policy=none \
  --figures "$folder/figures" tree "$((clusters * nodes * 5))s" >"$folder/said" 2>&1; then
  sed 's/^/# /' "$folder/said"
  echo "not ok 1 $name"
  exit 1
fi
messages=$(figure messages)
periods=$(figure periods)
echo "# $messages messages in $periods periods of 1 s"
if [ "$periods" -lt 3 ] || [ "$messages" -lt "$((periods * clusters / 2))" ] \
  || [ "$messages" -gt "$((periods * clusters * max_messages))" ]; then
  echo "not ok 1 $name"
  exit 1
fi
echo "ok 1 $name"
