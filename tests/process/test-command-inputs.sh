# test-command-inputs.sh - results of a checkpoint or a run are never used for another program or
# another input
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
ulimit -c 0
limit_s=120

# stop_in_the_middle COMMAND...: starts a run of it, and stops the run by Ctrl-C once it has stored
# results in ck.
stop_in_the_middle() {
  rm -rf ck
  start "$satin" run -n 2 --checkpoint file:ck --checkpoint-every 100ms "$@"
  until_true has_stored
  stop_and_wait INT "$pid"
  check "$1: stopped, and its results are stored" is_status 28
}
has_stored() { "$satin" checkpoint list file:ck 2>/dev/null | grep -q '^1 log.*: [1-9][0-9]* results'; }
# again COMMAND...: runs it with the checkpoint in ck.
again() { run "$satin" run -n 2 --checkpoint file:ck --checkpoint-every 100ms "$@"; }
# was_refused STATUS TEXT: the run was refused with TEXT, and the logs are unchanged.
was_refused() {
  is_status "$1" && [ ! -s out ] && grep -qF -- "$2" err && grep -qF -- "--checkpoint-anyway" err && diff -r -x 'satin-lease-*' kept ck
}
keep() { rm -rf kept && cp -r ck kept; }

# ---- another file under the same name ----

# shrink FILE: prints FILE with all coordinates divided by ten.
shrink() { sed -E 's/^([0-9]+) ([0-9]+) ([0-9]+)$/\1 \2e-1 \3e-1/' "$1"; }
shrink "$SATIN_TEST_INSTANCES/kroC100.tsp" >x.tsp
stop_in_the_middle tsp --first-tour nearest x.tsp
cp x.tsp a.tsp
cp "$SATIN_TEST_INSTANCES/kroC100.tsp" x.tsp
keep
again tsp --first-tour nearest x.tsp
check "tsp: another file under the same name is refused, and named" was_refused 2 "the input x.tsp differs"
"$satin" checkpoint list file:ck >listed
names_it() { grep -q "^input x.tsp, SHA-256 $(sha256sum <a.tsp | cut -d' ' -f1)$" "$1"; }
check "satin checkpoint list names the input" names_it listed
"$satin" checkpoint show file:ck >shown
check "satin checkpoint show names the input" names_it shown
"$satin" checkpoint export file:ck ck.tar.zst >/dev/null && "$satin" checkpoint import ck.tar.zst file:copy >/dev/null
tar --zstd -xOf ck.tar.zst MANIFEST.json >manifest
check "an archive names the input" grep -q "\"inputs\":\[{\"name\":\"x.tsp\",\"sha256\":\"$(sha256sum <a.tsp | cut -d' ' -f1)\"}\]" manifest
run "$satin" run -n 2 --checkpoint file:copy tsp --first-tour nearest x.tsp
is_input_refused() { is_status 2 && grep -qF "the input x.tsp differs" err; }
check "what was imported has the input, too" is_input_refused
cp a.tsp x.tsp
start "$satin" run -n 2 --stats-json figures --checkpoint file:ck tsp --first-tour nearest --time x.tsp
has_begun() { grep -q 'stored results count' err 2>/dev/null || has_ended; }
until_true has_begun
stop_and_wait INT "$pid"
went_on() { { is_status 28 || is_status 0; } && grep -q 'stored results count' err; }
check "with the same file it goes on, with another free option" went_on

# ---- options that only change what is printed ----

# goes_on_with OPTION COMMAND...: a run of it that was stopped goes on with the option.
goes_on_with() {
  local option=$1
  shift
  stop_in_the_middle "$@"
  start "$satin" run -n 2 --checkpoint file:ck "$@" "$option"
  until_true has_begun
  stop_and_wait INT "$pid"
  check "$1: it goes on with $option" went_on
}
goes_on_with --items knapsack --generate 100 --kind even-odd
goes_on_with --columns setcover --generate 200x1000
goes_on_with --best=3 align --generate 1000

# ---- an edited formula ----

"$SATIN_APP_PATH/sat/sat" --generate pigeon:10 --write x.cnf >/dev/null 2>&1 &
until_true test -s x.cnf
sleep 0.3
kill $! 2>/dev/null
stop_in_the_middle sat x.cnf
# Removes the last clause.
python3 - x.cnf <<'END'
import re, sys
lines = open(sys.argv[1]).read().splitlines()[:-1]
text = re.sub(r"(?m)^(p cnf \d+) (\d+)", lambda found: f"{found[1]} {int(found[2]) - 1}", "\n".join(lines) + "\n")
open(sys.argv[1], "w").write(text)
END
keep
again sat x.cnf
check "sat: an edited formula is refused" was_refused 2 "the input x.cnf differs"

# ---- a rebuilt program ----

# another_build PROGRAM: makes other/PROGRAM/PROGRAM, a copy of the program with another build id.
another_build() {
  local program=$SATIN_APP_PATH/$1/$1
  mkdir -p "other/$1"
  LD_LIBRARY_PATH=$(ldd "$program" | sed -n 's,.*=> \(.*\)/libsatin-.*,\1,p' | tr '\n' ':')
  export LD_LIBRARY_PATH
  python3 - "$program" "other/$1/$1" <<'END'
import sys
program = bytearray(open(sys.argv[1], "rb").read())
at = program.index(b"\x03\x00\x00\x00GNU\x00") + 8
program[at] ^= 1
open(sys.argv[2], "wb").write(program)
END
  chmod +x "other/$1/$1"
}
another_build tree
stop_in_the_middle "$SATIN_APP_PATH/tree/tree" --sleep --grain 100ms 60s
keep
again other/tree/tree --sleep --grain 100ms 60s
check "another build of the program is refused" was_refused 15 "another build of tree"
start_hub --listen "unix:$test_dir/here"
"$satin" node --hub "$uri" "$SATIN_APP_PATH/tree/tree" --sleep --grain 100ms 60s >first.out 2>&1 &
first=$!
until_true grep -q 'node 1 joined' hub.err
run "$satin" node --hub "$uri" other/tree/tree --sleep --grain 100ms 60s
other_build() { is_status 15 && grep -qF "start the same build" err; }
check "a second build is refused by a run, with status 15" other_build
kill "$first"
kill "$hub_pid"
wait "$first" "$hub_pid" 2>/dev/null
until_true no_nodes
check "nothing is left" no_nodes
finish
