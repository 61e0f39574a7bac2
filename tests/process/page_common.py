# page_common.py - cases, runs and a browser, for the tests of the page
#
# The environment has SATIN_TEST_COMMAND (the command satin), SATIN_APP_PATH and SATIN_PLUGIN_PATH.
# Importing this makes a folder for the test and goes there. run_cases() removes it at the end, and
# ends all processes that start() began.
#
# SPDX-License-Identifier: Apache-2.0
import base64
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

SATIN = os.environ['SATIN_TEST_COMMAND']
PATIENCE_S = 60
folder = tempfile.mkdtemp(prefix='satin-test-')
os.mkdir(folder + '/run', 0o700)
os.environ['XDG_RUNTIME_DIR'] = folder + '/run'
os.environ['XDG_STATE_HOME'] = folder + '/state'
os.chdir(folder)
children = []
n_cases = 0


def check(name, is_right, *notes):
    global n_cases
    n_cases += 1
    print(f'{"ok" if is_right else "not ok"} {n_cases} {name}', flush=True)
    if not is_right:
        for note in notes:
            for line in str(note).splitlines()[:20]:
                print('#', line)


def skip(name, why):
    global n_cases
    n_cases += 1
    print(f'ok {n_cases} {name} # SKIP {why}', flush=True)


def until(condition):
    """Repeats condition until it is true. Returns its value, or the last one when time is up."""
    end = time.monotonic() + PATIENCE_S
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.1)


def start(*command, out):
    with open(out, 'w', encoding='utf-8') as file:
        child = subprocess.Popen(command, stdout=file, stderr=file, stdin=subprocess.DEVNULL)
    children.append(child)
    return child


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def find_url(path):
    """Waits for the address that the command prints."""
    found = until(lambda: re.search(r'http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/', read(path)))
    return found.group(0), int(found.group(1)), found.group(2)


def ask(port, path, method='GET', headers=None):
    """Sends a request. Returns the status, the headers and the body."""
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=20)
    connection.request(method, path, headers=headers or {})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, body


def read_message(port, path, headers=None):
    """Reads the first message of a stream of events. Returns its fields."""
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=20)
    connection.request('GET', path, headers=headers or {})
    answer = connection.getresponse()
    fields = {}
    while 'data' not in fields:
        line = answer.readline().decode().rstrip('\n')
        if ': ' in line and not line.startswith(':'):
            key, value = line.split(': ', 1)
            fields[key] = value
    connection.close()
    return fields


def sum_metric(text, name):
    return sum(float(line.rsplit(' ', 1)[1]) for line in text.splitlines()
               if line.startswith(name + '{'))


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


# ---- Chromium ----

def has_browser():
    return shutil.which('chromedriver') and shutil.which('chromium')


class Browser:
    """Chromium, by WebDriver."""

    def __init__(self):
        port = free_port()
        self.driver = start('chromedriver', f'--port={port}', out='chromedriver.out')
        self.base = f'http://127.0.0.1:{port}'
        until(self.is_ready)
        options = {'args': ['--headless=new', '--no-sandbox', '--disable-gpu',
                            '--disable-dev-shm-usage', '--window-size=1200,1000',
                            f'--user-data-dir={folder}/chromium']}
        wanted = {'alwaysMatch': {'goog:chromeOptions': options,
                                  'goog:loggingPrefs': {'browser': 'ALL'}}}
        answer = self.call('POST', '/session', {'capabilities': wanted})
        self.base += '/session/' + answer['sessionId']

    def is_ready(self):
        try:
            return self.call('GET', '/status')['ready']
        except OSError:
            return False

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.base + path, data=data, method=method,
                                         headers={'Content-Type': 'application/json'})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)['value']

    def run(self, script):
        return self.call('POST', '/execute/sync', {'script': script, 'args': []})

    def open(self, url):
        self.call('POST', '/url', {'url': url})

    def tile(self, name):
        return self.run('return [...document.querySelectorAll("#tiles div")].find('
                        f'd => d.querySelector("dt").textContent === "{name}")'
                        '?.querySelector("dd").textContent ?? ""')

    def say(self):
        return self.run('return document.getElementById("live-text").textContent')

    def column(self, index):
        return self.run('return [...document.querySelectorAll("#nodes tbody tr")].map('
                        f'r => r.cells[{index}].textContent)')

    def click_head(self, index):
        self.run(f'document.querySelectorAll("#nodes th button")[{index}].click()')

    def shoot(self, path):
        png = base64.b64decode(self.call('GET', '/screenshot'))
        with open(path, 'wb') as file:
            file.write(png)
        return len(png)

    def close(self):
        try:
            self.call('DELETE', '')
        except OSError:
            pass
        self.driver.terminate()
        self.driver.wait()


def run_cases(cases):
    """Calls cases(), prints the plan of TAP, and cleans up."""
    try:
        cases()
        print(f'1..{n_cases}', flush=True)
    finally:
        for child in children:
            if child.poll() is None:
                child.kill()
                child.wait()
        os.chdir('/')
        shutil.rmtree(folder, ignore_errors=True)
