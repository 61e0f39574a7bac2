# test-provision-slurm.sh - the provisioner "slurm" against a Slurm of six nodes on this host
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/slurm-drive.sh"

slurm_lines="PartitionName=few Nodes=c6 MaxTime=60 State=UP"
start_slurm
# The script that each machine runs. It writes to $NOTES when it begins, which secret it reads, and
# when it gets SIGTERM. After SIGTERM it ends ("leave") or continues ("stay").
cat >machine.sh <<'END'
name=$1 how=$2
echo "begin $name $KIND" >>"$NOTES"
case $how in
  leave) trap 'echo "told $name" >>"$NOTES"; exit 0' TERM ;;
  stay) trap 'echo "told $name" >>"$NOTES"' TERM ;;
esac
[ ! -e /proc/$$/fd/3 ] || echo "secret $(cat <&3)" >>"$NOTES"
sleep 600 &
while :; do wait; done
END
echo "open sesame" >secret

# begin_machines HOW [PARAMETERS]: starts a driver whose machines run machine.sh with HOW.
begin_machines() {
  begin_drive "${2:-$quick}" --secret-file "$test_dir/secret" -- /bin/sh "$test_dir/machine.sh" "{machine}" "$1"
}

# no_sleepers: no process that the machines started lives.
no_sleepers() { ! grep -qzxF "NOTES=$notes" /proc/[0-9]*/environ 2>/dev/null; }

# ---- request, withdraw, end ----
begin_machines leave
order request 1 2
granted_two() { soon out '^granted 1 p job [0-9_]+ on c[1-6]$' 2; }
check "two machines are granted, with job and node in their names" granted_two
begun() { soon notes "^begin job [0-9_]+ on c[1-6] it's\$" 2; }
check "the command runs there, with its name and its variables" begun
check "it reads the secret from descriptor 3" soon notes '^secret open sesame$' 2
secret_is_hidden() {
  scontrol show job >jobs
  ! grep -rqFf secret "$folder" slurm jobs && ! grep -qzFf secret /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null
}
check "which is then in no file, argument, variable or job" secret_is_hidden
folder_is_private() { [ "$(stat -c %a "$folder"/.satin-slurm-*)" = 700 ]; }
check "the folder of its files is private" folder_is_private
order request 2 1
check "one more can be asked for" soon out '^granted 2 p job [0-9]+ on c[1-6]$' 1
order list
check "all three are listed" soon out '^machine ' 3
free_are() { order offers; until_true grep -q ^offered out; grep -q "^offer p $1\$" out; }
check "three nodes are offered" until_true free_are 3
machine=$(grep -m 1 '^granted 1 ' out | cut -d ' ' -f 4-)
order withdraw 20000 "$machine"
gone_quietly() { soon out "^ended $machine\$" 1 && count notes "^told $machine\$" 1 && count notes '^told ' 1; }
check "one that is withdrawn is told by SIGTERM and has ended, the others have not" gone_quietly
scancel "$(job_of '^granted 2 ')"
check "one that somebody cancels has ended, and why is told" soon out '^ended .*: somebody cancelled it' 1
end_drive
check "close leaves neither job nor file" all_is_clean
check "nor a process" until_true no_sleepers
finished() { count out '^ended ' 3 && count out '^closed$' 1 && ! grep -q ^refused out; }
check "each machine has ended once" finished

# ---- a command that ignores SIGTERM ----
begin_machines stay
order request 1 1
soon notes '^begin ' 1 && soon out '^granted 1 ' 1
order withdraw 3000 "$(grep -m 1 '^granted 1 ' out | cut -d ' ' -f 4-)"
check "who stays is ended once the deadline is over" soon out '^ended job [0-9]+ on c[1-6]$' 1
stayed() { count notes '^told ' 1 && until_true no_sleepers; }
check "was told once before, and all it started is gone" stayed
end_drive

# ---- refused requests ----
begin_machines leave
order request 1 8
check "more than the partition has is refused" soon out '^refused 1 1 there are never more than 6 machines at a time' 2
check "the others are granted" soon out '^granted 1 ' 6
order request 2 1
check "so is what comes on top" soon out '^refused 2 1 ' 1
order request 3 1 nowhere
check "a partition that is not there is refused with Slurm's reason" soon out '^refused 3 1 sbatch: Invalid partition name' 1

