# test-command-sweep.sh - satin sim sweep: what a signal leaves, and what it has found until then
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

[ "$(sanitizer_of "$satin")" != libtsan ] \
  || skip_all "Debian's GLib is built without ThreadSanitizer, which does not see what orders its pool of threads"
export TMPDIR=$test_dir/tmp
mkdir "$TMPDIR"

# Programs that stand still: in each simulated world but that of seed 1, in which the answer is
# wrong; and alone.
cat >hangs <<'END'
#!/bin/sh
case $SATIN_WORLD in
  '') echo right ;;
  *,seed=1,*) echo wrong ;;
  *) exec sleep 1000 ;;
esac
END
printf '#!/bin/sh\nexec sleep 1000\n' >hangs-alone
chmod +x hangs hangs-alone

# n_sleepers N: N processes of the programs stand still.
n_sleepers() {
  [ "$(grep -lzxF "SATIN_TEST_MARK=$test_dir" /proc/[0-9]*/environ 2>/dev/null | sed 's|environ$|comm|' \
    | xargs -r grep -lxF sleep 2>/dev/null | wc -l)" -eq "$1" ]
}
# start_sweep: starts a sweep, which finds that seed 1 is wrong, and then stands still.
start_sweep() {
  start "$satin" sim sweep --seeds 1..9 --jobs 2 --work 1s --clusters 1x2 ./hangs
  until_true grep -q "seed 1: wrong result" out && until_true n_sleepers 2
}
stopped_by() {
  is_status $((128 + $1)) && says err "stopped by signal $1" && says out "seed 1: wrong result" \
    && [ "$(grep -c '^1 seeds in .*: 1 failed$' out)" -eq 1 ] && ! grep -q "seed [2-9]" out
}
no_folder() { [ -z "$(ls -A "$TMPDIR")" ]; }

# The signal goes to the command alone.
start_sweep
stop_and_wait TERM "$pid"
check "a sweep that is stopped says what it has found" stopped_by 15
check "ends its processes" n_sleepers 0
check "and removes its folder" no_folder
start_sweep
stop_and_wait INT "$pid"
check "Ctrl-C, too, shows what was found" stopped_by 2
start "$satin" sim sweep ./hangs-alone
until_true n_sleepers 1
stop_and_wait TERM "$pid"
stopped_early() { is_status 143 && says out "0 seeds in" && n_sleepers 0 && no_folder; }
check "a signal ends a sweep whose program hangs alone" stopped_early
start_sweep
stop_and_wait KILL "$pid"
check "the processes of a sweep that is killed end" until_true n_sleepers 0
finish
