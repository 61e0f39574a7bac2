# test-command-stats.sh - satin run --stats and --stats-json: figures that add up
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

query() { json_query "$1" <stats.json >/dev/null; }

# fib 25 spawns two jobs for each call with n >= 2: 2 * (fib (26) - 1) jobs. Both victim and thief
# count a stolen job.
run "$satin" run --clusters a:2,b:2 --stats --stats-json stats.json fib 25
check "the run goes well" is_status 0
check "JSON has all nodes" query "len(s['nodes']) == 4"
check "JSON has the exit status and the time" query "s['exit-status'] == 0 and s['elapsed-us'] > 0"
sums="all(s['totals'][k] == sum(n['figures'].get(k, 0) for n in s['nodes']) for k in s['totals'])"
check "the totals are the sums of the nodes" query "$sums"
check "every job is counted" \
  query "0 <= s['totals']['jobs'] - 2 * (121393 - 1) <= 2 * s['totals']['steals.remote'] + 2"
check "nobody won more steals than it tried" \
  query "all(n['figures']['steals.remote'] <= n['figures']['steals.remote-tried'] for n in s['nodes'])"
check "bytes between clusters are counted apart" \
  query "s['totals']['net.sent-wan'] > 0 and s['totals']['net.sent-lan'] > 0"
column_sum() { awk '$1 ~ /^[0-9]+$/ { sum += $3 } $1 == "total" { total = $2 } END { exit sum != total }' err; }
check "the table has a line for each node" test "$(grep -cE '^ +[1-4]  [ab] ' err)" -eq 4
check "the column of jobs adds up" column_sum
same_jobs() { [ "$(awk '$1 == "total" { print $2 }' err)" = "$(json_query "s['totals']['jobs']" <stats.json)" ]; }
check "table and JSON say the same" same_jobs
run "$satin" run -n 2 --stats-json stats.json "$node" exit 5
check "JSON has the exit status of a program that failed" query "s['exit-status'] == 5"
run "$satin" run -n 2 --stats-json /nowhere/stats.json fib 5
check "a file that cannot be written has its own status" is_status 27
start "$satin" run -n 2 --stats "$node" forever
until_true is_up 2
stop_and_wait INT "$pid"
check "an interrupted run has a table too" grep -q '^total' err
check "nothing is left" nothing_left
finish
