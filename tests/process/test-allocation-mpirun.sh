# test-allocation-mpirun.sh - mpirun satin run, with OpenMPI on this host
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-common.sh"
# libpmix does not free all that it allocates.
echo leak:libpmix >leaks
export LSAN_OPTIONS=suppressions=$test_dir/leaks:print_suppressions=0

need_program mpirun openmpi-bin
[ -n "$(find "$SATIN_PLUGIN_PATH" -name launcher-pmix.so)" ] || skip_all "launcher-pmix was not built (libpmix-dev)"
export TMPDIR=$test_dir # mpirun has its files there
mpirun=(mpirun --allow-run-as-root --oversubscribe)

cat >rank.sh <<'END'
echo $$ >"pid.$OMPI_COMM_WORLD_RANK"
exec "$@"
END
variable_of() { tr '\0' '\n' <"/proc/$1/environ" | sed -n "s/^$2=//p"; }
begin() {
  rm -f pid.*
  start "${mpirun[@]}" "$@" bash rank.sh "$satin" run "${work[@]}"
  mpi_pid=$pid
}

run "${mpirun[@]}" -n 4 "$satin" run nqueens 10
once() { is_status 0 && [ "$(cat out)" = "nqueens(10) = 724" ]; }
check "four processes are one run, whose output comes once" once

# ---- the nodes ----
sleep_for 60s
begin -n 4 --bind-to none
check "they are four nodes" until_true is_up 4
n_workers() { for pid in $(pids_of True); do variable_of "$pid" SATIN_WORKERS; done | paste -sd +; }
fitting() { [ "$(($(n_workers)))" -le "$(($(nproc) > 4 ? $(nproc) : 4))" ]; }
check "which together have no more workers than there are processors" fitting
are_alone() { for pid in $(pids_of True); do ! grep -qzE '^(PMIX|OMPI_COMM_WORLD)_' "/proc/$pid/environ" || return 1; done; }
check "and no variable that makes them one of several" are_alone
kill -KILL "$(pgrep -P "$(cat pid.2)")"
check "a node that is killed is told of" until_true grep -q "declared dead" err
check "and the others go on" is_up 3
pid=$mpi_pid stop_and_wait TERM "$mpi_pid"
check "SIGTERM to mpirun ends the run" until_true no_nodes

# ---- a rank is killed ----
sleep_for 8s
begin -n 4 --enable-recovery
until_true is_up 4
kill -KILL "$(cat pid.2)"
pid=$mpi_pid wait_for_end
right() { [ "$(cat out)" = "$result" ]; }
check "with --enable-recovery a rank that is killed does not end the run" right
check "nothing is left" until_true nothing_left

# ---- small and wrong ----
run "${mpirun[@]}" -n 1 "$satin" run -n 2 nqueens 9
nine() { is_status 0 && [ "$(cat out)" = "nqueens(9) = 352" ]; }
check "a single process runs as it does alone" nine
in_turn() {
  run "${mpirun[@]}" -n 2 sh -c '"$0" run nqueens 9; "$0" run nqueens 10' "$satin"
  is_status 0 && [ "$(tr '\n' ' ' <out)" = "nqueens(9) = 352 nqueens(10) = 724 " ]
}
five_times() { for _ in 1 2 3 4 5; do in_turn || return; done; }
check "two runs of one mpirun follow each other, five times" five_times
run "${mpirun[@]}" -n 3 "$satin" run --listen tcp://192.0.2.77:7000 nqueens 9
no_address() { ! is_status 0 && grep -q "192.0.2.77" err && [ "$took_ms" -lt 10000 ]; }
check "an address that rank 0 cannot have is told of, and ends all ranks" no_address
mkdir few
for file in $(find "$SATIN_PLUGIN_PATH" -name '*.so' ! -name launcher-pmix.so); do ln -s "$file" few; done
SATIN_PLUGIN_PATH=$test_dir/few run "${mpirun[@]}" -n 2 "$satin" run nqueens 9
no_plugin() { ! is_status 0 && grep -q "one of several that were started together.*no plugin launcher-pmix.so" err && [ ! -s out ]; }
check "without the plugin it says so, and runs nothing" no_plugin
run "${mpirun[@]}" -n 2 sh -c 'if [ "$PMIX_RANK" = 0 ]; then exec "$0" run --launcher pmix:patience=1s nqueens 9; else sleep 3; fi' "$satin"
check "a rank that does not come is told of" grep -q "not all of them have come within 1 s" err
finish
