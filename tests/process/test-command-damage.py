# test-command-damage.py - each reader of a journal reads it up to the damage, and says so
#
# The readers are satin journal cat, report, trace and page with its metrics and its stream of
# events. All must see the same events. Environment: as for page_common.py, and SATIN_TEST_MAKER.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import re
import subprocess

from page_common import (SATIN, ask, check, find_url, read, read_message, run_cases, start,
                         sum_metric)

MAKER = os.environ['SATIN_TEST_MAKER']
SYNC_BYTES = 16


def call(*words):
    return subprocess.run([SATIN, *words], capture_output=True, text=True, check=False, timeout=60)


def find_block(journal, after):
    """Returns the offset behind the first end of a block that is at or after @after."""
    sync = journal[-SYNC_BYTES:]
    return journal.index(sync, after) + SYNC_BYTES


def damaged_ones(journal):
    """Returns damaged journals by the kind of damage. All but the last are damaged midway."""
    end = find_block(journal, len(journal) // 2)
    zeros = bytes(64)
    return {
        'cut in a block': journal[:end + 200],
        'cut at its length': journal[:end + 1],
        'without the end of a block': journal[:end - 5],
        'with zeros in a block': journal[:end + 100] + zeros + journal[end + 164:],
        'with a wrong end of a block': journal[:end - 5] + zeros[:5] + journal[end:],
        'with bytes behind its end': journal + zeros[:40],
    }


def read_stream(port, token):
    """Returns how many events the stream has, and its last message."""
    n = 0
    while True:
        message = read_message(port, f'/{token}/events?from={n}')
        if 'id' not in message:
            return n, message
        n = int(message['id'])


def try_page(name, n_events, n_jobs, has_end):
    page = start(SATIN, 'page', 'run.avro', out='page.out')
    _, port, token = find_url('page.out')
    count = int(re.search(r'"count":(\d+)', ask(port, f'/{token}/')[2]).group(1))
    check(f'{name}: the page has these events', count == n_events, count, n_events)
    jobs = sum_metric(ask(port, f'/{token}/metrics')[2], 'satin_jobs_total')
    check(f'{name}: so have its metrics', jobs == n_jobs, jobs, n_jobs)
    n, last = read_stream(port, token)
    # If the damage is behind the end of the run, the stream ends with "end".
    is_told = last['event'] == 'end' or 'is damaged at byte' in last['data']
    check(f'{name}: so has its stream, which then tells of the damage or the end',
          n == n_events and is_told and (last['event'] == 'end') == has_end, n, n_events, last)
    page.kill()
    page.wait()


def try_readers(name):
    cat = call('journal', 'cat', '--json', 'run.avro')
    events = [json.loads(line) for line in cat.stdout.splitlines()]
    check(f'{name}: satin journal cat prints what is before the damage, and fails', len(events) > 100
          and cat.returncode == 12 and re.search(r'run\.avro is damaged at byte \d+: ', cat.stderr),
          len(events), cat.returncode, cat.stderr)
    last = {}
    for event in events:
        if 'jobs' in event['values']:
            last[event['node']] = event['values']['jobs']
    report = call('report', '-o', 'run.html', 'run.avro')
    count = int(re.search(r'"count":(\d+)', read('run.html')).group(1))
    check(f'{name}: satin report draws it, and says where it ends', report.returncode == 0
          and 'the report ends there' in report.stderr and count == len(events)
          and '"damage":"' in read('run.html'), report.stderr, count, len(events))
    trace = call('trace', '-o', 'run.json', 'run.avro')
    times = [event['ts'] for event in json.loads(read('run.json'))['traceEvents']]
    check(f'{name}: so does satin trace', trace.returncode == 0
          and 'the trace ends there' in trace.stderr and max(times) <= events[-1]['time_us'],
          trace.stderr, max(times))
    try_page(name, len(events), sum(last.values()), events[-1]['kind'] == 'end')


def try_headers(journal):
    for name, part in [('an empty file', b''), ('half a header', journal[:100]),
                       ('another file', b'#!/bin/sh\n' * 100)]:
        with open('run.avro', 'wb') as file:
            file.write(part)
        for reader in (['journal', 'cat'], ['report'], ['trace'], ['page']):
            refused = call(*reader, 'run.avro')
            check(f'satin {" ".join(reader)} refuses {name}', refused.returncode == 12
                  and 'run.avro is not a journal' in refused.stderr, refused)


def main():
    subprocess.run([MAKER, 'whole.avro', '30', '120', '1'], check=True)
    with open('whole.avro', 'rb') as file:
        journal = file.read()
    for name, damaged in damaged_ones(journal).items():
        with open('run.avro', 'wb') as file:
            file.write(damaged)
        try_readers(name)
    try_headers(journal)


run_cases(main)
