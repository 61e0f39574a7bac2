# test-bench-paper.py - the report with the published figures: its values, its list, and runs that
# are kept
#
# Environment: as for page_common.py, SATIN_TEST_BENCH (the folder tests/bench) and
# SATIN_TEST_BUILD.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

from page_common import check, read, run_cases

BENCH = os.environ['SATIN_TEST_BENCH']
BUILD = os.environ['SATIN_TEST_BUILD']
# Two items that are simulated in seconds.
MOVE, REUSE = '000-figure-9', '001-table-VII'
# A simulated run does not free what it has when it is over.
NO_LEAKS = {**os.environ, 'ASAN_OPTIONS': os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'}
# How many figures and tables each text has.
COUNTS = {'000': (9, 2), '001': (8, 9), '002': (7, 1), '003': (43, 12)}

sys.path.insert(0, BENCH)
from papers import compared, svg  # noqa: E402 (its folder is known only here)


def paper(*words):
    return subprocess.run([f'{BENCH}/paper', *words], capture_output=True, text=True, check=False, env=NO_LEAKS)


def make(*words):
    return paper(BUILD, '--quick', '--only', f'{MOVE},{REUSE}', '--report', 'r.html', *words)


def articles():
    """Returns the items of the report by their ids. A report that is not well formed ends the test."""
    tree = ElementTree.parse('r.html')
    return {article.get('id'): article for article in tree.iter('article')}


def text_of(element):
    return ' '.join(''.join(element.itertext()).split())


def cells(article):
    return [[text_of(cell) for cell in row.iter('td')] for row in article.iter('tr') if row.find('td') is not None]


def kept_lines():
    return [json.loads(line) for line in read('r.json').splitlines()]


def kept_runs():
    return [line for line in kept_lines() if 'item' not in line]


def try_verdicts():
    row = compared.Row
    verdicts = [row('', 1.0, 0.9), row('', 1.0, 0.9, good='more'), row('', 1.0, 1.01),
                row('', (0.2, 0.6), 0.7, good='more'),
                row('', (0.2, 0.6), 0.3), row('', 1.05, 1.04, is_bound=True), row('', 1.05, 1.06, is_bound=True),
                row('', None, 1), row('', 1, None, 2), row('', 3, 1, good=None)]
    told = ' '.join(each.verdict() for each in verdicts)
    check('a verdict follows from both values and from what is better',
          told == 'better worse equal better equal equal worse not compared worse not compared', told)
    sentence = compared.sentence(verdicts[:3])
    check('a sentence counts the verdicts and tells by how much',
          sentence == 'Of 3 values, ours is better in 1 (by 10 %), equal in 1, worse in 1 (by 10 %).', sentence)


def try_drawings():
    bars = ElementTree.fromstring(svg.bars('t', 'y', [('a & b', [1, 2]), ('c', [None, 4])], ['theirs', 'ours']))
    heights = [float(each.get('height')) for each in bars.findall('.//{*}rect') if each.find('{*}title') is not None]
    check('bars are as high as their values', len(heights) == 3 and abs(heights[2] - 4 * heights[0]) < 0.3, heights)
    lines = ElementTree.fromstring(svg.lines('t', 'x', 'y', [('s', [(0, 0), (2, 5), (4, 10)])]))
    points = [[float(each) for each in point.split(',')] for point
              in lines.find('.//{*}polyline').get('points').split()]
    check('a line goes through its points', abs(points[0][1] + points[2][1] - 2 * points[1][1]) < 0.3
          and abs(points[0][0] + points[2][0] - 2 * points[1][0]) < 0.3, points)


def try_list():
    lines = paper('--list').stdout.splitlines()
    ids = [line.split()[0] for line in lines]
    counts = {text: tuple(len({each for each in ids if each.startswith(f'{text}-{kind}-')}) for kind in ('figure',
                                                                                                         'table'))
              for text in COUNTS}
    check('the list has each figure and table of the texts', counts == COUNTS and len(ids) == len(set(ids)), counts)
    return [line.split()[0] for line in lines if '(not made: ' in line]


def try_report(left_out):
    done = make()
    check('two items are made', done.returncode == 0, done.returncode, done.stderr)
    found = articles()
    check('the report has these two and is well formed', set(found) == {MOVE, REUSE}, set(found))
    (_, what, theirs, simulated, _, verdict), = cells(found[MOVE])
    check('it has their value, ours, and which is better',
          theirs == 'below 1.020' and 0.9 < float(simulated) <= 1.02 and verdict == 'equal',
          what, theirs, simulated, verdict)
    shares = [float(row[3]) for row in cells(found[REUSE])]
    theirs = [row[2] for row in cells(found[REUSE])]
    check('so it has for each row of a table', theirs == ['1.00', '0.24', '0.98'] and all(0.5 < share <= 1 for share
                                                                                          in shares),
          theirs, shares)
    check('each item has its command', all(f'--only {name}' in text_of(found[name]) for name in found))
    report = read('r.html')
    check('the report needs no other file', not re.search(r'(src|href)="(?!#)|url\(|@import', report))
    rows = [text_of(row) for row in ElementTree.parse('r.html').iter('tr')]
    missing = [name for name in left_out if not any(row.startswith(name.replace('-', ' ')) for row in rows)]
    check('it names what is not made', left_out and not missing, missing)
    values = {line['item']: line['rows'] for line in kept_lines() if 'item' in line}
    check('the values are in the file of the runs, too', set(values) == {MOVE, REUSE}
          and f'{values[MOVE][0]["simulated"]:.3f}' == simulated and values[MOVE][0]['verdict'] == 'equal', values)
    check('the summary is printed, too', f'| {MOVE} | {what} | below 1.020 | {simulated} |' in done.stdout, done.stdout)
    return simulated


def try_resume(simulated):
    lines = kept_runs()
    moving = next(line for line in lines if 'leave cluster c1' in line.get('command', '') and 'join '
                                                                                              '8' in line['command'])
    moving['run']['figures']['makespan_s'] *= 3
    reuse = next(line for line in lines if 'crash cluster c2' in line.get('command', ''))
    reuse['run']['status'] = 14
    # The first run of all is the last one that was written, and not to its end.
    lines.append(lines.pop(1))
    with open('r.json', 'w', encoding='utf-8') as file:
        file.writelines(json.dumps(line) + '\n' for line in lines[:-1])
        file.write(json.dumps(lines[-1])[:20])
    done = make('--resume')
    again = kept_runs()
    check('a night goes on with the runs that are kept, and makes the one that was cut off',
          len(again) == len(lines) and again[-1]['run']['figures']['hash'] == lines[-1]['run']['figures']['hash'],
          len(again), len(lines))
    (_, _, _, now, _, verdict), = cells(articles()[MOVE])
    check('the report has their figures; one that is worse is called worse',
          float(now) > float(simulated) * 1.5 and verdict == 'worse', simulated, now, verdict)
    check('an item that fails is told in the report and by the exit status, and others are made',
          done.returncode == 1 and 'This item has failed' in text_of(articles()[REUSE]) and REUSE in done.stderr,
          done.returncode, text_of(articles()[REUSE]))


def try_wrong():
    for words, message in ((['--only', 'figure-9', BUILD], 'no item that is made'), ([], 'name the build folder'),
                           (['/nowhere'], 'build it first'), ([BUILD, '--report', 'x.pdf'], '.html')):
        done = paper(*words)
        check(f'refused: {" ".join(words[:1]) or "nothing"}', done.returncode == 2 and message in done.stderr,
              done.stderr)


def try_all():
    try_verdicts()
    try_drawings()
    simulated = try_report(try_list())
    try_resume(simulated)
    try_wrong()


run_cases(try_all)
