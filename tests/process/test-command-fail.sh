# test-command-fail.sh - when a job fails, message and status are the same on whichever node it ran
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

words="fail-drive: task leaf (n 777): no more"
forgotten="fail-drive: task forget returned without a SATIN_SYNC after its last spawn"

# fails_with STATUS WORDS: the program ended with STATUS and printed WORDS once.
fails_with() {
  [ "$status" = "$1" ] && [ "$(grep -cF "$2" err)" = 1 ]
}

run "$SATIN_TEST_FAIL"
check "alone the failure is told with task and arguments" fails_with 1 "$words"
run "$satin" run -n 3 -q "$SATIN_TEST_FAIL"
check "in a run the status is the same" fails_with 1 "$words"
for seed in 1 2 3 4; do
  run "$satin" sim --clusters 3,2 --seed $seed "$SATIN_TEST_FAIL"
  check "in a simulated run with seed $seed the status is the same" fails_with 1 "$words"
done
run "$SATIN_TEST_FAIL" forget
check "a task that returns without a sync is named" fails_with 25 "$forgotten"
run "$satin" sim --clusters 2 "$SATIN_TEST_FAIL" forget
check "in a simulated run, too" fails_with 25 "$forgotten"
finish
