# test-command-page.py - the page of a run: its server, its metrics in Prometheus, itself in Chromium
#
# Environment: as for page_common.py, and SATIN_TEST_NODE (test-command-node). Cases that need a
# program which is not installed are skipped.
#
# SPDX-License-Identifier: Apache-2.0
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import time
import urllib.parse
import urllib.request

from page_common import (SATIN, Browser, ask, check, find_url, free_port, has_browser, read,
                         read_message, run_cases, skip, start, sum_metric, until)

NODE = os.environ['SATIN_TEST_NODE']


# ---- the server ----

def kinds(message):
    """Returns the kinds of the events of a message."""
    data = json.loads(message['data'])
    return [data['names'][event[2]] for event in data['events']]


def try_server(port, token):
    status, headers, body = ask(port, f'/{token}/')
    check('the page is there', status == 200 and '<title>Satin' in body, status, body[:200])
    check('it may load nothing from elsewhere',
          "default-src 'none'" in headers.get('Content-Security-Policy', ''), headers)
    check('it names no other host',
          not re.search(r'(src|href)="https?:', body) and 'cdn' not in body, body[:200])
    for name, path in [('without a token', '/'), ('with a wrong one', '/' + '0' * 32 + '/'),
                       ('with half of it', f'/{token[:16]}/')]:
        status, _, body = ask(port, path)
        check(f'{name} there is nothing', status == 403 and 'token' in body, status, body)
    status, _, _ = ask(port, f'/{token}/', headers={'Host': 'example.org'})
    check('a page that calls this host by another name gets nothing', status == 403, status)
    for what in ('metrics', 'events'):
        status, _, _ = ask(port, f'/{token}/{what}', headers={'Origin': 'http://example.org'})
        check(f'the script of another page gets no {what}', status == 403, status)
    status, _, _ = ask(port, f'/{token}/metrics', headers={'Origin': f'http://127.0.0.1:{port}'})
    check('the own page does', status == 200, status)
    status, _, _ = ask(port, f'/{token}/', method='POST')
    check('nothing can be written', status == 405, status)
    status, _, _ = ask(port, f'/{token}/../etc/passwd')
    check('there are no other files', status == 404, status)
    first = read_message(port, f'/{token}/events')
    check('the stream begins with the run', kinds(first)[0] == 'run', first)
    second = read_message(port, f'/{token}/events', headers={'Last-Event-ID': first['id']})
    check('and goes on where the browser was', int(second['id']) > int(first['id'])
          and kinds(second)[0] != 'run', second)


# ---- Prometheus ----

def try_prometheus(port, token):
    name = 'Prometheus reads them'
    _, headers, text = ask(port, f'/{token}/metrics')
    check('the metrics are OpenMetrics', 'openmetrics-text' in headers['Content-Type']
          and text.endswith('# EOF\n') and sum_metric(text, 'satin_jobs_total') > 0, text[:500])
    if not shutil.which('prometheus'):
        skip(name, 'there is no prometheus')
        return
    own = free_port()
    with open('prometheus.yml', 'w', encoding='utf-8') as file:
        file.write(f'scrape_configs:\n- job_name: satin\n  scrape_interval: 1s\n'
                   f'  metrics_path: /{token}/metrics\n'
                   f'  static_configs:\n  - targets: ["127.0.0.1:{port}"]\n')
    server = start('prometheus', '--config.file=prometheus.yml', '--storage.tsdb.path=tsdb',
                   f'--web.listen-address=127.0.0.1:{own}', out='prometheus.out')

    def found():
        query = urllib.parse.urlencode({'query': 'sum(satin_jobs_total)'})
        try:
            with urllib.request.urlopen(f'http://127.0.0.1:{own}/api/v1/query?{query}',
                                        timeout=5) as answer:
                result = json.load(answer)['data']['result']
        except (OSError, ValueError):
            return False
        return result and float(result[0]['value'][1]) > 0
    check(name, until(found), read('prometheus.out')[-1000:])
    server.terminate()
    server.wait()


