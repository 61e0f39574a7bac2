# bugs.sh - checks that sweeps find each injected bug, and that failed allocations do no harm
#
# Needs a build with -Dinjected-bugs=true.
#
# SPDX-License-Identifier: Apache-2.0
set -u
satin=$SATIN_TEST_COMMAND
n=0
failed=0

# sweep BUG SEEDS OPTIONS...: sweeps with the injected bug until a seed fails. Prints how many seeds
# were tried, and how many failed.
sweep() {
  local bug=$1 seeds=$2
  shift 2
  SATIN_INJECT_BUG=$bug "$satin" sim sweep --seeds "1..$seeds" --until-failure --wan 2ms --spawn-ns 200000 \
    --deadline 100s --timeout 60 "$@" 2>&1 | sed -n 's/^\([0-9]*\) seeds in .*: \([0-9]*\) failed.*/\1 \2/p'
}

# finds BUG SEEDS OPTIONS...: a case, which passes if some seed fails with the bug, and none of the
# seeds that were tried fails without the bug.
finds() {
  local bug=$1 seeds=$2 tried=0 with=0 without=1 begin=$SECONDS
  shift 2
  read -r tried with < <(sweep "$bug" "$seeds" "$@")
  [ "${with:-0}" -eq 0 ] || read -r _ without < <(sweep none "$tried" "$@")
  n=$((n + 1))
  if [ "${with:-0}" -gt 0 ] && [ "$without" -eq 0 ]; then
    echo "ok $n $bug is found within $seeds seeds"
  else
    echo "not ok $n $bug is found within $seeds seeds"
    failed=1
  fi
  echo "# $with of $tried seeds failed with it, $without without; $((SECONDS - begin)) s"
}

# survives SITES OPTIONS...: a case, which passes if allocations fail at each of the SITES in the
# code, and no seed fails.
survives() {
  local sites=$1 said
  shift
  n=$((n + 1))
  if said=$("$satin" sim sweep --seeds 1..50 --wan 2ms --spawn-ns 200000 --timeout 60 --require "$sites" "$@" 2>&1); then
    echo "ok $n no memory at $sites does no harm"
  else
    echo "not ok $n no memory at $sites does no harm"
    failed=1
  fi
  sed 's/^/# /' <<<"$said"
}

echo 1..22
finds any-generation 10 --clusters 2x2 --faults break:1000 nqueens 9
finds deliver-twice 5 --clusters 4x8 nqueens 8
finds drop-returned 10 --clusters 4x8 --faults crash:4 nqueens 8
finds forget-deadline 5 --clusters 4x8 nqueens 8
finds forget-object 5 --clusters 4x8 --spawn-ns 1000 tree 10s --best 1000000 --shared
finds keep-table 2 --deadline 1000s --clusters 2x2 --spawn-ns 2000000000 nqueens 8
finds keep-timer 5 --clusters 4x8 nqueens 8
finds run-twice 20 --clusters 4x8 nqueens 8
finds forget-reply 5 --clusters 4x8 nqueens 8
finds serve-dead 10 --clusters 4x8 --view 6 --faults suspect:20 nqueens 8
finds torn-view 5 --clusters 4x8 nqueens 8
finds hush-death 20 --clusters 4x8 --view 6 --faults suspect:4 nqueens 8
finds forget-gone 50 --clusters 8x4 --wan 10ms --view 6 --spawn-ns 20000000 --faults suspect:60,hub:20 nqueens 8
finds fetch-another 10 --clusters 4x4 --faults total:3 --with ft:checkpoint=sim:disk,every=20ms nqueens 8
finds no-witness 20 --clusters 4x2 --faults standstill:2 nqueens 8
finds wait-for-registry 10 --deadline 1000s --clusters 4x2 --faults cut-off:2 nqueens 8
# In the searches of tsp many tours have the same length, and the shared bound decides which parts
# of the tree are searched.
cities=$(dirname "$0")/../../apps/tsp/instances
losses=crash:6,restart:6,master:2,leave:3
finds path-ids 50 --clusters 2x4 --faults total:4,crash:4 --with ft:checkpoint=sim:disk,every=20ms \
  tree 500ms --iterations 5
finds path-ids 60 --clusters 4x4 --faults $losses \
  tsp "$cities/gr24.tsp" --first-tour nearest --raises 1 --grain 3 --node-time 3ms
finds prune-ties 20 --clusters 4x4 --faults $losses \
  tsp "$cities/burma14.tsp" --first-tour nearest --raises 0 --grain 50 --node-time 100us
finds forget-fetched 20 --clusters 4x4 --faults total:3,crash:3 \
  --with ft:checkpoint=sim:disk,every=20ms,size=8K,storage=error-rate=0.1 tree 1s --grain 10ms
survives memory.grow-deque,memory.export --clusters 2x4 --stack 1M \
  --faults memory:60 uts -t 0 -b 2000 -q 0.9 -m 1
survives memory.export --clusters 4x8 --faults swarm nqueens 8
exit $failed
