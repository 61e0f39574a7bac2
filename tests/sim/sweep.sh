# sweep.sh - the applications in many simulated worlds: sweep.sh SEEDS
#
# Without faults, and with all that a run survives at present. A seed that fails is
# told with the line that replays it.
#
# SPDX-License-Identifier: Apache-2.0
set -u
satin=$SATIN_TEST_COMMAND
seeds=$1
faults=fault.crash,fault.join,fault.pause,fault.slow,fault.suspect,fault.break,fault.clog,fault.hub
n=0
failed=0

# claim NAME COMMAND...: a test that is right when the command ends with 0.
claim() {
  local name=$1 said
  shift
  n=$((n + 1))
  if said=$("$@" 2>&1); then
    echo "ok $n $name"
  else
    echo "not ok $n $name"
    failed=1
  fi
  sed 's/^/# /' <<<"$said"
}

# sweep OPTIONS... -- PROGRAM...
sweep() {
  "$satin" sim sweep --seeds "1..$seeds" --clusters 4x8 --wan 2ms --spawn-ns 200000 "$@"
}

echo 1..10
claim "fib is right in every world" sweep fib 15
claim "nqueens is right in every world" sweep nqueens 8
claim "uts is right in every world" sweep uts T1 -d 4
claim "fib is right whatever goes wrong" sweep --faults swarm --require $faults fib 15
claim "nqueens is right whatever goes wrong" sweep --faults swarm --require $faults nqueens 8
claim "uts is right whatever goes wrong" sweep --faults swarm --require $faults uts T1 -d 4
for policy in rs chs cls rp; do
  claim "nqueens is right under $policy, whatever goes wrong" \
    sweep --policy $policy --faults swarm nqueens 7
done
exit $failed
