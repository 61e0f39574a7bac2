# test-storage-s3-faults.sh - the storage "s3" when requests fail: busy servers, lost answers, keys
# that are wrong or have expired, clocks, regions
#
# A proxy lets single requests fail (s3-proxy.py). The server behind it is Swift.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-servers.sh"

need_plugin storage-s3
limit_s=100
make_server_folder swift
served=$test_dir/swift
port=$(free_port)
start_swift conditions
server_port=$port
port=$(free_port)
start_server "$port" python3 "$(dirname "$0")/s3-proxy.py" "$port" "$server_port" "$test_dir"
uri=s3+http://127.0.0.1:$port/bucket/folder
options=(timeout=20s retry=5s)
status_closed=22
status_io=27

# with_faults STATUS FAULT... -- [KEY=VALUE...] -- STEP...: storage-drive ends with STATUS while
# requests fail as the FAULTs say.
with_faults() {
  local expected=$1
  shift
  rm -f faults requests
  while [ "$1" != -- ]; do
    echo "$1" >>faults
    shift
  done
  shift
  touch faults
  drive_ends "$expected" "$uri" "${options[@]}" "$@"
}
# all_met: each fault of with_faults has been met.
all_met() { ! grep -vq '^0 ' faults; }
# told PATTERN: the message matches, and tells no secret.
told() { grep -qE "$1" err && ! grep -rqE "$AWS_SECRET_ACCESS_KEY|of-the-stranger" out err; }

check "the folder is made" with_faults 0 -- -- list

# ---- a server that is busy, connections that break ----

survives() { with_faults 0 "$@" && all_met; }
check "a busy server is asked again" survives '3 GET.*list-type 503:SlowDown' \
  '2 ^HEAD.*drive 500:InternalError' '1 ^PUT.*/drive 503:SlowDown' '1 ^DELETE 503:SlowDown' \
  -- -- write=1000 more=1000 read remove
check "a connection that breaks is made again" survives '1 list-type cut' '1 ^PUT.*/drive cut' \
  '1 ^GET.*/drive cut' -- -- write=1000 more=1000 read remove
check "a write whose answer was lost is known again" survives '2 ^PUT.*/drive lost' \
  -- -- write=1000 more=1000 read remove
check "so is an upload in parts" survives '1 POST.*uploads lost' '1 PUT.*partNumber=2 lost' \
  '1 PUT.*partNumber=1 503:SlowDown' '1 POST.*uploadId lost' -- -- write=40M read remove
# The proxy loses two answers, because libcurl itself repeats a request once.
synced_again() {
  options=(timeout=20s retry=0s)
  survives '2 ^PUT.*/drive$ lost' '2 ^PUT.*/drive~ lost' '2 POST.*uploadId lost' -- -- \
    write=1000 fails=$status_closed sync more=1000 fails=$status_closed sync read \
    write=20M fails=$status_closed sync read remove
}
check "a sync whose answers were lost can be made again" synced_again
options=(timeout=20s retry=5s)
check "an error under the status 200 is one" survives '1 ^PUT.*/drive$ 200:InternalError' \
  '1 POST.*uploadId 200:InternalError' -- -- write=1000 replace read write=20M read remove
check "a lost answer to a replace or a removal does no harm" survives \
  '2 ^PUT.*/drive$ lost' '2 ^DELETE lost' -- -- write=1000 replace read remove
is_busy() { with_faults $status_io '1000 ^PUT 503:SlowDown' -- -- write=10 && told 'busy.*SlowDown.*retry'; }
check "a server that stays busy is told of" is_busy
is_late() {
  options=(timeout=1s retry=1s)
  with_faults $status_timeout '9 ^PUT stall' -- -- write=10 && told 'did nothing for 1000 ms' \
    && [ "$took_ms" -lt 30000 ]
}
check "a server that does not answer is waited for no longer than timeout" is_late
options=(timeout=20s retry=5s)
interrupted() {
  with_faults 0 '1 ^PUT.*/drive stall' -- -- interrupt=300 write=10 fails=$status_timeout list \
    && with_faults 0 '1000 ^PUT.*/drive 503:SlowDown' -- retry=60s -- \
      interrupt=300 write=10 fails=$status_timeout
}
check "an interrupt ends a request, and the wait before the next" interrupted
is_full() { with_faults $status_limit '9 ^PUT.*/drive 507:XMinioStorageFull' -- -- write=10; }
check "a full server is a limit" is_full
forgotten() { with_faults 0 '9 PUT.*partNumber=2 404:NoSuchUpload' -- -- write=60M fails=$1 list write=10 read; }
check "an upload that the server has forgotten is an error" forgotten $status_not_found
forgotten_at_end() {
  with_faults 0 '9 POST.*uploadId 404:NoSuchUpload' -- -- write=60M fails=$status_not_found \
    sync fails=$status_closed list write=10 read
}
check "so is one that it has forgotten at its end; then the bytes can be appended again" forgotten_at_end

# ---- buckets, keys, regions ----

