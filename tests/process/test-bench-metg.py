# test-bench-metg.py - the benchmark of the shortest useful jobs: its runs, its table, what follows
# from its points
#
# Environment: as for page_common.py, SATIN_TEST_BENCH (the folder tests/bench) and
# SATIN_TEST_BUILD.
#
# SPDX-License-Identifier: Apache-2.0
import importlib.machinery
import importlib.util
import json
import math
import os
import subprocess
import sys

from page_common import check, read, run_cases

BENCH = os.environ['SATIN_TEST_BENCH']
BUILD = os.environ['SATIN_TEST_BUILD']
ROWS = [('2 threads of one process', 'farm'), ('2 threads of one process', 'tree'), ('2 nodes, unix sockets', 'farm'),
        ('2 nodes, unix sockets', 'tree')]

sys.path.insert(0, BENCH)
sys.dont_write_bytecode = True


def load(name):
    loader = importlib.machinery.SourceFileLoader(name, f'{BENCH}/{name}')
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


metg = load('metg')


def run(*words):
    return subprocess.run([sys.executable, f'{BENCH}/metg', *words], capture_output=True, text=True, check=False)


def rows_of(text):
    """Returns the cells of the table's rows, without its head."""
    lines = [line for line in text.splitlines() if line.startswith('|')]
    return [[cell.strip() for cell in line.strip('|').split('|')] for line in lines[2:]]


def try_points():
    rising = [(1, 0.5), (2, 0.8), (8, 1.0), (16, 0.95)]
    check('the METG lies between two points, on the logarithm', metg.find_metg(rising, 0.9) == '4 us',
          metg.find_metg(rising, 0.9))
    check('it is below the first point if all are good', metg.find_metg(rising[2:], 0.9) == 'below 8 us')
    check('it is above the last point if that is not good', metg.find_metg(rising[:2], 0.9) == 'above 2 us')
    twice = [(1, 0.5), (2, 0.9), (4, 0.6), (8, 0.9)]
    check('it is the shortest of all good times', metg.find_metg(twice, 0.9) == '2 us', metg.find_metg(twice, 0.9))
    between = float(metg.efficiency_at(rising, math.sqrt(2)))
    check('an efficiency between two points is interpolated', abs(between - 0.65) < 0.006, between)
    check('beyond the points there is none',
          metg.efficiency_at(rising, 0.5) == metg.efficiency_at(rising, 100) == '')


def try_runs():
    words = [BUILD, '--quick', '--settings', 'threads,unix', '--seconds', '0.02', '--shortest', '8', '--longest', '64',
             '--keep', 'kept.json']
    done = run(*words)
    check('short runs end well', done.returncode == 0, done.returncode, done.stderr)
    rows = rows_of(done.stdout)
    check('the table has a row for each setting and form', [tuple(row[:2]) for row in rows] == ROWS, done.stdout)
    check('each row has a METG', all(row[2].endswith((' us', ' ms')) for row in rows), rows)
    kept = json.loads(read('kept.json'))
    points = [point for row in kept for point in row['points']]
    # Other programs may run beside this test, so an efficiency can be far too low, or somewhat too high.
    check('the efficiencies of all points are sane',
          len(points) == 8 and all(0 < efficiency < 3 for _, efficiency in points), points)
    check('a longer job takes longer', all(row['points'][0][0] < row['points'][1][0] for row in kept), kept)
    return words


def try_kept(words):
    with open('kept.json', 'w', encoding='utf-8') as file:
        json.dump([{'setting': 'another day', 'form': 'tree', 'points': [[1, 0.5], [100, 0.9]]}], file)
    done = run(*words, '--settings', 'threads', '--longest', '8')
    check('rows of an earlier run stay in the table', ['another day', 'tree', '100 us'] in [row[:3] for row
                                                                                           in rows_of(done.stdout)],
          done.stdout, done.stderr)
    with open('kept.json', 'w', encoding='utf-8') as file:
        file.write('{')
    done = run(*words)
    check('a file that is no file of rows is refused', done.returncode == 1 and 'not a file of --keep' in done.stderr,
          done.returncode, done.stderr)


def try_wrong():
    for words, message in (([BUILD, '--settings', 'threads,udp'], 'not udp'), (['/nowhere'], 'build it first'),
                           ([BUILD, '--share', '90'], '--share'), ([BUILD, '--rounds', '0'], '--rounds'),
                           ([BUILD, '--settings', 'wan', '--processors', '4'], '--processors 2'),
                           ([BUILD, '--latency', '10'], '10ms')):
        done = run(*words)
        check(f'refused: {" ".join(words[1:]) or "no build"}', done.returncode == 2 and message in done.stderr,
              done.stderr)


def try_all():
    try_points()
    try_kept(try_runs())
    try_wrong()


run_cases(try_all)
