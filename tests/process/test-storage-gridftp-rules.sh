# test-storage-gridftp-rules.sh - the storage "gridftp", with globus-gridftp-server, keeps the rules
# that take long: many files, and calls that fail or are the last of their writer
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-servers.sh"

need_plugin storage-gridftp
need_program globus-gridftp-server globus-gridftp-server-progs
rules_plugin=storage-gridftp
limit_s=800
make_server_folder files
make_server_folder server
export X509_CERT_DIR=$test_dir/certificates
mkdir "$X509_CERT_DIR"
port=$(free_port)
start_anonymous
families="list keep fault crash"
check "all rules are kept" rules_kept "gridftp://127.0.0.1:$port$test_dir/files/folder" streams=3
check "what the rules were tried with is gone" folder_is_clean "$test_dir/files/folder"
kill_server
finish
