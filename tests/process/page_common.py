# page_common.py - cases, runs and a browser, for the tests of the page
#
# The environment has SATIN_TEST_COMMAND (the command satin), SATIN_APP_PATH and SATIN_PLUGIN_PATH.
# Importing this makes a folder for the test and goes there. run_cases() removes it at the end, and
# ends all processes that start() began.
#
# SPDX-License-Identifier: Apache-2.0
import base64
import collections
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
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
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)['value']
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)['value']['message']) from None

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

    def heads(self):
        return self.run('return [...document.querySelectorAll("#nodes th")].map(h => h.textContent)')

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


# ---- what the page, the metrics and satin top say, against --stats-json ----

def count_text(value):
    """Writes a number as the page does."""
    power = 0
    while value >= 999.5 and power < 5:
        value /= 1000
        power += 1
    digits = 0 if power == 0 or value >= 99.95 else 1
    return f'{value:.{digits}f}' + ['', ' k', ' M', ' G', ' T', ' P'][power]


def metric_name(figure):
    is_time = figure.endswith('-us')
    return 'satin_' + re.sub('[^a-z0-9]', '_', figure.removesuffix('-us')) + '_seconds' * is_time


def differing_metrics(text, stats):
    """Returns the figures whose sum in the metrics differs from --stats-json. Figures with
    ".within-" and those of "steals-from." are not compared."""
    wrong = []
    for figure, total in stats['totals'].items():
        if '.within-' in figure or figure.startswith('steals-from.'):
            continue
        name = metric_name(figure)
        value = sum_metric(text, name) or sum_metric(text, name + '_total')
        if figure.endswith('-us'):
            value = round(value * 1e6)
        if value != total:
            wrong.append((figure, value, total))
    return wrong


def differing_tiles(browser, stats):
    """Returns what the page of a run that is over shows, where it differs from --stats-json."""
    totals, wrong = stats['totals'], []
    died = sum(node['state'] == 'died' for node in stats['nodes'])
    expected = {'jobs': count_text(totals['jobs']), 'nodes': str(len(stats['nodes'])),
                'nodes lost': str(died),
                'steals between nodes': count_text(totals['steals.remote'])}
    until(lambda: all(browser.tile(name) == text for name, text in expected.items()))
    for name, text in expected.items():
        if browser.tile(name) != text:
            wrong.append((name, browser.tile(name), text))
    rows = browser.run('return [...document.querySelectorAll("#figures tr")].map('
                       'r => [r.cells[0].textContent, r.cells[1].textContent])')
    for figure, text in rows:
        if not figure.endswith('-us') and int(re.sub('[^0-9]', '', text)) != totals[figure]:
            wrong.append((figure, text, totals[figure]))
    return wrong if rows else ['no figures']


def differing_losses(browser, stats):
    """Returns what the section Losses shows, where it differs from --stats-json."""
    totals, died = stats['totals'], sorted(node['node'] for node in stats['nodes']
                                           if node['state'] == 'died')
    rows = browser.run('return [...document.querySelectorAll("#losses tbody tr")].map('
                       '(r) => [...r.cells].map((c) => c.textContent))')
    costs = browser.run('return [...document.querySelectorAll("#costs dd")].map((d) => d.textContent)')
    expected = [count_text(totals.get(name, 0)) for name in
                ('recovery.restarted', 'ft.found', 'recovery.orphans', 'recovery.adopted')]
    wrong = []
    if sorted(int(row[1].split(',')[0]) for row in rows) != died:
        wrong.append((rows, died))
    if any(row[4] in ('', '–') for row in rows):
        wrong.append(('how it was found is missing', rows))
    if died and costs[:4] != expected:
        wrong.append((costs, expected))
    return wrong


def differing_steals(browser, stats):
    """Returns the cells of the matrix of steals that differ from --stats-json."""
    counts = collections.Counter()
    for node in stats['nodes']:
        for figure, value in node['figures'].items():
            parts = re.fullmatch(r'steals-from\.(.*)\.(tried|won)', figure)
            if parts:
                counts[node['cluster'], parts[1], parts[2]] += value
    pairs = sorted({pair[:2] for pair in counts})
    expected = sorted([thief or '–', victim or '–',
                       f'{count_text(counts[thief, victim, "won"])} of '
                       f'{count_text(counts[thief, victim, "tried"])}'] for thief, victim in pairs)
    cells = browser.run(
        'const heads = [...document.querySelectorAll("#steals thead th")].map(h => h.textContent);'
        'return [...document.querySelectorAll("#steals tbody tr")].flatMap(r => [...r.cells].map('
        '(c, i) => [r.cells[0].textContent, heads[i], c.firstChild?.textContent ?? ""]).slice(1))')
    shown = sorted(cell for cell in cells if cell[2] != '')
    return [] if shown == expected and expected else [shown, expected]


def check_sums(name, journal, stats_path, browser):
    """Cases: the metrics of a journal, and its page if there is a browser, have the sums of
    --stats-json. Returns: these sums and the metrics"""
    stats = json.loads(read(stats_path))
    page = start(SATIN, 'page', journal, out='sums.out')
    url, port, token = find_url('sums.out')
    metrics = ask(port, f'/{token}/metrics')[2]
    wrong = differing_metrics(metrics, stats)
    check(f'{name}: the metrics have the sums of --stats-json', not wrong, wrong)
    if browser:
        browser.open(url)
        wrong = differing_tiles(browser, stats)
        check(f'{name}: so does the page', not wrong, wrong)
        wrong = differing_losses(browser, stats)
        check(f'{name}: and the section Losses', not wrong, wrong)
        wrong = differing_steals(browser, stats)
        check(f'{name}: and the matrix of steals', not wrong, wrong)
    page.terminate()
    page.wait()
    return stats, metrics


def last_screen(path):
    """Returns the two top lines and the rows of the last screen of satin top -b that shows a
    member."""
    for screen in reversed(re.split(r'^(?=.*master: node)', read(path), flags=re.M)):
        lines = screen.splitlines()
        rows = [line.split() for line in lines[4:] if re.match(r' *[0-9]+[* ] ', line)]
        if rows:
            return lines[0], lines[1], rows
    return '', '', []


def differing_top(path, stats, metrics):
    """Returns where the last screen of satin top disagrees with --stats-json, and about the master
    with the metrics of the journal."""
    head, counts, rows = last_screen(path)
    wrong = []
    died = sum(node['state'] == 'died' for node in stats['nodes'])
    if f' {died} died' not in counts:
        wrong.append((counts, f'{died} died'))
    values = dict(re.findall(r'^(satin_run_(?:master|term)) (\d+)$', metrics, flags=re.M))
    master = f'master: node {values["satin_run_master"]}, term {values["satin_run_term"]}'
    if not head.endswith(master):
        wrong.append((head, master))
    # The screen is older than the end, so nodes may have stolen more since.
    steals = {node['node']: node['figures'].get('steals.remote', 0) for node in stats['nodes']}
    wrong += [(row, steals) for row in rows if int(row[-3]) > steals[int(row[0].rstrip('*'))]]
    return wrong if rows else ['no rows']


def check_top(name, path, stats, metrics):
    wrong = differing_top(path, stats, metrics)
    check(f'{name}: satin top agrees with both', not wrong, wrong)


def run_cases(cases):
    """Calls cases(), prints the plan of TAP, and cleans up."""
    try:
        cases()
        print(f'1..{n_cases}', flush=True)
    finally:
        clean_up()


def clean_up():
    for child in children:
        if child.poll() is None:
            child.kill()
            child.wait()
    os.chdir('/')
    shutil.rmtree(folder, ignore_errors=True)
