# export-common.sh - runs builds of one program, for tests of what becomes of its stored results
#
# SPDX-License-Identifier: Apache-2.0
n_cubes=30
sum=$(python3 -c "print(5000 + sum(n**3 for n in range($n_cubes)))")

# All builds have one name: they are builds of one program.
for build in 1 2 3 4 5 6 7 8; do
  mkdir -p "build$build" && ln -s "$SATIN_TEST_EXPORT-$build" "build$build/export-app"
done

checkpoint() { run "$satin" checkpoint "$@"; }
# store BUILD: runs that build until all its results are stored in the checkpoint ck, and stops it.
store() {
  rm -rf ck
  start "$satin" run -n 2 -w 1 --checkpoint file:ck --checkpoint-every 100ms "build$1/export-app" --hold $n_cubes
  until_true has_stored
  stop_and_wait INT "$pid"
  check "build $1: stopped, and its results are stored" is_status 28
}
has_stored() { "$satin" checkpoint list file:ck 2>/dev/null | grep -q ": $((n_cubes + 1)) results"; }
# go_on BUILD OPTION...: runs that build from the checkpoint ck.
go_on() { run "$satin" run -n 2 -w 1 --stats-json figures --checkpoint file:ck "${@:2}" "build$1/export-app" $n_cubes; }
went_on() { is_status 0 && [ "$(cat out)" = "$sum" ] && json_query "$(sum_of checkpoint.fetched) >= $n_cubes" <figures >/dev/null; }
was_refused() { is_status 15 && [ ! -s out ] && says err "$1" && diff -r -x 'satin-lease-*' kept ck; }
keep() { rm -rf kept && cp -r ck kept; }
restore() { rm -rf ck && cp -r kept ck; }
