# test-adaptation-run.sh - an adaptive run replaces machines that turn out bad
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/adaptation-world.sh"

digest=e7e5ac8373f4879a
watch_s=90
make_adaptation_world
begin_world 36 --adapt --period 2s
check "six machines of three clusters join" watch_until begun
spoil_world
went_away() { [[ $nodes_now == *"$1 0"* ]]; }
came() { grep -q "$1 [1-9]" nodes.log; }
check "those that are loaded are sent away" watch_until went_away loaded
check "those behind a narrow link are sent away" watch_until went_away narrow
check "others come in the place of those that were bad or killed" watch_until came spare
watch_until false
wait_for_end
right() { is_status 0 && says out "20000 bodies, 36 iterations" && says out "digest $digest"; }
check "the result is right" right
# shellcheck disable=SC2086 # several
check "nothing is left on the hosts: no process, no folder" is_clean $world_hosts
all_gone() { nothing_left && end_world; }
check "nor here: no node, network or control group" all_gone
sed 's/^/# /' nodes.log
finish
