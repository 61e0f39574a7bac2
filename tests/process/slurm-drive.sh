# slurm-drive.sh - gives orders to the provisioner "slurm", on a Slurm of the test; sourced by bash
#
# SATIN_TEST_DRIVE is the program provision-drive; provision-drive.c lists its orders and answers.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "${BASH_SOURCE[0]}")/slurm-cluster.sh"

drive=$SATIN_TEST_DRIVE
folder=$test_dir/staging
mkdir -m 700 "$folder"
quick=poll=200ms,folder=$folder
notes=$test_dir/notes

# begin_drive PARAMETERS [OPTION...] -- COMMAND...: starts a driver whose machines run COMMAND. It
# reads orders from descriptor 9 and prints its answers to out.
begin_drive() {
  rm -f orders notes
  touch notes
  mkfifo orders
  "$drive" "slurm:$1" --variable "NOTES=$notes" --variable "KIND=it's" "${@:2}" <orders >out 2>err &
  pid=$!
  exec 9>orders
}

order() { echo "$*" >&9; }

# end_drive: closes the provisioner and waits for the driver's end; sets status.
end_drive() {
  exec 9>&-
  wait_for_end
}

# count FILE PATTERN N: N lines of FILE match PATTERN.
count() { [ "$(grep -cE -- "$2" "$1")" -eq "$3" ]; }

# soon FILE PATTERN N: waits until N lines of FILE match PATTERN.
soon() { until_true count "$@"; }

# job_of PATTERN: prints the Slurm job of the machine in the first answer that matches PATTERN.
job_of() { grep -m 1 -E "$1" out | grep -oE 'job [0-9_]+' | head -n 1 | cut -d ' ' -f 2; }

# all_is_clean: the driver ended well, Slurm has no job, and the folder is empty. What is left is
# added to out.
all_is_clean() {
  { squeue -h -o 'left: job %i %j %T in %P' 2>&1 && find "$folder" -mindepth 1 -printf 'left: %p\n'; } >left
  cat left >>out
  is_status 0 && [ ! -s left ]
}
