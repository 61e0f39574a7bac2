# test-command-kept.sh - a checkpoint keeps shared objects, and a run that resumes has them again
#
# SATIN_TEST_INSTANCES is the folder of the TSPLIB files.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
ulimit -c 0
# When a node crashes in a simulation, the memory that its tasks hold is never freed.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
cities=$SATIN_TEST_INSTANCES
limit_s=150

# ---- simulated: everything crashes ----

# search_again CHECKPOINT: crashes all nodes of a search and lets it resume. With "yes" shared
# objects are in the checkpoint, with "no" they are not. Leaves csv.CHECKPOINT and
# figures.CHECKPOINT.
search_again() {
  run "$satin" sim --clusters 2x4 --events '1s crash all' --csv "csv.$1" --figures "figures.$1" \
    --with ft:checkpoint=sim:disk,every=100ms,storage=delay=1ms --with "so:checkpoint=$1" \
    tsp --grain 50 --node-time 5ms --first-tour 2-opt "$cities/gr48.tsp"
  is_status 0 && says out "tsp: gr48, 48 cities, shortest tour 5046"
}
work_of() { tail -n 1 "csv.$1" | cut -d, -f3; }
figure_of() { sed -n "s/^$2 //p" "figures.$1"; }
is_restored() { [ "$(figure_of yes objects.restored)" = 1 ] && [ "$(figure_of no objects.restored)" = 0 ]; }
is_less() { awk -v yes="$(work_of yes)" -v no="$(work_of no)" "BEGIN { exit !(yes < 0.95 * no) }"; }

check "simulated: without its bound a search goes on and is right" search_again no
check "simulated: with its bound it is right as well" search_again yes
check "simulated: the bound comes from the checkpoint" is_restored
check "simulated: and saves a part of the search" is_less

# ---- all processes are killed ----

folder=$test_dir/checkpoint
checkpoint=(--checkpoint "file:$folder" --checkpoint-every 50ms)
tour=(tsp "$cities/gr96.tsp" --grain 10 --first-tour 2-opt)
has_object() { status_query "$(sum_of checkpoint.objects) >= 1 and $(sum_of checkpoint.stored) >= 5" >/dev/null; }
has_object_or_is_over() { has_object || has_ended; }

# A lucky search may be over before it has stored an object. Then the test tries again.
for _ in 1 2 3 4 5; do
  start "$satin" run -n 3 "${checkpoint[@]}" "${tour[@]}"
  until_true has_object_or_is_over
  # shellcheck disable=SC2046
  kill -KILL "$pid" $(status_query "' '.join(str(n['pid']) for n in s['nodes'] if n['pid'])") 2>/dev/null
  wait_for_end
  until_true no_nodes
  [ -z "$(ls "$folder")" ] || break
done
check "all killed: logs are left" test -n "$(ls "$folder")"
run "$satin" checkpoint show "file:$folder"
is_shown() { is_status 0 && grep -qE '^tour +satin_minimum +0 +[0-9.]+ B' out; }
check "checkpoint show names the object with type and version" is_shown
run "$satin" checkpoint show --json "file:$folder"
has_json() { json_query "[(o['name'], o['type'], o['version']) for o in s['objects']] == [('tour', 'satin_minimum', 0)]" <out >/dev/null; }
check "and tells programs of it" has_json
run "$satin" checkpoint list "file:$folder"
counts_objects() { is_status 0 && grep -qE 'OBJECTS' out && grep -qE '^[0-9]+ logs?, .*, [0-9]+ objects?, ' out; }
check "checkpoint list counts objects" counts_objects
run "$satin" checkpoint verify "file:$folder"
check "checkpoint verify reads them" grep -qE '[0-9]+ objects? read' out
run "$satin" checkpoint compact --force "file:$folder"
check "compacted" is_status 0
run "$satin" checkpoint show "file:$folder"
check "the object survives a compaction" is_shown
run "$satin" checkpoint export "file:$folder" archive.tar.zst
run "$satin" checkpoint import archive.tar.zst "file:$test_dir/other"
run "$satin" checkpoint show "file:$test_dir/other"
check "and an archive" is_shown

resumed_case="resumed on two nodes from there: the same tour"
restored_case="and the bound was there"
if [ "$(sanitizer_of "$satin")" = libtsan ]; then
  skip "$resumed_case" "ThreadSanitizer makes the search 25 times slower"
  skip "$restored_case" "likewise"
else
  run "$satin" run -n 2 --stats-json figures --checkpoint "file:$test_dir/other" --checkpoint-every 50ms "${tour[@]}"
  is_right() { is_status 0 && says out "tsp: gr96, 96 cities, shortest tour 55209"; }
  check "$resumed_case" is_right
  was_restored() { json_query "$(sum_of objects.restored) == 1" <figures >/dev/null; }
  check "$restored_case" was_restored
fi

finish
