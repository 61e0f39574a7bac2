# test-storage-gridftp.sh - the storage "gridftp" with globus-gridftp-server: rules, keys, deaths,
# full disks
#
# The rules that take long are in storage-gridftp-rules.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-servers.sh"

need_plugin storage-gridftp
need_program globus-gridftp-server globus-gridftp-server-progs
need_program openssl openssl
rules_plugin=storage-gridftp
# LeakSanitizer sometimes crashes while threads of Globus still run, and the leaks that it finds
# there are not Satin's.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
limit_s=100

make_server_folder files
make_server_folder server
export X509_CERT_DIR=$test_dir/certificates
mkdir "$X509_CERT_DIR"

# ---- anonymous ----

port=$(free_port)
start_anonymous
folder=$test_dir/files/folder
uri=gridftp://127.0.0.1:$port$folder
options=(streams=4)
families="open names append read replace remove interrupt"
check "an anonymous server keeps the rules" rules_kept "$uri" streams=3
check "what the rules were tried with is gone" folder_is_clean "$folder"
check "many blocks over parallel streams are as they were written" \
  drive_ends 0 "$uri" streams=8 -- write=40M more=70000 more=20M read remove
check "one stream does as well" drive_ends 0 "$uri" streams=1 -- write=20M more=20M read remove
check "a part of the path that is missing is not found" \
  drive_ends $status_not_found "gridftp://127.0.0.1:$port$test_dir/files/none/folder"
touch files/plain
check "a file in place of the folder is refused" \
  drive_ends $status_unreachable "gridftp://127.0.0.1:$port$test_dir/files/plain"
check "a password in the URI is refused" drive_ends 2 "gridftp://ann:secret@127.0.0.1:$port$folder"
untold() { ! grep -rqF secret out err; }
check "and not told" untold

deaths_kept start_anonymous

# ---- a full disk ----

full_case="a full disk is a limit, and what was there stays"
if make_small_disk 8M; then
  give_to_server "$small_disk"
  start_anonymous
  check "$full_case" drive_ends 0 "gridftp://127.0.0.1:$port$small_disk/folder" streams=1 -- \
    write=2M more=16M fails=$status_limit remove write=1M read
  kill_server
else
  skip "$full_case" "only root can mount a small disk"
fi

# ---- keys ----

# make_known NAME: makes both sides trust the authority NAME.
make_known() {
  local hash
  hash=$(openssl x509 -in "$1.pem" -noout -hash)
  cp "$1.pem" "$X509_CERT_DIR/$hash.0"
  cat >"$X509_CERT_DIR/$hash.signing_policy" <<END
access_id_CA X509 '/O=Satin test/CN=$1'
pos_rights globus CA:sign
cond_subjects globus '"/O=Satin test/*"'
END
}

# make_credential AUTHORITY NAME CN: makes NAME.credential, a certificate with its key.
make_credential() {
  make_certificate "$1" "$2" "$3"
  cat "$2.pem" "$2.key" >"$2.credential"
  chmod 600 "$2.credential"
}

make_authority known
make_authority stranger
make_known known
make_certificate known server/server localhost
give_to_server server/server.pem server/server.key
make_credential known ann Ann
make_credential known bob Bob
make_credential stranger eve Ann
echo "\"/O=Satin test/CN=Ann\" $server_user" >server/gridmap
unset X509_USER_PROXY X509_USER_CERT X509_USER_KEY

start_gridftp
uri=gsiftp://localhost:$port$folder-gsi
families=interrupt
check "a server with GSI keeps rules" rules_kept "$uri" credential=ann.credential
check "transfers are encrypted, protected or clear, as asked for" eval '
  drive_ends 0 "$uri" credential=ann.credential -- write=17M read remove &&
  drive_ends 0 "$uri" credential=ann.credential protection=safe -- write=17M read remove &&
  drive_ends 0 "$uri" credential=ann.credential protection=clear -- write=17M read remove'
export X509_USER_PROXY=$test_dir/ann.credential
check "the usual places serve, too" drive_ends 0 "$uri" -- list
unset X509_USER_PROXY
check "somebody whom the server does not know is refused" \
  drive_ends $status_secret "$uri" credential=bob.credential
check "so is a certificate of a strange authority" \
  drive_ends $status_secret "$uri" credential=eve.credential
check "so is nobody" drive_ends $status_secret "$uri"
check "a server with another name is refused" drive_ends $status_secret \
  "$uri" credential=ann.credential "server-subject=/O=Satin test/CN=other"
X509_CERT_DIR=$test_dir/server
check "a server of a strange authority is refused" \
  drive_ends $status_secret "$uri" credential=ann.credential
X509_CERT_DIR=$test_dir/certificates
chmod 644 bob.credential
check "a credential that others may read is refused" \
  drive_ends $status_secret "$uri" credential=bob.credential
openssl rsa -aes128 -passout pass:word -in ann.key -out locked.key 2>/dev/null
cat ann.pem locked.key >locked.credential
chmod 600 locked.credential
check "a key with a passphrase is refused, nobody is asked for it" \
  drive_ends $status_secret "$uri" credential=locked.credential
check "a missing file is refused" drive_ends $status_secret "$uri" credential=none
kill_server
finish
