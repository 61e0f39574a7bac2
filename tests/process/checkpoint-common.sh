# checkpoint-common.sh - runs of a program with a checkpoint, for tests; sourced by bash
#
# The caller has sourced test-command-common.sh, and sets checkpoint, the options of satin run.
#
# SPDX-License-Identifier: Apache-2.0

# The program runs long enough to be stopped in the middle. Under ThreadSanitizer programs are ten
# times slower, so the picture is smaller. The caller may choose another program.
picture=(--scene balls:5 --size 800x600 --samples 2)
limit_s=150
[ "$(sanitizer_of "$satin")" != libtsan ] || picture=(--scene balls:5 --size 400x300 --samples 1)
program=(raytracer "${picture[@]}")

# How many jobs ran. Two nodes count a stolen job, so remote steals are subtracted.
jobs="$(sum_of jobs) - $(sum_of steals.remote)"

has_stored() { status_query "$(sum_of checkpoint.stored) >= $1" >/dev/null; }

# draw_undisturbed: runs the program without a checkpoint. Leaves its output in picture, and sets
# all_jobs: other runs are compared with these.
draw_undisturbed() {
  run "$satin" run -n 4 -w 4 --stats-json figures "${program[@]}"
  is_status 0 || skip_all "${program[*]} did not end in $limit_s s"
  mv out picture
  all_jobs=$(json_query "$jobs" <figures)
}

# start_picture N: starts the program on N nodes with the checkpoint, and waits until some results
# are stored.
start_picture() {
  start "$satin" run -n "$1" -w 1 --stats-json figures "${checkpoint[@]}" "${program[@]}"
  until_true has_stored 20
}

# resume N: runs the program to its end on N nodes, from the checkpoint. They have more workers than
# before, so that programs whose jobs sleep end sooner.
resume() {
  run "$satin" run -n "$1" -w 4 --stats-json figures "${checkpoint[@]}" "${program[@]}"
}

is_whole() { is_status 0 && cmp -s out picture; }
is_less() {
  json_query "0 < $jobs < $all_jobs" <figures >/dev/null \
    && json_query "$(sum_of checkpoint.fetched)" <figures >/dev/null
}
# is_removed FOLDER: the logs in the folder were removed: it exists and is empty.
is_removed() {
  [ -d "$1" ] && [ -z "$(ls -A "$1")" ] && return
  ls -lA "$1" | sed 's/^/# left: /'
  return 1
}
