# test-command-checkpoint.sh - satin checkpoint: list, show, verify, compact, export and import
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

if ! command -v zstd >/dev/null; then
  echo "1..0 # SKIP zstd is not installed, by which tar reads archives; it is in the package zstd"
  exit 0
fi
folder=$test_dir
log=satin-0000000001-0000000002.log
program="tree 60s --grain 100ms"
# tree FOLDER CLUSTERS OPTION...: a simulated run with a checkpoint. It does not free what it has
# when it is over.
tree() {
  ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 run "$satin" sim --with "ft:checkpoint=file:$folder/$1,every=1s" --clusters "$2" "${@:3}" $program
}
checkpoint() { # checkpoint SUBCOMMAND ARGUMENT...: runs it
  run "$satin" checkpoint "$@"
}
flip() { # flip FILE OFFSET: inverts the bits of the byte there
  local byte
  byte=$(od -An -tu1 -j "$2" -N 1 "$1")
  # shellcheck disable=SC2059
  printf "\\$(printf %o $((byte ^ 255)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
n_results() { # n_results FOLDER: prints how many results the checkpoint there has
  "$satin" checkpoint show --json "file:$folder/$1" | python3 -c 'import json, sys; print(json.load(sys.stdin)["results"])'
}
# add_large LOG: adds a result like the first one of the log, but of 3 MB. The format is in
# docs/checkpoint-internals.md.
add_large() {
  python3 - "$1" <<'END'
import os, struct, sys
table = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ 0x82f63b78 * (byte & 1)
    table.append(byte)
def crc32c(total, data):
    total ^= 0xffffffff
    for byte in data:
        total = total >> 8 ^ table[(total ^ byte) & 255]
    return total ^ 0xffffffff
log = open(sys.argv[1], "rb").read()
run, program, root = log[22:38], log[39:55], log[56:72]
seed = crc32c(0, run + program + root + os.path.basename(sys.argv[1]).encode())
at = log.index(b"SatR")
head = log[at + 20:at + 20 + struct.unpack_from("<I", log, at + 4)[0]]
body = bytes(3000000)
top = b"SatR" + struct.pack("<IQ", len(head), len(body))
total = crc32c(seed, top + head)
record = top + struct.pack("<I", total) + head + body + struct.pack("<I", crc32c(total, body))
open(sys.argv[1], "ab").write(record)
END
}

tree first 2x4 --events '5s crash cluster c1; 5s crash cluster c2'
interrupted() { is_status 24 && [ "$(ls -I "satin-lease-*" first)" = $log ]; }
check "a run whose nodes are all lost leaves a checkpoint" interrupted
size=$(stat -c %s first/$log)
n_first=$(n_results first)

# ---- list and show ----
checkpoint list "file:$folder/first"
listed() {
  is_status 0 && grep -qE "^$log +[0-9.]+ k?B +2 +20[0-9-]+ [0-9:]+ +[0-9]+ +0 +-  $program\$" out \
    && grep -qE '^1 log, [0-9.]+ k?B: [0-9]+ results, no damage$' out
}
check "list tells of a log's size, node, time, results and program" listed
checkpoint list file:first
check "list takes a folder from where it was started" is_status 0
checkpoint show "file:$folder/first"
shown() { is_status 0 && says out "$program" && grep -qE "^all +$n_first " out; }
check "show sums up what counts" shown
checkpoint show --json "file:$folder/first"
query() { is_status 0 && json_query "$1" <out >/dev/null; }
check "as JSON it is a row for each task and depth" query \
  "s['results'] > 9 and s['results'] == sum(t['results'] for t in s['tasks']) and len(s['tasks']) > 1 and \
   all(t['task'] == 'tree' and t['depth'] > 0 for t in s['tasks']) and s['arguments'] == '60s --grain 100ms'"

# ---- damaged logs ----
checkpoint verify "file:$folder/first"
well() { is_status 0 && grep -q 'results read, no damage$' out; }
check "verify finds nothing in what is right" well
cp -r first damaged
flip damaged/$log $((size / 2))
checkpoint verify "file:$folder/damaged"
damaged() { is_status 12 && grep -qE "^$log: damaged from [0-9]+ on, [0-9]+ bytes of $size\$" out; }
check "verify tells where a log is damaged" damaged
around() {
  local from bytes
  read -r from bytes < <(sed -nE 's/.* from ([0-9]+) on, ([0-9]+) bytes of.*/\1 \2/p' out)
  [ "$from" -le $((size / 2)) ] && [ $((from + bytes)) -gt $((size / 2)) ] && [ "$bytes" -lt 500 ]
}
check "which is the record with the flipped bits" around
check "and leaves the log as it is" test "$(stat -c %s damaged/$log)" -eq "$size"
checkpoint list "file:$folder/damaged"
check "list tells of it too" grep -qE 'results, 1 damaged piece of [0-9]+ B$' out
cp first/$log damaged
add_large damaged/$log
checkpoint verify "file:$folder/damaged"
check "a large result is right" well
flip damaged/$log $((size + 2000000))
checkpoint list "file:$folder/damaged"
check "list does not read large results" grep -q 'results, no damage$' out
checkpoint verify "file:$folder/damaged"
check "verify does" is_status 12
head -c $((size - 3)) first/$log >damaged/$log
checkpoint verify "file:$folder/damaged"
check "a log that ends too early is damaged at its end" is_status 12
cp first/$log damaged
flip damaged/$log 30
checkpoint verify "file:$folder/damaged"
all() { is_status 12 && grep -qE "damaged from 0 on, $size bytes of $size\$" out; }
check "a log whose HEAD is damaged is all damage" all
checkpoint show "file:$folder/damaged"
check "and nobody can say whose it is" is_status 12

# ---- compaction ----
cp -r first small
checkpoint compact "file:$folder/small"
smaller() {
  is_status 0 && [ "$(ls small)" = satin-0000000002-0000000002.log ] \
    && [ "$(stat -c %s small/*)" -lt "$size" ] && grep -q '^before: 1 log' out && grep -q '^after: 1 log' out
}
check "compact makes it smaller" smaller
check "and keeps all that counts" test "$(n_results small)" -eq "$n_first"
cp -r small growing
lease=growing/satin-lease-00112233445566778899aabbccddeeff-0000000001
# renew_lease: renews the lease as a run does, until the command has ended.
renew_lease() {
  local term=1 name
  until has_ended; do
    name=$lease-$(printf %010d $term)
    echo "node 1 of tree 60s" >"$name"
    find growing -name 'satin-lease-*' ! -path "$name" -delete
    term=$((term + 1))
    sleep 0.1
  done
}
echo "node 1 of tree 60s" >$lease-0000000000
start "$satin" checkpoint compact "file:$folder/growing"
renew_lease &
wait "$pid"
status=$?
refused() {
  is_status 2 && says err "in use by node 1 of tree 60s" && says err "--force if you know that no run uses it" \
    && [ -e growing/satin-0000000002-0000000002.log ]
}
check "a folder that a run uses is not compacted" refused
cp -r growing left
checkpoint compact "file:$folder/left"
check "one whose run was killed is" test "$(ls left)" = satin-0000000003-0000000002.log
rm $lease-*
checkpoint compact --force "file:$folder/growing"
check "with --force it is" test "$(ls growing)" = satin-0000000003-0000000002.log

# ---- archives ----
echo mine >first.tar.zst.part
checkpoint export "file:$folder/first" first.tar.zst
check "export leaves a file FILE.part alone" grep -qx mine first.tar.zst.part
check "export writes an archive" test "$status $(tar -tf first.tar.zst | tr '\n' ' ')" = "0 MANIFEST.json $log "
tar -xOf first.tar.zst MANIFEST.json >out
check "its manifest has the digests" query \
  "s['format'] == 'satin-checkpoint' and s['results'] == $n_first and len(s['logs']) == 1 and \
   s['logs'][0]['sha256'] == '$(sha256sum <first/$log | cut -d' ' -f1)' and s['logs'][0]['size'] == $size"
cp first.tar.zst kept
checkpoint export "file:$folder/small" first.tar.zst
kept() { is_status 2 && says err "--force" && cmp -s kept first.tar.zst; }
check "a file that is there is not written over" kept
mkfifo pipe
checkpoint export --force "file:$folder/first" pipe
not_replaced() { is_status 2 && [ -p pipe ] && says err "pipe is no regular file"; }
check "--force does not replace a pipe" not_replaced
checkpoint export "file:$folder/first" first.tgz
misnamed() { is_status 2 && says err "compressed with zstd" && [ ! -e first.tgz ]; }
check "a name that promises another compression is refused" misnamed
checkpoint import first.tar.zst "file:$folder/second"
same() { is_status 0 && [ "$(ls second)" = $log ] && cmp -s first/$log second/$log; }
check "import brings the same logs" same
checkpoint import first.tar.zst "file:$folder/second"
check "and may be repeated" same
checkpoint import first.tar.zst "file:$folder/small"
other() { is_status 2 && says err "import into an empty folder" && [ "$(n_results small)" -eq "$n_first" ]; }
check "a folder with other logs is left alone" other
program="tree 61s --grain 100ms" tree foreign 1x2 --events '5s crash cluster c1'
checkpoint import first.tar.zst "file:$folder/foreign"
foreign() { is_status 2 && grep -q '61s --grain 100ms.* and these are "60s --grain 100ms"' err; }
check "so is one of other arguments, which are told" foreign
program="fib 24" tree of-fib 1x2 --spawn-ns 100000 --events '3s crash cluster c1'
checkpoint import first.tar.zst "file:$folder/of-fib"
of_fib() { is_status 15 && says err "the folder has a checkpoint of fib, the archive is of tree: give another folder"; }
check "and one of another program, in the words of an import" of_fib

# ---- damaged and forged archives ----
for offset in 8 200 $(($(stat -c %s first.tar.zst) / 2)) $(($(stat -c %s first.tar.zst) - 5)); do
  cp first.tar.zst bad.tar.zst
  flip bad.tar.zst "$offset"
  checkpoint import bad.tar.zst "file:$folder/none"
  nothing() { is_status 12 && grep -q 'is damaged' err && [ -z "$(ls none 2>/dev/null)" ]; }
  check "an archive with a flipped byte at $offset brings nothing" nothing
done
head -c $(($(stat -c %s first.tar.zst) / 2)) first.tar.zst >bad.tar.zst
checkpoint import bad.tar.zst "file:$folder/none"
check "nor does half of one" nothing
# forge PYTHON: makes bad.tar.zst from first.tar.zst. PYTHON changes files, a list of names and
# contents, or manifest, the parsed JSON.
forge() {
  rm -rf bad.tar.zst forged && mkdir forged && tar -xf first.tar.zst -C forged
  python3 - "$1" >bad.tar <<'END'
import io, json, os, sys, tarfile
files = [[name, open("forged/" + name, "rb").read()] for name in sorted(os.listdir("forged"))]
manifest = json.loads(files[0][1])
log = manifest["logs"][0]
kind = tarfile.REGTYPE
exec(sys.argv[1])
if isinstance(manifest, dict):
    files[0][1] = json.dumps(manifest).encode()
with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as tar:
    for name, content in files:
        info = tarfile.TarInfo(name)
        info.size = len(content)
        if name != "MANIFEST.json":
            info.type = kind
            info.linkname = "/etc/passwd"
        tar.addfile(info, io.BytesIO(content))
END
  zstd -q --rm bad.tar -o bad.tar.zst
}
forged() { # forged NAME PYTHON: a case: an archive that PYTHON forges is refused
  forge "$2"
  checkpoint import bad.tar.zst "file:$folder/none"
  check "$1" nothing
}
forge pass
checkpoint import bad.tar.zst "file:$folder/alike"
check "an archive that tar makes is right" is_status 0
forged "one with a name that leaves the folder brings nothing" \
  'files[1][0] = log["name"] = "../satin-0000000001-0000000002.log"'
forged "one with a name that is no log's brings nothing" 'files[1][0] = log["name"] = "authorized_keys"'
forged "one with other bytes brings nothing" 'files[1][1] = files[1][1][:-1] + bytes([files[1][1][-1] ^ 1])'
forged "one with another size brings nothing" 'log["size"] += 1'
forged "one with a size that is no number brings nothing" 'log["size"] = "1"'
forged "one with a huge size brings nothing" 'log["size"] = 2**62'
forged "one with a link brings nothing" 'kind = tarfile.LNKTYPE'
forged "one with more files brings nothing" 'files.append(["more", b"x"])'
forged "one without a log brings nothing" 'del files[1]'
forged "one with the manifest behind the log brings nothing" 'files.reverse(); manifest = None'
forged "one with the same log twice brings nothing" 'manifest["logs"].append(log); files.append(files[1])'
forged "one with a bottomless manifest brings nothing" 'manifest = None; files[0][1] = b"[" * 10000000'
forged "one without a manifest in it brings nothing" 'manifest = None; files[0][1] = b""'
forge 'manifest["version"] = 2'
checkpoint import bad.tar.zst "file:$folder/none"
check "one of another version says so" is_status 17
checkpoint import none.tar.zst "file:$folder/none"
check "an archive that is not there is not found" is_status 11

# ---- resuming ----
tree second 1x5
from_second() { is_status 0 && says out "tree: 939 leaves" && grep -q "^tree: checkpoint file:.* $n_first stored results count" err && [ -z "$(ls second)" ]; }
check "a run goes on from what was imported, and removes it at its end" from_second
tree small 1x5
from_small() { is_status 0 && says out "tree: 939 leaves" && grep -q "^tree: checkpoint file:.* $n_first stored results count" err; }
check "and from what was compacted" from_small

# ---- usage ----
checkpoint list "file:$folder/second"
check "an empty folder has no checkpoint" is_status 11
checkpoint verify "file:$folder/nothing"
nothing_made() { is_status 11 && [ ! -e nothing ]; }
check "a folder that is not there is not made" nothing_made
checkpoint list
check "a missing word is wrong usage" is_status 2
checkpoint look "file:$folder/first"
check "an unknown word is wrong usage" is_status 2
checkpoint list --json "file:$folder/first"
check "an option of another is wrong usage" is_status 2
checkpoint list --storage bogus=1 "file:$folder/first"
check "a wrong parameter is wrong usage" is_status 2
at_terminal $'\003' "looking" "$satin" checkpoint verify --storage fault.hang-call=2 "fault+file:$folder/first"
check "Ctrl-C ends what hangs" last_is "satin: stopped by signal 2 (Interrupt); nothing was changed"
start "$satin" checkpoint export --storage fault.hang-call=3 "fault+file:$folder/first" cut.tar.zst
until_true test -e cut.tar.zst.satin-part
stop_and_wait INT "$pid"
cut() { is_status 130 && [ ! -e cut.tar.zst ] && [ ! -e cut.tar.zst.satin-part ]; }
check "and leaves no half archive" cut
finish
