# sweep.sh - runs applications in many simulated worlds: sweep.sh SEEDS [SWARM-SEEDS [FEW-SEEDS]]
#
#   SEEDS         how many seeds to try of fib, nqueens and uts, without faults and with all kinds
#                 of faults, and of each claim that takes the rarest paths
#   SWARM-SEEDS   how many to try of the large swarm in all (by default 2 * SEEDS), rounded up to a
#                 multiple of its 32 claims: 32 nodes, all kinds of faults, all strategies of
#                 recovery
#   FEW-SEEDS     how many to try of each other claim (by default SEEDS)
#
# For a seed that fails, the output has the command that replays it.
#
# Rare paths of the protocols report that they were taken, by satin_loop_probe(). A claim lists
# probes that its seeds hit often (one seed in 12 or more), and others that they hit rarely. If a
# claim has seeds enough, some seed must hit each of its probes. With 500 SEEDS or more, some seed of some claim must hit every probe
# that is listed, and every probe in libsatin-core, libsatin-ft and libsatin-so, except those in
# $never.
#
# SPDX-License-Identifier: Apache-2.0
set -u
satin=$SATIN_TEST_COMMAND
many=$1
swarm_seeds=${2:-$((2 * $1))}
few=${3:-$1}
seeds=$many # how many seeds the next claim tries
source=$(dirname "$0")/../..
log=$(mktemp)
listed=$(mktemp)
trap 'rm -f "$log" "$listed"' EXIT
faults=fault.crash,fault.join,fault.restart,fault.storm,fault.pause,fault.slow,fault.skew,fault.suspect
faults=$faults,fault.leave,fault.leave-storm,fault.break,fault.reset,fault.half-open,fault.clog,fault.partition,fault.one-way,fault.hub,fault.master,fault.early
# Few seeds do not draw all kinds of faults.
[ "$many" -ge 20 ] || faults=fault.crash
n=0
failed=0

# probes OFTEN [RARELY]: prints these lists of probes, each after a comma, for --require: OFTEN if
# $seeds is 50 or more, RARELY if it is 500 or more. At least one seed in 12 hits each probe in
# OFTEN. Also adds both lists to the file $listed.
probes() {
  tr ',' '\n' <<<"$1${2:+,$2}" >>"$listed"
  [ "$seeds" -lt 50 ] || printf ',%s' "$1"
  [ "$seeds" -lt 500 ] || printf '%s' "${2:+,$2}"
}

# claim NAME COMMAND...: a case, which passes if the command ends with 0.
claim() {
  local name=$1
  shift
  n=$((n + 1))
  if said=$("$@" 2>&1); then
    echo "ok $n $name"
  else
    said="status $?"$'\n'$said
    echo "not ok $n $name"
    failed=1
  fi
  sed 's/^/# /' <<<"$said" | tee -a "$log"
}

# sweep OPTIONS... PROGRAM...: sweeps over the seeds. By default there are four clusters of eight
# nodes.
sweep() {
  "$satin" sim sweep --timeout 300 --seeds "1..$seeds" --clusters 4x8 --wan 2ms --spawn-ns 200000 "$@"
}

# sweep_tree OPTIONS...: sweeps over a tree with longer jobs, whose loss costs more. By default
# there are four clusters of four nodes.
sweep_tree() {
  "$satin" sim sweep --timeout 300 --seeds "1..$seeds" --clusters 4x4 --wan 2ms "$@" tree 10s
}

# ends STATUS OPTIONS... PROGRAM...: succeeds if the runs of all seeds, or of the first 50, end with
# STATUS and print no result.
ends() {
  local status=$1 seed said
  shift
  for ((seed = 1; seed <= (seeds < 50 ? seeds : 50); seed++)); do
    said=$("$satin" sim --seed "$seed" --wan 2ms --spawn-ns 200000 --deadline 1000s "$@" 2>/dev/null)
    if [ $? -ne "$status" ] || [ -n "$said" ]; then
      echo "seed $seed: not status $status, or it said: $said"
      return 1
    fi
  done
}

