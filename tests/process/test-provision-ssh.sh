# test-provision-ssh.sh - the provisioner "ssh" against hosts with an sshd each
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/ssh-hosts.sh"

drive=$SATIN_TEST_DRIVE
for n in 2 3; do
  make_host $n
  start_host $n
done
# The script that each machine runs. It writes to $NOTES when it begins, what it gets, and when it
# gets SIGTERM. After SIGTERM it ends ("leave") or continues ("stay"); with "fail" it fails at once.
cat >machine.sh <<'END'
#!/bin/sh
name=$1 how=$2
echo "begin $name $KIND" >>"$NOTES"
case $how in
  leave) trap 'echo "told $name" >>"$NOTES"; exit 0' TERM ;;
  stay) trap 'echo "told $name" >>"$NOTES"' TERM ;;
  fail) echo "there is nothing to do" >&2; exit 3 ;;
esac
[ ! -e /proc/$$/fd/3 ] || echo "secret $(cat <&3)" >>"$NOTES"
[ ! -e "${0%/*}/beside" ] || echo "beside $(stat -c %a "$0" "${0%/*}/beside" | tr '\n' ' ')" >>"$NOTES"
setsid sleep 600 &
sleep 600 &
while :; do wait; done
END
chmod +x machine.sh
notes=$test_dir/notes
echo "open sesame" >secret
echo "something" >beside

# hosts LINE...: writes hosts.txt. A number N at the beginning of a LINE becomes the address and
# port of host N.
hosts() {
  printf '%s\n' "$@" | sed "s/^[0-9][0-9]*/127.0.0.&:$ssh_port/" >hosts.txt
}

# begin_drive PARAMETERS [OPTION...] -- COMMAND...: starts a driver whose machines run COMMAND. It
# reads orders from descriptor 9 and prints its answers to out.
begin_drive() {
  rm -f orders notes
  touch notes
  mkfifo orders
  "$drive" "ssh:hosts=$test_dir/hosts.txt,$1" --variable "NOTES=$notes" --variable "KIND=it's" "${@:2}" \
    <orders >out 2>err &
  pid=$!
  exec 9>orders
}

# begin_machines HOW [PARAMETERS]: starts a driver whose machines run machine.sh with HOW.
begin_machines() {
  begin_drive "$ssh_params${2:+,$2}" --secret-file "$test_dir/secret" --program "$test_dir/machine.sh" \
    --file "$test_dir/beside" -- "{program}" "{machine}" "$1"
}

order() { echo "$*" >&9; }

# end_drive: closes the provisioner and waits for the driver's end; sets status.
end_drive() {
  exec 9>&-
  wait_for_end
}

# count FILE PATTERN N: N lines of FILE match PATTERN.
count() { [ "$(grep -cE -- "$2" "$1")" -eq "$3" ]; }

# soon FILE PATTERN N: waits until N lines of FILE match PATTERN.
soon() { until_true count "$@"; }

# name_on N: prints the machine that was granted last on host N.
name_on() { sed -n "s/^granted [0-9]* [^ ]* \(127\.0\.0\.$1:.*\)/\1/p" out | tail -n 1; }

# closed_well: the provisioner was closed without an error.
closed_well() { is_status 0 && count out '^closed$' 1; }

# ---- the file of hosts ----
refused_file() {
  hosts "${@:2}"
  run "$drive" "ssh:hosts=$test_dir/hosts.txt,$ssh_params" -- true
  ! is_status 0 && grep -qE "hosts.txt:$1" err
}
check "a wrong line is refused, with file and line" refused_file '2: "slots=0"' "2" "3 slots=0"

