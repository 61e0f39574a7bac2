# test-command-other-tasks.sh - --checkpoint-convert carries results over to a program with other tasks
#
# SPDX-License-Identifier: Apache-2.0
here=$(cd "$(dirname "$0")" && pwd)
. "$here/test-command-common.sh"
ulimit -c 0
limit_s=120
. "$here/export-common.sh"

store 1
keep
go_on 7
named() { was_refused "argument n is long and was int" && says err "--checkpoint-convert"; }
check "without the option the checkpoint is refused, and the error names the option" named
go_on 7 --checkpoint-convert
carried() { went_on && says err "$((n_cubes + 1)) results of the earlier build are carried over"; }
check "with it, all results are carried over and used" carried

# A run that is stopped after it has carried results over leaves the checkpoint of the new build.
restore
start "$satin" run -n 2 -w 1 --checkpoint file:ck --checkpoint-every 100ms --checkpoint-convert build7/export-app --hold $n_cubes
shows_new() { "$satin" checkpoint export --avro --force file:ck rows >/dev/null 2>&1 && grep -q colour rows/cube.avro; }
until_true shows_new
stop_and_wait INT "$pid"
check "a run that carried results over can be stopped" is_status 28
right_case="python3-avro reads the results with the new types"
if /usr/bin/python3 -c 'import avro' 2>/dev/null; then
  /usr/bin/python3 - $n_cubes >differences 2>&1 <<'END'
import sys, avro.datafile, avro.io
rows = list(avro.datafile.DataFileReader(open('rows/cube.avro', 'rb'), avro.io.DatumReader()))
got = sorted((row['arguments']['n'], row['arguments']['is_new'], row['result']['value']['volume'],
              row['result']['value']['weight'], row['result']['value']['colour'], row['result']['value']['edges'])
             for row in rows)
wanted = [(n, False, n ** 3, 0.0, '', [n, -n]) for n in range(int(sys.argv[1]))]
sys.exit(f'{got}\nis not\n{wanted}' if got != wanted else 0)
END
  check "$right_case" [ ! -s differences ]
else
  skip "$right_case" "there is no python3-avro"
fi
keep
go_on 1
check "the old build does not take them back" was_refused "argument n is int and was long"
go_on 7
check "the new build goes on without the option" went_on

restore
go_on 8 --checkpoint-convert
left() {
  is_status 0 && [ "$(cat out)" = "$sum" ] \
    && says err "0 results of the earlier build are carried over; $((n_cubes + 1)) are not, and their jobs run again: task c"
}
check "results that cannot be carried over are counted, with a reason, and computed again" left

store 4
keep
go_on 7 --checkpoint-convert
check "to a build without a version of results they are carried over, too" went_on
restore
go_on 6 --checkpoint-convert
check "the option does not lead past another version of the results" was_refused "has results of version 1 of export-app and this is version 2"

run "$satin" run --checkpoint-convert build1/export-app 3
where() { is_status 2 && says err "where is the checkpoint? Give --checkpoint URI too"; }
check "the option without a checkpoint is refused" where
until_true no_nodes
check "nothing is left" no_nodes
finish
