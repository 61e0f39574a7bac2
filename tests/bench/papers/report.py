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

STYLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'report.css')


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
    text = ', '.join(f'{name} {counts[name]}' for name in (compared.BETTER, compared.EQUAL, compared.WORSE,
                                                           compared.OPEN))
    failed = f' <b class="failed">{n_failed} items have failed.</b>' if n_failed else ''
    return (f'<p id="counts">{len(all_rows)} values, ours is: {text}.{failed}</p>\n'
            + table(['item', 'value', 'theirs', 'ours', 'ours is'], summary_rows(outcomes)))


def ratio_plot(rows):
    """Returns a drawing in a list, or an empty list if there are less than two ratios."""
    ratios = [(f'{i}', [row.ratio()]) for i, row in enumerate(rows, 1) if row.ratio() is not None]
    if len(ratios) < 2:
        return []
    return [svg.bars('Ours, as a multiple of theirs, by row of the table', 'ours / theirs, by row', ratios,
                     ['1: equal'])]


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
    parts = [f'<article id="{entry.id}">', f'<h3>{escape(entry.text)} {escape(entry.number)}: '
                                           f'{escape(entry.shows)}</h3>']
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
    rows = [[cell(f'{entry.text} {entry.number}'), cell(entry.shows), cell(entry.reason)]
            for entry in catalogue.left_out()]
    return table(['item', 'shows', 'why it is not made'], rows)


def introduction(arguments, took):
    form = 'the quick form, with few seeds and sizes' if arguments.quick else 'the full form'
    text = (
        'The tables and figures of four published texts about the Java system Satin, and what this Satin gives in '
        'their place. Their machines were others, so ratios and shares are compared: a run against another run of '
        'the same system. Simulated figures are exact for their seeds; real ones were measured on this machine, in '
        f'turns. Values that differ by less than {100 * compared.TOLERANCE:.0f} % count as equal. Where the text '
        'says only that a value is below a bound, a value within the bound counts as equal.')
    form_text = f'This is {form}; it took {took}. Load of the machine at the end: {os.getloadavg()[0]:.1f}.'
    return f'<p>{escape(text)}</p>\n<p class="soft">{escape(form_text)}</p>'


def write(path, arguments, outcomes, took):
    with open(STYLE, encoding='utf-8') as file:
        style = file.read()
    by_text = []
    for text, title in catalogue.TEXTS.items():
        of_text = [outcome for outcome in outcomes if outcome.entry.text == text]
        if of_text:
            by_text += [f'<h2>{text}: {escape(title)}</h2>', *(item(arguments, outcome) for outcome in of_text)]
    page = '\n'.join([
        '<!DOCTYPE html>', '<html lang="en"><head><meta charset="utf-8"/>',
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
        '<title>The published evaluation of Satin, and ours</title>', f'<style>{style}</style></head><body>',
        '<h1>The published evaluation of Satin, and ours</h1>', introduction(arguments, took), '<h2>Summary</h2>',
        summary(outcomes), *by_text, '<h2>What is not made</h2>', left_out(), '</body></html>', ''])
    new = path + '.new'
    with open(new, 'w', encoding='utf-8') as file:
        file.write(page)
    os.replace(new, path)
