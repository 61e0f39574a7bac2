# test-provision-recipes.sh - the scripts of docs/examples for provision-exec, with programs that stand
# for the commands of the services
#
# SATIN_TEST_EXAMPLES is docs/examples, SATIN_TEST_STUB service-stub.py.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"
export STUB=$test_dir/stub SATIN_STATE=$test_dir/jobs
export SATIN_IMAGE=ami-1 SATIN_TYPE=t SATIN_ZONE=z SATIN_AWS="--subnet-id s-1" SATIN_GCLOUD="--network=n" SATIN_SUBMIT="requirements = true"
mkdir -p "$STUB/bin"
for name in aws gcloud kubectl condor_submit condor_q condor_rm shutdown; do
  ln -s "$SATIN_TEST_STUB" "$STUB/bin/$name"
done
PATH=$STUB/bin:$PATH
machines() { find "$STUB" -maxdepth 1 -regex '.*/satin-[0-9a-f]+-[0-9]+' | wc -l; }
machines_are() { [ "$(machines)" -eq "$1" ]; }
nothing_wrong() { [ ! -e "$STUB/wrong" ] || { sed 's/^/# /' "$STUB/wrong"; false; }; }

for recipe in ec2 gcp kubernetes htcondor; do
  script=$SATIN_TEST_EXAMPLES/provision-script-$recipe
  exec=exec:script=$script,poll=500ms
  marked() { head -n 4 "$script" | grep -q 'NOT RUN AGAINST THE REAL SERVICE'; }
  check "$recipe: the script says that it was not run against the service" marked
  start "$satin" run --provision "$exec,max=2" --min 2 -n 1 -w 1 "$node" forever
  run_pid=$pid
  check "$recipe: two machines start, and their nodes join with the secret" until_true is_up 3
  check "$recipe: they are the service's" machines_are 2
  victim=$(pids_of "n['host'] != '$(hostname)'" | cut -d ' ' -f 1)
  kill -TERM "$victim"
  left() { status_query "sum(n['state'] == 'left' for n in s['nodes']) == 1" >/dev/null; }
  check "$recipe: a node leaves at SIGTERM" until_true left
  check "$recipe: another machine is started in its place" until_true is_up 3
  pid=$run_pid stop_and_wait INT "$run_pid"
  check "$recipe: no machine is left" machines_are 0
  check "$recipe: no process is left" until_true no_nodes
  check "$recipe: the service refused no call" nothing_wrong
  STUB_FULL=1 run "$satin" run --provision "$exec,max=1" --min 1 -n 1 -w 1 nqueens 10
  full() { is_status 0 && grep -q 'cannot be had' err; }
  check "$recipe: a service without machines is said, and the run goes on" full
  check "$recipe: the service refused no call then" nothing_wrong
done
finish
