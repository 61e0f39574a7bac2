# test-app-tsp.sh - the program tsp: the same tour in every mode, pictures, errors
#
# SATIN_TEST_INSTANCES is the folder of the TSPLIB files.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

tsp=$SATIN_APP_PATH/tsp/tsp
cities=$SATIN_TEST_INSTANCES
export SATIN_WORKERS=2
# A simulated run does not free what it has when it is over.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

# refused STATUS TEXT ARGUMENT...: tsp with these arguments prints one line with TEXT to stderr and
# nothing to stdout, and ends with STATUS.
refused() {
  local expected=$1 text=$2
  shift 2
  run "$tsp" "$@"
  is_status "$expected" && says err "$text" && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ]
}

# is_tour FILE LENGTH: the tour in out visits each city of FILE once, and has that length in the
# plane.
is_tour() {
  awk -v length_said="$2" '
    NR == FNR { if ($1 == "tour:") { n = NF - 1; for (i = 1; i <= n; i++) tour[i] = $(i + 1) }; next }
    is_place && NF == 3 { x[$1] = $2; y[$1] = $3; n_places++ }
    $1 == "NODE_COORD_SECTION" { is_place = 1 }
    END {
      for (i = 1; i <= n; i++) {
        a = tour[i]; b = tour[i % n + 1]
        seen[a]++
        sum += int (sqrt ((x[a] - x[b]) ^ 2 + (y[a] - y[b]) ^ 2) + 0.5)
      }
      for (city = 1; city <= n_places; city++) if (seen[city] != 1) bad = 1
      exit bad || n != n_places || n == 0 || sum != length_said
    }' out "$1"
}

run "$tsp" "$cities/eil51.tsp" --grain 5 --tour
check "the tour that is printed is the shortest" is_tour "$cities/eil51.tsp" 426
starts_at_1() { says out "tour: 1 "; }
check "it begins with the first city" starts_at_1
run "$tsp" "$cities/eil51.tsp" --sequential
no_tour() { [ "$(cat out)" = "tsp: eil51, 51 cities, shortest tour 426" ]; }
check "and is printed only if one asks for it" no_tour

for brothers in go wait; do
  options=(--alone --brothers $brothers --first-tour 2-opt --grain 5 --tour)
  check_answer "run -n 4" "four nodes find the same tour, brothers $brothers" tsp "$cities/eil51.tsp" "${options[@]}"
  check_answer "sim --clusters 3,2 --workers 2" "so do nodes of a world, brothers $brothers" \
    tsp "$cities/eil51.tsp" "${options[@]}"
done
options=(--first-tour nearest --grain 5)
check_answer "run -n 4" "four nodes that share a bound find the shortest" tsp "$cities/eil51.tsp" "${options[@]}"
check_answer "sim --clusters 3,2 --workers 2" "so do nodes of a world that share one" \
  tsp "$cities/eil51.tsp" "${options[@]}" --node-time 100us
# n_nodes_searched OPTION...: prints how many nodes of the search tree two workers search.
n_nodes_searched() {
  "$tsp" "$cities/gr48.tsp" --first-tour 2-opt --grain 5 --time "$@" 2>&1 >/dev/null | sed -n 's/^tsp: \([0-9]*\) nodes.*/\1/p'
}
fewer() { [ "$(n_nodes_searched)" -lt $(($(n_nodes_searched --alone) / 2)) ]; }
check "a shared bound leaves less than half to search" fewer
run "$satin" sim --clusters 1x1 tsp "$cities/bays29.tsp" --grain 1 --node-time 1s
takes_seconds() { is_status 0 && grep -q '1 cluster: [1-9][0-9]*\.0' err; }
check "a node takes its time in a simulation" takes_seconds
run "$tsp" "$cities/gr48.tsp" --raises 1 --grain 5 --time
said_nodes() { is_status 0 && grep -q ' ns a job' err && grep -q 'tsp: [0-9]* nodes' err; }
check "times and nodes go to stderr" said_nodes

run "$tsp" "$cities/burma14.tsp" --svg burma14.svg
drawn() { is_status 0 && [ "$(grep -c '<circle' "$1")" -eq "$2" ] && [ "$(tail -n 1 "$1")" = "</svg>" ]; }
check "cities on the globe are drawn" drawn burma14.svg 14
run "$tsp" "$cities/bays29.tsp" --svg bays29.svg
check "so are those of a matrix that says where they are" drawn bays29.svg 29
check "others are not" refused 2 "does not say where its cities are" "$cities/gr17.tsp" --svg gr17.svg
left_alone() { [ ! -e gr17.svg ]; }
check "and no picture is left" left_alone
check "a picture that cannot be written is an error at once" \
  refused 27 "cannot write picture no/folder.svg" "$cities/kroC100.tsp" --raises 0 --svg no/folder.svg

head -n 12 "$cities/gr17.tsp" >half.tsp
check "half a file is malformed" refused 12 "half.tsp: line 13: expected distance between" half.tsp
check "a missing file does not exist" refused 11 "TSPLIB file none.tsp does not exist" none.tsp
check "without a file there is nothing to do" refused 2 "no cities given"
wrong=("$cities/gr17.tsp")
check "a grain of no node is refused" refused 2 "--grain is 0, but must be" "${wrong[@]}" --grain 0
check "raises have a limit" refused 2 "--raises is 1001, but must be" "${wrong[@]}" --raises 1001
check "brothers go or wait" refused 2 "--brothers is 'x', but must be one of go, wait" "${wrong[@]}" --brothers x
check "first tours have names" refused 2 "--first-tour is 'x', but must be one of nearest, 2-opt, or-opt" \
  "${wrong[@]}" --first-tour x
check "a node's time has a unit" refused 2 "--node-time: '1' is not a duration" "${wrong[@]}" --node-time 1
check "and a limit" refused 2 "--node-time is 2s, but must be from 0us to 1s" "${wrong[@]}" --node-time 2s
finish
