#!/usr/bin/python3
# s3-swift.py - an S3 server on loopback: OpenStack Swift with its s3api, in one process
#
#   s3-swift.py FOLDER PORT [conditions] [tls=CERTIFICATE,KEY]
#
# The four servers of Swift (proxy, accounts, containers, objects) run in this process, so that one
# signal ends or stops all of them. Their files are in FOLDER. The file system must have extended
# attributes. The owner's key and secret are in the environment: AWS_ACCESS_KEY_ID and
# AWS_SECRET_ACCESS_KEY. Another user, satin:stranger with the secret of-the-stranger, may do
# nothing. The only bucket is called "bucket".
#
# Swift refuses conditions on PUT. With "conditions" it has them, as Amazon's servers do: a filter
# before Swift compares ETags. It lets one writer with a condition in at a time.
#
# SPDX-License-Identifier: Apache-2.0
import eventlet

eventlet.monkey_patch()

import os
import sys

import eventlet.semaphore
import eventlet.wsgi
from paste.deploy import loadapp
from swift.account.server import AccountController
from swift.common import utils
from swift.common.middleware.s3api.s3request import S3Request
from swift.common.ring import RingBuilder
from swift.common.storage_policy import reload_storage_policies
from swift.common.swob import Request, Response
from swift.container.server import ContainerController
from swift.obj.server import ObjectController

PROXY = """
[DEFAULT]
swift_dir = {folder}/etc
[pipeline:main]
pipeline = catch_errors cache s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
object_post_as_copy = false
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
allow_no_owner = true
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret} .admin
user_{account}_stranger = of-the-stranger
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
"""
POLICY = '[storage-policy:0]\nname = only\ndefault = yes\n[swift-hash]\nswift_hash_path_suffix = satin\n'


def listen(port=0):
    return eventlet.listen(('127.0.0.1', port))


def serve(socket, app):
    eventlet.spawn(eventlet.wsgi.server, socket, app, log_output=False)


def make_ring(folder, name, port):
    """Makes a ring with one device, in the folder "files"."""
    builder = RingBuilder(2, 1, 0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'ip': '127.0.0.1', 'port': port,
                     'device': 'files', 'meta': ''})
    builder.rebalance()
    builder.get_ring().save(f'{folder}/etc/{name}.ring.gz')


def serve_backends(folder):
    conf = {'devices': folder, 'swift_dir': f'{folder}/etc', 'mount_check': 'false', 'workers': '0',
            'log_level': 'ERROR'}
    for name, controller in (('account', AccountController), ('container', ContainerController),
                             ('object', ObjectController)):
        socket = listen()
        make_ring(folder, name, socket.getsockname()[1])
        serve(socket, controller(conf))


def send(app, method, path):
    """Sends a request of the owner, as it is after authentication."""
    request = Request.blank(path, method=method, headers={'Content-Length': '0'})
    request.environ['swift.authorize_override'] = True
    request.environ['swift.authorize'] = lambda request: None
    return request.get_response(app)


def make_bucket(app, account):
    for path in (f'/v1/AUTH_{account}', f'/v1/AUTH_{account}/bucket'):
        status = send(app, 'PUT', path).status_int
        assert status // 100 == 2, f'{path}: {status}'


NAMES = ('HTTP_IF_MATCH', 'HTTP_IF_NONE_MATCH')


def allow_conditions():
    """Hides the headers of conditions where the s3api would refuse them, and those of PUT and POST
    from Swift. The s3api still sees them when it checks the signature."""
    validate, convert = S3Request._validate_headers, S3Request.to_swift_req

    def validate_others(self):
        values = {name: self.environ.pop(name) for name in NAMES if name in self.environ}
        validate(self)
        self.environ.update(values)

    def convert_others(self, *arguments, **named):
        request = convert(self, *arguments, **named)
        if self.environ['REQUEST_METHOD'] in ('PUT', 'POST'):
            for name in NAMES:
                request.environ.pop(name, None)
        return request

    S3Request._validate_headers, S3Request.to_swift_req = validate_others, convert_others


class Conditions:
    """Lets requests that write with a condition pass one at a time, if the condition holds."""

    def __init__(self, app, account):
        self.app, self.account = app, account
        self.lock = eventlet.semaphore.Semaphore()

    def holds(self, environ):
        found = send(self.app, 'HEAD', f'/v1/AUTH_{self.account}{environ["PATH_INFO"]}')
        if 'HTTP_IF_NONE_MATCH' in environ:
            return found.status_int == 404
        etag = found.headers.get('X-Object-Sysmeta-S3Api-Etag') or found.headers.get('Etag', '')
        return found.status_int == 200 and environ['HTTP_IF_MATCH'].strip('"') == etag.strip('"')

    def __call__(self, environ, start_response):
        has_condition = any(name in environ for name in NAMES)
        if environ['REQUEST_METHOD'] not in ('PUT', 'POST') or not has_condition:
            return self.app(environ, start_response)
        with self.lock:
            if self.holds(environ):
                return list(self.app(environ, start_response))
            environ['wsgi.input'].read()
            body = b'<?xml version="1.0"?><Error><Code>PreconditionFailed</Code></Error>'
            return Response(status=412, body=body)(environ, start_response)


def main():
    folder, port = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    account, user = os.environ['AWS_ACCESS_KEY_ID'].split(':')
    os.makedirs(f'{folder}/etc', exist_ok=True)
    os.makedirs(f'{folder}/files', exist_ok=True)
    with open(f'{folder}/etc/swift.conf', 'w') as out:
        out.write(POLICY)
    with open(f'{folder}/etc/proxy.conf', 'w') as out:
        out.write(PROXY.format(folder=folder, account=account, user=user,
                               secret=os.environ['AWS_SECRET_ACCESS_KEY']))
    utils.SWIFT_CONF_FILE = f'{folder}/etc/swift.conf'
    utils.validate_hash_conf()
    reload_storage_policies()
    serve_backends(folder)
    app = loadapp(f'config:{folder}/etc/proxy.conf')
    make_bucket(app, account)
    if 'conditions' in sys.argv[3:]:
        allow_conditions()
        app = Conditions(app, account)
    socket = listen(port)
    for argument in sys.argv[3:]:
        if argument.startswith('tls='):
            certificate, key = argument.removeprefix('tls=').split(',')
            socket = eventlet.wrap_ssl(socket, certfile=certificate, keyfile=key, server_side=True)
    eventlet.wsgi.server(socket, app, log_output=False)


main()