# swarm STRATEGY OPTIONS... PROGRAM...: one of the 32 claims about the large swarm. Each gets an
# equal share of the seeds, and no two claims have the same seed.
swarm_first=1
swarm_faults=()
swarm() {
  local strategy=$1 share=$(((swarm_seeds + 31) / 32))
  shift
  claim "$* is right in the large swarm, by strategy $strategy" "$satin" sim sweep --timeout 300 \
    --seeds "$swarm_first..$((swarm_first + share - 1))" --clusters 4x8 --wan 2ms --faults swarm \
    --with "ft:strategy=$strategy" "$@"
  swarm_first=$((swarm_first + share))
  swarm_faults+=("$(sed -n 's/.*, \([0-9.]*\) faults each.*/\1/p' <<<"$said")")
}

# is_rough N: on average N faults or more hit a run of the large swarm. A storm counts as one.
is_rough() {
  printf '%s\n' "${swarm_faults[@]}" | awk -v least="$1" '{ sum += $1 }
    END { printf "%.1f faults in a run of the large swarm\n", sum / NR; exit sum / NR < least }'
}

# Probes that no world hits, or hardly any. Unit tests hit them: with very large results, a loss
# that one node has heard of and the next has not, a node that does not answer, hundreds of results
# that are not acknowledged, 64 MiB that wait to be stored, and another run in the folder.
never=$(sort <<'END'
checkpoint.coordinator-silent
checkpoint.folder-lost
checkpoint.put-off
ft.answer-overdue
ft.kept-too-much
ft.result-too-large
ft.told-elsewhere
recovery.holder-gone
steal.backups-dropped
steal.backups-too-many
steal.result-too-large
END
)

# took_all: some seed has hit each probe that a claim lists, and each probe in the code of
# libsatin-core, libsatin-ft and libsatin-so except those in $never.
took_all() {
  local written taken
  written=$(find "$source"/libsatin-{core,ft,so}/src -name '*.c' -exec cat {} + | tr '\n' ' ' \
    | grep -oE 'satin_loop_probe \([^;]*;' | grep -oE '"[a-z]+\.[a-z-]+"' | tr -d '"' | sort -u)
  [ -n "$written" ] || { echo "no probe is written down"; return 1; }
  taken=$(sed -nE 's/^#  +([a-z]+\.[a-z-]+) +[0-9]+ in [0-9]+ seeds$/\1/p' "$log" | sort -u)
  written=$(sort -u - "$listed" <<<"$written")
  ! comm -23 <(comm -23 <(echo "$written") <(echo "$never")) <(echo "$taken") | sed 's/$/ never happened/' \
    | grep .
}

# sweep_bad_job NODES OPTIONS...: sweeps over a tree with a job that crashes each node that runs it.
sweep_bad_job() {
  local n=$1
  shift
  sweep_tree --clusters "1x$n" --faults bad-job --or-fails "run it on one node in a debugger" "$@"
}

# A search in which many tours are as short as the best. Which parts of the tree are searched
# depends on the shared bound.
tour=(tsp "$source/apps/tsp/instances/burma14.tsp" --first-tour nearest --raises 0 --grain 50 --node-time 100us)

# A search with a graph and a clique as shared objects.
clique=(maxclique --generate random:90,80,1 --node-time 100us --grain 50)

# A tree of 127 branches. 32 of its jobs are too large to leave their node, 1 job would be too large
# when decoded, and 32 jobs have a string that other nodes would refuse.
stay=("$SATIN_TEST_STAY" 6 4 1000 4)

# tried_once: in the claim before, which had no faults, the run of each seed tried each of these 65
# jobs only once.
tried_once() {
  local tries
  tries=$(sed -n 's/^ *jobs.job-stays *\([0-9]*\) in .*/\1/p' <<<"$said")
  echo "$tries tries in $seeds seeds"
  [ "$tries" -le $((65 * seeds)) ]
}

# sweep_iterations OPTIONS...: sweeps over a program that iterates, and loses its master twice.
sweep_iterations() {
  "$satin" sim sweep --timeout 300 --seeds "1..$seeds" --clusters 4x4 --wan 2ms --events '300ms crash master; 1700ms crash master' \
    "$@" tree 1s --iterations 10
}

# sweep_adaptive POLICY OPTIONS... PROGRAM...: sweeps over runs that get nodes from a pool of
# machines.
sweep_adaptive() {
  local policy=$1
  shift
  "$satin" sim sweep --timeout 300 --seeds "1..$seeds" --clusters 3x4 --pool 3x6 --wan 2ms \
    --with "adapt:period=300ms,policy=$policy" "$@"
}

