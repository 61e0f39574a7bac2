# svg.py - draws groups of bars, and lines over numbers, as SVG
#
# The text has no sizes in pixels, so that a page can scale it. Colours are those of classes, which
# the page defines for a light and a dark background.
#
# SPDX-License-Identifier: Apache-2.0
import html
import math

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 34, 52


def escape(text):
    return html.escape(str(text), quote=True)


def nice_step(span, n=5):
    """Returns a step of 1, 2 or 5 times a power of ten that divides @span in about @n parts."""
    raw = span / n
    power = 10 ** math.floor(math.log10(raw))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw)


def number(value):
    return f'{value:g}' if abs(value) < 1e6 else f'{value:.0e}'


class Area:
    """The part of a drawing inside its axes. Values go from 0 or @low_x to the largest."""

    def __init__(self, title, label_y, largest_y, low_x=0, largest_x=1, label_x=''):
        self.step_y = nice_step(largest_y or 1)
        self.largest_y = math.ceil((largest_y or 1) / self.step_y) * self.step_y
        self.low_x, self.largest_x = low_x, max(largest_x, low_x + 1e-9)
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
                      f'<title>{escape(title)}</title>']
        for i in range(round(self.largest_y / self.step_y) + 1):
            value = i * self.step_y
            self.parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{self.y(value):.1f}" '
                              f'y2="{self.y(value):.1f}"/>')
            self.text(LEFT - 6, self.y(value) + 4, number(round(value, 9)), 'end')
        self.text(LEFT - 40, TOP - 20, label_y, 'start')
        self.text(WIDTH - RIGHT, HEIGHT - 6, label_x, 'end')

    def x(self, value):
        return LEFT + (value - self.low_x) / (self.largest_x - self.low_x) * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        return HEIGHT - BOTTOM - value / self.largest_y * (HEIGHT - BOTTOM - TOP)

    def text(self, x, y, text, anchor='middle'):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>')

    def key(self, names):
        x = WIDTH - RIGHT
        for i, name in reversed(list(enumerate(names))):
            x -= 7.2 * len(name) + 22
            self.parts.append(f'<rect class="c{i}" x="{x:.1f}" y="8" width="10" height="10"/>')
            self.text(x + 14, 17, name, 'start')

    def end(self):
        return '\n'.join([*self.parts, '</svg>'])


def bars(title, label_y, groups, names):
    """Returns a drawing. @groups: pairs of a label and a list with a value, or None, for each of
    @names."""
    values = [value for _, group in groups for value in group if value is not None]
    area = Area(title, label_y, max(values, default=1))
    width = (WIDTH - LEFT - RIGHT) / len(groups)
    for i, (label, group) in enumerate(groups):
        bar = width * 0.8 / len(names)
        begin = LEFT + i * width + width * 0.1
        for j, value in enumerate(group):
            if value is not None:
                area.parts.append(f'<rect class="c{j}" x="{begin + j * bar:.1f}" y="{area.y(value):.1f}" '
                                  f'width="{bar * 0.94:.1f}" height="{area.y(0) - area.y(value):.1f}">'
                                  f'<title>{escape(label)}, {escape(names[j])}: {value:.4g}</title></rect>')
        # Long labels take turns on two lines.
        area.text(begin + width * 0.4, HEIGHT - BOTTOM + 16 + 15 * (i % 2), label)
    area.key(names)
    return area.end()


def lines(title, label_x, label_y, series):
    """Returns a drawing. @series: pairs of a name and a list of points (x, y)."""
    points = [point for _, of_series in series for point in of_series]
    area = Area(title, label_y, max((y for _, y in points), default=1), 0, max((x for x, _ in points), default=1),
                label_x)
    step = nice_step(area.largest_x)
    for i in range(int(area.largest_x / step) + 1):
        area.text(area.x(i * step), HEIGHT - BOTTOM + 16, number(i * step))
    for i, (name, of_series) in enumerate(series):
        path = ' '.join(f'{area.x(x):.1f},{area.y(y):.1f}' for x, y in of_series)
        area.parts.append(f'<polyline class="l{i}" points="{path}"/>')
        for x, y in of_series:
            area.parts.append(f'<circle class="c{i}" cx="{area.x(x):.1f}" cy="{area.y(y):.1f}" r="3">'
                              f'<title>{escape(name)}: {x:.4g}, {y:.4g}</title></circle>')
    area.key([name for name, _ in series])
    return area.end()
