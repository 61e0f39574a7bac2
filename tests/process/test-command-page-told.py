# test-command-page-told.py - what nodes tell the journal: long jobs, bounds, decisions; on the page
#
# The runs are simulated, so each has the same events every time. Environment: as for
# page_common.py, and SATIN_TEST_INSTANCES. The cases on the page need Chromium.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import subprocess

from page_common import (SATIN, Browser, check, count_text, folder, has_browser, run_cases, skip,
                         until)

GR96 = os.path.join(os.environ['SATIN_TEST_INSTANCES'], 'gr96.tsp')


# LeakSanitizer itself crashes after this simulation of tsp ("Tracer caught signal 11").
NO_LEAKS = {**os.environ, 'ASAN_OPTIONS': os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'}


def simulate(name, *words):
    """Simulates a run. Returns the events of its journal."""
    subprocess.run([SATIN, 'sim', '--journal', name + '.avro', *words], check=True,
                   stdout=subprocess.DEVNULL, env=NO_LEAKS)
    lines = subprocess.run([SATIN, 'journal', 'cat', '--json', name + '.avro'], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def median_of(events):
    """Returns: the smallest T of the figures jobs-taken.within-T for which at least half of the
    jobs that nodes took ran within T"""
    last = {}
    for event in events:
        if event['kind'] == 'summary':
            last.setdefault(event['node'], {}).update(event['values'])
    counts = {}
    for figures in last.values():
        for name, value in figures.items():
            if name.startswith('jobs-taken.within-'):
                counts[int(name.rsplit('-', 1)[1])] = counts.get(int(name.rsplit('-', 1)[1]), 0) + value
    left = sum(counts.values()) / 2
    for time in sorted(counts):
        left -= counts[time]
        if left <= 0:
            return time
    return 0


def of_kind(events, kind):
    return [event for event in events if event['kind'] == kind]


def rows(browser, selector):
    return browser.run(f'return [...document.querySelectorAll("{selector} tbody tr")].map('
                       '(r) => [...r.cells].map((c) => c.textContent))')


def open_report(browser, name):
    subprocess.run([SATIN, 'report', '-o', name + '.html', name + '.avro'], check=True,
                   stdout=subprocess.DEVNULL)
    browser.open(f'file://{folder}/{name}.html')
    browser.run('document.querySelectorAll("details").forEach((d) => d.open = true)')
    browser.run('return new Promise((done) => setTimeout(done, 300))')


def is_shown(browser, section):
    return browser.run(f'return document.getElementById("{section}").checkVisibility()')


def try_bounds(events):
    bounds = [event['values']['value'] for event in of_kind(events, 'bound')]
    check('each bound is better than the one before',
          len(bounds) > 3 and bounds == sorted(set(bounds), reverse=True), bounds)
    check('the last one is the answer', bounds[-1:] == [55209], bounds)


def try_long_jobs(events):
    jobs = of_kind(events, 'long-job')
    check('long jobs have task, arguments and time',
          len(jobs) >= 20 and all(e['text'].startswith('task find_tour (distances')
                                  and e['values']['ran_us'] >= 10000 for e in jobs), jobs[:3])
    longest = max(e['values']['ran_us'] for e in jobs)
    end = events[-1]['time_us']
    check('none ran longer than the run', longest <= end, longest, end)


def try_decisions(events):
    decisions = of_kind(events, 'decision')
    asked = sum(event['values']['asked'] for event in decisions)
    joined = len(of_kind(events, 'joined'))
    check('decisions say for how many machines they asked', asked > 0 and joined == 16 + asked,
          asked, joined)
    check('each has nodes and efficiency', all(
        event['values']['nodes'] >= 16 and 0 < event['values']['efficiency_permille'] <= 1000
        for event in decisions), decisions)
    return decisions


def try_machines(events):
    machines = of_kind(events, 'machines')
    asked, came, refused, gone = (sum(event['values'].get(name, 0) for event in machines)
                                  for name in ('asked', 'came', 'refused', 'gone'))
    joined = len(of_kind(events, 'joined'))
    check('of the machines that were asked for, each came or was refused',
          asked == came + refused and came == joined >= 16, asked, came, refused, joined)
    check('machines that are given back at the end are gone', 0 < gone <= came, gone, came)
    check('the first were asked for by cluster', machines[0]['text'].startswith(
        'asked for 4 machines in cluster ') and machines[0]['values'] == {'asked': 4}, machines[0])


def try_pages(browser, tour, grown, decisions):
    open_report(browser, 'tour')
    times = [event['values']['ran_us'] for event in of_kind(tour, 'long-job')]
    shown = rows(browser, '#longest')
    check('the page has the longest jobs', len(shown) == 20 and shown[0][5].startswith('task find_tour')
          and shown[0][0] == f'{max(times) / 1000:.1f} ms', shown[:1], max(times))
    check('with their ratio to the median job', shown[0][2] == count_text(max(times) // median_of(tour)),
          shown[0], median_of(tour))
    check('and the bound', rows(browser, '#bounds')[-1][1].replace(',', '') == '55209',
          rows(browser, '#bounds'))
    check('without adaptation there is no such section', not is_shown(browser, 'decisions-section'))
    open_report(browser, 'grown')
    shown = rows(browser, '#decisions')
    changes = [event for event in decisions if event['values']['asked'] > 0]
    check('the page has the decisions that changed something', len(shown) == len(changes)
          and [row[1] for row in shown] == [event['text'] for event in changes], shown, changes)
    machines = of_kind(grown, 'machines')
    terms = browser.run('return [...document.querySelectorAll("#machine-counts dd")].map('
                        '(d) => d.textContent)')
    check('the page has the machines that were asked for, and those that came',
          terms[:2] == [count_text(sum(event['values'].get(name, 0) for event in machines))
                        for name in ('asked', 'came')], terms, machines[:3])
    shown_machines = rows(browser, '#machines')
    check('and what happened, in words', len(shown_machines) == min(len(machines), 100)
          and shown_machines[-1][1] == machines[-1]['text'], shown_machines[-3:])
    check('and what came of them', int(shown[0][4]) > changes[0]['values']['nodes'], shown[0])
    check('without bounds there is no such section', not is_shown(browser, 'bounds-section'))


def try_work_done_again(browser):
    simulate('lost', '--clusters', '2x8', '--wan', '10ms', '--events',
             '40s crash cluster c2; 70s join 8 cluster c2; 90s crash master', 'tree', '1600s')
    open_report(browser, 'lost')
    browser.run('document.getElementById("time-numbers").open = true')
    shown = until(lambda: rows(browser, '#time-numbers'))
    in_jobs = [float(row[1]) + float(row[2]) for row in shown]
    check('no time has more work, with what is done again, than there are workers',
          15.5 < max(in_jobs) < 16.5, max(in_jobs), shown[-5:])
    check('and some is done again', sum(float(row[2]) for row in shown) > 1, shown[-5:])


def main():
    tour = simulate('tour', '--clusters', '2x4', '--wan', '10ms', 'tsp', '--node-time', '20us',
                    '--first-tour', 'nearest', GR96)
    try_bounds(tour)
    try_long_jobs(tour)
    grown = simulate('grown', '--clusters', '4x4', '--pool', '4x12', '--wan', '10ms',
                     '--with', 'adapt:period=5s,policy=learning', 'tree', '300s')
    decisions = try_decisions(grown)
    try_machines(grown)
    if not has_browser():
        skip('what nodes tell, on the page', 'there is no chromium')
        return
    browser = Browser()
    try_pages(browser, tour, grown, decisions)
    try_work_done_again(browser)
    browser.close()


run_cases(main)
