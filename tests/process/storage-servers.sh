# storage-servers.sh - starts FTP, GridFTP and web servers for a test, and makes certificates for
# them; sourced by bash
#
# A server runs as a user that is not root, in a folder of the test, and listens only on loopback.
#
# SPDX-License-Identifier: Apache-2.0
declare -F need_program >/dev/null || . "$(dirname "${BASH_SOURCE[0]}")/storage-common.sh"

drive=$SATIN_TEST_DRIVE
PATH=$PATH:/usr/sbin
families="open names append read list replace remove keep interrupt fault crash"

# Exit statuses of errors (docs/errors.md).
status_not_found=11
status_limit=14
status_secret=16
status_unreachable=20
status_timeout=21

# as_server is put before a server's command. It makes the server run as server_user.
if [ "$(id -u)" -eq 0 ]; then
  as_server="setpriv --reuid=nobody --regid=nogroup --clear-groups"
  server_user=nobody
else
  as_server=env
  server_user=$(id -un)
fi
chmod 711 "$test_dir"

# need_plugin NAME: skips the whole test if the plugin was not built.
need_plugin() {
  [ -n "$(find "${SATIN_PLUGIN_PATH%%:*}" -name "$1.so")" ] \
    || skip_all "$1 was not built: its library is not installed"
}

# make_server_folder NAME: makes a folder into which the server may write.
make_server_folder() {
  mkdir -p "$1"
  give_to_server "$1"
}

# give_to_server PATH...: makes the server the owner of the files.
give_to_server() {
  [ "$server_user" != nobody ] || chown nobody:nogroup "$@"
}

# make_authority NAME: makes NAME.pem and NAME.key, a certificate authority.
make_authority() {
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 \
    -subj "/O=Satin test/CN=$1" -addext basicConstraints=critical,CA:TRUE \
    -addext keyUsage=critical,keyCertSign,cRLSign -keyout "$1.key" -out "$1.pem" 2>/dev/null
}

# make_certificate AUTHORITY NAME [CN]: makes NAME.pem and NAME.key, for a server at localhost or
# for a user. Keys are RSA, because a GSI server derives one of the same size if a user delegates.
make_certificate() {
  openssl req -new -newkey rsa:2048 -nodes -subj "/O=Satin test${3:+/CN=$3}" \
    -keyout "$2.key" -out "$2.csr" 2>/dev/null
  printf 'subjectAltName=DNS:localhost\nkeyUsage=digitalSignature\n' >"$2.ext"
  openssl x509 -req -in "$2.csr" -CA "$1.pem" -CAkey "$1.key" -CAcreateserial -days 2 \
    -extfile "$2.ext" -out "$2.pem" 2>/dev/null
  chmod 600 "$2.key"
}

# rules_kept URI [KEY=VALUE...]: all rules of $families are kept, and none is skipped. Connections
# are slow, so only two seeds are tried.
rules_kept() {
  local family broken=0
  for family in $families; do
    run "$satin" conformance --filter "storage/$family/" "$rules_plugin" "uri=$1" seeds=2 "${@:2}"
    all_kept && continue
    grep -E '^(not ok|#)|# SKIP' out | sed 's/^/# /'
    broken=1
  done
  return $broken
}

# drive_ends STATUS ARGUMENT...: storage-drive, with these arguments, ends with STATUS.
drive_ends() {
  local expected=$1
  shift
  run "$drive" "$@"
  is_status "$expected"
}

# in_midst FOLDER COMMAND...: starts to write a large new file to $uri with "${options[@]}". Runs
# COMMAND as soon as FOLDER has a part of the file. Sets status, and took_ms, the time since COMMAND
# was started.
in_midst() {
  local from
  run "$drive" "$uri" "${options[@]}" -- remove
  start "$drive" "$uri" "${options[@]}" -- write=1G
  until_true is_larger "$1" 50000000
  from=$(now_ms)
  "${@:2}"
  until_true has_ended || kill -KILL "$pid"
  wait "$pid" 2>/dev/null
  status=$?
  took_ms=$(($(now_ms) - from))
}

# server_signal SIGNAL: sends a signal to the server and its children, which serve the clients.
server_signal() {
  kill "-$1" "$server_pid" $(ps -o pid= --ppid "$server_pid") 2>/dev/null
}

# is_larger FOLDER BYTES: the folder has more bytes than that.
is_larger() {
  [ "$(du -sb "$1" | cut -f 1)" -gt "$2" ]
}

# folder_is_clean FOLDER: the folder has no file, not even a hidden one.
folder_is_clean() {
  [ -z "$(ls -A "$1")" ]
}

