# test-command-readers.sh - each application, run on real and on simulated nodes, goes through all
# readers of its journal: list, cat, report, trace and page
#
# A case is a run: its answer is right, no reader fails, and what the readers say agrees
# (readers-agree.py). satin top asks a hub, so it cannot read a run that is over: test-command-top.sh
# tests it. SATIN_TEST_SOURCES is the folder with the sources of the applications.
#
# SPDX-License-Identifier: Apache-2.0
here=$(cd "$(dirname "$0")" && pwd)
. "$here/test-command-common.sh"
# A simulated run does not free what it has when it is over.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
limit_s=120
sources=$SATIN_TEST_SOURCES
runs=$XDG_STATE_HOME/satin/runs
tried=()

# explain TEXT: says why a case fails, with what the reader has said.
explain() {
  echo "# $1"
  sed 's/^/# /' reader.err
  return 1
}

# reads FILE ARGUMENT...: a reader ends well. Its output, in FILE or in the file that -o names, is
# not empty.
reads() {
  local file=$1
  shift
  rm -f "$file"
  if [ "$1" = -o ]; then
    timeout -k 5 "$limit_s" "$satin" "${@:2}" -o "$file" >/dev/null 2>reader.err </dev/null
  else
    timeout -k 5 "$limit_s" "$satin" "$@" >"$file" 2>reader.err </dev/null
  fi || explain "satin ${*#-o} ended with $?" || return
  [ -s "$file" ] || explain "satin ${*#-o} said nothing"
}

# pages_agree NAME: the page of the run is served until Ctrl-C. It and the files of the other readers
# agree with each other.
pages_agree() {
  local page_status
  rm -f page.out
  "$satin" page "$1" >page.out 2>reader.err </dev/null &
  local page=$!
  until_true grep -q '^http://' page.out || explain "satin page printed no address"
  python3 "$here/readers-agree.py" "${words[*]}" 2 totals "$(head -n 1 page.out)" >differences 2>&1
  local agree=$?
  kill -INT "$page"
  pid=$page
  until_true has_ended || kill -KILL "$page"
  wait "$page"
  page_status=$?
  sed 's/^/# /' differences
  [ "$agree" -eq 0 ] && { [ "$page_status" -eq 0 ] || explain "satin page ended with $page_status"; }
}

# all_read NAME: all readers read the run of that name.
all_read() {
  if ! is_status 0 || [ "$(cat out)" != "$answer" ]; then
    return 1
  fi
  reads runs.txt journal list \
    && { grep -qF "$1  ${words[*]}" runs.txt || explain "satin journal list does not name $1"; } \
    && reads events.json journal cat --json "$1" \
    && reads events.csv journal cat --csv "$1" \
    && reads report.html -o report "$1" \
    && reads two.html -o report "$1" "${other:-$1}" \
    && reads trace.json -o trace "$1" \
    && reads trace.paje -o trace --paje "$1" \
    && pages_agree "$1"
}

# goes_through ANSWER PROGRAM ARGUMENT...: two cases. The program prints ANSWER, on real nodes and on
# simulated ones, and all readers read its run.
goes_through() {
  local answer=$1 other='' name
  local words=("${@:2}")
  local program=$2
  tried+=("$program")
  if [ ! -x "$SATIN_APP_PATH/$program/$program" ]; then
    skip "$program on real nodes" "it was not built"
    skip "$program on simulated nodes" "it was not built"
    return
  fi
  run "$satin" run --quiet -n 2 -w 1 --stats-json totals "${words[@]}"
  name=$(basename "$(readlink "$runs/latest")")
  check "$program on real nodes" all_read "$name"

  other=$name
  name=2020-01-01T00-00-00-simulated-$program
  mkdir "$runs/$name"
  run "$satin" sim --clusters 1x2 --journal "$runs/$name/run.avro" --figures totals "${words[@]}"
  check "$program on simulated nodes" all_read "$name"
}

goes_through "fib(22) = 17711" fib 22
goes_through "nqueens(9) = 352" nqueens 9
goes_through "uts: 29524 nodes, depth 9, 19683 leaves" uts -t 3 -b 3 -d 9 T3
goes_through "semigroups(20) = 37396" semigroups 20 --grain 100
goes_through "polycubes(7, 3 dimensions) = 23502" polycubes 7 --grain 100
goes_through "ida: 42 moves, 1 shortest solutions" ida korf:79
goes_through "integrate: chirp from 0 to 20 = 0.762648169, exact 0.762648169" integrate chirp --to 20
goes_through "strassen: 100 x 100, whole entries, leaf 5, digest b2bd76190c94b5c7, checked" \
  strassen 100 --leaf 5 --seed 3
goes_through "fft: random, 4096 numbers, digest be4295eb26035353, error 0.0e+00, and back 4.2e-16" \
  fft 4096 --leaf 64
goes_through "knapsack: 24 items, capacity 6404180, value 13549094" \
  knapsack "$sources/knapsack/instances/p08.txt" --grain 100
goes_through "setcover: 35 rows, 15 columns, cost 7" setcover "$sources/setcover/instances/steiner15.txt"
goes_through "primefactors: 9007199254740991 = 6361 * 69431 * 20394401" \
  primefactors 9007199254740991 --grain 10000
goes_through "othello(start, depth 6) = +0, d3" othello --depth 6 --grain 3
goes_through "locusroute: small.txt, 10 wires, 13 segments, 4 channels, 12 columns
iteration 1: height 15, crowding 79
iteration 2: height 16, crowding 79
iteration 3: height 14, crowding 71
iteration 4: height 15, crowding 71" \
  locusroute "$sources/locusroute/circuits/small.txt" --batch 3 --grain 1
goes_through "raytracer: 64x64, 93 primitives, digest 27d4f4cdbca90052" \
  raytracer --scene balls:2 --size 64x64 --tile 8
goes_through "pathtracer: 64x48, 6948 triangles, 2 samples, digest 40abcaefc9cf6f9b" \
  pathtracer "$sources/pathtracer/scenes/room.obj" --size 64x48 --samples 2 --tile 8
goes_through "barnes-hut: 500 bodies, 3 iterations, energy -0.255389182, drift 0.000192, digest 7f016547df677487" \
  barnes-hut --bodies 500 --iterations 3 --grain 32
goes_through "s UNSATISFIABLE" sat --generate pigeon:6 --budget 100
goes_through "s SATISFIABLE" cubes --generate schur:3,13 --cubes 8
goes_through "tsp: gr17, 17 cities, shortest tour 2085" tsp "$sources/tsp/instances/gr17.tsp" --grain 5
goes_through "maxclique: keller:4, 171 vertices, 9435 edges, largest clique 11" maxclique --generate keller:4
goes_through "align: generated 30 of 40, 30 proteins, 435 local alignments, sum of scores 17798" \
  align --generate 30 --length 40 --seed 2 --open 0 --extend 3 --best 0 --grain 5000
goes_through "awari: up to 7 stones, 50388 positions, 23517 won, 6255 drawn, 20616 lost, digest 2892edc8927dff70" awari 7 --grain 100
goes_through "grammar: 2,12,150, 150 strings, 109 accepted, smallest automaton 8 states" grammar --generate 2,12,150
goes_through "tree: 81 leaves" tree --grain 20ms 1s

all_are_tried() {
  local folder name
  for folder in "$sources"/*/; do
    name=$(basename "$folder")
    case " satin common ${tried[*]} " in
      *" $name "*) ;;
      *) echo "# $name has no line here" && return 1 ;;
    esac
  done
}
check "each application has a line here" all_are_tried
finish