# ---- request, withdraw, end ----
hosts "# two clusters" "2 cluster=near slots=2 speed=4" "3 cluster=far slots=3   # the larger one"
begin_machines leave
offered() { order offers; until_true grep -q ^offered out; count out "^offer near 2\$" 1 && count out "^offer far 3\$" 1; }
check "what is free is offered, by cluster" offered
order request 1 2
granted_two() { soon out "^granted 1 near 127.0.0.2:$ssh_port-1\$" 1 && soon out "^granted 1 far 127.0.0.3:$ssh_port-1\$" 1; }
check "two machines are granted, each on a host of its own, which is in its name" granted_two
check "the command runs there, with its name and its variables" soon notes "^begin 127.0.0.[23]:$ssh_port-1 it's\$" 2
check "it reads the secret from descriptor 3" soon notes '^secret open sesame$' 2
secret_is_hidden() {
  ! grep -rqFf secret hosts && ! grep -qzFf secret /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null
}
check "which is then in no file, argument or variable" secret_is_hidden
check "program and file were brought along, for their owner alone" soon notes '^beside 700 600 $' 2
order request 2 1 near
check "one of a cluster is granted" soon out "^granted 2 near 127.0.0.2:$ssh_port-2\$" 1
one_folder() { [ "$(ls hosts/2 | wc -l)" = 1 ] && [ "$(stat -c %a hosts/2/*)" = 700 ]; }
check "a host has one folder for all machines, and nobody else sees into it" one_folder
order request 3 2 near
check "more than there are slots is refused" soon out '^refused 3 2 no more than 2 can be had at a time' 1
order request 4 1 nowhere
check "a cluster that no host is of is refused" soon out '^refused 4 1 no host has cluster=nowhere' 1
order list
check "all three are listed" soon out '^machine ' 3
machine=127.0.0.2:$ssh_port-1
order withdraw 20000 "$machine"
gone_quietly() { soon out "^ended $machine\$" 1 && count notes "^told $machine\$" 1 && count notes '^told ' 1 && count out '^ended ' 1; }
check "one that is withdrawn is told by SIGTERM and has ended, the others have not" gone_quietly
end_drive
check "close tells the others and ends well" closed_well
all_told() { count out '^ended ' 3 && count notes '^told ' 3; }
check "each has ended once" all_told
check "nothing is left on the hosts" is_clean 2 3

# ---- commands that ignore SIGTERM, fail or print ----
begin_machines stay
order request 1 1 near
soon notes '^secret ' 1
order withdraw 300 "127.0.0.2:$ssh_port-1"
check "who stays is ended once the deadline is over" soon out "^ended 127.0.0.2:$ssh_port-1\$" 1
no_sleepers() { ! grep -qszxF "NOTES=$notes" $(runs_on 2 | sed 's#.*#/proc/&/environ#') /dev/null; }
stayed() { count notes '^told ' 1 && no_sleepers; }
check "was told before, and all that it started is gone" stayed
end_drive
begin_machines fail
order request 1 1
check "one that fails has ended with what it complained of" \
  soon out "^ended 127.0.0.[23]:$ssh_port-1: .*ended with exit status 3: there is nothing to do\$" 1
end_drive
begin_drive "$ssh_params,output=$test_dir/print-{machine}" -- sh -c 'echo hello'
order request 1 1 far
soon out '^ended ' 1
check "what commands print goes to a file if one is named" grep -qx hello "print-127.0.0.3:$ssh_port-1"
end_drive

