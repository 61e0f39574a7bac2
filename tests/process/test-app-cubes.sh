# test-app-cubes.sh - the program cubes: published answers, models, cubes, proofs and errors
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

cubes=$SATIN_APP_PATH/cubes/cubes
rup=$SATIN_TEST_RUP
export SATIN_WORKERS=2
limit_s=100

answers() { is_status 0 && [ "$(head -n 1 out)" = "s $1" ] && [ ! -s err ]; }

# is_model FILE: the lines v in out name each variable once, end with 0, and satisfy each clause.
is_model() {
  awk '
    NR == FNR { if ($1 == "v") for (i = 2; i <= NF; i++) { holds[$i] = 1; last = $i; n++ }; next }
    $1 == "p" { n_variables = $3; for (i = 1; i <= $3; i++) if (holds[i] + holds[-i] != 1) bad = 1; next }
    $1 != "c" { for (i = 1; i <= NF; i++) if ($i == 0) { if (!good) bad = 1; good = 0 } else good += holds[$i] }
    END { exit bad || last != 0 || n != n_variables + 1 }' out "$1"
}

# is_published KIND N: the kind's formula has a model for N, and none for N + 1.
is_published() {
  "$cubes" --generate "$1$2" --write model.cnf || return
  run "$cubes" --generate "$1$2" --model --cubes 8
  answers SATISFIABLE && is_model model.cnf || return
  run "$cubes" --generate "$1$(($2 + 1))" --cubes 8
  answers UNSATISFIABLE
}
check "Schur's number of three colours is 13" is_published schur:3, 13
check "van der Waerden's number of 3 and 5 is 22" is_published waerden:3,5, 21
check "van der Waerden's number of 4 and 4 is 35" is_published waerden:4,4, 34
check "van der Waerden's number of 3 and 6 is 32" is_published waerden:3,6, 31
run "$cubes" --generate schur:4,44 --model
"$cubes" --generate schur:4,44 --write schur.cnf
four_colours() { answers SATISFIABLE && is_model schur.cnf; }
check "44 numbers have a colouring with four colours" four_colours
run "$cubes" --generate pythagoras:400 --model
"$cubes" --generate pythagoras:400 --write pythagoras.cnf
triples() { answers SATISFIABLE && is_model pythagoras.cnf; }
check "the numbers up to 400 have a colouring without a Pythagorean triple" triples

# ---- cubes ----

"$cubes" --generate pigeon:6 --write pigeon.cnf
run "$cubes" pigeon.cnf --print-cubes --cubes 16
printed() { is_status 0 && [ "$(grep -c '^a .* 0$' out)" -eq 16 ] && [ "$(wc -l <out)" -eq 16 ]; }
check "cubes are printed" printed
cp out pigeon.cubes
run "$cubes" pigeon.cnf --print-cubes --depth 2
shallow() { is_status 0 && [ "$(wc -l <out)" -eq 4 ] && [ "$(awk 'NF != 4' out | wc -l)" -eq 0 ]; }
check "cubes have at most as many literals as asked for" shallow
run "$cubes" pigeon.cnf --cube-file pigeon.cubes --time
used() { is_status 0 && [ "$(cat out)" = "s UNSATISFIABLE" ] && says err " 16 cubes, 17 jobs,"; }
check "the cubes of a file are used" used
{ echo "p inccnf"; grep -v '^p' pigeon.cnf; cat pigeon.cubes; } >pigeon.icnf
run "$cubes" pigeon.icnf --time
check "the cubes of an iCNF file are used" used
head -n 3 pigeon.cubes >few.cubes
run "$cubes" pigeon.cnf --cube-file few.cubes
check "cubes that do not cover the formula give the right answer" answers UNSATISFIABLE
printf 'p cnf 2 2\n1 2 0\n-1 2 0\n' >two.cnf
printf 'a -2 0\n' >refuted.cubes
run "$cubes" two.cnf --cube-file refuted.cubes --model
left_out() { answers SATISFIABLE && is_model two.cnf; }
check "a model that the cubes leave out is found" left_out
run env SATIN_WORKERS=1 "$cubes" pigeon.cnf --cubes 2 --conflicts 50 --time
divided() { is_status 0 && [ "$(sed -n 's/.* \([0-9]*\) jobs.*/\1/p' err)" -gt 10 ]; }
check "a job divides when its conflicts are used up" divided

# ---- proofs ----