# ---- machines that Slurm takes away ----
scontrol update nodename=c1 state=DRAIN reason=test
check "of a node that is drained there is notice" soon out '^notice [0-9]+ job [0-9_]+ on c1$' 1
scontrol update nodename=c2 state=DOWN reason=test
check "a machine whose node is set down has ended" soon out '^ended job [0-9_]+ on c2: .*its node has failed' 1
sbatch -p high -w c3 --exclusive -o /dev/null --wrap 'sleep 600' >/dev/null
notice_of() { grep -m 1 -oE "^notice [0-9]+ job [0-9_]+ on $1\$" out | cut -d ' ' -f 2; }
noticed_on() { soon out "^notice [0-9]+ job [0-9_]+ on $1\$" 1 && [ "$(notice_of "$1")" -le "$grace_s" ]; }
check "of one that is preempted there is notice, with the time that is left" noticed_on c3
told_on() { soon notes "^told job [0-9_]+ on $1\$" 1 && soon out "^ended job [0-9_]+ on $1\$" 1; }
check "its command is told by SIGTERM and leaves in time" told_on c3
cancel_own_jobs
for node in c1 c2; do scontrol update nodename=$node state=RESUME; done
end_drive
check "close leaves neither job nor file after that" all_is_clean

# ---- machines of two partitions ----
begin_machines leave "$quick,partition=p\\,few"
order request 1 2 p
check "machines of one of two partitions can be asked for" soon out '^granted 1 p job [0-9_]+ on c[1-5]$' 2
order request 2 1 few
check "they do not count as machines of the other" soon out '^granted 2 few job [0-9]+ on c6$' 1
order request 3 1 few
check "which has no more than its own nodes" soon out '^refused 3 1 there are never more than 1 machine at a time' 1
order request 4 5
check "a request without a partition counts all machines" soon out '^refused 4 1 there are never more than 7 machines' 1
end_drive
check "close leaves neither job nor file of two partitions" all_is_clean

# ---- requests that wait ----
sbatch -p p -N 6 --exclusive -o /dev/null --wrap 'exec sleep 600' >/dev/null
until_true nodes_are allocated 6
begin_machines leave
order request 1 2
are_pending() { [ "$(squeue -h -r -t pending -o %i | wc -l)" = "$1" ]; }
check "machines wait for nodes that are taken" until_true are_pending 2
order cancel 1
cancelled() { soon out '^refused 1 1 it was cancelled$' 2 && until_true are_pending 0; }
check "a request that is cancelled is refused and leaves the queue" cancelled
order request 2 1
until_true are_pending 1
cancel_own_jobs
check "who waited is granted when nodes are free" soon out '^granted 2 ' 1
end_drive
check "close leaves neither job nor file after that either" all_is_clean

# ---- an answer is lost ----
mkdir bin
printf '#!/bin/sh\n%s "$@"\nexec sleep 600\n' "$(command -v sbatch)" >bin/sbatch
chmod +x bin/sbatch
PATH=$test_dir/bin:$PATH begin_machines leave "$quick,patience=4s"
order request 1 2
no_live_jobs() { [ -z "$(squeue -h -t pending,running,completing -o %i)" ]; }
lost() { soon out '^refused 1 1 sbatch has not ended after 4 s' 2 && until_true no_live_jobs; }
check "machines whose sbatch does not answer are refused, and their jobs are found and ended" lost
end_drive
check "close leaves nothing of them" all_is_clean

# ---- a run ----
start_hub --listen tcp://127.0.0.1:0 --nodes 3 --new-secret key
"$satin" run --hub "$uri" --secret-file key -n 1 fib 32 >run.out 2>run.err </dev/null &
run_pid=$!
# Any of the three nodes may become the master, which prints the result.
begin_drive "$quick,output=$test_dir/node-%j.out" --secret-file "$test_dir/key" -- "$satin" node --hub "$uri" --secret-fd 3 --cluster "{cluster}" \
  --workers 1 fib 32
order request 1 2
right_result() { wait "$run_pid" && [ "$(SATIN_WORKERS=1 "$SATIN_APP_PATH/fib/fib" 32)" = "$(cat run.out node-*.out)" ]; }
check "a run with one node here and two from Slurm has the right result" right_result
nodes_have_ended() { soon out '^ended job [0-9_]+ on c[1-6]$' 2 && count out '^granted ' 2; }
check "its machines end with status 0 when it is over" nodes_have_ended
end_drive
check "and nothing of it is left" all_is_clean
kill "$hub_pid" 2>/dev/null
wait_for_hub

# ---- Slurm does not answer ----
begin_drive "$quick,patience=4s" -- sleep 600
order request 1 1
soon out '^granted 1 ' 1
id=$(job_of '^granted 1 ')
kill -STOP "$slurmctld_pid"
end_drive
names_it() { ! is_status 0 && grep -q "^closed: Slurm has not ended job $id within 4 s.*scancel --name=satin-" out; }
check "close without an answer names the job that may be left" names_it
check "and removes the files" test -z "$(ls -A "$folder")"
kill -CONT "$slurmctld_pid"
scancel "$id"

finish
