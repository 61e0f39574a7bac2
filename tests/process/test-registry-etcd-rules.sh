# test-registry-etcd-rules.sh - the registry "etcd" with a real etcd: rules, TLS, users
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/registry-etcd-common.sh"
need_program openssl openssl
limit_s=250

fib=(fib 20)
fib_result="fib(20) = 6765"

# meet URI [KEY=VALUE,...]: runs two nodes that meet at this registry.
meet() {
  run "$satin" run --insecure --registry "$1" ${2:+--registry-with "$2"} -n 2 "${fib[@]}"
}

met() { is_status 0 && says out "$fib_result"; }
is_refused() { is_status "$1" && ! grep -qF "$fib_result" out; }

# ---- rules ----

start_etcds 1
run "$satin" conformance registry-etcd "uri=etcd://$endpoints/rules" "$lease" patience=20s
no_rule_broken() { is_status 0 && ! grep -q '^not ok' out && grep -q '^ok' out; }
check "all rules of registries are kept" no_rule_broken

# ---- runs ----

meet "etcd://127.0.0.1:1,$endpoints/one"
check "the next server is asked when one does not answer" met
meet "etcd://$endpoints/one"
check "a run that is over is not begun again at once" is_refused 22
check "and it is said that it is over" grep -q "is over with exit status 0" err
meet "etcd://127.0.0.1:1/none" join-timeout=1s
check "no server at all is unreachable" is_refused $status_unreachable
run "$satin" run --registry "etcd://$endpoints/two" -n 2 "${fib[@]}"
check "nodes that meet there need a secret" is_refused 2
run "$satin" run --insecure --registry "etcd://$endpoints/two" --registry-with lease=1s -n 2 "${fib[@]}"
check "a lease that etcd does not give is refused" is_refused 2
check "with the time that was given" grep -q "lease=1s: it must be 2s or more" err
run "$satin" run --insecure --registry "smoke://$endpoints/two" -n 2 "${fib[@]}"
check "an address that no registry serves is refused" is_refused $status_not_found

# ---- users ----

echo "open sesame" >password
chmod 600 password
echo wrong >wrong
chmod 600 wrong
cp password open
chmod 644 open
ctl user add "root:open sesame" >/dev/null
ctl user grant-role root root >/dev/null
ctl auth enable >/dev/null
meet "etcd://$endpoints/user" "user=root,password-file=password"
check "a user with a password is let in" met
meet "etcd://$endpoints/user2"
check "nobody is not let in" is_refused $status_secret
meet "etcd://$endpoints/user3" "user=root,password-file=wrong"
check "a wrong password is refused" is_refused $status_secret
untold() { ! grep -qF -e sesame -e wrong out && ! grep -qF sesame err; }
check "and none is told" untold
meet "etcd://$endpoints/user4" "user=root,password-file=open"
check "a password that others may read is refused" is_refused 2
meet "etcd://192.0.2.1/user5" "user=root,password-file=password"
check "a password is not sent in clear to other machines" is_refused 2

# ---- TLS ----

make_authority ours
make_authority other
make_certificate ours server localhost
choose_ports 1
begin_tls() {
  etcd --name tls --data-dir "$etcd_data/tls" "${etcd_patience[@]}" \
    --listen-client-urls "https://127.0.0.1:${etcd_ports[0]}" \
    --advertise-client-urls "https://localhost:${etcd_ports[0]}" \
    --cert-file server.pem --key-file server.key \
    --listen-peer-urls "http://127.0.0.1:${etcd_peers[0]}" \
    --initial-advertise-peer-urls "http://127.0.0.1:${etcd_peers[0]}" \
    --initial-cluster "tls=http://127.0.0.1:${etcd_peers[0]}"
}
start_server "${etcd_ports[0]}" begin_tls
place=etcds://localhost:${etcd_ports[0]}
meet "$place/one" ca-file=ours.pem
check "a server with a certificate that is known is trusted" met
meet "$place/two" ca-file=other.pem
check "one of another authority is not" is_refused $status_secret
meet "$place/three" ca-file=none.pem
check "authorities that are not there are refused" is_refused 2
meet "etcd://localhost:${etcd_ports[0]}/four" join-timeout=2s
check "a server that wants TLS is not spoken to without" test "$status" -ne 0

check "no node is left" no_nodes
finish
