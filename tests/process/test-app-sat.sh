# test-app-sat.sh - the program sat: files, models, errors, and the same answers as minisat
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

sat=$SATIN_APP_PATH/sat/sat
export SATIN_WORKERS=2

answers() { is_status 0 && [ "$(head -n 1 out)" = "s $1" ] && [ ! -s err ]; }

printf 'c a comment\np cnf 3 3\n1 -3 0\n2 3 -1 0\n-2 0\n' >small.cnf
printf 'p cnf 1 2\n1 0\n-1 0\n' >none.cnf
run "$sat" small.cnf
check "a file that has a model is satisfiable" answers SATISFIABLE
no_model() { [ "$(wc -l <out)" -eq 1 ]; }
check "no model is printed unless it is asked for" no_model
run "$sat" none.cnf --model
check "a file that has none is unsatisfiable" answers UNSATISFIABLE

# is_model FILE: the lines v in out name each variable once, end with 0, and satisfy each clause.
is_model() {
  awk '
    NR == FNR { if ($1 == "v") for (i = 2; i <= NF; i++) { holds[$i] = 1; last = $i; n++ }; next }
    $1 == "p" { n_variables = $3; for (i = 1; i <= $3; i++) if (holds[i] + holds[-i] != 1) bad = 1; next }
    $1 != "c" { for (i = 1; i <= NF; i++) if ($i == 0) { if (!good) bad = 1; good = 0 } else good += holds[$i] }
    END { exit bad || last != 0 || n != n_variables + 1 }' out "$1"
}
run "$sat" small.cnf --model
check "a model is one" is_model small.cnf
run "$sat" --generate uniform:300,900,3,1 --write large.cnf
written() { is_status 0 && [ ! -s out ] && [ -s large.cnf ]; }
check "a formula is written and not solved" written
run "$sat" large.cnf --model --budget 5
check "a model of many lines is one, whoever found it" is_model large.cnf
no_long_line() { [ "$(awk '{ print length }' out | sort -n | tail -n 1)" -le 78 ]; }
check "its lines are short" no_long_line
run "$sat" --generate pigeon:6 --budget 50 --time
said_time() { is_status 0 && [ "$(cat out)" = "s UNSATISFIABLE" ] && grep -q ' [0-9]* jobs, [0-9]* conflicts' err; }
check "the time goes to stderr" said_time
divided() { [ "$(sed -n 's/.* \([0-9]*\) jobs.*/\1/p' err)" -gt 10 ]; }
check "a job divides when its conflicts are used up" divided
run env SATIN_WORKERS=1 "$sat" --generate uniform:150,600,3,1 --budget 20 --time
# If all halves were searched, there would be more than a thousand jobs.
soon() { is_status 0 && [ "$(sed -n 's/.* \([0-9]*\) jobs.*/\1/p' err)" -lt 20 ]; }
check "one model is enough" soon
run "$sat" --generate pigeon:6 --budget 50 --time --share 0
check "without sharing, too" said_time

# refused NAME STATUS TEXT ARGUMENT...: a case. sat with these arguments prints one line, with TEXT,
# to stderr and nothing to stdout, and ends with STATUS.
refused() {
  local name=$1 expected=$2 text=$3
  shift 3
  run "$sat" "$@"
  is_refused() { is_status "$expected" && says err "$text" && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ]; }
  check "$name" is_refused
}
refused "a missing file is 11" 11 "formula absent.cnf does not exist" absent.cnf
printf 'p cnf 2 1\n1 3 0\n' >wrong.cnf
refused "a literal that is too large is 12" 12 "wrong.cnf: line 2: expected literal, or 0 to end the clause, a whole number from -2 to 2, found '3'" wrong.cnf
head -c 2000 large.cnf >cut.cnf
refused "a file that was cut off is 12" 12 "found the end" cut.cnf
printf 'p cnf 2000000 1\n1 0\n' >huge.cnf
refused "too many variables are 12" 12 "expected number of variables, a whole number from 0 to 1000000" huge.cnf
refused "a formula that cannot be written is 27" 27 "cannot write formula" --generate pigeon:2 --write none/x.cnf

# agrees KIND...: for a generated formula of each kind, sat gives minisat's answer, both
# sequentially and divided into jobs.
agrees() {
  local kind expected
  for kind in "$@"; do
    "$sat" --generate "$kind" --write kind.cnf || return
    minisat -verb=0 kind.cnf >minisat.out 2>&1
    case $? in
      10) expected=SATISFIABLE ;;
      20) expected=UNSATISFIABLE ;;
      *) return 1 ;;
    esac
    run "$sat" kind.cnf --sequential
    answers $expected || return
    run "$sat" kind.cnf --budget 20 --model
    answers $expected || return
    [ $expected = UNSATISFIABLE ] || is_model kind.cnf || return
  done
}
uniform() {
  local i n
  for ((i = 0; i < $1; i++)); do
    n=$((20 + 2 * i))
    echo "uniform:$n,$((n * 426 / 100)),3,$i"
  done
}
if command -v minisat >/dev/null; then
  check "minisat agrees on random formulas" agrees $(uniform 60)
  check "minisat agrees on structured ones" agrees pigeon:{1..7} parity:{10,20,30},{1,2} \
    factor:{4,15,97,1009,8633,65537,1018081}
else
  echo "ok $((++n_cases)) minisat agrees # SKIP minisat is not installed: tools/install-packages test"
fi
finish