# sweep_stored PARAMETERS OPTIONS... PROGRAM...: sweeps over runs with a checkpoint. PARAMETERS are
# those of the part "ft" for it.
sweep_stored() {
  local checkpoint=$1
  shift
  "$satin" sim sweep --timeout 300 --seeds "1..$seeds" --clusters 4x4 --wan 2ms --with "ft:checkpoint=sim:disk,$checkpoint" "$@"
}

seeds=$few
members=$(probes hub.join-held,hub.member-back,hub.member-dismissed,hub.member-restored,hub.member-silent,client.death-missed)
links=$(probes net.link-early,net.link-fenced,net.link-waited,net.links-cross,net.messages-lost,net.retry net.fenced)
steals=$(probes steal.pending-left,steal.jobs-late,steal.nothing-late,steal.owner-lost,steal.request-overdue,steal.result-again,steal.thief-lost,steal.victim-lost steal.result-unwanted)
plans=$(probes adapt.plan-late)
losses=$(probes steal.job-back,steal.job-unknown,steal.result-asked,steal.result-late,hub.join-fenced)
absences=$(probes client.join-missed)
silences=$(probes client.hub-silent,client.end-unsure,net.close-overdue hub.member-heard-again)
views=$(probes client.partial,hub.introduced,hub.view-made-up,net.link-of-stranger,client.introduced,client.unknown)
strangers=$(probes client.join-missed,net.link-of-stranger,client.introduced,client.unknown hub.view-made-up,net.stranger-refused)
leavings=$(probes member.left-in-good-order,member.left-overdue,steal.import-returned,steal.jobs-returned)
hurries=$(probes client.leaving-missed)
unsent=$(probes steal.jobs-unsent)
larges=$(probes jobs.large-stays,jobs.large-tried)
forgotten=$(probes hub.link-replaced hub.joined-again,net.early-astray,net.link-silent)

adopted=$(probes recovery.job-adopted,recovery.result-adopted,recovery.lineage-changed,recovery.orphan-dropped)
orphans=$(probes recovery.job-adopted,recovery.result-adopted,recovery.lineage-changed,ft.orphan-unwanted,ft.passed-on,ft.told-before-the-loss,ft.lost-again,steal.hinted-returned)
backups=$(probes steal.backup-kept,steal.backup-orphaned,recovery.result-adopted)
passed=$(probes steal.backup-kept,steal.backup-orphaned,steal.backup-passed-on)
aborts=$(probes steal.abort,steal.abort-late,steal.aborted)
objects=$(probes objects.gather,objects.job-waits,objects.passed-on,objects.update-held objects.fetch-source-gone)
shares=$(probes objects.job-waits,objects.passed-on,objects.healed,objects.update-held)
gossips=$(probes objects.gossip,objects.double,objects.gather)
restored=$(probes objects.restored)
waits=$(probes objects.job-waits)
gathers=$(probes objects.gather,objects.healed)
results=$(probes ft.table-asked,recovery.child-saved,recovery.orphan-dropped recovery.result-found)
unknown=$(probes recovery.job-adopted,recovery.holder-unknown,ft.stranger)
ended=$(probes checkpoint.stopped,recovery.result-fetched,steal.import-stored)
failures=$(probes checkpoint.write-failed,checkpoint.compacted,checkpoint.compaction-failed,recovery.fetched-nothing)
compactions=$(probes checkpoint.compacted,checkpoint.full)
hangs=$(probes checkpoint.storage-interrupted,checkpoint.write-failed)
seeds=$many
adapted=$(probes adapt.plan-late adapt.no-fleet)
elected=$(probes member.elected-leaving)
stopped=$(probes checkpoint.stopped checkpoint.stop-missed)
writers=$(probes checkpoint.coordinator-lost checkpoint.lost-node-told)

claim "fib is right in every world" sweep fib 15
claim "nqueens is right in every world" sweep nqueens 8
claim "uts is right in every world" sweep uts T1 -d 4
claim "fib is right whatever goes wrong" \
  sweep --faults swarm --require "$faults$members$links$steals" fib 15
claim "nqueens is right whatever goes wrong" sweep --faults swarm --require $faults nqueens 8
claim "uts is right whatever goes wrong" sweep --faults swarm --require $faults uts T1 -d 4
seeds=$few
claim "nqueens is right when links break all the time" \
  sweep --clusters 2x2 --faults break:300,suspect:3 --require "fault.break$losses" nqueens 8
claim "nqueens is right when the registry is lost again and again" \
  sweep --clusters 2x2 --faults hub:20,break:200,join:4,crash:2 \
  --require "fault.hub$absences" nqueens 8
