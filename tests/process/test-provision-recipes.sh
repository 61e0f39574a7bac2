# test-provision-recipes.sh - the scripts of docs/examples for provision-exec, with programs that stand
# for the commands of the services
#
# The scripts are called as provision-exec calls them. SATIN_TEST_EXAMPLES is docs/examples,
# SATIN_TEST_STUB service-stub.py.
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
limit_s=60
printf the-secret-of-the-run >secret

# The command of a machine: writes its secret and its words into the file $1, and waits for SIGTERM
# or for the file $1.end.
cat >command <<'END'
#!/bin/sh
trap 'echo SIGTERM >>"$1"; exit 0' TERM
{ cat <&3; echo; for word; do printf '<%s>' "$word"; done; echo; } >"$1.new"
mv "$1.new" "$1"
until [ -e "$1.end" ]; do sleep 0.1; done
END
chmod +x command
words=("it's" 'a "b"' '$HOME \n {x}' 'net:host=a,cluster=b\,c;ft' '')

call() { run "$script" "$@" 3<secret; }
begin() { call start "$1" -- env "KEY=a b" "$test_dir/command" "$test_dir/$1" "${words[@]}"; }
runs() { until_true test -e "$1" && [ "$(head -n 1 "$1")" = the-secret-of-the-run ]; }
has_words() { [ "$(sed -n 2p "$1")" = "<$test_dir/$1>$(printf '<%s>' "${words[@]}")" ]; }
list_has() { call list && is_status 0 && grep -qxF "$1" out; }
list_lacks() { call list && is_status 0 && ! grep -qx "$1" out; }
was_told() { grep -q SIGTERM "$1"; }
nothing_wrong() { [ ! -e "$STUB/wrong" ] || { sed 's/^/# /' "$STUB/wrong"; false; }; }
is_full() { [ "$status" -eq 75 ] || { [ "$status" -eq 1 ] && [ -s out ]; }; }
# no_machines: no process of a machine lives. A service may still have its name.
no_machines() {
  local file
  for file in $(find "$STUB" -maxdepth 1 -regex '.*/satin-[0-9a-f]+-[0-9]+'); do
    ! kill -0 "$(cat "$file")" 2>/dev/null || return 1
  done
}

for recipe in ec2 gcp kubernetes htcondor; do
  script=$SATIN_TEST_EXAMPLES/provision-script-$recipe
  rm -f satin-* "$STUB"/satin-* "$STUB/wrong"
  marked() { head -n 4 "$script" | grep -q 'NOT RUN AGAINST THE REAL SERVICE'; }
  check "$recipe: the script says that it was not run against the service" marked
  begin satin-0123abcd-1
  check "$recipe: a machine starts" is_status 0
  check "$recipe: its command has the secret at descriptor 3" runs satin-0123abcd-1
  check "$recipe: and its words" has_words satin-0123abcd-1
  begin satin-0123abcd-2
  check "$recipe: another machine starts" runs satin-0123abcd-2
  check "$recipe: the list has the first" list_has satin-0123abcd-1
  check "$recipe: and the second" list_has satin-0123abcd-2
  call stop satin-0123abcd-1 5000
  check "$recipe: a machine is stopped" is_status 0
  check "$recipe: its command got SIGTERM" was_told satin-0123abcd-1
  check "$recipe: it is not in the list any more" list_lacks 'satin-0123abcd-1\( .*\)*'
  touch satin-0123abcd-2.end
  check "$recipe: a machine whose command has ended does not run any more" until_true list_lacks satin-0123abcd-2
  call stop satin-0123abcd-2 0
  check "$recipe: it is stopped, too" is_status 0
  call stop satin-0123abcd-3 0
  check "$recipe: one that never was is stopped" is_status 0
  check "$recipe: no machine is left" until_true no_machines
  STUB_FULL=1 begin satin-0123abcd-4
  check "$recipe: without machines, start fails as it should" is_full
  call stop satin-0123abcd-4 0
  check "$recipe: nothing is left of that" is_status 0
  check "$recipe: the service refused no call" nothing_wrong
done
finish
