# report.py - the report: one HTML file with all that it needs
#
# The page is well-formed XML, too, so that a test can read it. Widths follow the screen, a wide
# table scrolls by itself, and a print has black lines on white.
#
# SPDX-License-Identifier: Apache-2.0
import html
import os
import shlex

from papers import catalogue, compared, svg

STYLE = '''
:root { --text: #1b1f24; --soft: #59636e; --back: #ffffff; --line: #d0d7de; --c0: #9a6700; --c1: #0969da;
  --c2: #1a7f37; --c3: #8250df; --better: #1a7f37; --worse: #b3261e; }
@media screen and (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9198a1; --back: #0d1117; --line: #3d444d;
  --c0: #d29922; --c1: #58a6ff; --c2: #3fb950; --c3: #bc8cff; --better: #3fb950; --worse: #ff7b72; } }
@media print { :root { --text: #000; --soft: #333; --back: #fff; --line: #999; } article { break-inside: avoid-page; }
  details { display: none; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); max-width: 60rem; margin: 0 auto;
  padding: 0 1rem 3rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.3rem; margin-top: 2.5rem; } h3 { font-size: 1.1rem; margin: 2rem 0 0; }
a { color: var(--c1); } .soft, figcaption { color: var(--soft); }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.9rem; }
th, td { border-bottom: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: left; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.better { color: var(--better); } .worse, .failed { color: var(--worse); font-weight: 600; }
svg { width: 100%; max-width: 40rem; height: auto; display: block; margin: 1rem 0; } svg text { font-size: 11px; fill: var(--text); }
svg .grid { stroke: var(--line); } .c0 { fill: var(--c0); } .c1 { fill: var(--c1); } .c2 { fill: var(--c2); } .c3 { fill: var(--c3); }
polyline { fill: none; stroke-width: 2; } .l0 { stroke: var(--c0); } .l1 { stroke: var(--c1); } .l2 { stroke: var(--c2); }
.l3 { stroke: var(--c3); }
code { font-size: 0.85em; overflow-wrap: anywhere; } details pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.8rem; }
'''


def escape(text):
    return html.escape(str(text), quote=True)


def cell(text, kind=''):
    return f'<td class="{kind}">{escape(text)}</td>' if kind else f'<td>{escape(text)}</td>'


def table(heads, rows):
    """@rows: lists of cells that are HTML already."""
    head = ''.join(f'<th>{escape(each)}</th>' for each in heads)
    body = '\n'.join('<tr>' + ''.join(row) + '</tr>' for row in rows)
    return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'


def ratio_text(row):
    return '' if row.ratio() is None else f'{row.ratio():.2f}'


def item_command(arguments, entry):
    quick = ' --quick' if arguments.quick else ''
    return f'tests/bench/paper {shlex.quote(arguments.build)}{quick} --only {entry.id}'


def summary_rows(outcomes):
    rows = []
    for outcome in outcomes:
        link = f'<td><a href="#{outcome.entry.id}">{escape(outcome.entry.text)} {escape(outcome.entry.number)}</a></td>'
        if outcome.problem:
            rows.append([link, cell(outcome.entry.shows), cell(''), cell(''), cell(compared.FAILED, compared.FAILED)])
            continue
        for row in outcome.result.rows:
            rows.append([link, cell(row.what), cell(row.their_text(), 'number'), cell(row.text(row.ours()), 'number'),
                         cell(row.verdict(), row.verdict().replace(' ', '-'))])
    return rows


def summary(outcomes):
    all_rows = [row for outcome in outcomes if outcome.result for row in outcome.result.rows]
    counts = compared.count(all_rows)
    n_failed = sum(1 for outcome in outcomes if outcome.problem)
    text = ', '.join(f'{name} {counts[name]}' for name in (compared.BETTER, compared.EQUAL, compared.WORSE, compared.OPEN))
    failed = f' <b class="failed">{n_failed} items have failed.</b>' if n_failed else ''
    return (f'<p id="counts">{len(all_rows)} values, ours is: {text}.{failed}</p>\n'
            + table(['item', 'value', 'theirs', 'ours', 'ours is'], summary_rows(outcomes)))


