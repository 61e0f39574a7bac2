# test-checkpoint-storage.sh - checkpoints on servers: runs resume from them, archives bring them
# into another folder, and a server may be unreachable for a while
#
# The first argument is the storage: sftp, gridftp, ftp, http or s3.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/storage-servers.sh"
. "$(dirname "$0")/checkpoint-common.sh"
kind=$1
params=

# The server serves the folder files. begin_server starts it, or starts it again after it was
# killed.
case $kind in
  sftp)
    need_program sftp openssh-client
    unset SSH_AUTH_SOCK
    make_keys
    begin_server() { start_sshd; }
    ;;
  gridftp)
    need_plugin storage-gridftp
    need_program globus-gridftp-server globus-gridftp-server-progs
    make_server_folder server
    export X509_CERT_DIR=$test_dir/certificates
    begin_server() { start_anonymous; }
    ;;
  ftp)
    need_plugin storage-curl
    need_program vsftpd vsftpd
    begin_server() { start_vsftpd no_anon_password=YES; }
    ;;
  http)
    need_plugin storage-curl
    need_program lighttpd "lighttpd, with lighttpd-mod-webdav and lighttpd-mod-openssl"
    make_server_folder uploads
    begin_server() { start_lighttpd; }
    params=atomic-move=yes
    ;;
  s3)
    need_plugin storage-s3
    begin_server() { start_swift conditions; }
    params=retry=1s
    ;;
esac
make_server_folder files
served=$test_dir/files
folder=$served/folder
port=$(free_port)
begin_server
case $kind in
  sftp)
    uri=$ssh_uri/files/folder
    params=${ssh_params// /,}
    ;;
  gridftp) uri=gridftp://127.0.0.1:$port$folder ;;
  s3) uri=s3+http://127.0.0.1:$port/bucket/folder ;;
  *) uri=$kind://127.0.0.1:$port/folder ;;
esac
checkpoint=(--checkpoint "$uri" --checkpoint-every 100ms --checkpoint-storage "$params")
# The run stores large results on the sftp server. On the others it stores small ones, and its jobs
# sleep: longer with Swift, which takes some seconds to start.
if [ "$kind" != sftp ]; then
  sleep_for "$([ "$kind" = s3 ] && echo 32s || echo 16s)"
  program=("${work[@]}")
fi
draw_undisturbed

start_picture 4
stop_and_wait KILL "$pid"
until_true no_nodes
# fetch URI: prints the folder in which the files of this URI are.
fetch() {
  if [ "$kind" != s3 ]; then
    echo "$served/${1##*/}"
    return
  fi
  rm -rf "fetched-${1##*/}"
  mkdir "fetched-${1##*/}"
  # satin copy may find no file in the folder, and fail.
  "$satin" copy --from "$params" "$1/" "file:$test_dir/fetched-${1##*/}/" >/dev/null 2>&1
  echo "$test_dir/fetched-${1##*/}"
}
folder=$(fetch "$uri")
check "all killed: logs are left" test -n "$(ls "$folder")"

run "$satin" checkpoint export --storage "$params" "$uri" archive.tar.zst
run "$satin" checkpoint import --storage "$params" archive.tar.zst "$uri-copy"
# The killed coordinator may have left its lease, and files with which it tested the storage. These
# are no logs.
is_copied() {
  is_status 0 && diff -r -x 'satin-trial-*' -x 'satin-lease-*' "$folder" "$(fetch "$uri-copy")"
}
check "an archive of them brings them into another folder" is_copied
n_bytes() { cat "$1"/* | wc -c; }
n_results() { "$satin" checkpoint show --json --storage "$params" "$1" | json_query "s['results']"; }
n_before=$(n_bytes "$(fetch "$uri-copy")")
run "$satin" checkpoint compact --storage "$params" "$uri-copy"
is_smaller() {
  is_status 0 && [ "$(n_bytes "$(fetch "$uri-copy")")" -lt "$n_before" ] \
    && [ "$(n_results "$uri-copy")" -eq "$(n_results "$uri")" ]
}
check "which is made smaller, and keeps all that counts" is_smaller
run "$satin" checkpoint verify --storage "$params" "$uri-copy"
check "and is not damaged" is_status 0

resume 2
check "resumed: the result is the same" is_whole
check "and less was done" is_less
logs_are_removed() { is_removed "$(fetch "$uri")"; }
check "logs are removed when the run ends well" logs_are_removed

start_picture 2
kill_server
check "a server that is away is told of" until_true grep -q 'results wait until it can be written' err
begin_server
check "and that it is there again" until_true grep -q 'it can be written again' err
wait_for_end
check "the run goes on meanwhile, to the same result" is_whole
is_once() { [ "$(grep -c 'results wait' err)" -eq 1 ] && [ "$(grep -c 'checkpoint ' err)" -eq 2 ]; }
check "this is said once" is_once
all_stored() {
  json_query "$(sum_of checkpoint.stored) > 40 and $(sum_of checkpoint.failed) > 0" <figures >/dev/null
}
check "what was finished meanwhile is stored" all_stored
check "and removed in the end" logs_are_removed
finish
