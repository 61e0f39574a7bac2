# test-storage-http.sh - the storage "curl" with lighttpd and Apache: rules, TLS, passwords, deaths,
# full disks
#
# lighttpd can do all that a storage needs. Apache's MOVE is not atomic: it removes the old file
# first.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-servers.sh"

need_plugin storage-curl
need_program lighttpd "lighttpd, with lighttpd-mod-webdav and lighttpd-mod-openssl"
need_program openssl openssl
rules_plugin=storage-curl
limit_s=100

make_server_folder files
make_server_folder uploads
served=$test_dir/files

# ---- plain ----

port=$(free_port)
start_lighttpd
folder=$served/folder
uri=http://127.0.0.1:$port/folder
options=(atomic-move=yes)
check "a server with WebDAV keeps all rules" rules_kept "$uri" "${options[@]}"
check "what the rules were tried with is gone" folder_is_clean "$folder"
check "many blocks are as they were written" \
  drive_ends 0 "$uri" "${options[@]}" -- write=40M more=70000 more=20M read replace read remove
check "a part of the path that is missing is not found" \
  drive_ends $status_not_found "http://127.0.0.1:$port/none/folder"
check "a password in the URI is refused" drive_ends 2 "http://ann:secret@127.0.0.1:$port/folder"
untold() { ! grep -rqF secret out err; }
check "and not told" untold
deaths_kept start_lighttpd

# ---- a full disk ----

full_case="a full disk is a limit, and what was there stays"
if make_small_disk 8M; then
  give_to_server "$small_disk"
  served=$small_disk
  start_lighttpd
  check "$full_case" drive_ends 0 "$uri" "${options[@]}" -- \
    write=2M more=16M fails=$status_limit remove write=1M read
  kill_server
  served=$test_dir/files
else
  skip "$full_case" "only root can mount a small disk"
fi

# ---- a server that is read only ----

start_lighttpd 'webdav.is-readonly = "enable"'
rm -f "$folder"/*
echo -n some >"$folder/drive"
can_read() { drive_ends 27 "$uri" -- list write=10 || grep -q 'list: 4 bytes' out; }
check "what may not be written is read" can_read
kill_server

# ---- TLS and passwords ----

make_authority known
make_authority stranger
make_certificate known server localhost
echo ann:right-word >passwords
give_to_server server.pem server.key passwords
# make_password_file NAME WORD: makes a password file with this password.
make_password_file() {
  echo "machine localhost login ann password $2" >"$1"
  chmod 600 "$1"
}
make_password_file right right-word
make_password_file wrong wrong-word

start_lighttpd 'ssl.engine = "enable"' "ssl.pemfile = \"$test_dir/server.pem\"" \
  "ssl.privkey = \"$test_dir/server.key\"" 'auth.backend = "plain"' \
  "auth.backend.plain.userfile = \"$test_dir/passwords\"" \
  'auth.require = ( "/" => ( "method" => "basic", "realm" => "r", "require" => "valid-user" ) )'
uri=https://localhost:$port/folder
options=(atomic-move=yes ca-file=known.pem password-file=right)
families="append replace"
check "a server with TLS keeps rules" rules_kept "$uri" "${options[@]}"
check "many encrypted blocks are as they were written" \
  drive_ends 0 "$uri" "${options[@]}" -- write=17M more=70000 read remove
check "a wrong password is refused" \
  drive_ends $status_secret "$uri" ca-file=known.pem password-file=wrong
check "so is none" drive_ends $status_secret "$uri" ca-file=known.pem
check "a server of a strange authority is refused" \
  drive_ends $status_secret "$uri" ca-file=stranger.pem password-file=right
check "so it is when none is named" drive_ends $status_secret "$uri" password-file=right
check "so is one with another name" drive_ends $status_secret \
  "https://127.0.0.1:$port/folder" ca-file=known.pem password-file=right
check "a password is not told" eval '! grep -rqF right-word out err'
check "a password is not sent without TLS" \
  drive_ends 2 "http://localhost:$port/folder" password-file=right
kill_server

# ---- Apache ----

modules=/usr/lib/apache2/modules
case_can="a server that can less keeps the rules of what it can"
case_atomic="that its MOVE is not atomic is seen"
if [ -e $modules/mod_dav_fs.so ]; then
  make_server_folder apache
  cat >apache.conf <<END
ServerName localhost
Listen 127.0.0.1:$port
PidFile $test_dir/apache/pid
Mutex file:$test_dir/apache
ErrorLog $test_dir/apache/error.log
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule dav_module $modules/mod_dav.so
LoadModule dav_fs_module $modules/mod_dav_fs.so
DavLockDB $test_dir/apache/lock
DocumentRoot $served
<Directory $served>
  Dav On
  Require all granted
</Directory>
END
  start_server "$port" $as_server apache2 -D FOREGROUND -f "$test_dir/apache.conf"
  uri=http://127.0.0.1:$port/folder
  rules_broken() {
    local family
    for family in open append read list replace remove keep interrupt fault; do
      run "$satin" conformance --filter "storage/$family/" storage-curl "uri=$uri"
      is_status 0 && ! grep '# SKIP' out | grep -v 'its replace is not atomic' || return 0
    done
    return 1
  }
  check "$case_can" eval '! rules_broken'
  kill_server
  # The two steps of the server come one after the other with a pause, in which a reader looks.
  start_server "$port" $as_server env LD_PRELOAD="$SATIN_TEST_SLOW_RENAME" \
    apache2 -D FOREGROUND -f "$test_dir/apache.conf"
  run "$satin" conformance --filter storage/replace/reader storage-curl "uri=$uri" atomic-move=yes
  check "$case_atomic" is_status 1
  kill_server
else
  skip "$case_can" "apache2-bin is not installed"
  skip "$case_atomic" "apache2-bin is not installed"
fi
finish
