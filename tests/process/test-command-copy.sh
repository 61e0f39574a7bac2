# test-command-copy.sh - satin copy: folders and files, existing files, stopping and resuming
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-common.sh"

mkdir from
make_file from/large 30000000
make_file from/small 1000
: >from/empty
uri=file:$test_dir
same() { cmp -s "from/$1" "$2"; }

run "$satin" copy "$uri/from/" "$uri/to/"
copied() { is_status 0 && same large to/large && same small to/small; }
check "a folder is copied" copied
check "an empty file is left out and told of" says out "2 files copied, 1 empty file left out: 30.0 MB"
check "nothing else is left" test "$(ls -A to | tr '\n' ' ')" = "large small "
run "$satin" copy "$uri/from/" "$uri/to/"
again() { is_status 0 && says out "0 files copied, 2 there already"; }
check "what is there already is left alone" again
run "$satin" copy "$uri/from/small" "$uri/to/other"
renamed() { is_status 0 && same small to/other; }
check "one file is copied under another name" renamed
run "$satin" copy "$uri/from/small" "$uri/one/"
beside() { is_status 0 && same small one/small && [ "$(ls -A one)" = small ]; }
check "one file is copied into a folder, alone" beside
run "$satin" copy --quiet "$uri/from/small" "$uri/quiet/"
quiet() { is_status 0 && [ ! -s out ] && [ ! -s err ]; }
check "with --quiet it says nothing" quiet

# ---- refused copies ----
make_file to/small 1000
rm to/large
run "$satin" copy "$uri/from/" "$uri/to/"
kept() { is_status 2 && grep -q -- '--force copies over it' err && ! same small to/small; }
check "another file of the same size is not overwritten" kept
rm -rf to/*
echo other >to/small
run "$satin" copy "$uri/from/" "$uri/to/"
untouched() { is_status 2 && [ "$(ls to)" = small ] && [ "$(cat to/small)" = other ]; }
check "one of another size is seen before anything is copied" untouched
run "$satin" copy --force "$uri/from/" "$uri/to/"
check "with --force it is overwritten" copied
run "$satin" copy "$uri/from/none" "$uri/to/"
check "a file that is not there is not found" is_status 11
run "$satin" copy "$uri/none/" "$uri/to/"
none() { is_status 11 && [ ! -e none ]; }
check "a folder that is not there is not made to copy from" none
run "$satin" copy "$uri/from/" "$uri/to/file"
check "a folder cannot become a file" is_status 2
run "$satin" copy "$uri/from/small" "$uri/from/"
check "a file is not copied to itself" is_status 2
run "$satin" copy from/small to/
check "a path is no URI" is_status 2
run "$satin" copy "$uri/from/small" bogus://x/
check "an unknown scheme has its own status" is_status 11
run "$satin" copy "$uri/from/small" "bogus+$uri/to/x"
check "so has an unknown filter, and those there are are told" grep -q 'no filter "bogus".*delay, fault' err
run "$satin" copy --to fault.fail-call=1 "$uri/from/small" "$uri/to/x"
check "parameters of a filter that is not there are wrong usage" is_status 2
run "$satin" copy --to bogus=1 "$uri/from/small" "$uri/to/x"
check "a wrong parameter is wrong usage" is_status 2
run "$satin" copy "$uri/from/small"
check "a missing word is wrong usage" is_status 2

# ---- files beside the part ----
rm -rf to mine
mkdir to mine
echo mine >to/small.part
run "$satin" copy "$uri/from/small" "$uri/to/"
not_touched() { is_status 0 && same small to/small && [ "$(cat to/small.part)" = mine ]; }
check "a file NAME.part at the target stays" not_touched
# A copy into the folder mine was stopped once, so it has a part that is copied like any file.
make_file mine/a 5000
head -c 3000 mine/a >mine/a.satin-part
run "$satin" copy "$uri/mine/" "$uri/theirs/"
make_file mine/a 6000
run "$satin" copy --force "$uri/mine/" "$uri/theirs/"
both_copied() { is_status 0 && diff -r mine theirs; }
check "a part in the source is copied, also if it was in the way at the target" both_copied

# ---- stopping and resuming ----
rm -rf to
start "$satin" copy --to fault.hang-call=3 "$uri/from/large" "fault+$uri/to/"
has_part() { [ "$(stat -c %s to/large.satin-part 2>/dev/null || echo 0)" -gt 8000000 ]; }
until_true has_part
stop_and_wait INT "$pid"
stopped() { is_status 130 && [ ! -e to/large ] && [ -s to/large.satin-part ]; }
check "Ctrl-C leaves no half file under the name" stopped
check "and says how to go on" grep -q 'the same command goes on where it was' err
n_part=$(stat -c %s to/large.satin-part)
run "$satin" copy "$uri/from/large" "$uri/to/"
went_on() { is_status 0 && same large to/large && ! grep -q '30.0 MB' out && [ "$(ls -A to)" = large ]; }
check "the same command goes on where it was" went_on
rm to/large
make_file to/large.satin-part "$n_part"
run "$satin" copy "$uri/from/large" "$uri/to/"
anew() { is_status 0 && same large to/large && grep -q '30.0 MB' out; }
check "a part with other bytes at its end is begun anew" anew
rm to/large
head -c 20000000 from/large >to/large.satin-part
printf '\377\000\377' | dd of=to/large.satin-part conv=notrunc status=none
run "$satin" copy "$uri/from/large" "$uri/to/"
check "a part with other bytes at its beginning is begun anew" anew
rm to/large
head -c 31000000 /dev/urandom >to/large.satin-part
run "$satin" copy "$uri/from/large" "$uri/to/"
check "so is one that is too long" anew
rm to/large
run "$satin" copy --to fault.fail-call=3 "$uri/from/large" "fault+$uri/to/"
failed() { is_status 27 && [ ! -e to/large ]; }
check "a failure leaves no half file under the name" failed
run "$satin" copy --from fault.fail-call=3 "fault+$uri/from/large" "$uri/to/"
check "nor does a source that fails" failed
run "$satin" copy "$uri/from/large" "$uri/to/"
check "and can be made good" went_on

# ---- at a terminal ----
rm -rf to
at_terminal $'\003' " left" "$satin" copy --to fault.hang-call=3 "$uri/from/large" "fault+$uri/to/"
check "Ctrl-C at a terminal ends it" is_status 130
line() { grep -qE 'satin: [0-9]+ %  [0-9.]+ [MkG]?B of 30.0 MB  [0-9.]+ [MkG]?B/s  [0-9]+:[0-9][0-9] left' out; }
check "the line shows share, bytes, rate and the time that is left" line
check "the line is gone at the end" last_is "satin: stopped by signal 2 (Interrupt); the same command goes on where it was"

full_case="a full disk is told, and what fitted is gone on with when there is room"
if make_small_disk 16M; then
  run "$satin" copy "$uri/from/large" "file:$small_disk/"
  first=$status
  mount -o remount,size=64M "$small_disk"
  run "$satin" copy "$uri/from/large" "file:$small_disk/"
  grown() { [ $first -eq 14 ] && is_status 0 && same large small-disk/large && ! grep -q '30.0 MB' out; }
  check "$full_case" grown
else
  skip "$full_case" "only root can mount a small disk"
fi
finish