for policy in rs chs cls rp; do
  claim "nqueens is right under $policy, whatever goes wrong" \
    sweep --policy $policy --faults swarm nqueens 7
done
claim "nqueens is right when the network is parted for long" \
  sweep --clusters 4x4 --faults partition:10,one-way:10,join:2 --spawn-ns 2000000 \
  --require "fault.partition,fault.one-way$silences" nqueens 7
claim "somebody stays who can go on when a short partition follows a long one" \
  sweep --clusters 2x4 --faults partition:8,one-way:4,leave:4,leave-storm:2,master:2,crash:2 \
  --require "fault.partition,fault.one-way,fault.leave,fault.master" tree 3s
claim "nqueens is right when one side does not notice that a link broke" \
  sweep --faults half-open:20,break:3 --require "fault.half-open$forgotten" nqueens 7
claim "nobody is declared dead for a pause that all nodes share" \
  sweep --clusters 4x4 --faults standstill:2,hub-stall:2,jump:4,leave:2,break:5 \
  --require "fault.standstill,fault.hub-stall,fault.jump$(probes hub.doubt hub.member-renewed)" nqueens 8
claim "nodes that are cut off for ever end, and the run is right" \
  sweep --clusters 2x4 --faults cut-off:2,stall:2,crash:1,join:2 \
  --require "fault.cut-off$(probes fault.stall,net.registry-given-up)" nqueens 8
claim "no node that is cut off for ever becomes master when the registry is started again" \
  sweep --clusters 4x2 --faults cut-off:2,hub:3,master,join:2 --require fault.cut-off,fault.hub,fault.master nqueens 7
seeds=$many claim "the run is right when nodes join that are wrong about where they are reached" \
  sweep --clusters 2x4 --spawn-ns 2000000 --faults bad-address:4,crash:4,hub:2,join:4,master \
  --require "fault.bad-address$(seeds=$many probes net.asked-to-call,net.called)" nqueens 7
claim "the run is right when the registry is lost for good" \
  sweep --clusters 2x4 --faults hub-lost,jump:2,slow:2 --require fault.hub-lost,part-net.end-told nqueens 8
claim "nqueens is right when nodes come and go all the time" \
  sweep --faults restart:20,storm:5 --require fault.restart,fault.storm nqueens 8
claim "nqueens is right when nodes leave in good order all the time" \
  sweep --faults leave:10,leave-storm:3,join:5 --require "fault.leave,fault.leave-storm$leavings" nqueens 8
claim "nqueens is right when nodes leave, links break and the registry is lost" \
  sweep --faults leave:10,leave-storm:2,hub:5,break:60,join:10,suspect:2,partition:2 --spawn-ns 2000000 \
  --require "fault.leave,fault.hub$hurries" nqueens 7
claim "fib is right when nodes leave that few of the others know" \
  sweep --view 6 --faults leave:10,leave-storm:2,hub:3,break:30,join:10 --require fault.leave fib 15
claim "fib is right when a node knows few of the others, whatever goes wrong" \
  sweep --view 6 --faults swarm --require "fault.crash$views" fib 15
claim "nqueens is right when a node knows few of the others and the registry is lost" \
  sweep --view 6 --faults hub:5,suspect:8,join:10,break:60 --require "fault.hub$strangers" nqueens 8
claim "a tree is right whatever goes wrong" sweep_tree --faults swarm --require "fault.crash$orphans"
claim "a tree is right when nodes are lost of which others know few" \
  sweep_tree --view 4 --faults crash:8,restart:8,join:2 --require "fault.crash$unknown"
claim "a tree is right when a node knows hardly any others, and they come and go" \
  sweep_tree --clusters 4x8 --view 2 --faults crash:6,leave:10,leave-storm:2,join:6,restart:6,master:3,suspect:4 \
  --require fault.master
claim "a tree is right when the master is lost again and again" \
  sweep_tree --faults master:3,crash:4,restart:6 --require "fault.master$adopted"
claim "iterations are right when the master is lost again and again" \
  sweep_iterations --faults master,crash:4,restart:6,break:20 --require "fault.crash$backups"
claim "iterations are right when who keeps their results leaves" \
  sweep_iterations --faults leave:6,leave-storm:2,join:6,break:20 --require "fault.leave$passed"
claim "a tree is right when everybody is told of orphans" \
  sweep_tree --with ft:strategy=orphan-table --faults crash:6,master,restart:4,join:2 --require "fault.crash$adopted"
