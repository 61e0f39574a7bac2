# test-command-page-users.py - the page without a display, for another user, and at ports it cannot have
#
# Environment: as for page_common.py. The cases with another user need root.
#
# SPDX-License-Identifier: Apache-2.0
import os
import re
import signal
import socket
import subprocess

from page_common import (SATIN, ask, check, find_url, folder, read, run_cases, skip, start, until)

OTHER = {'user': 'nobody', 'group': 'nogroup', 'extra_groups': []}
QUICK = ['-n', '1', '-w', '1', 'fib', '20']


def call(*command, **how):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, **how)


def try_without_display():
    run = start(SATIN, 'run', '--page', '-n', '1', '-w', '1', 'tree', '--sleep', '1000s',
                out='run.out')
    url, port, token = find_url('run.out')
    hint = until(lambda: re.search(rf'ssh -L {port}:127\.0\.0\.1:{port} \S+', read('run.out')))
    check('without a display the address is printed, and how to see it elsewhere', url and hint,
          read('run.out'))
    check('the page is there', ask(port, f'/{token}/')[0] == 200)
    os.environ['DISPLAY'] = ':0'
    page = start(SATIN, 'page', out='page.out')
    find_url('page.out')
    page.send_signal(signal.SIGINT)
    page.wait()
    check('at a display only the address is printed', 'ssh' not in read('page.out'),
          read('page.out'))
    del os.environ['DISPLAY']
    return run, port


def try_signal_at_once():
    """A shell starts its background commands with SIGINT ignored. A signal that came between the
    address and the handler would be lost then."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    with subprocess.Popen([SATIN, 'page'], stdout=subprocess.PIPE) as page:
        signal.signal(signal.SIGINT, before)
        page.stdout.readline()
        page.send_signal(signal.SIGINT)
        try:
            status = page.wait(timeout=60)
        except subprocess.TimeoutExpired:
            status = 'none in 60 s'
            page.kill()
    check('a signal ends the page as soon as its address is printed', status == 0, status)


def try_other_user(port):
    name = 'another user'
    script = ('import http.client, sys; c = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))\n'
              'c.request("GET", sys.argv[2]); a = c.getresponse(); print(a.status, a.read().decode())')
    for path in ('/', '/metrics', '/' + '0' * 32 + '/events'):
        answer = call('/usr/bin/python3', '-c', script, str(port), path, **OTHER)
        check(f'{name} gets nothing at {path[:10]}', answer.stdout.startswith('403 ')
              and 'the token is missing or wrong' in answer.stdout, answer.stdout, answer.stderr)
    journal = os.path.realpath(f'{folder}/state/satin/runs/latest')
    os.chmod(folder, 0o755)
    refused = call(SATIN, 'page', journal + '/run.avro', **OTHER)
    check(f'{name} cannot read the journal, and hears why', refused.returncode == 27
          and 'Permission denied; only the user who started' in refused.stderr, refused)
    for command in ('top', 'status'):
        refused = call(SATIN, command, **OTHER, env={**os.environ, 'XDG_RUNTIME_DIR': '/nonexistent'})
        check(f'{name} finds no run with satin {command}', refused.returncode == 11
              and 'no run of yours' in refused.stderr, refused)
    environments = call('cat', *[f'/proc/{pid}/cmdline' for pid in os.listdir('/proc')
                                 if pid.isdigit()])
    token = find_url('run.out')[2]
    check('no list of processes has the token', token not in environments.stdout)


def try_ports():
    taken = socket.socket()
    taken.bind(('127.0.0.1', 0))
    taken.listen()
    port = taken.getsockname()[1]
    for command in ([SATIN, 'run', f'--page={port}', *QUICK], [SATIN, 'page', '--port', str(port)]):
        refused = call(*command)
        check(f'satin {command[1]} names a port that is taken', refused.returncode == 19
              and f'port {port} of 127.0.0.1 is in use' in refused.stderr, refused)
    journal = call(SATIN, 'journal', 'cat')
    check('the run that did not begin has an end in its journal',
          journal.stdout.splitlines()[-1].endswith('end  exit_status 19'), journal.stdout)
    with open('/proc/sys/net/ipv4/ip_unprivileged_port_start', encoding='utf-8') as file:
        is_free = int(file.read()) <= 1
    if is_free or os.getuid() != 0 or call('test', '-x', SATIN, **OTHER).returncode != 0:
        skip('a port of the system', 'each user may have it, or this one cannot become another')
        return
    state = f'{folder}/other'
    os.mkdir(state)
    os.chmod(state, 0o777)
    refused = call(SATIN, 'run', '--page=1', *QUICK, **OTHER,
                   env={**os.environ, 'XDG_STATE_HOME': state, 'XDG_RUNTIME_DIR': state})
    check('a port that the user may not have is named', refused.returncode == 27
          and 'port 1 of 127.0.0.1: Permission denied' in refused.stderr, refused)


def main():
    for name in ('DISPLAY', 'WAYLAND_DISPLAY'):
        os.environ.pop(name, None)
    run, port = try_without_display()
    try_signal_at_once()
    if os.getuid() != 0:
        skip('another user', 'only root can become one')
    elif call('test', '-x', SATIN, **OTHER).returncode != 0:
        skip('another user', 'nobody else can run this build')
    else:
        try_other_user(port)
    run.send_signal(signal.SIGINT)
    run.wait()
    try_ports()


run_cases(main)
