# slurm-cluster.sh - a Slurm of six nodes on this host, for a test; sourced by bash
#
# start_slurm starts munged, slurmctld and six slurmd for this test alone, in the test's folder and
# on loopback, and sets SLURM_CONF for Slurm's commands. Nodes c1 to c6 have four processors and
# 2,000 MB each. Jobs of the default partition "p" are preempted by those of "high": after $grace_s
# they are cancelled. All processes end with the test: end_servers, from storage-common.sh, ends the
# daemons, and end_slurm_jobs the jobs that they have started.
#
# SPDX-License-Identifier: Apache-2.0
declare -F need_program >/dev/null || . "$(dirname "${BASH_SOURCE[0]}")/storage-common.sh"

PATH=$PATH:/usr/sbin
grace_s=15
slurm_lines= # more lines for slurm.conf
slurm_nodes="c1 c2 c3 c4 c5 c6"
trap 'end_slurm_jobs; end_servers; end_mounts; kill -KILL $(jobs -p) 2>/dev/null; rm -rf "$test_dir"' EXIT

# end_slurm_jobs: kills the processes of jobs. When a daemon has died they have no parent any more,
# so they are found by a variable in their environment.
end_slurm_jobs() {
  local environment
  for environment in $(grep -lzxF "SLURM_CONF=$test_dir/slurm.conf" /proc/[0-9]*/environ 2>/dev/null); do
    environment=${environment#/proc/}
    [ "${environment%/environ}" = $$ ] || kill -KILL "${environment%/environ}" 2>/dev/null
  done
}

# begin_daemon LOG COMMAND...: starts a daemon in the background of the test; sets server_pid.
begin_daemon() {
  local log=$1
  shift
  "$@" >>"$log" 2>&1 </dev/null &
  server_pid=$!
  server_pids="$server_pids $server_pid"
}

# free_ports N: prints N different ports that are free now.
free_ports() {
  python3 -c '
import socket, sys
sockets = [socket.socket() for _ in range(int(sys.argv[1]))]
for s in sockets:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in sockets))' "$1"
}

# write_slurm_conf PORT...: writes slurm.conf with the port of the controller and of each node.
write_slurm_conf() {
  local host name
  host=$(hostname -s)
  cat >slurm.conf <<END
ClusterName=satin
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$1
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$test_dir/munge/socket
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$test_dir/slurm/state
SlurmdSpoolDir=$test_dir/slurm/%n
SlurmctldPidFile=$test_dir/slurm/slurmctld.pid
SlurmdPidFile=$test_dir/slurm/%n.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
SwitchType=switch/none
ReturnToService=0
SlurmdParameters=config_overrides
SlurmdTimeout=300
MinJobAge=60
KillWait=3
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,sched_min_interval=0
PartitionName=p Nodes=c[1-6] Default=YES MaxTime=60 State=UP PriorityTier=1 GraceTime=$grace_s
PartitionName=high Nodes=c[1-6] MaxTime=60 State=UP PriorityTier=10 PreemptMode=off
END
  for name in $slurm_nodes; do
    shift
    echo "NodeName=$name NodeHostname=$host NodeAddr=127.0.0.1 Port=$1 CPUs=4 RealMemory=2000 State=UNKNOWN" >>slurm.conf
  done
  printf '%s\n' "$slurm_lines" >>slurm.conf
}

start_munged() {
  mkdir -p -m 711 munge
  head -c 128 /dev/urandom >munge/key
  chmod 600 munge/key
  begin_daemon munged.log munged --foreground --force --num-threads=10 --key-file="$test_dir/munge/key" \
    --socket="$test_dir/munge/socket" --pid-file="$test_dir/munge/pid" --seed-file="$test_dir/munge/seed"
  until_true test -S munge/socket || skip_all "munged does not start: $(tail -n 1 munged.log)"
}

# nodes_are STATE N: N nodes of the partition p are in that state.
nodes_are() { [ "$(sinfo -h -N -p p -o %T 2>/dev/null | grep -cx "$1")" = "$2" ]; }

# begin_slurm: starts all daemons, on ports that were free a moment ago.
begin_slurm() {
  local name
  rm -rf slurm munge
  mkdir -p slurm/state
  # shellcheck disable=SC2046
  write_slurm_conf $(free_ports 7)
  start_munged
  start_slurmctld -i
  for name in $slurm_nodes; do
    mkdir -p "slurm/$name"
    begin_daemon "slurmd.$name.log" slurmd -D -f "$SLURM_CONF" -N "$name"
  done
}

daemons_live() { [ "$(jobs -rp | wc -l)" -ge "$(wc -w <<<"$server_pids")" ]; }
is_decided() { nodes_are idle 6 || ! daemons_live; }

# start_slurm: starts Slurm, or skips the whole test if that is not possible on this machine.
start_slurm() {
  local attempt
  need_program munged munge
  need_program slurmctld slurmctld
  need_program slurmd slurmd
  need_program sbatch slurm-client
  [ "$(id -u)" -eq 0 ] || skip_all "only root can run slurmd"
  export SLURM_CONF=$test_dir/slurm.conf
  unset LD_PRELOAD
  for attempt in 1 2 3; do
    begin_slurm
    until_true is_decided
    nodes_are idle 6 && return
    # Another process may have taken one of the ports meanwhile, so the test tries other ports.
    echo "attempt $attempt: $(grep -h 'rror\|fatal' slurm*.log | tail -n 3)" >&2
    end_servers
    server_pids=
  done
  skip_all "Slurm does not start: $(tail -n 1 slurmctld.log)"
}

# start_slurmctld [OPTION]: starts the controller; sets slurmctld_pid.
start_slurmctld() {
  begin_daemon slurmctld.log slurmctld -D -f "$SLURM_CONF" "$@"
  slurmctld_pid=$server_pid
}

# cancel_own_jobs: cancels the jobs that the test submitted with sbatch --wrap, and waits until
# squeue does not list them any more.
cancel_own_jobs() {
  scancel --name=wrap
  until_true no_own_jobs
}
no_own_jobs() { [ -z "$(squeue -h --name=wrap -o %i 2>&1)" ]; }

# no_jobs: squeue lists no job.
no_jobs() { [ -z "$(squeue -h -o %i 2>&1)" ]; }