claim "a tree is right when everybody has a table of results" \
  sweep_tree --with ft:strategy=result-table --faults crash:6,master,restart:4,join:2 --require "fault.crash$results"
claim "a tree is right when orphans are thrown away" \
  sweep_tree --with ft:strategy=naive --faults crash:6,master,restart:4 --require fault.crash
claim "a tree is right when some of its jobs cannot leave their node" \
  sweep --clusters 2x4 --require jobs.job-stays "${stay[@]}"
claim "a job that cannot leave is tried once" tried_once
claim "a tree is right when some of its jobs cannot leave their node, whatever goes wrong" \
  sweep --clusters 4x4 --faults swarm --require jobs.job-stays "${stay[@]}"
claim "fib is right when next to nothing may wait for a node, whatever goes wrong" \
  sweep --queue 1 --faults swarm --require "fault.crash$unsent" fib 15
claim "locusroute is right where jobs are large and links slow" "$satin" sim sweep --timeout 300 --seeds "1..$seeds" --clusters 2x4 --workers 2 \
  --lan-bandwidth 50M --wan-bandwidth 20M --faults swarm --require "fault.crash$larges" locusroute --circuit 600x60x1200 --iterations 3 --place-ns 50
seeds=$many claim "a tree is right when nodes leave that are just made the master" \
  sweep_tree --clusters 2x4 --lan 5ms --wan 20ms --faults early,master:4,leave:12,leave-storm:2,restart:8,join:16 \
  --require "fault.master,fault.leave$elected"
claim "the best leaf is found when all others are aborted, whatever goes wrong" \
  sweep --spawn-ns 1000 --faults swarm --require "fault.crash$aborts" tree 10s --best 990000
claim "the best leaf is found when nodes are lost all the time" \
  sweep --clusters 4x4 --spawn-ns 1000 --faults crash:6,master:2,restart:6,leave:4,break:40 \
  --require "fault.crash$aborts" tree 10s --best 995000
claim "the best leaves are found when everything is lost again and again" \
  sweep_stored every=20ms,storage=delay=1ms --faults total:3,stop:2,crash:4,join:6 --require fault.total \
  tree 1s --best 980000 --iterations 4
claim "prime factors are found when the larger candidates are aborted, whatever goes wrong" \
  sweep --spawn-ns 2000000 --faults swarm --require "fault.crash$aborts" primefactors 40009120027 --grain 1000
claim "what is best to carry is found when all share it, whatever goes wrong" \
  sweep --spawn-ns 2000000 --faults swarm --require "fault.crash$objects" knapsack --generate 18 --grain 300
claim "the largest clique is found when all share it, whatever goes wrong" \
  sweep --faults swarm --require "fault.crash$objects" "${clique[@]}"
claim "a formula is refuted when all share what they learn, whatever goes wrong" \
  sweep --faults swarm --require "fault.crash$objects" \
  sat --generate uniform:120,560,3,1 --budget 20 --conflict-time 1ms --clauses 8
claim "the cheapest cover is found when all share it and everything is lost again and again" \
  sweep_stored every=50ms,storage=delay=1ms --clusters 2x4 --spawn-ns 2000000 --faults total:2,crash:3,leave:3 \
  --require fault.total setcover --generate 60x150 --max-cost 1 --grain 100
claim "the best leaf is found when all share what was found, whatever goes wrong" \
  sweep --spawn-ns 1000 --faults swarm --require "fault.crash$shares" tree 100s --best 1000000 --shared
claim "the best leaf is found when all share it and a node knows few of the others" \
  sweep --view 4 --spawn-ns 1000 --faults swarm --require "fault.crash$gossips" tree 100s --best 1000000 --shared
claim "the best leaf is found when jobs wait for what their spawners knew, whatever goes wrong" \
  sweep --spawn-ns 1000 --faults swarm --require "fault.crash$shares" tree 100s --best 1000000 --shared --guarded
claim "the best leaves are found when jobs wait for what the lost knew" \
  sweep --clusters 4x4 --spawn-ns 1000 --faults crash:6,master:2,restart:6,leave:4,break:40 \
  --require "fault.crash$waits" tree 20s --best 1000000 --shared --guarded --iterations 4
claim "the shortest tour is found among many of one length, whatever goes wrong" \
  sweep --clusters 4x4 --faults swarm --require "fault.crash$shares" "${tour[@]}"