# ---- Chromium ----

def try_browser(browser, url, run):
    browser.open(url)
    check('the page shows the run', until(lambda: browser.tile('jobs') not in ('', '0')),
          browser.run('return document.body.innerText')[:500])
    check('it follows the run', until(lambda: 'follows the run' in browser.say()), browser.say())
    check('it says how much time is left, as a range', until(lambda: re.fullmatch(
        r'(about |at least )?\d+( to \d+)? (s|min|h)', browser.tile('time left'))),
        browser.tile('done'), browser.tile('time left'))
    check('and the share of time in jobs now', browser.tile('in jobs now').endswith(' %'),
          browser.tile('in jobs now'))
    rates, ages = (browser.column(browser.heads().index(name)) for name in ('jobs/s', 'heard'))
    check('and of each node its jobs per second, and how old its figures are',
          any(rate != '0' for rate in rates) and all(age == '0 ago' or re.fullmatch(
              r'[\d.]+ m?s ago', age) for age in ages), rates, ages)
    before = browser.tile('time')
    check('its figures change', until(lambda: browser.tile('time') != before), before)
    jobs = browser.heads().index('jobs')
    browser.click_head(jobs)
    browser.click_head(jobs)
    order = browser.run(f'return document.querySelectorAll("#nodes th")[{jobs}].ariaSort')
    check('a click sorts', order == 'descending' and len(browser.column(jobs)) == 3,
          order, browser.column(jobs))
    browser.run('document.getElementById("pause").click()')
    still = browser.tile('time')
    time.sleep(2.5)
    check('a pause holds it', browser.tile('time') == still, still, browser.tile('time'))
    browser.run('document.getElementById("pause").click()')
    check('and it goes on', until(lambda: browser.tile('time') != still), still)
    browser.run('const f = document.getElementById("filter"); f.value = "master"; '
                'f.dispatchEvent(new Event("input"))')
    check('the filter leaves some events', until(lambda: 0 < browser.run(
        'return document.querySelectorAll("#events tr").length') < 4))
    shares = [browser.run(
        'document.getElementById("heat-numbers").open = true; '
        'const select = document.getElementById("heat-state"); '
        f'select.value = "{state}"; select.dispatchEvent(new Event("change")); '
        'return [document.querySelector("#heat .legend li").textContent, '
        '[...document.querySelectorAll("#heat-numbers tbody tr")].map((row) => '
        'parseFloat(row.cells[2].textContent))]') for state in (1, 2, 0)]
    check('the map of the nodes shows each state', [label for label, _ in shares] == [
        'in the protocol', 'idle', 'in jobs'] and all(len(values) == 3 for _, values in shares), shares)
    check('the states are together the whole time', all(
        99 < sum(values) < 101 for values in zip(*(values for _, values in shares))), shares)
    for width in (500, 1200):
        browser.call('POST', '/window/rect', {'width': width, 'height': 1000})
        wide = browser.run('return document.documentElement.scrollWidth - innerWidth')
        check(f'nothing sticks out at {width} pixels', wide <= 0, wide)
    check('it can be drawn', browser.shoot('page.png') > 20000)
    status = subprocess.run([SATIN, 'status', '--json'], capture_output=True, text=True, check=False)
    nodes = json.loads(status.stdout)['nodes']
    os.kill(next(n['pid'] for n in nodes if not n['master']), signal.SIGKILL)
    check('a node that is killed is shown', until(lambda: browser.tile('nodes lost') == '1'),
          browser.tile('nodes lost'))
    losses = ('return [...document.querySelectorAll("#losses tbody tr")].map('
              '(r) => [...r.cells].map((c) => c.textContent))')
    check('its row says how it was found', until(
        lambda: any('was killed by signal 9' in row[4] for row in browser.run(losses))),
        browser.run(losses))
    check('with the message at the top', until(lambda: 'was killed by signal 9' in browser.run(
        'return document.getElementById("note").innerText')))
    check('which counts as a warning', browser.tile('warnings') == '1' and ', a warning: ' in browser.run(
        'return document.getElementById("note").innerText'), browser.tile('warnings'))
    os.kill(next(n['pid'] for n in nodes if n['master']), signal.SIGKILL)
    check('so is a new master', until(lambda: 'term 2' in browser.tile('master')),
          browser.tile('master'))
    check('and the loss of the old one', until(
        lambda: 'the master' in ([['', '']] + browser.run(losses))[-1][1]), browser.run(losses))
    log = browser.call('POST', '/se/log', {'type': 'browser'})
    check('the browser has no complaint', log == [], log)
    run.send_signal(signal.SIGINT)
    check('the page says that the run is over', until(lambda: 'is over' in browser.say()),
          browser.say())