# ---- hosts that cannot be used ----
hosts "2 slots=2" "9"
begin_machines leave
order request 1 3
check "what a host that is down refuses is asked of others" soon out '^granted 1 ' 2
down="127.0.0.9:$ssh_port: cannot connect to .*Connection refused.*does sshd run there"
check "when there is none, the reason names host and cure" soon out "^refused 1 1 $down" 1
# If the while is over before the request comes, the host is tried again, and the next request finds
# it left alone.
n_asked=1
is_left_alone() {
  order request $((++n_asked)) 1
  soon out "^refused $n_asked 1 " 1 && grep -q "^refused $n_asked 1 $down.*left alone for [1-5] s" out
}
check "and the host is left alone for a while" until_true is_left_alone
end_drive
# refused_with PARAMETERS PATTERN: a request to the only host is refused, with PATTERN as reason.
refused_with() {
  begin_machines leave "$1"
  order request 1 1
  soon out "^refused 1 1 127.0.0.[0-9]:$ssh_port: .*$2" 1 && end_drive && closed_well
}
hosts 2
check "an unknown host key is refused, and how to add it is told" refused_with known-hosts=/dev/null ssh-keyscan
ssh-keygen -q -t ed25519 -N '' -f keys/stranger
check "a key that the host does not know is refused" refused_with "key=$test_dir/keys/stranger" authorized_keys
ssh-keygen -q -t ed25519 -N '' -f keys/other
sed "s#\] .*#] $(cut -d ' ' -f 1,2 keys/other.pub)#; s#\(:[0-9]*\) .*#\1 $(cut -d ' ' -f 1,2 keys/other.pub)#" keys/known_hosts >keys/known_others
check "a host with another key than the known one is refused" refused_with "known-hosts=$test_dir/keys/known_others" 'posing as the server'
make_host 4 "ForceCommand echo 'no commands here' >&2"
start_host 4
hosts 4
check "a host that starts no commands is refused, with what it says" refused_with '' 'It says: no commands here'
kill_host 4 STOP
check "one that does not answer is refused in time" refused_with timeout=2s 'silent for 2 s'
kill_host 4 KILL
mkdir bin
printf '#!/bin/sh\n/usr/bin/head "$@" | tr "\\\\0" "x"\n' >bin/head
chmod +x bin/head
host_env="PATH=$test_dir/bin:$PATH" make_host 5
start_host 5
hosts 5
check "what is changed on its way is not unpacked" refused_with '' 'changed on its way: SHA-256 was'
check "and nothing of it is left" is_clean 5
kill_host 5 KILL

# ---- a disk that is full ----
if make_small_disk 200k; then
  host_env="TMPDIR=$small_disk" make_host 6
  sed -i "s#TMPDIR=$test_dir/hosts/6##" sshd-6
  start_host 6
  hosts "6 speed=9" 3
  make_file beside 1000000
  begin_machines leave
  order request 1 1
  check "a host whose disk is full is not used" soon out '^granted 1 - 127.0.0.3' 1
  order request 2 1
  check "and is refused with that as the reason" soon out "^refused 2 1 127.0.0.6.*No space left on device" 1
  end_drive
  disk_is_clean() { closed_well && [ -z "$(ls -A "$small_disk")" ] && is_clean 3; }
  check "nothing is left there" disk_is_clean
  echo "something" >beside
  kill_host 6 KILL
else
  skip "a host whose disk is full is not used" "only root can make a small disk"
fi

# ---- connections that break ----
hosts 2 3
begin_machines stay timeout=20s
order request 1 2
soon notes '^secret ' 2
from=$(now_ms)
kill_host 2 KILL
check "machines of a host whose sshd is killed have ended, and why is told" soon out "^ended 127.0.0.2:$ssh_port-1: 127.0.0.2.*" 1
check "all that they started ends by itself, and the folder goes" until_true is_clean 2
quick() { [ $(($(now_ms) - from)) -lt 20000 ]; }
check "soon" quick
others_stay() { count out '^ended ' 1 && [ -n "$(runs_on 3)" ]; }
check "those of other hosts stay" others_stay
start_host 2
order request 2 1
check "the host is left alone for a while" soon out '^refused 2 1 127.0.0.2.*left alone for' 1
later() { order request 3 1; sleep 0.5; grep -q '^granted 3 ' out; }
check "and used again then" until_true later
kill_sessions 3
check "a session that is killed ends its machines" soon out "^ended 127.0.0.3:$ssh_port-1: " 1
end_drive
check "close makes sure that they are gone" closed_well
check "and nothing is left" is_clean 2 3

