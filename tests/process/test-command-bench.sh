# test-command-bench.sh - satin bench: it prints every figure, and their values are possible
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

query() { json_query "$1" <out >/dev/null; }

spawn_case="spawn goes well"
figures_case="spawn has eight figures, all above 0 but maybe the differences"
if [ "$(sanitizer_of "$satin")" = libtsan ]; then
  skip "$spawn_case" "ThreadSanitizer makes spawns 100 times slower"
  skip "$figures_case" "likewise"
else
  run "$satin" bench --json spawn
  check "$spawn_case" is_status 0
  check "$figures_case" query "len(s) == 8 and all(v['value'] > 0 for k, v in s.items() if 'above' not in k)"
fi
run "$satin" bench --json links
check "links goes well" is_status 0
check "links has four figures for each transport, all above 0" \
  query "len(s) == 8 and all(v['value'] > 0 for v in s.values())"
check "a message takes less processor time than a round trip" \
  query "all(s['links-' + t + '.message']['value'] < 1000 * s['links-' + t + '.round-trip.p90']['value'] for t in ('unix', 'tcp'))"
run "$satin" bench links
check "links prints the option for the simulator" grep -Eq '^satin sim --message-ns [1-9][0-9]*  \(links-tcp\)$' out
run "$satin" bench --json steal
check "steal goes well" is_status 0
check "most jobs are stolen over both transports" \
  query "all(s['steal-' + t + '.stolen']['value'] > 50 for t in ('unix', 'tcp'))"
run "$satin" bench bogus
check "an unknown measurement is wrong usage" is_status 2
check "nothing is left" nothing_left
finish
