# test-command-export.sh - satin checkpoint export --avro, and runs that go on from the checkpoint of
# another build of their program
#
# SPDX-License-Identifier: Apache-2.0
here=$(cd "$(dirname "$0")" && pwd)
. "$here/test-command-common.sh"
ulimit -c 0
limit_s=120
. "$here/export-common.sh"

# ---- export ----

store 1
keep
checkpoint export --avro file:ck rows
exported() { is_status 0 && grep -q "^rows/cube.avro: $n_cubes results$" out && grep -q '^rows/count.avro: 1 result$' out && [ "$(ls rows)" = "$(printf 'count.avro\ncube.avro')" ]; }
check "export --avro writes a file for each task" exported
right_case="python3-avro reads what the program has computed"
if /usr/bin/python3 -c 'import avro' 2>/dev/null; then
  reads_right() { /usr/bin/python3 "$here/export-read.py" "$1" $n_cubes >differences 2>&1 && [ ! -s differences ] || { sed 's/^/# /' differences; return 1; }; }
  check "$right_case" reads_right rows
else
  skip "$right_case" "there is no python3-avro"
  reads_right() { [ -s "$1/cube.avro" ]; }
fi
checkpoint export --avro file:ck rows
there_already() { is_status 2 && says err "rows/count.avro is there already; --force writes over it"; }
check "files that are there are not written over" there_already
checkpoint export --avro --force file:ck rows
check "except with --force" is_status 0
checkpoint export --avro file:ck no/such/rows
check "a folder in none is refused" is_status 11
checkpoint export --avro --storage fault.fail-call=1000000 fault+file:ck filtered
filtered() { is_status 0 && reads_right filtered; }
check "another storage gives the same" filtered
checkpoint export file:ck ck.tar.zst
checkpoint import ck.tar.zst file:imported
checkpoint export --avro file:imported from-archive
archived() { is_status 0 && reads_right from-archive; }
check "so does what was imported from an archive" archived
cp -r ck compact
checkpoint compact file:compact
checkpoint export --avro file:compact from-compact
compacted() { is_status 0 && reads_right from-compact; }
check "and what was compacted" compacted

# ---- damage ----

log=$(ls ck)
python3 - "ck/$log" <<'END'
import sys
log = bytearray(open(sys.argv[1], "rb").read())
log[-10] ^= 255
open(sys.argv[1], "wb").write(log)
END
checkpoint export --avro file:ck damaged
damaged() { is_status 12 && says err "has 1 damaged piece of" && says err "all results that can be read are in damaged" && [ "$(ls damaged)" = "$(printf 'count.avro\ncube.avro')" ]; }
check "of a damaged log the rest is exported, with status 12" damaged
head -c 90 "kept/$log" >"ck/$log"
checkpoint export --avro file:ck none
# The table of tasks is cut.
no_types() { is_status 17 && says err "does not say which types its results have" && [ ! -e none ]; }
check "without types nothing is exported, and the error says what helps" no_types
restore

# ---- another build ----

go_on 2
other_code() { was_refused "no task has changed its arguments or result, but the code may have" && says err "--checkpoint-anyway"; }
check "another build with the same tasks is refused by default" other_code
go_on 3
other_tasks() {
  was_refused "task area is new" && says err "task cube: argument n is long and was int, argument is_new is new" \
    && ! grep -q -- "--checkpoint-anyway" err
}
check "another build with other tasks is refused, and each difference is named" other_tasks
go_on 4
check "a build with a version does not take results without one" was_refused "no task has changed"
go_on 2 --checkpoint-anyway
check "--checkpoint-anyway takes the results of another build" went_on

store 4
keep
go_on 6
other_version() { was_refused "has results of version 1 of export-app and this is version 2"; }
check "another version of the results is refused" other_version
go_on 6 --checkpoint-anyway
check "also with --checkpoint-anyway" other_version
go_on 1
check "a build without a version does not take results with one" was_refused "no task has changed"
go_on 5
check "another build with the same version goes on without asking" went_on
until_true no_nodes
check "nothing is left" no_nodes
finish