begin_machines stay timeout=4s
order request 1 2
soon notes '^secret ' 2
from=$(now_ms)
kill_host 2 STOP
check "a host that falls silent is noticed" soon out "^ended 127.0.0.2:$ssh_port-1: .*silent for 4 s" 1
check "its machines end by themselves" until_true is_clean 2
quick() { [ $(($(now_ms) - from)) -lt 30000 ]; }
check "within the time that it may be silent, and a bit" quick
kill_host 2 KILL
warden=$(for each in $(runs_on 3); do [ "$(ps -o ppid= -p "$each" | xargs ps -o comm= -p)" = sshd ] && echo "$each"; done)
kill -KILL $warden
check "when what looks after the commands is killed, they have ended" soon out "^ended 127.0.0.3:$ssh_port-1: .*(was ended|killed by signal 9)" 1
check "and are gone, with their folder" until_true is_clean 3
end_drive
left_is_named() { ! is_status 0 && grep -q "^closed: .*hosts/2/satin-ssh-[^ ]* on 127.0.0.2" out && ! grep -q 'on 127.0.0.3' out; }
check "close names what may be left on a host that is gone" left_is_named

# ---- the archive ----
# unpacks NAME: the warden, the script that provision-ssh runs on a host, unpacks an archive with a
# file of that name.
unpacks() {
  python3 -c '
import io, sys, tarfile
with tarfile.open("evil.tar.gz", "w:gz") as archive:
    entry = tarfile.TarInfo(sys.argv[1])
    entry.size = 4
    archive.addfile(entry, io.BytesIO(b"evil"))' "$1"
  rm -f out
  mkdir -p there
  { printf 'nonce=n parent=%s limit_s=5 patience_s=5 size=%s digest=%s\nset --\n' "$test_dir/there" \
      "$(stat -c %s evil.tar.gz)" "$(sha256sum <evil.tar.gz | cut -d ' ' -f 1)"
    cat "$SATIN_TEST_WARDEN"; } >warden.sh
  { cat evil.tar.gz; until_true grep -qsE '^(ready|failed)' out; } | sh warden.sh >out 2>err
  grep -q '^ready' out && [ -z "$(ls -A there)" ]
}
check "an archive of plain names is unpacked" unpacks plain
for evil in ../evil /tmp/evil folder/evil ..; do
  refused() { ! unpacks "$evil" && grep -q '^failed the archive has a name' out && [ -z "$(ls -A there)" ] && [ ! -e evil ]; }
  check "one with the name $evil is not" refused
done

# ---- a run ----
start_host 2
hosts 2 3
start_hub --listen tcp://127.0.0.1:0 --nodes 3 --new-secret key
"$satin" run --hub "$uri" --secret-file key -n 1 fib 32 >run.out 2>run.err </dev/null &
run_pid=$!
# Any of the three nodes may become the master, which prints the result.
begin_drive "$ssh_params,output=$test_dir/node-{machine}.out" --secret-file "$test_dir/key" \
  --variable "SATIN_PLUGIN_PATH=$SATIN_PLUGIN_PATH" --variable "SATIN_APP_PATH=$SATIN_APP_PATH" -- \
  "$satin" node --hub "$uri" --secret-fd 3 --cluster "{cluster}" --workers 1 fib 32
order request 1 2
right_result() { wait "$run_pid" && [ "$(SATIN_WORKERS=1 "$SATIN_APP_PATH/fib/fib" 32)" = "$(cat run.out node-*.out)" ]; }
check "a run with one node here and two on other hosts has the right result" right_result
check "its machines end with status 0 when it is over" soon out "^ended 127.0.0.[23]:$ssh_port-1\$" 2
end_drive
left_nothing() { closed_well && is_clean 2 3; }
check "and nothing of it is left" left_nothing
kill "$hub_pid" 2>/dev/null
wait_for_hub
finish
