# slurm-drive.sh - orders to the provisioner "slurm" on a Slurm of the test's own; sourced by bash
#
# SATIN_TEST_DRIVE is provision-drive, which says what is ordered and what is told.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "${BASH_SOURCE[0]}")/slurm-cluster.sh"

drive=$SATIN_TEST_DRIVE
folder=$test_dir/staging
mkdir -m 700 "$folder"
quick=poll=200ms,folder=$folder
notes=$test_dir/notes

# begin_drive PROVISIONER [OPTION...] -- COMMAND...: orders go to descriptor 9, what is told to out.
begin_drive() {
  rm -f orders notes
  touch notes
  mkfifo orders
  "$drive" "slurm:$1" --variable "NOTES=$notes" --variable "KIND=it's" "${@:2}" <orders >out 2>err &
  pid=$!
  exec 9>orders
}

order() { echo "$*" >&9; }

# end_drive: closes it; sets status.
end_drive() {
  exec 9>&-
  wait_for_end
}

# count FILE PATTERN N: so many lines of FILE have it.
count() { [ "$(grep -cE -- "$2" "$1")" -eq "$3" ]; }

# soon FILE PATTERN N: so many will have it.
soon() { until_true count "$@"; }

# job_of PATTERN: the job of the machine that was told in the first line with it.
job_of() { grep -m 1 -E "$1" out | grep -oE 'job [0-9_]+' | head -n 1 | cut -d ' ' -f 2; }

# all_is_clean: Slurm has no job and the folder no file; else what there is follows in out.
all_is_clean() {
  { squeue -h -o 'left: job %i %j %T in %P' 2>&1 && find "$folder" -mindepth 1 -printf 'left: %p\n'; } >left
  cat left >>out
  is_status 0 && [ ! -s left ]
}
