# compared.py - a published value beside ours: which of the two is better, and by what
#
# Their machines were others, so only ratios and shares are compared: a run against another run of
# the same system.
#
# SPDX-License-Identifier: Apache-2.0

# Values that differ by less than this share of the published one count as equal.
TOLERANCE = 0.02

BETTER, EQUAL, WORSE, OPEN, FAILED = 'better', 'equal', 'worse', 'not compared', 'failed'


class Row:
    """One value of a table or figure.

    @what: what the value says. @theirs: the published value, a pair for a range, or None if the text
    has none. @simulated, @real: ours, or None. @good: 'more' or 'less' is better; None: neither,
    the value only describes a run. @is_bound: the text says only that theirs is below @theirs.
    @form: how a value is written. @prose: what the text says where it has no value."""

    def __init__(self, what, theirs, simulated=None, real=None, good='less', is_bound=False, form='{:.2f}',
                 prose=''):
        self.what = what
        self.theirs = theirs
        self.simulated = simulated
        self.real = real
        self.good = good
        self.is_bound = is_bound
        self.form = form
        self.prose = prose

    def ours(self):
        return self.simulated if self.simulated is not None else self.real

    def nearest(self):
        """Returns the published value with which ours is compared: of a range, the nearer end."""
        if not isinstance(self.theirs, tuple):
            return self.theirs
        return min(max(self.ours(), self.theirs[0]), self.theirs[1])

    def ratio(self):
        """Returns ours as a multiple of theirs, or None."""
        if self.theirs is None or self.ours() is None or self.nearest() == 0:
            return None
        return self.ours() / self.nearest()

    def verdict(self):
        ratio = self.ratio()
        if ratio is None or self.good is None:
            return OPEN
        if self.is_bound:
            return EQUAL if ratio <= 1 else WORSE
        if abs(ratio - 1) < TOLERANCE:
            return EQUAL
        return BETTER if (ratio < 1) == (self.good == 'less') else WORSE

    def text(self, value):
        if value is None:
            return ''
        if isinstance(value, tuple):
            return ' to '.join(self.form.format(each) for each in value)
        return self.form.format(value)

    def their_text(self):
        if self.theirs is None:
            return self.prose or 'no values in the text'
        return ('below ' if self.is_bound else '') + self.text(self.theirs)

    def record(self):
        return dict(vars(self), ratio=self.ratio(), verdict=self.verdict())


class Result:
    """What one item gives: its rows, its plots (functions of svg.py have made their text), and
    remarks that a reader needs to judge the rows."""

    def __init__(self, rows, plots=(), remarks=()):
        self.rows = rows
        self.plots = list(plots)
        self.remarks = list(remarks)


def count(rows):
    verdicts = [row.verdict() for row in rows]
    return {verdict: verdicts.count(verdict) for verdict in (BETTER, EQUAL, WORSE, OPEN)}


def differences(rows, verdict):
    """Returns by how many percent of the published value the rows with this verdict differ, as
    text."""
    percents = sorted(abs(100 * (row.ratio() - 1)) for row in rows if row.verdict() == verdict)
    if not percents:
        return ''
    low, high = (f'{percent:.0f}' for percent in (percents[0], percents[-1]))
    return f'by {high} %' if low == high else f'by {low} to {high} %'


def sentence(rows):
    """Returns one sentence: whether ours is better, and by what."""
    counts = count(rows)
    n_compared = sum(counts[verdict] for verdict in (BETTER, EQUAL, WORSE))
    if n_compared == 0:
        return 'The text has no value that could be compared.'
    if n_compared == 1:
        verdict = next(verdict for verdict in (BETTER, EQUAL, WORSE) if counts[verdict])
        if verdict == EQUAL:
            return 'Ours is equal to theirs.'
        return f'Ours is {verdict} {differences(rows, verdict)}.'
    parts = [f'{verdict} in {counts[verdict]}' + (f' ({differences(rows, verdict)})' if verdict != EQUAL else '')
             for verdict in (BETTER, EQUAL, WORSE) if counts[verdict]]
    return f'Of {n_compared} values, ours is ' + ', '.join(parts) + '.'
