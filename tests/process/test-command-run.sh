# test-command-run.sh - satin run: right results, exit statuses, errors that are printed once
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

right_result() {
  is_status 0 && [ "$(cat out)" = "fib(24) = 46368" ] && [ ! -s err ]
}

run "$satin" run -n 4 fib 24
check "four nodes over unix sockets give the right result" right_result
run env G_MESSAGES_DEBUG=all "$satin" run -n 2 fib 24
quiet_out() { is_status 0 && [ "$(cat out)" = "fib(24) = 46368" ] && grep -q DEBUG err; }
check "what is said to debug goes to standard error" quiet_out
run "$satin" run --transport tcp -n 3 fib 24
check "three nodes over TCP with TLS give the right result" right_result
run "$satin" run --transport tcp --insecure -n 2 fib 24
check "two nodes over TCP without TLS give the right result" right_result
run "$satin" run --clusters a:2,b:1 --policy rs fib 24
check "two clusters and another policy give the right result" right_result
right_queens() {
  is_status 0 && [ "$(cat out)" = "nqueens(12) = 14200" ] && [ ! -s err ]
}
for policy in acrs chs cls crs mw rp; do
  run "$satin" run --clusters a:2,b:2 --policy $policy nqueens 12
  check "two clusters and the policy $policy give the right result" right_queens
done
check_answer "run -n 4" "four nodes find what is best to carry" knapsack --generate 24 --grain 10000
check_answer "run -n 4" "four nodes find the cheapest cover" setcover --generate 100x300 --grain 100
check_answer "run -n 4" "four nodes find the best move" othello --random 16 --grain 10
check_answer "run -n 4" "and when they tell each other what they know" \
  othello --random 16 --grain 10 --table shared
check_answer "run -n 4" "four nodes route wires the same ways" locusroute --grain 1
run "$satin" run -n 4 locusroute --costs shared
check "and tell each other of them" is_routed
check_answer "run -n 4" "four nodes share the best leaf" tree --best 1000000 --shared 100s
check_answer "run -n 4" "four nodes find prime factors" primefactors 1152949177246914739 --grain 10000000
check_answer "run -n 4" "four nodes move stars to the same places, to the last bit" \
  barnes-hut --bodies 3000 --iterations 3 --grain 100
check_answer "run -n 4" "and so they do with trees in jobs" \
  barnes-hut --bodies 3000 --iterations 3 --grain 100 --send-trees
run "$satin" run -n 3 barnes-hut --bodies 500 --iterations 4 --write half.txt
run "$satin" run -n 2 barnes-hut --iterations 4 half.txt
digest=$(grep -o 'digest .*' out)
run "$satin" run -n 1 barnes-hut --bodies 500 --iterations 8
goes_on() { is_status 0 && [ -n "$digest" ] && says out "$digest"; }
check "bodies that were written half-way go on as if nothing had happened" goes_on
check_answer "run -n 4" "four nodes refute a formula, with arguments of any length" \
  sat --generate pigeon:7 --budget 100
run "$satin" run -n 1 --workers 3 fib 24
check "one node with three workers gives the right result" right_result
run "$satin" run -n 2 --with net:max-links=2 fib 24
check "parameters for a part give the right result" right_result
run "$satin" run -n 2 -- fib 24
check "two dashes end the options" right_result
check "nothing is left after a run" nothing_left

# Cron has no locale, so its charset is ASCII.
mkdir josé
cp "$SATIN_TEST_INSTANCES/gr17.tsp" josé/gr17.tsp
printf '#!/bin/sh\nexec "$@"\n' >josé/wrap
chmod +x josé/wrap
echo '1h join 1 cluster c1' >josé/events
LC_ALL=C run "$satin" run -n 2 --checkpoint file:josé/stored --wrap "$PWD/josé/wrap" --before 'test -d josé' \
  tsp josé/gr17.tsp
