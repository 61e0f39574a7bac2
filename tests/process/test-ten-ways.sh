# test-ten-ways.sh - one program, started in ten ways, nine of them with a node that is killed; and
# a run that is stopped in one way and goes on in another
#
# The answer is the same each time. At its end the test prints a table of the ways. A way whose
# programs are not installed is skipped. The environment also has SATIN_TEST_BUILD, the build
# folder, and SATIN_TEST_SOURCES.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-servers.sh"
. "$(dirname "$0")/ssh-hosts.sh"
. "$(dirname "$0")/slurm-cluster.sh"
. "$(dirname "$0")/podman-image.sh"
trap 'end_containers; end_slurm_jobs; end_servers; end_mounts; kill -KILL $(jobs -p) 2>/dev/null; cd / && rm -rf "$test_dir"' EXIT

program=(nqueens 16)
answer="nqueens(16) = 14772512"
table=()

start_slurm
mkdir -m 700 staging
for n in 2 3; do
  make_host $n
  start_host $n
  echo "127.0.0.$n:$ssh_port slots=2" >>hosts.txt
done

# The output of the run, and a command that prints its status.
outputs=(out)
ask=("$satin" status --json)

# is_shared N: the run has N members or more, and each has run jobs. Sets others, the process ids of
# all but the master.
is_shared() {
  others=$("${ask[@]}" 2>/dev/null | json_query "(lambda up: len(up) >= $1 and all(n['figures'].get('jobs') for n in up)
    and ' '.join(str(n['pid']) for n in up if not n['master']))([n for n in s['nodes'] if n['state'] == 'member'])")
}
is_shared_or_over() { is_shared "$1" || has_ended; }

# add_row WAY NODES KILLED: adds a row to the table, for the run that has ended.
add_row() {
  table+=("$(printf '%-26s %5s %7d.%d s  %-24s %s' "$1" "$2" $((took_ms / 1000)) $((took_ms % 1000 / 100)) "$(cat answer)" "$3")")
}

# has_answer: the run has printed the answer, once.
has_answer() {
  cat "${outputs[@]}" | grep -aF "nqueens(" >answer
  [ "$(cat answer)" = "$answer" ]
}

# try WAY N COMMAND...: a case. The command is a run with N nodes at least. One of them, not the
# master, is killed.
try() {
  local way=$1 n=$2 from killed=no
  shift 2
  from=$(now_ms)
  others=
  start "$@"
  until_true is_shared_or_over "$n"
  # shellcheck disable=SC2015 # no node was killed if kill fails
  [ -n "$others" ] && kill -KILL "${others%% *}" && killed=yes
  wait_for_end
  took_ms=$(($(now_ms) - from))
  survived() { has_answer && [ "$killed" = yes ]; }
  check "$way" survived
  add_row "$way" "$n" "$killed"
  outputs=(out)
  ask=("$satin" status --json)
}

# ---- the ways ----
limit_s=300
run "$SATIN_APP_PATH/nqueens/nqueens" 16
check "plainly, on all cores" has_answer
add_row "plainly" - -

try "satin run" 4 "$satin" run -n 4 -w 1 "${program[@]}"

# by_hand: a hub, and three nodes that know its address.
by_hand() {
  local n nodes=()
  "$satin" hub --listen "unix:$test_dir/hand" --nodes 3 >hand.uri 2>hand.err </dev/null &
  until_true test -s hand.uri
  for n in 1 2 3; do
    SATIN_WORKERS=1 "$satin" node --hub "unix:$test_dir/hand" "${program[@]}" >"hand.$n" 2>>hand.err </dev/null &
    nodes+=($!)
  done
  wait "${nodes[@]}"
}
outputs=(hand.1 hand.2 hand.3)
ask=("$satin" status --json --hub "unix:$test_dir/hand")
try "a hub and nodes by hand" 3 by_hand