claim "the shortest tour is found when its finders are lost all the time" \
  sweep --clusters 4x4 --faults crash:6,master:2,restart:6,leave:3,join:3 --require "fault.crash$adopted" "${tour[@]}"
claim "the best leaves are found when who made what is shared is lost again and again" \
  sweep --clusters 4x4 --spawn-ns 1000 --faults master:4,crash:6,restart:6,leave:4,break:40 \
  --require "fault.master$gathers" tree 100s --best 1000000 --shared --iterations 4
claim "the best leaves are found when everything is lost with what was shared" \
  sweep_stored every=20ms,storage=delay=1ms --spawn-ns 1000 --faults total:3,stop:2,crash:4,join:6 --require fault.total \
  tree 20s --best 990000 --shared --iterations 4
claim "what is best to carry is found when everything is lost with what was shared" \
  sweep_stored every=20ms,storage=delay=1ms --clusters 2x4 --spawn-ns 2000000 --faults total:3,stop,crash:4,join:6,master:2 \
  --require "fault.total$restored" knapsack --generate 18 --grain 300
claim "a formula is refuted when everything is lost with what was learned" \
  sweep_stored every=20ms,storage=delay=1ms --clusters 2x4 --faults total:3,stop,crash:4,join:6,master:2 \
  --require "fault.total$restored" sat --generate uniform:120,560,3,1 --budget 20 --conflict-time 1ms --clauses 8
claim "the shortest tour is found when everything is lost with the bound" \
  sweep_stored every=20ms,storage=delay=1ms --clusters 2x4 --faults total:3,stop,crash:4,join:6,master:2 \
  --require "fault.total$restored" tsp --grain 50 --node-time 1ms "$source/apps/tsp/instances/bays29.tsp" --first-tour nearest
claim "the largest clique is found when everything is lost with what was shared" \
  sweep_stored every=20ms,storage=delay=1ms --clusters 2x4 --faults total:3,stop,crash:4,join:6,master:2 \
  --require "fault.total$restored" "${clique[@]}"
claim "stars move as ever when everything is lost with their sky" \
  sweep_stored every=50ms,storage=delay=1ms --clusters 2x4 --faults total:2,stop,crash:3,join:4,master:2 \
  --require fault.total barnes-hut --bodies 300 --grain 32 --iterations 4 --body-time 1ms
claim "the best move is found when the others are aborted, whatever goes wrong" \
  sweep --faults swarm --require "fault.crash$aborts" othello --random 12 --seed 2 --grain 6 --position-ns 1000 --table local --table-size 1M
claim "the best move is found without a table when nodes are lost all the time" \
  sweep --clusters 4x4 --faults crash:6,master:2,restart:6,leave:4,break:40 --require "fault.crash$aborts" \
  othello --random 11 --seed 5 --grain 6 --position-ns 10000 --table off
everything=total:4,stop:2,crash:4,join:6,master:2
seeds=$many claim "a tree is right when it goes on from its checkpoint, whatever goes wrong" \
  sweep_stored every=50ms,storage=delay=1ms --faults swarm --require "fault.total$writers" tree 3s --grain 20ms
claim "a tree is right when everything is lost again and again" \
  sweep_stored every=20ms,storage=delay=1ms --faults $everything --require "fault.total,fault.stop$ended" tree 1s --grain 10ms
claim "iterations are right when everything is lost again and again" \
  sweep_stored every=20ms,storage=delay=1ms --clusters 2x4 --faults $everything --require "fault.total$ended" \
  tree 500ms --iterations 5
claim "nqueens is right when everything is lost again and again" \
  sweep_stored every=50ms,storage=delay=1ms --spawn-ns 2000000 --faults total:2,stop,crash:4 --require "fault.total$ended" \
  nqueens 7
seeds=$many claim "a tree is right when it is stopped before all is there, or while its registry is lost" \
  sweep_stored every=30ms,storage=delay=1ms --faults early,stop:6,hub:4,master:3,leave:6,join:6 \
  --require "fault.stop$stopped" tree 1s --grain 10ms
seeds=$many claim "a tree is right when everything is lost and a node knows few of the others" \
  sweep_stored every=20ms,storage=delay=1ms --view 4 --faults total:2,crash:4,leave:4,stop:2,master:3,join:4 \
  --require "fault.total$writers" tree 1s --grain 10ms