is_toured() { is_status 0 && says out "tsp: gr17, 17 cities, shortest tour 2085" && [ -d josé/stored ]; }
check "paths may have any letters, whatever the locale is" is_toured
LC_ALL=C run "$satin" run -n 1 --with "ft:checkpoint=file:$PWD/josé/stored" fib 24
check "also those of parts" right_result
LC_ALL=C run "$satin" run --provision exec:script=josé/none fib 3
no_script() { is_status 11 && says err "provision exec: there is no script"; }
check "and those of machines" no_script
LC_ALL=C run "$satin" run --hub "unix:$PWD/josé/hub" --insecure fib 3
check "and those of hubs" is_status 20
LC_ALL=C run "$satin" sim --events @josé/events fib 24
check "and those of events" grep -qx "fib(24) = 46368" out

run "$satin" run -n 3 "$node" exit 7
check "the exit status is the program's" is_status 7
run "$satin" run -n 3 "$node" fail
failed_once() { is_status 25 && says err "the root job fails as it should"; }
check "a failed root job is said once and makes the exit status" failed_once
printf 12345 >input
run bash -c '"$0" run -n 1 "$1" input <input' "$satin" "$node"
check "standard input is that of the first node" grep -qx 5 out
run "$satin" run -n 3 "$node" leave 3
left_early() { is_status 3 && says err "the master" && says err "ended with exit status 3"; }
check "a master that exits without ending the run ends it" left_early

run "$satin" run -n 4 fib --bogus 3
wrong_option() { is_status 2 && says err "--bogus"; }
check "a wrong option of the program is said once" wrong_option
SATIN_STACK=nonsense run "$satin" run -n 4 fib 3
failed_start() { is_status 2 && says err "SATIN_STACK" && says err "before it joined the run"; }
check "what every node finds wrong is said once" failed_start
run "$satin" run -n 3 /bin/true
no_satin_program() { is_status 1 && says err "is it a Satin program?" && [ "$took_ms" -lt 5000 ]; }
check "a program that is no Satin program is said at once" no_satin_program
run "$satin" run -n 3 "$node"-missing
check "a path without a program has its own status" is_status 11
run "$satin" run no-such-program
not_found() { is_status 11 && says err "no-such-program" && grep -qF "$SATIN_APP_PATH" err; }
check "a name without a program says where it was looked for" not_found
touch plain
run "$satin" run ./plain
check "a file that cannot be executed says the cure" grep -q "chmod +x" err

wrong_usage() { is_status 2 && grep -q -- "--help" err; }
run "$satin" run --bogus fib 3
check "an unknown option says where to read on" wrong_usage
run "$satin" run
check "a missing program says where to read on" wrong_usage
run "$satin" run -n 0 fib 3
check "no nodes are refused" wrong_usage
run "$satin" run -q -n x fib 3
no_number() { wrong_usage && says err "satin: --nodes wants a whole number, not x; see"; }
check "a word in place of a number is refused in the same words" no_number
run "$satin" run --nodes=3k fib 3
check "also behind a long option" says err "satin: --nodes wants a whole number, not 3k; see"
run "$satin" run --policy lukky fib 3
unknown_once() { is_status 11 && says err "satin: no plugin policy-lukky.so in " && [ "$(grep -o lukky err | wc -l)" -eq 1 ]; }
check "a plugin that is not there is named once" unknown_once
run "$satin" run --provision exec:bogus=1 fib 3
check "and so is one with a wrong parameter" says err "satin: provision exec: unknown parameter bogus"
run "$satin" run --clusters a fib 3
check "a cluster without a number is refused" wrong_usage
run "$satin" run --clusters a:2 -n 3 fib 3
check "numbers of nodes that contradict each other are refused" wrong_usage
run "$satin" run --transport smoke fib 3
check "an unknown transport is found before anything starts" is_status 11
run "$satin" run --hub unix:/nowhere --listen unix:/elsewhere fib 3
check "a hub to join and a hub to make are refused together" wrong_usage
run "$satin" run --policy none fib 3
check "an unknown policy is found before anything starts" is_status 11
run "$satin" run --with none fib 3
check "an unknown part is found before anything starts" is_status 11
run "$satin" run --timeout 5 fib 3
check "a time without unit is refused" is_status 2
check "nothing is left after errors" nothing_left
finish