try "hosts by ssh" 3 "$satin" run --provision "ssh:hosts=$test_dir/hosts.txt,$ssh_params" --min 2 -w 1 "${program[@]}"
try "--provision slurm" 3 "$satin" run --provision "slurm:poll=200ms,folder=$test_dir/staging" --min 2 -w 1 "${program[@]}"
try "srun satin run" 3 srun -N 3 -n 3 "$satin" run -w 1 "${program[@]}"

# in_batch: a job on three hosts, whose script starts the run.
in_batch() {
  printf '#!/bin/bash\n"%s" run --provision allocation -w 1 %s\n' "$satin" "${program[*]}" >batch.sh
  sbatch -N 3 -c 4 -o "$test_dir/batch.out" -e "$test_dir/batch.err" batch.sh >/dev/null
  until no_jobs; do sleep 0.2; done
}
outputs=(batch.out)
try "--provision allocation" 4 in_batch

if command -v mpirun >/dev/null && [ -n "$(find "$SATIN_PLUGIN_PATH" -name launcher-pmix.so)" ]; then
  try "mpirun satin run" 3 env TMPDIR="$test_dir" mpirun --allow-run-as-root --oversubscribe -n 3 "$satin" run -w 1 "${program[@]}"
else
  skip "mpirun satin run" "OpenMPI or launcher-pmix is not there"
fi

if make_image nqueens; then
  try "containers of podman" 3 "$satin" run -n 3 -w 1 --wrap "$wrap" "$contained" 16
else
  skip "containers of podman" "$pod_fault"
fi

# as_nobody COMMAND...: runs it as another user, without the variables of the test.
as_nobody() {
  setpriv --reuid=nobody --regid=nogroup --clear-groups env -u LD_LIBRARY_PATH -u SATIN_APP_PATH -u SATIN_PLUGIN_PATH \
    HOME=/nonexistent XDG_RUNTIME_DIR="$test_dir/nobody/run" XDG_STATE_HOME="$test_dir/nobody/state" "$@"
}
# unpack: makes the tarball, and unpacks it.
unpack() {
  local tarball
  mkdir -p nobody/run
  chmod 711 "$test_dir"
  tarball=$("$SATIN_TEST_SOURCES/tools/make-tarball" "$SATIN_TEST_BUILD" "$test_dir" 2>tarball.err | tail -n 1)
  zstd --decompress --stdout "$tarball" | tar x -C nobody && mv nobody/satin-* nobody/satin && chown -R nobody:nogroup nobody
}
if command -v patchelf >/dev/null && command -v zstd >/dev/null; then
  check "the tarball is made" unpack
  ask=(as_nobody "$test_dir/nobody/satin/bin/satin" status --json)
  try "the tarball as another user" 3 as_nobody "$test_dir/nobody/satin/bin/satin" run -n 3 -w 1 "${program[@]}"
else
  skip "the tarball as another user" "patchelf or zstd is not there: tools/install-packages packages"
fi

# ---- from one way to another ----
sleep_for 200s
make_server_folder files
served=$test_dir/files
port=$(free_port)
start_swift conditions
checkpoint=(--checkpoint "s3+http://127.0.0.1:$port/bucket/folder" --checkpoint-every 500ms)
start srun -N 3 -n 3 "$satin" run -w 1 "${checkpoint[@]}" "${work[@]}"
has_stored() { [ "$(status_query "$(sum_of checkpoint.stored)")" -ge 5 ]; } 2>/dev/null
check "a run in a job of Slurm stores results in a bucket" until_true has_stored
stop_and_wait INT "$pid"
run "$satin" run -n 4 -w 2 --stats-json figures "${checkpoint[@]}" "${work[@]}"
went_on() { is_status 0 && [ "$(cat out)" = "$result" ] && json_query "$(sum_of checkpoint.fetched) > 0" <figures >/dev/null; }
check "it is stopped, and goes on outside of Slurm with these results" went_on

finish
printf '# %-26s %5s %9s  %-24s %s\n' way nodes time answer killed
printf '# %s\n' "${table[@]}"
