# test-registry-etcd-certificates.sh - the registry "etcd" with an etcd that requires certificates
# of nodes
#
# The join timeout of the nodes is longer than the test waits, unless a case sets join_s. So a case
# in which a node must be refused passes only if the node is refused at once.
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/registry-etcd-common.sh"
need_program openssl openssl
limit_s=120

fib_result="fib(20) = 6765"
make_authority ours
make_authority other
make_certificate ours server localhost
make_certificate ours node ann
make_certificate ours nameless
make_certificate other stranger ann

# sign NAME FROM DAYS [LINE]: makes NAME.pem like FROM.pem, but valid for DAYS, and with LINE added
# to its extensions.
sign() {
  openssl x509 -req -in "$2.csr" -CA ours.pem -CAkey ours.key -days "$3" -extfile <(cat "$2.ext" && echo "${4-}") \
    -out "$1.pem" 2>/dev/null
}

# begin_etcd_with CERTIFICATE: runs an etcd with this certificate, which requires certificates of
# clients.
begin_etcd_with() {
  etcd --name tls --data-dir "$etcd_data/$1" "${etcd_patience[@]}" \
    --listen-client-urls "https://127.0.0.1:${etcd_ports[0]}" \
    --advertise-client-urls "https://localhost:${etcd_ports[0]}" \
    --cert-file "$1" --key-file server.key --client-cert-auth --trusted-ca-file ours.pem \
    --listen-peer-urls "http://127.0.0.1:${etcd_peers[0]}" \
    --initial-advertise-peer-urls "http://127.0.0.1:${etcd_peers[0]}" \
    --initial-cluster "tls=http://127.0.0.1:${etcd_peers[0]}"
}

# start_tls CERTIFICATE: starts that etcd; sets place and endpoints.
start_tls() {
  choose_ports 1
  start_server "${etcd_ports[0]}" begin_etcd_with "$1"
  place=etcds://localhost:${etcd_ports[0]}
  endpoints=https://localhost:${etcd_ports[0]}
  until_true is_healthy || skip_all "etcd does not come up: $(tail -n 1 server.log)"
}
export ETCDCTL_CACERT=ours.pem ETCDCTL_CERT=node.pem ETCDCTL_KEY=node.key

# meet RUN [PARAMETERS]: runs two nodes that meet in this etcd.
ca=ours.pem
join_s=1000
meet() {
  run "$satin" run --insecure --registry "$place/$1" --registry-with "ca-file=$ca,join-timeout=${join_s}s${2:+,$2}" -n 2 fib 20
  cat out err >>told
}

met() { is_status 0 && says out "$fib_result"; }

# is_refused STATUS PATTERN: the run had no result, ended with STATUS, and said PATTERN.
is_refused() { is_status "$1" && ! grep -qF "$fib_result" out && grep -q -- "$2" err; }

start_tls server.pem

# ---- nodes that are accepted or refused ----

meet one cert-file=node.pem,key-file=node.key
check "a node whose certificate etcd's authority vouches for is let in" met
cat node.pem node.key >both.pem
chmod 600 both.pem
meet two cert-file=both.pem,key-file=both.pem
check "one file may have certificate and key" met
meet none
check "a node without is told to give one" is_refused $status_secret "localhost:.* wants a certificate of this node: give cert-file and key-file"
meet stranger cert-file=stranger.pem,key-file=stranger.key
check "one of another authority is refused, with the name of its file" \
  is_refused $status_secret "refuses the certificate in stranger.pem: give one, in cert-file"
sign old node -1
meet old cert-file=old.pem,key-file=node.key
check "so is one that is over" is_refused $status_secret "refuses the certificate in old.pem: .*valid now"
sign serving node 2 extendedKeyUsage=serverAuth
meet serving cert-file=serving.pem,key-file=node.key
check "and one that is not for clients" is_refused $status_secret "refuses the certificate in serving.pem: "

# ---- files that are wrong ----

meet other-key cert-file=node.pem,key-file=stranger.key
check "the key of another certificate is refused" is_refused $status_secret "stranger.key.*: cert-file and key-file must be"
meet no-key cert-file=node.pem
check "a certificate without its key is refused" is_refused 2 "cert-file=node.pem: give its key"
meet no-certificate key-file=node.key
check "so is a key without its certificate" is_refused 2 "key-file=node.key: give its certificate"
meet missing cert-file=none.pem,key-file=node.key
check "one that is not there is refused" is_refused 2 "cert-file=none.pem: there is no such file"
meet text cert-file=server.log,key-file=node.key
check "so is one that is none" is_refused $status_secret "server.log.*: cert-file and key-file must be .* in PEM"
cp node.key open.key
chmod 644 open.key
meet open cert-file=node.pem,key-file=open.key
check "a key that others may read is refused" is_refused 2 "key-file=open.key: others may use the file open.key"
ca=server.log meet authority cert-file=node.pem,key-file=node.key
check "authorities that are none are refused" is_refused $status_secret "server.log.*: ca-file must have certificates in PEM"
run "$satin" run --insecure --registry "etcd://127.0.0.1:${etcd_ports[0]}/clear" --registry-with cert-file=node.pem,key-file=node.key -n 2 fib 20
check "without TLS there are no certificates" is_refused 2 "cert-file=node.pem: certificates are for TLS: write etcds://"
openssl rsa -in node.key -aes128 -passout pass:sesame -out locked.key 2>/dev/null
chmod 600 locked.key
at_terminal sesame "pass phrase" "$satin" run --insecure --registry "$place/locked" --registry-with ca-file=ours.pem,cert-file=node.pem,key-file=locked.key -n 2 fib 20
cat out >>told
not_asked() { is_status $status_secret && ! grep -q "pass phrase" out && grep -q "without a passphrase" out; }
check "nobody is asked for the passphrase of a key, which is refused" not_asked

# ---- users ----

echo "open sesame" >password
chmod 600 password
ctl user add "root:open sesame" >/dev/null
ctl user grant-role root root >/dev/null
ctl auth enable >/dev/null
meet named "cert-file=node.pem,key-file=node.key,user=root,password-file=password"
check "where etcd has users a certificate with a name is refused" is_refused $status_secret "takes no certificate with a Common Name"
meet nameless "cert-file=nameless.pem,key-file=nameless.key,user=root,password-file=password"
check "one without is let in with a password" met
meet nobody "cert-file=nameless.pem,key-file=nameless.key"
check "but not without" is_refused $status_secret "parameters user and password-file"
untold() {
  sed -n 2p node.key >secrets
  sed -n 2p nameless.key >>secrets
  echo sesame >>secrets
  ! grep -qFf secrets told
}
check "neither a key nor a password is told" untold
kill_server

# ---- etcd's own certificate ----

sign selfish server 2 extendedKeyUsage=serverAuth
start_tls selfish.pem
join_s=3 meet selfish cert-file=node.pem,key-file=node.key
told_why() { is_refused $status_unreachable "its JSON gateway needs clientAuth in extendedKeyUsage"; }
check "an etcd whose own certificate is not for clients lets nobody in, and why is told" told_why

check "no node is left" no_nodes
finish
