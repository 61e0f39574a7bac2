# cpu-limits.sh - how much of a processor what runs on a host may have, by control groups; sourced by bash
#
# After ssh-hosts.sh. A host's sshd is in a group of its own, and so is all that is started by it. Needs
# root, and the controller "cpu" of either version of control groups.
#
# SPDX-License-Identifier: Apache-2.0

# A quota is of so short a time that who has used up a small one waits for little.
cpu_period_us=4000
cpu_root=

# Sets cpu_root, the folder in which groups are made.
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

# cpu_group N: the folder of the host's group.
cpu_group() { echo "$cpu_root/$mark-$1"; }

# limit_cpu N PERCENT PID...: these, and what they start from now on, have so much of one processor together.
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

# load_cpu N COUNT: so many processes compute there, beside what else runs on the host.
load_cpu() {
  local i
  for ((i = 0; i < $2; i++)); do
    bash -c 'echo $$ >"$0/cgroup.procs"; while :; do :; done' "$(cpu_group "$1")" >/dev/null 2>&1 </dev/null &
    server_pids="$server_pids $!"
    disown $!
  done
}

# remove_cpu_groups: what was in them has been killed.
remove_cpu_groups() {
  local group
  [ -n "$cpu_root" ] || return 0
  for group in "$cpu_root/$mark"-*; do
    [ ! -d "$group" ] || until_true rmdir "$group" 2>/dev/null
  done
}
