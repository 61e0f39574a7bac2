# nodes-log.sh - logs which nodes a run has over time, for a test; sourced by bash
#
# The caller sets watch_s, the longest time to wait, and defines describe_nodes, which prints the
# run's nodes in one line, or nothing when they are not known. nodes.log gets a line whenever the
# nodes have changed.
#
# SPDX-License-Identifier: Apache-2.0

# begin_log: begins an empty nodes.log, whose times count from now on.
begin_log() {
  nodes_now=
  rm -f nodes.log
  started_ms=$(now_ms)
}

# note TEXT: adds a line to nodes.log, with the seconds since begin_log.
note() {
  local ms=$(($(now_ms) - started_ms))
  printf '%d.%d %s\n' $((ms / 1000)) $((ms % 1000 / 100)) "$1" >>nodes.log
}

# note_nodes: adds a line if the nodes have changed; sets nodes_now.
note_nodes() {
  local now
  now=$(describe_nodes)
  if [ -n "$now" ] && [ "$now" != "$nodes_now" ]; then
    nodes_now=$now
    note "$now"
  fi
}

# watch_until COMMAND...: logs nodes until the command succeeds. Fails after watch_s, or when the
# run has ended.
watch_until() {
  local deadline=$(($(now_ms) + watch_s * 1000))
  until "$@"; do
    ! has_ended && [ "$(now_ms)" -lt $deadline ] || return 1
    sleep 0.3
    note_nodes
  done
}
