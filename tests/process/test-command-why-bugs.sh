# test-command-why-bugs.sh - what satin why says when a job is lost by a defect of Satin
#
# Needs a build with -Dinjected-bugs=true.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

# With this bug, a job does not run again when its thief is lost. If that thief had the job from
# another thief, the job waits on that other thief for ever.
SATIN_INJECT_BUG=drop-returned start "$satin" run -n 3 -w 1 --stall 3s --journal none tree --sleep --grain 10ms 12s
until_true is_up 3
sleep 1
kill -KILL "$(pid_of other)"
stands_still() { grep -qE 'no job has ended for .* (that no node has|no worker is free)' err; }
check "a run that lost a job says so by itself" until_true stands_still
mv err run.err
"$satin" why --json >why.json
asked() { json_query "$1" <why.json >/dev/null; }
check "satin why says that nobody works on the job" asked "s['end'] in ('nobody', 'queued')"
check "and names the node that waits" asked "s['chain'][0]['state'] == 'root'"
stop_and_wait INT "$pid"
check "nothing is left" nothing_left
finish
