# readers-agree.py - whether all readers of a journal agree with each other, for tests in bash
#
#   readers-agree.py PROGRAM N_NODES TOTALS URL
#
# PROGRAM is the program of a run that is over, with its arguments. TOTALS has its figures, as written
# by satin run --stats-json or satin sim --figures. URL is the address of its page. The output of the
# other readers is in this folder. Prints what differs, and then ends with status 1.
#
# SPDX-License-Identifier: Apache-2.0
import csv
import json
import re
import sys
import urllib.request

LARGEST_REPORT = 10_000_000
# The only address that may be in a page: the name of a language, which no browser asks for.
SVG = 'http://www.w3.org/2000/svg'
PROGRAM, N_NODES, TOTALS, URL = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
NODES = list(range(1, N_NODES + 1))
differences = []


def expect(what, found, wanted):
    if found != wanted:
        differences.append(f'{what}: {found!r} is not {wanted!r}')


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def read_totals(path):
    """Returns the sums of the nodes' figures, when the nodes left."""
    text = read(path)
    if text.startswith('{'):
        return json.loads(text)['totals']
    # satin sim counts until the root job has ended. Then nodes still ask for jobs, but run none.
    totals = dict(line.split() for line in text.splitlines())
    return {'jobs': int(totals['jobs'])}


def check_events(events, totals):
    last = {}
    for event in events:
        if event['kind'] == 'summary':
            last.setdefault(event['node'], {}).update(event['values'])
    sums = {}
    for values in last.values():
        for name, value in values.items():
            sums[name] = sums.get(name, 0) + value
    expect('program in the journal', (events[0]['kind'], events[0]['text']), ('run', PROGRAM))
    expect('end in the journal', (events[-1]['kind'], events[-1]['values']), ('end', {'exit_status': 0}))
    expect('nodes that joined', sorted(e['node'] for e in events if e['kind'] == 'joined'), NODES)
    expect('jobs in the journal', sums.get('jobs'), totals['jobs'])
    for name in sorted(sums.keys() & totals.keys()):
        expect(f'sum of {name}', sums[name], totals[name])


def check_csv(rows, events):
    wanted = []
    for event in events:
        head = [str(event['time_us']), str(event['node']), event['kind'], event['text']]
        wanted += [head + [name, str(value)] for name, value in event['values'].items()] or [head + ['', '']]
    expect('first row of the CSV', rows[0], ['time_us', 'node', 'kind', 'text', 'name', 'value'])
    expect('rows of the CSV', len(rows) - 1, len(wanted))
    for row, event_row in zip(rows[1:], wanted):
        expect('row of the CSV', row, event_row)


def check_page(name, page, jobs):
    """Returns the data in a page that needs no other file or host."""
    expect(f'end of {name}', page.rstrip().endswith('</html>'), True)
    expect(f'addresses in {name}', set(re.findall(r'https?://[^\s"\'<>)]+', page)) - {SVG}, set())
    expect(f'files that {name} needs', re.findall(r'\bsrc\s*=\s*"[^"]*|\bhref\s*=\s*"[^d#][^"]*', page), [])
    data = json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', page, re.S).group(1))
    run = data['run']
    expect(f'nodes of {name}', sorted(node[0] for node in run['nodes']), NODES)
    expect(f'{name} has the program', PROGRAM in [event[3] for event in run['events']], True)
    at = run['names'].index('jobs')
    figures = [dict(zip(node[1][::2], node[1][1::2])) for node in run['nodes']]
    expect(f'jobs of {name}', sum(of_node.get(at, 0) for of_node in figures), jobs)
    return data


def check_trace(events):
    names = [event['args']['name'] for event in events if event['name'] == 'thread_name']
    expect('nodes of the trace', sorted(int(name.split()[1]) for name in names), NODES)
    expect('program of the trace', events[0]['args']['name'], PROGRAM)
    members = {event['tid'] for event in events if event['name'] == 'member' and event['dur'] > 0}
    expect('members of the trace', sorted(members), NODES)


def check_paje(lines):
    nodes = [re.search(r'"node (\d+) on ', line).group(1) for line in lines if re.match(r'4 \S+ n\d+ Node ', line)]
    expect('nodes of the Paje trace', sorted(map(int, nodes)), NODES)
    expect('program of the Paje trace', any(line.startswith('4 ') and f'"{PROGRAM}"' in line for line in lines), True)


def check_metrics(text, jobs):
    found = {int(node): int(value) for node, value in
             re.findall(r'^satin_jobs_total\{node="(\d+)".*\} (\d+)$', text, re.M)}
    expect('nodes of the metrics', sorted(found), NODES)
    expect('jobs of the metrics', sum(found.values()), jobs)
    expect('program of the metrics', f'satin_run_info{{program="{PROGRAM}"}} 1' in text, True)


def ask(path):
    with urllib.request.urlopen(URL + path, timeout=60) as answer:
        return answer.read().decode()


def main():
    totals = read_totals(TOTALS)
    events = [json.loads(line) for line in read('events.json').splitlines()]
    check_events(events, totals)
    check_csv(list(csv.reader(read('events.csv').splitlines())), events)
    report = read('report.html')
    expect('the report is small', len(report) < LARGEST_REPORT, True)
    expect('runs in the report', 'other' in check_page('the report', report, totals['jobs']), False)
    two = check_page('the report of two', read('two.html'), totals['jobs'])
    expect('nodes of the other run', sorted(node[0] for node in two['other']['nodes']), NODES)
    check_trace(json.loads(read('trace.json'))['traceEvents'])
    check_paje(read('trace.paje').splitlines())
    check_page('the page', ask(''), totals['jobs'])
    check_metrics(ask('metrics'), totals['jobs'])


main()
for difference in differences[:20]:
    print(difference)
sys.exit(bool(differences))
