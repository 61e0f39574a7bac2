#!/usr/bin/env python3
# chart.py - draws curves in an SVG
#
#   chart.py TITLE X-NAME Y-NAME <points >chart.svg
#
# Each line of the input is a point: the name of its curve, x and y, with blanks between.
#
# SPDX-License-Identifier: Apache-2.0
import sys
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 400, 70, 50, 40, 130
COLOURS = ['#1f5fa8', '#c2521d', '#2e8b57', '#8a4fa3', '#7a6a2a', '#444444']


def read_lines(text):
    lines = {}
    for words in map(str.split, text):
        if words:
            lines.setdefault(words[0], []).append((float(words[1]), float(words[2])))
    return lines


def text_at(x, y, text, more=''):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(text)}</text>'


def ticks(least, most):
    step = (most - least) / 5 or 1
    return [least + i * step for i in range(6)]


def draw(title, x_name, y_name, lines):
    points = [point for line in lines.values() for point in line]
    x_least, x_most = min(x for x, _ in points), max(x for x, _ in points)
    y_most = max(y for _, y in points) * 1.05 or 1
    x_span = x_most - x_least or 1

    def place(x, y):
        return (LEFT + (x - x_least) / x_span * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - y / y_most * (HEIGHT - BOTTOM - TOP))

    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
           'font-size="12">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           text_at(LEFT, 22, title, 'font-size="15"'),
           text_at((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_name, 'text-anchor="middle"'),
           text_at(6, TOP - 6, y_name)]
    for value in ticks(0, y_most):
        y = place(x_least, value)[1]
        svg += [f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>',
                text_at(LEFT - 6, y + 4, f'{value:.3g}', 'text-anchor="end"')]
    for value in sorted({x for x, _ in points}) if len({x for x, _ in points}) < 12 else ticks(x_least, x_most):
        svg.append(text_at(place(value, 0)[0], HEIGHT - BOTTOM + 18, f'{value:g}', 'text-anchor="middle"'))
    for number, (name, line) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        places = [place(x, y) for x, y in sorted(line)]
        path = 'L'.join(f'{x:.1f} {y:.1f}' for x, y in places)
        svg += [f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>']
        svg += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        svg.append(text_at(WIDTH - RIGHT + 12, TOP + 14 + 18 * number, name, f'fill="{colour}"'))
    return '\n'.join([*svg, '</svg>\n'])


def main():
    lines = read_lines(sys.stdin)
    if len(sys.argv) != 4 or not lines:
        sys.exit('usage: chart.py TITLE X-NAME Y-NAME <points >chart.svg')
    print(draw(*sys.argv[1:], lines), end='')


if __name__ == '__main__':
    main()