# deaths_kept START...: checks transfers to $uri while one side dies, stops or is interrupted. START
# starts the server of $folder again. In the end the server is killed.
deaths_kept() {
  local more=("${options[@]}")
  in_midst "$folder" kill_server
  check "a server that dies in mid-transfer is an error at once" has_broken_off
  "$@"
  check "what is there of the file then is as it was written, and it goes on" is_whole_prefix
  in_midst "$folder" kill_writer
  check "a writer that dies in mid-transfer leaves no hole" is_whole_prefix
  options=("${more[@]}" timeout=2s)
  in_midst "$folder" server_signal STOP
  check "a server that stops in mid-transfer is waited for no longer than timeout" is_late
  check "nor is one that does not answer at all" is_in_vain
  server_signal CONT
  options=("${more[@]}")
  check "an interrupted transfer ends, and the handle can be used" drive_ends 0 "$uri" \
    "${options[@]}" -- interrupt=300 write=1G fails=$status_timeout list write=2M read
  kill_server
  check "nobody there is unreachable" drive_ends $status_unreachable "$uri" "${options[@]}"
}

has_broken_off() {
  [ "$status" -ge 10 ] && [ "$status" -ne $status_timeout ] && [ "$took_ms" -lt 30000 ]
}

is_whole_prefix() {
  drive_ends 0 "$uri" "${options[@]}" -- read more=5M read
}

kill_writer() {
  kill -KILL "$pid"
}

is_late() {
  is_status $status_timeout && [ "$took_ms" -lt 20000 ]
}

is_in_vain() {
  drive_ends $status_timeout "$uri" "${options[@]}" timeout=1s && [ "$took_ms" -lt 20000 ]
}

# start_vsftpd LINE...: starts vsftpd at $port for the folder $served, with the LINEs in its
# configuration.
start_vsftpd() {
  cat >vsftpd.conf <<END
listen=YES
background=NO
listen_address=127.0.0.1
listen_port=$port
run_as_launching_user=YES
one_process_model=YES
seccomp_sandbox=NO
ftp_username=$server_user
nopriv_user=$server_user
anonymous_enable=YES
local_enable=NO
anon_root=$served
write_enable=YES
anon_upload_enable=YES
anon_mkdir_write_enable=YES
anon_other_write_enable=YES
anon_world_readable_only=NO
anon_umask=077
END
  printf '%s\n' "$@" >>vsftpd.conf
  give_to_server vsftpd.conf
  start_server "$port" $as_server vsftpd "$test_dir/vsftpd.conf"
}

# start_gridftp OPTION...: starts a GridFTP server at $port. Clients give absolute paths of files.
start_gridftp() {
  start_server "$port" env HOME="$test_dir/server" \
    X509_USER_CERT="$test_dir/server/server.pem" X509_USER_KEY="$test_dir/server/server.key" \
    X509_CERT_DIR="$X509_CERT_DIR" GRIDMAP="$test_dir/server/gridmap" \
    $as_server globus-gridftp-server -no-detach -p "$port" -home-dir "$test_dir/files" \
    -control-interface 127.0.0.1 -data-interface 127.0.0.1 "$@"
}

start_anonymous() {
  start_gridftp -aa -anonymous-user "$server_user"
}

# start_lighttpd LINE...: starts lighttpd at $port for the folder $served, with the LINEs in its
# configuration.
start_lighttpd() {
  cat >lighttpd.conf <<END
server.modules = ( "mod_openssl", "mod_auth", "mod_authn_file", "mod_webdav" )
server.document-root = "$served"
server.upload-dirs = ( "$test_dir/uploads" )
server.bind = "127.0.0.1"
server.port = $port
webdav.activate = "enable"
webdav.opts = ( "deprecated-unsafe-partial-put" => "enable" )
END
  printf '%s\n' "$@" >>lighttpd.conf
  start_server "$port" $as_server lighttpd -D -f "$test_dir/lighttpd.conf"
}

# start_swift [conditions]: starts Swift with its s3api at $port, for the folder $served; see
# s3-swift.py. The test's user is in the environment.
start_swift() {
  unset AWS_SESSION_TOKEN AWS_PROFILE AWS_REGION AWS_DEFAULT_REGION AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3 AWS_CA_BUNDLE
  export AWS_ACCESS_KEY_ID=satin:tester AWS_SECRET_ACCESS_KEY=the-secret-of-the-tester
  export AWS_EC2_METADATA_DISABLED=true
  /usr/bin/python3 -c 'import os, swift, sys; os.setxattr(sys.argv[1], "user.satin", b"1")' "$served" 2>/dev/null \
    || skip_all "Swift cannot be started: python3-swift is not installed, or $served has no extended attributes"
  start_server "$port" $as_server /usr/bin/python3 "$(dirname "$0")/s3-swift.py" "$served" "$port" "$@"
}