def ratio_plot(rows):
    """Returns a drawing in a list, or an empty list if there are less than two ratios."""
    ratios = [(f'{i}', [row.ratio()]) for i, row in enumerate(rows, 1) if row.ratio() is not None]
    if len(ratios) < 2:
        return []
    return [svg.bars('Ours, as a multiple of theirs, by row of the table', 'ours / theirs, by row', ratios, ['1: equal'])]


def item_table(rows):
    """Returns a table with a column for simulated values, and one for real ones, if there are any."""
    columns = {'': lambda i, row: cell(i, 'number'), 'value': lambda i, row: cell(row.what),
               'theirs': lambda i, row: cell(row.their_text(), 'number')}
    if any(row.simulated is not None for row in rows):
        columns['ours, simulated'] = lambda i, row: cell(row.text(row.simulated), 'number')
    if any(row.real is not None for row in rows):
        columns['ours, real'] = lambda i, row: cell(row.text(row.real), 'number')
    columns['ours / theirs'] = lambda i, row: cell(ratio_text(row), 'number')
    columns['ours is'] = lambda i, row: cell(row.verdict(), row.verdict().replace(' ', '-'))
    return table(list(columns), [[make(i, row) for make in columns.values()] for i, row in enumerate(rows, 1)])


def item(arguments, outcome):
    entry = outcome.entry
    parts = [f'<article id="{entry.id}">', f'<h3>{escape(entry.text)} {escape(entry.number)}: {escape(entry.shows)}</h3>']
    if outcome.problem:
        parts.append(f'<p class="failed">This item has failed: {escape(outcome.problem)}</p>')
    else:
        parts.append(f'<p><b>{escape(compared.sentence(outcome.result.rows))}</b></p>')
        parts.append(item_table(outcome.result.rows))
        parts += outcome.result.plots or ratio_plot(outcome.result.rows)
        parts += [f'<p class="soft">{escape(remark)}</p>' for remark in outcome.result.remarks]
    parts.append(f'<p>Alone: <code>{escape(item_command(arguments, entry))}</code></p>')
    commands = escape('\n'.join(outcome.commands))
    parts.append(f'<details><summary>{len(outcome.commands)} runs</summary><pre>{commands}</pre></details>')
    return '\n'.join([*parts, '</article>'])


def left_out():
    rows = [[cell(f'{entry.text} {entry.number}'), cell(entry.shows), cell(entry.reason)] for entry in catalogue.left_out()]
    return table(['item', 'shows', 'why it is not made'], rows)


def introduction(arguments, took):
    form = 'the quick form, with few seeds and sizes' if arguments.quick else 'the full form'
    return f'''<p>The tables and figures of four published texts about the Java system Satin, and what this Satin gives in their place.
Their machines were others, so ratios and shares are compared: a run against another run of the same system. Simulated figures
are exact for their seeds; real ones were measured on this machine, in turns. Values that differ by less than
{100 * compared.TOLERANCE:.0f} % count as equal. Where the text says only that a value is below a bound, a value within the bound counts as equal.</p>
<p class="soft">This is {form}; it took {escape(took)}. Load of the machine at the end: {os.getloadavg()[0]:.1f}.</p>'''


def write(path, arguments, outcomes, took):
    by_text = []
    for text, title in catalogue.TEXTS.items():
        of_text = [outcome for outcome in outcomes if outcome.entry.text == text]
        if of_text:
            by_text += [f'<h2>{text}: {escape(title)}</h2>', *(item(arguments, outcome) for outcome in of_text)]
    page = '\n'.join([
        '<!DOCTYPE html>', '<html lang="en"><head><meta charset="utf-8"/>',
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
        '<title>The published evaluation of Satin, and ours</title>', f'<style>{STYLE}</style></head><body>',
        '<h1>The published evaluation of Satin, and ours</h1>', introduction(arguments, took), '<h2>Summary</h2>',
        summary(outcomes), *by_text, '<h2>What is not made</h2>', left_out(), '</body></html>', ''])
    new = path + '.new'
    with open(new, 'w', encoding='utf-8') as file:
        file.write(page)
    os.replace(new, path)
