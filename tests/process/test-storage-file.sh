# test-storage-file.sh - the storage "file" on real file systems: rules, full disks, links, limits
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-common.sh"

limit_s=170
[ -z "$(sanitizer_of "$satin")" ] || limit_s=600
mkdir folder
run "$satin" conformance storage-file "uri=file:$test_dir/folder" seeds=2
check "a folder keeps all rules" all_kept
check "what the rules were tried with is gone" test -z "$(ls -A folder)"
run "$satin" conformance "$SATIN_TEST_CALLS" "uri=file:$test_dir/folder" seeds=2
check "also when each system call fails, or is the last one of its process" all_kept
run "$satin" conformance --filter storage/append storage-file "uri=file://localhost$test_dir/a%20b"
made() { is_status 0 && [ "$(stat -c %a 'a b')" = 700 ]; }
check "a folder that is not there is made, for its owner alone" made

limit_s=30
run "$satin" conformance --filter storage/open storage-file "uri=file:$test_dir/none/folder"
check "a folder above that is missing is named" grep -q "cannot open the folder file:$test_dir/none/folder: No such file" out
run "$satin" conformance --filter storage/open storage-file "uri=file:$test_dir/fresh" make=no
not_made() { is_status 2 && [ ! -e fresh ]; }
check "with make=no no folder is made" not_made
run "$satin" conformance --filter storage/open storage-file uri=file:relative
check "a relative path is refused with the cure" grep -q 'write file:/absolute/path' out

echo precious >precious
ln -s ../precious folder/conformance.log
mkfifo folder/conformance.new
limit_s=10
run "$satin" conformance --filter storage/keep/synced storage-file "uri=file:$test_dir/folder"
check "a symbolic link is refused, not followed" grep -q 'conformance.log: it is a symbolic link' out
check "what it leads to is unharmed" test "$(cat precious)" = precious
run "$satin" conformance --filter storage/replace/needs storage-file "uri=file:$test_dir/folder"
check "a pipe is refused, not waited for" grep -q 'conformance.new' out
rm folder/*
limit_s=30

full_case="a full disk is a limit"
if make_small_disk 8M; then
  run "$satin" conformance --filter storage/append/largest storage-file "uri=file:$small_disk/folder"
  full() { is_status 1 && grep -q 'No space left on device' out; }
  check "$full_case" full
  run "$satin" conformance --filter storage/append/bytes storage-file "uri=file:$small_disk/folder"
  check "after it, smaller files have room again" is_status 0
else
  skip "$full_case" "only root can mount a small disk"
fi
bounded() {
  trap '' XFSZ
  ulimit -f 4096
  "$satin" conformance --filter storage/append/largest storage-file "uri=file:$test_dir/folder"
}
run bash -c "$(declare -f bounded); satin=$satin; test_dir=$test_dir; bounded"
check "a file above the limit of the process is a limit" grep -q 'File too large' out
finish
