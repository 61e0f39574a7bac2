# checkpoint-common.sh - a program whose results are stored while it runs; sourced by bash
#
# The caller has sourced what test-command-common.sh has.
#
# SPDX-License-Identifier: Apache-2.0

# Long enough to be stopped in the middle; under ThreadSanitizer programs are ten times slower. The
# caller may choose another program.
picture=(--scene balls:5 --size 1024x768 --samples 2)
limit_s=150
[ "$(sanitizer_of "$satin")" != libtsan ] || picture=(--scene balls:5 --size 400x300 --samples 1)
program=(raytracer "${picture[@]}")

# A job that is stolen counts for two nodes.
jobs="$(sum_of jobs) - $(sum_of steals.remote)"

has_stored() { status_query "$(sum_of checkpoint.stored) >= $1" >/dev/null; }

# draw_undisturbed: what the others are compared with.
draw_undisturbed() {
  run "$satin" run -n 4 -w 1 --stats-json figures "${program[@]}"
  is_status 0 || skip_all "${program[*]} did not end in $limit_s s"
  mv out picture
  all_jobs=$(json_query "$jobs" <figures)
}

# start_picture N: begins the program on N nodes with the checkpoint and waits until some of it is stored.
start_picture() {
  start "$satin" run -n "$1" -w 1 --stats-json figures "${checkpoint[@]}" "${program[@]}"
  until_true has_stored 20
}

# resume N: does the rest on N nodes.
resume() {
  run "$satin" run -n "$1" -w 1 --stats-json figures "${checkpoint[@]}" "${program[@]}"
}

is_whole() { is_status 0 && cmp -s out picture; }
is_less() {
  json_query "0 < $jobs < $all_jobs" <figures >/dev/null \
    && json_query "$(sum_of checkpoint.fetched)" <figures >/dev/null
}
# is_removed FOLDER: it is there and empty.
is_removed() {
  [ -d "$1" ] && [ -z "$(ls -A "$1")" ] && return
  ls -lA "$1" | sed 's/^/# left: /'
  return 1
}
