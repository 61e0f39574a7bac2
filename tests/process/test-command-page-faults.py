# test-command-page-faults.py - the page and satin top: lost masters, lost hubs, stopped runs
#
# In the end they must agree with --stats-json. Environment: as for page_common.py. Without Chromium
# only the metrics are compared.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import signal
import subprocess

from page_common import (SATIN, Browser, check, check_sums, check_top, find_url, folder,
                         has_browser, last_screen, read, run_cases, start, until)

JOBS = ['tree', '--sleep', '--grain', '20ms']


def members(*options):
    """Returns the members of the run that satin status finds."""
    done = subprocess.run([SATIN, 'status', '--json', *options], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        return []
    return [n for n in json.loads(done.stdout)['nodes'] if n['state'] == 'member']


def are_up(n, *options):
    now = members(*options)
    return len(now) == n and any(node['master'] for node in now) and now


def watch(hub=()):
    return start(SATIN, 'top', '-b', '-d', '300ms', *hub, out='top.out')


def try_master(browser):
    name = 'a lost master'
    run = start(SATIN, 'run', '--page', '-n', '3', '-w', '1', '--stats-json', 'master.json',
                '--journal', 'master', *JOBS, '24s', out='run.out')
    url, _, _ = find_url('run.out')
    if browser:
        browser.open(url)
    nodes = until(lambda: are_up(3))
    top = watch()
    until(lambda: len(last_screen('top.out')[2]) == 3)
    os.kill(next(node['pid'] for node in nodes if node['master']), signal.SIGKILL)
    check(f'{name}: satin top says the term', until(lambda: ' term 2' in last_screen('top.out')[0]),
          read('top.out')[-500:])
    if browser:
        check(f'{name}: the page says it, too', until(
            lambda: 'term 2' in browser.tile('master') and browser.tile('nodes lost') == '1'),
            browser.tile('master'))
    check(f'{name}: the run ends well', run.wait(timeout=60) == 0, read('run.out'))
    stats, metrics = check_sums(name, 'master', 'master.json', browser)
    check(f'{name}: satin top ends with the run', top.wait(timeout=30) == 0
          and 'the run is over' in read('top.out'), read('top.out')[-300:])
    check_top(name, 'top.out', stats, metrics)


def start_hub(out, journal):
    return start(SATIN, 'hub', '--listen', f'unix:{folder}/hub', '--nodes', '3', '--stats-json',
                 'hub.json', '--journal', journal, out=out)


def try_hub(browser):
    name = 'a hub that is started again'
    uri = ['--hub', f'unix:{folder}/hub']
    hub = start_hub('hub1.out', 'first')
    until(lambda: 'unix:' in read('hub1.out'))
    nodes = [start(SATIN, 'node', *uri, '-w', '1', *JOBS, '42s', out=f'node{i}.out')
             for i in range(3)]
    until(lambda: are_up(3, *uri))
    top = watch(uri)
    start(SATIN, 'page', 'first', out='page.out')
    if browser:
        browser.open(find_url('page.out')[0])
        until(lambda: browser.tile('jobs') not in ('', '0'))
    hub.kill()
    hub.wait()
    until(lambda: 'does not answer' in read('top.out'))
    before = len(read('top.out'))
    again = start_hub('hub2.out', 'second')
    check(f'{name}: satin top goes on with the run', until(
        lambda: len(last_screen('top.out')[2]) == 3 and len(read('top.out')) > before + 500),
        read('top.out')[-500:])
    if browser:
        check(f'{name}: the page of the lost hub says that there is no news',
              until(lambda: 'no news' in browser.say()), browser.say())
        check(f'{name}: and does not call the run ended', browser.tile('state') == 'running',
              browser.tile('state'))
    check(f'{name}: the run ends well', again.wait(timeout=60) == 0, read('hub2.out'))
    for node in nodes:
        node.wait(timeout=30)
    stats, metrics = check_sums(name, 'second', 'hub.json', browser)
    top.wait(timeout=60)
    check_top(name, 'top.out', stats, metrics)


def try_stop(browser):
    name = 'a stopped run'
    command = [SATIN, 'run', '-n', '2', '-w', '1', '--checkpoint', f'file:{folder}/checkpoint',
               '--checkpoint-every', '200ms']
    run = start(*command, '--page', '--stats-json', 'stop.json', '--journal', 'stopped', *JOBS, '5s',
                out='stop.out')
    find_url('stop.out')
    nodes = until(lambda: are_up(2))
    until(lambda: sum(n['figures'].get('checkpoint.results', 0) for n in members()) > 5)
    run.send_signal(signal.SIGINT)
    status = run.wait(timeout=60)
    check(f'{name}: it is stopped', nodes and status != 0, status, read('stop.out'))
    check_sums(name, 'stopped', 'stop.json', browser)
    if browser:
        tiles = [browser.tile('last checkpoint'), browser.tile('work since then')]
        check(f'{name}: the page shows the age of the checkpoint',
              tiles[0].endswith(' ago') and tiles[1].startswith('about '), tiles)
    if browser:
        check(f'{name}: the page says how it ended',
              browser.tile('state') == f'ended with status {status}', browser.tile('state'))
    done = subprocess.run([*command, '--stats-json', 'resumed.json', '--journal', 'resumed', *JOBS,
                           '5s'], capture_output=True, text=True, check=False)
    check(f'{name}: it goes on', done.returncode == 0, done.stderr)
    stats, _ = check_sums('a resumed run', 'resumed', 'resumed.json', browser)
    check('a resumed run: it uses what was stored', stats['totals']['checkpoint.fetched'] > 0,
          stats['totals'])


def main():
    browser = Browser() if has_browser() else None
    try_master(browser)
    try_hub(browser)
    try_stop(browser)
    if browser:
        browser.close()


run_cases(main)
