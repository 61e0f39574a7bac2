#!/usr/bin/env python3
# s3-proxy.py - stands before an S3 server and lets requests fail
#
#   s3-proxy.py PORT SERVER-PORT FOLDER
#
# FOLDER/faults has a line for each fault: COUNT PATTERN ACTION. The next COUNT requests whose
# "METHOD PATH" matches PATTERN, a regular expression, fail:
#
#   CODE:NAME   the answer has the status CODE and is the error NAME; the server does not see the
#               request
#   cut         the connection breaks, and the server does not see the request
#   lost        the server does what was asked, and the connection breaks before the answer
#   stall       there is no answer for a minute, then the connection breaks
#   old-token   the answer is ExpiredToken if the request's session token begins with "old"
#
# FOLDER/requests gets a line for each request: METHOD PATH, and the status or the action. A request
# that stalls gets a second line at its end.
#
# SPDX-License-Identifier: Apache-2.0
import http.client
import http.server
import re
import sys
import threading
import time

lock = threading.Lock()


class Cut(Exception):
    """The connection is to break."""


def take_fault(folder, request):
    """Returns the action for the request, or None."""
    with lock:
        try:
            with open(f'{folder}/faults') as file:
                lines = [line.split() for line in file]
        except FileNotFoundError:
            return None
        for line in lines:
            if int(line[0]) > 0 and re.search(line[1], request):
                line[0] = str(int(line[0]) - 1)
                with open(f'{folder}/faults', 'w') as file:
                    file.writelines(' '.join(each) + '\n' for each in lines)
                return line[2]
    return None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        """Nothing: requests are noted in a file."""

    def note(self, what):
        with lock, open(f'{sys.argv[3]}/requests', 'a') as file:
            file.write(f'{self.command} {self.path} {what}\n')

    def answer(self, status, headers, body):
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(body)

    def refuse(self, action):
        code, name = action.split(':')
        body = f'<?xml version="1.0"?><Error><Code>{name}</Code><Message>as the test wants</Message></Error>'
        self.answer(int(code), [('Content-Length', str(len(body)))], body.encode())

    def forward(self, body):
        server = http.client.HTTPConnection('127.0.0.1', int(sys.argv[2]), timeout=60)
        server.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            server.putheader(name, value)
        server.endheaders(body)
        found = server.getresponse()
        content = found.read()
        headers = [(name, value) for name, value in found.getheaders()
                   if name.lower() not in ('transfer-encoding', 'connection')]
        if found.getheader('Content-Length') is None:
            headers.append(('Content-Length', str(len(content))))
        server.close()
        return found.status, headers, content

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
        action = take_fault(sys.argv[3], f'{self.command} {self.path}')
        if action == 'old-token':
            is_old = self.headers.get('x-amz-security-token', '').startswith('old')
            action = '400:ExpiredToken' if is_old else None
        if action == 'stall':
            self.note(action)
            time.sleep(60)
        if action in ('cut', 'stall'):
            self.note(action)
            raise Cut
        if action is not None and action != 'lost':
            self.note(action)
            self.refuse(action)
            return
        status, headers, content = self.forward(body)
        self.note(action or status)
        if action == 'lost':
            raise Cut
        self.answer(status, headers, content)

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except (Cut, ConnectionError):
            self.close_connection = True

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_any


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


Server(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