claim "a tree is right when its storage fails all the time" \
  sweep_stored 'every=20ms,size=8K,storage=delay=500us\,error-rate=0.1' --faults total:3,crash:3,leave:4,stop:2 \
  --require "fault.total$failures" tree 1s --grain 10ms
claim "a tree is right when its checkpoint may be small" \
  sweep_stored every=20ms,size=6K --faults total:3,crash:3,leave:4 --require "fault.total$compactions" tree 3s --grain 10ms
claim "a tree is right when the disk of its checkpoint is full" \
  sweep_stored every=20ms,storage=capacity=6000 --faults crash:4,join:6,master:2,leave:3 \
  --require "fault.crash$(probes checkpoint.write-failed)" tree 1s --grain 10ms
claim "a tree is right when it goes on from a disk that is full" \
  sweep_stored every=20ms,storage=capacity=6000 --faults total:2,stop:2,crash:4,join:6,master:2,leave:3 \
  --require fault.total tree 1s --grain 10ms
seeds=$many claim "a tree is right when nodes are asked for and sent away, whatever goes wrong" \
  sweep_adaptive learning:bar=1s --faults swarm --require "fault.crash$adapted" tree 10s
claim "a tree is right when machines turn out bad and are replaced, whatever goes wrong" \
  sweep_adaptive learning:bar=1s --faults swarm --require event.speed,event.bandwidth,event.offer \
  --events '500ms speed cluster c2 0.2; 1s bandwidth cluster c2 10K; 2s offer 4 cluster c3' tree 10s
claim "the best leaves are found when nodes are asked for and sent away and the master is lost" \
  sweep_adaptive thresholds --faults master:3,crash:4,leave:4,join:4 --require "fault.master$plans" \
  tree 100s --best 1000000 --shared --iterations 4
claim "a tree is right when its storage hangs" \
  sweep_stored every=20ms,storage=hang-call=40 --clusters 2x2 --faults total,crash --require "fault.total$hangs" \
  tree 500ms --grain 10ms
claim "a tree is right when the network is parted and both sides write its checkpoint" \
  sweep_stored every=20ms,storage=delay=1ms --clusters 2x4 --faults partition:6,one-way:4,master:2,total,join:2 \
  --require fault.partition,fault.total tree 1s --grain 10ms
claim "a tree is right when its storage hangs while it is opened" \
  sweep_stored every=20ms,storage=hang-open=5 --clusters 2x4 --faults total,crash:4,join:4,master:2 \
  --require fault.total tree 1s --grain 10ms
claim "a tree is right when its storage hangs in mid-run and never comes back on that node" \
  sweep_stored 'every=500ms,storage=hang-open=4\,error-rate=0.1' --clusters 2x2 --faults crash,join:2 \
  --require "fault.crash$(probes checkpoint.storage-stuck,checkpoint.coordinator-resigned)" tree 300s --grain 5s
for strategy in ancestors orphan-table result-table naive; do
  swarm $strategy --spawn-ns 200000 fib 17
  swarm $strategy --spawn-ns 2000000 nqueens 8
  swarm $strategy --spawn-ns 500000 uts T1 -d 7
  swarm $strategy tree 10s
  swarm $strategy tree 10s --best 995000
  swarm $strategy tree 100s --best 1000000 --shared
  swarm $strategy --spawn-ns 1000 tree 100s --best 1000000 --shared --guarded
  swarm $strategy "${tour[@]}"
done
spared=$(probes steal.crash-told,steal.last-node-spared,member.root-given-up)
blamed=$(probes steal.crash-told,steal.suspect-told,steal.job-crashes)
for nodes in 2 3; do
  claim "a job that crashes its nodes ends a run of $nodes nodes, but for the last one" \
    sweep_bad_job $nodes --require "bad-job.crash$spared"
done
for nodes in 4 5 6 8; do
  claim "a job that crashes its nodes ends a run of $nodes nodes after a few" \
    sweep_bad_job $nodes --require "bad-job.crash$blamed"
done
claim "a job that crashes its nodes ends a run between clusters" \
  sweep_bad_job 4 --clusters 2x4 --require bad-job.crash
claim "15 faults hit a run of the large swarm" is_rough 15
claim "a closed run that lacks a node at its beginning ends" ends 21 --clusters 2x3 --lan 5ms --wan 50ms \
  --faults early,crash:2 nqueens 8
[ "$many" -lt 500 ] || claim "every rare path of recovery was taken" took_all
echo 1..$n
exit $failed