check_told() { drive_ends "$1" "${@:3}" && told "$2"; }
check "a missing bucket is named" check_told $status_not_found 'no bucket "none": make it' \
  "s3+http://127.0.0.1:$port/none/folder"
gone() { with_faults $status_not_found '9 ^PUT.*/drive 404:NoSuchBucket' -- -- write=10 && told 'no bucket "bucket"'; }
check "so is one that is gone meanwhile" gone
rm -f faults
check "a wrong region is told of, with the right one" \
  check_told 2 'is in the region us-east-1, not in eu-west-1: give region=us-east-1' \
  "$uri" region=eu-west-1
export AWS_SECRET_ACCESS_KEY=another-secret-of-the-tester
check "a wrong secret is told of" check_told $status_secret 'the secret of the environment does not fit' "$uri"
export AWS_ACCESS_KEY_ID=satin:stranger AWS_SECRET_ACCESS_KEY=of-the-stranger
check "a key without the permission is told of" \
  check_told $status_secret 'access denied: the key of the environment needs the permission s3:ListBucket' "$uri"
export AWS_ACCESS_KEY_ID=nobody
check "so is an unknown key" check_told $status_secret 'the server does not know the key|access denied|does not fit' "$uri"
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
export HOME=$test_dir/home
mkdir -p "$HOME/.aws"
AWS_SECRET_ACCESS_KEY=no-secret
check "no key at all is told of" \
  check_told $status_secret 'there are no credentials: set AWS_ACCESS_KEY_ID.*\[default\]' "$uri"
secret=the-secret-of-the-tester
printf '[lab]\naws_access_key_id = satin:tester\naws_secret_access_key = %s\n' $secret >"$HOME/.aws/credentials"
printf '[profile lab]\nregion = us-east-1\n' >"$HOME/.aws/config"
check "a key in the user's files is found" drive_ends 0 "$uri" profile=lab -- write=10 read
check "also if the environment names the profile" env AWS_PROFILE=lab "$drive" "$uri" "${options[@]}" -- read

# ---- keys that expire ----

expired() {
  with_faults $status_secret '99 ^PUT 400:ExpiredToken' -- profile=lab -- write=10 \
    && told 'the credentials of \[lab\] in .* have expired: renew them' \
    && [ "$(grep -c ExpiredToken requests)" -eq 1 ]
}
check "a key that has expired is told of" expired
metadata_port=$(free_port)
AWS_ACCESS_KEY_ID=satin:tester AWS_SECRET_ACCESS_KEY=$secret start_server "$metadata_port" \
  python3 "$(dirname "$0")/s3-metadata.py" "$metadata_port" "$test_dir"
unset AWS_EC2_METADATA_DISABLED
options=(timeout=20s "metadata=http://127.0.0.1:$metadata_port")
echo first >token
echo 3600 >lifetime
check "a key of the metadata service is found" with_faults 0 -- -- write=10 read
once() { [ "$(wc -l <given)" -eq 1 ]; }
check "once" once
echo 200 >lifetime
: >given
check "one that soon expires is renewed before" with_faults 0 -- -- write=10 read
often() { [ "$(wc -l <given)" -ge 3 ]; }
check "each time" often
# The proxy says that a token has expired if it begins with "old".
echo 3600 >lifetime
echo old >token
: >given
renewed() {
  ("$drive" "$uri" "${options[@]}" -- write=300M >out 2>err; echo $? >ended) &
  until_true test -s given
  until_true grep -q 'partNumber=1' requests
  echo new >token
  echo '99 ^PUT old-token' >faults
  until_true test -s ended
  [ "$(cat ended)" -eq 0 ] && [ "$(wc -l <given)" -eq 2 ] && [ "$(grep -c ' old-token\| 400:Expired' requests)" -eq 1 ]
}
: >faults
: >requests
check "one that the server calls expired is renewed" renewed
rm -f faults
options=(timeout=20s)
check "without the service none is found" check_told $status_secret 'the metadata service at http://127.0.0.1:1 gives none' \
  "$uri" metadata=http://127.0.0.1:1

# ---- clocks ----

skewed() {
  run faketime -f "$1" "$drive" "$uri" profile=lab -- write=10 more=10 read remove
  is_status 0 && grep -q "server's clock is .* signing with the server's time" out err \
    && [ "$(cat out err | grep -c 'signing with')" -eq 1 ]
}
case_slow="a clock that is slow is set right, and that is said once"
case_fast="so is one that is fast"
if [ "$(sanitizer_of "$drive")" = libasan ]; then
  skip "$case_slow" "AddressSanitizer must be the first library, and so must faketime"
  skip "$case_fast" "AddressSanitizer must be the first library, and so must faketime"
elif command -v faketime >/dev/null; then
  check "$case_slow" skewed -1h
  check "$case_fast" skewed +90m
else
  skip "$case_slow" "faketime is not installed"
  skip "$case_fast" "faketime is not installed"
fi
wrong_clock() { with_faults $status_secret '9 GET 403:RequestTimeTooSkewed' -- profile=lab && told "set this machine's clock"; }
check "a clock that cannot be set right is told of" wrong_clock
finish