# ---- the cases ----

def try_end():
    """The last second of a run reaches a browser, and then the word that the run is over. If the
    server cut the stream off, reading it would fail."""
    run = start(SATIN, 'run', '--page', '-n', '1', '-w', '1', 'tree', '--sleep', '--grain', '20ms',
                '2s', out='end.out')
    _, port, token = find_url('end.out')
    try:
        body = ask(port, f'/{token}/events')[2]
    except http.client.HTTPException as failure:
        body = repr(failure)
    check('the stream of a run ends with its end', run.wait() == 0
          and body.endswith('\n\nevent: end\ndata: 0\n\n') and '"exit_status"' in body, body[-300:])


def main():
    refused = subprocess.run([SATIN, 'run', '--page', '--journal', 'none', NODE, 'exit', '0'],
                             capture_output=True, text=True, check=False)
    check('a page needs a journal', refused.returncode == 2 and '--journal' in refused.stderr,
          refused.stderr)
    refused = subprocess.run([SATIN, 'run', '--page=99999', NODE, 'exit', '0'],
                             capture_output=True, text=True, check=False)
    check('a wrong port is refused', refused.returncode == 2 and '99999' in refused.stderr,
          refused.stderr)
    run = start(SATIN, 'run', '--page', '-n', '3', '-w', '1', 'tree', '--sleep', '--grain', '20ms',
                '1000s', out='run.out')
    url, port, token = find_url('run.out')
    taken = subprocess.run([SATIN, 'run', f'--page={port}', NODE, 'exit', '0'],
                           capture_output=True, text=True, check=False)
    check('a port that is taken is named', taken.returncode != 0
          and f'port {port} of 127.0.0.1 is in use' in taken.stderr, taken.stderr)
    try_server(port, token)
    try_prometheus(port, token)
    if has_browser():
        browser = Browser()
        try_browser(browser, url, run)
        browser.close()
    else:
        run.send_signal(signal.SIGINT)
        skip('the page in a browser', 'there is no chromium')
    run.wait()
    try_end()

    done = subprocess.run([SATIN, 'run', '-n', '2', '--stats-json', 'stats.json', 'fib', '25'],
                          capture_output=True, text=True, check=False)
    page = start(SATIN, 'page', 'fib', out='page.out')
    url, port, token = find_url('page.out')
    _, _, text = ask(port, f'/{token}/metrics')
    with open('stats.json', encoding='utf-8') as file:
        totals = json.load(file)['totals']
    figures = totals.get('figures', totals)
    check('a run that is over has the figures of --stats', done.returncode == 0
          and sum_metric(text, 'satin_jobs_total') == figures['jobs']
          and 'satin_run_exit_status 0' in text, text[:800], totals)
    first = read_message(port, f'/{token}/events')
    last = read_message(port, f'/{token}/events?from={first["id"]}')
    check('its stream says that it is over', last.get('event') == 'end', last)
    page.send_signal(signal.SIGINT)
    check('Ctrl-C ends satin page', page.wait() == 0, page.returncode)


run_cases(main)
