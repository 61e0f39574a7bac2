#!/usr/bin/env python3
# s3-metadata.py - a metadata service on loopback, as a machine in Amazon's cloud has it (IMDSv2)
#
#   s3-metadata.py PORT FOLDER
#
# It gives the key in its own environment, with the session token in FOLDER/token. The token expires
# after as many seconds as FOLDER/lifetime says. FOLDER/given gets a line each time.
#
# SPDX-License-Identifier: Apache-2.0
import datetime
import http.server
import json
import os
import sys

PATH = '/latest/meta-data/iam/security-credentials/'


def read(name):
    with open(f'{sys.argv[2]}/{name}') as file:
        return file.read().strip()


def make_credentials():
    token, expires = read('token'), datetime.datetime.utcnow() + datetime.timedelta(seconds=int(read('lifetime')))
    with open(f'{sys.argv[2]}/given', 'a') as file:
        file.write(token + '\n')
    return json.dumps({'Code': 'Success', 'AccessKeyId': os.environ['AWS_ACCESS_KEY_ID'],
                       'SecretAccessKey': os.environ['AWS_SECRET_ACCESS_KEY'], 'Token': token,
                       'Expiration': expires.strftime('%Y-%m-%dT%H:%M:%SZ')})


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        """Nothing."""

    def answer(self, status, text=''):
        self.send_response(status)
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_PUT(self):
        is_good = self.path == '/latest/api/token' and self.headers.get('X-aws-ec2-metadata-token-ttl-seconds')
        self.answer(200 if is_good else 400, 'session-of-the-test')

    def do_GET(self):
        if self.headers.get('X-aws-ec2-metadata-token') != 'session-of-the-test':
            self.answer(401)
        elif self.path == PATH:
            self.answer(200, 'role-of-the-test')
        elif self.path == PATH + 'role-of-the-test':
            self.answer(200, make_credentials())
        else:
            self.answer(404)


http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
