# cpu-limits.sh - limits the processor time of each test host by control groups; sourced by bash
#
# To be sourced after ssh-hosts.sh. Each host's sshd is in a control group of its own, with all
# processes that it starts. Needs root, and the controller "cpu" of control groups, version 1 or 2.
#
# SPDX-License-Identifier: Apache-2.0

# The period of a quota. It is short, so a process whose quota is used up waits only briefly.
cpu_period_us=4000
cpu_root=

# Sets cpu_root, the folder in which groups are made. Skips the test if no group can be made.
need_cpu_limits() {
  local folder
  for folder in /sys/fs/cgroup/cpu /sys/fs/cgroup/cpu,cpuacct; do
    [ -e "$folder/cpu.cfs_quota_us" ] || [ -e "$folder/cgroup.procs" ] && cpu_root=$folder && break
  done
  if [ -z "$cpu_root" ] && grep -qsw cpu /sys/fs/cgroup/cgroup.controllers; then
    cpu_root=/sys/fs/cgroup
    grep -qw cpu $cpu_root/cgroup.subtree_control || echo +cpu 2>/dev/null >$cpu_root/cgroup.subtree_control
  fi
  if [ -z "$cpu_root" ] || ! mkdir "$cpu_root/$mark" 2>/dev/null; then
    skip_all "processors cannot be shared out here: there is no control group for that"
  fi
  rmdir "$cpu_root/$mark"
}

# cpu_group N: prints the folder of host N's group.
cpu_group() { echo "$cpu_root/$mark-$1"; }

# limit_cpu N PERCENT PID...: puts the processes into host N's group, with all that they start from
# now on. The group may use PERCENT of one processor.
limit_cpu() {
  local group quota_us=$((cpu_period_us * $2 / 100)) pid
  group=$(cpu_group "$1")
  [ -d "$group" ] || mkdir "$group" || return 1
  if [ -e "$group/cpu.max" ]; then
    echo "$quota_us $cpu_period_us" >"$group/cpu.max" || return 1
  else
    echo "$cpu_period_us" >"$group/cpu.cfs_period_us" && echo "$quota_us" >"$group/cpu.cfs_quota_us" || return 1
  fi
  for pid in "${@:3}"; do
    echo "$pid" >"$group/cgroup.procs" || return 1
  done
}

# load_cpu N COUNT: starts COUNT processes on host N that do nothing but compute.
load_cpu() {
  local i
  for ((i = 0; i < $2; i++)); do
    bash -c 'echo $$ >"$0/cgroup.procs"; while :; do :; done' "$(cpu_group "$1")" >/dev/null 2>&1 </dev/null &
    server_pids="$server_pids $!"
    disown $!
  done
}

# remove_cpu_groups: removes all groups. Their processes have been killed before.
remove_cpu_groups() {
  local group
  [ -n "$cpu_root" ] || return 0
  for group in "$cpu_root/$mark"-*; do
    [ ! -d "$group" ] || until_true rmdir "$group" 2>/dev/null
  done
}
