#!/usr/bin/env python3
# notice-metadata.py - a metadata server on loopback, as machines of EC2, GCP and Azure have it
#
#   notice-metadata.py CLOUD FOLDER
#
# Writes its port into FOLDER/port. Each connection is a machine: a node keeps its connection. The
# server reads these files at each request:
#
#   FOLDER/budget   how many machines get a notice in all; the answer to the others is: no notice
#   FOLDER/spared   how many connections, the first ones, get no notice; without this file 1
#   FOLDER/left     seconds from the answer until a machine with a notice is taken away
#   FOLDER/mode     quiet, or a fault: 500, hang, huge, bad (no JSON), expired (EC2: each token is
#                   good for one question), reject (no token is good); rebalance: EC2's notices are
#                   only recommendations
#
# FOLDER/given gets a line for each machine that gets a notice, FOLDER/asked a line for each
# request. This server refuses what a cloud's server refuses: a missing header, a forwarded request,
# another method.
#
# SPDX-License-Identifier: Apache-2.0
import datetime
import email.utils
import http.server
import json
import os
import sys
import threading
import time
import urllib.parse

cloud, folder = sys.argv[1], sys.argv[2]
lock = threading.Lock()
tokens = set()
n_given = 0
n_connections = 0
MACHINE = 'machine-of-the-test'


def read(name, fallback):
    try:
        with open(f'{folder}/{name}') as file:
            return file.read().strip() or fallback
    except FileNotFoundError:
        return fallback


def note(name, line):
    with lock, open(f'{folder}/{name}', 'a') as file:
        file.write(line + '\n')


def take_notice():
    """Counts one more machine with a notice. Returns: whether the budget allowed it"""
    global n_given
    with lock:
        if n_given >= int(read('budget', '0')):
            return False
        n_given += 1
    note('given', f'{time.time():.3f}')
    return True


def when():
    return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=float(read('left', '120')))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    is_noticed = False

    def setup(self):
        global n_connections
        super().setup()
        with lock:
            n_connections += 1
            self.number = n_connections

    def log_message(self, *_):
        """Nothing."""

    def answer(self, status, text=''):
        self.send_response(status)
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def is_faulty(self):
        """Answers with the fault that the test wants, if it wants one."""
        note('asked', f'{self.command} {self.path}')
        mode = read('mode', 'quiet')
        if mode == 'hang':
            time.sleep(30)
        if mode == '500':
            self.answer(500, 'trouble')
        elif mode == 'huge':
            self.answer(200, 'x' * (1 << 20))
        elif mode == 'bad' and self.command == 'GET':
            self.answer(200, '{"action": ["terminate", {')
        elif self.headers.get('X-Forwarded-For'):
            self.answer(403)
        else:
            return mode == 'hang'
        return True

    def has_notice(self):
        if not self.is_noticed and self.number > int(read('spared', '1')):
            self.is_noticed = take_notice()
        return self.is_noticed

    # ---- EC2 ----

    def do_PUT(self):
        if self.is_faulty():
            return
        seconds = self.headers.get('X-aws-ec2-metadata-token-ttl-seconds', '')
        if cloud != 'ec2' or self.path != '/latest/api/token' or not seconds.isdigit() or not 1 <= int(seconds) <= 21600:
            self.answer(405 if cloud != 'ec2' else 400)
            return
        with lock:
            token = f'token-{len(tokens)}=='
            tokens.add(token)
        self.answer(200, token)

    def is_token_good(self):
        token, mode = self.headers.get('X-aws-ec2-metadata-token'), read('mode', 'quiet')
        with lock:
            is_good = token in tokens and mode != 'reject'
            if is_good and mode == 'expired':
                tokens.remove(token)
                tokens.add('used ' + token)
        return is_good

    def get_ec2(self, path, _):
        if not self.is_token_good():
            self.answer(401)
        elif path == '/latest/meta-data/spot/instance-action' and read('mode', '') != 'rebalance' and self.has_notice():
            self.answer(200, json.dumps({'action': 'terminate', 'time': when().strftime('%Y-%m-%dT%H:%M:%SZ')}))
        elif path == '/latest/meta-data/events/recommendations/rebalance' and self.has_notice():
            self.answer(200, json.dumps({'noticeTime': when().strftime('%Y-%m-%dT%H:%M:%SZ')}))
        else:
            self.answer(404, '<html><title>404 - Not Found</title></html>')

    # ---- GCP ----

    def get_gcp(self, path, query):
        if self.headers.get('Metadata-Flavor') != 'Google':
            self.answer(403)
        elif path == '/computeMetadata/v1/instance/maintenance-event':
            self.answer(200, 'NONE')
        elif path != '/computeMetadata/v1/instance/preempted':
            self.answer(404)
        else:
            until = time.time() + float(query.get('timeout_sec', ['0'])[0])
            while 'wait_for_change' in query and not self.has_notice() and time.time() < until:
                time.sleep(0.05)
            self.answer(200, 'TRUE' if self.has_notice() else 'FALSE')

    # ---- Azure ----

    def get_azure(self, path, query):
        if self.headers.get('Metadata') != 'true' or 'api-version' not in query:
            self.answer(400)
        elif path == '/metadata/instance/compute/name':
            self.answer(200, MACHINE)
        elif path != '/metadata/scheduledevents':
            self.answer(404)
        else:
            names = [MACHINE.upper() if self.has_notice() else 'another']
            event = {'EventId': 'e', 'EventType': 'Preempt', 'ResourceType': 'VirtualMachine', 'Resources': names,
                     'EventStatus': 'Scheduled', 'NotBefore': email.utils.format_datetime(when(), usegmt=True),
                     'DurationInSeconds': -1}
            self.answer(200, json.dumps({'DocumentIncarnation': 1, 'Events': [event]}))

    def do_GET(self):
        if self.is_faulty():
            return
        url = urllib.parse.urlsplit(self.path)
        get = {'ec2': self.get_ec2, 'gcp': self.get_gcp, 'azure': self.get_azure}[cloud]
        get(url.path, urllib.parse.parse_qs(url.query))


server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
with open(f'{folder}/port.new', 'w') as file:
    file.write(str(server.server_port))
os.rename(f'{folder}/port.new', f'{folder}/port')
server.serve_forever()
