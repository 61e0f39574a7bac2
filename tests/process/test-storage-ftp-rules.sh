# test-storage-ftp-rules.sh - the storage "curl", with vsftpd, keeps the rules that take long: calls
# that fail or are the last of their writer
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-servers.sh"

need_plugin storage-curl
need_program vsftpd vsftpd
rules_plugin=storage-curl
limit_s=800
make_server_folder files
served=$test_dir/files
port=$(free_port)
start_vsftpd no_anon_password=YES
families="fault crash"
check "all rules are kept" rules_kept "ftp://127.0.0.1:$port/folder"
check "what the rules were tried with is gone" folder_is_clean "$served/folder"
kill_server

make_authority known
make_certificate known server localhost
give_to_server server.pem server.key
start_vsftpd ssl_enable=YES allow_anon_ssl=YES force_anon_logins_ssl=YES force_anon_data_ssl=YES \
  require_ssl_reuse=NO "rsa_cert_file=$test_dir/server.pem" "rsa_private_key_file=$test_dir/server.key" \
  implicit_ssl=YES no_anon_password=YES
families="open read list replace remove"
check "a server with TLS keeps rules" rules_kept "ftps://localhost:$port/folder" ca-file=known.pem
kill_server
finish
