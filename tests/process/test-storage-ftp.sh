# test-storage-ftp.sh - the storage "curl" against vsftpd: rules, TLS, passwords, deaths, full disks
#
# The rules that take long are in storage-ftp-rules. storage-http tries them with the same plugin.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-servers.sh"

need_plugin storage-curl
need_program vsftpd vsftpd
need_program openssl openssl
rules_plugin=storage-curl
limit_s=100
options=()

make_server_folder files
served=$test_dir/files

# ---- anonymous ----

port=$(free_port)
start_vsftpd no_anon_password=YES
folder=$served/folder
uri=ftp://127.0.0.1:$port/folder
families="open names append read list replace remove keep interrupt"
check "an anonymous server keeps the rules" rules_kept "$uri"
check "what the rules were tried with is gone" folder_is_clean "$folder"
check "many blocks are as they were written" \
  drive_ends 0 "$uri" -- write=40M more=70000 more=20M read replace read remove
check "a part of the path that is missing is not found" \
  drive_ends $status_not_found "ftp://127.0.0.1:$port/none/folder"
check "a password in the URI is refused" drive_ends 2 "ftp://ann:secret@127.0.0.1:$port/folder"
untold() { ! grep -rqF secret out err; }
check "and not told" untold
check "a line end in the URI is refused" drive_ends 2 "ftp://127.0.0.1:$port/folder%0d%0aDELE%20x"
check "TLS that the server does not have is not done without" \
  drive_ends $status_secret "$uri" starttls=yes
deaths_kept start_vsftpd no_anon_password=YES

# ---- a full disk ----

full_case="a full disk is a limit, and what was there stays"
if make_small_disk 8M; then
  give_to_server "$small_disk"
  served=$small_disk
  start_vsftpd no_anon_password=YES
  check "$full_case" drive_ends 0 "$uri" -- \
    write=2M more=16M fails=$status_limit remove write=1M read
  kill_server
  served=$test_dir/files
else
  skip "$full_case" "only root can mount a small disk"
fi

# ---- TLS and passwords ----

make_authority known
make_authority stranger
make_certificate known server localhost
give_to_server server.pem server.key
echo right-word >passwords
give_to_server passwords
tls=(ssl_enable=YES allow_anon_ssl=YES force_anon_logins_ssl=YES force_anon_data_ssl=YES
  require_ssl_reuse=NO "rsa_cert_file=$test_dir/server.pem"
  "rsa_private_key_file=$test_dir/server.key" secure_email_list_enable=YES
  "email_password_file=$test_dir/passwords")
# make_password_file NAME WORD: makes a password file with this password.
make_password_file() {
  echo "machine localhost login anonymous password $2" >"$1"
  chmod 600 "$1"
}
make_password_file right right-word
make_password_file wrong wrong-word

start_vsftpd "${tls[@]}" implicit_ssl=YES
uri=ftps://localhost:$port/folder
options=(ca-file=known.pem password-file=right)
families="append"
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
  "ftps://127.0.0.1:$port/folder" ca-file=known.pem password-file=right
cp right open
chmod 644 open
check "a password that others may read is refused" \
  drive_ends 2 "$uri" ca-file=known.pem password-file=open
check "a password is not told" eval '! grep -rqF right-word out err'
kill_server

start_vsftpd "${tls[@]}"
uri=ftp://localhost:$port/folder
check "TLS can be asked for before logging in" \
  drive_ends 0 "$uri" "${options[@]}" starttls=yes -- write=17M more=20 read remove
check "a password is not sent without" drive_ends 2 "$uri" password-file=right
kill_server
finish