# proves KIND OPTION...: cubes writes a proof that the checker accepts.
proves() {
  "$cubes" --generate "$1" --write kind.cnf || return
  rm -f kind.drat
  run "$cubes" kind.cnf --proof kind.drat "${@:2}"
  answers UNSATISFIABLE && run "$rup" kind.cnf kind.drat && is_status 0
}
check "the proof of a look is good" proves waerden:4,4,35
check "the proof of cubes is good" proves pigeon:6 --cubes 16
check "the proof of cubes that were divided is good" proves pigeon:6 --cubes 2 --conflicts 50
check "so is one without clauses for the halves" proves pigeon:6 --cubes 2 --conflicts 50 --pass 0
check "the proof of plain C is good" proves pigeon:6 --sequential
check "the proof with cubes of a file is good" proves pigeon:6 --cube-file pigeon.cubes
check "so is one with cubes that do not cover the formula" proves pigeon:6 --cube-file few.cubes
check "the proof of a random formula is good" proves uniform:120,600,3,1 --cubes 16 --conflicts 300
printf 'p cnf 0 1\n0\n' >empty.cnf
run "$cubes" empty.cnf --proof empty.drat
empty() { answers UNSATISFIABLE && "$rup" empty.cnf empty.drat >/dev/null; }
check "an empty clause needs no proof, and gets one" empty

# rejects FILE: the checker rejects the proof.
rejects() {
  run "$rup" kind.cnf "$1"
  is_status 1
}
proves pigeon:6 --cubes 16 --candidates 1
# The lemmas that are not deleted say that cubes have no model.
awk 'NR == FNR { if ($1 == "d") gone[substr($0, 3)] = 1; next } gone[$0] || $1 == "d"' \
  kind.drat kind.drat >no-cubes.drat
echo 0 >>no-cubes.drat
check "a proof without the lemmas of the cubes is rejected" rejects no-cubes.drat
echo 0 >only-end.drat
check "a proof of one line is rejected" rejects only-end.drat
head -n 20 kind.drat >cut.drat
check "a proof that was cut off is rejected" rejects cut.drat
sed '1i 1 0' kind.drat >first.drat
check "a proof with a lemma that does not follow is rejected" rejects first.drat
# Each lemma of this proof is needed.
printf 'p cnf 3 8\n1 2 3 0\n1 2 -3 0\n1 -2 3 0\n1 -2 -3 0\n-1 2 3 0\n-1 2 -3 0\n-1 -2 3 0\n-1 -2 -3 0\n' >kind.cnf
printf '1 2 0\n1 0\n-1 2 0\n0\n' >full.drat
accepts() { run "$rup" kind.cnf full.drat && is_status 0; }
check "a proof by hand is good" accepts
needs_all() {
  local i
  for i in 1 3; do
    sed "${i}d" full.drat >less.drat
    rejects less.drat || return
  done
}
check "it is rejected if a lemma is removed" needs_all

rm -f none.drat
run "$cubes" two.cnf --proof none.drat
no_proof() { answers SATISFIABLE && [ ! -e none.drat ]; }
check "there is no proof when there is a model" no_proof

run "$cubes" --help
helps() { is_status 0 && says out "Usage:" && says out "--proof-size" && [ ! -s err ]; }
check "the help names the options" helps

# ---- errors ----

# refused NAME STATUS TEXT ARGUMENT...: a case. cubes with these arguments prints one line, with TEXT,
# to stderr and nothing to stdout, and ends with STATUS.
refused() {
  local name=$1 expected=$2 text=$3
  shift 3
  run "$cubes" "$@"
  is_refused() { is_status "$expected" && says err "$text" && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ]; }
  check "$name" is_refused
}
refused "a proof that is too large is 14" 14 "MiB" --generate pigeon:9 --proof x.drat --proof-size 1
refused "a proof that cannot be written is 27" 27 "cannot write proof" pigeon.cnf --proof none/x.drat
refused "a cube with an unknown variable is 12" 12 "literal, or 0 to end the cube" two.cnf --cube-file pigeon.cubes
printf 'a 1 -1 0\n' >twice.cubes
refused "a cube with a variable twice is 12" 12 "a variable is in this cube twice" two.cnf --cube-file twice.cubes
refused "no formula is 2" 2 "no formula given"
refused "a job needs a conflict" 2 "--conflicts is 0" two.cnf --conflicts 0
refused "cubes are given once" 2 "give them once" pigeon.icnf --cube-file pigeon.cubes
refused "a missing file of cubes is 11" 11 "cubes absent.cubes does not exist" two.cnf --cube-file absent.cubes
finish
